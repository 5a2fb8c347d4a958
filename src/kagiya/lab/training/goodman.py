"""Goodman's three iterations as one run that can be interrupted: games of a search, a network fitted to its trees.

Section VI of the paper: 300 games with random rollouts and 3 s a move; 500 games whose rollouts the first network
plays, 10 s; 200 games with the second, 30 s and C = 3; always five players. Time is given as moves tried out
(`steps`), as in the reproductions: with random rollouts and the convention the original tries 31,000 a second
(`goodman-paper-1`). With a network it asks for 0.27 ms of processor time for each move, so that 3,500 moves a second
are what it can have tried; this was not measured.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kagiya.agents.register import find_agent
from kagiya.lab.match.cluster import ClusterWorkers
from kagiya.lab.training.data import FIRST_SEED, DataError, DataFolder, DataOrder, DataReport, HarvestTerms, make_data
from kagiya.lab.training.fit import FitSettings, Learned, import_torch, learn, write_learned
from kagiya.learn.networks import ENDING, read_network
from kagiya.rules import parse_rules

PLAYERS = 5
SEEDS_APART = 1_000_000  # between the games of two iterations
CONVENTION = "convention=playable-now"


@dataclass(frozen=True)
class GoodmanIteration:
    """One iteration: how many games, how many moves are tried for each move, and how widely the tree explores."""

    games: int
    steps: int
    c: float = 0.1
    learned_rollouts: bool = True
    least_visits: int = 50
    pooled: int = 1  # iterations whose games the network learns from, this one the last

    def agent(self, model: str) -> str:
        """The search that plays the games; `model` is the network of the iteration before."""
        rollout = f"evalfn(model={model}, {CONVENTION})" if self.learned_rollouts else "random"
        explores = "" if self.c == GoodmanIteration.c else f", c={self.c:g}"
        return f"ris-mcts(rollout={rollout}, {CONVENTION}, steps={self.steps}{explores})"


ROUNDS = (
    GoodmanIteration(300, 93_000, learned_rollouts=False),
    GoodmanIteration(500, 35_000),
    GoodmanIteration(200, 105_000, c=3.0),
)


@dataclass(frozen=True)
class GoodmanPlan:
    """What is to be done: the paper's rounds, or smaller ones, which the networks' files will say."""

    folder: Path
    rounds: Sequence[GoodmanIteration] = ROUNDS
    settings: FitSettings = dataclasses.field(default_factory=FitSettings)
    workers: int | None = None
    cluster: ClusterWorkers | None = None  # in place of threads here

    def model(self, number: int) -> Path:
        """The file of an iteration's network, counted from 1."""
        return self.folder / f"evalfn-{number}{ENDING}"

    def order(self, number: int) -> DataOrder:
        """The games of an iteration."""
        rounds = self.rounds[number - 1]
        return DataOrder(
            parse_rules("goodman", PLAYERS),
            find_agent(rounds.agent(str(self.model(number - 1)))),
            rounds.games,
            FIRST_SEED + SEEDS_APART * (number - 1),
            HarvestTerms(rounds.least_visits),
        )


def scaled(
    games: Sequence[int],
    steps: Sequence[int],
    least_visits: Sequence[int],
    c: Sequence[float],
    pooled: Sequence[int] = (1, 1, 1),
) -> tuple[GoodmanIteration, ...]:
    """The paper's rounds with other numbers of games, moves tried, visits of a row, C, and iterations pooled."""
    for name, numbers in (("games", games), ("steps", steps), ("visits", least_visits), ("iterations", pooled)):
        if len(numbers) != len(ROUNDS) or min(numbers) < 1:
            raise ValueError(f"give {len(ROUNDS)} numbers of {name}, each at least 1, one for each iteration")
    if len(c) != len(ROUNDS):
        raise ValueError(f"give {len(ROUNDS)} values of C, one for each iteration")
    if any(pool > number for number, pool in enumerate(pooled, 1)):
        raise ValueError("an iteration can learn only from its own games and those of the iterations before it")
    columns = zip(ROUNDS, games, steps, least_visits, c, pooled, strict=True)
    return tuple(
        dataclasses.replace(each, games=count, steps=tried, least_visits=visits, c=explores, pooled=pool)
        for each, count, tried, visits, explores, pool in columns
    )


def run_goodman(
    plan: GoodmanPlan, command: str, tell: Callable[[str], None], advance: Callable[[int], None]
) -> list[Learned | None]:
    """Do what is missing; None for a network that was there already."""
    import_torch()
    found: list[Learned | None] = []
    for number in range(1, len(plan.rounds) + 1):
        first = number + 1 - plan.rounds[number - 1].pooled
        folders = [DataFolder(plan.folder / f"data-{each}") for each in range(first, number + 1)]
        if plan.model(number).exists():
            check_origin(plan, number)
            tell(f"iteration {number}: {plan.model(number)} is there")
            found.append(None)
            continue
        order = plan.order(number)
        tell(f"iteration {number}: {order.games} games of {order.agent.text}")
        report = make_data(order, folders[-1].path, plan.workers, advance, plan.cluster)
        tell(f"iteration {number}: {describe_games(report)}")
        learned = learn(folders, "value", plan.settings)
        if learned.curve.interrupted:
            raise KeyboardInterrupt
        write_learned(plan.model(number), learned, folders, command)
        tell(f"iteration {number}: {describe(learned.metrics())}")
        found.append(learned)
    return found


def check_origin(plan: GoodmanPlan, number: int) -> None:
    """Refuse a network that an earlier run with other settings has left in the folder."""
    model, order = plan.model(number), plan.order(number)
    origin = read_network(model, "value").provenance
    try:
        told = {**origin["data"][-1], "fit": origin["fit"], "iterations": len(origin["data"])}
    except (TypeError, KeyError, IndexError):
        raise DataError(f"{model} does not say how it was made; choose another folder") from None
    wanted = {**order.about(), "seeds": [order.seed, order.seed + order.games - 1]}
    wanted |= {"fit": json.loads(json.dumps(asdict(plan.settings))), "iterations": plan.rounds[number - 1].pooled}
    for key, value in wanted.items():
        if key != "code" and told.get(key) != value:
            raise DataError(f"{model} was made with {key} {told.get(key)!r}, not {value!r}; choose another folder")


def describe_games(report: DataReport) -> str:
    """One line about the games of an iteration."""
    if not report.played:
        return f"all {report.there_before} games are there"
    return f"{report.played} games played, mean score {report.score:.2f}, {report.rows:,} rows"


def describe(metrics: dict[str, Any]) -> str:
    """One line about a fit."""
    return (
        f"{metrics['rows']:,} rows of {metrics['games']:,} games; held-out error {metrics['held_out_error']:.3f} "
        f"at epoch {metrics['best_epoch']} of {metrics['epochs']} (training {metrics['training_error']:.3f})"
    )
