"""A map of elites on disk, and what a figure of it shows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kagiya.lab.evolution.fitness import Tally
from kagiya.lab.evolution.map_elites import EliteMap, MapTask
from kagiya.lab.evolution.operators import breed_of
from kagiya.lab.evolution.racing import Entry, Job, ListWorkers
from kagiya.lab.evolution.rule_sets import list_text, read_list
from kagiya.lab.evolution.state import StateError
from kagiya.lab.store.journal import write_whole
from kagiya.rules import parse_rules
from kagiya.spec import SpecError

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
            entry = Entry(read_list(item["list"]), Tally(tuple(map(float, item["sums"]))))
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


def style(tally: Tally) -> dict[str, float]:
    """A list's score and behaviour, for people."""
    return {
        "mean": round(tally.mean, 3),
        "se": round(tally.se, 3),
        "communication": round(tally.communication, 3),
        "caution": round(tally.caution, 3),
        "knowledge": round(tally.knowledge, 3),
    }
