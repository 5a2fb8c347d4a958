"""The table of record: for each number of players the best of ours by time a move, beside all that was published."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from kagiya.lab.documents.markdown import markdown_table
from kagiya.lab.papers.page import FINE, source_lines
from kagiya.lab.papers.published import COUNTS, PrintedScore, bomb_text, printed_scores
from kagiya.lab.papers.reading import read_tables
from kagiya.lab.papers.results import TableResults
from kagiya.lab.papers.tables import Cell, PaperTable, Row
from kagiya.lab.statistics.quantities import CPU, Estimate
from kagiya.rules import parse_rules

NAMES = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}
HEAD = ["player", "how", "mean", "perfect", "bombs", "CPU a game", "games", "a bomb scores", "source"]
SECONDHAND = "*"


@dataclass(frozen=True)
class OurScore:
    """A row of ours: what was measured, by the kind of quantity."""

    row: Row
    cell: Cell
    found: Mapping[str, Estimate]

    @property
    def mean(self) -> Estimate:
        return self.found["score"]


def strength_block(folder: Path, table: PaperTable) -> str:
    """The whole record: the best of each group, then a list for each number of players, then what is not measured."""
    results, tables = TableResults.read(folder, table.name), read_tables(folder)
    ours = {players: our_scores(table, results, players) for players in COUNTS}
    printed = {players: printed_scores(table, players, tables) for players in COUNTS}
    parts = [summary(table, ours, printed)]
    for players in COUNTS:
        parts += [f"### {NAMES[players]} players", players_table(ours[players], printed[players])]
    return "\n\n".join([*parts, *waiting(table, results), source_lines(table, results)]).rstrip()


def our_scores(table: PaperTable, results: TableResults, players: int) -> list[OurScore]:
    """Our measured rows for a number of players, the highest mean first."""
    found: dict[int, OurScore] = {}
    for place, row in enumerate(table.rows):
        cells = [cell for cell in table.cells() if cell.row is row and cell.run.players == players]
        estimates = {cell.column.quantity.kind: results.estimate(cell) for cell in cells}
        known = {kind: estimate for kind, estimate in estimates.items() if estimate is not None}
        if "score" in known:
            found[place] = OurScore(row, cells[0], known)
    return sorted(found.values(), key=lambda score: -score.mean.mean)


def summary(table: PaperTable, ours: Mapping[int, list[OurScore]], printed: Mapping[int, list[PrintedScore]]) -> str:
    """The best of ours that think so long, in the order of the groups, and the best that was published."""
    rows, groups = [], list(dict.fromkeys(row.group for row in table.rows))
    for place, group in enumerate(groups):
        allowed = groups[: place + 1]  # who needs less time may play too
        best = [next((each for each in ours[players] if each.row.group in allowed), None) for players in COUNTS]
        rows.append([group, *(f"{mean_text(each.mean)}, {each.row.label}" if each else "" for each in best)])
    rivals = [[each for each in printed[players] if each.is_rival] for players in COUNTS]
    rows.append(["published", *(f"{each[0].mean}, {each[0].player.label}" if each else "" for each in rivals)])
    return markdown_table(["best", *(f"{players} players" for players in COUNTS)], rows)


def players_table(ours: list[OurScore], printed: list[PrintedScore]) -> str:
    """All players at a table of so many, ours in bold, the highest mean first."""
    lines = [(score.mean.mean, our_line(score)) for score in ours]
    lines += [(score.value, printed_line(score)) for score in printed]
    return markdown_table(HEAD, [line for _, line in sorted(lines, key=lambda pair: -pair[0])])


def our_line(score: OurScore) -> list[str]:
    """A row of ours."""
    run = score.cell.run
    bomb = bomb_text(str(parse_rules(run.rules, run.players).bomb_score))
    percents = [percent_text(score.found.get(kind)) for kind in ("share", "bombs")]
    return [
        f"**{score.row.label}** {seated(score.row)}",
        score.row.group,
        f"**{mean_text(score.mean)}**",
        *percents,
        cpu_text(score.found.get(CPU)),
        f"{score.mean.games:,}",
        bomb,
        "measured",
    ]


def printed_line(score: PrintedScore) -> list[str]:
    """A published player."""
    games = f"{score.games:,}" if score.games else ""
    perfect = f"{score.perfect} %" if score.perfect else ""
    source = score.where + (SECONDHAND if score.player.secondhand else "")
    return [score.player.label, score.player.group, score.mean, perfect, "", "", games, bomb_text(score.bomb), source]


def seated(row: Row) -> str:
    """Who sits at the table, as on the command line."""
    others = f", all others `{row.partners}`" if row.partners else ""
    return f"`{row.agent}`{others}"


def mean_text(found: Estimate) -> str:
    """A mean with its standard error; four decimals where it is worth them."""
    decimals = 2 if found.error >= FINE else 4
    return f"{found.mean:.{decimals}f} ± {found.error:.{decimals}f}"


def percent_text(found: Estimate | None) -> str:
    """A share of games, with its standard error unless no game or every game is in it."""
    if found is None:
        return ""
    return f"{mean_text(found)} %" if found.deviation else f"{found.mean:g} %"


def cpu_text(found: Estimate | None) -> str:
    """Processor time, in a unit that fits."""
    if found is None:
        return ""
    return f"{found.mean:.3g} s" if found.mean >= 0.1 else f"{1000 * found.mean:.2g} ms"


def waiting(table: PaperTable, results: TableResults) -> list[str]:
    """The rows that are not measured, or with fewer games than they should be, and how to go on."""
    rows = []
    for row in table.rows:
        runs = dict.fromkeys(cell.run for cell in table.cells() if cell.row is row)
        for run in runs:
            wanted, done = row.measure or table.measure, results.runs[run].games if run in results.runs else 0
            if done < wanted:
                command = f'`kagiya reproduce {table.name} --row "{row.label}"`'
                rows.append([f"{row.label} {seated(row)}", str(run.players), f"{done:,} of {wanted:,}", command])
    head = ["not measured, or with few games", "players", "games", "goes on with"]
    return [markdown_table(head, rows)] if rows else []
