"""How hanab.live deals: the text of a seed, such as p3v0s17, is all that a deck depends on."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from kagiya.cards import Card, Color, Rank, make_card
from kagiya.engine.game import Game
from kagiya.lab.deals.go_random import Numbers
from kagiya.lab.deals.variants import VARIANTS, find_variant
from kagiya.rules import Rules, RulesError
from kagiya.spec import near

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
