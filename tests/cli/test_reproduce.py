"""`kagiya reproduce` with tables, and the page that `kagiya dev report` writes of them."""

import json
import re
from pathlib import Path

import pytest

from kagiya.cli.commands.dev import report
from kagiya.lab.papers.paper_pages import StaleError
from kagiya.lab.provenance import commit_here
from tests.cli.command import complaint, run
from tests.lab.papers.test_measurement import SMALL
from tests.lab.papers.test_verdicts import measured_row


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/small.toml").write_text(SMALL)
    return tmp_path


def test_a_table_is_measured_shown_and_kept(folder: Path) -> None:
    result = run("reproduce", "small", "--games", "20", "--folder", str(folder))
    assert result.exit_code == 0, result.output
    assert "0 waiting, 2 cannot be played" in result.stdout
    assert "bomb scores 0" in result.stdout
    data = json.loads((folder / "results/reproductions/small.json").read_text())
    assert [entry["games"] for entry in data["runs"]] == [20, 20]
    assert data["runs"][0]["made"]["command"].startswith("kagiya")


def test_the_same_command_again_plays_nothing(folder: Path) -> None:
    run("reproduce", "small", "--games", "20", "--folder", str(folder))
    path = folder / "results/reproductions/small.json"
    before = path.read_text()
    path.write_text(before.replace('"seed": 1', '"seed": 99'))
    kept = path.read_text()
    run("reproduce", "--tables", "--games", "10", "--folder", str(folder))
    assert path.read_text() == kept
    run("reproduce", "small", "--games", "20", "--remeasure", "all", "--folder", str(folder))
    assert path.read_text() == before


def test_the_list_counts(folder: Path) -> None:
    (row,) = json.loads(run("dev", "tables", "--json", "--folder", str(folder)).stdout)["tables"]
    assert (row["cells"], row["waiting"], row["unplayable"], row["measured"], row["last"]) == (5, 3, 2, 0, None)
    assert "never" in run("dev", "tables", "--folder", str(folder)).stdout


def test_a_table_for_machines(folder: Path) -> None:
    result = run("reproduce", "small", "--games", "20", "--json", "--folder", str(folder))
    (table,) = json.loads(result.stdout)["tables"]
    assert [cell["verdict"] == "unplayable" for cell in table["cells"]] == [False, False, False, True, True]


def test_a_row_that_is_off_together_is_shown(tmp_path: Path) -> None:
    measured_row(tmp_path, 2.7, 2.5, 1.9, 2.0)
    result = run("reproduce", "row", "--games", "100", "--folder", str(tmp_path))
    assert "21.2 / 4, p = 0.0003" in result.stdout
    assert "1 of 1 rows are off" in result.stdout


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("small", "vdb"), "is not a table"),
        (("--tables", "small"), "leave out the names"),
        (("small", "--games", "0"), "at least 2"),
        (("smal",), "neither a table nor an agent; did you mean small"),
    ],
)
def test_wrong_words_are_refused(folder: Path, words: tuple[str, ...], reason: str) -> None:
    assert reason in complaint(run("reproduce", *words, "--folder", str(folder)))


@pytest.fixture
def pages_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of `kagiya dev report` only what the published tables are written into."""
    from kagiya.dev import reference_pages
    from kagiya.lab.papers import paper_pages

    for name in ("league_block", "bench_block"):
        monkeypatch.setattr(reference_pages, name, lambda *rest: "")
    monkeypatch.setattr(paper_pages, "embed", lambda *rest: False)


@pytest.mark.usefixtures("pages_only")
def test_a_stale_page_is_found(folder: Path) -> None:
    report(False, folder)
    report(True, folder)
    run("reproduce", "small", "--games", "20", "--folder", str(folder))
    with pytest.raises(StaleError, match=r"agents\.md is stale"):
        report(True, folder)
    report(False, folder)
    report(True, folder)
    (folder / "reproductions/small.toml").write_text(SMALL.replace("25.0 (0.5)", "24.0 (0.5)"))  # of a waiting row
    with pytest.raises(StaleError, match=r"tables\.md is stale"):
        report(True, folder)


@pytest.mark.usefixtures("pages_only")
def test_cells_of_older_code_are_reported_and_no_reason_to_fail(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run("reproduce", "small", "--games", "20", "--folder", str(folder))
    report(False, folder)
    assert "older code" not in capsys.readouterr().out
    monkeypatch.setattr("kagiya.lab.papers.measurement.code_now", lambda agents: "edited")
    report(True, folder)
    told = " ".join(capsys.readouterr().out.split())
    assert "of 3 measured cells, 3 were measured by older code (small 3)" in told
    (row,) = json.loads(run("dev", "tables", "--json", "--folder", str(folder)).stdout)["tables"]
    assert (row["measured"], row["older_code"], row["code_unknown"]) == (3, 3, 0)
    shown = run("reproduce", "small", "--games", "20", "--folder", str(folder)).stdout
    assert len(re.findall(r"s\.e\. +older", shown)) == 3
    assert "of 3 measured cells, 3 were measured by older code" in shown


def test_every_cell_knows_its_commit_and_its_code(folder: Path) -> None:
    result = run("reproduce", "small", "--games", "20", "--json", "--folder", str(folder))
    (table,) = json.loads(result.stdout)["tables"]
    measured = [cell for cell in table["cells"] if cell["verdict"] != "unplayable"]
    kept = json.loads((folder / "results/reproductions/small.json").read_text())["runs"]
    assert {cell["code"] for cell in measured} == {entry["code"] for entry in kept}
    assert {cell["commit"] for cell in measured} == {entry["made"]["commit"] for entry in kept} == {commit_here()}


def test_outdated_cells_are_measured_again_on_request(folder: Path) -> None:
    words = ("reproduce", "small", "--games", "20", "--folder", str(folder))
    run(*words)
    path = folder / "results/reproductions/small.json"
    before = path.read_text()
    path.write_text(re.sub('"code": "[0-9a-f]+"', '"code": "older"', before))
    run(*words)
    assert '"code": "older"' in path.read_text()
    run(*words, "--remeasure", "outdated")
    assert json.loads(path.read_text())["runs"][0]["code"] == json.loads(before)["runs"][0]["code"]


def test_only_some_rows_are_measured_if_that_is_asked(folder: Path) -> None:
    result = run("reproduce", "small", "--row", "care", "--games", "20", "--folder", str(folder))
    assert result.exit_code == 0, result.output
    data = json.loads((folder / "results/reproductions/small.json").read_text())
    assert [entry["agents"] for entry in data["runs"]] == [["careful", "careful"]]
    assert "careful" in result.stdout
    assert "random" not in result.stdout
    (table,) = json.loads(run("reproduce", "small", "--row", "care", "--json", "--folder", str(folder)).stdout)[
        "tables"
    ]
    assert {cell["row"] for cell in table["cells"]} == {"careful"}


def test_games_played_again_for_a_claim_are_explained(folder: Path) -> None:
    words = ("reproduce", "small", "--games", "20", "--folder", str(folder))
    assert "again" not in run(*words, "--row", "care").stderr
    told = " ".join(run(*words, "--row", "random").stderr.split())
    assert "playing 20 games of careful again: a claim is tested deck by deck, and only a --store keeps games" in told
    assert "again" not in run(*words).stderr


def test_a_row_that_there_is_not_is_named(folder: Path) -> None:
    wrong = run("reproduce", "small", "--row", "nobody", "--folder", str(folder))
    assert "no row of small is called 'nobody'" in complaint(wrong)
    assert "--row goes with the names of tables" in complaint(run("reproduce", "vdb", "--row", "x"))
