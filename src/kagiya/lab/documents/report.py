"""Tables in documents, written from result files: nobody types a measured number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kagiya.lab.provenance.result_files import read_result

BEGIN, END = "<!-- begin {name}: written by `kagiya report`, do not edit -->", "<!-- end {name} -->"

ROUNDED_AWAY = 0.005  # standard errors below this would be shown as 0.00

LEAGUE_PAGE = """# The league

Every agent but the searches, playing with copies of itself for two to five players; `kagiya league` plays it on your
machine, and `kagiya report` writes this page from what was measured. The mean is over the numbers of players that an
agent can play with. Agents that score 0 bomb: by the standard rules a team that loses its last life scores nothing.
Searches are on the page of [strength](strength.md), the papers' own figures beside ours on that of
[agents](agents.md).

![League of the zoo: mean score of every agent for two to five players](league.png)
"""


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
        raise StaleError(f"{document}: the block {name!r} is stale; run `kagiya report`")
    document.write_text(new, encoding="utf-8")
    return True


def write_page(document: Path, text: str, check: bool) -> bool:
    """Write a page that is generated as a whole; the same promises as `embed`."""
    if document.exists() and document.read_text(encoding="utf-8") == text:
        return False
    if check:
        raise StaleError(f"{document} is stale; run `kagiya report`")
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


def league_block(path: Path, best: int | None = None) -> str:
    """The league as a table: mean and standard error for each number of players; all, or the best that play fair."""
    data = read_result(path)
    counts = sorted({count for row in data["rows"] for count in row["players"]})
    shown = data["rows"] if best is None else [row for row in data["rows"] if not row["mark"]][:best]
    rows = [
        [
            f"`{row['agent']}`" + (f" ({row['mark']})" if row["mark"] else ""),
            *(_cell(row["players"].get(count)) for count in counts),
            f"{row['mean']:.2f}",
        ]
        for row in shown
    ]
    table = markdown_table(["agent", *(f"{count} players" for count in counts), "mean"], rows)
    extra = f"self-play, {data['games']:,} games a cell (Python agents a twentieth), {data['caption']}"
    return f"{table}\n\n{source_line(data, extra)}"


def league_page(path: Path) -> str:
    """The page of the whole league."""
    return f"{LEAGUE_PAGE}\n{league_block(path)}\n"


def search_block(path: Path) -> str:
    """How fast searches think, beside the program they come from, and how punctual they are."""
    data = read_result(path)
    head = ["search", "moves", "rollout", "convention", "iterations/s", "original", "times", "first move", "times"]
    rows = [
        [
            f"`{row['algorithm']}`",
            *(row[name] for name in ("rules", "rollout", "convention")),
            f"{row['iterations_per_second']:,.0f}",
            f"{max(row['original']):,.0f}" if row["original"] else "",
            f"{row['ratio']:.0f}" if row["ratio"] else "",
            f"{row['opening']:,.0f}",
            f"{row['opening_ratio']:.0f}" if row["opening_ratio"] else "",
        ]
        for row in data["rows"]
    ]
    late, given = data["overrun"], f"{data['milliseconds']:g} ms"
    text = (
        f"Original: {data['source']}. Two threads are {data['two_threads']:.2f} times as fast as one. Of "
        f"{late['moves']} moves given {given} the median took {late['median']:.2f} ms longer, the 99th percentile "
        f"{late['percentile_99']:.2f} ms."
    )
    if exact := data.get("exact"):  # files of before have none
        text += f" `{exact['agent']}` with `{exact['partner']}`, two players: {exact['rollouts']:,.0f} rollouts/s."
    extra = f"{data['players']} players, {given} a move, CPU time of one thread over whole games"
    return f"{markdown_table(head, rows)}\n\n{text}\n\n{source_line(data, extra)}"


def _cell(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return ""
    mean, se = cell["mean"], cell["se"]
    if se is None:
        return f"{mean:.2f}"
    decimals = 3 if 0 < se < ROUNDED_AWAY else 2
    return f"{mean:.{decimals}f} ± {se:.{decimals}f}"


def bench_block(path: Path) -> str:
    """The speeds as two tables: rates, and ratios to other programs measured in the same run."""
    data = read_result(path)
    rates = markdown_table(["what, on one core", "measured"], [[row["what"], row["shown"]] for row in data["rates"]])
    counts = list(data["peers"][0]["ratios"]) if data["peers"] else []
    ratios = markdown_table(
        ["random games: how many times faster Kagiya is than", *(f"{count} players" for count in counts)],
        [[peer["name"], *(f"{peer['ratios'][count]:,.0f}" for count in counts)] for peer in data["peers"]],
    )
    return f"{rates}\n\n{ratios}\n\n{source_line(data, 'CPU time, median of several rounds taken in turn')}"
