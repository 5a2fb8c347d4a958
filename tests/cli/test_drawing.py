import json
import re
from pathlib import Path

from rich.color import Color, ColorSystem
from rich.console import RenderableType
from rich.style import Style

from kagiya.agents.api import AgentInfo, Parameter, PythonAgentType
from kagiya.agents.register import find_agent
from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, Seat, parse_card
from kagiya.cli.agent_tables import MAX_LINES, draw_agents
from kagiya.cli.commands.dev import draw_shown_turn
from kagiya.cli.console import out
from kagiya.cli.terminal_board import INKS, TILES, chance_word, draw_sentences, open_colors, open_ranks, tile
from kagiya.cli.text_table import draw_answer, text_of
from kagiya.engine.game import Game
from kagiya.lab.league import measured_league
from kagiya.rules import Rules
from tests.cli.command import run
from tests.drawing.vision import contrast


def drawn(thing: RenderableType) -> str:
    with out.capture() as capture:
        out.print(thing)
    return capture.get()


def test_a_card_is_readable_without_color() -> None:
    assert tile(parse_card("R1")).plain == " R1 "
    assert tile(parse_card("R1"), fits=True).plain == " R1↑"
    assert tile(Card(HIDDEN_CARD)).plain == " ?? "
    assert tile(Card(NO_CARD)).plain == " -- "
    assert len({str(tile(parse_card(f"{letter}1")).style) for letter in "RYGWBP"}) == 6


def test_a_terminal_of_sixteen_colors_shows_the_right_ones() -> None:
    wanted = [(1, 9), (3, 11), (2, 10), (7, 15), (4, 12), (5, 13)]  # dark or bright
    for tile_style, ink, numbers in zip(TILES, INKS, wanted, strict=True):
        background = Style.parse(tile_style).bgcolor
        assert background is not None
        assert background.downgrade(ColorSystem.STANDARD).number in numbers
        assert ink == "default" or Color.parse(ink).downgrade(ColorSystem.STANDARD).number in numbers


def test_what_is_known_of_a_card() -> None:
    assert open_colors(range(5), of=5, is_told=False).plain == "·"
    assert open_colors([4, 0, 0], of=5, is_told=False).plain == "RB"
    assert open_ranks([2], of=5, is_told=True).plain == "3"


def test_a_chance_is_never_rounded_to_a_certainty() -> None:
    assert [chance_word(chance).plain for chance in (0.0, 0.994, 0.9999, 1.0)] == ["0%", "99%", "99%", "100%"]
    assert chance_word(0.001).plain == "1%"


def test_moves_in_words() -> None:
    game = Game(Rules(players=2, colors=1, hand_size=2, copies=(1, 1, 1, 1, 1), lives=2), deck=[0, 1, 2, 4, 3])
    for move in ("hint bob 3", "play 1", "discard 2", "play 1"):
        game.make(move)
    told = [sentence.plain for _, sentence in draw_sentences(game.events, game.rules)]
    assert told == [
        "alice hints bob 3: slot 1",
        "bob plays slot 1: R3 does not fit, a life is lost",
        "alice discards slot 2: R2",
        "bob plays slot 1: R5 does not fit, a life is lost",
    ]
    mine = [sentence.plain for _, sentence in draw_sentences(game.events, game.rules, Seat(1))]
    assert mine[:2] == ["alice hints you 3: slot 1", "you play slot 1: R3 does not fit, a life is lost"]


def test_an_agent_with_everything_on_its_label() -> None:
    info = AgentInfo(
        id="seer",
        summary="knows it all",
        family="cheats",
        paper="Cox2015",
        parameters=(
            Parameter("threshold", 0.6, "plays from this chance on"),
            Parameter("style", "a", "", choices=("a", "b")),
        ),
        players=(2, 5),
        sees_deck=True,
    )
    flat = " ".join(drawn(draw_agents([PythonAgentType(info, lambda: None)], measured_league())).split())  # type: ignore[arg-type,return-value]
    for words in (
        "seer  knows it all  (sees the deck)",
        "cheats; Cox2015; Python; 2, 5 players",
        "threshold=0.6  from 0 to 1  plays from this chance on",
        "style=a        a or b",
    ):
        assert " ".join(words.split()) in flat


def test_what_was_printed_of_an_agent_stands_below_it() -> None:
    flat = " ".join(drawn(draw_agents([find_agent("osawa-outer").type], measured_league())).split())
    assert "published: 14.53 ± 0.22 (2 players); rules quuxplusone, 100 games (Osawa 2015, results)" in flat


def test_scores_printed_in_one_place_share_a_line() -> None:
    flat = " ".join(drawn(draw_agents([find_agent("smartbot").type], measured_league())).split())
    assert "published: 23.0 (2 players), 23.1 (3 players), 22.2 (4 players), 20.3 (5 players); rules hle (" in flat


def test_a_measured_error_is_not_rounded_to_nothing() -> None:
    text = drawn(draw_agents([find_agent("kagiya-hat").type], measured_league()))
    assert "measured: " in text
    assert "± 0.00 " not in text


def test_of_a_search_with_many_settings_the_first_few_scores_are_shown() -> None:
    text = drawn(draw_agents([find_agent("ris-mcts").type], measured_league()))
    assert text.count("published for ") == MAX_LINES
    assert re.search(r"and \d+ more; --json has all of them", text)
    (label,) = json.loads(run("agents", "ris-mcts", "--json").stdout)["agents"]
    assert len(label["published"]) > MAX_LINES


def test_numbers_of_a_column_have_the_same_decimals_unless_they_are_tiny() -> None:
    assert [text_of(value) for value in (17.7, 0.4193, 0.199, 0.0, -0.5)] == [
        *("17.700", "0.419", "0.199", "0.000", "-0.500")
    ]
    assert [text_of(value) for value in (0.00312, 1.5e-9)] == ["0.0031", "1.5e-09"]


def test_shares_are_shown_in_percent_and_kept_as_they_are_for_programs() -> None:
    table = draw_answer(("team", "bombs"), [("vdb", 0.0625), ("iggi", None)], shares=("bombs",))
    cells = [row.cells[1] for row in table.rows]
    assert [(cell.text, cell.value) for cell in cells] == [("6.2%", 0.0625), ("-", "")]


def test_every_word_of_the_readmes_turn_can_be_read(tmp_path: Path) -> None:
    draw_shown_turn(tmp_path / "turn.svg")
    fills = set(re.findall(r"-r\d+ \{ fill: (#\w{6})", (tmp_path / "turn.svg").read_text(encoding="utf-8")))
    ground = "#0c0c0c"
    on_cards = {"#201a00", "#202020"}  # which are light
    assert len(fills) > 8
    assert {fill: contrast(fill, ground) for fill in fills - on_cards if contrast(fill, ground) < 4.5} == {}
