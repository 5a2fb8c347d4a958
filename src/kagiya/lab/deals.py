"""The decks of hanab.live: its variants that we can play, and how it deals from the text of a seed, such as p3v0s17.

It shuffles with the random numbers of Go's `math/rand`, which adds up its own outputs: each is the sum, in 64 bits, of
those 607 and 273 places before. A seed fills the 607 places by a multiplicative generator, combined with constants,
which Go keeps as a table. They are what the same generator holds after 7.8e12 steps from seed 1; here they are
computed, by raising x to that power modulo the polynomial of the recurrence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from kagiya.cards import Card, Color, Rank, make_card
from kagiya.engine.game import Game
from kagiya.rules import STANDARD_COPIES, Rules, RulesError
from kagiya.spec import near

Words = npt.NDArray[np.uint64]

LENGTH, TAP = 607, 273
FEED = LENGTH - TAP
WARM_STEPS = 7_800_000_000_000  # from seed 1 to the constants
MULTIPLIER, MODULUS = 48271, 2**31 - 1
SKIPPED = 20  # numbers of the multiplicative generator before the first that is used
FOR_ZERO = 89482311  # the seed that stands for 0
OUTPUTS = TAP  # as many outputs depend on the seed's places alone


def outputs(seed: int) -> list[int]:
    """The first 273 numbers of 64 bits that follow from a seed; shuffling a deck takes about 60."""
    places = _places(seed, 40, 20) ^ constants()
    numbers = np.arange(1, OUTPUTS + 1)
    return list((places[(FEED - numbers) % LENGTH] + places[-numbers % LENGTH]).tolist())


def _places(seed: int, high: int, middle: int) -> Words:
    """What a seed writes into the places: three numbers below 2**31 each, shifted and combined."""
    start = abs(seed) % MODULUS
    start = (MODULUS - start if seed < 0 and start else start) or FOR_ZERO
    drawn = _powers() * np.uint64(start) % np.uint64(MODULUS)
    first, second, third = drawn[SKIPPED:].reshape(LENGTH, 3).T
    combined: Words = (first << np.uint64(high)) ^ (second << np.uint64(middle)) ^ third
    return combined


@cache
def _powers() -> Words:
    """The multiplier to the powers 1, 2, ..., as many as a seed takes."""
    powers, power = [], 1
    for _ in range(SKIPPED + 3 * LENGTH):
        power = power * MULTIPLIER % MODULUS
        powers.append(power)
    return np.array(powers, np.uint64)


@cache
def constants() -> Words:
    """Go's table: the places after WARM_STEPS steps from seed 1, whose numbers were shifted less.

    Step k adds place -k to place 334 - k, counted around. So with y(k) for the sum of step k, and y(0), y(-1), ... for
    what stood in the places before, y(k) = y(k - 607) + y(k - 273).
    """
    steps = np.arange(1 - LENGTH, 1)
    before = _places(1, 20, 10)[(FEED - steps) % LENGTH]
    sequence = np.concatenate([before, np.zeros(LENGTH - 1, np.uint64)])
    for place in range(LENGTH, len(sequence)):
        sequence[place] = sequence[place - LENGTH] + sequence[place - TAP]
    windows = np.lib.stride_tricks.sliding_window_view(sequence, LENGTH)
    after = (windows * _power_of_x(WARM_STEPS)).sum(axis=1, dtype=np.uint64)
    found = np.zeros(LENGTH, np.uint64)
    found[[(FEED - (WARM_STEPS + step)) % LENGTH for step in range(1 - LENGTH, 1)]] = after
    return found


def _power_of_x(exponent: int) -> Words:
    """The coefficients of x to this power modulo x**607 - x**334 - 1, in 64 bits."""
    power = np.zeros(LENGTH, np.uint64)
    power[0] = 1
    for bit in f"{exponent:b}":
        power = _reduced(np.convolve(power, power))
        if bit == "1":
            power = _reduced(np.concatenate([np.zeros(1, np.uint64), power]))
    return power


def _reduced(polynomial: Words) -> Words:
    """From the top down, in blocks so short that what is added falls below them."""
    for end in range(len(polynomial), LENGTH, -TAP):
        begin = max(end - TAP, LENGTH)
        block = polynomial[begin:end].copy()
        polynomial[begin - LENGTH : end - LENGTH] += block
        polynomial[begin - TAP : end - TAP] += block
    return polynomial[:LENGTH]


class Numbers:
    """Random integers below a bound, as `Intn` of a seeded source gives them."""

    def __init__(self, seed: int) -> None:
        self._left: Final = iter(outputs(seed))

    def below(self, bound: int) -> int:
        """An integer from 0 to below the bound, which is at least 1 and small."""
        if bound & (bound - 1) == 0:
            return self._bits() & (bound - 1)
        highest = 2**31 - 1 - 2**31 % bound
        while (drawn := self._bits()) > highest:
            pass
        return drawn % bound

    def _bits(self) -> int:
        """The upper 31 of the lower 63 bits."""
        return (next(self._left) & (2**63 - 1)) >> 32


SUITS: dict[int, tuple[str, ...]] = {
    3: ("red", "green", "blue"),
    4: ("red", "yellow", "green", "blue"),
    5: ("red", "yellow", "green", "blue", "purple"),
    6: ("red", "yellow", "green", "blue", "purple", "teal"),
}
CRITICAL_FOURS = (3, 2, 2, 1, 1)
SCARCE_ONES = (2, 2, 2, 2, 1)


@dataclass(frozen=True, slots=True)
class Variant:
    """One of their variants: its name, its number in links and seeds, and what it is made of."""

    name: str
    number: int
    colors: int
    copies: tuple[int, ...] = STANDARD_COPIES

    @property
    def suits(self) -> tuple[str, ...]:
        return SUITS[self.colors]


VARIANTS = (
    Variant("No Variant", 0, 5),
    Variant("6 Suits", 1, 6),
    Variant("4 Suits", 15, 4),
    Variant("3 Suits", 18, 3),
    Variant("Critical Fours (6 Suits)", 1821, 6, CRITICAL_FOURS),
    Variant("Critical Fours (5 Suits)", 1822, 5, CRITICAL_FOURS),
    Variant("Scarce Ones (6 Suits)", 2393, 6, SCARCE_ONES),
    Variant("Scarce Ones (5 Suits)", 2394, 5, SCARCE_ONES),
)


def find_variant(rules: Rules) -> Variant | None:
    """Their variant with this deck, if there is one."""
    deck = rules.colors, rules.copies
    return next((variant for variant in VARIANTS if (variant.colors, variant.copies) == deck), None)


OWN: Final = "own"
LIVE: Final = "live"
DEALS: Final = (OWN, LIVE)
"""Who shuffles: our dice by the game's seed, or hanab.live's by p{players}v{variant}s{seed}."""

SEED = re.compile(r"(?:legacy-\d-)?(p([2-6])v(\d{1,5})s(\S{1,100}))")
CRC_POLYNOMIAL = 0xC96C5795D7870F42  # CRC-64/XZ, reflected
ALL_ONES = 2**64 - 1


def check_deals(deals: str, rules: Rules) -> None:
    """Refuse deals that do not exist, or that these rules cannot have."""
    if deals not in DEALS:
        raise RulesError(f"no deals named {deals!r}; {near(deals, DEALS)}")
    if deals == LIVE:
        seed_text(rules, 0)


def dealt_game(rules: Rules, seed: int, deals: str = OWN) -> Game:
    """The game that a seed deals."""
    return Game(rules, seed) if deals == OWN else Game(rules, deck=live_deck(seed_text(rules, seed), rules))


def seed_text(rules: Rules, seed: int) -> str:
    """What hanab.live calls the deal of this number for these rules."""
    variant = find_variant(rules)
    if variant is None:
        names = ", ".join(each.name for each in VARIANTS)
        raise RulesError(f"hanab.live deals no such deck as {rules.text()} has; it deals {names}")
    return f"p{rules.players}v{variant.number}s{seed}"


def live_deck(text: str, rules: Rules) -> list[Card]:
    """The deck, top card first, that hanab.live deals for a seed such as p3v0s17."""
    found = SEED.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:80]!r} is not a seed of hanab.live, which are written like p3v0s17")
    deck = [
        make_card(Color(color), Rank(rank))
        for color in range(rules.colors)
        for rank, copies in enumerate(rules.copies)
        for _ in range(copies)
    ]
    numbers = Numbers(_signed(checksum(found[1].encode())))
    for place in range(len(deck)):
        other = numbers.below(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def checksum(content: bytes) -> int:
    """CRC-64/XZ."""
    crc, table = ALL_ONES, _crc_table()
    for byte in content:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> 8)
    return crc ^ ALL_ONES


@cache
def _crc_table() -> tuple[int, ...]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ (CRC_POLYNOMIAL if value & 1 else 0)
        table.append(value)
    return tuple(table)


def _signed(word: int) -> int:
    return word - 2**64 if word >> 63 else word
