"""The dice: known numbers, compiled or not, and fair ones."""
# mypy: allow-untyped-calls

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest

from kagiya.engine import game_kernels
from kagiya.engine.batch import write_template
from kagiya.engine.dice import DECK_STREAM, WARM_UP, below, next_word, seed_stream
from kagiya.engine.layout import STREAMS, new_states, new_streams
from kagiya.rules import Rules

Games = Callable[[int], int]

WORD = 2**32 - 1

FIRST_WORDS = {  # (seed, stream): the numbers that every machine must give
    (0, 0): [1363572419, 145230303, 808754475, 4216505632],
    (0, 1): [1299785925, 4001059704, 2906380172, 1047107358],
    (2**63 - 1, 5): [3883684477, 2092145404, 3850004039, 1377551254],
}


def sfc32(seed: int, stream: int, count: int) -> list[int]:
    """The same generator once more, from its author's description."""
    a, b, c, counter = seed & WORD, seed >> 32, stream, 1
    words = []
    for _ in range(WARM_UP + count):
        words.append((a + b + counter) & WORD)
        a, b, c = b ^ b >> 9, (c + (c << 3)) & WORD, ((c << 21 | c >> 11) + words[-1]) & WORD
        counter += 1
    return words[WARM_UP:]


def seeded(stream: int, seed: int) -> Callable[[int], int]:
    """A die that is thrown with the number of its sides."""
    rng = new_streams(1)
    seed_stream(rng, 0, stream, seed)
    return lambda limit: int(below(rng, 0, stream, limit))


def chi_square(counts: Iterable[int], expected: float) -> float:
    return sum((count - expected) ** 2 / expected for count in counts)


@pytest.mark.parametrize(("seed", "stream"), FIRST_WORDS)
def test_first_numbers(seed: int, stream: int) -> None:
    rng = new_streams(2)
    seed_stream(rng, 1, stream, seed)
    words = [int(next_word(rng, 1, stream)) for _ in range(200)]
    assert words[:4] == FIRST_WORDS[seed, stream]
    assert words == sfc32(seed, stream, 200)
    assert not rng[0].any(), "only the lane asked for moves"


def test_streams_and_seeds_give_different_numbers() -> None:
    throws = {tuple(sfc32(seed, stream, 2)) for seed in range(200) for stream in range(STREAMS)}
    assert len(throws) == 200 * STREAMS


@pytest.mark.parametrize(("limit", "critical"), [(2, 15.2), (3, 18.5), (10, 33.8), (50, 95.0)])
def test_every_number_below_the_limit_is_as_likely(limit: int, critical: float, games: Games) -> None:
    """A fair die exceeds `critical` once in 10,000 tests; the seed is fixed, so the outcome is too."""
    count = games(100_000)
    die = seeded(int(DECK_STREAM), 12345)
    counts = Counter(die(limit) for _ in range(count))
    assert set(counts) <= set(range(limit))
    assert chi_square((counts[side] for side in range(limit)), count / limit) < critical


def test_the_largest_limit_stays_in_range() -> None:
    die = seeded(int(DECK_STREAM), 1)
    assert all(0 <= die(2**31 - 1) < 2**31 - 1 for _ in range(1000))


def test_every_order_of_the_deck_is_as_likely(games: Games) -> None:
    rules = Rules(colors=1, copies=(1, 1, 1, 1), hand_size=1)
    states, rng, orders = new_states(2), new_streams(2), Counter[tuple[int, ...]]()
    write_template(rules, states, 0)
    count = games(24_000)
    for seed in range(count):
        game_kernels.deal(states, 0, 1, rng, seed)
        hands = states[1]["hands"][:2, 0].tolist()
        orders[(*hands, *states[1]["deck"][2:4].tolist())] += 1
    assert len(orders) == 24
    assert chi_square(orders.values(), count / 24) < 57.0
