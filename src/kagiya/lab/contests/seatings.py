"""Who sits with whom: the seatings of an experiment, each with its share of the seeds.

All teams that are compared play the same decks.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from kagiya.agents.api import Agent
from kagiya.spec import near

MOST_TEAMS = 100_000

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
    """Every agent in every seat with everybody: len(agents) ** players seatings."""
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
