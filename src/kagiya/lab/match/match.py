"""A match: some rules, an agent in every seat, many seeds.

Each game depends on its seed alone, so the result is the same for any number of workers and any size of
chunk; only agents that remember something from game to game need chunks of a fixed size.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from kagiya.agents.api import Agent
from kagiya.engine.game import MAX_SEED, check_seed
from kagiya.lab.deals import LIVE, OWN, check_deals
from kagiya.lab.provenance import code_version
from kagiya.lab.table.table import Agents, Table, as_agents, seat_agents
from kagiya.lab.table.timed_table import Clock, LiveTable, TimedLiveTable, TimedTable
from kagiya.rules import Rules

USUAL_GAMES = 1000
FIRST_SEED = 1
KEPT_CHUNK = 500  # games after which an agent that remembers its partners starts afresh
PYTHON_CHUNK = 20  # the same for a Python agent that declares no `kept_words`; it may remember all the same

Interval = tuple[int, int]  # of seeds: the first, and the one after the last
Progress = Callable[[int], None]  # called with the number of games done since the last call


@dataclass(frozen=True)
class Match:
    """What to play."""

    rules: Rules
    agents: tuple[Agent, ...]  # one for every seat
    games: int
    seed: int = FIRST_SEED  # of the first game; the others count up from it
    clock: Clock | None = None  # for seats in Python and searches
    deals: str = OWN  # who shuffles, one of DEALS

    @classmethod
    def of(
        cls,
        rules: Rules,
        agents: Agents,
        games: int = USUAL_GAMES,
        seed: int = FIRST_SEED,
        clock: Clock | None = None,
        deals: str = OWN,
    ) -> Match:
        """A match with its seats filled and its numbers checked.

        `agents`: one for all seats, or a list with one for each; texts such as "vdb", or what `as_agent` takes.
        `deals`: "own", or "live" for the decks that hanab.live deals by its seeds of these numbers.
        """
        if isinstance(games, bool) or not isinstance(games, int) or games < 1:
            raise ValueError(f"the number of games must be an integer of at least 1, not {games!r}")
        check_seed(seed)
        check_seed(min(seed + games - 1, MAX_SEED + 1))
        if deals != OWN:
            check_deals(deals, rules)
        return cls(rules, seat_agents(rules, as_agents(agents)), games, seed, clock, deals)

    def new_table(self) -> Table:
        """A table for this match, with its clock if some seat is timed."""
        is_live = self.deals == LIVE
        if self.clock is not None and self.is_timed:
            return (TimedLiveTable if is_live else TimedTable)(self.rules, self.agents, self.clock)
        return (LiveTable if is_live else Table)(self.rules, self.agents)

    @property
    def seeds(self) -> Interval:
        """The seed of the first game, and the one after the last."""
        return self.seed, self.seed + self.games

    @property
    def is_compiled(self) -> bool:
        """Whether every seat is, so that whole games run without Python."""
        return all(agent.is_compiled for agent in self.agents)

    @property
    def is_timed(self) -> bool:
        """Whether the clock times some seat: a player in Python, or a search."""
        return self.clock is not None and (self.has_searches or not self.is_compiled)

    @cached_property
    def is_portable(self) -> bool:
        """Whether another process can find the agents by their texts."""
        try:
            return bool(pickle.loads(pickle.dumps(self.agents)))
        except Exception:  # whatever a user's module may raise
            return False

    @cached_property
    def code(self) -> str:
        """Of the agents and the table, in the process where this is first asked for."""
        return code_version(self.agents)

    @property
    def horizon(self) -> int:
        """After how many games agents that may carry knowledge from game to game start afresh; 0 if none does."""
        if any(agent.info.kept_words for agent in self.agents):
            return KEPT_CHUNK
        return 0 if self.is_compiled else PYTHON_CHUNK

    @property
    def keeps_memory(self) -> bool:
        """Whether some agent may carry knowledge from one game to the next."""
        return self.horizon > 0

    @property
    def has_searches(self) -> bool:
        """Whether some agent searches, so that a game may take long."""
        return any(agent.is_search for agent in self.agents)
