"""The page of published tables, written from the table files and their result files alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kagiya.lab.documents.markdown import markdown_table
from kagiya.lab.papers.claims import LEVEL, finding, welch_test
from kagiya.lab.papers.distance import WITHIN, Distance
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import TableResults
from kagiya.lab.papers.standing import OFF, Tally, distances, row_tests, tally
from kagiya.lab.papers.tables import Cell, Claim, PaperTable
from kagiya.rules import parse_rules

FINE = 0.005  # a smaller standard error is worth four decimals
BY_CHANCE = 0.0027  # of right figures, how many fall outside three standard errors


def reproductions_page(folder: Path) -> str:
    """The whole page: how all tables stand, then each of them."""
    printed = [table for table in read_tables(folder).values() if not table.own]
    tables = [(table, TableResults.read(folder, table.name)) for table in printed]
    tallies = [tally(table, results) for table, results in tables]
    return "\n".join(
        [
            "# Published tables and ours\n",
            "Written by `kagiya dev report` from `src/kagiya/reproductions/*.toml` and `results/reproductions/*.json`; "
            "do not edit.\n",
            f"A distance is the difference in combined standard errors, the paper's rounding allowed for; beyond "
            f"{WITHIN:g} a figure *differs*. A paper that prints no error counts with that of its games, or with none "
            f"if it does not say how many it played; games that all came out alike count as if one had "
            f"been one step off. *Waiting*: the agent is not built, or not measured yet.\n",
            f"Cells within {WITHIN:g} may still be off together, so that each row is tested as a whole: the sum of its "
            f"squared distances is a chi-square with a degree of freedom for each match (of several figures of one "
            f"match the first counts). A row is *off* at p < {OFF:g}. Allowing for rounding makes p too large; our "
            f"matches of a row are on the same decks, which chi-square does not know.\n",
            overview(tables, tallies) + "\n",
            expectation(tallies) + "\n",
            *(table_section(table, results) for table, results in tables),
        ]
    )


def overview(tables: Sequence[tuple[PaperTable, TableResults]], tallies: Sequence[Tally]) -> str:
    """One line for each table."""
    rows = [
        [f"[{table.name}](#{table.name})", table.where, *map(str, _counts(each))]
        for (table, _), each in zip(tables, tallies, strict=True)
    ]
    total = [sum(counts) for counts in zip(*map(_counts, tallies), strict=True)] if tallies else [0] * 7
    cells = ["cells", "measured", f"within {WITHIN:g} s.e.", "differ", "waiting"]
    head = ["table", "where", *cells, "rows measured", "rows off"]
    return markdown_table(head, [*rows, ["all", "", *map(str, total)]])


def _counts(each: Tally) -> tuple[int, ...]:
    return each.cells, each.measured, each.close, each.outside, each.waiting, each.rows, each.rows_off


def expectation(tallies: Sequence[Tally]) -> str:
    """How many cells and rows chance alone would put outside."""
    measured, rows = sum(each.measured for each in tallies), sum(each.rows for each in tallies)
    return (
        f"Of {measured} right figures about {measured * BY_CHANCE:.1f} would differ by chance, and of {rows} right "
        f"rows about {rows * OFF:.1f} would be off."
    )


def table_section(table: PaperTable, results: TableResults) -> str:
    """One table: rules, notes, every measured cell, what is waiting, what its author claimed."""
    parts = [f"## {table.name}\n", f"{table.title} ({table.where}). {rules_line(table)}\n"]
    if table.note:
        parts.append(table.note.strip() + "\n")
    if found := distances(table, results):
        head = ["row", "figure", "paper", "measured", "difference", "distance", "verdict"]
        parts += [
            markdown_table(head, [_cell_row(table, *pair) for pair in found]) + "\n",
            *rows_block(table, results),
            source_lines(table, results),
        ]
    parts += [f"- **{row.label}**: {row.note}\n" for row in table.rows if row.note]
    parts += waiting_lines(table, results)
    if table.claims:
        parts.append(claims_block(table, results))
    return "\n".join(parts)


def rows_block(table: PaperTable, results: TableResults) -> list[str]:
    """The rows as wholes, where a row is more than one match."""
    tests = [test for test in row_tests(table, results) if test.matches > 1]
    if not tests:
        return []
    rows = [[test.label, test.text, "**off**" if test.is_off else ""] for test in tests]
    return [markdown_table(["row", "chi-square / matches, p", "verdict"], rows) + "\n"]


def study_block(folder: Path, table: PaperTable) -> str:
    """A question of our own: a line for each row, a column for each setting, and where the numbers come from."""
    results = TableResults.read(folder, table.name)
    rows = []
    for row in table.rows:
        cells = [cell for cell in table.cells() if cell.row is row]
        rows.append([row.label, f"`{row.agent}`", *(_measured(results, cell) for cell in cells)])
    names = [column.name for column in table.columns]
    shown = [markdown_table(["", "agent", *names], rows), *pairs_block(table, results, names)]
    if table.pool:
        shown.append(f"Partners: every game a new team, drawn from {', '.join(f'`{text}`' for text in table.pool)}.")
    return "\n\n".join([*shown, rules_line(table), source_lines(table, results)]).rstrip()


def pairs_block(table: PaperTable, results: TableResults, names: Sequence[str]) -> list[str]:
    """The differences that a question of our own asks for, on common decks."""
    runs = {(cell.row.label, cell.column.name): cell.run for cell in table.cells()}
    rows = []
    names = [name for name in names if any(name in claim.expected for claim in table.claims)]
    for claim in table.claims:
        asked = [(runs[claim.row, name], runs[claim.against, name]) for name in names]
        found = [
            results.pairs.get(pair) if name in claim.expected else None for name, pair in zip(names, asked, strict=True)
        ]
        rows.append([claim.text, *(f"{each.difference:+.2f} ± {each.error:.2f}" if each else "" for each in found)])
    return [markdown_table(["on the same decks, with the same partners", *names], rows)] if rows else []


def _measured(results: TableResults, cell: Cell) -> str:
    found = results.estimate(cell)
    if not found:
        return "not measured"
    decimals = 2 if found.error >= FINE else 4
    return f"{found.mean:.{decimals}f} ± {found.error:.{decimals}f}"


def rules_line(table: PaperTable) -> str:
    """The rules that the cells are played by, with their bomb and empty-hint rules."""
    shown = [f"{', '.join(f'`{text}`' for text in texts)} ({caption})" for caption, texts in captions(table).items()]
    return f"Rules: {'; '.join(shown)}."


def captions(table: PaperTable) -> dict[str, list[str]]:
    """The rules of a table by what they say of bombs and empty hints."""
    found: dict[str, list[str]] = {}
    for text in dict.fromkeys(cell.run.rules for cell in table.cells()):
        found.setdefault(parse_rules(text).caption().split("; ", 1)[1], []).append(text)
    return found


def _label(table: PaperTable, cell: Cell) -> str:
    # No score without its rules: where they differ within a table, each row names its own.
    return cell.row.label if len(captions(table)) == 1 else f"{cell.row.label} (`{cell.run.rules}`)"


def _cell_row(table: PaperTable, cell: Cell, distance: Distance) -> list[str]:
    measured = distance.measured
    verdict = f"within {WITHIN:g} s.e." if distance.is_close else f"**differs by {distance.difference:+.3f}**"
    return [
        _label(table, cell),
        cell.column.name,
        distance.figure.text,
        f"{measured.mean:.3f} ± {measured.error:.3f}",
        f"{distance.difference:+.3f}",
        f"{distance.in_errors:+.1f}",
        verdict,
    ]


def source_lines(table: PaperTable, results: TableResults) -> str:
    """The small print: which command measured, when, with what, how many games from which seed."""
    runs = {cell.run: results.runs[cell.run] for cell in table.cells() if cell.run in results.runs}
    lines: dict[str, int] = {}
    for run in runs.values():
        made = run.made
        commit = f", commit {made['commit']}" if made.get("commit") else ""
        line = (
            f"`{made['command']}`, {made['date']}, kagiya {made['kagiya']}{commit}, numba {made['numba']}; "
            f"{run.games:,} games a match from seed {run.seed}"
        )
        lines[line] = lines.get(line, 0) + 1
    return "".join(f"{line} ({count} matches).\n" for line, count in lines.items())


def waiting_lines(table: PaperTable, results: TableResults) -> list[str]:
    """The rows not measured, with what the paper prints."""
    missing: dict[str, list[str]] = {}
    agents: dict[str, str] = {}
    for cell in table.cells():
        if cell.figure and results.estimate(cell) is None:
            label = _label(table, cell)
            missing.setdefault(label, []).append(f"{cell.column.name} {cell.figure.text}")
            agents[label] = cell.row.agent + (f" with {cell.row.partners}" if cell.row.partners else "")
    if not missing:
        return []
    rows = [[label, f"`{agents[label]}`", "; ".join(figures)] for label, figures in missing.items()]
    return ["Waiting:\n", markdown_table(["row", "agent", "paper"], rows) + "\n"]


def claims_block(table: PaperTable, results: TableResults) -> str:
    """What the paper says of significance, by its own numbers and by ours."""
    head = ["claim", "figure", "claimed", "printed numbers, Welch", "ours, Welch", "ours, paired", "verdict"]
    rows = [_claim_row(table, results, claim, column) for claim in table.claims for column in claim.expected]
    notes = [f"- **{claim.text}**: {claim.note}\n" for claim in table.claims if claim.note]
    intro = f"Claims of significance, at p < {LEVEL:g}; paired on common decks:\n"
    return "\n".join([intro, markdown_table(head, rows) + "\n", *notes])


def _claim_row(table: PaperTable, results: TableResults, claim: Claim, column: str) -> list[str]:
    by_label = {(cell.row.label, cell.column.name): cell for cell in table.cells()}
    first, second = by_label[claim.row, column], by_label[claim.against, column]
    printed = _welch_of_print(first, second)
    start = [claim.text, column, claim.expected[column], _shown(*printed)]
    ours = results.estimate(first), results.estimate(second)
    if ours[0] is None or ours[1] is None:
        return [*start, "waiting", "waiting", "waiting"]
    welch = welch_test(*((each.mean, each.deviation, each.games) for each in ours if each))
    paired = results.pairs.get((first.run, second.run))
    best = (paired.difference, paired.p_value) if paired else (welch.difference, welch.p_value)
    verdict = "holds" if finding(*best) == claim.expected[column] else f"**does not hold: {finding(*best)}**"
    return [*start, _shown(welch.difference, welch.p_value), _shown(*best) if paired else "waiting", verdict]


def _welch_of_print(first: Cell, second: Cell) -> tuple[float, float]:
    figures = [each.figure for each in (first, second) if each.figure]
    test = welch_test(*((each.value, each.deviation or 0.0, each.games or 0) for each in figures))
    return test.difference, test.p_value


def _shown(difference: float, p_value: float) -> str:
    p_text = "p < 1e-6" if p_value < 1e-6 else f"p = {p_value:.2g}"
    return f"{difference:+.3f}, {p_text}"
