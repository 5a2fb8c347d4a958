"""The pages of documents: each table, definition, algorithm and claim in the document's order, with what we found.

There is a page for each file of reproductions/documents, and an index with all tables and the sums.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from kagiya.lab.papers import documents, paper_tables, verdicts
from kagiya.lab.papers.documents import ClaimFinding, ClaimVerdict, Document, DocumentItem, ItemKind, JudgedClaim
from kagiya.lab.papers.measurement import LEVEL, TableResults, finding, welch_test
from kagiya.lab.papers.paper_pages import markdown_table, source_lines, study_text
from kagiya.lab.papers.paper_tables import Claim, PaperCell, PaperRow, PaperTable
from kagiya.lab.papers.verdicts import CellStanding, TableCounts

FOLDER, INDEX = "docs/papers", "README.md"
SOURCES = "../../src/kagiya/"  # seen from there
BY_CHANCE = 0.0027  # of right figures, how many fall outside three standard errors
WRITTEN = (
    "Written by `kagiya dev report` from `src/kagiya/reproductions/` (`*.toml`, `documents/*.toml`) and "
    "`results/reproductions/*.json`; do not edit.\n"
)
FINDINGS = " What we make of them, with all that is needed to check it: [findings](../findings.md)."
LINK = re.compile(r"\]\((?!https?:|#|\.\./)")
STYLES = {ClaimVerdict.DOES_NOT_HOLD: "**{}**", ClaimVerdict.CANNOT_SAY: "*{}*"}  # of single findings


@dataclass(frozen=True)
class DocumentPage:
    """A document with all that was found for it: what its page and the index say."""

    document: Document
    tables: Sequence[tuple[PaperTable, TableResults, TableCounts]]
    claims: Sequence[JudgedClaim]

    @classmethod
    def of(cls, document: Document, measured: documents.MeasuredTables) -> DocumentPage:
        """Count the cells, judge the claims."""
        pairs = [(measured.tables[name], measured.results(name)) for name in document.tables]
        tables = [(table, results, verdicts.tally(table, results)) for table, results in pairs]
        claims = [item for item in document.items if item.kind == ItemKind.CLAIM]
        return cls(document, tables, [documents.judge_claim(claim, measured) for claim in claims])

    @property
    def counts(self) -> TableCounts:
        """All cells that count: those of published tables, but for repaired ones."""
        return sum((counts for table, _, counts in self.tables if table.counted and not table.own), TableCounts())

    @property
    def verdicts(self) -> Counter[ClaimVerdict]:
        return Counter(claim.verdict for claim in self.claims)


def all_pages(folder: Path) -> dict[str, str]:
    """Every page and the index, by their places in a project."""
    measured = documents.MeasuredTables(folder)
    found = documents.read_documents(folder, measured.tables)
    pages = [DocumentPage.of(document, measured) for document in found.values()]
    texts = {f"{FOLDER}/{page.document.name}.md": document_page(page) for page in pages}
    remark = "" if (folder / paper_tables.FOLDER).is_dir() else FINDINGS
    return texts | {f"{FOLDER}/{INDEX}": index_page(pages, remark)}


def index_page(pages: Sequence[DocumentPage], remark: str) -> str:
    """What the pages are, how to read them, how all tables stand."""
    counts = sum((page.counts for page in pages), TableCounts())
    return "\n".join(
        [
            "# Documents and ours\n",
            WRITTEN,
            "A page for each document, or for what belongs together: its tables, definitions, algorithms and claims in "
            f"its own order, each beside what answers it here.{remark}\n",
            cells_table({f"[{page.document.title}]({page.document.name}.md)": page.counts for page in pages}) + "\n",
            claims_counts({f"[{page.document.name}]({page.document.name}.md)": page.verdicts for page in pages}) + "\n",
            *how_to_read(),
            "## All tables\n",
            overview(pages) + "\n",
            expectation(counts) + "\n",
        ]
    )


def how_to_read() -> list[str]:
    """What distances, marks and verdicts mean."""
    small, large = verdicts.SIZES
    return [
        "## How to read them\n",
        f"A **distance** is the difference in combined standard errors, the paper's rounding allowed for; beyond "
        f"{verdicts.WITHIN:g} a figure *differs*. A paper that prints no error counts with that of its games, or with "
        f"none if it does not say how many it played; games that all came out alike count as if one had been one step "
        f"off. With many games a small difference is many standard errors, so that the **sizes** are counted too: "
        f"scores off by less than {small:g} points, by up to {large:g}, by more.\n",
        "**Waiting**: ours to measure, and not measured yet. What has no agent here, or one that does not play by "
        "these rules, *cannot be played*; agents that a document only *quotes* are not ours to build. Neither has a "
        "verdict. Tables with mistakes repaired are shown, but not part of the sums.\n",
        f"Cells within {verdicts.WITHIN:g} may still be off together, so that each **row** is tested as a whole: the "
        f"sum of its squared distances is a chi-square with a degree of freedom for each match (of several figures "
        f"of one match the first counts). A row is *off* at p < {verdicts.OFF:g}. Allowing for rounding makes p "
        f"too large; our matches of a row are on the same decks, which chi-square does not know.\n",
        f"**Claims** are sentences in our words. The difference of two cells is tested at p < {LEVEL:g}, *paired* "
        f"where both were played on the same decks, else by Welch's test. A claim *holds* if every comparison finds "
        f"what is expected, and *does not hold* if one finds the opposite (where no difference is expected, any); "
        f"otherwise we *cannot say*. What is expected stands behind the rows; a column in brackets, or a table in "
        f"parentheses, is named where the rows do not tell. Differences in bold are against the claim, those in "
        f"italics too small for their errors. A printed figure holds within {verdicts.WITHIN:g} standard errors. "
        f"*Judged* claims are those that no cell can express; what they rest on stands beside them.\n",
    ]


def cells_table(rows: Mapping[str, TableCounts]) -> str:
    """Counts of cells, a line each, and their sum if there are several."""
    small, large = verdicts.SIZES
    head = ["", "cells", "measured", f"within {verdicts.WITHIN:g} s.e.", "differ", "waiting", "rows off"]
    head += [f"scores off < {small:g}", f"to {large:g}", f"> {large:g}"]
    every = dict(rows) | ({"all": sum(rows.values(), TableCounts())} if len(rows) > 1 else {})
    return markdown_table(head, [[name, *_cell_counts(counts)] for name, counts in every.items()])


def _cell_counts(each: TableCounts) -> list[str]:
    rows = f"{each.rows_off} of {each.rows}"
    return [*map(str, (each.cells, each.measured, each.close, each.outside, each.waiting)), rows, *map(str, each.sizes)]


def claims_counts(rows: Mapping[str, Counter[ClaimVerdict]]) -> str:
    """Counts of claims, a line each, and their sum if there are several."""
    every = dict(rows) | ({"all": sum(rows.values(), Counter[ClaimVerdict]())} if len(rows) > 1 else {})
    lines = [
        [name, str(counts.total()), *(str(counts[verdict]) for verdict in ClaimVerdict)]
        for name, counts in every.items()
    ]
    return markdown_table(["", "claims", "hold", "do not hold", "cannot say", "waiting"], lines)


def overview(pages: Sequence[DocumentPage]) -> str:
    """One line for each table of every page."""
    head = ["table", "where", "cells", "measured", f"within {verdicts.WITHIN:g} s.e.", "differ", "waiting", "rows off"]
    lines = [
        [f"[{table.name}]({page.document.name}.md#{table.name})", _where(table), *_cell_counts(counts)[:6]]
        for page in pages
        for table, _, counts in page.tables
        if not table.own
    ]
    total = sum((page.counts for page in pages), TableCounts())
    return markdown_table(head, [*lines, ["all", "", *_cell_counts(total)[:6]]], texts=2)


def _where(table: PaperTable) -> str:
    return table.where if table.counted else f"{table.where}; not in the sums"


def expectation(counts: TableCounts) -> str:
    """How many cells and rows chance alone would put outside."""
    return (
        f"Of {counts.measured} right figures about {counts.measured * BY_CHANCE:.1f} would differ by chance, and of "
        f"{counts.rows} right rows about {counts.rows * verdicts.OFF:.1f} would be off."
    )


def document_page(page: DocumentPage) -> str:
    """The whole page: a summary, then item by item."""
    document = page.document
    parts = [
        f"# {document.title}\n",
        WRITTEN,
        shown_here(document.intro.strip()) + "\n",
        f"How to read distances, verdicts and marks: [index]({INDEX}).\n",
        cells_table({"cells": page.counts}) + "\n",
    ]
    if page.claims:
        parts.append(claims_counts({"claims": page.verdicts}) + "\n")
    return "\n".join([*parts, *sections(page)])


def sections(page: DocumentPage) -> Iterator[str]:
    """The items in their order: tables one by one, what stands between them under headings."""
    tables = {table.name: (table, results) for table, results, _ in page.tables}
    claims = {id(claim.item): claim for claim in page.claims}
    for heading, items in headed(page.document.items, {name: table.title for name, (table, _) in tables.items()}):
        if items[0].table:
            yield table_section(heading, items[0], *tables[items[0].table])
            continue
        yield f"## {heading}\n"
        for is_claim, group in groupby(items, key=lambda item: item.kind == ItemKind.CLAIM):
            run = list(group)
            yield claims_table([claims[id(item)] for item in run]) if is_claim else definitions(run)


def headed(items: Sequence[DocumentItem], titles: Mapping[str, str]) -> Iterator[tuple[str, list[DocumentItem]]]:
    """Items by heading: a table has its own; others stand under the last one named since, else under their section."""
    names: list[str] = []
    name, times = "", Counter[str]()
    for item in items:
        if item.heading or item.table:
            name = item.heading or f"{item.section}: {titles[item.table]}"
        names.append(name or item.section)
        name = "" if item.table else name
    for (name, _), group in groupby(zip(names, items, strict=True), key=lambda pair: (pair[0], pair[1].table)):
        times[name] += 1
        yield name if times[name] == 1 else f"{name} ({times[name]})", [item for _, item in group]


def shown_here(text: str) -> str:
    """A text of a table or document, whose links are as seen from docs/, for a page one folder below."""
    return LINK.sub("](../", text)


def in_cell(text: str) -> str:
    """A text for a cell of a table: on one line, without what would end the cell."""
    return " ".join(shown_here(text).split()).replace("|", "\\|")


def definitions(items: Sequence[DocumentItem]) -> str:
    """What the document defines, where that is in the code, and where ours differs."""
    return "".join(_definition(item) for item in items)


def _definition(item: DocumentItem) -> str:
    parts = [f"- **{item.section}** ({item.kind}): {' '.join(shown_here(item.text).split())}"]
    if item.code:
        links = [f"[`{name.removeprefix('kagiya.')}`]({SOURCES}{documents.code_path(name)})" for name in item.code]
        parts.append(f"In the code: {', '.join(links)}.")
    if item.differs:
        parts.append(f"**Where ours differs**: {' '.join(shown_here(item.differs).split())}")
    return "\n  ".join(parts) + "\n"


def claims_table(claims: Sequence[JudgedClaim]) -> str:
    """A line for each claim."""
    head = ["claim", "section", "measured", "verdict", "games"]
    return markdown_table(head, [_claim_line(claim) for claim in claims], texts=4) + "\n"


def _claim_line(claim: JudgedClaim) -> list[str]:
    item = claim.item
    sentence = in_cell(item.text) + (f"<br>*Note*: {in_cell(item.note)}" if item.note else "")
    verdict = f"**{claim.text}**" if claim.verdict == ClaimVerdict.DOES_NOT_HOLD else claim.text
    shown = f"judged: {in_cell(item.evidence)}" if item.judged else findings_text(claim.findings)
    return [sentence, in_cell(item.section), shown, verdict, claim.games_text]


def findings_text(findings: Sequence[ClaimFinding]) -> str:
    """What was measured, column by column."""
    lines = []
    for title, group in groupby(findings, key=lambda each: each.title):
        texts = [STYLES.get(each.verdict, "{}").format(f"{each.column} {each.text}".strip()) for each in group]
        lines.append(f"{title}: {'; '.join(texts)}")
    return in_cell("<br>".join(lines))


def table_section(heading: str, item: DocumentItem, table: PaperTable, results: TableResults) -> str:
    """One table: rules, remarks, every measured cell with the note on its row, what is not measured, claims of it."""
    head = [f'<a id="{table.name}"></a>\n', f"## {heading}\n"]
    remarks = [f"{shown_here(text.strip())}\n" for text in (item.text, item.differs, table.note) if text.strip()]
    name = f"`{table.name}`: " + (f"{table.title}. " if item.heading else "")
    if table.own:
        return "\n".join([*head, f"{name}A question of ours.\n", *remarks, study_text(table, results) + "\n"])
    parts = [*head, f"{name}{_where(table)}. {verdicts.rules_line(table)}\n", *remarks]
    if found := verdicts.distances(table, results):
        head = ["row", "figure", "paper", "measured", "difference", "distance", "verdict"]
        parts += [
            markdown_table(head, [_cell_row(table, *pair) for pair in found]) + "\n",
            *rows_block(table, results),
            source_lines(table, results),
        ]
    parts += [*unmeasured_blocks(table, results), *notes_block(table)]
    if table.claims:
        parts.append(claims_block(table, results))
    return "\n".join(parts)


def notes_block(table: PaperTable) -> list[str]:
    """The notes that the rows refer to; what several rows say stands here once."""
    lines = []
    for note in distinct_notes(table):
        rows = [row for row in table.rows if row.note == note]
        name, labels = _note_name(table, rows[0]), "; ".join(row.label for row in rows)
        lines.append(f'- <a id="{_note_anchor(table, rows[0])}"></a>**{name}, {labels}**: {shown_here(note)}')
    return ["\n".join(lines) + "\n"] if lines else []


def distinct_notes(table: PaperTable) -> list[str]:
    """The notes of the rows, each once."""
    return list(dict.fromkeys(row.note for row in table.rows if row.note))


def _note_name(table: PaperTable, row: PaperRow) -> str:
    return f"note {distinct_notes(table).index(row.note) + 1}"


def _note_anchor(table: PaperTable, row: PaperRow) -> str:
    return f"{table.name}-{_note_name(table, row).replace(' ', '-')}"


def _note_mark(table: PaperTable, row: PaperRow) -> str:
    return f" [{_note_name(table, row)}](#{_note_anchor(table, row)})" if row.note else ""


def rows_block(table: PaperTable, results: TableResults) -> list[str]:
    """The rows as wholes, where a row is more than one match."""
    tests = [test for test in verdicts.row_tests(table, results) if test.matches > 1]
    if not tests:
        return []
    rows = [[test.label, test.text, "**off**" if test.is_off else ""] for test in tests]
    return [markdown_table(["row", "chi-square / matches, p", "verdict"], rows) + "\n"]


def _label(table: PaperTable, cell: PaperCell) -> str:
    # No score without its rules: where they differ within a table, each row names its own.
    return cell.row.label if len(verdicts.captions(table.cells())) == 1 else f"{cell.row.label} (`{cell.run.rules}`)"


def _cell_row(table: PaperTable, cell: PaperCell, distance: verdicts.Distance) -> list[str]:
    measured = distance.measured
    verdict = f"within {verdicts.WITHIN:g} s.e." if distance.is_close else f"**differs by {distance.difference:+.3f}**"
    return [
        _label(table, cell),
        cell.column.name,
        distance.figure.text,
        f"{measured.mean:.3f} ± {measured.error:.3f}",
        f"{distance.difference:+.3f}",
        f"{distance.in_errors:+.1f}",
        verdict + _note_mark(table, cell.row),
    ]


def unmeasured_blocks(table: PaperTable, results: TableResults) -> list[str]:
    """What is printed and not measured: waiting, impossible to play, or only quoted."""
    reasons = {
        CellStanding.WAITING: f"Waiting (`kagiya reproduce {table.name}` measures them):\n",
        CellStanding.UNPLAYABLE: "Cannot be played here:\n",
        CellStanding.QUOTED: "Quoted by the document, not ours to build:\n",
    }
    cells: dict[CellStanding, list[PaperCell]] = {}
    for cell in table.cells():
        cells.setdefault(verdicts.standing(table, results, cell), []).append(cell)
    shown = [(words, cells[reason], reason) for reason, words in reasons.items() if reason in cells]
    return [part for words, missing, reason in shown for part in (words, _missing_table(table, missing, reason))]


def _missing_table(table: PaperTable, cells: Sequence[PaperCell], reason: CellStanding) -> str:
    rows = []
    for label, group in groupby(cells, key=lambda cell: _label(table, cell)):
        found = list(group)
        printed = "; ".join(f"{cell.column.name} {cell.figure.text}" for cell in found if cell.figure)
        row = found[0].row
        agent = f"`{row.agent}`" + (f" with `{row.partners}`" if row.partners else "")
        why = f"; {paper_tables.why_waiting(found[0].run, table.planned)}" if reason == CellStanding.UNPLAYABLE else ""
        shown = [] if reason == CellStanding.QUOTED else [agent + why]
        rows.append([label + _note_mark(table, row), *shown, printed])
    head = ["row", "paper"] if reason == CellStanding.QUOTED else ["row", "agent", "paper"]
    return markdown_table(head, rows, texts=len(head)) + "\n"


def claims_block(table: PaperTable, results: TableResults) -> str:
    """What the paper says of significance, by its own numbers and by ours."""
    head = ["claim", "figure", "claimed", "printed numbers, Welch", "ours, Welch", "ours, paired", "verdict"]
    rows = [_claim_row(table, results, claim, column) for claim in table.claims for column in claim.expected]
    notes = [f"- **{claim.text}**: {claim.note}\n" for claim in table.claims if claim.note]
    intro = f"Claims of significance, at p < {LEVEL:g}; paired on common decks:\n"
    return "\n".join([intro, markdown_table(head, rows) + "\n", *notes])


def _claim_row(table: PaperTable, results: TableResults, claim: Claim, column: str) -> list[str]:
    cells = table.by_place()
    first, second = cells[claim.row, column], cells[claim.against, column]
    figures = [each.figure for each in (first, second) if each.figure]
    printed = welch_test(*((each.value, each.deviation or 0.0, each.games or 0) for each in figures))
    start = [claim.text, column, claim.expected[column], _difference(*printed)]
    ours = results.estimate(first), results.estimate(second)
    if ours[0] is None or ours[1] is None:
        return [*start, "waiting", "waiting", "waiting"]
    welch = welch_test(*((each.mean, each.deviation, each.games) for each in ours if each))
    paired = results.pairs.get((first.run, second.run))
    best = (paired.difference, paired.p_value) if paired else welch
    verdict = "holds" if finding(*best) == claim.expected[column] else f"**does not hold: {finding(*best)}**"
    return [*start, _difference(*welch), _difference(*best) if paired else "waiting", verdict]


def _difference(difference: float, p_value: float) -> str:
    return f"{difference:+.3f}, {verdicts.small_p_text(p_value)}"
