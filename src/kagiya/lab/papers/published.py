"""Players of the literature as data: what was printed of each, where, by which bomb rule, for how many players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from kagiya.lab.papers.tables import Cell, Figure, PaperTable, PublishedPlayer, Reference, TableError
from kagiya.rules import BombScore, Rules, parse_rules

COUNTS = (2, 3, 4, 5)
BOMBS = {"zero": "0", "keep": "its points", "": "not stated"}  # what a game scores after the last life
SEER = "sees its own hand"  # the group of players that are no rivals
USUAL_LIVES = Rules().lives


@dataclass(frozen=True)
class PrintedScore:
    """What was printed of a player at a table of so many."""

    player: PublishedPlayer
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


def printed_scores(table: PaperTable, players: int, tables: Mapping[str, PaperTable]) -> list[PrintedScore]:
    """What was printed of every player at a table of so many, the highest mean first."""
    found = [score_of(player, players, tables) for player in table.published]
    return sorted((score for score in found if score), key=lambda score: -score.value)


def score_of(player: PublishedPlayer, players: int, tables: Mapping[str, PaperTable]) -> PrintedScore | None:
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


def _with_figure(score: PrintedScore, cell: Cell, figure: Figure, where: str) -> PrintedScore:
    if cell.column.quantity.kind != "score":
        return replace(score, perfect=figure.text)
    rules = parse_rules(cell.run.rules, cell.run.players)
    is_usual = rules.lives == USUAL_LIVES and not rules.empty_hints
    bomb, games = str(rules.bomb_score), figure.games
    return replace(score, mean=figure.text, bomb=bomb, games=games, where=where, by_usual_rules=is_usual)


def referred_cells(player: PublishedPlayer, tables: Mapping[str, PaperTable]) -> Iterator[tuple[Cell, str]]:
    """The cells of other tables that hold figures of this player, which stand there and nowhere else."""
    for reference in player.cells:
        if reference.table not in tables:
            raise TableError(f"{player.label}: there is no table {reference.table!r}")
        table = tables[reference.table]
        cells = [cell for cell in table.cells() if _is_meant(cell, reference)]
        if not cells:
            raise TableError(f"{player.label}: {reference.table} has no row {reference.row!r} with such a column")
        yield from ((cell, table.where) for cell in cells)


def _is_meant(cell: Cell, reference: Reference) -> bool:
    return cell.row.label == reference.row and reference.column in ("", cell.column.name)


def bomb_text(bomb: str) -> str:
    """What a game scores after the last life, for people."""
    return BOMBS[str(BombScore(bomb)) if bomb else ""]
