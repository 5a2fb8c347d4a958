"""The table of record: for each number of players the best of ours by time a move, beside all that was published."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kagiya.lab.papers import paper_pages, paper_tables, verdicts
from kagiya.lab.papers.measurement import TableResults
from kagiya.rules import BombScore, Rules

BOMBS = {"zero": "0", "keep": "its points", "": "not stated"}  # what a game scores after the last life
SEER = "sees its own hand"  # the group of players that are no rivals
USUAL_LIVES = Rules().lives
NAMES = {2: "Two", 3: "Three", 4: "Four", 5: "Five"}
HEAD = ["player", "how", "mean", "perfect", "bombs", "CPU a game", "games", "a bomb scores", "source"]
SECONDHAND = "*"


@dataclass(frozen=True)
class PrintedScore:
    """What was printed of a player at a table of one size."""

    player: paper_tables.PublishedPlayer
    mean: str = ""
    perfect: str = ""
    bomb: str = ""
    games: int | None = None
    where: str = ""
    by_usual_rules: bool = True  # three lives and no empty hints

    @property
    def value(self) -> float:
        return float(self.mean.split()[0])

    @property
    def is_rival(self) -> bool:
        """Whether it did what our players do, but for the score of a bomb."""
        return self.by_usual_rules and self.player.group != SEER


def printed_scores(
    table: paper_tables.PaperTable, players: int, tables: Mapping[str, paper_tables.PaperTable]
) -> list[PrintedScore]:
    """What was printed of every player at a table of this size, the highest mean first."""
    found = [score_of(player, players, tables) for player in table.published]
    return sorted((score for score in found if score), key=lambda score: -score.value)


def score_of(
    player: paper_tables.PublishedPlayer, players: int, tables: Mapping[str, paper_tables.PaperTable]
) -> PrintedScore | None:
    """What was printed of one player, in its own entry or in the tables that it refers to; None if nothing was."""
    key = str(players)
    score = PrintedScore(
        player,
        player.mean.get(key, ""),
        player.perfect.get(key, ""),
        player.bomb,
        player.games.get(key),
        player.source,
    )
    for cell, where in referred_cells(player, tables):
        if cell.run.players == players and cell.figure:
            score = _with_figure(score, cell, cell.figure, where)
    return score if score.mean else None


def _with_figure(
    score: PrintedScore, cell: paper_tables.PaperCell, figure: paper_tables.Figure, where: str
) -> PrintedScore:
    if cell.column.quantity.kind != "score":
        return replace(score, perfect=figure.text)
    rules = cell.run.parsed_rules()
    is_usual = rules.lives == USUAL_LIVES and not rules.empty_hints
    bomb, games = str(rules.bomb_score), figure.games
    return replace(score, mean=figure.text, bomb=bomb, games=games, where=where, by_usual_rules=is_usual)


def referred_cells(
    player: paper_tables.PublishedPlayer, tables: Mapping[str, paper_tables.PaperTable]
) -> Iterator[tuple[paper_tables.PaperCell, str]]:
    """The cells of other tables that hold figures of this player, which stand there and nowhere else."""
    for reference in player.cells:
        if reference.table not in tables:
            raise paper_tables.TableError(f"{player.label}: there is no table {reference.table!r}")
        table = tables[reference.table]
        cells = [cell for cell in table.cells() if _is_meant(cell, reference)]
        if not cells:
            raise paper_tables.TableError(
                f"{player.label}: {reference.table} has no row {reference.row!r} with such a column"
            )
        yield from ((cell, table.where) for cell in cells)


def _is_meant(cell: paper_tables.PaperCell, reference: paper_tables.Reference) -> bool:
    return cell.row.label == reference.row and reference.column in ("", cell.column.name)


def bomb_text(bomb: str) -> str:
    """What a game scores after the last life, for people."""
    return BOMBS[str(BombScore(bomb)) if bomb else ""]


@dataclass(frozen=True)
class OurScore:
    """A row of ours: what was measured, by the kind of quantity."""

    row: paper_tables.PaperRow
    cell: paper_tables.PaperCell
    found: Mapping[str, paper_tables.Estimate]

    @property
    def mean(self) -> paper_tables.Estimate:
        return self.found["score"]


def strength_block(folder: Path, table: paper_tables.PaperTable) -> str:
    """The whole record: the best of each group, then a list for each number of players, then what is not measured."""
    results, tables = TableResults.read(folder, table.name), paper_tables.read_tables(folder)
    ours = {players: our_scores(table, results, players) for players in paper_pages.COUNTS}
    printed = {players: printed_scores(table, players, tables) for players in paper_pages.COUNTS}
    parts = [summary(table, ours, printed)]
    for players in paper_pages.COUNTS:
        parts += [f"### {NAMES[players]} players", players_table(ours[players], printed[players])]
    return "\n\n".join([*parts, *waiting(table, results), paper_pages.source_lines(table, results)]).rstrip()


def our_scores(table: paper_tables.PaperTable, results: TableResults, players: int) -> list[OurScore]:
    """Our measured rows for a number of players, the highest mean first."""
    found: dict[int, OurScore] = {}
    for place, row in enumerate(table.rows):
        cells = [cell for cell in table.row_cells(row) if cell.run.players == players]
        estimates = {cell.column.quantity.kind: results.estimate(cell) for cell in cells}
        known = {kind: estimate for kind, estimate in estimates.items() if estimate is not None}
        if "score" in known:
            found[place] = OurScore(row, cells[0], known)
    return sorted(found.values(), key=lambda score: -score.mean.mean)


def summary(
    table: paper_tables.PaperTable, ours: Mapping[int, list[OurScore]], printed: Mapping[int, list[PrintedScore]]
) -> str:
    """The best of ours that think so long, in the order of the groups, and the best that was published."""
    rows, groups = [], list(dict.fromkeys(row.group for row in table.rows))
    for place, group in enumerate(groups):
        allowed = groups[: place + 1]  # who needs less time may play too
        best = [
            next((each for each in ours[players] if each.row.group in allowed), None) for players in paper_pages.COUNTS
        ]
        rows.append([group, *(f"{verdicts.mean_text(each.mean)}, {each.row.label}" if each else "" for each in best)])
    rivals = [[each for each in printed[players] if each.is_rival] for players in paper_pages.COUNTS]
    rows.append(["published", *(f"{each[0].mean}, {each[0].player.label}" if each else "" for each in rivals)])
    return paper_pages.markdown_table(["best", *(f"{players} players" for players in paper_pages.COUNTS)], rows)


def players_table(ours: list[OurScore], printed: list[PrintedScore]) -> str:
    """All players at a table of this size, ours in bold, the highest mean first."""
    lines = [(score.mean.mean, our_line(score)) for score in ours]
    lines += [(score.value, printed_line(score)) for score in printed]
    return paper_pages.markdown_table(HEAD, [line for _, line in sorted(lines, key=lambda pair: -pair[0])])


def our_line(score: OurScore) -> list[str]:
    """A row of ours."""
    run = score.cell.run
    bomb = bomb_text(str(run.parsed_rules().bomb_score))
    percents = [verdicts.percent_text(score.found.get(kind)) for kind in ("share", "bombs")]
    return [
        f"**{score.row.label}** {seated(score.row)}",
        score.row.group,
        f"**{verdicts.mean_text(score.mean)}**",
        *percents,
        verdicts.cpu_text(score.found.get(paper_tables.CPU)),
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


def seated(row: paper_tables.PaperRow) -> str:
    """Who sits at the table, as on the command line."""
    others = f", all others `{row.partners}`" if row.partners else ""
    return f"`{row.agent}`{others}"


def waiting(table: paper_tables.PaperTable, results: TableResults) -> list[str]:
    """The rows that are not measured, or with fewer games than they should be, and how to go on."""
    rows = []
    for row in table.rows:
        for run in dict.fromkeys(cell.run for cell in table.row_cells(row)):
            wanted, done = row.measure or table.measure, results.runs[run].games if run in results.runs else 0
            if done < wanted:
                command = f'`kagiya reproduce {table.name} --row "{row.label}"`'
                rows.append([f"{row.label} {seated(row)}", str(run.players), f"{done:,} of {wanted:,}", command])
    head = ["not measured, or with few games", "players", "games", "goes on with"]
    return [paper_pages.markdown_table(head, rows)] if rows else []
