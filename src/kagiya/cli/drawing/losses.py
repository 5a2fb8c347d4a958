"""Points lost, for the eye: by a move, by each seat of a game, and on average of a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from kagiya.cards import SEAT_NAMES
from kagiya.cli.console import out
from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.page import draw_page
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, name_cell, number_cell
from kagiya.engine.game import Game
from kagiya.lab.statistics.pace import Risk, efficiency, pace_risk, required_efficiency
from kagiya.lab.statistics.regret import INDIRECT, REGRETS, SOURCES, MoveCost, RegretSummary
from kagiya.lab.statistics.summary import Summary

RISK_STYLES = {Risk.LOW: "default", Risk.MEDIUM: "yellow", Risk.HIGH: "bold yellow", Risk.ZERO: "bold red"}
CAUSES = dict(zip(SOURCES, ("a needed card is gone", "a needed card is gone", "the game is over"), strict=True))
REGRET_COLUMNS = (Column("direct", leaves=3), Column("indirect", leaves=3), Column("total", leaves=4))


def cost_text(cost: MoveCost, is_open: bool) -> Text:
    """What a move cost, in words; nothing if nothing. Who does not see all hands is not told of indirect losses."""
    parts = []
    if cost.direct:
        parts.append(f"costs {points_word(cost.direct)}: {CAUSES[cost.source or '']}")
    if is_open and cost.indirect > 0:
        parts.append(f"leaves no turn for {points_word(cost.indirect)}")
    if is_open and cost.indirect < 0:
        parts.append(f"{points_word(-cost.indirect)} of it had no turn left anyway")
    return Text(", ".join(parts), "bold red" if cost.total > 0 else "red")


def points_word(points: int) -> str:
    """``1 point``, ``2 points``."""
    return f"{points} point{'' if points == 1 else 's'}"


def pace_text(now: int | None, players: int) -> Text:
    """A pace in the color of its risk; a dash where there is none."""
    return Text("-", QUIET) if now is None else Text(str(now), RISK_STYLES[pace_risk(now, players)])


def needed_text(game: Game) -> Text:
    """Cards that each hint to come must get, on average; a dash once the deck is empty."""
    required = required_efficiency(game)
    return Text("-", QUIET) if required is None else Text(f"{float(required):.2f}")


def metrics_text(game: Game) -> Text:
    """The efficiency of a position in one line; its pace stands beside the deck."""
    so_far = efficiency(game)
    had = Text("-", QUIET) if so_far is None else Text(f"{float(so_far):.2f}")
    return Text.assemble(("efficiency needed ", QUIET), needed_text(game), (", so far ", QUIET), had)


def draw_game_losses(costs: Sequence[MoveCost], players: int) -> RenderableType:
    """Who lost the points of one game."""
    if all(cost.is_free for cost in costs):
        return Text("No move cost a point.", "green")
    rows = [dict.fromkeys((*SOURCES, INDIRECT), 0) for _ in range(players)]
    for turn, cost in enumerate(costs):
        row = rows[turn % players]
        row[INDIRECT] += cost.indirect
        if cost.source:
            row[cost.source] += cost.direct
    return Group(*draw_page([losses_table(SEAT_NAMES[:players], rows, 0)], out.width))


def draw_regret(regret: RegretSummary, agents: Sequence[str]) -> Table:
    """Who lost the points of a match, on average of a game."""
    is_mixed = len(set(agents)) > 1
    table = losses_table(SEAT_NAMES[: len(agents)], regret.seats, 2)
    if is_mixed:
        table.columns.insert(1, Column("agent", Kind.NAME))
        for row, agent in zip(table.rows, [*agents, ""], strict=True):
            row.cells.insert(1, name_cell(agent))
    return table


def losses_table(names: Sequence[str], rows: Sequence[Mapping[str, float]], digits: int) -> Table:
    """A line for each seat and one for the team: direct regret by source, indirect, and both together."""
    heads = (*SOURCES, *REGRETS)
    table = Table([Column("points lost", Kind.LABEL, style="default"), *(Column(head) for head in heads)])
    for name, row in zip(names, rows, strict=True):
        table.add(name, *_cells(row, digits))
    team = {key: sum(row[key] for row in rows) for key in (*SOURCES, INDIRECT)}
    table.add("team", *_cells(team, digits), style="bold")
    return table


def _cells(row: Mapping[str, float], digits: int) -> list[Cell]:
    by_source = [row[source] for source in SOURCES]
    direct, indirect = sum(by_source), row[INDIRECT]
    return [number_cell(value, digits) for value in (*by_source, direct, indirect, direct + indirect)]


def regret_cells(found: Summary) -> list[Cell]:
    """Mean regret of a team: direct, indirect, total."""
    lost = found.regret
    values = (None, None, None) if lost is None else (lost.direct, lost.indirect, lost.total)
    return [number_cell(value, 2) for value in values]
