"""Which code measured a cell: recorded, compared, and measured again only when asked."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kagiya.lab.papers import code_age, runs
from kagiya.lab.papers.code_age import CodeAge, ages_text, count_ages, restamp
from kagiya.lab.papers.orders import Again, borrow, pending
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import TableResults
from kagiya.lab.provenance.signature import Signature, write_signature
from tests.lab.papers.test_reproduction import SMALL, measure_small


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/small.toml").write_text(SMALL)
    return tmp_path


@pytest.fixture
def edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of every agent as if it were edited after the measurement."""
    monkeypatch.setattr(code_age, "code_now", lambda agents: "edited")


def stripped(folder: Path) -> None:
    """The result file as it was written before code was recorded."""
    path = folder / "results/reproductions/small.json"
    data = json.loads(path.read_text())
    for entry in data["runs"]:
        del entry["code"]
    path.write_text(json.dumps(data))


def test_every_match_is_kept_with_the_hash_of_its_code(folder: Path) -> None:
    measure_small(folder)
    codes = [measured.code for measured in TableResults.read(folder, "small").runs.values()]
    assert all(codes)
    assert len(set(codes)) == 2  # careful alone, and careful with random


def test_an_edit_during_a_match_is_not_taken_for_what_played_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code is hashed before the games are played, not after."""
    text, matches_of = "before", runs.matches_of

    def edit_and_go_on(*words: Any) -> Any:
        nonlocal text
        text = "after"
        return matches_of(*words)

    monkeypatch.setattr(runs, "code_now", lambda agents: text)
    monkeypatch.setattr(runs, "matches_of", edit_and_go_on)
    measured = measure_small(folder).runs.values()
    assert [each.code for each in measured] == ["before", "after"]


def test_cells_are_counted_by_the_code_that_measured_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_small(folder)
    table = read_tables(folder)["small"]
    assert count_ages(table, TableResults.read(folder, "small")) == {CodeAge.CURRENT: 3}
    assert ages_text(count_ages(table, TableResults.read(folder, "small"))) == ""
    monkeypatch.setattr(code_age, "code_now", lambda agents: "edited")
    ages = count_ages(table, TableResults.read(folder, "small"))
    assert ages == {CodeAge.OLDER: 3}
    assert ages_text(ages) == "of 3 measured cells, 3 were measured by older code"
    stripped(folder)
    assert count_ages(table, TableResults.read(folder, "small")) == {CodeAge.UNRECORDED: 3}


@pytest.mark.usefixtures("edited")
def test_older_cells_are_measured_again_only_when_asked(folder: Path) -> None:
    measure_small(folder)
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    assert not pending(table, results, 20)
    assert len(pending(table, results, 20, Again.OUTDATED)) == 2


def test_current_cells_are_not_outdated(folder: Path) -> None:
    measure_small(folder)
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    assert not pending(table, results, 20, Again.OUTDATED)


def sign(folder: Path, **hashes: str) -> None:
    """Write down what agents do: a hash for each."""
    write_signature(folder / "results/signature.json", Signature({name: {name: mark} for name, mark in hashes.items()}))


@pytest.mark.usefixtures("edited")
def test_older_code_that_makes_the_same_moves_is_not_outdated(folder: Path) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit="abc")
    table = read_tables(folder)["small"]

    def ages() -> dict[CodeAge, int]:
        return dict(count_ages(table, TableResults.read(folder, "small")))

    assert ages() == {CodeAge.SAME: 3}
    assert ages_text(count_ages(table, TableResults.read(folder, "small"))) == ""
    assert not pending(table, TableResults.read(folder, "small"), 20, Again.OUTDATED)
    sign(folder, careful="c1", random="r2")
    assert ages() == {CodeAge.SAME: 2, CodeAge.OLDER: 1}
    sign(folder, careful="c2", random="r2")
    assert ages() == {CodeAge.OLDER: 3}


@pytest.mark.usefixtures("edited")
@pytest.mark.parametrize("commit", [None, "abc+"])
def test_nothing_is_known_of_the_moves_of_code_without_a_commit(folder: Path, commit: str | None) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit=commit)
    ages = count_ages(read_tables(folder)["small"], TableResults.read(folder, "small"))
    assert ages == {CodeAge.OLDER: 3}


def restamped(folder: Path, proven: Signature, date: str) -> tuple[int, dict[CodeAge, int]]:
    """How many matches are stamped again, and how old the cells are then."""
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    stamped = restamp(results, proven, date)
    results.write(table)
    return stamped, dict(count_ages(table, TableResults.read(folder, "small")))


def test_cells_are_stamped_again_with_the_proof_that_their_agents_make_the_same_moves(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit="abc")
    measured_by = [each.code for each in TableResults.read(folder, "small").runs.values()]
    for date in ("2026-01-01", "2026-01-02"):  # and once more after the next change
        monkeypatch.setattr(code_age, "code_now", lambda agents, date=date: f"edited {date}")
        played = Signature({"careful": {"careful": "c1"}, "random": {"random": "r1"}})
        assert restamped(folder, played, date) == (2, {CodeAge.CURRENT: 3})
        entries = json.loads((folder / "results/reproductions/small.json").read_text())["runs"]
        assert [entry["code"] for entry in entries] == [f"edited {date}"] * 2
        assert [entry["proof"] for entry in entries] == [
            {"signature": played.total, "date": date, "measured_by": code} for code in measured_by
        ]
    assert restamped(folder, played, "later") == (0, {CodeAge.CURRENT: 3})


@pytest.mark.usefixtures("edited")
def test_cells_whose_agents_are_not_proven_stay_as_they_are(folder: Path) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit="abc")
    careful = Signature({"careful": {"careful": "c1"}})
    assert restamped(folder, careful, "today") == (1, {CodeAge.CURRENT: 2, CodeAge.SAME: 1})
    sign(folder, careful="c2", random="r2")
    assert restamped(folder, Signature({"careful": {"careful": "c2"}, "random": {"random": "r2"}}), "today")[0] == 0


def test_what_the_present_code_measured_gets_the_signature_for_the_next_proof(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure_small(folder, commit="abc+")  # files were edited, so nothing was said of the moves
    sign(folder, careful="c1", random="r1")
    played = Signature({"careful": {"careful": "c1"}, "random": {"random": "r1"}})
    assert restamped(folder, played, "today") == (0, {CodeAge.CURRENT: 3})
    monkeypatch.setattr(code_age, "code_now", lambda agents: "edited")
    assert restamped(folder, played, "today") == (2, {CodeAge.CURRENT: 3})


def left_after_borrowing(folder: Path, rules: str) -> int:
    (folder / "reproductions/other.toml").write_text(SMALL.replace('"standard"', f'"{rules}"'))
    table, results = read_tables(folder)["other"], TableResults.read(folder, "other")
    return len(borrow(table, results, pending(table, results, 20), folder))


def test_the_same_games_by_the_same_code_are_taken_over(folder: Path) -> None:
    measured = measure_small(folder)
    assert left_after_borrowing(folder, "standard(hand_size=4)") == 2
    assert left_after_borrowing(folder, "standard(hand_size=5)") == 0
    kept = TableResults.read(folder, "other").runs
    assert [replace(each, run=each.run) for each in kept.values()] == [
        replace(each, run=run) for run, each in zip(kept, measured.runs.values(), strict=True)
    ]
    assert {run.rules for run in kept} == {"standard(hand_size=5)"}


def test_nothing_is_taken_over_from_older_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_small(folder)
    monkeypatch.setattr(code_age, "code_now", lambda agents: "edited")
    assert left_after_borrowing(folder, "standard(hand_size=5)") == 2


def test_nothing_is_taken_over_from_unknown_code(folder: Path) -> None:
    measure_small(folder)
    stripped(folder)
    assert left_after_borrowing(folder, "standard(hand_size=5)") == 2
