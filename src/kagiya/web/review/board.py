"""The table at one turn as plain facts: what can be seen of it through somebody's eyes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from kagiya.cards import HIDDEN_CARD, NO_CARD, Card, Seat, Slot, card_color, card_name, card_rank, mask_cards
from kagiya.drawing.card import Marks, Possible
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK
from kagiya.kernels import critical_kinds
from kagiya.moves import Move
from kagiya.view.observation import observe
from kagiya.web.review.review_query import ALL, EVERYTHING, ReviewQuery
from kagiya.web.review.reviewed_game import ReviewedGame
from kagiya.web.seat.sight import discard_rows


@dataclass(frozen=True)
class HeldCard:
    """A card in a hand: what it is, if these eyes see it, and what its owner knows of it."""

    slot: Slot
    card: Card  # HIDDEN_CARD if it is not seen, NO_CARD for an empty slot
    order: int  # its place in the deck
    kinds: tuple[Card, ...]  # what its owner, or everybody, holds possible
    possible: Possible
    marks: Marks

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        shown = None if self.card < 0 else card_name(self.card)
        marks = [name for name, is_set in asdict(self.marks).items() if is_set]
        return {"slot": self.slot + 1, "card": shown, "possible": list(map(card_name, self.kinds)), "marks": marks}


@dataclass(frozen=True)
class Board:
    """Everything on the table."""

    turn: int
    seat: Seat | None  # to move
    hands: tuple[tuple[HeldCard, ...], ...]
    fireworks: tuple[int, ...]
    lost: tuple[tuple[int, ...], ...]  # by color and rank, copies in the discards
    counts: dict[str, int | None]  # points, tokens and so on

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "turn": self.turn,
            "to_move": self.seat,
            **self.counts,
            "fireworks": list(self.fireworks),
            "discards": [list(row) for row in self.lost],
            "hands": [[card.to_json() for card in hand] for hand in self.hands],
        }


def board_at(story: ReviewedGame, look: ReviewQuery) -> Board:
    """The table before the move of the turn that is looked at."""
    game = story.before(look.turn)
    concerned = _concerned(game, story.move_of(look.turn))
    rules = story.rules
    return Board(
        turn=look.turn,
        seat=None if game.is_over else game.seat,
        hands=tuple(_hand(game, Seat(seat), look, concerned) for seat in range(rules.players)),
        fireworks=game.fireworks,
        lost=_lost(game),
        counts={
            "points": game.points,
            "reachable": game.reachable_points,
            "perfect": rules.perfect_score,
            "tokens": game.tokens,
            "lives": game.lives,
            "deck": game.deck_left,
            "pace": story.paces[look.turn - story.first_turn],
        },
    )


def _concerned(game: Game, move: Move | None) -> set[tuple[int, int]]:
    """The seats and slots that the move is about."""
    if move is None:
        return set()
    if move.slot is not None:
        return {(game.seat, move.slot)}
    after = game.copy()
    after.make(move)
    event = after.events[-1]
    return {(int(event.receiver or 0), slot) for slot in event.touched}


def _hand(game: Game, seat: Seat, look: ReviewQuery, concerned: set[tuple[int, int]]) -> tuple[HeldCard, ...]:
    masks = _possible(game, seat, look)
    cards = (_held(game, seat, Slot(slot), mask, look, (seat, slot) in concerned) for slot, mask in enumerate(masks))
    return tuple(cards)


def _held(game: Game, seat: Seat, slot: Slot, mask: int, look: ReviewQuery, is_concerned: bool) -> HeldCard:
    state = game.states[LANE]
    card, told = Card(int(state["hands"][seat, slot])), int(state["told"][seat, slot])
    is_seen = look.eyes == EVERYTHING or look.seat not in (None, seat)
    seen = card if is_seen or card == NO_CARD else HIDDEN_CARD
    meant = 1 << seen if seen >= 0 else mask
    return HeldCard(
        slot=slot,
        card=seen,
        order=int(state["order"][seat, slot]),
        kinds=tuple(mask_cards(mask)),
        possible=possible_of(mask_cards(mask)),
        marks=Marks(
            touched=told != 0,
            told_color=bool(told & TOLD_COLOR),
            told_rank=bool(told & TOLD_RANK),
            critical=_all_of(meant, int(critical_kinds(game.states, LANE))),
            useless=_all_of(meant, int(state["useless"])),
            playable=_all_of(meant, int(state["playable"])),
            moved=is_concerned,
        ),
    )


def _all_of(mask: int, kinds: int) -> bool:
    return mask != 0 and mask & ~kinds == 0


def _possible(game: Game, seat: Seat, look: ReviewQuery) -> list[int]:
    """By slot, what its owner must hold possible as far as these eyes can tell; for all eyes, what everybody knows."""
    size = game.rules.hand_size
    if look.eyes == ALL:
        public = _publicly_unseen(game)
        return [int(game.states[LANE]["possible"][seat, slot]) & public for slot in range(size)]
    viewer = seat if look.seat is None else look.seat
    hand = observe(game, viewer).hand((seat - viewer) % game.rules.players)
    return [sum(1 << card for card in hand.possible_cards(slot)) for slot in range(size)]


def _publicly_unseen(game: Game) -> int:
    """The kinds of which some copy is neither played nor discarded."""
    lost, rules = _lost(game), game.rules
    mask = 0
    for color, row in enumerate(lost):
        for rank, gone in enumerate(row):
            played = rank < game.fireworks[color]
            if gone + played < rules.copies[rank]:
                mask |= 1 << 5 * color + rank
    return mask


def _lost(game: Game) -> tuple[tuple[int, ...], ...]:
    return discard_rows(observe(game, game.seat))


def possible_of(cards: Iterable[Card]) -> Possible:
    """The colors and the ranks of some cards."""
    listed = list(cards)
    colors, ranks = {int(card_color(card)) for card in listed}, {int(card_rank(card)) for card in listed}
    return Possible(tuple(sorted(colors)), tuple(sorted(ranks)))
