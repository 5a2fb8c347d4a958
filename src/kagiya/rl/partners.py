"""Who sits with the learner: a weighted pool of teams, one of which is drawn for every episode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real

import numpy as np
import numpy.typing as npt

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.engine.calls import NO_KERNEL
from kagiya.engine.memory import Memories
from kagiya.lab.table.table import Table
from kagiya.rules import MAX_PLAYERS, Rules

Pool = Mapping[str | Agent, float] | Sequence[str | Agent] | str | Agent


@dataclass(frozen=True)
class Partners:
    """The teams that a learner meets: each an agent in all other seats, with its weight.

    >>> Partners({"smartbot": 3, "iggi": 1}, seat=0)
    """

    pool: Pool
    seat: int | None = None  # the learner's; None draws it for every episode

    def teams(self) -> list[tuple[Agent, float]]:
        """The agents with their weights, which are 1 together."""
        pool = self.pool
        if isinstance(pool, str | Agent):
            pool = [pool]
        if not isinstance(pool, Mapping | Sequence):
            raise ValueError(f"partners are an agent, a list of agents or a dict of agents and weights, not {pool!r}")
        weighted = dict(pool) if isinstance(pool, Mapping) else dict.fromkeys(pool, 1.0)
        if any(isinstance(weight, bool) or not isinstance(weight, Real) for weight in weighted.values()):
            raise ValueError(f"the weights of partners are numbers, not {list(weighted.values())}")
        total = float(sum(weighted.values()))
        if not weighted or total <= 0 or min(weighted.values()) < 0 or not np.isfinite(total):
            raise ValueError(f"partners need weights that are not negative and not all 0, not {self.pool!r}")
        return [(as_agent(agent), weight / total) for agent, weight in weighted.items()]

    def check_seat(self, rules: Rules) -> None:
        """Refuse a learner's seat that is not at the table."""
        seat = self.seat
        is_number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
        if seat is not None and not (is_number and 0 <= seat < rules.players):
            raise ValueError(f"seat {seat!r} is not at a table of {rules.players}")


@dataclass
class Seated:
    """A pool as kernels know it; the tables keep alive what the addresses stand for."""

    acts: npt.NDArray[np.int64]
    observes: npt.NDArray[np.int64]
    params: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    memory_words: int
    names: list[str] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    @classmethod
    def nobody(cls) -> Seated:
        """No partners: the learner moves for every seat."""
        nobody = np.full((1, MAX_PLAYERS), NO_KERNEL, np.int64)
        return cls(nobody, nobody.copy(), np.zeros((1, MAX_PLAYERS, 1)), np.ones(1), 1)

    @classmethod
    def of(cls, partners: Partners, rules: Rules) -> Seated:
        """Every team seated; one that cannot play these rules, or not in a batch, is refused."""
        teams = partners.teams()
        tables = [Table(rules, [agent]) for agent, _ in teams]
        for table in tables:
            _check(table)
        width = max(table.params.shape[1] for table in tables)
        params = np.zeros((len(tables), MAX_PLAYERS, width))
        for entry, table in enumerate(tables):
            params[entry, :, : table.params.shape[1]] = table.params
        return cls(
            np.array([table.acts for table in tables]),
            np.array([table.observes for table in tables]),
            params,
            np.array([weight for _, weight in teams]),
            max(agent.memory_words for agent, _ in teams),
            [agent.text for agent, _ in teams],
            tables,
        )

    def memories(self, lanes: int) -> Memories:
        """Room for what the partners remember in `lanes` games."""
        return Memories(lanes, [self.memory_words] * MAX_PLAYERS)


def _check(table: Table) -> None:
    name = table.agents[0].text
    if not table.is_compiled:
        raise ValueError(f"{name} is a Python agent; partners move inside the step, so they must be compiled")
    if table.has_searches:
        raise ValueError(f"{name} searches, which takes a table of its own; partners in a batch answer at once")
    table.play_chunk(0, 1)  # compiled, and inspected if it is a user's
