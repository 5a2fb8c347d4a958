"""`kagiya reproduce` with tables, and the page that `kagiya report` writes of them."""

import json
from pathlib import Path

import pytest

from kagiya.cli.commands.report import report
from kagiya.lab.documents.report import StaleError
from tests.cli.command import complaint, run
from tests.lab.papers.test_reproduction import SMALL


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "reproductions").mkdir()
    (tmp_path / "reproductions/small.toml").write_text(SMALL)
    return tmp_path


def test_a_table_is_measured_shown_and_kept(folder: Path) -> None:
    result = run("reproduce", "small", "--games", "20", "--folder", str(folder))
    assert result.exit_code == 0, result.output
    assert "2 waiting" in result.stdout
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
    run("reproduce", "small", "--games", "20", "--fresh", "--folder", str(folder))
    assert path.read_text() == before


def test_the_list_counts(folder: Path) -> None:
    (row,) = json.loads(run("reproduce", "--list", "--json", "--folder", str(folder)).stdout)["tables"]
    assert (row["cells"], row["runnable"], row["waiting"], row["measured"], row["last"]) == (5, 3, 2, 0, None)
    assert "never" in run("reproduce", "--list", "--folder", str(folder)).stdout


def test_a_table_for_machines(folder: Path) -> None:
    result = run("reproduce", "small", "--games", "20", "--json", "--folder", str(folder))
    (table,) = json.loads(result.stdout)["tables"]
    assert [cell["verdict"] == "waiting" for cell in table["cells"]] == [False, False, False, True, True]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("small", "vdb"), "is not a table"),
        (("--tables", "small"), "leave out the names"),
        (("small", "--games", "0"), "number of games"),
        (("smal",), "no agent named"),
    ],
)
def test_wrong_words_are_refused(folder: Path, words: tuple[str, ...], reason: str) -> None:
    assert reason in complaint(run("reproduce", *words, "--folder", str(folder)))


def test_a_stale_page_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kagiya.lab.documents import report as blocks

    for name in ("league_block", "bench_block", "agents_page"):
        monkeypatch.setattr(blocks, name, lambda path: "")
    monkeypatch.setattr(blocks, "embed", lambda *rest: False)
    report(False, folder)
    report(True, folder)
    run("reproduce", "small", "--games", "20", "--folder", str(folder))
    with pytest.raises(StaleError, match=r"reproductions\.md is stale"):
        report(True, folder)
    report(False, folder)
    report(True, folder)
    (folder / "reproductions/small.toml").write_text(SMALL.replace("10.0 (2.5)", "10.1 (2.5)"))
    with pytest.raises(StaleError, match=r"reproductions\.md is stale"):
        report(True, folder)
