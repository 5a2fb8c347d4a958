"""Runs the genetic algorithm from wherever its folder stands, and chooses the list that it is all about."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from kagiya.agents.register import rebuild_agent
from kagiya.lab.evolution.islands import CHOICE_SEED, evolve_once
from kagiya.lab.evolution.operators import breed_of
from kagiya.lab.evolution.racing import Entry, Job, ListWorkers
from kagiya.lab.evolution.rule_sets import Uses, list_text, read_list
from kagiya.lab.evolution.state import Evolution, Task, load, save
from kagiya.lab.match.match import Match
from kagiya.lab.match.match_result import KeepGames, PlayedMatch
from kagiya.lab.match.runner import OnError, Runner
from kagiya.lab.statistics.summary import Summary
from kagiya.rules import parse_rules
from kagiya.runtime.interrupts import uninterrupted

FINALISTS = 10  # as Canaan et al. play their top ten again
REPORT_SEED = 1  # as matches and reproductions
COMPARED_GAMES = 4_000  # in which leaving out a rule must change nothing

Report = Callable[[Evolution], None]


def evolve(task: Task, folder: Path, generations: int, workers: int | None, report: Report) -> Evolution:
    """Evolve until so many generations are done, saving each; Ctrl-C goes through and loses the one in progress."""
    start = check_task(task)
    breed = breed_of(task.rule_set)
    evolution = load(folder, task)
    with ListWorkers(parse_rules(task.rules, task.players), breed.longest, workers) as pool:
        while evolution.generation < generations:
            began = time.process_time()
            number = evolution.generation
            islands = evolve_once(task.plan, breed, number, evolution.islands, start, pool.play)
            with uninterrupted():
                advance(evolution, islands, time.process_time() - began)
                save(evolution, folder)
            report(evolution)
    return evolution


def check_task(task: Task) -> list[Uses]:
    """Refuse rules, rule sets and lists to start from that make no sense; returns the lists."""
    parse_rules(task.rules, task.players)
    breed, start = breed_of(task.rule_set), [read_list(text) for text in task.start]
    for uses in start:
        breed.check(uses)
    return start


def advance(evolution: Evolution, islands: list[list[Entry]], seconds: float) -> None:
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
class Chosen:
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


def choose(evolution: Evolution, games: int, runner: Runner, workers: int | None) -> Chosen:
    """The best of the finalists on fresh decks, shortened, then played on the decks of reports."""
    task = evolution.task
    seed = task.plan.decks(0, CHOICE_SEED)
    lists = [entry.uses for entry in evolution.best[:FINALISTS]]
    played = play_all(task, lists, games, seed, runner)
    best = max(range(len(lists)), key=lambda place: (played[place].summary.mean, -place))
    with ListWorkers(parse_rules(task.rules, task.players), breed_of(task.rule_set).longest, workers) as pool:
        uses = shortened(lists[best], seed, pool)
    (report,) = play_all(task, [uses], games, REPORT_SEED, runner)
    kept = np.where(report.results["lives"] > 0, report.results["points"], 0)
    return Chosen(uses, played[best].summary, report.summary, float(kept.mean()))


def play_all(task: Task, lists: Sequence[Uses], games: int, seed: int, runner: Runner) -> list[PlayedMatch]:
    """Matches of lists with themselves, as any other match is played: counted, and stored if the runner does."""
    rules, sink = parse_rules(task.rules, task.players), KeepGames()
    agents = [rebuild_agent(f"rules({list_text(uses)})") for uses in lists]
    matches = [Match.of(rules, [agent], games, seed) for agent in agents]
    outcome = runner.play(matches, sink, OnError.RAISE)
    if outcome.interrupted:
        raise KeyboardInterrupt
    return [PlayedMatch.of(match, sink.of(number), outcome) for number, match in enumerate(matches)]


def shortened(uses: Uses, seed: int, pool: ListWorkers, games: int = COMPARED_GAMES) -> Uses:
    """The same list without rules whose absence changes nothing in so many games, the last ones first."""
    (whole,) = pool.play([Job(uses, seed, games)])
    kept = list(uses)
    for place in reversed(range(len(kept))):
        rest = tuple(kept[:place] + kept[place + 1 :])
        if rest and pool.play([Job(rest, seed, games)])[0] == whole:
            kept = list(rest)
    return tuple(kept)
