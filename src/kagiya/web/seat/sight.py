"""Everything that the page of a seat shows, as plain data made from the seat's `Observation`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from kagiya.cards import (
    COLOR_NAMES,
    HIDDEN_CARD,
    NO_CARD,
    Card,
    Slot,
    card_color,
    card_name,
    card_rank,
    each_color,
    each_rank,
)
from kagiya.engine.log import Event
from kagiya.lab.statistics.pace import pace_risk, view_pace, view_required_efficiency
from kagiya.moves import Move, move_name
from kagiya.rules import DrawnCard, Rules
from kagiya.view.observation import HandView, Observation
from kagiya.web.seat.seat_state import Player


@dataclass(frozen=True)
class CardSight:
    """One card: what it is if this seat sees it, and what its owner can know of it."""

    order: int  # its place in the deck, and so its name for life
    slot: int
    card: str | None  # "R3"; None if it is hidden
    possible: tuple[str, ...]  # what its owner must think it can be
    color_told: bool
    rank_told: bool
    is_touched_lately: bool  # by a hint since this seat's last turn
    is_new: bool  # drawn since then
    fits: float  # the chances of its owner; certain for one who sees it
    useless: float
    critical: float
    note: str = ""


@dataclass(frozen=True)
class HintSight:
    """A hint that this seat could give."""

    move: str
    value: str  # "red" or "3"
    touches: tuple[int, ...]  # names for life
    slots: tuple[Slot, ...]  # where these are
    why_not: str  # empty if it is legal now


@dataclass(frozen=True)
class HandSight:
    """One player's hand."""

    seat: int
    name: str
    agent: str
    is_mine: bool
    is_to_move: bool
    cards: tuple[CardSight, ...]
    hints: tuple[HintSight, ...] = ()


@dataclass(frozen=True)
class Sight:
    """The table as one seat sees it."""

    turn: int
    seat: int
    to_move: int
    is_my_turn: bool
    fireworks: tuple[int, ...]
    points: int
    tokens: int
    lives: int
    deck: int
    turns_left: int | None
    pace: int | None
    risk: str
    efficiency: float | None  # cards that each hint to come must get, if all that is reachable shall be played
    discards: tuple[tuple[int, ...], ...]  # by color and rank
    hands: tuple[HandSight, ...]  # the next player's first, this seat's own last
    why_no_discard: str


def see(view: Observation, players: Sequence[Player], notes: Mapping[int, str]) -> Sight:
    """What a seat sees."""
    rules, pace, needed = view.rules, view_pace(view), view_required_efficiency(view)
    hands = [*view.others, view.mine]
    recent = view.history[since_my_last_move(view) :]
    return Sight(
        turn=view.turn,
        seat=view.seat,
        to_move=view.turn % rules.players,
        is_my_turn=view.turn % rules.players == view.seat,
        fireworks=view.fireworks,
        points=view.points,
        tokens=view.tokens,
        lives=view.lives,
        deck=view.deck_left,
        turns_left=view.turns_left,
        pace=pace,
        risk="" if pace is None else str(pace_risk(pace, rules.players)),
        efficiency=None if needed is None else round(float(needed), 4),
        discards=discard_rows(view),
        hands=tuple(_hand(view, hand, players, notes, recent) for hand in hands),
        why_no_discard=why_no_discard(view),
    )


def since_my_last_move(view: Observation) -> int:
    """The turn of this seat's last move; the first turn if it has made none."""
    return max(0, view.turn - 1 - (view.turn - 1 - view.seat) % view.rules.players)


def discard_rows(view: Observation) -> tuple[tuple[int, ...], ...]:
    """How many copies of each card are lost, by color and rank."""
    lost = view.discards
    return tuple(
        tuple(lost.get(Card(5 * color + rank), 0) for rank in range(view.rules.ranks))
        for color in range(view.rules.colors)
    )


def why_no_discard(view: Observation) -> str:
    """Why nothing may be discarded, if so."""
    if view.tokens == view.rules.hint_tokens and not view.rules.discard_at_full_tokens:
        return f"All {view.tokens} hint tokens are there, so nothing may be discarded."
    return ""


def _hand(
    view: Observation, hand: HandView, players: Sequence[Player], notes: Mapping[int, str], recent: Sequence[Event]
) -> HandSight:
    player, is_mine = players[hand.seat], hand.offset == 0
    touched, new = lately(view, hand.seat, recent)
    cards = tuple(
        _card(view, hand, slot, slot in touched, slot in new, notes.get(hand.order(slot), "")) for slot in hand.slots
    )
    return HandSight(
        seat=hand.seat,
        name=player.name,
        agent=player.agent,
        is_mine=is_mine,
        is_to_move=view.turn % view.rules.players == hand.seat,
        cards=cards,
        hints=() if is_mine else _hints(view, hand),
    )


def _card(view: Observation, hand: HandView, slot: Slot, is_touched: bool, is_new: bool, note: str) -> CardSight:
    card = hand.cards[slot]
    if card == HIDDEN_CARD:
        chances = (hand.playable_chance(slot), hand.useless_chance(slot), hand.critical_chance(slot))
    else:
        chances = (float(view.is_playable(card)), float(view.is_useless(card)), float(view.is_critical(card)))
    return CardSight(
        order=hand.order(slot),
        slot=slot,
        card=None if card in (HIDDEN_CARD, NO_CARD) else card_name(card),
        possible=names_of(hand.possible_cards(slot)),
        color_told=hand.is_color_told(slot),
        rank_told=hand.is_rank_told(slot),
        is_touched_lately=is_touched,
        is_new=is_new,
        fits=chances[0],
        useless=chances[1],
        critical=chances[2],
        note=note,
    )


@lru_cache(maxsize=2048)
def names_of(cards: tuple[Card, ...]) -> tuple[str, ...]:
    """Cards as they are written."""
    return tuple(map(card_name, cards))


def _hints(view: Observation, hand: HandView) -> tuple[HintSight, ...]:
    held = tuple((slot, hand.cards[slot], hand.order(slot)) for slot in hand.slots)
    return _hints_for(held, hand.offset, view.rules, view.tokens > 0)


@lru_cache(maxsize=512)
def _hints_for(
    held: tuple[tuple[Slot, Card, int], ...], offset: int, rules: Rules, is_token_left: bool
) -> tuple[HintSight, ...]:
    """All hints that could be given to a hand: its cards, with their names for life."""
    colors = [(Move.hint_color(offset, color), COLOR_NAMES[color]) for color in each_color(rules.colors)]
    ranks = [(Move.hint_rank(offset, rank), str(rank + 1)) for rank in each_rank(rules.ranks)]
    found = []
    for move, value in colors + ranks:
        touched = [(slot, order) for slot, card, order in held if _is_touched(card, move)]
        touches, slots = tuple(order for _, order in touched), tuple(slot for slot, _ in touched)
        why_not = "" if touches or rules.empty_hints else "The hint would touch no card."
        why_not = why_not if is_token_left else "No hint token is left."
        found.append(HintSight(move_name(move), value, touches, slots, why_not))
    return tuple(found)


def _is_touched(card: Card, hint: Move) -> bool:
    return hint.color == card_color(card) or hint.rank == card_rank(card)


def lately(view: Observation, seat: int, events: Sequence[Event]) -> tuple[set[int], set[int]]:
    """The slots of a hand that hints have touched in these events, and those with a card drawn in them."""
    touched: set[int] = set()
    new: set[int] = set()
    for event in events:
        if event.receiver == seat:
            touched |= set(event.touched)
        elif event.seat == seat and event.move.slot is not None:
            touched, new = (moved_up(slots, event.move.slot, view.rules) for slots in (touched, new))
            new.add(event.move.slot if view.rules.drawn_card is DrawnCard.VACATED else view.rules.hand_size - 1)
    held = set(view.hand((seat - view.seat) % view.rules.players).slots)
    return touched & held, new & held


def moved_up(slots: set[int], left: int, rules: Rules) -> set[int]:
    """Where cards are after one has left the hand."""
    if rules.drawn_card is DrawnCard.VACATED:
        return slots - {left}
    return {slot - (slot > left) for slot in slots if slot != left}
