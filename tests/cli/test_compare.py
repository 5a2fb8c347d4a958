import json
import re
from pathlib import Path

import pytest

from tests.cli.command import complaint, run


def test_the_verdict_is_a_sentence_with_its_rules() -> None:
    result = run("compare", "random", "careful", "--games", "60")
    assert result.exit_code == 0, result.output
    text = " ".join(result.stdout.split())
    assert "careful is better than random by " in text
    assert "p < 0.001, 60 common decks" in text
    assert "a bomb scores 0; empty hints illegal" in text
    assert "indirect" in text


def test_until_sure_stops_early_and_says_how_sure() -> None:
    result = run("compare", "random", "careful", "--until-sure", "--confidence", "0.99", "--json")
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["decks"] < 1000
    assert data["comparisons"][0]["is_sure"]
    assert "99 % confidence, valid at any stopping time" in data["comparisons"][0]["verdict"]
    assert data["teams"]["careful"]["regret"]["direct"] < data["teams"]["random"]["regret"]["direct"]


def test_three_agents_are_three_pairs() -> None:
    words = ("compare", "random", "careful", "careful-python", "--players", "2", "--games", "30")
    data = json.loads(run(*words, "--json").stdout)
    assert len(data["comparisons"]) == 3
    assert data["players"] == 2
    assert "Holm" in run(*words).stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("careful", "two agents or more"),
        ("careful careful", "careful is there twice"),
        ("careful random --confidence 95", "a confidence lies between 0 and 1"),
        ("careful random --games 0", "the number of games must be"),
        ("careful random --workers 0", "the number of workers must be"),
        ("careful random --players 9", "players must be an integer"),
        ("tests.cli.players:Raises random --games 3", "raised ZeroDivisionError"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: str, reason: str) -> None:
    assert reason in complaint(run("compare", *words.split()))


@pytest.mark.parametrize("words", ["compare random careful", "league random --picture", "figure scores random --out"])
def test_games_of_every_command_are_stored_and_used_again(words: str, tmp_path: Path) -> None:
    picture = [] if words.startswith("compare") else [str(tmp_path / "a.png")]
    all_words = (*words.split(), *picture, "--games", "50", "--players", "2", "--json")
    first, again = (run(*all_words, "--store", str(tmp_path / "store")) for _ in range(2))
    assert first.exit_code == again.exit_code == 0, first.output
    count = 100 if words.startswith("compare") else 50
    assert f"{count} games computed, 0 were stored" in first.stderr
    assert f"0 games computed, {count} were stored" in again.stderr
    mean = [re.findall(r'"mean": [\d.]+', result.stdout) for result in (first, again, run(*all_words))]
    assert mean[0] == mean[1] == mean[2] != []
