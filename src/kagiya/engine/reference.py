"""The slow, obvious twin of the engine: Hanabi in plain Python objects, written to be read.

It shares no code with the compiled kernels, so that the tests can hold the two against each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cache

from kagiya.cards import Card, Color, Rank, card_color, card_rank, make_card
from kagiya.moves import MOVES, Move
from kagiya.rules import BombScore, DrawnCard, Rules


@dataclass(slots=True)
class ReferenceCard:
    """A card in a hand, and what the hints given so far say of it."""

    card: Card
    order: int  # its place in the deck: the first card dealt is 0
    possible_colors: frozenset[int]
    possible_ranks: frozenset[int]
    told_color: bool = False
    told_rank: bool = False

    def hear_color(self, color: Color) -> None:
        """A hint names a color and points at all cards of it, this one or not."""
        if card_color(self.card) == color:
            self.possible_colors = frozenset({color})
            self.told_color = True
        else:
            self.possible_colors -= {color}

    def hear_rank(self, rank: Rank) -> None:
        """A hint names a rank and points at all cards of it, this one or not."""
        if card_rank(self.card) == rank:
            self.possible_ranks = frozenset({rank})
            self.told_rank = True
        else:
            self.possible_ranks -= {rank}


Hand = list[ReferenceCard | None]  # None is a slot left empty


class ReferenceGame:
    """One game of Hanabi: make it with the rules and a deck, top card first, and it deals the hands."""

    def __init__(self, rules: Rules, deck: Sequence[int]) -> None:
        if sorted(deck) != _full_deck(rules):
            raise ValueError(f"the deck must hold exactly the {rules.deck_size} cards of these rules")
        self.rules = rules
        self.deck = [Card(card) for card in deck]  # the cards still to be drawn, top card first
        self.fireworks = [0] * rules.colors  # cards played of each color, which is also the rank that fits next
        self.discards: list[Card] = []  # as they were lost: discarded, or played where they did not fit
        self.tokens = rules.hint_tokens
        self.lives = rules.lives
        self.turn = 0  # moves made so far
        self.seat = 0  # whose turn it is
        self.turns_left = rules.players  # counts down once the deck is empty
        self.hands: list[Hand] = [[self._draw() for _ in range(rules.hand_size)] for _ in range(rules.players)]

    def copy(self) -> ReferenceGame:
        """A game at the same position that goes its own way from here."""
        other = copy(self)
        other.deck, other.fireworks, other.discards = self.deck[:], self.fireworks[:], self.discards[:]
        other.hands = [[copy(held) for held in hand] for hand in self.hands]
        return other

    # What a seat may do.

    def legal_moves(self) -> set[int]:
        """On your turn you play a card, discard a card or give a hint."""
        if self.is_over():
            return set()
        return self._plays() | self._discards() | self._hints()

    def _plays(self) -> set[int]:
        """Any card you hold may be played, whether it fits or not."""
        return {Move.play(slot) for slot in self._own_slots()}

    def _discards(self) -> set[int]:
        """A discard brings a token back; while none is missing, or too few are, most rules do not allow it."""
        if self.tokens == self.rules.hint_tokens and not self.rules.discard_at_full_tokens:
            return set()
        if self.rules.discard_below and self.tokens >= self.rules.discard_below:
            return set()
        return {Move.discard(slot) for slot in self._own_slots()}

    def _hints(self) -> set[int]:
        """A hint costs a token and names a color or rank to another seat; it must hold such a card, or need not."""
        if self.tokens == 0:
            return set()
        moves: set[int] = set()
        for offset in range(1, self.rules.players):
            receiver = (self.seat + offset) % self.rules.players
            cards = self.kinds() if self.rules.empty_hints else self._cards_of(receiver)
            moves |= {Move.hint_color(offset, card_color(card)) for card in cards}
            moves |= {Move.hint_rank(offset, card_rank(card)) for card in cards}
        return moves

    def _own_slots(self) -> list[int]:
        return [slot for slot, held in enumerate(self.hands[self.seat]) if held is not None]

    def _cards_of(self, seat: int) -> list[Card]:
        return [held.card for held in self.hands[seat] if held is not None]

    # What then happens.

    def apply(self, number: int) -> None:
        """The seat whose turn it is makes this move, and the turn passes to the next."""
        if number not in self.legal_moves():
            raise ValueError(f"move {number} is not legal here; legal are {sorted(self.legal_moves())}")
        move = MOVES[number]
        deck_was_empty = not self.deck
        if move.slot is None:
            self._give_hint(move)
        elif move.is_play:
            self._play(move.slot)
        else:
            self._discard(move.slot)
        if deck_was_empty:
            self.turns_left -= 1
        self.turn += 1
        self.seat = (self.seat + 1) % self.rules.players

    def _give_hint(self, move: Move) -> None:
        """Every card of the receiver is either pointed at or not, and both tell it something."""
        assert move.offset is not None
        self.tokens -= 1
        for held in self.hands[(self.seat + move.offset) % self.rules.players]:
            if held is not None and move.color is not None:
                held.hear_color(move.color)
            elif held is not None and move.rank is not None:
                held.hear_rank(move.rank)

    def _play(self, slot: int) -> None:
        """A card that fits grows its firework, and the last one of a color earns a token; else a life is lost."""
        card = self._take(slot)
        if card in self.playable():
            self.fireworks[card_color(card)] += 1
            if card_rank(card) == self.rules.ranks - 1 and self.rules.token_for_five:
                self._earn_token()
        else:
            self.lives -= 1
            self.discards.append(card)
        self._refill(slot)

    def _discard(self, slot: int) -> None:
        """The card is lost, and a token comes back."""
        self.discards.append(self._take(slot))
        self._earn_token()
        self._refill(slot)

    def _earn_token(self) -> None:
        if self.tokens < self.rules.hint_tokens:
            self.tokens += 1

    def _take(self, slot: int) -> Card:
        """A card leaves the hand. The slot stays empty, or the newer cards move down by one."""
        hand = self.hands[self.seat]
        held = hand[slot]
        assert held is not None
        if self.rules.drawn_card is DrawnCard.VACATED:
            hand[slot] = None
        else:
            del hand[slot]
        return held.card

    def _refill(self, slot: int) -> None:
        """The next card of the deck comes to the hand, unless there is none or the game has just ended."""
        if not self.deck or self.is_over():
            return
        hand = self.hands[self.seat]
        if self.rules.drawn_card is DrawnCard.VACATED:
            hand[slot] = self._draw()
        else:
            hand.append(self._draw())

    def _draw(self) -> ReferenceCard:
        order = self.rules.deck_size - len(self.deck)
        every_color, every_rank = frozenset(range(self.rules.colors)), frozenset(range(self.rules.ranks))
        return ReferenceCard(self.deck.pop(0), order, every_color, every_rank)

    # How it ends.

    def is_over(self) -> bool:
        """The lives are lost, the fireworks complete, or each seat has moved once since the deck ran out."""
        return self.lives == 0 or self.points() == self.rules.perfect_score or self.turns_left == 0

    def points(self) -> int:
        """One for each card on the fireworks."""
        return sum(self.fireworks)

    def score(self) -> int:
        """The points; after the last life is lost, nothing or still the points, as agreed."""
        bombed = self.lives == 0
        return 0 if bombed and self.rules.bomb_score is BombScore.ZERO else self.points()

    # What the cards are worth.

    def kinds(self) -> list[Card]:
        """Every color in every rank."""
        return sorted(set(_full_deck(self.rules)))

    def playable(self) -> set[Card]:
        """The kinds that fit a firework now."""
        return {make_card(color, Rank(height)) for color, height in self._colors() if height < self.rules.ranks}

    def useless(self) -> set[Card]:
        """The kinds that can never score again: played already, or higher than their firework can grow."""
        reachable = self.reachable_fireworks()
        kinds = ((card, card_color(card), card_rank(card)) for card in self.kinds())
        return {card for card, color, rank in kinds if not self.fireworks[color] <= rank < reachable[color]}

    def critical(self) -> set[Card]:
        """The kinds that can still score and have but one copy left."""
        copies, lost = self.rules.copies, Counter(self.discards)
        return {card for card in set(self.kinds()) - self.useless() if copies[card_rank(card)] - lost[card] == 1}

    def reachable_points(self) -> int:
        """The most points that the discards still allow."""
        return sum(self.reachable_fireworks())

    def reachable_fireworks(self) -> list[int]:
        """How high each firework can still grow: up to the first rank of which every copy is lost."""
        copies, discards = self.rules.copies, Counter(self.discards)
        lost = {card for card, count in discards.items() if count == copies[card_rank(card)]}
        heights = []
        for color, height in self._colors():
            ranks = range(height, self.rules.ranks)
            missing = (rank for rank in ranks if make_card(color, Rank(rank)) in lost)
            heights.append(next(missing, self.rules.ranks))
        return heights

    def _colors(self) -> list[tuple[Color, int]]:
        """Every color and the height of its firework."""
        return [(Color(color), height) for color, height in enumerate(self.fireworks)]


@cache
def _full_deck(rules: Rules) -> list[Card]:
    """All cards of the game, color by color, each from the lowest rank up."""
    deck: list[Card] = []
    for color in range(rules.colors):
        for rank, copies in enumerate(rules.copies):
            deck += [make_card(Color(color), Rank(rank))] * copies
    return deck
