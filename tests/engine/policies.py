"""Two ways to drive test games: any legal move, which ends early, and a careful one that makes long games."""

from __future__ import annotations

import random
from collections.abc import Callable

from kagiya.engine.reference import ReferenceGame
from kagiya.moves import FIRST_HINT, Move

Policy = Callable[[ReferenceGame, set[int], random.Random], int]

BLUNDER = 0.02  # how often the careful player makes any legal move, mostly to lose a life
EAGER = 0.8  # how often it plays a card that fits
SPARING = 0.3  # how often it discards where it could give a hint


def random_move(_: ReferenceGame, legal: set[int], rng: random.Random) -> int:
    return rng.choice(sorted(legal))


def careful_move(twin: ReferenceGame, legal: set[int], rng: random.Random) -> int:
    """Looks at its own cards: plays those that fit, discards those least missed."""
    held = [(slot, held.card) for slot, held in enumerate(twin.hands[twin.seat]) if held is not None]
    playable, useless, critical = twin.playable(), twin.useless(), twin.critical()
    fits = [slot for slot, card in held if card in playable]
    value = {slot: 0 if card in useless else 2 if card in critical else 1 for slot, card in held}
    return careful_choice(legal, fits, min(value, key=lambda slot: value[slot]), rng)


def careful_choice(legal: set[int], fits: list[int], spare: int, rng: random.Random) -> int:
    """A move for one whose cards in the slots `fits` can be played and who misses the one in `spare` least."""
    if rng.random() < BLUNDER:
        return rng.choice(sorted(legal))
    if fits and rng.random() < EAGER:
        return Move.play(rng.choice(fits))
    hints = sorted(move for move in legal if move >= FIRST_HINT)
    discard = Move.discard(spare)
    if discard in legal and (not hints or rng.random() < SPARING):
        return discard
    return rng.choice(hints or sorted(legal))
