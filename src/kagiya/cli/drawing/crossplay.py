"""Teams of an experiment: a matrix of guests and hosts, or a line for each team."""

from __future__ import annotations

from kagiya.cli.drawing.table import Cell, Column, Kind, Table, mean_cell, number_cell, share_cell
from kagiya.lab.contests.crossplay import Cell as TeamCell
from kagiya.lab.contests.crossplay import Crossplay, team_of
from kagiya.lab.store.queries import GameTally
from kagiya.rules import parse_rules


def draw_crossplay(crossplay: Crossplay) -> Table:
    """The means, guests down, hosts across."""
    columns = [Column(host, is_agent=True) for host in crossplay.agents]
    title = f"One of the row with {crossplay.players - 1} of the column, mean ± s.e."
    table = Table([Column("", Kind.NAME), *columns], title=title, caption=caption(crossplay), errors_leave=1)
    for guest in crossplay.agents:
        table.add(guest, *(mean_of(crossplay.cells.get((guest, host))) for host in crossplay.agents))
    return table


def draw_teams(cells: dict[TeamCell, GameTally]) -> Table:
    """A line for each team."""
    table = Table(
        [
            Column("team", Kind.NAME),
            *(Column("rules", Kind.TEXT), Column("players", leaves=6), Column("games", leaves=5)),
            *(Column("mean"), Column("perfect", leaves=3), Column("bombs", leaves=4)),
            *(Column("direct", leaves=1), Column("indirect", leaves=1), Column("total", leaves=2)),
        ]
    )
    for (rules, players, cell), tally in cells.items():
        rates = [share_cell(count / tally.games) for count in (tally.perfect, tally.bombs)]
        regret = [number_cell(lost, 2) for lost in (tally.direct, tally.indirect, tally.direct + tally.indirect)]
        team = " + ".join(team_of(cell, players))
        table.add(team, rules, players, tally.games, mean_of(tally), *rates, *regret)
    return table


def caption(crossplay: Crossplay) -> str:
    """The rules, without which no score is shown."""
    return f"{crossplay.rules}: {parse_rules(crossplay.rules, crossplay.players).caption()}"


def mean_of(tally: GameTally | None) -> Cell:
    """A mean with its standard error."""
    return mean_cell(None, None) if tally is None else mean_cell(tally.mean, tally.se)
