"""Values, distances to the best and mistakes, from the scores of all moves in the same samples."""

import json
import math

import numpy as np
import pytest

from kagiya.cards import Seat
from kagiya.lab.review.judging import JudgedMove, Judgement, Values, compare_moves
from kagiya.moves import MOVES, Move

LEGAL = [1, 3, 7, 12, 20, 21, 22, 30, 31, 40, 41, 42]


def noisy(skills: dict[int, float], deals: int, seed: int) -> Values:
    """Scores of moves that share the luck of a sample and have some of their own."""
    dice = np.random.default_rng(seed)
    values = np.zeros((deals, len(MOVES))) + dice.normal(15, 5, (deals, 1))
    for move, skill in skills.items():
        values[:, move] += skill + dice.normal(0, 2, deals)
    return values


def test_where_all_moves_are_equal_few_are_called_mistakes_and_none_looks_best() -> None:
    called, judged, behind = 0, 0, 0.0
    for seed in range(400):
        for each in compare_moves(noisy(dict.fromkeys(LEGAL, 0.0), 50, seed), LEGAL):
            called += each.is_mistake
            behind += each.behind
            judged += 1
    assert called < 0.05 * judged
    assert abs(behind / judged) < 0.05  # the best of twelve, picked on the same samples, would be ahead by 0.46


def test_where_any_move_may_end_in_a_bomb_few_are_called_mistakes() -> None:
    called, judged = 0, 0
    for seed in range(400):
        dice = np.random.default_rng(seed)
        scores = dice.integers(15, 26, (50, len(MOVES))).astype(float)
        scores[dice.random(scores.shape) < 0.1] = 0.0
        for each in compare_moves(scores, LEGAL):
            called += each.is_mistake
            judged += 1
    assert called < 0.05 * judged


def test_the_error_counts_that_the_best_move_is_uncertain() -> None:
    skills = dict.fromkeys(LEGAL, 0.0) | {1: -0.6}
    found = [each for seed in range(400) for each in compare_moves(noisy(skills, 50, seed), LEGAL) if each.move == 1]
    spread = np.std([each.behind for each in found])
    claimed = math.sqrt(np.mean([each.behind_error**2 for each in found]))
    assert 0.85 < spread / claimed < 1.05  # 1.10 if each half's own error were all
    assert abs(np.mean([each.behind for each in found]) - 0.6) < 0.1


def test_the_distance_is_paired() -> None:
    values = noisy({1: 0.0, 3: 3.0, 7: 1.0}, 200, seed=1)
    found = {int(each.move): each for each in compare_moves(values, [1, 3, 7])}
    lead = values[:, 3] - values[:, 7]
    assert found[7].behind == pytest.approx(lead.mean())
    assert found[7].behind_error == pytest.approx(lead.std(ddof=1) / math.sqrt(200), rel=0.02)
    assert found[7].error > 1.5 * found[7].behind_error  # the luck that all moves share is in it
    assert found[3].behind == found[3].behind_error == 0.0
    assert found[7].is_mistake
    assert [int(each.move) for each in compare_moves(values, [1, 3, 7])] == [3, 7, 1]


def test_a_mistake_is_behind_by_half_a_point_and_two_errors() -> None:
    def is_mistake(behind: float, error: float) -> bool:
        return JudgedMove(MOVES[0], 10.0, 1.0, behind, error, 50).is_mistake

    assert is_mistake(0.51, 0.25)
    assert not is_mistake(0.5, 0.0)
    assert not is_mistake(2.0, 1.0)
    assert is_mistake(2.01, 1.0)


def test_ties_go_to_the_favourite() -> None:
    values = np.full((10, len(MOVES)), 7.0)
    assert compare_moves(values, LEGAL, 30)[0].move == 30
    assert compare_moves(values, LEGAL)[0].move == 1
    assert not any(each.is_mistake for each in compare_moves(values, LEGAL))


def test_a_judgement_is_plain_data_and_a_sentence() -> None:
    moves = compare_moves(noisy({1: 0.0, 3: 3.0}, 50, seed=2), [1, 3])
    found = Judgement(4, Seat(1), 3, "vdb", 50, 0, moves, chosen=MOVES[1], made=MOVES[1])
    data = json.loads(json.dumps(found.to_json()))
    assert Judgement.from_json(data) == found
    assert data["best"] == "play 4"
    assert data["made"] == data["chosen"] == "play 2"
    assert data["mistake"]
    assert found.is_mistake
    assert str(found).startswith("turn 5, bob: best play 4")
    assert str(found).endswith("a mistake")
    with pytest.raises(ValueError, match="'discard 1' was not a legal move of this turn"):
        found.of(Move.discard(0))
