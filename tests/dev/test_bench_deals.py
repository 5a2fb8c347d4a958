"""The bias of a deal: exact numbers against hands listed the slow way, sampled numbers against exact ones."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from kagiya.agents.register import find_agent
from kagiya.cards import NO_CARD
from kagiya.dev.bench_deals import (
    Dealer,
    DealMean,
    DealSetting,
    Hidden,
    exact_bias,
    hidden_hands,
    measure_deals,
    sampled_bias,
)
from kagiya.engine.game import LANE, Game
from kagiya.rules import Rules, parse_rules
from kagiya.search.deals.sampling import DEALS, LEFT_TO_RIGHT, SLOT_BY_SLOT, UNIFORM
from tests.search.deals.hidden_hands import (
    Hand,
    can_be_listed,
    listed_hands,
    real_positions,
    unseen_cards,
    with_possible,
)

FIVE = Rules(colors=1, copies=(1, 1, 1, 1, 1), hand_size=2)
OVERLAPPING = ((0, 1), (1, 2))
STUCK = ((0, 1, 2), (0,))  # from left to right one attempt in three leaves nothing for the second slot


def filled_chances(game: Game, order: Sequence[int]) -> dict[Hand, float]:
    """The chance of every hand if slots are filled in this order and what gets stuck starts again."""
    chances: Counter[Hand] = Counter()
    possible = game.states[LANE]["possible"][game.seat].tolist()

    def fill(place: int, left: Counter[int], hand: dict[int, int], chance: float) -> None:
        if place == len(order):
            chances[tuple(hand.get(slot, NO_CARD) for slot in range(game.rules.hand_size))] += chance  # type: ignore[assignment]
            return
        fitting = {card: n for card, n in left.items() if n and possible[order[place]] >> card & 1}
        for card, copies in fitting.items():
            share = chance * copies / sum(fitting.values())
            fill(place + 1, left - Counter([card]), hand | {order[place]: card}, share)

    fill(0, Counter(unseen_cards(game, game.seat)), {}, 1.0)
    total = sum(chances.values())
    return {hand: chance / total for hand, chance in chances.items()}


def check_against_list(game: Game, sampler: int) -> None:
    hidden, ways = Hidden.of(game), listed_hands(game, game.seat)
    fitting = dict(zip(hidden.slots, hidden.fitting, strict=True))
    order = sorted(hidden.slots, key=fitting.__getitem__) if sampler == SLOT_BY_SLOT else list(hidden.slots)
    filled = filled_chances(game, order)
    errors = {hand: filled[hand] - count / ways.total() for hand, count in ways.items()}
    bias = exact_bias(hidden, sampler)
    assert bias.hands == len(ways) == len(filled)
    assert hidden.deals == ways.total()
    assert bias.variation == pytest.approx(sum(map(abs, errors.values())) / 2, abs=1e-10)
    squares = sum(error**2 * ways.total() / ways[hand] for hand, error in errors.items())
    assert bias.divergence == pytest.approx(squares, abs=1e-10)
    playable = int(game.states[LANE]["playable"])
    wrong = [sum(e for hand, e in errors.items() if playable >> hand[slot] & 1) for slot in hidden.slots]
    assert bias.playable_error == pytest.approx(max(map(abs, wrong)), abs=1e-10)


@pytest.mark.parametrize("sampler", [SLOT_BY_SLOT, LEFT_TO_RIGHT])
def test_exact_numbers_are_those_of_all_hands_listed(
    sampler: int, games: Callable[[int], int], rng: random.Random
) -> None:
    played = real_positions("vdb", parse_rules("goodman", 4), games(30) + 10, rng)
    listed = [game for game in played if can_be_listed(game, game.seat)]
    assert listed
    for game in [*listed, with_possible(FIVE, [0, 1, 3, 4, 2], *OVERLAPPING)]:
        check_against_list(game, sampler)


def test_attempts_that_get_stuck_do_not_count() -> None:
    check_against_list(with_possible(FIVE, [0, 1, 3, 4, 2], *STUCK), LEFT_TO_RIGHT)


def test_overlapping_kinds_by_hand() -> None:
    hidden = Hidden.of(with_possible(FIVE, [0, 1, 3, 4, 2], *OVERLAPPING))
    bias = exact_bias(hidden, SLOT_BY_SLOT)
    assert bias.hands == 3
    assert bias.variation == pytest.approx(1 / 2 - 1 / 3)
    assert bias.playable_error == pytest.approx(2 / 3 - 1 / 2)  # the first slot is the lowest card
    assert exact_bias(hidden, UNIFORM).variation == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("sampler", [UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT])
def test_sampled_numbers_agree_with_exact_ones(sampler: int, games: Callable[[int], int]) -> None:
    hidden = Hidden.of(with_possible(FIVE, [0, 1, 3, 4, 2], *OVERLAPPING))
    exact = exact_bias(hidden, sampler)
    hands = Dealer(sampler, 5).deal(hidden, max(4000, games(100_000)))
    sampled = sampled_bias(hidden, hands, exact.hands)
    reach = 5 / np.sqrt(len(hands))
    assert sampled.divergence == pytest.approx(exact.divergence, abs=reach)
    assert sampled.slot_variation == pytest.approx(exact.slot_variation, abs=reach)
    assert sampled.playable_error == pytest.approx(exact.playable_error, abs=reach)


def test_sampling_noise_does_not_look_like_bias(games: Callable[[int], int]) -> None:
    """Small samples of the uniform deal: every number is about 0 on average, within four standard errors."""
    setting = DealSetting(find_agent("vdb"), parse_rules("goodman", 4))
    dealer, count = Dealer(UNIFORM, 9), max(10, games(300))
    found = [sampled_bias(h, dealer.deal(h, 200), 1.0) for h in hidden_hands(setting, count, 3) if len(h.slots) > 1]
    for name in ("divergence", "slot_variation", "playable_error"):
        figure = DealMean.of(getattr(bias, name) for bias in found)
        assert abs(figure.mean) < 4 * figure.se + 1e-12, name


@pytest.mark.parametrize("convention", ["none", "playable-now"])
def test_a_report_has_every_deal(convention: str, games: Callable[[int], int]) -> None:
    setting = DealSetting(find_agent("vdb"), parse_rules("goodman", 4), convention)
    seen: list[int] = []
    report = measure_deals(setting, max(4, games(30)), 100, 1, seen.append)
    assert [row.deal for row in report.figures] == list(DEALS)
    assert sum(seen) == report.positions + report.impossible
    assert report.figures[SLOT_BY_SLOT].variation.worst == pytest.approx(0, abs=1e-9)
    assert report.figures[UNIFORM].variation.worst < 1e-3
