"""MAP-Elites: the best list of every style, on a grid of how much it tells and how sure it is of what it plays.

As Canaan et al. 2019: random lists first, then changed copies of elites drawn from anywhere on the map; a list takes a
cell that is empty or whose elite, played again on the same decks, is worse. The map is kept on disk.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from kagiya.lab.store.journal import write_whole
from kagiya.lab.training.algorithm import DECKS_PER_RUN, MAP_SEED, Breed, breed_of
from kagiya.lab.training.evolution_run import StateError
from kagiya.lab.training.fitness import FitnessSum, Job, ListWorkers, Play, RacedList
from kagiya.lab.training.rule_sets import Uses, list_text, read_list
from kagiya.rules import parse_rules
from kagiya.spec import SpecError

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
    elites: dict[Cell, RacedList] = field(default_factory=dict)
    games: int = 0
    seconds: float = 0.0

    @property
    def candidates(self) -> int:
        return self.batches * self.task.batch

    def cell(self, tally: FitnessSum) -> Cell:
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
        RacedList(uses, tally)
        for uses, tally in zip(lists, play([Job(uses, decks, task.games) for uses in lists]), strict=True)
    ]
    best: dict[Cell, RacedList] = {}
    for entry in found:
        cell = elites.cell(entry.tally)
        if cell not in best or entry.tally.mean > best[cell].tally.mean:
            best[cell] = entry
    challenged = [cell for cell in best if cell in elites.elites]
    again = play([Job(elites.elites[cell].uses, decks, task.games) for cell in challenged])
    for cell, tally in zip(challenged, again, strict=True):
        elites.elites[cell] = RacedList(elites.elites[cell].uses, elites.elites[cell].tally + tally)
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


VERSION = 1
FILE = "map.json"


def save_map(elites: EliteMap, folder: Path) -> None:
    """Write the map whole or not at all."""
    cells = [
        {"cell": list(cell), "list": list_text(entry.uses), "sums": list(entry.tally.sums)}
        for cell, entry in sorted(elites.elites.items())
    ]
    data = {"version": VERSION, "task": asdict(elites.task), "batches": elites.batches, "games": elites.games}
    write_whole(folder / FILE, json.dumps(data | {"seconds": round(elites.seconds, 3), "cells": cells}) + "\n")


def load_map(folder: Path, task: MapTask) -> EliteMap:
    """The map that a folder holds, or a new one; refuses another task's."""
    path = folder / FILE
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        return EliteMap(task)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != VERSION:
            raise StateError(f"{path} is of version {data['version']!r}, not {VERSION}; choose another --folder")
        if data["task"] != asdict(task):
            raise StateError(f"{path} was made with other settings; give the same to go on, or another --folder")
        breed, elites = breed_of(task.rule_set), {}
        for item in data["cells"]:
            entry = RacedList(read_list(item["list"]), FitnessSum(tuple(map(float, item["sums"]))))
            breed.check(entry.uses)
            elites[int(item["cell"][0]), int(item["cell"][1])] = entry
        return EliteMap(task, int(data["batches"]), elites, int(data["games"]), float(data["seconds"]))
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, IndexError, SpecError) as error:
        raise StateError(f"{path} is damaged ({type(error).__name__}: {error}); delete it to begin again") from None


def measured_map(elites: EliteMap, games: int, marks: Mapping[str, str], workers: int | None) -> dict[str, Any]:
    """Every elite, and some known lists, played again on the decks of reports, from seed 1 on."""
    task = elites.task
    breed, cells = breed_of(task.rule_set), sorted(elites.elites)
    known = {name: read_list(text) for name, text in marks.items()}
    longest = max([breed.longest, *map(len, known.values())])
    with ListWorkers(parse_rules(task.rules, task.players), longest, workers) as pool:
        jobs = [Job(elites.elites[cell].uses, 1, games) for cell in cells] + [
            Job(uses, 1, games) for uses in known.values()
        ]
        tallies = pool.play(jobs)
    rows = [
        {"cell": list(cell), **style(tally), "list": list_text(elites.elites[cell].uses)}
        for cell, tally in zip(cells, tallies, strict=False)
    ]
    places = [{"name": name, **style(tally)} for name, tally in zip(known, tallies[len(cells) :], strict=True)]
    counts = {"candidates": elites.candidates, "games": elites.games, "seconds": round(elites.seconds, 1)}
    return {"task": asdict(task), **counts, "games_each": games, "cells": rows, "marks": places}


def style(tally: FitnessSum) -> dict[str, float]:
    """A list's score and behaviour, for people."""
    return {
        "mean": round(tally.mean, 3),
        "se": round(tally.se, 3),
        "communication": round(tally.communication, 3),
        "caution": round(tally.caution, 3),
        "knowledge": round(tally.knowledge, 3),
    }
