"""A run of the genetic algorithm on disk: written whole after every generation, so that it can always go on."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kagiya.lab.evolution.fitness import Tally
from kagiya.lab.evolution.islands import Plan
from kagiya.lab.evolution.operators import breed_of
from kagiya.lab.evolution.racing import Entry
from kagiya.lab.evolution.rule_sets import list_text, read_list
from kagiya.lab.store.journal import write_whole
from kagiya.spec import SpecError

VERSION = 1  # of the file; raised when what the fields mean, or what a generation does, changes
FILE = "evolution.json"


class StateError(ValueError):
    """A folder whose evolution cannot go on."""


@dataclass(frozen=True)
class Task:
    """What is evolved, and how; two runs with the same task are the same run."""

    rule_set: str
    rules: str
    players: int
    start: tuple[str, ...] = ()  # lists to begin with
    plan: Plan = field(default_factory=Plan)

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"start": list(self.start)}


@dataclass
class Evolution:
    """How far a run has come."""

    task: Task
    generation: int = 0  # generations that are done
    islands: list[list[Entry]] = field(default_factory=list)
    history: list[dict[str, Any]] = field(default_factory=list)  # of each generation: the best, the middle, games
    games: int = 0
    seconds: float = 0.0  # of processor time

    @property
    def best(self) -> list[Entry]:
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
            "islands": [
                [{"list": list_text(entry.uses), "sums": list(entry.tally.sums)} for entry in island]
                for island in self.islands
            ],
        }


def save(evolution: Evolution, folder: Path) -> None:
    """Write the state whole or not at all."""
    write_whole(folder / FILE, json.dumps(evolution.to_json()) + "\n")


def load(folder: Path, task: Task) -> Evolution:
    """The run that a folder holds, or a new one if it holds none; refuses another task's."""
    path = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise StateError(f"{path} is damaged ({error}); delete it to begin again") from None
    if data is None:
        return Evolution(task)
    if not isinstance(data, dict) or data.get("version") != VERSION:
        found = data.get("version") if isinstance(data, dict) else None
        raise StateError(f"{path} is of version {found!r}, not {VERSION}; choose another --folder, or delete it")
    try:
        return read(data, task, path)
    except (KeyError, TypeError, SpecError) as error:
        raise StateError(f"{path} is damaged ({type(error).__name__}: {error}); delete it to begin again") from None


def read(data: dict[str, Any], task: Task, path: Path) -> Evolution:
    """A state from its JSON."""
    written, wanted = flat(data["task"]), flat(json.loads(json.dumps(task.to_json())))
    if differing := sorted(key for key in wanted.keys() | written.keys() if wanted.get(key) != written.get(key)):
        key = differing[0]
        raise StateError(
            f"{path} was evolved with {key} = {written.get(key)!r}, not {wanted.get(key)!r};"
            " give the same settings to go on, or another --folder"
        )
    breed = breed_of(task.rule_set)
    islands = []
    for island in data["islands"]:
        entries = [Entry(read_list(item["list"]), Tally(tuple(map(float, item["sums"])))) for item in island]
        for entry in entries:
            breed.check(entry.uses)
        islands.append(entries)
    counts = int(data["generation"]), islands, list(data["history"]), int(data["games"])
    return Evolution(task, *counts, float(data["seconds"]))


def flat(data: dict[str, Any]) -> dict[str, Any]:
    """Settings by name, those of the plan among them."""
    return {**{key: value for key, value in data.items() if key != "plan"}, **data["plan"]}
