"""Documents as data: tables, definitions, algorithms and claims in their own order, and what of ours answers each.

They are read from reproductions/documents/*.toml; a table, row, column or place in the code that does not exist is
refused. A claim that compares cells gets its verdict from what was measured in them.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from statistics import NormalDist
from typing import Any

from kagiya.lab.papers import paper_tables
from kagiya.lab.papers.measurement import LEVEL, PairedTest, TableResults, finding, welch_test
from kagiya.lab.papers.paper_tables import Estimate, PaperCell, PaperTable, Reference, TableError, read_record
from kagiya.lab.papers.verdicts import FINE, SCORE, WITHIN, CellStanding, Distance, mean_text, standing, tally
from kagiya.spec import near

FOLDER = "documents"  # in the folder of tables
NO_DIFFERENCE, NOT_HIGHER = "no difference", "not higher"  # the second: no gain is shown; a loss may be
EXPECTED = ("higher", "lower", NO_DIFFERENCE, NOT_HIGHER)
PACKAGE = "kagiya"
Tables = Mapping[str, PaperTable]


class ItemKind(StrEnum):
    """What a document consists of."""

    TABLE = "table"
    FIGURE = "figure"
    DEFINITION = "definition"
    ALGORITHM = "algorithm"
    CLAIM = "claim"


class ClaimVerdict(StrEnum):
    """What our games say of a sentence."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    CANNOT_SAY = "cannot say"
    WAITING = "waiting"


# which keys an item may have besides kind, section, heading and text
KEYS = {
    ItemKind.TABLE: {"table"},
    ItemKind.FIGURE: {"table", "code", "differs"},
    ItemKind.DEFINITION: {"code", "differs"},
    ItemKind.ALGORITHM: {"code", "differs"},
    ItemKind.CLAIM: {"comparisons", "cells", "differing", "whole", "judged", "evidence", "note"},
}


@dataclass(frozen=True)
class ClaimComparison:
    """Two cells, or two rows column by column: what the first is expected to be, as in EXPECTED."""

    table: str
    row: str
    expected: str
    against: str = ""  # the other row; the same one if left out
    against_table: str = ""  # where it stands, if in another table
    columns: tuple[str, ...] = ()  # if neither these nor `column` are given, all that both rows have
    column: str = ""
    other_column: str = ""  # of the second cell, if another than the first's
    by: str = ""  # the size that the document states


@dataclass(frozen=True)
class DocumentItem:
    """A table, figure, definition, algorithm or claim of a document, in our words."""

    kind: ItemKind
    section: str
    heading: str = ""  # of what stands here until the next heading or table; a table's own
    text: str = ""
    table: str = ""
    code: tuple[str, ...] = ()  # module or module:name
    differs: str = ""  # where ours deviates, and what that is worth
    comparisons: tuple[ClaimComparison, ...] = ()
    cells: tuple[Reference, ...] = ()  # printed figures that ours agree with
    differing: tuple[Reference, ...] = ()  # printed figures that ours differ from
    whole: tuple[str, ...] = ()  # tables that agree in every cell
    judged: str = ""  # the verdict, where no cell can express the claim
    evidence: str = ""
    note: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether cells give its verdict."""
        return bool(self.comparisons or self.cells or self.differing or self.whole)


@dataclass(frozen=True)
class Document:
    """What one page is about."""

    name: str
    title: str
    intro: str
    items: tuple[DocumentItem, ...]

    @property
    def tables(self) -> list[str]:
        """The names of the tables that stand on its page."""
        return [item.table for item in self.items if item.table]


@dataclass(frozen=True)
class PlacedCell:
    """A cell and the table that it stands in."""

    table: PaperTable
    cell: PaperCell

    @property
    def kind(self) -> str:
        """The kind of quantity."""
        return self.cell.column.quantity.kind


class MeasuredTables:
    """All tables of a project, and what was measured for each, read when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.tables = folder, paper_tables.read_tables(folder)
        self._results: dict[str, TableResults] = {}

    def results(self, name: str) -> TableResults:
        """What was measured for a table."""
        if name not in self._results:
            self._results[name] = TableResults.read(self.folder, name)
        return self._results[name]

    def estimate(self, placed: PlacedCell) -> Estimate | None:
        """What a cell was measured to be, if it was."""
        return self.results(placed.table.name).estimate(placed.cell)

    def paired(self, first: PlacedCell, second: PlacedCell) -> PairedTest | None:
        """How much more the first scored on common decks, if that was tested for one of their tables."""
        for name in dict.fromkeys([first.table.name, second.table.name]):
            pairs = self.results(name).pairs
            if test := pairs.get((first.cell.run, second.cell.run)):
                return test
            if test := pairs.get((second.cell.run, first.cell.run)):
                return PairedTest(test.games, test.seed, -test.difference, test.error, test.p_value)
        return None


def read_documents(folder: Path, tables: Tables) -> dict[str, Document]:
    """The documents of a project with tables of its own, else those that come with Kagiya; checked, by name.

    Every published table must stand on exactly one of their pages; without documents, all stand on one page.
    """
    own = folder / paper_tables.FOLDER
    place: Traversable = (own if own.is_dir() else files(PACKAGE) / paper_tables.FOLDER) / FOLDER
    if not place.is_dir():
        return {page.name: page for page in [page_of_all(tables)]}
    documents = {name: read_document(path, tables) for name, path in paper_tables.table_files(place).items()}
    shown = {name for document in documents.values() for name in document.tables}
    left = [name for name, table in tables.items() if table.own and name not in shown]
    documents = {name: with_tables(each, left) for name, each in documents.items()}
    check_pages(documents, tables)
    return documents


def with_tables(document: Document, left: Sequence[str]) -> Document:
    """The document with the tables of our own that are named after it, such as goodman-depths, at the end."""
    ours = [name for name in left if name.startswith(f"{document.name}-")]
    items = [DocumentItem(ItemKind.TABLE, "Ours", table=name) for name in ours]
    return replace(document, items=(*document.items, *items))


def page_of_all(tables: Tables) -> Document:
    """The published tables as one document, where nobody says more of them."""
    printed = [table for table in tables.values() if not table.own]
    items = [DocumentItem(ItemKind.TABLE, table.where, table=table.name) for table in printed]
    return Document("tables", "Published tables", "", tuple(items))


def check_pages(documents: Mapping[str, Document], tables: Tables) -> None:
    """Refuse a published table that stands on no page, and any table that stands on several or twice."""
    for name, table in tables.items():
        pages = [document.name for document in documents.values() for shown in document.tables if shown == name]
        if len(pages) > 1 or not (pages or table.own):
            where = f"stands {len(pages)} times, in {', '.join(pages)}" if pages else "stands on no page"
            raise TableError(f"the table {name} {where}: one item of one file in {FOLDER}/ must show it")


def read_document(path: Traversable, tables: Tables) -> Document:
    """One document, checked against the tables and the code."""
    data = paper_tables.read_toml(path)
    items = tuple(read_item(entry, path) for entry in data.get("items", ()))
    name = path.name.removesuffix(".toml")
    document: Document = read_record(Document, {**data, "name": name, "items": items}, path)
    for item in items:
        check_item(item, tables, path)
    return document


def read_item(entry: dict[str, Any], path: Traversable) -> DocumentItem:
    """One item, with the keys of its kind."""
    kinds = {"comparisons": ClaimComparison, "cells": Reference, "differing": Reference}
    lists = {key: tuple(read_record(kind, each, path) for each in entry.get(key, ())) for key, kind in kinds.items()}
    item: DocumentItem = read_record(DocumentItem, {**entry, **lists}, path)
    if item.kind not in list(ItemKind):
        raise TableError(f"{path}, {item.section}: an item is a {', '.join(ItemKind)}, not a {item.kind!r}")
    allowed = {"kind", "section", "heading", "text", *KEYS[ItemKind(item.kind)]}
    if foreign := sorted(set(entry) - allowed):
        raise TableError(f"{path}, {item.section}: a {item.kind} has no {foreign[0]}; {near(foreign[0], allowed)}")
    return item


def check_item(item: DocumentItem, tables: Tables, path: Traversable) -> None:
    """Refuse an item that lacks what its kind needs, or refers to what does not exist."""
    try:
        _check_keys(item)
        for name in (item.table, *item.whole):
            if name and name not in tables:
                raise TableError(f"no table {name!r}; {near(name, tables)}")
            if name in item.whole and tables[name].own:
                raise TableError(f"nothing is printed in {name}")
        for reference in item.code:
            code_path(reference)
        for comparison in item.comparisons:
            compared_cells(comparison, tables)
        for cell in item.cells + item.differing:
            if find_cell(tables, cell.table, cell.row, cell.column).cell.figure is None:
                raise TableError(f"nothing is printed in {cell.table}, {cell.row}, {cell.column}")
    except TableError as error:
        raise TableError(f"{path}, {item.kind} of {item.section}: {error}") from None


def _check_keys(item: DocumentItem) -> None:
    if item.kind == ItemKind.CLAIM:
        _check_claim(item)
    elif item.kind == ItemKind.TABLE and not item.table:
        raise TableError("which table shows it?")
    elif item.kind != ItemKind.TABLE and not (item.table or item.text):
        raise TableError("say what it is, in `text`")
    elif item.kind in (ItemKind.DEFINITION, ItemKind.ALGORITHM) and not (item.code or item.differs):
        raise TableError("say where it is in the `code`, or that it is not, in `differs`")


def _check_claim(item: DocumentItem) -> None:
    verdicts = [verdict for verdict in ClaimVerdict if verdict != ClaimVerdict.WAITING]
    if not item.text:
        raise TableError("say what is claimed, in `text`")
    if item.judged and item.judged not in verdicts:
        raise TableError(f"judged is one of {', '.join(verdicts)}, not {item.judged!r}")
    if item.judged and item.is_measured:
        raise TableError("a claim that cells can express gets its verdict from them; leave out `judged`")
    if bool(item.judged) != bool(item.evidence):
        raise TableError(
            "`judged` needs `evidence`: what was measured, or why nothing can be said; and nothing else does"
        )
    if not (item.judged or item.is_measured):
        raise TableError("a claim needs comparisons, cells, or `judged` with `evidence`")


def find_cell(tables: Tables, table: str, row: str, column: str) -> PlacedCell:
    """The cell in a row and a column of a table; each must exist, and only once."""
    if table not in tables:
        raise TableError(f"no table {table!r}; {near(table, tables)}")
    found = tables[table]
    labels, names = [each.label for each in found.rows], [each.name for each in found.columns]
    if labels.count(row) > 1:
        raise TableError(f"{table} has {labels.count(row)} rows {row!r}, so that it cannot be told which is meant")
    for what, word, known in (("row", row, labels), ("column", column, names)):
        if word not in known:
            raise TableError(f"{table} has no {what} {word!r}; {near(word, known)}")
    cell = found.by_place().get((row, column))
    if cell is None:
        raise TableError(f"{table} has nothing in row {row!r} and column {column!r}")
    return PlacedCell(found, cell)


def compared_cells(comparison: ClaimComparison, tables: Tables) -> list[tuple[PlacedCell, PlacedCell]]:
    """The pairs of cells that a comparison is about."""
    _check_comparison(comparison)
    other, against = comparison.against_table or comparison.table, comparison.against or comparison.row
    columns = [comparison.column] if comparison.column else list(comparison.columns)
    if not columns:
        columns = _common_columns(tables, (comparison.table, comparison.row), (other, against))
    pairs = [
        (
            find_cell(tables, comparison.table, comparison.row, column),
            find_cell(tables, other, against, comparison.other_column or column),
        )
        for column in columns
    ]
    kinds = {cell.kind for pair in pairs for cell in pair}
    if len(kinds) > 1:
        raise TableError(f"{comparison.row}: {' and '.join(sorted(kinds))} in one comparison; name the columns")
    if paper_tables.CPU in kinds:
        raise TableError(f"{comparison.row}: the time of single games is not kept, so that it cannot be tested")
    return pairs


def claimed_cells(item: DocumentItem, tables: Tables) -> list[PlacedCell]:
    """All cells that the verdict of a claim comes from."""
    compared = [cell for each in item.comparisons for pair in compared_cells(each, tables) for cell in pair]
    printed = [find_cell(tables, each.table, each.row, each.column) for each in item.cells + item.differing]
    return [
        *compared,
        *printed,
        *(PlacedCell(tables[name], cell) for name in item.whole for cell in tables[name].cells()),
    ]


def _check_comparison(comparison: ClaimComparison) -> None:
    if comparison.expected not in EXPECTED:
        raise TableError(f"expected is one of {', '.join(EXPECTED)}, not {comparison.expected!r}")
    if comparison.column and comparison.columns:
        raise TableError(f"{comparison.row}: either `column` or `columns`")
    if comparison.other_column and not comparison.column:
        raise TableError(f"{comparison.row}: `other_column` goes with `column`")
    if not (comparison.against or comparison.against_table or comparison.other_column):
        raise TableError(f"{comparison.row}: compared with what? Give `against`, `against_table` or `other_column`")


def _common_columns(tables: Tables, *places: tuple[str, str]) -> list[str]:
    """The columns in which both rows have a cell."""
    for table, row in places:
        if table in tables and row in {each.label for each in tables[table].rows}:
            continue
        find_cell(tables, table, row, "")  # which says what is wrong
    first, second = ([c for r, c in tables[table].by_place() if r == row] for table, row in places)
    if common := [column for column in first if column in second]:
        return common
    raise TableError(f"{places[0][1]} and {places[1][1]} have no column in common")


def code_path(reference: str) -> str:
    """The file of `module` or `module:name`, seen from the package's folder; it must exist, and define the name."""
    module, _, name = reference.partition(":")
    top, *parts = module.split(".")
    inside = ["/".join(parts) + ".py", "/".join([*parts, "__init__.py"])]
    found = [path for path in inside if top == PACKAGE and parts and (files(PACKAGE) / path).is_file()]
    if not found:
        raise TableError(f"no module {module!r}")
    known = _defined_names(found[0])
    if name and name not in known:
        raise TableError(f"{module} does not define {name!r}; {near(name, known)}")
    return found[0]


@cache
def _defined_names(path: str) -> frozenset[str]:
    """What a module defines at its top level, and `Class.member`; without importing it, which would take long."""
    tree = ast.parse((files(PACKAGE) / path).read_text(encoding="utf-8"))
    return frozenset(_names_in(tree.body))


def _names_in(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name}" for name in _names_in(node.body))
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name))


@dataclass(frozen=True)
class ClaimFinding:
    """What one pair of cells, or one printed figure, says of a claim."""

    rows: str
    column: str  # empty if the rows name theirs
    placed: str  # the rows with their tables
    verdict: ClaimVerdict
    text: str  # a difference with its standard error, or why there is none
    games: tuple[int, ...] = ()
    expected: str = ""  # of the rows

    @property
    def title(self) -> str:
        """The rows, and what is expected of them."""
        return f"{self.rows}, {self.expected}" if self.expected else self.rows


@dataclass(frozen=True)
class JudgedClaim:
    """A claim with its verdict, and what that rests on."""

    item: DocumentItem
    verdict: ClaimVerdict
    findings: tuple[ClaimFinding, ...] = ()

    @property
    def text(self) -> str:
        """The verdict; of several findings, in how many it holds."""
        if len(self.findings) < 2:
            return str(self.verdict)
        holds = sum(each.verdict == ClaimVerdict.HOLDS for each in self.findings)
        words = "" if self.verdict == ClaimVerdict.HOLDS else "holds in "
        return f"{self.verdict} ({words}{holds} of {len(self.findings)})"

    @property
    def games_text(self) -> str:
        """How many games were played for a cell: the fewest and the most."""
        return fewest_and_most([count for each in self.findings for count in each.games])


def fewest_and_most(games: Sequence[int]) -> str:
    """Of some numbers of games; one if all are alike."""
    if not games:
        return ""
    return f"{min(games):,}" if min(games) == max(games) else f"{min(games):,} to {max(games):,}"


def judge_claim(item: DocumentItem, measured: MeasuredTables) -> JudgedClaim:
    """The verdict of a claim, from its cells if it has some."""
    if item.judged:
        return JudgedClaim(item, ClaimVerdict(item.judged))
    findings = [
        compare_cells(comparison, *pair, measured)
        for comparison in item.comparisons
        for pair in compared_cells(comparison, measured.tables)
    ]
    findings += [printed_finding(cell, measured) for cell in item.cells]
    findings += [differing_finding(cell, measured) for cell in item.differing]
    findings += [whole_finding(name, measured) for name in item.whole]
    return JudgedClaim(item, overall_verdict([each.verdict for each in findings]), told_apart(findings))


def told_apart(findings: Sequence[ClaimFinding]) -> tuple[ClaimFinding, ...]:
    """What was found; rows name their tables if another finding has rows of the same names in others."""
    places: dict[str, set[str]] = {}
    for each in findings:
        places.setdefault(each.rows, set()).add(each.placed)
    return tuple(replace(each, rows=each.placed) if len(places[each.rows]) > 1 else each for each in findings)


def names_of(*cells: PlacedCell) -> tuple[str, str, str]:
    """The rows of one cell or two, their column, and the rows with their tables.

    Where rows and columns differ each row has its column in brackets; rows of one name in two tables name these.
    """
    rows, columns = [each.cell.row.label for each in cells], [each.cell.column.name for each in cells]
    tables = [each.table.name for each in cells]
    if len(set(rows)) == len(set(columns)) == 2:
        rows, columns = [f"{row} [{column}]" for row, column in zip(rows, columns, strict=True)], []
    placed = [f"{row} ({table})" for row, table in zip(rows, tables, strict=True)]
    shown = placed if len(set(rows)) < len(set(tables)) else rows
    row, column, place = (" - ".join(dict.fromkeys(names)) for names in (shown, columns, placed))
    return row, column, place


def overall_verdict(verdicts: Sequence[ClaimVerdict]) -> ClaimVerdict:
    """One finding against a claim is enough, whatever the others will say; to hold it must hold everywhere."""
    against = (ClaimVerdict.DOES_NOT_HOLD, ClaimVerdict.WAITING, ClaimVerdict.CANNOT_SAY)
    return next((verdict for verdict in against if verdict in verdicts), ClaimVerdict.HOLDS)


def compare_cells(
    comparison: ClaimComparison, first: PlacedCell, second: PlacedCell, measured: MeasuredTables
) -> ClaimFinding:
    """Test one pair of cells: on common decks if they were played on such, else by means and deviations."""
    expected = comparison.expected + (f" by {comparison.by}" if comparison.by else "")
    names = names_of(first, second)
    if missing := _unmeasured(measured, first, second):
        return ClaimFinding(*names, *missing, expected=expected)
    test = cells_test(measured, first, second)
    verdict = expected_verdict(comparison.expected, finding(test.difference, test.p_value))
    limit = f", at most {test.limit:+.2f}" if comparison.expected == NOT_HIGHER else ""
    return ClaimFinding(*names, verdict, test.text + limit, test.games, expected)


def expected_verdict(expected: str, found: str) -> ClaimVerdict:
    """Whether it is as expected; if a difference was and none is found, there may still be one."""
    if found == expected or (expected == NOT_HIGHER and found != "higher"):
        return ClaimVerdict.HOLDS
    return ClaimVerdict.CANNOT_SAY if found == NO_DIFFERENCE else ClaimVerdict.DOES_NOT_HOLD


def _unmeasured(measured: MeasuredTables, *cells: PlacedCell) -> tuple[ClaimVerdict, str] | None:
    """Why cells cannot be compared: one is not measured yet, or never will be."""
    stands = [standing(each.table, measured.results(each.table.name), each.cell) for each in cells]
    for stand, words in ((CellStanding.QUOTED, "only quoted"), (CellStanding.UNPLAYABLE, "cannot be played")):
        if stand in stands:
            return ClaimVerdict.CANNOT_SAY, words
    return (ClaimVerdict.WAITING, "waiting") if CellStanding.WAITING in stands else None


@dataclass(frozen=True)
class CellsTest:
    """How far apart two measured cells are."""

    difference: float
    error: float
    p_value: float
    games: tuple[int, ...]
    paired: bool = False

    @property
    def limit(self) -> float:
        """The largest difference that the games leave open, by the normal distribution at the level of the tests."""
        return self.difference + NormalDist().inv_cdf(1 - LEVEL / 2) * self.error

    @property
    def text(self) -> str:
        """The difference and its standard error."""
        decimals = 2 if self.error >= FINE else 4
        return f"{self.difference:+.{decimals}f} ± {self.error:.{decimals}f}{' paired' if self.paired else ''}"


def cells_test(measured: MeasuredTables, first: PlacedCell, second: PlacedCell) -> CellsTest:
    """The best test that the result files allow."""
    is_score = first.kind == second.kind == SCORE.kind
    if is_score and (pair := measured.paired(first, second)):
        return CellsTest(pair.difference, pair.error, pair.p_value, (pair.games,), paired=True)
    samples = [_sample(placed, measured.estimate(placed)) for placed in (first, second)]
    errors = [deviation / math.sqrt(games) for _, deviation, games in samples]
    games = tuple(games for *_, games in samples)
    if first.cell.run == second.cell.run:  # two numbers of the same games vary together, at worst against each other
        difference, error = samples[0][0] - samples[1][0], sum(errors)
        return CellsTest(difference, error, math.erfc(abs(difference) / error / math.sqrt(2)), games)
    welch = welch_test(*samples)
    return CellsTest(welch.difference, math.hypot(*errors), welch.p_value, games)


def _sample(placed: PlacedCell, found: Estimate | None) -> tuple[float, float, int]:
    """Mean, deviation and games; games that all came out alike count as if one had been one step off."""
    assert found is not None
    least = placed.cell.column.quantity.least_error(found.games) * math.sqrt(found.games)
    return found.mean, max(found.deviation, least), found.games


def printed_finding(reference: Reference, measured: MeasuredTables) -> ClaimFinding:
    """Whether a figure of the text is within reach of ours."""
    placed = find_cell(measured.tables, reference.table, reference.row, reference.column)
    names = names_of(placed)
    if missing := _unmeasured(measured, placed):
        return ClaimFinding(*names, *missing)
    figure, found = placed.cell.figure, measured.estimate(placed)
    assert figure is not None
    assert found is not None
    distance = Distance(figure, found, placed.cell.column.quantity)
    verdict = ClaimVerdict.HOLDS if distance.is_close else ClaimVerdict.DOES_NOT_HOLD
    return ClaimFinding(*names, verdict, f"{mean_text(found)}, printed {figure.text}", (found.games,))


def differing_finding(reference: Reference, measured: MeasuredTables) -> ClaimFinding:
    """Whether a figure of the text is out of reach of ours, as is claimed."""
    found, other = printed_finding(reference, measured), ClaimVerdict.DOES_NOT_HOLD
    verdicts = {ClaimVerdict.HOLDS: other, other: ClaimVerdict.HOLDS}
    return replace(found, expected="differs from print", verdict=verdicts.get(found.verdict, found.verdict))


def whole_finding(name: str, measured: MeasuredTables) -> ClaimFinding:
    """Whether every figure of a table is within reach of ours, and no row of it off as a whole."""
    table, results = measured.tables[name], measured.results(name)
    counts = tally(table, results)
    games = [found.games for cell in table.cells() if (found := results.estimate(cell))]
    verdict = ClaimVerdict.WAITING if counts.waiting else ClaimVerdict.HOLDS
    if counts.outside or counts.rows_off:
        verdict = ClaimVerdict.DOES_NOT_HOLD
    text = f"{counts.close} of {counts.cells} within {WITHIN:g} s.e., {counts.rows_off} of {counts.rows} rows off"
    return ClaimFinding(f"{name} ({table.where})", "every cell", name, verdict, text, tuple(games))
