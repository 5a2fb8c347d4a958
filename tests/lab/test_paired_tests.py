import math
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest

from kagiya.lab.paired_and_sequential_tests import Difference, compare_pair, compare_teams, digits, holm, p_text

# The differences of Student's example of two sleeping drugs (1908): t = 4.06, p = 0.00283.
SLEEP_A = np.array([19, 8, 11, 1, -1, 44, 55, 16, 46, 34])
SLEEP_B = np.array([7, -16, -2, -12, -1, 34, 37, 8, 0, 20])


def test_the_known_answer_of_student() -> None:
    found = compare_pair("a", "b", SLEEP_A, SLEEP_B)
    assert found.mean == pytest.approx(15.8)
    assert found.p == pytest.approx(0.002833, abs=1e-5)
    assert found.interval == pytest.approx((7.00, 24.60), abs=0.01)
    assert found.p_welch == pytest.approx(0.07939, abs=1e-4)
    assert found.p_wilcoxon is None  # nine differences are too few
    assert found.correlation == pytest.approx(0.795, abs=0.001)


def test_a_team_that_always_scores_the_same_is_compared_without_a_warning() -> None:
    found = compare_pair("a", "b", np.array([15, 15]), np.array([14, 17]))
    assert found.p_welch == pytest.approx(0.7952, abs=1e-3)  # t of 1 degree of freedom, -1 / 3


def test_holms_correction_on_its_textbook_example() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []
    assert holm([0.2]) == [0.2]


def scores(seed: int, decks: int, lead: float = 0.0) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Two teams on common decks: half of the luck is the deck's."""
    dice = np.random.default_rng(seed)
    deck = dice.normal(0, 1.5, decks)
    a, b = (np.clip(np.rint(17 + gain + deck + dice.normal(0, 1.5, decks)), 0, 25) for gain in (lead, 0.0))
    return a.astype(np.int64), b.astype(np.int64)


def test_pairing_is_worth_something_and_the_verdict_says_all() -> None:
    a, b = scores(1, 20_000, lead=0.3)
    found = compare_pair("vdb", "iggi", a, b)
    assert found.p < found.p_welch
    assert found.p_wilcoxon is not None
    assert found.p_wilcoxon < 0.001
    assert 0.4 < found.correlation < 0.6
    low, high = found.interval
    assert found.verdict() == (
        f"vdb is better than iggi by {found.mean:.3f} points a game ({low:.3f} to {high:.3f}), "
        "p < 0.001, 20,000 common decks"
    )
    back = compare_pair("iggi", "vdb", b, a)
    assert back.verdict() == found.verdict()
    assert back.to_json()["verdict"] == found.verdict()


def test_what_cannot_be_told_is_not_told() -> None:
    a, b = scores(2, 50)
    assert "cannot be told apart" in compare_pair("a", "b", a, b).verdict()
    assert compare_pair("a", "b", a, a).verdict() == "a and b scored the same on each of 50 common decks"
    assert compare_pair("a", "b", a, a).p == 1
    assert compare_pair("a", "b", a + 1, a).p == 0
    assert compare_pair("a", "b", a[:1], b[:1]).verdict() == "a and b cannot be compared on 1 common deck"
    assert compare_pair("a", "b", a[:0], b[:0]).to_json()["p"] is None
    constant = np.zeros(5, np.int64)
    assert compare_pair("a", "b", constant, constant).p_welch == 1
    assert compare_pair("a", "b", constant + 1, constant).p_welch == 0


def test_fewer_than_ten_decks_give_a_lead_and_no_verdict() -> None:
    a, b = np.array([20, 21, 20, 22]), np.array([3, 4, 2, 4])
    found = compare_pair("a", "b", a, b)
    assert not found.is_sure
    assert math.isnan(found.interval[0])
    assert found.verdict() == "a leads b by 17.50 points a game on 4 common decks: too few to judge, it takes 10"


def test_many_comparisons_are_corrected_together() -> None:
    a, b = scores(3, 400, lead=0.25)
    c, d = scores(4, 400)
    found = compare_teams({"a": a, "b": b, "c": c, "d": d})
    assert len(found) == 6
    assert [pair.p_holm for pair in found] == holm([pair.p for pair in found])
    assert all(pair.p_holm >= pair.p for pair in found)


def test_the_paired_test_and_its_interval_keep_their_promise() -> None:
    found = [compare_pair("a", "b", *scores(seed, 60)) for seed in range(1500)]
    assert 0.035 <= np.mean([pair.p < 0.05 for pair in found]) <= 0.065
    assert 0.935 <= np.mean([pair.interval[0] <= 0 <= pair.interval[1] for pair in found]) <= 0.965
    assert 0.03 <= np.mean([(pair.p_wilcoxon or 0) < 0.05 for pair in found]) <= 0.07


def test_holm_keeps_the_chance_of_any_false_alarm() -> None:
    alarms = [min(holm(row)) < 0.05 for row in np.random.default_rng(9).random((20_000, 6)).tolist()]
    assert 0.04 <= np.mean(alarms) <= 0.053


def test_numbers_are_printed_as_exactly_as_they_are_known() -> None:
    assert [digits(reach) for reach in (1.2, 0.07, 0.03, 0.004, 0.0, math.nan)] == [2, 2, 3, 4, 5, 2]
    assert all(a <= b for a, b in pairwise(digits(reach) for reach in (1, 0.1, 0.01, 0.001, 0.0001)))
    assert [p_text(p) for p in (0.0002, 0.0234, 0.46, math.nan)] == ["p < 0.001", "p = 0.023", "p = 0.46", "no p-value"]
    assert isinstance(compare_pair("a", "b", SLEEP_A, SLEEP_B), Difference)
