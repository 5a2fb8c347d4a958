"""Our agents in games that other programs play: each is told what its seat sees, and answers in their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.cards import MAX_RANKS
from kagiya.engine.game import Game
from kagiya.engine.template import sorted_deck
from kagiya.lab.table.seat_game import SeatGame
from kagiya.moves import Move
from kagiya.rl.numbering import move_to_uid, num_uids, uid_to_move
from kagiya.rules import Rules


class ToldSeat:
    """An agent at one seat, game after game; it hears a game as far as it went, when it is asked."""

    def __init__(self, agent: str | Agent | object, rules: Rules, seed: int = 0) -> None:
        self.agent, self.rules = as_agent(agent), rules
        self._seed, self._heard = seed, list[int]()
        self._own: SeatGame | None = None
        if reason := self.agent.why_not(rules):
            raise ValueError(reason)

    def forget(self) -> None:
        """The next game begins."""
        self._own = None

    def answer(self, seat: int, deck: Sequence[int], moves: Sequence[int]) -> Move:
        """The agent's move at this seat after these moves; `deck` are the cards dealt so far, the others may follow.

        Of cards that the seat cannot see it is told what it sees of them: slots that a hint touched, a card turned up.
        """
        if self._own is None or self._own.seat != seat or list(moves[: len(self._heard)]) != self._heard:
            self._begin(seat, deck)
        assert self._own is not None
        tell_moves(self._own, self._whole(deck), moves)
        self._heard = list(moves)
        return self._own.ask().move

    def _begin(self, seat: int, deck: Sequence[int]) -> None:
        hands = self._whole(deck).hands
        others = {other: hands[other] for other in range(self.rules.players) if other != seat}
        self._own, self._heard = SeatGame(self.rules, seat, others, self.agent, self._seed), []
        self._seed += 1

    def _whole(self, dealt: Sequence[int]) -> Game:
        """A game with this deck; cards that were not dealt yet lie in it in some order."""
        left = Counter(sorted_deck(self.rules))
        left.subtract(dealt)
        return Game(self.rules, deck=[*dealt, *left.elements()])


def tell_moves(own: SeatGame, game: Game, moves: Sequence[int]) -> None:
    """Tell a seat those moves of a game, which begins here, that it has not heard; the game follows them."""
    deck = game.deck or ()
    for move in moves:
        is_news, seat, before = game.turn >= own.turn, game.seat, game.deck_left
        game.make(int(move))
        if is_news:
            event = game.events[-1]
            drew = game.deck_left < before and seat != own.seat
            drawn = deck[len(deck) - before] if drew else None
            touched = event.touched if event.receiver == own.seat else None
            own.tell(event.move, touched, event.card if seat == own.seat else None, drawn)


class NumberedAgent:
    """An agent that is given a game by numbers, the deck and the actions so far, and answers with one.

    So games are kept where JaxMARL plays them: a card is a pair of color and rank or color * ranks + rank, actions are
    the Hanabi Learning Environment's, and those who are not to move send the last number, the no-op.

    >>> agent = NumberedAgent("smartbot", Rules(players=2), seat=0)
    >>> agent.act(deck, actions)
    """

    def __init__(self, agent: str | Agent | object, rules: Rules, seat: int, seed: int = 0) -> None:
        if not 0 <= seat < rules.players:
            raise ValueError(f"seat {seat!r} is not at a table of {rules.players}")
        self.rules, self.seat, self.no_op = rules, seat, num_uids(rules)
        self._told = ToldSeat(agent, rules, seed)

    def act(self, deck: Sequence[int] | Sequence[Sequence[int]], actions: Sequence[int]) -> int:
        """The number of the move; the no-op if another seat is to move. No-ops among the actions are passed over."""
        made = [int(action) for action in actions if action != self.no_op]
        if len(made) % self.rules.players != self.seat:
            return self.no_op
        moves = [int(uid_to_move(uid, self.rules)) for uid in made]
        return move_to_uid(self._told.answer(self.seat, [self._card(card) for card in deck], moves), self.rules)

    def _card(self, card: Any) -> int:
        if np.ndim(card) == 0:
            return their_card(card, self.rules)
        color, rank = card
        return our_card(int(color), int(rank), self.rules)


def their_card(number: int, rules: Rules) -> int:
    """Our number of a card by theirs, color * ranks + rank."""
    color, rank = divmod(int(number), rules.ranks)
    return our_card(color, rank, rules)


def our_card(color: int, rank: int, rules: Rules) -> int:
    """Our number of a card by its color and rank, from 0; one that is not in the deck is refused."""
    if not (0 <= color < rules.colors and 0 <= rank < rules.ranks):
        raise ValueError(f"there is no card of color {color} and rank {rank} in this deck")
    return color * MAX_RANKS + rank
