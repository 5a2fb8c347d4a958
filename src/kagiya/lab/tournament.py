"""Cross-play (each agent as a guest among copies of another) and tournaments as at the CIG competitions.

A tournament has a mirror track (with copies of oneself) and a mixed track (as a guest). The documents say of the
competition of 2018: 2 to 5 players, 40 ms a move, points kept after the last life, decks unknown beforehand, and in the
mixed track teams of unknown agents, the other entrants among them (Goodman 2019, sections I, VI and VII). They do not
say how many games were played, nor what became of a late move: here a random one is made instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from kagiya.agents.api import Agent
from kagiya.lab.deals import OWN
from kagiya.lab.experiment import PlannedMatch, Seating, one_among, one_with
from kagiya.lab.match.match import Match
from kagiya.lab.store.cells import cells_of, select_games
from kagiya.lab.store.queries import PARTS, TALLY, GameFilter, GameTally, chosen_teams, tally_run
from kagiya.lab.store.recording import RunReport
from kagiya.lab.store.store import Store
from kagiya.lab.summary import MIN_GAMES, UNKNOWN_INTERVAL, student_quantile
from kagiya.lab.table.timed_table import Clock, Late
from kagiya.rules import parse_rules

Cell = tuple[str, int, tuple[str, ...]]  # rules, players, and who


@dataclass(frozen=True)
class Crossplay:
    """The matrix for one number of players: rows are guests, columns their hosts."""

    rules: str
    players: int
    agents: tuple[str, ...]
    cells: dict[tuple[str, str], GameTally]

    def to_json(self) -> dict[str, Any]:
        """Lists of rows, in the order of the agents; null for pairs not played."""
        found = [[self.cells.get((row, column)) for column in self.agents] for row in self.agents]
        data: dict[str, Any] = {"rules": self.rules, "players": self.players, "agents": list(self.agents)}
        for key in ("mean", "se", "games", "bomb_rate", "perfect_rate", "regret"):
            data[key] = [[None if cell is None else cell.to_json()[key] for cell in row] for row in found]
        return data


def team_of(cell: Sequence[str], players: int) -> list[str]:
    """The whole team, from the cell of an experiment: an agent, a guest and its host, or a team."""
    if len(cell) == players:
        return list(cell)
    first, last = cell[0], cell[-1]
    return [first, *[last] * (players - 1)]


def tally_cells(store: Store, report: RunReport, planned: Sequence[PlannedMatch]) -> dict[Cell, GameTally]:
    """The games of a run by cell of the experiment, in its order; empty cells are left out."""
    tallies = tally_run(store, report.run, [plan.match.rules.perfect_score for plan in planned])
    cells: dict[Cell, GameTally] = {}
    for plan, tally in zip(planned, tallies, strict=True):
        if tally.games:
            key = (plan.rules, plan.players, plan.cell)
            cells[key] = cells.get(key, GameTally()) + tally
    return cells


def crossplay(cells: dict[Cell, GameTally]) -> list[Crossplay]:
    """A matrix for each rules and number of players."""
    tables: dict[tuple[str, int], dict[tuple[str, str], GameTally]] = {}
    for (rules, players, (one, others)), tally in cells.items():
        tables.setdefault((rules, players), {})[one, others] = tally
    return [
        Crossplay(rules, players, tuple(dict.fromkeys(agent for pair in table for agent in pair)), table)
        for (rules, players), table in tables.items()
    ]


def stored_crossplay(store: Store, chosen: GameFilter) -> list[Crossplay]:
    """The matrices of what is stored of agents alone among copies of others, and of these with themselves."""
    teams = chosen_teams(store.catalog, chosen)
    rows = select_games(store, teams, f"seating, {TALLY}", "GROUP BY seating")
    tallies = {seating: GameTally.of(sums) for seating, *sums in rows}
    cells: dict[Cell, GameTally] = {}
    for team in teams:
        for members in cells_of(team.seats):
            key = team.preset, team.players, members
            cells[key] = cells.get(key, GameTally()) + tallies.get(team.seating, GameTally())
    pairs = {key: tally for key, tally in cells.items() if len(key[2]) == 2}
    return [table for table in crossplay(pairs) if len(table.agents) > 1]


MIRROR, MIXED = "mirror", "mixed"
TRACKS = (MIRROR, MIXED)
CONFIDENCE = 0.95

# The protocol of 2018, and the rule agents that came with the framework, of which Goodman modelled these.
CIG_CLOCK = Clock(0.04, Late.RANDOM)
CIG_POOL = ("random", "cautious", "iggi", "flawed", "piers", "risky(threshold=0.6)", "outer", "vdb")
CIG_TEAMS = 50


@dataclass(frozen=True)
class Tournament:
    """Who takes part, in what, and by which clock."""

    entrants: tuple[Agent, ...]
    pool: tuple[Agent, ...]  # the partners of the mixed track
    tracks: tuple[str, ...] = TRACKS
    players: tuple[int, ...] = (2, 3, 4, 5)
    rules: str = "goodman"
    games: int = 1000  # for each entrant, number of players and, in the mixed track, partner
    seed: int = 1
    clock: Clock | None = None
    teams: int = 0  # drawn from the pool for the mixed track; 0: copies of each partner in turn
    deals: str = OWN

    def plan(self) -> list[PlannedMatch]:
        """Every match that the agents can play. The cell says the track and the entrant."""
        return [plan for track in self.tracks for players in self.players for plan in self._plan_one(track, players)]

    def _plan_one(self, track: str, players: int) -> list[PlannedMatch]:
        rules = parse_rules(self.rules, players)
        planned = []
        for entrant in self.entrants:
            for seating in self._seatings(track, entrant, players):
                if all(agent.why_not(rules) is None for agent in seating.team):
                    seed = self.seed + seating.offset
                    match = Match.of(rules, seating.team, seating.games, seed, self.clock, self.deals)
                    planned.append(PlannedMatch(match, self.rules, players, (track, entrant.text)))
        return planned

    def _seatings(self, track: str, entrant: Agent, players: int) -> list[Seating]:
        if track == MIRROR:
            return [Seating((entrant,) * players, 0, self.games, ())]
        partners = [agent for agent in self.pool if agent != entrant]
        if self.teams:
            return list(one_among(entrant, self.pool, players, self.games, self.teams)) if self.pool else []
        return [seating for partner in partners for seating in one_with(entrant, partner, players, self.games)]


@dataclass(frozen=True)
class Placing:
    """An entrant's line in the ranking of a track."""

    agent: str
    mean: float  # over the numbers of players, each counting alike
    se: float
    by_players: dict[int, GameTally]
    overtime: int  # moves that took too long
    forfeits: int
    perfect: int  # the highest score there is

    @property
    def interval(self) -> tuple[float, float]:
        """Of 95 %, by Student's t, within what can be scored; NaN for fewer than ten games.

        The degrees of freedom of several matches together are Welch and Satterthwaite's.
        """
        if math.isnan(self.se) or sum(tally.games for tally in self.by_players.values()) < MIN_GAMES:
            return UNKNOWN_INTERVAL
        squares = [tally.se**2 for tally in self.by_players.values()]
        parts = [tally.se**4 / (tally.games - 1) for tally in self.by_players.values() if tally.games > 1]
        freedom = int(sum(squares) ** 2 / sum(parts)) if any(parts) else 1
        reach = student_quantile(CONFIDENCE, freedom) * self.se
        return max(0.0, self.mean - reach), min(float(self.perfect), self.mean + reach)

    def to_json(self) -> dict[str, Any]:
        se = None if math.isnan(self.se) else self.se
        interval = None if math.isnan(self.interval[0]) else list(self.interval)
        cells = {str(players): tally.to_json() for players, tally in sorted(self.by_players.items())}
        counts = {"overtime": self.overtime, "forfeits": self.forfeits}
        return {"agent": self.agent, "mean": self.mean, "se": se, "interval": interval, **counts, "players": cells}


def ranking(track: str, cells: dict[Cell, GameTally], late: dict[tuple[str, str], tuple[int, int]]) -> list[Placing]:
    """The entrants of a track, best first."""
    lines: dict[str, dict[int, GameTally]] = {}
    perfect = 0
    for (rules, players, (played, entrant)), tally in cells.items():
        if played == track:
            lines.setdefault(entrant, {})[players] = tally
            perfect = max(perfect, parse_rules(rules, players).perfect_score)
    placings = [_placing(agent, line, *late.get((track, agent), (0, 0)), perfect) for agent, line in lines.items()]
    return sorted(placings, key=lambda placing: -placing.mean)


def _placing(agent: str, line: dict[int, GameTally], overtime: int, forfeits: int, perfect: int) -> Placing:
    mean = sum(tally.mean for tally in line.values()) / len(line)
    se = math.sqrt(sum(tally.se**2 for tally in line.values())) / len(line)
    return Placing(agent, mean, se, line, overtime, forfeits, perfect)


def late_moves(store: Store, run: int, planned: Sequence[PlannedMatch]) -> dict[tuple[str, str], tuple[int, int]]:
    """By track and entrant: its late moves, and the games that it forfeited."""
    query = f"""SELECT number, late.* EXCLUDE (seating, seed)
        FROM ({PARTS}) part
            JOIN late ON late.seating = part.seating AND late.seed >= first AND late.seed < first + games"""
    counts: dict[tuple[str, str], tuple[int, int]] = {}
    for number, *overtimes, forfeited_by in store.rows(query, [run]):
        track, entrant = planned[number].cell
        seats = [seat for seat, agent in enumerate(planned[number].match.agents) if agent.text == entrant]
        overtime, forfeits = counts.get((track, entrant), (0, 0))
        own = sum(overtimes[seat] for seat in seats)
        counts[track, entrant] = overtime + own, forfeits + (forfeited_by - 1 in seats)
    return counts
