"""Runs of the genetic algorithm and of MAP-Elites, each kept in a folder, from which it goes on.

An evolution is written whole after every generation; the best of its last lists is then chosen on fresh decks.
MAP-Elites keeps the best list of every style, on a grid of how much it tells and how sure it is of what it plays. As in
Canaan et al. 2019: random lists first, then changed copies of elites drawn from anywhere on the map; a list takes a
cell that is empty or whose elite, played again on the same decks, is worse.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from kagiya.agents.register import rebuild_agent
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import KeepGames, OnError, PlayedMatch, Runner
from kagiya.lab.store.journal import write_durably
from kagiya.lab.summary import Summary
from kagiya.lab.training import algorithm
from kagiya.lab.training.rule_lists import FitnessSum, Job, ListWorkers, Play, RacedList, Uses, list_text, read_list
from kagiya.rules import parse_rules
from kagiya.runtime.interrupts import uninterrupted

VERSION = 1  # of the file; raised when what the fields mean, or what a generation does, changes
FILE = "evolution.json"


class StateError(ValueError):
    """A folder whose evolution cannot go on."""


# What reading a file that was changed can raise.
DAMAGES = (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError)


@dataclass(frozen=True)
class EvolutionTask:
    """What is evolved, and how; two runs with the same task are the same run."""

    rule_set: str
    rules: str
    players: int
    start: tuple[str, ...] = ()  # lists to begin with
    plan: algorithm.EvolutionPlan = field(default_factory=algorithm.EvolutionPlan)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"start": list(self.start)}


@dataclass
class Evolution:
    """How far a run has come."""

    task: EvolutionTask
    generation: int = 0  # generations that are done
    islands: list[list[RacedList]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)  # of each generation: the best, the middle, games
    games: int = 0
    seconds: float = 0.0  # of processor time

    @property
    def best(self) -> list[RacedList]:
        """All lists of the last generation that played to the end of its race, best first, none twice."""
        entries = [entry for island in self.islands for entry in island]
        most = max((entry.tally.games for entry in entries), default=0)
        finished = sorted((entry for entry in entries if entry.tally.games == most), key=lambda e: -e.tally.mean)
        return list({entry.uses: entry for entry in reversed(finished)}.values())[::-1]

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "task": self.task.to_json(),
            "generation": self.generation,
            "games": self.games,
            "seconds": round(self.seconds, 3),
            "history": self.history,
            "islands": [[entry_json(entry) for entry in island] for island in self.islands],
        }


def save(evolution: Evolution, folder: Path) -> None:
    """Write the state whole or not at all."""
    write_durably(folder / FILE, json.dumps(evolution.to_json()) + "\n")


def load(folder: Path, task: EvolutionTask) -> Evolution:
    """The run that a folder holds, or a new one if it holds none; refuses another task's."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    except (ValueError, RecursionError) as error:
        raise StateError(f"{path} is damaged ({error}); delete it to begin again") from None
    if data is None:
        return Evolution(task)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        found = data.get("version") if isinstance(data, dict) else None
        raise StateError(f"{path} is of version {found!r}, not {VERSION}; choose another --folder, or delete it")
    try:
        return read(data, task, path)
    except StateError:
        raise
    except DAMAGES as error:
        raise StateError(f"{path} is damaged ({type(error).__name__}: {error}); delete it to begin again") from None


def read(data: dict[str, Any], task: EvolutionTask, path: Path) -> Evolution:
    """A state from its JSON."""
    written, wanted = flat(data["task"]), flat(json.loads(json.dumps(task.to_json())))
    if differing := sorted(key for key in wanted.keys() | written.keys() if wanted.get(key) != written.get(key)):
        key = differing[0]
        raise StateError(
            f"{path} was evolved with {key} = {written.get(key)!r}, not {wanted.get(key)!r};"
            " give the same settings to go on, or another --folder"
        )
    breed = algorithm.breed_of(task.rule_set)
    islands = [[read_entry(item, breed) for item in island] for island in data["islands"]]
    counts = int(data["generation"]), islands, list(data["history"]), int(data["games"])
    return Evolution(task, *counts, float(data["seconds"]))


def entry_json(entry: RacedList) -> dict[str, Any]:
    """A list and its sums as plain data."""
    return {"list": list_text(entry.uses), "sums": list(entry.tally.sums)}


def read_entry(item: dict[str, Any], breed: algorithm.Breed) -> RacedList:
    """The inverse of `entry_json`; a list that is not of this breed is refused."""
    entry = RacedList(read_list(item["list"]), FitnessSum(tuple(map(float, item["sums"]))))
    breed.check(entry.uses)
    return entry


def flat(data: dict[str, Any]) -> dict[str, Any]:
    """Settings by name, those of the plan among them."""
    return {**{key: value for key, value in data.items() if key != "plan"}, **data["plan"]}


FINALISTS = 10  # as Canaan et al. play their top ten again
REPORT_SEED = 1  # as matches and reproductions
COMPARED_GAMES = 4_000  # in which leaving out a rule must change nothing

Report = Callable[[Evolution], None]


def evolve(task: EvolutionTask, folder: Path, generations: int, workers: int | None, report: Report) -> Evolution:
    """Evolve until this many generations are done, saving each; Ctrl-C goes through and loses the one in progress."""
    start = check_task(task)
    breed = algorithm.breed_of(task.rule_set)
    evolution = load(folder, task)
    with ListWorkers(parse_rules(task.rules, task.players), breed.longest, workers) as pool:
        while evolution.generation < generations:
            began = time.process_time()
            number = evolution.generation
            islands = algorithm.evolve_once(task.plan, breed, number, evolution.islands, start, pool.play)
            with uninterrupted():
                advance(evolution, islands, time.process_time() - began)
                save(evolution, folder)
            report(evolution)
    return evolution


def check_task(task: EvolutionTask) -> list[Uses]:
    """Refuse rules, rule sets and lists to start from that make no sense; returns the lists."""
    parse_rules(task.rules, task.players)
    breed, start = algorithm.breed_of(task.rule_set), [read_list(text) for text in task.start]
    for uses in start:
        breed.check(uses)
    return start


def advance(evolution: Evolution, islands: list[list[RacedList]], seconds: float) -> None:
    """Note a generation that is done."""
    evolution.islands = islands
    evolution.generation += 1
    evolution.games += sum(entry.tally.games for island in islands for entry in island)
    evolution.seconds += seconds
    finished = [entry.tally.mean for entry in evolution.best]
    everyone = [entry.tally.mean for island in islands for entry in island]
    evolution.history.append(
        {
            "best": round(finished[0], 4),
            "middle": round(median(everyone), 4),
            "games": evolution.games,
            "seconds": round(evolution.seconds, 2),
        }
    )


@dataclass(frozen=True)
class SelectedList:
    """The list that an evolution came to, and its games on the decks of reports."""

    uses: Uses
    choice: Summary  # of the games by which it was chosen, among the finalists
    report: Summary  # of games on decks that chose nothing
    mean_if_bombs_are_zero: float  # of the same games

    def to_json(self) -> dict[str, Any]:
        return {
            "list": list_text(self.uses),
            "choice": self.choice.to_json(),
            "report": self.report.to_json(),
            "mean_if_bombs_are_zero": self.mean_if_bombs_are_zero,
        }


def choose(evolution: Evolution, games: int, runner: Runner, workers: int | None) -> SelectedList:
    """The best of the finalists on fresh decks, shortened, then played on the decks of reports."""
    task = evolution.task
    seed = task.plan.decks(0, algorithm.CHOICE_SEED)
    lists = [entry.uses for entry in evolution.best[:FINALISTS]]
    played = play_all(task, lists, games, seed, runner)
    best = max(range(len(lists)), key=lambda place: (played[place].summary.mean, -place))
    with ListWorkers(parse_rules(task.rules, task.players), algorithm.breed_of(task.rule_set).longest, workers) as pool:
        uses = shortened(lists[best], seed, pool)
    (report,) = play_all(task, [uses], games, REPORT_SEED, runner)
    kept = np.where(report.results["lives"] > 0, report.results["points"], 0)
    return SelectedList(uses, played[best].summary, report.summary, float(kept.mean()))


def play_all(task: EvolutionTask, lists: Sequence[Uses], games: int, seed: int, runner: Runner) -> list[PlayedMatch]:
    """Matches of lists with themselves, as any other match is played: counted, and stored if the runner does."""
    rules, sink = parse_rules(task.rules, task.players), KeepGames()
    agents = [rebuild_agent(f"rules({list_text(uses)})") for uses in lists]
    matches = [Match.of(rules, [agent], games, seed) for agent in agents]
    outcome = runner.play(matches, sink, OnError.RAISE)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return [PlayedMatch.of(match, sink.of(number), outcome) for number, match in enumerate(matches)]


def shortened(uses: Uses, seed: int, pool: ListWorkers, games: int = COMPARED_GAMES) -> Uses:
    """The same list without rules whose absence changes nothing in these games, the last ones first."""
    (whole,) = pool.play([Job(uses, seed, games)])
    kept = list(uses)
    for place in reversed(range(len(kept))):
        rest = tuple(kept[:place] + kept[place + 1 :])
        if rest and pool.play([Job(rest, seed, games)])[0] == whole:
            kept = list(rest)
    return tuple(kept)


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
            algorithm.check_least(name, value, least)
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
    """Try candidates in batches until this many are tried; `report` is called after each, and may save the map."""
    task = elites.task
    breed = algorithm.breed_of(task.rule_set)
    with ListWorkers(parse_rules(task.rules, task.players), breed.longest, workers) as pool:
        while elites.candidates < candidates:
            began = time.process_time()
            grow_once(elites, breed, pool.play)
            elites.seconds += time.process_time() - began
            report(elites)


def grow_once(elites: EliteMap, breed: algorithm.Breed, play: Play) -> None:
    """One batch: what it does depends on the map, the seed and its number alone."""
    task = elites.task
    dice = Random(f"{task.seed}/map/{elites.batches}")
    decks = algorithm.MAP_SEED + task.seed * algorithm.DECKS_PER_RUN + elites.batches * task.games
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


def candidate(elites: EliteMap, breed: algorithm.Breed, dice: Random) -> Uses:
    """A random list at first, later a changed elite, crossed with another one now and then."""
    if elites.candidates < elites.task.random:
        return breed.random(dice)
    cells = sorted(elites.elites)
    uses = elites.elites[dice.choice(cells)].uses
    if dice.random() < elites.task.crossover:
        uses = breed.cross(uses, elites.elites[dice.choice(cells)].uses, dice)
    return breed.mutate(uses, elites.task.mutation, dice)


MAP_VERSION = 1
MAP_FILE = "map.json"


def save_map(elites: EliteMap, folder: Path) -> None:
    """Write the map whole or not at all."""
    cells = [{"cell": list(cell), **entry_json(entry)} for cell, entry in sorted(elites.elites.items())]
    data = {"version": MAP_VERSION, "task": asdict(elites.task), "batches": elites.batches, "games": elites.games}
    write_durably(folder / MAP_FILE, json.dumps(data | {"seconds": round(elites.seconds, 3), "cells": cells}) + "\n")


def load_map(folder: Path, task: MapTask) -> EliteMap:
    """The map that a folder holds, or a new one; refuses another task's."""
    path = folder / MAP_FILE
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        return EliteMap(task)
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["version"] != MAP_VERSION:
            raise StateError(f"{path} is of version {data['version']!r}, not {MAP_VERSION}; choose another --folder")
        if data["task"] != asdict(task):
            raise StateError(f"{path} was made with other settings; give the same to go on, or another --folder")
        breed = algorithm.breed_of(task.rule_set)
        elites = {(int(item["cell"][0]), int(item["cell"][1])): read_entry(item, breed) for item in data["cells"]}
        return EliteMap(task, int(data["batches"]), elites, int(data["games"]), float(data["seconds"]))
    except StateError:
        raise
    except DAMAGES as error:
        raise StateError(f"{path} is damaged ({type(error).__name__}: {error}); delete it to begin again") from None


def measured_map(elites: EliteMap, games: int, marks: Mapping[str, str], workers: int | None) -> dict[str, Any]:
    """Every elite, and some known lists, played again on the decks of reports, from seed 1 on."""
    task = elites.task
    breed, cells = algorithm.breed_of(task.rule_set), sorted(elites.elites)
    known = {name: read_list(text) for name, text in marks.items()}
    longest = max([breed.longest, *map(len, known.values())])
    with ListWorkers(parse_rules(task.rules, task.players), longest, workers) as pool:
        lists = [*(elites.elites[cell].uses for cell in cells), *known.values()]
        tallies = pool.play([Job(uses, 1, games) for uses in lists])
    rows = [
        {"cell": list(cell), **style(tally), "list": list_text(elites.elites[cell].uses)}
        for cell, tally in zip(cells, tallies, strict=False)
    ]
    places = [{"name": name, **style(tally)} for name, tally in zip(known, tallies[len(cells) :], strict=True)]
    counts = {"candidates": elites.candidates, "games": elites.games, "seconds": round(elites.seconds, 1)}
    return {"task": asdict(task), **counts, "games_each": games, "cells": rows, "marks": places}


def style(tally: FitnessSum) -> dict[str, float]:
    """A list's score and behaviour, for people."""
    names = ("mean", "se", "communication", "caution", "knowledge")
    return {name: round(getattr(tally, name), 3) for name in names}
