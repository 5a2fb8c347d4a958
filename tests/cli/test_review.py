import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from kagiya import Game, Move, Rules, judge, play_from
from kagiya.cards import SEAT_NAMES
from kagiya.engine.record import GameRecord
from kagiya.lab.regret import costly_turns
from kagiya.moves import move_name
from tests.cli.command import complaint, run


@pytest.fixture
def bombed(tmp_path: Path) -> Path:
    """A person's game with careful partners: alice plays blindly until it is over."""
    game = Game(Rules(players=3), seed=3)
    while not game.is_over:
        game.make("play 1" if game.seat == 0 else str(play_from(game, "careful").moves[game.turn]))
    GameRecord.of(game, ["human", "careful", "careful"], 3).write(tmp_path / "game.json")
    return tmp_path / "game.json"


def test_the_costly_turns_of_the_person_are_walked_through(bombed: Path) -> None:
    turns = list(costly_turns(GameRecord.read(bombed), 0))
    assert turns
    result = run("review", str(bombed))
    assert result.exit_code == 0, result.output
    words = " ".join(result.stdout.split())
    assert f"{'1 turn' if len(turns) == 1 else f'{len(turns)} turns'} cost" in words
    assert words.count("played: alice plays slot 1") == len(turns)
    assert words.count("careful would") == len(turns)
    assert "costs 25 points: the game is over" in words


def test_a_move_can_be_tried_again(bombed: Path) -> None:
    first, *_ = costly_turns(GameRecord.read(bombed), 0)
    tried = first.before.copy()
    tried.make("discard 2")
    expected = f"discard 2: {play_from(tried, 'careful').points} points, the move played"
    result = run("review", str(bombed), typed="dance\ndiscard 2\nq\n")
    assert result.exit_code == 0, result.output
    words = " ".join(result.stdout.split())
    assert "No: 'dance' is" in words
    assert expected in words


def test_the_question_does_not_show_the_hidden_hand(bombed: Path) -> None:
    question = run("review", str(bombed), typed="q\n").stdout
    assert "played:" not in question
    assert "careful would" not in question


def test_a_review_has_a_judge_and_says_why_and_helps(bombed: Path) -> None:
    first, *_ = costly_turns(GameRecord.read(bombed), 0)
    shown = run("review", str(bombed), typed="?\njudge\nwhy\nq\n").stdout
    assert "every legal move on the same deals" in " ".join(shown.split())
    judged = judge(first.before, "careful", 200, seed=3)
    assert "on the same 200 deals, careful playing on in all seats:" in shown
    assert re.search(rf"play 1 +{judged.of(Move.play(0)).value:.2f} ± .* played", shown)
    for event in first.before.events[-2:]:
        assert f"{SEAT_NAMES[event.seat]}, {move_name(event.move, event.seat, 3)}: " in shown


def test_a_judge_that_sees_too_much_is_refused_and_the_review_goes_on(bombed: Path) -> None:
    result = run("review", str(bombed), "--adviser", "ris-mcts(iterations=5)", typed="j\nq\n")
    assert result.exit_code == 0
    assert "No: " in result.stdout


def test_another_adviser_and_another_seat(bombed: Path) -> None:
    result = run("review", str(bombed), "--adviser", "smartbot", "--seat", "all")
    assert "smartbot would" in result.stdout
    assert "nobody here is called 'zoe'" in complaint(run("review", str(bombed), "--seat", "zoe"))


def test_a_game_without_losses_says_so(tmp_path: Path) -> None:
    game = Game(Rules(players=3), seed=7)
    game.make("hint cathy 1")
    GameRecord.of(game, ["careful"] * 3, 7).write(tmp_path / "short.json")
    assert "nothing to review" in run("review", str(tmp_path / "short.json")).stdout


def test_a_record_that_names_a_module_is_not_trusted(tmp_path: Path) -> None:
    game = Game(Rules(players=2), seed=7)
    game.make("play 1")
    GameRecord.of(game, ["human", "tests.cli.players:Raises"], 7).write(tmp_path / "game.json")
    for words in (("review",), ("replay", "--why"), ("play", "--from")):
        command, *options = words
        reason = complaint(run(command, *options, str(tmp_path / "game.json")))
        assert "which runs the code of module 'tests.cli.players'" in reason


def test_a_replay_says_whether_reasons_are_genuine(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    shown = run("show", "internal", "vdb", "--seed", "5", "--brief", "--why", "--save", str(file))
    genuine = run("replay", str(file), "--brief", "--why")
    assert genuine.stdout == shown.stdout
    assert "asked again" not in genuine.stderr
    assert set(json.loads(run("replay", str(file), "--why", "--json").stdout)["genuine"]) == {True}
    record = GameRecord.read(file)
    for versions, reason in (
        ({}, "the file does not say what code played"),
        ({"code": "x"}, "the code is another now"),
    ):
        replace(record, versions=versions).write(file)
        again = run("replay", str(file), "--brief", "--why")
        assert f"the agents were asked again: {reason}" in again.stderr
        assert again.stdout == shown.stdout


def test_a_replay_says_why_with_the_same_dice_and_shows_some_turns(tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    shown = run("show", "smartbot", "--seed", "5", "--brief", "--why", "--save", file)
    replayed = run("replay", file, "--brief", "--why")
    assert shown.exit_code == replayed.exit_code == 0, replayed.output
    assert replayed.stdout == shown.stdout
    part = run("replay", file, "--brief", "--turn", "3-5").stdout
    assert re.findall(r"^ +(\d+)  ", part, re.MULTILINE) == ["3", "4", "5"]
    assert "such as 12 or 3-9, not 'x'" in complaint(run("replay", file, "--turn", "x"))
