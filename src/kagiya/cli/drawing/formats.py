"""Tables for documents and programs: Markdown, LaTeX and CSV, with all columns and all names in full."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Sequence

from kagiya.cli.drawing.table import Cell, Column, Kind, Name, Row, Table

LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "≤": r"$\le$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "…": r"\dots{}",
}
BOOKTABS = r"% needs \usepackage{booktabs}"


def markdown(parts: Sequence[str | Table]) -> str:
    """Paragraphs and pipe tables."""
    return _joined(parts, _markdown_table, lambda text: text)


def latex(parts: Sequence[str | Table]) -> str:
    """A tabular for each table; what stands around it as comments."""
    body = _joined(parts, _latex_table, lambda text: re.sub("^", "% ", text, flags=re.MULTILINE))
    return f"{BOOKTABS}\n{body}"


def comma_separated(parts: Sequence[str | Table]) -> str:
    """The tables alone, an empty line between two of them; a standard error has a column of its own."""
    return "\n".join(_csv_table(part) for part in parts if isinstance(part, Table)).rstrip("\n")


def _joined(parts: Sequence[str | Table], draw: Callable[[Table], str], write: Callable[[str], str]) -> str:
    pieces = [draw(part) if isinstance(part, Table) else write(part.strip("\n")) for part in parts if part]
    return "\n\n".join(piece for piece in pieces if piece.strip(" %\n"))


def _kept(table: Table) -> list[int]:
    return [place for place, column in enumerate(table.columns) if column.kind is not Kind.BAR]


def _heading(column: Column) -> str:
    return " ".join(column.heading.split())


def _markdown_table(table: Table) -> str:
    places = _kept(table)
    columns = [table.columns[place] for place in places]
    rules = ["---:" if column.kind is Kind.NUMBER else "---" for column in columns]
    lines = [[_heading(column) for column in columns], rules]
    lines += [[_full(row.cells[place]).replace("|", r"\|") for place in places] for row in table.rows]
    above = [f"**{table.title}**"] * bool(table.title) + [table.caption] * bool(table.caption)
    return "\n".join([*(f"{line}\n" for line in above), *(f"| {' | '.join(line)} |" for line in lines)])


def _latex_table(table: Table) -> str:
    places = _kept(table)
    columns = [table.columns[place] for place in places]
    kinds = "".join("r" if column.kind is Kind.NUMBER else "l" for column in columns)
    above = [f"% {line}" for line in (table.title, table.caption) if line]
    heading = _latex_line([_heading(column) for column in columns])
    rows = [_latex_line([_full(row.cells[place]) for place in places]) for row in table.rows]
    top = [r"\toprule", heading, r"\midrule"] if table.has_heading else [r"\toprule"]
    return "\n".join([*above, rf"\begin{{tabular}}{{{kinds}}}", *top, *rows, r"\bottomrule", r"\end{tabular}"])


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join("".join(LATEX_ESCAPES.get(sign, sign) for sign in cell) for cell in cells) + r" \\"


def _csv_table(table: Table) -> str:
    places = _kept(table)
    has_error = {place: any(row.cells[place].error_value is not None for row in table.rows) for place in places}
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    headings = [(_heading(table.columns[place]), has_error[place]) for place in places]
    writer.writerow(
        [word for name, error in headings for word in ([name, f"{name} s.e.".strip()] if error else [name])]
    )
    for row in table.rows:
        writer.writerow(list(_csv_cells(row, places, has_error)))
    return written.getvalue()


def _csv_cells(row: Row, places: Sequence[int], has_error: dict[int, bool]) -> Iterator[object]:
    for place in places:
        cell = row.cells[place]
        yield cell.text if cell.value is None else cell.value
        if has_error[place]:
            yield "" if cell.error_value is None else cell.error_value


def _full(cell: Cell) -> str:
    return (cell.shortened({}) if isinstance(cell, Name) else cell.text) + cell.error
