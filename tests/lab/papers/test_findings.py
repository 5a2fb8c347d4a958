"""The findings: what their file may not lack, what the page says, and that its commands measure what it rests on."""

import shlex
from pathlib import Path

import pytest
import typer.main

from kagiya.cli.command_line import app
from kagiya.cli.commands.reproduce import choose
from kagiya.lab.papers.documents import MeasuredTables, claimed_cells
from kagiya.lab.papers.findings import (
    COMMAND,
    LiteratureFinding,
    findings_file,
    findings_page,
    findings_pages,
    read_findings,
)
from kagiya.lab.papers.paper_tables import Run, TableError, shipped_tables
from tests.children import PROJECT
from tests.lab.papers.test_documents import COMPARED, keep, project

__all__ = ["project"]  # the fixture
KEYS = {
    "text": '"Good is better."',
    "section": '"Somebody 2020, 4"',
    "said": '"They are alike."',
    "comparisons": f"[{COMPARED}]",
    "commands": '["kagiya reproduce one"]',
    "refuted_by": '"Games in which bad is better."',
}


def read(project: Path, **changes: str) -> tuple[LiteratureFinding, ...]:
    """One finding; an empty value leaves a key out."""
    lines = [f"{key} = {value}" for key, value in {**KEYS, **changes}.items() if value]
    (project / "findings.toml").write_text("\n".join(["[[findings]]", *lines]))
    return read_findings(project / "findings.toml", MeasuredTables(project).tables)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"said": ""}, "Good is better.: a finding needs `said`"),
        ({"commands": ""}, "a finding needs `commands`"),
        ({"commands": "[]"}, "a finding needs `commands`"),
        ({"refuted_by": '""'}, "a finding needs `refuted_by`"),
        ({"text": ""}, "say what is claimed"),
        ({"section": ""}, "missing.* 'section'"),
        ({"comparisons": ""}, "needs comparisons, cells, or `judged`"),
        ({"refuted": '"x"'}, "no key 'refuted'"),
        ({"commands": '["kagiya match careful"]'}, "is not `kagiya reproduce` with names of tables"),
        ({"commands": '["kagiya reproduce two"]'}, "is not `kagiya reproduce` with names of tables"),
        ({"commands": '["kagiya reproduce --tables"]'}, "is not `kagiya reproduce` with names of tables"),
        ({"commands": '["kagiya reproduce own"]'}, "no command measures one"),
    ],
)
def test_a_finding_that_cannot_be_checked_is_refused(project: Path, changes: dict[str, str], complaint: str) -> None:
    with pytest.raises(TableError, match=complaint):
        read(project, **changes)


def test_the_page_has_all_that_is_needed_to_check_a_finding(project: Path) -> None:
    keep(project, good=10.0, bad=2.0)
    page = findings_page(read(project, note='"one\\nnote"'), MeasuredTables(project))
    assert "| [1](#finding-1) | Good is better. | Somebody 2020, 4 | holds |" in page
    assert "**The literature** (Somebody 2020, 4): They are alike." in page
    assert "| good - bad, higher | 2 | +8.00 ± 0.28 | 100 | holds |" in page
    assert "**Verdict**: holds. Rules: `standard` (a bomb scores 0; empty hints illegal)." in page
    assert "**Note**: one note\n" in page
    assert "**Command**: `kagiya reproduce one`" in page
    assert "**What would refute it**: Games in which bad is better." in page


def test_a_finding_that_no_cell_can_express_shows_its_evidence(project: Path) -> None:
    found = read(project, comparisons="", judged='"holds"', evidence='"one game, by hand"')
    page = findings_page(found, MeasuredTables(project))
    assert "**Measured**: one game, by hand" in page
    assert "**Verdict**: holds." in page


def test_a_project_with_tables_of_its_own_has_no_page_of_our_findings(project: Path) -> None:
    assert findings_pages(project) == {}


@pytest.mark.parametrize("finding", read_findings(findings_file(), shipped_tables()), ids=lambda each: each.claim.text)
def test_the_commands_measure_every_cell_that_a_finding_rests_on(finding: LiteratureFinding) -> None:
    played: dict[str, set[Run]] = {}
    for command in finding.commands:
        words = shlex.split(command)[len(COMMAND) :]
        context = typer.main.get_command(app).commands["reproduce"].make_context("reproduce", words)  # type: ignore[attr-defined]
        chosen = choose(context.params["names"], False, PROJECT).only(context.params["rows"] or [])
        for table in chosen.tables:
            wanted = chosen.runs(table)
            runs = {cell.run for cell in table.cells()} if wanted is None else wanted
            played.setdefault(table.name, set()).update(runs)
    for placed in claimed_cells(finding.claim, shipped_tables()):
        assert placed.cell.run in played[placed.table.name], f"{placed.table.name}: {placed.cell.row.label}"
