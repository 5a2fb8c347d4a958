import random
import re
from pathlib import Path

import pytest

from kagiya.agents.register import find_agent
from kagiya.cards import Seat
from kagiya.cli.console import out
from kagiya.cli.play_session import Person, read_move
from kagiya.cli.terminal_game import draw_legal_moves, draw_your_turn
from kagiya.engine.game import LANE, Game
from kagiya.engine.record import GameRecord
from kagiya.lab.table.determinization import deal_hidden
from kagiya.lab.table.session import explain
from kagiya.lab.table.table import Table
from kagiya.moves import Move, MoveError, move_name
from kagiya.rules import Rules
from kagiya.view.observation import observe
from tests.cli.command import complaint, run


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that nobody named a file for are kept here."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def drawn(game: Game, seat: Seat) -> str:
    view = observe(game, seat)
    with out.capture() as capture:
        out.print(draw_your_turn(view, ["x"] * game.rules.players, out), draw_legal_moves(view))
    return capture.get()


def game_by(agent: str, players: int, seed: int) -> Game:
    table = Table(Rules(players=players), [find_agent(agent)])
    table.play_game(seed)
    return table.game()


@pytest.mark.parametrize(("players", "seat"), [(2, "1"), (3, "bob"), (5, "5")])
def test_a_person_plays_a_whole_game(players: int, seat: str, tmp_path: Path) -> None:
    game = game_by("careful", players, 11)
    place = {"1": 0, "bob": 1, "5": 4}[seat]
    mine = [event for event in game.events if event.seat == place]
    typed = "".join(f"{move_name(event.move, event.seat, players)}\n" for event in mine)
    file = tmp_path / "game.json"
    words = ["play", "careful", "--players", str(players), "--seat", seat, "--seed", "11", "--save", str(file)]
    result = run(*words, typed=typed)
    assert result.exit_code == 0, result.output
    assert result.stdout.count("YOUR TURN") == len(mine)
    assert "THE END" in result.stdout
    assert f"Score {game.score} of 25   points {game.points}" in result.stdout
    record = GameRecord.read(file)
    assert record.moves == game.moves
    assert record.seats[place] == "human"


def test_wrong_input_says_what_was_expected_and_asks_again() -> None:
    typed = [
        "dance",
        "play 9",
        "play",
        "hint alice red",
        "hint zoe red",
        "hint bob mauve",
        "d 1",
        "?",
        "moves",
        "history",
    ]
    result = run("play", "careful", "--seed", "3", typed="\n".join([*typed, "table", "quit", ""]))
    assert result.exit_code == 0, result.output
    for reason in (
        "'dance' is not a move; expected 'play 1', 'discard 2', 'hint bob red'",
        "slots are 1-5, not 9",
        "a hint goes to another seat",
        "no one here is called 'zoe'; there are alice, bob, cathy",
        "'mauve' is neither a color",
        "all 8 hint tokens are there",
        "list what is legal now",
        "hint cathy red yellow",
        "nothing has happened yet",
        "You leave the table after 0 turns, points 0. Go on with: kagiya play --resume",
    ):
        assert reason in " ".join(result.stdout.split())
    assert result.stdout.count("YOUR TURN") == 2
    assert result.stdout.count("your move") == len(typed) + 2


def test_no_word_is_broken_at_the_edge_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(out, "_width", 80)
    shown = run("play", "careful", "--seed", "3", typed="dance\nquit\n").stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert re.search(r"'dance' is not a move; expected .*\n.*'hint", shown)


def test_the_news_are_told_to_you() -> None:
    typed = "p 1\nd1\nh b 3\nquit\n"
    result = run("play", "careful", "--seed", "3", typed=typed)
    assert "you play slot 1: B4 does not fit, a life is lost" in result.stdout
    assert "you discard slot 1: G3" in result.stdout
    assert "cathy hints you 1: slots 1 and 4" in result.stdout
    assert "you hint bob 3: slots 1 and 3" in result.stdout


def test_input_that_ends_too_soon_leaves_a_game_to_go_on_with(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    result = run("play", "careful", "--seed", "3", "--save", str(file), typed="p 1\n")
    assert f"after 3 turns, points 1; go on with: kagiya play --resume --save {file}" in complaint(result)
    assert GameRecord.read(file).turns == 3


def test_a_game_is_left_and_resumed(tmp_path: Path) -> None:
    """The same moves in two sessions make the same game as in one."""
    file = tmp_path / "game.json"
    game = game_by("smartbot", 3, 11)
    mine = [f"{move_name(event.move, event.seat, 3)}\n" for event in game.events if event.seat == 0]
    left = run("play", "smartbot", "--seed", "11", "--save", str(file), typed="".join(mine[:4]) + "quit\n")
    assert left.exit_code == 0, left.output
    assert GameRecord.read(file).turns == 12
    result = run("play", "--resume", "--save", str(file), typed="".join(mine[4:]))
    assert result.exit_code == 0, result.output
    assert GameRecord.read(file).moves == game.moves
    assert GameRecord.read(file).seats == ("human", "smartbot", "smartbot")


def test_without_a_file_the_last_game_is_resumed() -> None:
    assert run("play", "--seed", "3", typed="p 1\nquit\n").exit_code == 0
    result = run("play", "--resume", typed="quit\n")
    assert "turn 4, you are alice" in result.stdout


def test_nothing_to_resume_is_said() -> None:
    assert "there is no such game; `kagiya play` begins one" in complaint(run("play", "--resume"))


def test_a_move_is_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    result = run("play", "--seed", "3", "--save", str(file), typed="undo\np 1\nundo\nh b 3\nquit\n")
    assert result.exit_code == 0, result.output
    assert "You have made no move to take back." in result.stdout
    first = GameRecord.read(file).moves[0]
    assert str(first) == "hint +1 3"
    assert GameRecord.read(file).turns == 3


def test_partners_that_roll_dice_move_alike_after_a_move_is_taken_back_and_after_a_break(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    run("play", "internal", "--seed", "3", "--save", str(whole), typed="h b 3\nd 1\nd 1\nquit\n")
    run("play", "internal", "--seed", "3", "--save", str(parts), typed="h b 3\nd 1\nundo\nd 1\nquit\n")
    run("play", "--resume", "--save", str(parts), typed="d 1\nquit\n")
    assert GameRecord.read(whole).turns == 9
    assert GameRecord.read(parts).moves == GameRecord.read(whole).moves


def test_partners_say_why_and_what_they_would_do() -> None:
    result = run("play", "smartbot", "--seed", "3", typed="hint?\np 1\nwhy\nw\nquit\n")
    assert result.exit_code == 0, result.output
    advised = explain(Game(Rules(players=3), seed=3), "smartbot", 3)
    assert f"smartbot would {advised.name(advised.chosen)}: {advised.reason}" in " ".join(result.stdout.split())
    assert result.stdout.count("bob, hint") + result.stdout.count("bob, play") == 2


def test_a_partner_that_sees_hidden_cards_gives_no_advice() -> None:
    result = run("play", "cheatbot", "--seed", "3", typed="hint?\nquit\n")
    assert "cheatbot sees its own hand, so its advice would be cheating" in result.stdout


def test_a_reason_is_told_without_the_cards_of_the_person() -> None:
    """A partner sees the person's cards: its reason is put in words that hold for every hand."""
    result = run("play", "smartbot", "--seed", "7", typed="hint bob 1\nwhy\nquit\n")
    assert "bob, play 5: plays slot 5, which must fit\n" in result.stdout
    hint = "cathy, hint alice blue: tells alice that slots 1 and 5 are blue; asks you to play slot 5 "
    assert hint in " ".join(result.stdout.split())


def test_why_says_what_a_hint_asks_the_person_to_do() -> None:
    """As the partner would do in the person's place, which is what its convention means; of a search its evaluator."""
    for partner in ("smartbot", "depth-one(evaluator=smartbot, deals=10)"):
        words = run("play", partner, "--seed", "7", typed="h b 1\nwhy\nhint?\nquit\n").stdout.split()
        told = " ".join(words)
        assert "; asks you to play slot 5 alice, your move" in told
        assert f"{partner} would play 5: " in told


def test_the_person_is_shown_the_card_drawn_last_and_the_next_discard() -> None:
    shown = run("play", "smartbot", "--seed", "7", typed="h b 1\nquit\n").stdout
    assert "new: drawn last; next: the oldest card that no hint has named" in " ".join(shown.split())
    own = shown.rpartition("▶ you")[2].splitlines()
    ages, colors = own[5], own[1]
    assert ages.split() == ["next", "new"]
    assert colors[ages.index("next") :].startswith("RYGW")  # slot 2: a hint has named slot 1
    assert colors[ages.index("new") :].startswith("B")  # slot 5


def test_why_says_what_the_person_should_have_heard_in_a_hint_of_a_hat_player() -> None:
    result = run("play", "hat-recommendation", "--players", "4", "--seed", "2", typed="h b 1\nwhy\nquit\n")
    assert "; alice hears " in " ".join(result.stdout.split())
    assert "; bob hears " not in " ".join(result.stdout.split())


def test_the_next_game_does_not_overwrite_one_that_was_left(tmp_path: Path) -> None:
    file, kept = tmp_path / "kagiya" / "last-game.json", tmp_path / "kagiya" / "last-game-before.json"
    run("play", "--seed", "3", typed="quit\n")
    run("play", "--seed", "4", typed="h b 1\nquit\n")
    assert not kept.exists()  # nobody had made a move
    left = GameRecord.read(file)
    result = run("play", "--seed", "5", typed="quit\n")
    assert f"kept: kagiya play --resume --save {kept}" in result.stderr
    assert GameRecord.read(kept) == left
    assert GameRecord.read(file).seed == 5


def test_a_game_with_an_agent_of_the_users_can_be_gone_on_with_as_it_says() -> None:
    left = run("play", "tests.cli.players:Late", typed="quit\n")
    assert "Go on with:\nkagiya --trust-modules play --resume" in left.stdout
    assert "if you trust the file, say so" in complaint(run("play", "--resume", typed="quit\n"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--turn 3", "--turn is a turn of a saved game: name the file with --from FILE, or give --resume"),
        ("--resume --seed 4", "a saved game keeps its players, deck and rules: leave out --seed"),
        ("--resume -p 2 --rules hle", "leave out --players and --rules"),
    ],
)
def test_options_that_would_be_ignored_are_refused(words: str, message: str) -> None:
    assert message in complaint(run("play", *words.split()))


def test_a_saved_game_is_played_on_from_any_turn(tmp_path: Path) -> None:
    file, other = tmp_path / "game.json", tmp_path / "other.json"
    assert run("show", "careful", "--seed", "5", "--brief", "--save", str(file)).exit_code == 0
    words = ("play", "--from", str(file), "--turn", "7", "--seat", "bob", "--save", str(other))
    result = run(*words, typed="quit\n")
    assert result.exit_code == 0, result.output
    assert "turn 8, you are bob" in result.stdout
    assert GameRecord.read(other).moves == GameRecord.read(file).moves[:7]
    late = run("play", "--from", str(file), "--turn", "999")
    assert "turns of this game are 0 (the deal) to" in complaint(late)
    assert "the game is over after this turn" in complaint(run("play", "--from", str(file)))


def test_a_game_of_another_program_is_played_on_with_agents(tmp_path: Path) -> None:
    ours, link, other = tmp_path / "game.json", tmp_path / "game.txt", tmp_path / "other.json"
    assert run("show", "careful", "--seed", "5", "--brief", "--save", str(ours)).exit_code == 0
    assert run("convert", str(ours), str(link)).exit_code == 0
    words = ("--from", str(link), "--turn", "7", "--seat", "bob")
    assert "people played this game; name the agents" in complaint(run("play", *words))
    result = run("play", "careful", *words, "--save", str(other), typed="quit\n")
    assert result.exit_code == 0, result.output
    record = GameRecord.read(other)
    assert (record.moves, record.seats) == (GameRecord.read(ours).moves[:7], ("careful", "human", "careful"))
    assert "name it with --from FILE" in complaint(run("play", "--resume", "--game", "1", "--save", str(ours)))


def test_the_convention_of_the_partners_is_explained() -> None:
    result = run("play", "simplebot", "--seed", "3", typed="quit\n")
    assert "simplebot: Every card that a hint touches can be played now." in " ".join(result.stdout.split())


def test_searching_partners_are_said_to_think() -> None:
    partner = "ris-mcts(rules=goodman, iterations=2)"
    result = run("play", partner, "--seed", "3", typed="p 1\nquit\n")
    assert result.stdout.count("bob and cathy are thinking") == 1


def test_the_end_says_what_moves_cost() -> None:
    typed = "p 1\n" * 60
    result = run("play", "careful", "--seed", "3", typed=typed)
    assert result.exit_code == 0, result.output
    end = " ".join(result.stdout.split("THE END")[1].split())
    assert "W4 does not fit, a life is lost; costs 25 points: the game is over" in end


def test_a_partner_that_fails_is_named() -> None:
    result = run("play", "tests.cli.players:Raises", "--seed", "3", typed="p 1\n" * 9)
    assert "bob (seat 2, tests.cli.players:Raises), turn 5 of game 3: raised ZeroDivisionError" in complaint(result)


def test_what_a_person_sees_does_not_depend_on_the_cards_that_are_hidden(rng: random.Random) -> None:
    differ = 0
    for players in (2, 3, 4, 5):
        game = game_by("careful", players, rng.randrange(10**6))
        for turns in (0, players, 4 * players, 7 * players):
            first = replayed(game, turns)
            second = with_other_hidden_cards(first, rng)
            assert drawn(first, Seat(0)) == drawn(second, Seat(0))
            differ += first.hands[0] != second.hands[0]
    assert differ > 8


def replayed(game: Game, turns: int) -> Game:
    """The game after so many turns."""
    copy = game.beginning()
    for move in game.moves[:turns]:
        copy.make(move)
    return copy


def with_other_hidden_cards(game: Game, rng: random.Random) -> Game:
    """The same position but for what seat 0 cannot see: another own hand that the hints allow, another deck."""
    other = game.copy()
    deal_hidden(other.states, LANE, 0, game.states[LANE]["possible"][0].tolist(), rng)
    return other


def test_moves_are_read_as_people_write_them() -> None:
    view = observe(Game(Rules(players=3), seed=3), Seat(0))
    assert read_move("p1", view) == read_move("play 1", view) == Move.play(0)
    assert read_move("h c w", view) == read_move("hint cathy white", view)
    with pytest.raises(MoveError, match="touches no card"):
        read_move("hint bob 1", view)


def test_the_person_holds_nothing_but_observations() -> None:
    assert set(vars(Person(["human", "careful"]))) == {"seats", "services"}
