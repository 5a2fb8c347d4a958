"""The table of record: our rows by how long they think, beside what was published, with times that were measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kagiya.engine.batch import RESULT
from kagiya.lab.match.chunk import Chunk, PlayedChunk, pack_outcomes, play_chunk
from kagiya.lab.match.runner import KeptGames, local_runner
from kagiya.lab.papers.measurement import Measured, PlayedRun, TableResults, TableWork, matches_of, measure
from kagiya.lab.papers.outdated_cells import pending
from kagiya.lab.papers.paper_pages import COUNTS
from kagiya.lab.papers.paper_tables import (
    Estimate,
    PaperTable,
    Quantity,
    TableError,
    read_tables,
    shipped_tables,
    wanted,
)
from kagiya.lab.papers.strength import our_scores, printed_scores, score_of, strength_block
from kagiya.lab.papers.verdicts import cpu_text

RECORD = """
title = "Record"
document = "Ours"
table = "record"
rules = "standard"
own = true
measure = 200
columns = [
    { name = "mean" },
    { name = "perfect", quantity = "share", points = 25 },
    { name = "bombs", quantity = "bombs" },
    { name = "CPU seconds", quantity = "cpu seconds" },
]

[[rows]]
label = "slow"
agent = "careful"
players = [2, 3]
group = "no search"

[[rows]]
label = "a guest"
agent = "random"
partners = "careful"
players = 2
group = "no search"

[[rows]]
label = "thinker"
agent = "vdb"
players = 2
group = "1 s a move"

[[published]]
label = "quoted"
group = "network"
source = "Somebody 2020"
bomb = "zero"
mean = { 2 = "24.6 ± 0.1" }
perfect = { 2 = "70.1" }
games = { 2 = 1_000 }
secondhand = true

[[published]]
label = "referred to"
group = "rules"
cells = [{ table = "paper", row = "careful" }]

[[published]]
label = "with empty hints"
group = "rules"
cells = [{ table = "paper", row = "bold" }]

[[published]]
label = "cheat"
group = "sees its own hand"
source = "Somebody 2020"
mean = { 2 = "24.9" }
"""
PAPER = """
title = "Paper"
document = "Else 2019"
table = "Table 2"
rules = "goodman"
games = 50
columns = [{ name = "2", players = 2 }, { name = "wins", players = 2, quantity = "share", points = 25 }]
rows = [
    { label = "careful", agent = "careful", printed = ["17.5", "12"] },
    { label = "bold", agent = "careful", rules = "bouzy", printed = ["24.8", ""] },
]
"""
MADE = {"command": "kagiya reproduce record", "date": "2026-01-01", "kagiya": "0", "numba": "0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/record.toml").write_text(RECORD)
    (tmp_path / "reproductions/paper.toml").write_text(PAPER)
    return tmp_path


def measured(folder: Path, *means: float) -> TableResults:
    """Means for the matches of the record in their order; the rest is not measured."""
    table, results = read_tables(folder)["record"], TableResults.read(folder, "record")
    for run, mean in zip(wanted(table), means, strict=False):
        estimates = {
            "score": Estimate(mean, 2.0, 100),
            "share of 25 points": Estimate(30.0, 46.0, 100),
            "bombs": Estimate(0.0, 0.0, 100),
            "cpu seconds": Estimate(0.0125, 0.0, 100),
        }
        results.runs[run] = Measured(run, 100, 1, MADE, estimates)
    results.write(table)
    return results


def line_of(block: str, start: str) -> list[str]:
    (line,) = [line for line in block.splitlines() if line.startswith(f"| {start}")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_best_of_each_group_stands_beside_the_best_rival(folder: Path) -> None:
    measured(folder, 20.0, 19.0, 21.0, 23.0)
    block = strength_block(folder, read_tables(folder)["record"])
    assert line_of(block, "no search |") == ["no search", "21.00 ± 0.20, a guest", "19.00 ± 0.20, slow", "", ""]
    # Who does not think is as good with more time.
    assert line_of(block, "1 s a move |")[1:3] == ["23.00 ± 0.20, thinker", "19.00 ± 0.20, slow"]
    # Neither the one that sees its hand nor the one whose hints ours may not give.
    assert line_of(block, "published |") == ["published", "24.6 ± 0.1, quoted", "", "", ""]


def test_a_list_has_everything_known_of_a_player_the_best_first(folder: Path) -> None:
    measured(folder, 20.0, 19.0, 21.0, 23.0)
    block = strength_block(folder, read_tables(folder)["record"])
    two = block.split("### Two players")[1].split("### Three players")[0]
    assert line_of(two, "**a guest**")[:8] == [
        "**a guest** `random`, all others `careful`",
        "no search",
        "**21.00 ± 0.20**",
        "30.00 ± 4.60 %",
        "0 %",
        "12 ms",
        "100",
        "0",
    ]
    assert line_of(two, "quoted")[2:] == ["24.6 ± 0.1", "70.1 %", "", "", "1,000", "0", "Somebody 2020*"]
    assert line_of(two, "referred to")[2:] == ["17.5", "12 %", "", "", "50", "its points", "Else 2019, Table 2"]
    assert line_of(two, "cheat")[7] == "not stated"
    firsts = [line.split("|")[1].split("`")[0].strip() for line in two.splitlines() if line.startswith("| ")][2:]
    assert firsts == ["cheat", "with empty hints", "quoted", "**thinker**", "**a guest**", "**slow**", "referred to"]


def test_what_is_missing_is_listed_with_the_command_that_measures_it(folder: Path) -> None:
    measured(folder, 20.0)
    block = strength_block(folder, read_tables(folder)["record"])
    assert line_of(block, "slow `careful` | 2")[1:] == ["2", "100 of 200", '`kagiya reproduce record --row "slow"`']
    assert line_of(block, "thinker")[2] == "0 of 200"
    assert "`kagiya reproduce record`, 2026-01-01" in block


def test_bombs_and_processor_time_are_measured(folder: Path) -> None:
    table, results = read_tables(folder)["record"], TableResults.read(folder, "record")
    with local_runner() as runner:
        assert TableWork(table, results, 1, MADE).run(pending(table, results, 40), runner)
    found = {score.row.label: score.found for score in our_scores(table, results, 2)}
    assert found["a guest"]["bombs"].mean > found["slow"]["bombs"].mean
    assert all(0 < each["cpu seconds"].mean < 60 for each in found.values())
    assert pending(table, results, 40) == {}


def test_bombs_are_games_without_lives_whatever_they_score() -> None:
    results = np.zeros(4, dtype=RESULT)
    results["lives"], results["score"] = [0, 3, 1, 0], [17, 0, 25, 0]
    assert Quantity("bombs").estimate(results, 2).mean == 50
    with pytest.raises(ValueError, match="how long it took"):
        Quantity("cpu seconds").estimate(results, 2)


def test_games_from_a_store_have_no_time(folder: Path) -> None:
    table = read_tables(folder)["record"]
    run, order = next(iter(wanted(table).items()))
    played = play_chunk(Chunk(matches_of(run, 10, 1)[0], 1, 10))
    kept = KeptGames()
    stored = pack_outcomes(kept.results())
    kept.add(PlayedChunk(11, stored, played.overtime, 0.0))
    assert (kept.timed_games, kept.cpu_seconds) == (0, 0.0)
    kept.add(played)
    assert (kept.timed_games, kept.cpu_seconds) == (10, played.cpu_seconds)
    untimed = measure(run, PlayedRun(kept.results()), order, 1, MADE)
    assert not untimed.has(order)  # so that the time is still measured when these games are played somewhere
    assert measure(run, PlayedRun(kept.results(), 0.5), order, 1, MADE).estimates["cpu seconds"].mean == 0.5


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"24.6 ± 0.1"', '"about 24.6"', "is not a figure"),
        ('bomb = "zero"', 'bomb = "none"', "a bomb scores zero or keep"),
        ("secondhand", "secnd_hand", "did you mean secondhand"),
    ],
)
def test_a_wrong_entry_says_what_is_wrong(folder: Path, old: str, new: str, reason: str) -> None:
    assert old in RECORD
    (folder / "reproductions/record.toml").write_text(RECORD.replace(old, new))
    with pytest.raises(TableError, match=reason):
        read_tables(folder)


@pytest.mark.parametrize(("old", "new"), [('"paper"', '"papers"'), ('row = "careful"', 'row = "cautious"')])
def test_a_reference_must_lead_somewhere(folder: Path, old: str, new: str) -> None:
    (folder / "reproductions/record.toml").write_text(RECORD.replace(old, new))
    tables = read_tables(folder)
    with pytest.raises(TableError, match=r"no table|no row"):
        printed_scores(tables["record"], 2, tables)


@pytest.fixture(scope="module")
def record() -> PaperTable:
    return shipped_tables()["strength"]


def test_every_published_player_has_a_score_and_a_source(record: PaperTable) -> None:
    for player in record.published:
        scores = [score for count in COUNTS if (score := score_of(player, count, shipped_tables()))]
        assert scores, player.label
        assert all(score.where for score in scores), player.label


def test_rows_of_the_record_have_a_group_and_what_the_table_shows(record: PaperTable) -> None:
    assert all(row.group and row.players for row in record.rows)
    assert [column.quantity.kind for column in record.columns] == ["score", "share", "bombs", "cpu seconds"]


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.000_081, "0.081 ms"), (0.0123, "12 ms"), (0.25, "0.25 s"), (61.23, "61.2 s")]
)
def test_processor_time_is_for_people(seconds: float, text: str) -> None:
    assert cpu_text(Estimate(seconds, 0.0, 10)) == text


def test_a_row_called_by_its_whole_name_is_meant_alone(record: PaperTable) -> None:
    assert [row.label for row in record.only(["kagiya-two"]).rows] == ["kagiya-two"]
    assert len(record.only(["over kagiya-two"]).rows) > 1
