"""`TableView`: the table as data to be drawn, as one seat sees it, with all cards open, or with none.

Pages, the terminal and pictures are drawn from it alone. What is made from an `Observation` holds nothing that the
seat may not know. Agents do not depend on this module: it needs the drawings' marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from kagiya.cards import (
    COLOR_NAMES,
    HIDDEN_CARD,
    NO_CARD,
    SEAT_NAMES,
    Card,
    Seat,
    Slot,
    card_color,
    card_name,
    card_rank,
    each_color,
    each_rank,
    each_seat,
    each_slot,
    make_card,
    mask_cards,
)
from kagiya.drawing.card import NO_MARKS, Marks, Possible
from kagiya.engine.game import LANE, Event, Game
from kagiya.engine.game_kernels import is_over, reachable_points
from kagiya.engine.layout import States
from kagiya.engine.regret_kernels import pace
from kagiya.moves import Move, move_name
from kagiya.rules import DrawnCard, Rules
from kagiya.view.observation import HandView, Observation, observe
from kagiya.view.view_kernels import critical_kinds


class CardChances(NamedTuple):
    """The chances that a card fits now, can never score, is the last copy of one still needed."""

    fits: float
    useless: float
    critical: float


@dataclass(frozen=True, slots=True)
class TableCard:
    """One slot of a hand: what it holds, if that is seen, what its owner can know of it, what is marked on it."""

    slot: Slot
    order: int  # its place in the deck, and so its name for life
    card: Card  # HIDDEN_CARD if it is not seen, NO_CARD for an empty slot
    kinds: tuple[Card, ...] = ()  # what its owner, or everybody, must think it can be
    marks: Marks = NO_MARKS  # of a hidden card only what is certain
    chances: CardChances | None = None  # the owner's if it is hidden, else certain; None where no seat looks
    is_new: bool = False  # drawn since the last turn of the seat that looks
    note: str = ""

    @property
    def possible(self) -> Possible:
        """The colors and the ranks that its owner must think it can have."""
        return possible_of(self.kinds)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "order": self.order,
            "slot": self.slot,
            "card": None if self.card < 0 else card_name(self.card),
            "possible": [card_name(kind) for kind in self.kinds],
            "marks": [name for name, is_set in asdict(self.marks).items() if is_set],
            "chances": None if self.chances is None else self.chances._asdict(),
            "is_new": self.is_new,
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class TableHand:
    """One player's hand."""

    seat: Seat
    name: str
    player: str  # who sits there: an agent as written; empty if that is not said
    cards: tuple[TableCard, ...]  # by slot
    is_mine: bool = False  # of the seat that looks
    is_to_move: bool = False

    @property
    def held(self) -> tuple[TableCard, ...]:
        """The slots that hold a card."""
        return tuple(card for card in self.cards if card.card != NO_CARD)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "seat": self.seat,
            "name": self.name,
            "agent": self.player,
            "is_mine": self.is_mine,
            "is_to_move": self.is_to_move,
            "cards": [card.to_json() for card in self.cards],
        }


@dataclass(frozen=True, slots=True)
class TableHint:
    """A hint that the seat that looks could give."""

    move: str
    value: str  # "red" or "3"
    touches: tuple[int, ...]  # cards by their place in the deck
    slots: tuple[Slot, ...]  # where these are
    why_not: str  # empty if it is legal now


@dataclass(frozen=True)
class Labels:
    """What is written beside hands and on cards, and which cards are marked as those that a move is about."""

    names: Sequence[str] = SEAT_NAMES
    players: Sequence[str] = ()
    notes: Mapping[int, str] = field(default_factory=dict)  # by a card's place in the deck
    moved: Collection[tuple[int, int]] | None = None  # seat and slot; None: those hinted at since the seat's last turn


@dataclass(frozen=True)
class TableView:
    """Everything on the table, as a seat sees it, or open, or as all know it."""

    rules: Rules
    turn: int  # moves made so far
    viewer: Seat | None  # the seat that looks; None if all cards are open, or none
    to_move: Seat
    is_over: bool
    fireworks: tuple[int, ...]
    reachable: int  # points that the discards still allow
    tokens: int
    lives: int
    deck_left: int
    turns_left: int | None  # once the deck is empty
    pace: int | None  # discards to spare; None at the end and once the deck is empty
    discards: tuple[tuple[int, ...], ...]  # copies by color and rank
    hands: tuple[TableHand, ...]  # by seat

    @classmethod
    def of_observation(cls, view: Observation, labels: Labels | None = None) -> TableView:
        """The table as the observing seat sees it."""
        builder = _Builder(view.rules, view.states, labels or Labels(), view.seat)
        since = since_my_last_move(view)
        recent = [event for event in view.history if event.turn >= since]
        hands = [view.hand((seat - view.seat) % view.rules.players) for seat in each_seat(view.rules.players)]
        return builder.table([builder.hand(hand, hand.cards, *recent_slots(view, hand, recent)) for hand in hands])

    @classmethod
    def of_game(cls, game: Game, eyes: Seat | None = None, labels: Labels | None = None) -> TableView:
        """The table as a seat sees it; for None all cards are open, each with what its owner knows."""
        if eyes is not None:
            return cls.of_observation(observe(game, eyes), labels)
        builder = _Builder(game.rules, game.states, labels or Labels())
        owned = [observe(game, seat).mine for seat in each_seat(game.rules.players)]
        return builder.table([builder.hand(hand, game.hands[hand.seat]) for hand in owned])

    @classmethod
    def public(cls, game: Game, labels: Labels | None = None) -> TableView:
        """What all at the table know together: no card in a hand is seen."""
        builder = _Builder(game.rules, game.states, labels or Labels(), is_public=True)
        owned = [observe(game, seat).mine for seat in each_seat(game.rules.players)]
        return builder.table([builder.hand(hand, hand.cards) for hand in owned])

    @property
    def points(self) -> int:
        """Cards on the fireworks."""
        return sum(self.fireworks)

    @property
    def is_my_turn(self) -> bool:
        """Whether the seat that looks is to move."""
        return self.viewer == self.to_move

    @property
    def mine(self) -> TableHand:
        """The hand of the seat that looks."""
        assert self.viewer is not None
        return self.hands[self.viewer]

    @property
    def in_turn_order(self) -> tuple[TableHand, ...]:
        """The hands as the seat that looks has them before it: the next player's first, its own last."""
        first = 0 if self.viewer is None else self.viewer + 1
        return self.hands[first:] + self.hands[:first]

    @property
    def why_no_discard(self) -> str:
        """Why nothing may be discarded, if so."""
        reason = self.rules.why_no_discard(self.tokens)
        return f"{reason[0].upper()}{reason[1:]}." if reason else ""

    def hints_for(self, hand: TableHand) -> tuple[TableHint, ...]:
        """All hints that the seat that looks could give to another's hand, with the reason against each."""
        if self.viewer is None or hand.is_mine:
            return ()
        held = tuple((card.slot, card.card, card.order) for card in hand.held)
        return _hints(held, (hand.seat - self.viewer) % self.rules.players, self.rules, self.tokens > 0)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "seat": self.viewer,
            "to_move": None if self.is_over else self.to_move,
            "fireworks": list(self.fireworks),
            "points": self.points,
            "reachable": self.reachable,
            "perfect": self.rules.perfect_score,
            "tokens": self.tokens,
            "lives": self.lives,
            "deck": self.deck_left,
            "turns_left": self.turns_left,
            "pace": self.pace,
            "discards": [list(row) for row in self.discards],
            "hands": [hand.to_json() for hand in self.hands],
        }


class _Builder:
    """Makes the parts of a view from a state record, which may be censored."""

    def __init__(
        self, rules: Rules, states: States, labels: Labels, viewer: Seat | None = None, *, is_public: bool = False
    ) -> None:
        self.rules, self.states, self.labels, self.viewer = rules, states, labels, viewer
        state = states[LANE]
        self.over, self.to_move = bool(is_over(states, LANE)), Seat(int(state["seat"]))
        self.sets = (int(state["playable"]), int(state["useless"]), int(critical_kinds(states, LANE)))
        self.lost = _lost(rules, int(state["discard_low"]), int(state["discard_high"]))
        self.unseen = self._publicly_unseen() if is_public else None  # kinds, where no seat looks

    def table(self, hands: Sequence[TableHand]) -> TableView:
        """The hands with what lies in the middle."""
        state, deck_left = self.states[LANE], self.rules.deck_size - int(self.states[LANE]["drawn"])
        return TableView(
            rules=self.rules,
            turn=int(state["turn"]),
            viewer=self.viewer,
            to_move=self.to_move,
            is_over=self.over,
            fireworks=self._fireworks,
            reachable=int(reachable_points(self.states, LANE)),
            tokens=int(state["tokens"]),
            lives=int(state["lives"]),
            deck_left=deck_left,
            turns_left=None if deck_left else int(state["turns_left"]),
            pace=None if self.over or not deck_left else int(pace(self.states, LANE)),
            discards=self.lost,
            hands=tuple(hands),
        )

    def hand(
        self, known: HandView, cards: Sequence[Card], touched: Collection[int] = (), new: Collection[int] = ()
    ) -> TableHand:
        """A hand by what is known of it and the cards that are seen."""
        seat, labels = known.seat, self.labels
        moved = touched if labels.moved is None else [slot for owner, slot in labels.moved if owner == seat]
        return TableHand(
            seat=seat,
            name=labels.names[seat],
            player=labels.players[seat] if labels.players else "",
            cards=tuple(
                self._card(known, slot, cards[slot], slot in moved, slot in new)
                for slot in each_slot(self.rules.hand_size)
            ),
            is_mine=seat == self.viewer,
            is_to_move=seat == self.to_move and not self.over,
        )

    def _card(self, known: HandView, slot: Slot, card: Card, is_moved: bool, is_new: bool) -> TableCard:
        order = known.order(slot)
        if card == NO_CARD:
            return TableCard(slot, order, card)
        kinds, chances = self._kinds(known, slot), self._chances(known, slot, card)
        sure = [chance == 1 for chance in chances] if chances else [_all_of(kinds, mask) for mask in self.sets]
        is_color_told, is_rank_told = known.is_color_told(slot), known.is_rank_told(slot)
        marks = Marks(
            touched=is_color_told or is_rank_told,
            told_color=is_color_told,
            told_rank=is_rank_told,
            playable=sure[0],
            useless=sure[1],
            critical=sure[2],
            moved=is_moved,
        )
        return TableCard(slot, order, card, kinds, marks, chances, is_new, self.labels.notes.get(order, ""))

    def _kinds(self, known: HandView, slot: Slot) -> tuple[Card, ...]:
        if self.unseen is None:
            return known.possible_cards(slot)
        return tuple(mask_cards(int(self.states[LANE]["possible"][known.seat, slot]) & self.unseen))

    def _chances(self, known: HandView, slot: Slot, card: Card) -> CardChances | None:
        if card != HIDDEN_CARD:
            return CardChances(*(float(mask >> card & 1) for mask in self.sets))
        if self.unseen is not None:
            return None
        return CardChances(known.playable_chance(slot), known.useless_chance(slot), known.critical_chance(slot))

    @property
    def _fireworks(self) -> tuple[int, ...]:
        return tuple(self.states[LANE]["fireworks"][: self.rules.colors].tolist())

    def _publicly_unseen(self) -> int:
        """The kinds of which some copy is neither played nor discarded."""
        mask = 0
        for color, (height, row) in enumerate(zip(self._fireworks, self.lost, strict=True)):
            for rank, gone in enumerate(row):
                if gone + (rank < height) < self.rules.copies[rank]:
                    mask |= 1 << 5 * color + rank
        return mask


def _lost(rules: Rules, low: int, high: int) -> tuple[tuple[int, ...], ...]:
    cards = [[make_card(color, rank) for rank in each_rank(rules.ranks)] for color in each_color(rules.colors)]
    return tuple(tuple((low >> card & 1) + 2 * (high >> card & 1) for card in row) for row in cards)


def _all_of(kinds: Collection[Card], mask: int) -> bool:
    return bool(kinds) and all(mask >> kind & 1 for kind in kinds)


@lru_cache(maxsize=2048)
def possible_of(kinds: tuple[Card, ...]) -> Possible:
    """The colors and the ranks of some cards, each by itself."""
    colors, ranks = {int(card_color(card)) for card in kinds}, {int(card_rank(card)) for card in kinds}
    return Possible(tuple(sorted(colors)), tuple(sorted(ranks)))


@lru_cache(maxsize=512)
def _hints(
    held: tuple[tuple[Slot, Card, int], ...], offset: int, rules: Rules, is_token_left: bool
) -> tuple[TableHint, ...]:
    """All hints for a hand: its slots and cards, with their places in the deck."""
    colors = [(Move.hint_color(offset, color), COLOR_NAMES[color]) for color in each_color(rules.colors)]
    ranks = [(Move.hint_rank(offset, rank), str(rank + 1)) for rank in each_rank(rules.ranks)]
    found = []
    for move, value in colors + ranks:
        touched = [(slot, order) for slot, card, order in held if _is_touched(card, move)]
        why_not = "" if touched or rules.empty_hints else "The hint would touch no card."
        why_not = why_not if is_token_left else "No hint token is left."
        slots, orders = tuple(slot for slot, _ in touched), tuple(order for _, order in touched)
        found.append(TableHint(move_name(move), value, orders, slots, why_not))
    return tuple(found)


def _is_touched(card: Card, hint: Move) -> bool:
    return hint.color == card_color(card) or hint.rank == card_rank(card)


def since_my_last_move(view: Observation) -> int:
    """The turn of this seat's last move; the first turn if it has made none."""
    return max(0, view.turn - 1 - (view.turn - 1 - view.seat) % view.rules.players)


def recent_slots(view: Observation, hand: HandView, events: Iterable[Event]) -> tuple[set[int], set[int]]:
    """The slots of a hand that hints have touched in these events, and those with a card drawn in them."""
    rules = view.rules
    touched: set[int] = set()
    new: set[int] = set()
    for event in events:
        if event.receiver == hand.seat:
            touched |= set(event.touched)
        elif event.seat == hand.seat and event.move.slot is not None:
            touched, new = (_moved_up(slots, event.move.slot, rules) for slots in (touched, new))
            new.add(event.move.slot if rules.drawn_card is DrawnCard.VACATED else rules.hand_size - 1)
    held = set(hand.slots)
    return touched & held, new & held


def _moved_up(slots: set[int], left: int, rules: Rules) -> set[int]:
    """Where cards are after one has left the hand."""
    if rules.drawn_card is DrawnCard.VACATED:
        return slots - {left}
    return {slot - (slot > left) for slot in slots if slot != left}
