"""An experiment: agents, seatings, rules, players, games and seed, also read from a small TOML file.

All teams that are compared play the same decks; each seating has its share of the seeds. Whatever is wrong in a file is
named with its key and what was expected.
"""

from __future__ import annotations

import math
import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import combinations_with_replacement, islice, product
from pathlib import Path
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import check_file_agent, find_agent
from kagiya.lab.deals import DEALS, OWN
from kagiya.lab.match.match import Match
from kagiya.lab.table.timed_table import Clock, Late
from kagiya.rules import parse_rules
from kagiya.spec import A_DURATION, near, read_seconds

MAX_TEAMS = 100_000

Team = tuple[Agent, ...]


@dataclass(frozen=True)
class Seating:
    """A team in its seats, the seeds it plays, and which cell of the table its games belong to."""

    team: Team
    offset: int  # of its first seed from the experiment's
    games: int
    cell: tuple[str, ...]


def self_play(agents: Sequence[Agent], players: int, games: int, dice: random.Random) -> Iterator[Seating]:
    """Every agent with copies of itself."""
    for agent in agents:
        yield Seating((agent,) * players, 0, games, (agent.text,))


def one_of(agents: Sequence[Agent], players: int, games: int, dice: random.Random) -> Iterator[Seating]:
    """One of A with copies of B, for all A and B; A takes every seat for an equal share of the games."""
    for one, others in product(agents, agents):
        yield from one_with(one, others, players, games)


def one_with(one: Agent, others: Agent, players: int, games: int) -> Iterator[Seating]:
    """One of A with copies of B, balanced over A's seat; games are rounded up to a multiple of the players."""
    share = -(-games // players)
    cell = (one.text, others.text)
    if one == others:
        yield Seating((one,) * players, 0, share * players, cell)
        return
    for seat in range(players):
        team = tuple(one if place == seat else others for place in range(players))
        yield Seating(team, seat * share, share, cell)


def one_among(one: Agent, pool: Sequence[Agent], players: int, games: int, teams: int) -> Iterator[Seating]:
    """One of A with partners drawn from a pool, a new team for each share of the games; A takes every seat in turn.

    Which partners are drawn depends on the pool and the number of the team alone, so all A's meet the same ones
    on the same decks.
    """
    first = 0
    for team in range(min(teams, games)):
        dice = random.Random(f"{players} players, team {team}")
        seats = [dice.choice(pool) for _ in range(players - 1)]
        seats.insert(team % players, one)
        share = games // min(teams, games) + (team < games % min(teams, games))
        yield Seating(tuple(seats), first, share, (one.text,))
        first += share


def round_robin(agents: Sequence[Agent], players: int, games: int, dice: random.Random) -> Iterator[Seating]:
    """Every team that the pool allows, whatever the order of the seats."""
    for team in combinations_with_replacement(agents, players):
        yield _one_cell(team, games)


def all_seatings(agents: Sequence[Agent], players: int, games: int, dice: random.Random) -> Iterator[Seating]:
    """Every agent in every seat with every other: len(agents) ** players seatings."""
    for team in product(agents, repeat=players):
        yield _one_cell(team, games)


def random_teams(agents: Sequence[Agent], players: int, games: int, dice: random.Random) -> Iterator[Seating]:
    """Teams drawn from the pool, without end; an agent may sit there more than once."""
    while True:
        yield _one_cell(tuple(dice.choice(agents) for _ in range(players)), games)


def _one_cell(team: Team, games: int) -> Seating:
    return Seating(team, 0, games, tuple(agent.text for agent in team))


Maker = Callable[[Sequence[Agent], int, int, random.Random], Iterator[Seating]]

MAKERS: dict[str, Maker] = {
    "self": self_play,
    "one-of": one_of,
    "round-robin": round_robin,
    "all": all_seatings,
    "random": random_teams,
}


def find_maker(name: str) -> Maker:
    """The way of seating that is called so."""
    if name not in MAKERS:
        raise ValueError(f"no seatings are called {name!r}; {near(name, MAKERS)}")
    return MAKERS[name]


BUDGET = "{budget}"  # in an agent's text, stands for each of the budgets


class ExperimentError(ValueError):
    """An experiment that says nothing clear; names the key."""


@dataclass(frozen=True)
class PlannedMatch:
    """A match, and the cell of the experiment's table that it belongs to."""

    match: Match
    rules: str
    players: int
    cell: tuple[str, ...]


@dataclass(frozen=True)
class Experiment:
    """What to play. Lists mean: for each of them."""

    agents: tuple[str, ...]
    seatings: str = "self"
    rules: tuple[str, ...] = ("standard",)
    players: tuple[int, ...] = (3,)
    games: int = 1000  # for each team, or pair for seatings "one-of"
    seed: int = 1
    teams: int = 10  # for seatings "random"
    budgets: tuple[str, ...] = ()
    time: float | None = None  # seconds for a move of a search or a Python seat
    on_timeout: str = "warn"
    name: str = ""
    deals: str = OWN

    def plan(self) -> list[PlannedMatch]:
        """Every match, checked."""
        entered = self.entrants()
        clock = None if self.time is None else Clock(self.time, Late(self.on_timeout))
        planned = []
        for rules in self.rules:
            for players in self.players:
                planned += self._plan_one(entered, rules, players, clock)
        if not planned:
            raise ExperimentError("nothing to play: none of the agents plays with that many players")
        return planned

    def entrants(self) -> list[Agent]:
        """The agents, once for each budget where they have one."""
        return [find_agent(text) for text in self.texts()]

    def texts(self) -> list[str]:
        """The same as they are written, the budgets filled in."""
        budgets = {text: self.budgets if BUDGET in text else ("",) for text in self.agents}
        texts = [text.replace(BUDGET, budget) for text, values in budgets.items() for budget in values]
        return list(dict.fromkeys(texts))

    def _plan_one(self, entered: Sequence[Agent], text: str, players: int, clock: Clock | None) -> list[PlannedMatch]:
        rules = parse_rules(text, players)
        able = [agent for agent in entered if agent.why_not(rules) is None]
        if not able:
            return []
        dice = random.Random(f"{self.seed} {players}")
        seatings = find_maker(self.seatings)(able, players, self.games, dice)
        wanted = min(self.teams, MAX_TEAMS + 1) if self.seatings == "random" else MAX_TEAMS + 1
        found = list(islice(seatings, wanted))
        if len(found) > MAX_TEAMS:
            raise ExperimentError(f"more than {MAX_TEAMS:,} teams; take fewer agents, or fewer random teams")
        return [
            PlannedMatch(
                Match.of(rules, s.team, s.games, self.seed + s.offset, clock, self.deals), text, players, s.cell
            )
            for s in found
        ]


MAX_FILE_BYTES = 1_000_000  # bytes; the file named may be an endless device
SHOWN = 60  # characters of a wrong value


def read_experiment(path: Path) -> Experiment:
    """An experiment from a file."""
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise ExperimentError(f"{path} is larger than {MAX_FILE_BYTES:,} bytes: an experiment is a small TOML file")
    try:
        data = tomllib.loads(content.decode("utf-8"))
        repr(data)  # which numbers of thousands of digits and values deep inside each other do not have
    except (ValueError, RecursionError) as error:
        raise ExperimentError(f"{path} is not TOML: {error}") from None
    try:
        experiment = experiment_from(data)
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None
    for text in experiment.texts():
        check_file_agent(text, path)
    return experiment


def experiment_from(data: dict[str, Any]) -> Experiment:
    """An experiment from plain data. A single value may replace a list of one."""
    known = [field.name for field in fields(Experiment)]
    for key in data:
        if key not in known:
            raise ExperimentError(f"there is no {key!r} in an experiment; {near(key, known)}")
    if not data.get("agents"):
        raise ExperimentError("agents: name at least one")
    return Experiment(**{key: _read(key, value) for key, value in data.items()})


def _read(key: str, value: Any) -> Any:
    is_right, expected = SINGLES[key] if key in SINGLES else LISTS[key]
    items = value if key in LISTS and isinstance(value, list) else [value]
    if not items or not all(is_right(item) for item in items):
        shown = repr(value)
        raise ExperimentError(
            f"{key} must be {expected}, not {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}"
        )
    if key not in LISTS:
        return read_seconds(str(value)) if key == "time" else value
    return tuple(str(item) if key == "budgets" else item for item in items)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is_time(value: Any) -> bool:
    with suppress(ValueError):
        return (_is_text(value) or _is_number(value)) and read_seconds(str(value)) > 0
    return False


def _is_integer(low: int, high: float = math.inf) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


Check = tuple[Callable[[Any], bool], str]

LISTS: dict[str, Check] = {
    "agents": (_is_text, 'an agent or a list of agents, each a text like "careful"'),
    "rules": (_is_text, 'rules or a list of rules, each a text like "standard"'),
    "players": (_is_integer(2, 5), "a number or a list of numbers from 2 to 5"),
    "budgets": (lambda value: _is_text(value) or _is_number(value), 'numbers or texts like "1s", one or a list'),
}
SINGLES: dict[str, Check] = {
    "games": (_is_integer(1), "an integer of at least 1"),
    "seed": (_is_integer(0), "an integer of at least 0"),
    "teams": (_is_integer(1, MAX_TEAMS), f"an integer from 1 to {MAX_TEAMS:,}"),
    "seatings": (lambda value: value in tuple(MAKERS), f"one of {', '.join(MAKERS)}"),
    "time": (lambda value: _is_time(value), f"{A_DURATION}, above 0"),
    "on_timeout": (lambda value: value in list(Late), f"one of {', '.join(Late)}"),
    "name": (_is_text, "a text"),
    "deals": (lambda value: value in DEALS, f"one of {', '.join(DEALS)}"),
}
