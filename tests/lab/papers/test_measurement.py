"""Published tables: their files, the distances, what is kept, and the page."""

from __future__ import annotations

import json
import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kagiya.engine.batch import RESULT
from kagiya.lab.match.runner import local_runner
from kagiya.lab.papers import measurement
from kagiya.lab.papers.document_pages import all_pages
from kagiya.lab.papers.measurement import (
    Measured,
    PairedTest,
    TableResults,
    TableWork,
    finding,
    matches_of,
    mean_over_moves,
    paired_test,
    play_run,
    play_watched,
    shares,
    welch_test,
)
from kagiya.lab.papers.outdated_cells import (
    CodeAge,
    Remeasure,
    ages_text,
    count_ages,
    pending,
    restamp,
    reuse,
    runnable,
)
from kagiya.lab.papers.paper_pages import study_block
from kagiya.lab.papers.paper_tables import (
    Estimate,
    Figure,
    PaperTable,
    Quantity,
    Run,
    TableError,
    check_table,
    read_table,
    read_tables,
    wanted,
    why_waiting,
)
from kagiya.lab.papers.verdicts import Distance, tally
from kagiya.lab.signature import Signature, write_signature
from kagiya.rules import parse_rules
from kagiya.spec import parse_spec
from tests.lab.papers.documents import write_document

PROJECT = Path(__file__).parents[3]
TABLES = read_tables(PROJECT)
SMALL = """
title = "Two tables in one"
document = "Somebody 2020"
table = "Table 1"
rules = "standard"
games = 100
measure = 20
spread = "deviation"
planned = ["dreamer"]
columns = [{ name = "2 players", players = 2 }, { name = "regret", players = 2, quantity = "team regret" }]

[[rows]]
label = "careful"
agent = "careful"
printed = ["10.0 (2.5)", "5"]

[[rows]]
label = "random"
agent = "random"
partners = "careful"
printed = ["1.0 (1.5)", ""]

[[rows]]
label = "dreamer"
agent = "dreamer(depth=3)"
printed = ["25.0 (0.5)", "0"]

[[claims]]
text = "care pays"
row = "careful"
against = "random"
expected = { "2 players" = "higher" }
"""
TABLE = """
title = "Sixteen matches"
document = "Ours"
table = "none"
rules = "standard"
own = true
columns = [
    { name = "2", players = 2 },
    { name = "3", players = 3 },
    { name = "4", players = 4 },
    { name = "5", players = 5 },
]
rows = [
    { label = "1", agent = "careful" },
    { label = "2", agent = "random" },
    { label = "3", agent = "vdb" },
    { label = "4", agent = "iggi" },
]
"""
MADE = {"command": "kagiya reproduce", "date": "2026-01-01", "kagiya": "0", "numba": "0"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/small.toml").write_text(SMALL)
    return tmp_path


def small_page(folder: Path) -> str:
    """The page of a document that consists of the table."""
    write_document(folder, "small")
    return all_pages(folder)["docs/papers/somebody.md"]


def measure_small(folder: Path, games: int = 20, commit: str | None = None) -> TableResults:
    table = read_tables(folder)["small"]
    results = TableResults.read(folder, "small")
    made: dict[str, str] = {"command": "kagiya reproduce small", "date": "2026-01-01", "kagiya": "0", "numba": "0"}
    made |= {"commit": commit} if commit else {}
    with local_runner() as runner:
        assert TableWork(table, results, 1, made).run(pending(table, results, games), runner)
    return results


@pytest.mark.parametrize("table", TABLES.values(), ids=list(TABLES))
def test_every_table_is_valid_or_declares_what_it_waits_for(table: PaperTable) -> None:
    check_table(table)
    assert table.cells()
    for cell in table.cells():
        parse_rules(cell.run.rules, cell.run.players)
        assert len(cell.run.agents) == (1 + len(table.pool) if cell.run.drawn else cell.run.players)
        assert "{" not in "".join(cell.run.agents)
        names = {parse_spec(text).name for text in cell.run.agents}
        assert not why_waiting(cell.run, table.planned) or names & set(table.planned)


def test_the_documents_are_there() -> None:
    starts = {
        "Kagiya",
        "Goodman 2019 (paper)",
        "Goodman 2019 (report)",
        "Brooks 2020 (thesis)",
        "Rallabhandi 2018",
        "Bouzy 2017",
        "Osawa 2015",
        "O'Dwyer 2019",
        "Wu 2023",
    }
    assert starts <= {table.document for table in TABLES.values()}


def test_printed_figures_are_read_as_they_stand() -> None:
    cells = {(c.row.label, c.column.name): c for c in TABLES["brooks-3"].cells()}
    score = cells["Flawed + 2 VDB", "score"]
    first = TABLES["rallabhandi"].cells()[0]
    other = cells["VDB + 2 MCTS", "score"]
    assert score.figure
    assert first.figure
    assert other.figure
    assert (score.figure.value, score.figure.error, score.figure.decimals) == (0.14, 0.10, 2)
    assert score.run.agents == ("brooks-flawed", "brooks-vdb", "brooks-vdb")
    assert other.figure.games == 100
    assert (first.figure.error, first.figure.deviation, first.run.players) == (None, 1.988, 5)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"5"]', '"five"]', "is not a figure"),
        ('agent = "careful"', 'agent = "carefull"', "did you mean careful"),
        ('rules = "standard"', 'rules = "stndard"', "standard"),
        ('printed = ["10.0 (2.5)", "5"]', 'printed = ["10.0 (2.5)"]', "1 figures, 2 columns"),
        ("measure = 20", "mesure = 20", "did you mean measure"),
        ('row = "careful"', 'row = "nobody"', "not a row or a column"),
        ('quantity = "team regret"', 'quantity = "tears"', "a quantity is one of"),
        ('title = "Two tables in one"', "", "title"),
        ("games = 100", "games = ", "not TOML"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(folder: Path, old: str, new: str, reason: str) -> None:
    path = folder / "reproductions/small.toml"
    assert old in SMALL
    path.write_text(SMALL.replace(old, new))
    with pytest.raises(ValueError, match=reason):
        read_table(path)


def distance(value: str, mean: float, error: float = 0.02, **known: float) -> float:
    figure = Figure(value, float(value), len(value.partition(".")[2]), **known)  # type: ignore[arg-type]
    return Distance(figure, Estimate(mean, error * 100, 10_000)).in_errors


def test_the_distance_counts_both_errors_and_the_rounding() -> None:
    assert distance("17.0", 17.1, error=0.02) == pytest.approx(0.05 / 0.02)
    assert distance("17.000", 16.9, **{"error": 0.02}) == pytest.approx(-0.0995 / 0.02)
    assert distance("17.00", 17.005) == 0
    assert distance("17.00", 17.2, games=100) == pytest.approx(0.195 / math.hypot(0.02, 0.2))
    assert distance("17.00", 17.2, games=100, deviation=4.0) == pytest.approx(0.195 / math.hypot(0.02, 0.4))


@pytest.mark.parametrize(("quantity", "step"), [(Quantity("score"), 1), (Quantity("share", points=25), 100)])
def test_games_that_all_came_out_alike_are_not_exact(quantity: Quantity, step: float) -> None:
    perfect = Estimate(25.0 * step, 0.0, 100)
    paper = Figure("", perfect.mean - 0.04 * step, 2)
    # As if one of our hundred games had been one step off, and one of theirs if they say how many they played.
    beyond = 0.04 * step - 0.005
    assert Distance(paper, perfect, quantity).in_errors == pytest.approx(beyond / (step / 100))
    both = Distance(replace(paper, games=100), perfect, quantity)
    assert both.in_errors == pytest.approx(beyond / (math.sqrt(2) * step / 100))
    assert both.is_close
    assert not Distance(replace(paper, value=perfect.mean - step), perfect, quantity).is_close


@pytest.mark.parametrize(
    "quantity",
    [
        Quantity("score"),
        Quantity("share", points=24),
        Quantity("deviation"),
        Quantity("team regret"),
        Quantity("regret"),
        Quantity("regret", (1, 2)),
    ],
    ids=lambda quantity: quantity.key,
)
def test_the_least_error_is_that_of_one_game_one_step_off(quantity: Quantity) -> None:
    results = np.zeros(1000, dtype=RESULT)
    results["score"] = 25
    results["score"][7], results["regret"][7, 0, 0] = 24, 1
    assert quantity.estimate(results, 5).error == pytest.approx(quantity.least_error(1000), rel=3e-3)


def test_a_printed_error_counts() -> None:
    figure = Figure("17.0", 17.0, 1, error=0.3, games=100)
    assert Distance(figure, Estimate(18.0, 40.0, 10_000)).in_errors == pytest.approx(0.95 / 0.5)


def test_quantities_of_games() -> None:
    results = np.zeros(4, dtype=RESULT)
    results["score"] = [25, 20, 25, 10]
    results["regret"][0] = [[1, 2, 3], [4, 0, 0], [0, 0, 5], [9, 9, 9], [9, 9, 9]]
    results["regret"][:, 3:] = 0
    assert Quantity("score").estimate(results, 3).mean == 20
    assert Quantity("share", points=25).estimate(results, 3).mean == 50
    assert Quantity("team regret").estimate(results, 3).mean == 15 / 4
    assert Quantity("regret").estimate(results, 3).mean == 5 / 4
    assert Quantity("regret", (1,), "play").estimate(results, 3).mean == 2 / 4
    assert Quantity("regret", (2, 3), "end game").estimate(results, 3).mean == 2.5 / 4
    assert Quantity("deviation").estimate(results, 3).mean == pytest.approx(np.std([25, 20, 25, 10], ddof=1))


def test_the_error_of_a_deviation_is_its_spread_over_samples() -> None:
    rng = np.random.default_rng(1)
    sample = np.zeros(2000, dtype=RESULT)
    found = []
    for _ in range(300):
        sample["score"] = rng.binomial(25, 0.7, len(sample))
        found.append(Quantity("deviation").estimate(sample, 2))
    assert np.std([each.mean for each in found]) == pytest.approx(found[0].error, rel=0.15)


def test_unbuilt_agents_wait_and_all_others_run(folder: Path) -> None:
    table = read_tables(folder)["small"]
    assert len(wanted(table)) == 3
    assert [run.agents for run in runnable(table)] == [("careful", "careful"), ("random", "careful")]
    counts = tally(table, measure_small(folder))
    assert (counts.cells, counts.measured, counts.waiting, counts.unplayable) == (5, 3, 0, 2)


def test_what_was_measured_is_kept(folder: Path) -> None:
    table = read_tables(folder)["small"]
    first = measure_small(folder)
    again = TableResults.read(folder, "small")
    assert (again.runs, len(again.pairs)) == (first.runs, 1)
    assert not pending(table, again, 20)
    assert not pending(table, again, 10)
    assert len(pending(table, again, 21)) == 2
    assert len(pending(table, again, 20, Remeasure.ALWAYS)) == 2


def test_only_a_row_that_changed_is_measured_again(folder: Path) -> None:
    measure_small(folder)
    path = folder / "reproductions/small.toml"
    path.write_text(SMALL.replace('agent = "random"', 'agent = "iggi"'))
    table = read_table(path)
    assert [run.agents[0] for run in pending(table, TableResults.read(folder, "small"), 20)] == ["iggi"]


def test_a_stop_keeps_what_is_finished(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kagiya.lab.papers import measurement

    played = measurement.play_run
    monkeypatch.setattr(
        measurement, "play_run", lambda run, *rest: None if "random" in run.agents else played(run, *rest)
    )
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    with local_runner() as runner:
        assert not TableWork(table, results, 1, {"date": "today"}).run(pending(table, results, 20), runner)
    kept = TableResults.read(folder, "small")
    assert [run.agents for run in kept.runs] == [("careful", "careful")]
    assert len(pending(table, kept, 20)) == 1


def test_a_stop_in_the_first_match_of_a_claim_plays_no_second(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results, table, begun = measure_small(folder), read_tables(folder)["small"], list[Run]()
    results.pairs.clear()

    def interrupted(run: Run, *rest: object) -> None:
        begun.append(run)

    monkeypatch.setattr(measurement, "play_run", interrupted)
    with local_runner() as runner:
        assert not TableWork(table, results, 1, {"date": "today"}).compare(set(), runner)
    assert len(begun) == 1


def test_the_page_shows_paper_measurement_distance_and_verdict(folder: Path) -> None:
    assert "25.0 (0.5)" in small_page(folder)
    measure_small(folder)
    page = small_page(folder)
    for text in ("10.0 (2.5)", "differs by", "a bomb scores 0; empty hints illegal", "`dreamer(depth=3)`", "holds"):
        assert text in page
    (folder / "reproductions/small.toml").write_text(SMALL.replace("10.0 (2.5)", "10.1 (2.5)"))
    assert small_page(folder) != page


def test_a_foreign_result_file_is_refused(folder: Path) -> None:
    path = folder / "results/reproductions/small.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"runs": [{}], "pairs": []}')
    with pytest.raises(ValueError, match="not the result file of a table"):
        TableResults.read(folder, "small")


def test_claims_are_tested_both_ways() -> None:
    rng = np.random.default_rng(2)
    deal = rng.normal(15, 3, 2000)
    better, worse = deal + rng.normal(0.3, 1, 2000), deal + rng.normal(0, 1, 2000)
    paired = paired_test(better, worse, 1)
    assert finding(paired.difference, paired.p_value) == "higher"
    numbers = [(float(each.mean()), float(each.std(ddof=1)), len(each)) for each in (better, worse)]
    assert welch_test(*numbers).p_value > paired.p_value  # common decks take the luck of the deal away
    assert finding(-0.5, 0.2) == "no difference"
    same = paired_test(worse, worse, 1)
    assert (same.difference, same.p_value) == (0, 1)


def test_a_typo_is_not_a_plan() -> None:
    with pytest.raises(TableError, match="how many players"):
        PaperTable("x", "x", "x", "x", "standard", TABLES["brooks-2"].columns, TABLES["brooks-2"].rows).cells()


def test_a_rotated_team_keeps_its_regret_apart() -> None:
    # Only the random agent ever bombs: wherever it sits, the end of the game is its doing.
    with local_runner() as runner:
        rotated = play_run(Run(("random", "careful", "careful"), "standard", 3, rotated=True), 31, 1, runner)
    assert rotated is not None
    assert list(rotated.results["seed"]) == list(range(1, 32))
    by_end = rotated.results["regret"][:, :, 2].sum(axis=0)
    assert by_end[0] > 0
    assert by_end[1:].sum() == 0
    assert shares(31, 3) == [11, 10, 10]
    assert shares(2, 3) == [1, 1]


def test_drawn_partners_are_the_same_for_all_and_pairs_are_kept_as_they_come(folder: Path) -> None:
    (folder / "reproductions/small.toml").write_text(DRAWN)
    table = read_tables(folder)["small"]
    first, _, second, _ = (cell.run for cell in table.cells())
    played = [matches_of(run, 12, 5) for run in (first, second)]
    partners = [[match.agents[1 - game % 2].text for game, match in enumerate(matches)] for matches in played]
    assert partners[0] == partners[1]
    assert set(partners[0]) == {"careful", "iggi"}
    assert [match.seed for match in matches_of(first, 12, 5)] == list(range(5, 17))
    results = measure_small(folder, 12)
    assert results.pairs[first, second].games == 12
    again = TableResults.read(folder, "small")
    assert again.runs[first].run == first
    shown = study_block(folder, table)
    assert "drawn from `careful`, `iggi`." in shown
    assert f"| vdb less random | {again.pairs[first, second].difference:+.2f} ±" in shown
    assert "| on the same decks, with the same partners | two |" in shown


DRAWN = """
title = "Drawn"
document = "Kagiya"
table = "small"
rules = "goodman"
own = true
pool = ["careful", "iggi"]
columns = [{ name = "two", players = 2 }, { name = "lost", players = 2, quantity = "team regret" }]
rows = [{ label = "vdb", agent = "vdb" }, { label = "random", agent = "random" }]
claims = [{ text = "vdb less random", row = "vdb", against = "random", expected = { two = "higher" } }]
"""


@pytest.fixture
def table(tmp_path: Path) -> PaperTable:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/many.toml").write_text(TABLE)
    return read_tables(tmp_path)["many"]


def measured(run: Run, mean: float = 17.0) -> Measured:
    return Measured(run, 100, 1, MADE, {"score": Estimate(mean, 2.0, 100)})


def mean_of(results: TableResults, run: Run) -> float:
    return results.runs[run].estimates["score"].mean


def test_what_another_has_written_since_is_kept(table: PaperTable, tmp_path: Path) -> None:
    first, second, third, *_ = wanted(table)
    for run in (first, second):
        before = TableResults.read(tmp_path, table.name)
        before.runs[run] = measured(run)
        before.write(table)
    one, other = (TableResults.read(tmp_path, table.name) for _ in range(2))
    one.runs[first], one.pairs[first, second] = measured(first, 18.0), PairedTest(100, 1, 1.0, 0.1, 0.01)
    one.write(table)
    other.runs[third], other.pairs[second, third] = measured(third), PairedTest(100, 1, 2.0, 0.1, 0.01)
    other.write(table)
    one.runs[second] = measured(second, 19.0)
    one.write(table)
    kept = TableResults.read(tmp_path, table.name)
    assert [mean_of(kept, run) for run in (first, second, third)] == [18.0, 19.0, 17.0]
    assert {pair: test.difference for pair, test in kept.pairs.items()} == {(first, second): 1.0, (second, third): 2.0}
    assert kept.runs == one.runs


def test_nobody_writes_between_another_ones_reading_and_writing(table: PaperTable, tmp_path: Path) -> None:
    runs = list(wanted(table))

    def write_all(share: Sequence[Run]) -> None:
        results = TableResults.read(tmp_path, table.name)
        for run in share:
            results.runs[run] = measured(run)
            results.write(table)

    writers = [threading.Thread(target=write_all, args=(runs[place::4],)) for place in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert set(TableResults.read(tmp_path, table.name).runs) == set(runs)


def edit_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the code of every agent were edited after the measurement."""
    monkeypatch.setattr(measurement, "code_now", lambda agents: "edited")


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
    text, matches_of = "before", measurement.matches_of

    def edit_and_go_on(*words: Any) -> Any:
        nonlocal text
        text = "after"
        return matches_of(*words)

    monkeypatch.setattr(measurement, "code_now", lambda agents: text)
    monkeypatch.setattr(measurement, "matches_of", edit_and_go_on)
    measured = measure_small(folder).runs.values()
    assert [each.code for each in measured] == ["before", "after"]


def test_cells_are_counted_by_the_code_that_measured_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_small(folder)
    table = read_tables(folder)["small"]
    assert count_ages(table, TableResults.read(folder, "small")) == {CodeAge.CURRENT: 3}
    assert ages_text(count_ages(table, TableResults.read(folder, "small"))) == ""
    edit_agents(monkeypatch)
    ages = count_ages(table, TableResults.read(folder, "small"))
    assert ages == {CodeAge.OLDER: 3}
    assert ages_text(ages) == "of 3 measured cells, 3 were measured by older code"
    stripped(folder)
    assert count_ages(table, TableResults.read(folder, "small")) == {CodeAge.UNRECORDED: 3}


def test_older_cells_are_measured_again_only_when_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_small(folder)
    edit_agents(monkeypatch)
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    assert not pending(table, results, 20)
    assert len(pending(table, results, 20, Remeasure.OUTDATED)) == 2


def test_current_cells_are_not_outdated(folder: Path) -> None:
    measure_small(folder)
    table, results = read_tables(folder)["small"], TableResults.read(folder, "small")
    assert not pending(table, results, 20, Remeasure.OUTDATED)


def sign(folder: Path, **hashes: str) -> None:
    """Write down what agents do: a hash for each."""
    write_signature(folder / "results/signature.json", Signature({name: {name: mark} for name, mark in hashes.items()}))


def test_older_code_that_makes_the_same_moves_is_not_outdated(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit="abc")
    edit_agents(monkeypatch)
    table = read_tables(folder)["small"]

    def ages() -> dict[CodeAge, int]:
        return dict(count_ages(table, TableResults.read(folder, "small")))

    assert ages() == {CodeAge.SAME: 3}
    assert ages_text(count_ages(table, TableResults.read(folder, "small"))) == ""
    assert not pending(table, TableResults.read(folder, "small"), 20, Remeasure.OUTDATED)
    sign(folder, careful="c1", random="r2")
    assert ages() == {CodeAge.SAME: 2, CodeAge.OLDER: 1}
    sign(folder, careful="c2", random="r2")
    assert ages() == {CodeAge.OLDER: 3}


@pytest.mark.parametrize("commit", [None, "abc+"])
def test_nothing_is_known_of_the_moves_of_code_without_a_commit(
    folder: Path, commit: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit=commit)
    edit_agents(monkeypatch)
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
        monkeypatch.setattr(measurement, "code_now", lambda agents, date=date: f"edited {date}")
        played = Signature({"careful": {"careful": "c1"}, "random": {"random": "r1"}})
        assert restamped(folder, played, date) == (2, {CodeAge.CURRENT: 3})
        entries = json.loads((folder / "results/reproductions/small.json").read_text())["runs"]
        assert [entry["code"] for entry in entries] == [f"edited {date}"] * 2
        assert [entry["proof"] for entry in entries] == [
            {"signature": played.total, "date": date, "measured_by": code} for code in measured_by
        ]
    assert restamped(folder, played, "later") == (0, {CodeAge.CURRENT: 3})


def test_cells_whose_agents_are_not_proven_stay_as_they_are(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sign(folder, careful="c1", random="r1")
    measure_small(folder, commit="abc")
    edit_agents(monkeypatch)
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
    monkeypatch.setattr(measurement, "code_now", lambda agents: "edited")
    assert restamped(folder, played, "today") == (2, {CodeAge.CURRENT: 3})


def left_after_reuse(folder: Path, rules: str) -> int:
    (folder / "reproductions/other.toml").write_text(SMALL.replace('"standard"', f'"{rules}"'))
    table, results = read_tables(folder)["other"], TableResults.read(folder, "other")
    return len(reuse(table, results, pending(table, results, 20), folder))


def test_the_same_games_by_the_same_code_are_taken_over(folder: Path) -> None:
    measured = measure_small(folder)
    assert left_after_reuse(folder, "standard(hand_size=4)") == 2
    assert left_after_reuse(folder, "standard(hand_size=5)") == 0
    kept = TableResults.read(folder, "other").runs
    assert [replace(each, run=each.run) for each in kept.values()] == [
        replace(each, run=run) for run, each in zip(kept, measured.runs.values(), strict=True)
    ]
    assert {run.rules for run in kept} == {"standard(hand_size=5)"}


def test_nothing_is_taken_over_from_older_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measure_small(folder)
    edit_agents(monkeypatch)
    assert left_after_reuse(folder, "standard(hand_size=5)") == 2


def test_nothing_is_taken_over_from_unknown_code(folder: Path) -> None:
    measure_small(folder)
    stripped(folder)
    assert left_after_reuse(folder, "standard(hand_size=5)") == 2


DEEP = """
title = "How deep they search"
document = "Somebody 2020"
table = "text"
rules = "goodman"
players = 2
measure = 3
columns = [{ name = "depth", quantity = "depth" }, { name = "score" }]

[[rows]]
label = "short"
agent = "ris-mcts(rollout=random, iterations=20)"
printed = ["2.5", "17"]

[[rows]]
label = "long"
agent = "ris-mcts(rollout=random, iterations=200)"
printed = ["4.5", ""]
"""


def test_the_depth_of_trees_is_measured_move_by_move(tmp_path: Path) -> None:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/deep.toml").write_text(DEEP)
    table, results = read_tables(tmp_path)["deep"], TableResults.read(tmp_path, "deep")
    played: list[int] = []
    with local_runner(progress=played.append) as runner:
        assert TableWork(table, results, 1, MADE).run(pending(table, results), runner)
        run = next(iter(wanted(table)))
        usual = play_run(run, 3, 1, runner)
    assert played[:6] == [1] * 6
    short, long = (results.estimate(cell) for cell in table.cells() if cell.column.quantity.kind == "depth")
    assert short is not None
    assert long is not None
    assert 1 < short.mean < long.mean < 8
    assert pending(table, results) == {}
    assert usual is not None
    assert results.runs[run].estimates["score"].mean == usual.results["score"].mean()  # the same games
    with pytest.raises(ValueError, match="how deep"):
        Quantity("depth").estimate(usual.results, 2)


def test_a_mean_over_moves_has_the_error_of_games() -> None:
    found = mean_over_moves([[3, 3, 3], [5], []])
    assert (found.mean, found.games) == (3.5, 3)
    assert found.error == pytest.approx(np.std([-1.5, 1.5, 0.0], ddof=1) / (4 / 3) / math.sqrt(3))
    assert mean_over_moves([[4, 4], [4]]).deviation == 0
    with pytest.raises(ValueError, match="nobody has searched"):
        mean_over_moves([[], []])


def test_a_stop_while_trees_are_looked_at_counts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(measurement, "watch_game", stopped)
    with local_runner() as runner:
        assert play_watched(Run(("ris-mcts(iterations=5)",) * 2, "goodman", 2), 2, 1, runner) is None
