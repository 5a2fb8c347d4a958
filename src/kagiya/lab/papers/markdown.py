"""Generated Markdown: tables, blocks and pages that are written from data, and found stale where they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

BEGIN, END = "<!-- begin {name}: written by `kagiya dev report`, do not edit -->", "<!-- end {name} -->"


class StaleError(ValueError):
    """A document that does not show what the result files say."""


def embed(document: Path, name: str, block: str, check: bool) -> bool:
    """Replace the block called `name`; returns whether it changed. With `check`, refuse to change it."""
    text = document.read_text(encoding="utf-8")
    begin, end = BEGIN.format(name=name), END.format(name=name)
    if text.count(begin) != 1 or text.count(end) != 1:
        raise StaleError(f"{document} needs one line {begin!r} and one line {end!r}")
    head, rest = text.split(begin)
    tail = rest.split(end)[1]
    new = f"{head}{begin}\n{block}\n{end}{tail}"
    if new == text:
        return False
    if check:
        raise StaleError(f"{document}: the block {name!r} is stale; run `kagiya dev report`")
    document.write_text(new, encoding="utf-8")
    return True


def write_page(document: Path, text: str, check: bool) -> bool:
    """Write a page that is generated as a whole; the same promises as `embed`."""
    if document.exists() and document.read_text(encoding="utf-8") == text:
        return False
    if check:
        raise StaleError(f"{document} is stale; run `kagiya dev report`")
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(text, encoding="utf-8")
    return True


def markdown_table(head: list[str], rows: list[list[str]]) -> str:
    """A table whose first column is text and whose others are numbers."""
    rule = ["---"] + ["---:"] * (len(head) - 1)
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, rule, *rows))


def source_line(data: dict[str, Any], extra: str) -> str:
    """The small print below a table."""
    made = data["made"]
    return f"`{made['command']}`, {made['date']}, kagiya {made['kagiya']}, numba {made['numba']}; {extra}."
