"""`Observation`: all that one seat may know of a position, for agents written in plain Python.

It is built from a state censored for that seat: the deck's order and the seat's own cards are nowhere
in its memory. Building one costs a copy of the record; everything else is worked out when asked for.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

import numpy as np

from kagiya.cards import (
    HIDDEN_CARD,
    MAX_HAND,
    NO_CARD,
    SEAT_NAMES,
    Card,
    Color,
    Rank,
    Seat,
    Slot,
    card_color,
    card_rank,
    mask_cards,
)
from kagiya.engine.game import Event as Event, Game, Log  # a history is made of events
from kagiya.engine.game_kernels import legal_moves
from kagiya.engine.layout import STATE, STATE_OFFSETS, STATE_WORDS, TOLD_COLOR, TOLD_RANK, States, new_states
from kagiya.engine.position import hand_words, table_text
from kagiya.moves import MOVES, Move
from kagiya.rules import Rules
from kagiya.view.view_kernels import DEAL_TABLE, censor, critical_kinds, hand_chances

TURN, SEAT, TOKENS, LIVES, DRAWN, TURNS_LEFT = (
    STATE_OFFSETS[name] for name in ("turn", "seat", "tokens", "lives", "drawn", "turns_left")
)
PLAYED, PLAYABLE, USELESS, FIREWORKS = (STATE_OFFSETS[name] for name in ("played", "playable", "useless", "fireworks"))
HANDS, POSSIBLE, TOLD, ORDER = (STATE_OFFSETS[name] for name in ("hands", "possible", "told", "order"))
HAND_LOW, HAND_HIGH, DECK_LOW, DECK_HIGH = (
    STATE_OFFSETS[name] for name in ("hand_low", "hand_high", "deck_low", "deck_high")
)
DISCARD_LOW, DISCARD_HIGH, DECK = (STATE_OFFSETS[name] for name in ("discard_low", "discard_high", "deck"))
LANE, SEEN_LANE = 0, 1


class Observation:
    """One seat's view of the table. Ranks and slots count from 0; slot 0 holds the oldest card.

    (With rules that draw into the vacated slot, ask `HandView.oldest_slot` instead.)
    """

    def __init__(self, words: list[int], rules: Rules, seat: Seat, log: Log) -> None:
        """`words`: of a state censored for `seat`, all but the deck's, of which such a state tells nothing."""
        self._words = words
        self._hands: dict[int, HandView] = {}
        self._log = log
        self.rules = rules
        self.seat = seat
        self.turn = self._words[TURN]  # moves made before this one
        self.tokens = self._words[TOKENS]  # hint tokens left
        self.lives = self._words[LIVES]

    def __str__(self) -> str:
        """The table as this seat sees it."""
        return table_text(self.rules, self.states[LANE])

    def __repr__(self) -> str:
        counts = f"{self.points} points, {self.tokens} tokens, {self.lives} lives, {self.deck_left} cards in the deck"
        return f"<Observation of {SEAT_NAMES[self.seat]}, turn {self.turn + 1}: {counts}>"

    def _repr_svg_(self) -> str:
        """The table for a notebook, as this seat sees it."""
        # Imported here: compiled code depends on all that is imported above, and on no drawing.
        from kagiya.view.notebook_pictures import observation_svg

        return observation_svg(self)

    @property
    def deck_left(self) -> int:
        """Cards still in the deck."""
        return self.rules.deck_size - self._words[DRAWN]

    @property
    def turns_left(self) -> int | None:
        """Moves until the end once the deck is empty; None before."""
        return None if self.deck_left else self._words[TURNS_LEFT]

    @property
    def points(self) -> int:
        """Cards on the fireworks."""
        return self._words[PLAYED].bit_count()

    @property
    def fireworks(self) -> tuple[int, ...]:
        """For each color how many cards are played, which is also the next rank needed."""
        return tuple(self._words[FIREWORKS : FIREWORKS + self.rules.colors])

    @property
    def discards(self) -> dict[Card, int]:
        """How often each card lies in the discards."""
        return _copies(self._words[DISCARD_LOW], self._words[DISCARD_HIGH])

    @property
    def unseen(self) -> dict[Card, int]:
        """How many copies of each card this seat cannot see: in the deck or in its own hand."""
        return _copies(self._words[DECK_LOW], self._words[DECK_HIGH])

    @cached_property
    def legal_moves(self) -> tuple[Move, ...]:
        """What this seat may do now; nothing when it is another's turn."""
        mask = legal_moves(self.states, LANE) if self._words[SEAT] == self.seat else 0
        return tuple(move for move in MOVES if mask >> move & 1)

    @cached_property
    def history(self) -> tuple[Event, ...]:
        """Every move so far, oldest first, with the cards it turned up or the slots it touched."""
        return self._log.events(0, self.turn)

    @property
    def since_my_last_turn(self) -> tuple[Event, ...]:
        """The moves of the others since this seat's last one."""
        since = (self.turn - 1 - self.seat) % self.rules.players
        return self._log.events(self.turn - since, self.turn)

    @property
    def mine(self) -> HandView:
        """The own hand: its cards are hidden, what is known of them is not."""
        return self.hand(0)

    @property
    def others(self) -> tuple[HandView, ...]:
        """The other hands in turn order, the next player's first."""
        return tuple([self.hand(offset) for offset in range(1, self.rules.players)])

    def hand(self, offset: int) -> HandView:
        """The hand of the seat `offset` places further on; 0 is this seat's own."""
        # Kept by hand: a cached_property takes a lock on Python 3.11 and costs more than the view itself.
        view = self._hands.get(offset)
        if view is None:
            if not 0 <= offset < self.rules.players:
                raise IndexError(f"offsets of hands are 0 (your own) to {self.rules.players - 1}, not {offset}")
            view = self._hands[offset] = HandView(self._words, self.rules, self.seat, offset)
        return view

    def is_playable(self, card: Card) -> bool:
        """Whether the card would fit its firework now."""
        return _is_seen(card) and bool(self._words[PLAYABLE] >> card & 1)

    def is_useless(self, card: Card) -> bool:
        """Whether the card can never score: already played, or cut off by a lost lower card."""
        return _is_seen(card) and bool(self._words[USELESS] >> card & 1)

    def is_critical(self, card: Card) -> bool:
        """Whether the card is still needed and its last copy."""
        return _is_seen(card) and bool(critical_kinds(self.states, LANE) >> card & 1)

    @cached_property
    def states(self) -> States:
        """The censored state record, alone in an array, for kernels and searches. Copy it before changing it."""
        return _record(self._words, self.rules)


class HandView:
    """One hand and what its owner can know about it, as far as the observing seat can tell."""

    __slots__ = ("_chance_lists", "_first", "_masks", "_viewer", "_words", "cards", "offset", "rules", "seat")

    # It shares the observation's words, not the observation: a cycle would wait for the garbage collector.
    def __init__(self, words: list[int], rules: Rules, viewer: Seat, offset: int) -> None:
        self._words, self.rules, self._viewer = words, rules, viewer
        self.offset = offset
        seat = (viewer + offset) % rules.players
        self.seat = Seat(seat)
        self._first = seat * MAX_HAND
        self._masks: list[int] | None = None
        self._chance_lists: list[list[float]] | None = None
        first = HANDS + seat * MAX_HAND
        # By slot: HIDDEN_CARD in the own hand, NO_CARD where a slot is empty.
        self.cards: list[Card] = words[first : first + rules.hand_size]  # type: ignore[assignment]

    def __repr__(self) -> str:
        whose = "own hand" if self.offset == 0 else "hand"
        cards = hand_words(self.rules, _record(self._words, self.rules)[LANE], self.seat)
        return f"<{SEAT_NAMES[self.seat]}'s {whose}: {cards}>"

    @property
    def slots(self) -> list[Slot]:
        """The slots that hold a card."""
        return [Slot(slot) for slot, card in enumerate(self.cards) if card != NO_CARD]

    @property
    def oldest_slot(self) -> Slot:
        """The slot of the card held longest."""
        if not self.slots:
            raise ValueError("the hand is empty, so it has no oldest card")
        first = ORDER + self._first
        return min(self.slots, key=lambda slot: self._words[first + slot])

    @property
    def playable_slots(self) -> list[Slot]:
        """In another's hand: the cards that fit now. In this seat's own: those that can only be cards that fit."""
        return self._slots_of(self._words[PLAYABLE])

    @property
    def useless_slots(self) -> list[Slot]:
        """In another's hand: the cards that can never score. In this seat's own: those that surely cannot."""
        return self._slots_of(self._words[USELESS])

    def _slots_of(self, kinds: int) -> list[Slot]:
        if self.offset:
            return [slot for slot, card in enumerate(self.cards) if card >= 0 and kinds >> card & 1]  # type: ignore[misc]
        return [slot for slot, mask in enumerate(self._possible) if mask and not mask & ~kinds]  # type: ignore[misc]

    def order(self, slot: int) -> int:
        """The place in the deck that the card came from: its age, and its name for life; -1 for an empty slot."""
        return self._words[ORDER + self._place(slot)]

    def _place(self, slot: int) -> int:
        """Where a slot stands in the record; behind the last one there are those of the next seat."""
        if 0 <= slot < self.rules.hand_size:
            return self._first + slot
        raise IndexError(f"slots are 0 to {self.rules.hand_size - 1}, not {slot}")

    def is_color_told(self, slot: int) -> bool:
        """Whether a hint has named this card's color."""
        return bool(self._words[TOLD + self._place(slot)] & TOLD_COLOR)

    def is_rank_told(self, slot: int) -> bool:
        """Whether a hint has named this card's rank."""
        return bool(self._words[TOLD + self._place(slot)] & TOLD_RANK)

    def possible_cards(self, slot: int) -> tuple[Card, ...]:
        """What the owner must think the card can be: hints, also those that passed it by, and cards seen."""
        return _cards_in(self._possible[slot])

    def known_color(self, slot: int) -> Color | None:
        """The card's color if its owner can be sure of it."""
        colors = {card_color(card) for card in self.possible_cards(slot)}
        return colors.pop() if len(colors) == 1 else None

    def known_rank(self, slot: int) -> Rank | None:
        """The card's rank if its owner can be sure of it."""
        ranks = {card_rank(card) for card in self.possible_cards(slot)}
        return ranks.pop() if len(ranks) == 1 else None

    def playable_chance(self, slot: int) -> float:
        """The owner's exact chance that the card fits now."""
        return self._chances[0][slot]

    def useless_chance(self, slot: int) -> float:
        """The owner's exact chance that the card can never score."""
        return self._chances[1][slot]

    def critical_chance(self, slot: int) -> float:
        """The owner's exact chance that the card is the last copy of one still needed."""
        return self._chances[2][slot]

    @property
    def _possible(self) -> list[int]:
        """By slot the mask of kinds it can be; what the owner sees of the observer's hand is not counted."""
        if self._masks is not None:
            return self._masks
        words, seat = self._words, self.seat
        unseen = words[DECK_LOW] | words[DECK_HIGH] | words[HAND_LOW + seat] | words[HAND_HIGH + seat]
        first = POSSIBLE + self._first
        self._masks = [mask & unseen for mask in words[first : first + self.rules.hand_size]]
        return self._masks

    @property
    def _chances(self) -> list[list[float]]:
        if self._chance_lists is None:
            chances = np.zeros((3, MAX_HAND))
            table = np.zeros(DEAL_TABLE, np.int64)
            hand_chances(_record(self._words, self.rules), LANE, self._viewer, self.seat, table, chances)
            self._chance_lists = chances.tolist()
        return self._chance_lists


def observe(game: Game, seat: Seat) -> Observation:
    """What a seat may know of a game now, on its turn or not."""
    if not 0 <= seat < game.rules.players:
        raise ValueError(f"the seats of this game are 0 to {game.rules.players - 1}, not {seat}")
    states = new_states(2)
    states[LANE] = game.states[LANE]
    censor(states, LANE, SEEN_LANE, seat)
    return Observation(states[SEEN_LANE:].view(np.int64)[:DECK].tolist(), game.rules, seat, game.log)


def _is_seen(card: Card) -> bool:
    """Whether there is a card: an empty slot holds none, and of a hidden one nothing can be said."""
    if card == HIDDEN_CARD:
        raise ValueError(
            "your own cards are hidden; ask mine.playable_slots or mine.useless_slots, "
            "or the chances: mine.playable_chance(slot), useless_chance(slot), critical_chance(slot)"
        )
    return card >= 0


def _record(words: list[int], rules: Rules) -> States:
    """The censored state record of these words: the cards still in the deck are hidden."""
    row = np.full(STATE_WORDS, NO_CARD, np.int64)
    row[:DECK] = words
    row[DECK + words[DRAWN] : DECK + rules.deck_size] = HIDDEN_CARD
    return row.view(STATE)


@lru_cache(maxsize=4096)
def _cards_in(mask: int) -> tuple[Card, ...]:
    return tuple(mask_cards(mask))


def _copies(low: int, high: int) -> dict[Card, int]:
    return {card: (low >> card & 1) + 2 * (high >> card & 1) for card in mask_cards(low | high)}
