"""`kagiya check`: a sound agent passes, and each broken promise is found and named."""

import json
import re

import pytest

from kagiya import find_agent
from kagiya._jit import JIT_OFF
from kagiya.lab.checks import Finding, Size, check_agent, check_apart, default_games, duration, hidden_cards
from tests.cli.command import complaint, run

CLUMSY, PEEKERS, TRESPASSERS = "tests.lab.clumsy", "tests.lab.table.peekers", "tests.lab.table.trespassers"
CHECKS = ["sits down", "hidden cards do not matter", "makes legal moves", "a seed fixes its games", "copies play alike"]


def findings(text: str, games: int = 1) -> list[Finding]:
    return [step for step in check_agent(find_agent(text), Size(games)) if isinstance(step, Finding)]


def test_a_sound_agent_passes_every_check() -> None:
    found = findings(f"{CLUMSY}:Sound")
    assert [each.check for each in found] == [*CHECKS, "time per move"]
    assert all(each.passed for each in found)
    assert found[2].text == "28 rules and numbers of players"
    assert re.fullmatch(r"(\d players [\d.]+ .?s \(slowest of one game [\d.]+ .?s\)(; )?){4}", found[-1].text)


@pytest.mark.parametrize(
    ("text", "check", "reason"),
    [
        (f"{CLUMSY}:Careless", "makes legal moves", r"standard, 2 players: bob \(seat 2, .*\), turn 2 of game 1: "),
        (
            "tests.cli.players:Raises",
            "makes legal moves",
            r"^alice \(seat 1, .*\), turn 3 of game 1: raised ZeroDivision",
        ),
        ("tests.cli.players:Nonsense", "makes legal moves", "returned 'hello', which is not a move"),
        (f"{CLUMSY}:Unseeded", "a seed fixes its games", "its dice must be those it is given"),
        (f"{CLUMSY}:Sharing", "copies play alike", "turn 1 of game 3: a player and its copies disagree"),
        (f"{CLUMSY}:Uncopied", "copies play alike", "a player cannot be copied: "),
        (f"{TRESPASSERS}:FAR_CALL", "stays within its arrays", r"Slot\(70\)\)`: index 70 is out of bounds"),
    ],
)
def test_a_broken_promise_is_named(text: str, check: str, reason: str) -> None:
    failed = [each for each in findings(text, games=2) if not each.passed]
    assert [each.check for each in failed] == [check]
    assert re.search(reason, failed[0].text), failed[0].text


@pytest.mark.parametrize(
    ("name", "passed", "text"),
    [
        (
            "PEEK",
            False,
            "(seat 1, tests.lab.table.peekers:PEEK), turn 1 of game 1: it looks at cards",
        ),
        ("SEER", True, "dealt again at every turn of 4 games; it declares that it sees its own hand"),
        ("DECK", False, "it looks at cards in the deck"),
        ("ORACLE", True, "it declares that it sees the deck"),
    ],
)
def test_what_an_agent_sees_and_what_it_declares(name: str, passed: bool, text: str) -> None:
    *_, found = hidden_cards(find_agent(f"{PEEKERS}:{name}"), Size(1))
    assert isinstance(found, Finding)
    assert found.passed == passed
    assert text in found.text


@pytest.mark.skipif(JIT_OFF, reason="there is no machine code to crash in")
def test_a_crash_is_a_finding_like_any_other() -> None:
    result = run("check", f"{TRESPASSERS}:RECURSIVE", "--json")
    assert result.exit_code == 1
    data = json.loads(result.stdout)
    assert not data["passed"]
    assert data["checks"][-1]["check"] == "stays within its arrays"
    assert "standard, 2 players: it crashed in machine code (Segmentation fault)" in data["checks"][-1]["text"]


def test_the_command_draws_a_line_for_each_check() -> None:
    result = run("check", f"{CLUMSY}:Careless", "--games", "1")
    assert result.exit_code == 1
    assert re.search(r"^ok +sits down +in Python, 2, 3, 4, 5 players$", result.stdout, re.MULTILINE)
    assert re.search(r"^FAIL +makes legal moves +standard, 2 players: bob", result.stdout, re.MULTILINE)
    assert result.stdout.rstrip().endswith(f"{CLUMSY}:Careless does not pass")
    assert "the number of games must be" in complaint(run("check", "careful", "--games", "0"))


def test_a_process_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KAGIYA_KERNEL_TIMEOUT", "0.001")  # not even a process starts so quickly
    (found,) = check_apart("careful", Size(1))
    assert isinstance(found, Finding)
    assert not found.passed
    assert "it may loop for ever" in found.text


def test_sizes_and_times_in_words() -> None:
    assert [default_games(find_agent(text)) for text in ("careful", "careful-python", "ris-mcts")] == [50, 3, 1]
    assert [duration(seconds) for seconds in (2.5, 0.0123, 4.2e-7)] == ["2.5 s", "12 ms", "0.42 µs"]
