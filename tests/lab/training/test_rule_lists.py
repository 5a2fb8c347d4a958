"""An arena plays the games that a match plays, and counts what lists do."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from kagiya import Match, find_agent, parse_rules, play_match
from kagiya._jit import address
from kagiya.lab.training import rule_lists
from kagiya.lab.training.rule_lists import (
    FEWEST,
    MAX_GAMES,
    Arena,
    FitnessSum,
    Job,
    ListWorkers,
    Uses,
    cut,
    race,
    read_list,
    stage_games,
)

Games = Callable[[int], int]
VDB = "play-probably-safe(0.6, lives=2), play-safe, discard-probably-useless(1), tell-playable, tell-most-new"
NOTED = "play-just-hinted(0.2), tell-promise(0), discard-oldest, tell-most-new"
RISKY = "play-probably-safe(0)"


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("text", [VDB, NOTED, RISKY])
def test_the_games_are_those_of_a_match(text: str, players: int, games: Games) -> None:
    rules, count = parse_rules("goodman", players), max(games(100), 5)
    tally = Arena(rules, 24).play(read_list(text), 7, count)
    results = play_match(Match.of(rules, [find_agent(f"rules({text})")], count, seed=7), 1).results
    assert tally.games == count
    assert tally.mean == pytest.approx(results["score"].mean())
    assert tally.se == pytest.approx(results["score"].std(ddof=1) / np.sqrt(count))
    assert tally.bomb_rate == pytest.approx((results["lives"] == 0).mean())
    assert tally.mean_if_bombs_are_zero == pytest.approx(np.where(results["lives"] > 0, results["points"], 0).mean())


def test_behaviours_of_lists_that_do_one_thing() -> None:
    arena = Arena(parse_rules("goodman", 2), 24)
    talker = arena.play(read_list("tell-anything, discard-oldest"), 1, 5)
    assert talker.communication == 1.0
    assert talker.caution == 1.0  # of no card played
    gambler = arena.play(read_list("play-probably-safe(0)"), 1, 20)
    assert gambler.communication == 0.0
    assert 0.0 < gambler.caution < 0.6
    sure = arena.play(read_list("play-safe, tell-playable, discard-oldest, tell-anything"), 1, 20)
    assert sure.caution == 1.0
    assert 0.0 < sure.knowledge <= 1.0


def test_a_tally_of_nothing_and_a_sum() -> None:
    arena = Arena(parse_rules("goodman", 3), 24)
    parts = arena.play(read_list(VDB), 1, 4) + arena.play(read_list(VDB), 5, 6)
    whole = arena.play(read_list(VDB), 1, 10)
    assert parts.sums == pytest.approx(whole.sums)
    assert np.isnan(FitnessSum().se)
    assert FitnessSum().mean == 0.0


def test_a_list_after_another_one_is_not_touched_by_it() -> None:
    arena = Arena(parse_rules("goodman", 3), 24)
    before = arena.play(read_list(VDB), 1, 5)
    arena.play(read_list(NOTED), 1, 5)
    assert arena.play(read_list(VDB), 1, 5) == before


def test_jobs_are_cut_into_short_calls_and_add_up() -> None:
    job = Job(read_list(VDB), 3, 2 * MAX_GAMES + 5)
    assert [(piece.seed, piece.games) for piece in cut(job)] == [
        (3, MAX_GAMES),
        (3 + MAX_GAMES, MAX_GAMES),
        (3 + 2 * MAX_GAMES, 5),
    ]


def test_any_number_of_workers_gives_the_same_tallies() -> None:
    jobs = [Job(read_list(text), seed, 10) for text in (VDB, NOTED, RISKY) for seed in (1, 50)]
    found = []
    for workers in (1, 3):
        with ListWorkers(parse_rules("goodman", 3), 24, workers) as pool:
            found.append(pool.play(jobs))
    assert found[0] == found[1]


def test_workers_never_compile_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    busy: list[Any] = []
    clashes: list[Any] = []

    def slow_address(*words: Any) -> int:
        clashes.extend(busy)
        busy.append(words[0])
        time.sleep(0.005)
        busy.pop()
        return address(*words)

    monkeypatch.setattr(rule_lists, "address", slow_address)
    rule_lists._tactic_number.cache_clear()
    texts = ("play-safe", "play-known", "discard-oldest", "discard-random", "tell-playable", "tell-useless")
    with ListWorkers(parse_rules("goodman", 3), 24, 4) as pool:
        pool.play([Job(read_list(text), 1, 1) for text in texts])
    assert clashes == []


def test_a_race_plays_all_a_little_and_the_best_to_the_end_on_the_same_decks() -> None:
    lists = [read_list(f"play-probably-safe(0.{place:02})") for place in range(16)]
    asked: list[Job] = []

    def play(jobs: list[Job]) -> list[FitnessSum]:
        asked.extend(jobs)
        return [made_up(job) for job in jobs]

    (ranking,) = race([lists], 64, 1000, play)  # type: ignore[arg-type]
    assert [entry.uses[0].value for entry in ranking] == [place / 100 for place in reversed(range(16))]
    assert [entry.tally.games for entry in ranking] == sorted((e.tally.games for e in ranking), reverse=True)
    assert sum(entry.tally.games == 64 for entry in ranking) == FEWEST
    assert {entry.tally.games for entry in ranking} <= set(stage_games(64))
    for uses in lists:  # decks in a row from the first on, each once
        seeds = [seed for job in asked if job.uses == uses for seed in range(job.seed, job.seed + job.games)]
        assert seeds == list(range(1000, 1000 + len(seeds)))


def made_up(job: Job) -> FitnessSum:
    score = job.games * job.uses[0].value
    return FitnessSum((job.games, score, *([0.0] * (len(FitnessSum().sums) - 2))))


def test_ties_are_broken_by_length_and_alphabet_not_by_order() -> None:
    lists: list[Uses] = [
        read_list(text) for text in ("tell-useless", "play-safe", "play-safe, tell-useless", "unblock")
    ]
    nothing = [FitnessSum((8.0, *([0.0] * (len(FitnessSum().sums) - 1))))] * 4
    for group in (lists, lists[::-1]):
        (ranking,) = race([group], 32, 1, lambda jobs: nothing[: len(jobs)])
        assert [len(entry.uses) for entry in ranking] == [1, 1, 1, 2]
        assert [str(entry.uses[0]) for entry in ranking[:3]] == ["play-safe", "tell-useless", "unblock"]
