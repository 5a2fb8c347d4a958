"""From a state record to the picture of its table. A censored record gives what its seat may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from kagiya.cards import (
    HIDDEN_CARD,
    NO_CARD,
    SEAT_NAMES,
    Card,
    Seat,
    card_color,
    card_rank,
    each_color,
    each_rank,
    make_card,
    mask_cards,
)
from kagiya.drawing.canvas import standalone
from kagiya.drawing.card import Marks, Possible
from kagiya.drawing.markup import Markup
from kagiya.drawing.palette import SUITS, Suit
from kagiya.drawing.table import Hand, HeldCard, Middle, table
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.engine.position import multiset
from kagiya.rules import Rules


def table_svg(
    rules: Rules,
    state: Any,
    viewer: int | None = None,
    suits: Sequence[Suit] = SUITS,
    notes: Sequence[str] = (),
) -> Markup:
    """The table as a picture that stands alone. `viewer` is the seat whose eyes they are; `notes` stand below the names
    of the seats."""
    below = list(notes) or ["you" if seat == viewer else "" for seat in range(rules.players)]
    hands = [_hand(rules, state, Seat(seat), below[seat]) for seat in range(rules.players)]
    return standalone(table(_heading(rules, state), hands, _middle(rules, state), suits[: rules.colors]))


def _heading(rules: Rules, state: Any) -> str:
    played = int(state["played"]).bit_count()
    points = f"{played} of {rules.perfect_score} points"
    if _is_over(state):
        return f"over after {state['turn']} turns: {points}"
    left = "" if state["drawn"] < rules.deck_size else f", {state['turns_left']} turns left"
    return f"turn {state['turn'] + 1}, {SEAT_NAMES[state['seat']]} to move: {points}{left}"


def _is_over(state: Any) -> bool:
    return bool(state["lives"] == 0 or state["turns_left"] == 0 or state["played"] == state["kinds"])


def _middle(rules: Rules, state: Any) -> Middle:
    lost = Counter(multiset(int(state["discard_low"]), int(state["discard_high"])))
    return Middle(
        fireworks=tuple(state["fireworks"][: rules.colors].tolist()),
        copies=rules.copies,
        lost=tuple(
            tuple(lost[make_card(color, rank)] for rank in each_rank(rules.ranks)) for color in each_color(rules.colors)
        ),
        tokens=(int(state["tokens"]), rules.hint_tokens),
        lives=(int(state["lives"]), rules.lives),
        deck_left=rules.deck_size - int(state["drawn"]),
    )


def _hand(rules: Rules, state: Any, seat: Seat, note: str) -> Hand:
    """A hand and what its owner can know of it: by the hints, and by the cards that it sees."""
    unseen = int(state["deck_low"] | state["deck_high"] | state["hand_low"][seat] | state["hand_high"][seat])
    cards = tuple(_held(state, seat, slot, unseen) for slot in range(rules.hand_size))
    return Hand(SEAT_NAMES[seat], cards, note, bool(seat == state["seat"]) and not _is_over(state))


def _held(state: Any, seat: Seat, slot: int, unseen: int) -> HeldCard | None:
    card, told = Card(int(state["hands"][seat, slot])), int(state["told"][seat, slot])
    if card == NO_CARD:
        return None
    left = list(mask_cards(int(state["possible"][seat, slot]) & unseen))
    colors, ranks = sorted({card_color(kind) for kind in left}), sorted({card_rank(kind) for kind in left})
    marks = Marks(touched=told != 0, told_color=bool(told & TOLD_COLOR), told_rank=bool(told & TOLD_RANK))
    shown = None if card == HIDDEN_CARD else (card_color(card), card_rank(card))
    return HeldCard(Possible(tuple(colors), tuple(ranks)), shown, marks)
