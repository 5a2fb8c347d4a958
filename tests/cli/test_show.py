import json
import re
from pathlib import Path

import pytest

from kagiya.cards import Card, Seat, card_name, parse_cards
from kagiya.cli.console import out
from kagiya.cli.terminal_board import draw_position
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.rules import Rules
from tests.cli.command import complaint, run

DECK = parse_cards("B4 G3 B1 W4 W5 W3 W2 R3 W2 W4 G3 B2 Y3 W1 R4")


def drawn(game: Game, eyes: Seat | None) -> str:
    with out.capture() as capture:
        out.print(draw_position(game, ["x"] * game.rules.players, eyes, out))
    return capture.get()


def game_of(first: list[Card]) -> Game:
    """A game whose first cards are these, the rest sorted."""
    rules = Rules(players=3)
    rest = sorted(Game(rules).deck or ())
    for card in first:
        rest.remove(card)
    return Game(rules, deck=[*first, *rest])


def test_why_says_what_a_hat_player_tells_the_others() -> None:
    words = ("show", "cox-recommendation", "--players", "5", "--why")
    result = run(*words)
    assert "because: tells everybody what to do\ncarries 2 modulo 8\n  bob    hears 7: slot 4 is to" in result.stdout
    assert "bob hears 7: slot 4 is to be" in re.sub(r"\s+", " ", run(*words, "--brief").stdout)
    assert "hears" not in run(*words[:-1]).stdout
    first, *_ = json.loads(run(*words, "--json").stdout)["heard"]
    assert first[0]["words"] == "hears 7: slot 4 is to be discarded"


def test_a_game_is_shown_turn_by_turn_to_its_end() -> None:
    result = run("show", "careful", "--seed", "3")
    assert result.exit_code == 0
    assert "alice hints cathy 1: slot 4" in result.stdout
    assert "cathy plays slot 4: W1 fits" in result.stdout
    assert "standard: 3 players, 5 cards; a bomb scores 0; empty hints illegal" in result.stdout
    turns = [int(found) for found in re.findall(r"^turn (\d+) ", result.stdout, re.MULTILINE)]
    assert turns == list(range(1, len(turns) + 1))
    assert re.search(r"The game is over\.\s+Score \d+ of 25", result.stdout)


def test_a_bomb_is_told_as_such() -> None:
    result = run("show", "random", "--brief")
    assert "does not fit, a life is lost" in result.stdout
    assert "The last life is lost." in result.stdout
    assert "Score 0 of 25" in result.stdout


@pytest.mark.parametrize("rules", ["hle-very-small", "standard(colors=6)", "goodman", "bouzy(hand_size=3)"])
@pytest.mark.parametrize("width", ["60", "80", "200"])
def test_every_game_fits_every_terminal(rules: str, width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "_width", int(width))  # read from the environment only when the program starts
    result = run("show", "random", "--rules", rules, "--as-seen-by", "2")
    assert result.exit_code == 0, result.output
    assert max(map(len, result.stdout.splitlines())) <= int(width)


def test_open_eyes_see_every_card_and_a_seat_all_but_its_own() -> None:
    game = game_of(DECK)
    hands = [" ".join(card_name(card) for card in hand) for hand in game.hands]
    for eyes in (None, Seat(0), Seat(1), Seat(2)):
        tiles = re.sub(r"[↑ ]+", " ", drawn(game, eyes))
        assert [hand in tiles for hand in hands] == [seat != eyes for seat in range(3)]
    assert drawn(game, Seat(1)).count("??") == 5


def test_what_a_seat_sees_does_not_depend_on_its_own_cards() -> None:
    swapped = [*DECK[:5], *parse_cards("R1 Y1 G1 B5 P1")[:4], *DECK[5:6], *DECK[10:]]
    one, other = game_of(DECK), game_of(swapped)
    assert one.hands[1] != other.hands[1]
    assert drawn(one, Seat(1)) == drawn(other, Seat(1))
    assert drawn(one, None) != drawn(other, None)


def test_hints_show_in_the_hand_that_got_them() -> None:
    game = game_of(DECK)
    game.make("hint bob white")
    lines = drawn(game, Seat(1)).splitlines()
    colors = lines[next(index for index, line in enumerate(lines) if "bob" in line) + 1]
    assert colors.split()[1:6] == ["W", "W", "RYGB", "W", "W"]


def test_a_saved_game_is_replayed_as_it_was_shown(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run("show", "careful", "random", "--seed", "5", "--save", str(file))
    assert shown.exit_code == 0
    assert f"kagiya replay {file}" in shown.stderr.replace("\n", "")
    assert run("replay", str(file)).stdout == shown.stdout
    turn = run("replay", str(file), "--turn", "2", "--as-seen-by", "bob").stdout
    assert "turn 2 " in turn
    assert "turn 3 " not in turn
    assert "there is no" not in turn
    assert "turns of this game are 0" in complaint(run("replay", str(file), "--turn", "999"))


def test_json_is_the_record_itself(tmp_path: Path) -> None:
    result = run("show", "careful", "--json", "--save", str(tmp_path / "game.json"))
    record = GameRecord.from_json(json.loads(result.stdout))
    assert record == GameRecord.read(tmp_path / "game.json")
    assert json.loads(run("replay", str(tmp_path / "game.json"), "--json").stdout) == json.loads(result.stdout)


def test_a_changed_record_is_refused_with_the_move_and_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    run("show", "careful", "--save", str(file))
    data = json.loads(file.read_text())
    data["moves"][2] = "discard 1"
    data["moves"][0] = "discard 1"
    file.write_text(json.dumps(data))
    assert "move 1, alice: 'discard 1' is illegal" in complaint(run("replay", str(file)))


def test_a_game_that_broke_off_is_shown_and_saved_as_far_as_it_went(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    result = run("show", "tests.cli.players:Raises", "random", "--brief", "--save", str(file))
    assert result.exit_code == 1
    assert "Broken off: alice is to move." in result.stdout
    assert "turn 3 of game 1: raised ZeroDivisionError" in result.stderr
    assert GameRecord.read(file).turns == 2


def test_every_point_lost_is_told_with_its_cause_and_charged_to_its_seat() -> None:
    result = run("show", "random", "careful", "--brief", "--seed", "1")
    assert "costs 1 point: a needed card is gone" in result.stdout
    assert re.search(r"costs \d+ points: the game is over", result.stdout)
    team = next(line for line in result.stdout.splitlines() if line.startswith("team"))
    assert team.split()[4:] == ["25", "0", "25"]  # a bombed game has lost them all


def test_who_sees_one_hand_is_not_told_what_all_hands_say() -> None:
    closed, opened = (
        run("show", "careful", "--brief", "--seed", "3", "--as-seen-by", eyes).stdout for eyes in ("bob", "all")
    )
    assert "leaves no turn for" in opened
    assert "leaves no turn for" not in closed
    assert "points lost" in opened
    assert "points lost" not in closed


def test_metrics_come_as_text_and_as_json() -> None:
    data = json.loads(run("show", "careful", "--json", "--metrics").stdout)
    assert len(data["metrics"]) == data["turns"]
    assert data["score"] == 25 - sum(turn["direct"] + turn["indirect"] for turn in data["metrics"])
    assert data["metrics"][0]["pace"] == 13
    assert "efficiency needed 1.00, so far 1.00" in run("show", "careful", "--seed", "3", "--metrics").stdout
    assert re.search(r"pace +needed", run("show", "careful", "--brief", "--metrics").stdout)
    assert re.search(r"pace +13", run("show", "careful").stdout)
