"""Runs on disk: resumed as if never interrupted, for any number of workers; and files that cannot be gone on with."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kagiya.lab.match.runner import local_runner
from kagiya.lab.training.algorithm import CHOICE_SEED, FITNESS_SEED, MAP_SEED, EvolutionPlan
from kagiya.lab.training.evolution import FILE, EvolutionTask, StateError, choose, evolve, load, shortened
from kagiya.lab.training.rule_lists import ListWorkers, list_text, read_list
from kagiya.rules import parse_rules

SMALL = EvolutionPlan(population=16, elite=4, islands=2, exchange=2, games=32, seed=3)
TASKS = [EvolutionTask("all", "goodman", 2, plan=SMALL), EvolutionTask("canaan", "goodman", 3, plan=SMALL)]


def silent(evolution: object) -> None:
    """A report that nobody reads."""


def state(folder: Path) -> dict[str, object]:
    data: dict[str, object] = json.loads((folder / FILE).read_text())
    data.pop("seconds")
    for generation in data["history"]:  # type: ignore[attr-defined]
        generation.pop("seconds")
    return data


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.rule_set)
def test_a_resumed_run_is_an_uninterrupted_one_for_any_number_of_workers(task: EvolutionTask, tmp_path: Path) -> None:
    evolve(task, tmp_path / "whole", 5, 1, silent)
    for generations, workers in ((2, 2), (3, 1), (5, 3)):
        evolve(task, tmp_path / "parts", generations, workers, silent)
    assert state(tmp_path / "whole") == state(tmp_path / "parts")


def test_ctrl_c_loses_only_the_generation_in_progress(tmp_path: Path) -> None:
    def interrupt(evolution: object) -> None:
        if len(evolution.history) == 2:  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    evolve(TASKS[0], tmp_path / "whole", 4, 1, silent)
    with pytest.raises(KeyboardInterrupt):
        evolve(TASKS[0], tmp_path / "parts", 4, 1, interrupt)
    assert load(tmp_path / "parts", TASKS[0]).generation == 2
    evolve(TASKS[0], tmp_path / "parts", 4, 1, silent)
    assert state(tmp_path / "whole") == state(tmp_path / "parts")


def test_another_seed_is_another_run(tmp_path: Path) -> None:
    evolve(TASKS[0], tmp_path / "a", 1, 1, silent)
    evolve(replace(TASKS[0], plan=replace(SMALL, seed=4)), tmp_path / "b", 1, 1, silent)
    assert state(tmp_path / "a")["islands"] != state(tmp_path / "b")["islands"]


def test_lists_to_start_from_are_in_the_first_generation(tmp_path: Path) -> None:
    text = "play-safe, tell-playable, discard-oldest"
    evolution = evolve(replace(TASKS[0], start=(text,)), tmp_path, 1, 1, silent)
    for island in evolution.islands:
        assert text in [list_text(entry.uses) for entry in island]


def test_fitness_decks_choice_decks_and_reported_decks_are_apart() -> None:
    last = EvolutionPlan(seed=4095).decks(generation=300_000)
    assert EvolutionPlan(seed=0).decks(0) == FITNESS_SEED > 2**39
    assert last < CHOICE_SEED <= EvolutionPlan(seed=0).decks(0, CHOICE_SEED)
    assert EvolutionPlan(seed=4095).decks(0, CHOICE_SEED) < MAP_SEED


def test_the_choice_is_reported_on_other_decks_and_without_idle_rules(tmp_path: Path) -> None:
    evolution = evolve(TASKS[1], tmp_path, 2, 1, silent)
    with local_runner(1) as runner:
        chosen = choose(evolution, 50, runner, 1)
    assert chosen.choice.games == chosen.report.games == 50
    assert 1 <= len(chosen.uses) < 64
    assert chosen.mean_if_bombs_are_zero <= chosen.report.mean
    assert read_list(chosen.to_json()["list"]) == chosen.uses


def test_a_rule_that_never_fires_is_left_out_and_one_that_does_is_kept() -> None:
    uses = read_list("play-safe, play-known, tell-playable, discard-oldest")
    with ListWorkers(parse_rules("goodman", 3), 24, 1) as pool:
        assert list_text(shortened(uses, 1, pool, 60)) == "play-safe, tell-playable, discard-oldest"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    evolve(TASKS[0], tmp_path, 1, 1, silent)
    return tmp_path


def spoil(folder: Path, **changes: object) -> None:
    path = folder / FILE
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_truncated_file_is_refused(folder: Path) -> None:
    path = folder / FILE
    path.write_text(path.read_text()[:-40])
    with pytest.raises(StateError, match=r"evolution.json is damaged .*; delete it to begin again"):
        load(folder, TASKS[0])


@pytest.mark.parametrize("text", ["[" * 100_000, '{"version": Infinity', f"[{'9' * 5000}]"])
def test_a_file_that_no_program_wrote_is_refused(folder: Path, text: str) -> None:
    (folder / FILE).write_text(text)
    with pytest.raises(StateError, match=r"evolution.json is damaged .*; delete it to begin again"):
        load(folder, TASKS[0])
    (folder / FILE).write_text(text)


@pytest.mark.parametrize("changes", [{"generation": float("inf")}, {"games": "many"}, {"seconds": "9h"}, {"task": []}])
def test_numbers_that_make_no_sense_are_refused(folder: Path, changes: dict[str, object]) -> None:
    spoil(folder, **changes)
    with pytest.raises(StateError, match=r"is damaged"):
        load(folder, TASKS[0])


def test_a_file_of_another_version_is_refused(folder: Path) -> None:
    spoil(folder, version=99)
    with pytest.raises(StateError, match=r"is of version 99, not 1; choose another --folder"):
        load(folder, TASKS[0])


def test_a_file_of_another_task_is_refused_and_says_what_differs(folder: Path) -> None:
    with pytest.raises(StateError, match=r"evolved with players = 2, not 4; give the same settings"):
        load(folder, replace(TASKS[0], players=4))
    with pytest.raises(StateError, match=r"evolved with elite = 4, not 2"):
        load(folder, replace(TASKS[0], plan=replace(SMALL, elite=2)))


@pytest.mark.parametrize(
    "islands", [[[{"list": "play-sfae", "sums": []}]], [[{"list": "play-safe"}]], [["play-safe"]], 5]
)
def test_a_file_whose_lists_make_no_sense_is_refused(folder: Path, islands: object) -> None:
    spoil(folder, islands=islands)
    with pytest.raises(StateError, match=r"is damaged"):
        load(folder, TASKS[0])
