"""The map of styles: resumed as if never interrupted, elites in their cells, files that cannot be gone on with."""

import json
from pathlib import Path

import pytest

from kagiya.lab.papers.pictures import draw_behaviours
from kagiya.lab.training.algorithm import breed_of
from kagiya.lab.training.evolution import (
    MAP_FILE,
    EliteMap,
    MapTask,
    StateError,
    grow,
    grow_once,
    load_map,
    measured_map,
    save_map,
)
from kagiya.lab.training.rule_lists import FitnessSum, Job, RacedList, read_list

TASK = MapTask("all", "goodman", 2, cells=5, random=20, batch=10, games=4, seed=2)


def grown(folder: Path, *stages: tuple[int, int]) -> EliteMap:
    for candidates, workers in stages:
        elites = load_map(folder, TASK)
        grow(elites, candidates, workers, lambda found: save_map(found, folder))
    return elites


def test_a_resumed_map_is_an_uninterrupted_one_for_any_number_of_workers(tmp_path: Path) -> None:
    whole, parts = grown(tmp_path / "a", (60, 1)), grown(tmp_path / "b", (10, 2), (30, 1), (60, 3))
    assert whole.elites == parts.elites
    assert (whole.batches, whole.games) == (parts.batches, parts.games) == (6, whole.games)
    assert whole.candidates == 60


def test_elites_stand_where_their_first_games_put_them(tmp_path: Path) -> None:
    elites = grown(tmp_path, (10, 1))
    for cell, entry in elites.elites.items():
        assert elites.cell(entry.tally) == cell


def tally(mean: float, games: int = 4) -> FitnessSum:
    return FitnessSum((games, mean * games, *([0.0] * (len(FitnessSum().sums) - 2))))


def test_a_challenged_elite_plays_again_and_the_better_one_stays() -> None:
    elites = EliteMap(TASK)
    old = read_list("play-safe")
    elites.elites[0, 4] = RacedList(old, tally(20.0))
    asked: list[Job] = []

    def play(jobs: list[Job]) -> list[FitnessSum]:
        asked.extend(jobs)
        return [tally(10.0 if job.uses == old else 14.0) for job in jobs]

    grow_once(elites, breed_of("all"), play)  # type: ignore[arg-type]
    assert [job.uses for job in asked].count(old) == 1
    assert len({job.seed for job in asked}) == 1
    assert elites.elites[0, 4] == RacedList(old, tally(15.0, 8))  # 20 and 10 together are still better than 14
    grow_once(elites, breed_of("all"), play)  # type: ignore[arg-type]
    assert elites.elites[0, 4].tally == tally(14.0)


def test_a_measured_map_can_be_drawn(tmp_path: Path) -> None:
    elites = grown(tmp_path, (20, 1))
    data = measured_map(elites, 4, {"mine": "play-safe, tell-playable, discard-oldest"}, 1)
    assert len(data["cells"]) == len(elites.elites)
    assert data["marks"][0]["name"] == "mine"
    assert json.loads(json.dumps(data)) == data
    draw_behaviours(data, tmp_path / "map.svg")
    draw_behaviours(data, tmp_path / "again.svg")
    assert (tmp_path / "map.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
    assert b"mine" in (tmp_path / "map.svg").read_bytes() or (tmp_path / "map.svg").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 7}, "is of version 7, not 1"),
        ({"task": {}}, "was made with other settings"),
        ({"cells": [{"cell": [0, 0], "list": "play-sfae", "sums": []}]}, "is damaged"),
        ({"cells": [{"cell": [0]}]}, "is damaged"),
        ({"batches": float("inf")}, "is damaged"),
        ({"games": "many"}, "is damaged"),
    ],
)
def test_a_map_that_cannot_be_gone_on_with_is_refused(tmp_path: Path, changes: dict[str, object], reason: str) -> None:
    save_map(EliteMap(TASK), tmp_path)
    path = tmp_path / MAP_FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(StateError, match=reason):
        load_map(tmp_path, TASK)
    for text in ("{", "[]", "[" * 100_000, "9" * 5000):
        path.write_text(text)
        with pytest.raises(StateError, match="is damaged"):
            load_map(tmp_path, TASK)


def test_settings_of_a_map_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="cells must be an integer of at least 2, not 1"):
        MapTask("all", "goodman", 2, cells=1)
    with pytest.raises(ValueError, match="at least one batch, 100, not 5"):
        MapTask("all", "goodman", 2, random=5)
