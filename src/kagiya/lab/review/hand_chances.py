"""The chance of every card in every slot of a hand, as its owner can know it, and how well that fits the truth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from kagiya.cards import Card, Seat, card_name
from kagiya.moves import Move

FLOOR = 0.001  # a true card that had no chance counts as if it had had this one


class Basis(StrEnum):
    """What chances go by."""

    HINTS = "hints"  # and counting: exact
    CONVENTION = "convention"  # of an agent, besides: exact
    PAST_MOVES = "past moves"  # what an agent would have done in the others' place, besides: sampled


@dataclass(frozen=True, slots=True)
class SlotChances:
    """One card of a hand: what it may be, the likeliest first."""

    slot: int
    order: int  # the card's place in the deck: its name for life
    cards: dict[Card, float]
    playable: float
    useless: float
    critical: float

    @property
    def bits(self) -> float:
        """How much is not known of the card: 0 for a card that is known, 1 for one of two that are equally likely."""
        return -sum(chance * math.log2(chance) for chance in self.cards.values())

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "slot": self.slot,
            "order": self.order,
            "cards": {card_name(card): chance for card, chance in self.cards.items()},
            "playable": self.playable,
            "useless": self.useless,
            "critical": self.critical,
            "bits": self.bits,
        }


@dataclass(frozen=True)
class HandChances:
    """A hand as its owner can know it at one moment."""

    turn: int
    seat: Seat
    basis: Basis
    agent: str | None  # whose convention, or whose judgement of past moves
    samples: int | None  # of hands; None if the chances are exact
    effective_samples: float | None  # as many equally likely hands would be as good
    slots: tuple[SlotChances, ...]

    def log_loss(self, truth: Mapping[int, Card]) -> float:
        """The mean surprise at the true cards, by order, in bits; 0 if all were known. A true card without a chance
        counts as one of a thousand."""
        losses = [-math.log2(max(each.cards.get(truth[each.order], 0.0), FLOOR)) for each in self.slots]
        return sum(losses) / len(losses) if losses else 0.0

    def misled(self, truth: Mapping[int, Card]) -> int:
        """How many of the true cards had no chance."""
        return sum(each.cards.get(truth[each.order], 0.0) == 0.0 for each in self.slots)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "seat": int(self.seat),
            "basis": str(self.basis),
            "agent": self.agent,
            "samples": self.samples,
            "effective_samples": self.effective_samples,
            "slots": [each.to_json() for each in self.slots],
        }


@dataclass(frozen=True)
class Told:
    """What a move tells a seat of its own cards."""

    move: Move
    before: HandChances
    after: HandChances

    def to_json(self) -> dict[str, Any]:
        """Plain data; the cards of before and after have the same `order`."""
        return {"move": str(self.move), "before": self.before.to_json(), "after": self.after.to_json()}


@dataclass(frozen=True, slots=True)
class TurnLoss:
    """How well a seat could know its hand before one turn, measured by the truth."""

    turn: int
    seat: Seat
    basis: Basis
    log_loss: float  # bits a card
    misled: int  # cards that were held for impossible
    cards: int

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "seat": int(self.seat),
            "basis": str(self.basis),
            "log_loss": self.log_loss,
            "misled": self.misled,
            "cards": self.cards,
        }
