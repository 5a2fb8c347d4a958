"""Our findings about the literature: what it says, what we measured, how to measure it again, what would refute it.

They are read from findings.toml. A finding is a claim of our own, with the keys of a document's claim: its verdict is
computed from the cells that it names, and no figure of ours is typed.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import takewhile
from pathlib import Path
from typing import Any

from kagiya.lab.papers import documents, paper_tables
from kagiya.lab.papers.document_pages import STYLES, in_cell
from kagiya.lab.papers.documents import ClaimFinding, DocumentItem, ItemKind, JudgedClaim, MeasuredTables
from kagiya.lab.papers.measurement import LEVEL
from kagiya.lab.papers.paper_pages import markdown_table
from kagiya.lab.papers.paper_tables import TableError
from kagiya.lab.papers.verdicts import WITHIN, cells_rules

PAGE = "docs/findings.md"
NEEDED = ("said", "commands", "refuted_by")  # besides what a claim has
COMMAND = ["kagiya", "reproduce"]
WRITTEN = (
    "Written by `kagiya dev report` from `src/kagiya/lab/papers/findings.toml` and `results/reproductions/*.json`; "
    "do not edit.\n"
)


@dataclass(frozen=True)
class LiteratureFinding:
    """A claim of ours about the literature, and what a reviewer needs to check it."""

    claim: DocumentItem  # its section is where the literature says it
    said: str
    commands: tuple[str, ...]
    refuted_by: str


def findings_file() -> Traversable:
    """The findings that come with Kagiya."""
    return files("kagiya.lab.papers") / "findings.toml"


def read_findings(path: Traversable, tables: documents.Tables) -> tuple[LiteratureFinding, ...]:
    """All findings of a file, checked against the tables."""
    return tuple(read_finding(entry, tables, path) for entry in paper_tables.read_toml(path)["findings"])


def read_finding(entry: dict[str, Any], tables: documents.Tables, path: Traversable) -> LiteratureFinding:
    """One finding; refused if something is missing, or its commands do not measure what it rests on."""
    claim = {key: value for key, value in entry.items() if key not in NEEDED}
    item = documents.read_item({**claim, "kind": ItemKind.CLAIM}, path)
    documents.check_item(item, tables, path)
    if missing := [key for key in NEEDED if not entry.get(key)]:
        raise TableError(f"{path}, {item.text}: a finding needs `{missing[0]}`")
    played = [name for command in entry["commands"] for name in tables_played(command, tables)]
    for placed in documents.claimed_cells(item, tables):
        if placed.table.name not in played:
            raise TableError(f"{path}, {item.text}: no command measures {placed.table.name}")
    return LiteratureFinding(item, entry["said"], tuple(entry["commands"]), entry["refuted_by"])


def tables_played(command: str, tables: documents.Tables) -> list[str]:
    """The tables that a command names."""
    words = shlex.split(command)
    names = list(takewhile(lambda word: not word.startswith("-"), words[len(COMMAND) :]))
    if words[: len(COMMAND)] != COMMAND or not names or not set(names) <= set(tables):
        raise TableError(f"{command!r} is not `kagiya reproduce` with names of tables")
    return names


def findings_pages(folder: Path) -> dict[str, str]:
    """The page by its place in a project; none where the tables are a project's own."""
    if (folder / paper_tables.FOLDER).is_dir():
        return {}
    measured = MeasuredTables(folder)
    return {PAGE: findings_page(read_findings(findings_file(), measured.tables), measured)}


def findings_page(findings: Sequence[LiteratureFinding], measured: MeasuredTables) -> str:
    """How to read and check them, a list, then one by one."""
    judged = [documents.judge_claim(each.claim, measured) for each in findings]
    lines = [
        [f"[{number}](#finding-{number})", in_cell(each.item.text), in_cell(each.item.section), each.text]
        for number, each in enumerate(judged, 1)
    ]
    sections = [
        finding_section(number, *pair, measured.tables)
        for number, pair in enumerate(zip(findings, judged, strict=True), 1)
    ]
    head = ["", "finding", "about", "verdict"]
    return "\n".join(
        ["# Findings\n", WRITTEN, *how_to_check(judged), markdown_table(head, lines, texts=4) + "\n", *sections]
    )


def how_to_check(judged: Sequence[JudgedClaim]) -> Iterator[str]:
    """What the figures and verdicts mean, and how to get figures of one's own."""
    tests = sum(len(each.findings) for each in judged)
    yield (
        "What we think we know about the literature that it does not say, or says otherwise, and where it is right to "
        "the last cell. The sentences are ours; the figures are those of the tables on the [pages of "
        "documents](papers/README.md) and of [search](search.md), [learning](learning.md), [hats](hats.md) and "
        "[allies](allies.md), and are put in by the program.\n"
    )
    yield (
        f"**Figures.** Every difference has one standard error behind ±, and says *paired* if both agents played the "
        f"same decks and were compared deck by deck; the others are compared by Welch's test. Behind the rows stands "
        f"what the finding expects. It *holds* if all of that is found at p < {LEVEL:g}, *does not hold* if one "
        f"difference is the other way; otherwise we *cannot say*, or it is *waiting* for games. *Not higher* only "
        f"says that these games show no gain, and *at most* how large a one they leave open at the same level. A "
        f"printed figure agrees within {WITHIN:g} combined standard errors. Nothing is corrected for the number of "
        f"lines, {tests}: where there is nothing, one comparison in a hundred finds something.\n"
    )
    yield (
        "**Checking.** In a clone the commands show what is kept in `results/reproductions`, and measure what is not. "
        "With `--folder elsewhere --seed 1000001` behind them they play everything again, on other decks, and keep it "
        "in that folder; some take hours. The tables name the agents.\n"
    )


def finding_section(number: int, finding: LiteratureFinding, judged: JudgedClaim, tables: documents.Tables) -> str:
    """One finding, in the order in which it would be checked."""
    item = finding.claim
    cells = [placed.cell for placed in documents.claimed_cells(item, tables)]
    parts = [
        f'<a id="finding-{number}"></a>\n',
        f"## {number}. {item.text}\n",
        f"**The literature** ({item.section}): {one_line(finding.said)}\n",
        f"**Measured**: {item.evidence}\n" if item.judged else measured_table(judged.findings) + "\n",
        f"**Verdict**: {judged.text}. {cells_rules(cells) if cells else ''}\n",
        *([f"**Note**: {one_line(item.note)}\n"] if item.note else []),
        f"**Command**: {'; '.join(f'`{command}`' for command in finding.commands)}\n",
        f"**What would refute it**: {one_line(finding.refuted_by)}\n",
    ]
    return "\n".join(parts)


def one_line(text: str) -> str:
    """A text without the line breaks of its file."""
    return " ".join(text.split())


def measured_table(found: Sequence[ClaimFinding]) -> str:
    """A line for each pair of cells."""
    rows = [
        [
            in_cell(each.title),
            in_cell(each.column),
            STYLES.get(each.verdict, "{}").format(in_cell(each.text)),
            documents.fewest_and_most(each.games),
            each.verdict,
        ]
        for each in found
    ]
    return markdown_table(["compared, and what is expected", "where", "measured", "games", "verdict"], rows, texts=2)
