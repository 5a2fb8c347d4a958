"""MAP-Elites: the best list of every style, on a grid of how much it tells and how sure it is of what it plays.

As Canaan et al. 2019: random lists first, then changed copies of elites drawn from anywhere on the map; a list takes a
cell that is empty or whose elite, played again on the same decks, is worse.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from kagiya.lab.evolution.fitness import Tally
from kagiya.lab.evolution.islands import DECKS_PER_RUN, MAP_SEED
from kagiya.lab.evolution.operators import Breed, breed_of
from kagiya.lab.evolution.racing import Entry, Job, ListWorkers, Play
from kagiya.lab.evolution.rule_sets import Uses
from kagiya.rules import parse_rules

Cell = tuple[int, int]  # by communication, by caution


@dataclass(frozen=True)
class MapTask:
    """What is mapped, and how; the defaults are those of Canaan's program but for the number of candidates."""

    rule_set: str
    rules: str
    players: int
    cells: int = 20  # to a side
    random: int = 2_000  # candidates before the first is bred
    batch: int = 100  # candidates bred from the same map
    games: int = 100  # of each
    mutation: float = 0.1
    crossover: float = 0.5
    seed: int = 1

    def __post_init__(self) -> None:
        for name, value, least in (("cells", self.cells, 2), ("batch", self.batch, 1), ("games", self.games, 2)):
            if value < least:
                raise ValueError(f"{name} must be an integer of at least {least}, not {value}")
        if self.random < self.batch:
            raise ValueError(f"the random lists must be at least one batch, {self.batch}, not {self.random}")
        if not 0 <= self.seed < 1 << 12:
            raise ValueError(f"the seed of a map must be from 0 to {(1 << 12) - 1}, not {self.seed}")


@dataclass
class EliteMap:
    """How far a map has come."""

    task: MapTask
    batches: int = 0  # that are done
    elites: dict[Cell, Entry] = field(default_factory=dict)
    games: int = 0
    seconds: float = 0.0

    @property
    def candidates(self) -> int:
        return self.batches * self.task.batch

    def cell(self, tally: Tally) -> Cell:
        """Where a list belongs."""
        return _place(tally.communication, self.task.cells), _place(tally.caution, self.task.cells)


def _place(share: float, cells: int) -> int:
    return min(int(share * cells), cells - 1)


def grow(elites: EliteMap, candidates: int, workers: int | None, report: Callable[[EliteMap], None]) -> None:
    """Try candidates until there were so many, in batches; `report` is called after each, and may save the map."""
    task = elites.task
    breed = breed_of(task.rule_set)
    with ListWorkers(parse_rules(task.rules, task.players), breed.longest, workers) as pool:
        while elites.candidates < candidates:
            began = time.process_time()
            grow_once(elites, breed, pool.play)
            elites.seconds += time.process_time() - began
            report(elites)


def grow_once(elites: EliteMap, breed: Breed, play: Play) -> None:
    """One batch: what it does depends on the map, the seed and its number alone."""
    task = elites.task
    dice = Random(f"{task.seed}/map/{elites.batches}")
    decks = MAP_SEED + task.seed * DECKS_PER_RUN + elites.batches * task.games
    lists = [candidate(elites, breed, dice) for _ in range(task.batch)]
    found = [
        Entry(uses, tally)
        for uses, tally in zip(lists, play([Job(uses, decks, task.games) for uses in lists]), strict=True)
    ]
    best: dict[Cell, Entry] = {}
    for entry in found:
        cell = elites.cell(entry.tally)
        if cell not in best or entry.tally.mean > best[cell].tally.mean:
            best[cell] = entry
    challenged = [cell for cell in best if cell in elites.elites]
    again = play([Job(elites.elites[cell].uses, decks, task.games) for cell in challenged])
    for cell, tally in zip(challenged, again, strict=True):
        elites.elites[cell] = Entry(elites.elites[cell].uses, elites.elites[cell].tally + tally)
    for cell, entry in best.items():
        if cell not in elites.elites or entry.tally.mean > elites.elites[cell].tally.mean:
            elites.elites[cell] = entry
    elites.batches += 1
    elites.games += task.games * (len(lists) + len(challenged))


def candidate(elites: EliteMap, breed: Breed, dice: Random) -> Uses:
    """A random list at first, later a changed elite, crossed with another one now and then."""
    if elites.candidates < elites.task.random:
        return breed.random(dice)
    cells = sorted(elites.elites)
    uses = elites.elites[dice.choice(cells)].uses
    if dice.random() < elites.task.crossover:
        uses = breed.cross(uses, elites.elites[dice.choice(cells)].uses, dice)
    return breed.mutate(uses, elites.task.mutation, dice)
