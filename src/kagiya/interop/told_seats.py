"""Our agents in games that other programs play: each is told what its seat sees, and answers in their numbers.

`HleAgent` is for the Hanabi Learning Environment, its own or our drop-in: `act(observation)` on its dicts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.cards import MAX_RANKS, parse_cards
from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import Game
from kagiya.interop.hle.cards_and_moves import HanabiMoveType as Kind, color_char_to_idx
from kagiya.interop.hle.hle_state import DEFAULTS, HanabiGame
from kagiya.lab.table.seat_game import SeatGame
from kagiya.moves import Move
from kagiya.rl.vectors import move_to_uid, num_uids, uid_to_move
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

    So games are kept where JaxMARL plays them: a card is a pair of color and rank or color * ranks + rank, or the deck
    is text like that of a record; actions are the Hanabi Learning Environment's, and those who are not to move send
    the last number, the no-op.

    >>> agent = NumberedAgent("smartbot", Rules(players=2), seat=0)
    >>> agent.act(deck, actions)
    """

    def __init__(self, agent: str | Agent | object, rules: Rules, seat: int, seed: int = 0) -> None:
        if not 0 <= seat < rules.players:
            raise ValueError(f"seat {seat!r} is not at a table of {rules.players}")
        self.rules, self.seat, self.no_op = rules, seat, num_uids(rules)
        self._told = ToldSeat(agent, rules, seed)

    def act(self, deck: str | Sequence[int] | Sequence[Sequence[int]], actions: Sequence[int]) -> int:
        """The number of the move; the no-op if another seat is to move. No-ops among the actions are passed over."""
        made = [int(action) for action in actions if action != self.no_op]
        if len(made) % self.rules.players != self.seat:
            return self.no_op
        moves = [int(uid_to_move(uid, self.rules)) for uid in made]
        cards = parse_cards(deck) if isinstance(deck, str) else [self._card(card) for card in deck]
        return move_to_uid(self._told.answer(self.seat, cards, moves), self.rules)

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


CARD_MOVES = (Kind.PLAY, Kind.DISCARD)


class HleAgent:
    """One of our agents, as HLE's example runner makes and asks its own.

    It reads the dict of its player and the moves since its last turn (``observation["pyhanabi"].last_moves()``), in
    which HLE hides what the player may not see; so it must be there from the beginning of a game.

    >>> agent = HleAgent({"players": 2}, agent="smartbot")
    >>> agent.act(observations["player_observations"][0])
    """

    agent: str | Agent | object = "smartbot"

    def __init__(self, config: Mapping[str, Any], *, agent: str | Agent | object | None = None, seed: int = 0) -> None:
        self._agent, self._seed = as_agent(self.agent if agent is None else agent), seed
        self.reset(config)

    def reset(self, config: Mapping[str, Any]) -> None:
        """A new game begins; keys of the configuration that are not about rules are passed over."""
        known = {key: value for key, value in config.items() if key in DEFAULTS and key != "seed"}
        self._game = HanabiGame(known)
        self._own: SeatGame | None = None
        if reason := self._agent.why_not(self.rules):
            raise ValueError(reason)

    @property
    def rules(self) -> Rules:
        """The rules by which it plays."""
        return self._game.rules

    def act(self, observation: Mapping[str, Any]) -> dict[str, Any] | None:
        """The move as a dict; None if it is another player's turn."""
        if observation["current_player_offset"] != 0:
            return None
        if "pyhanabi" not in observation:
            raise ValueError("the observation lacks 'pyhanabi', from which the last moves are read")
        story = observation["pyhanabi"].last_moves()[::-1]
        if self._own is None or not any(item.player() == 0 for item in story):
            self._begin(observation, story)
        assert self._own is not None
        self._hear(story)
        move = self._own.ask().move
        return self._game.get_move(move_to_uid(move, self.rules)).to_dict()

    def _begin(self, observation: Mapping[str, Any], story: list[Any]) -> None:
        if any(item.player() == 0 for item in story):
            raise ValueError("this game began before: an agent hears the moves since its last turn, not those before")
        hands = [[self._card(card) for card in hand] for hand in observation["observed_hands"][1:]]
        for item in reversed(story):  # the hands as they were dealt: what was drawn since is put back
            self._take_back(item, hands)
        seat = sum(item.player() >= 0 for item in story)
        others = {(seat + offset) % self.rules.players: hand for offset, hand in enumerate(hands, 1)}
        self._own = SeatGame(self.rules, seat, others, self._agent, self._seed)
        self._seed += 1

    def _take_back(self, item: Any, hands: list[list[int]]) -> None:
        if item.deal_to_player() > 0:
            hands[item.deal_to_player() - 1].pop()
        elif item.move().type() in CARD_MOVES:
            card = our_card(item.color(), item.rank(), self.rules)
            hands[item.player() - 1].insert(item.move().card_index(), card)

    def _card(self, card: Mapping[str, Any]) -> int:
        return our_card(color_char_to_idx(card["color"]), card["rank"], self.rules)

    def _hear(self, story: list[Any]) -> None:
        """Tell the seat the moves since its last turn, that one first, each with the deal that followed it."""
        assert self._own is not None
        for item, following in zip_longest(story, story[1:]):
            if item.deal_to_player() >= 0:
                continue
            drawn = following.move() if following is not None and following.deal_to_player() > 0 else None
            self._tell(item, None if drawn is None else our_card(drawn.color(), drawn.rank(), self.rules))

    def _tell(self, item: Any, drawn: int | None) -> None:
        assert self._own is not None
        move, is_own = item.move(), item.player() == 0
        uid, players = self._number(move), self.rules.players
        if move.type() in CARD_MOVES:
            card = our_card(item.color(), item.rank(), self.rules) if is_own else None
            self._own.tell(uid_to_move(uid, self.rules), card=card, drawn=drawn)
        else:
            is_mine = (item.player() + move.target_offset()) % players == 0
            touched = list(item.card_info_revealed()) if is_mine else None
            self._own.tell(uid_to_move(uid, self.rules), touched=touched)

    def _number(self, move: Any) -> int:
        """The number of a move, by HLE's formula: its objects and ours are of different classes."""
        rules, kind = self.rules, int(move.type())
        if kind in CARD_MOVES:
            return int(move.card_index()) + (rules.hand_size if kind == Kind.PLAY else 0)
        offset = int(move.target_offset()) - 1
        if kind == Kind.REVEAL_COLOR:
            return 2 * rules.hand_size + offset * rules.colors + int(move.color())
        hints = (rules.players - 1) * rules.colors + offset * rules.ranks
        return 2 * rules.hand_size + hints + int(move.rank())


def hle_agent(agent: str | Agent | object) -> type[HleAgent]:
    """A class for runners that take one: ``Runner({"agent_class": hle_agent("smartbot")})``."""
    return type("HleAgent", (HleAgent,), {"agent": agent, "__doc__": f"{as_agent(agent).text}, as an agent of HLE."})
