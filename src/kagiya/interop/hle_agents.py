"""Our agents as agents of the Hanabi Learning Environment, its own or our drop-in: `act(observation)` on its dicts."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent
from kagiya.interop.hle.game import DEFAULTS, HanabiGame
from kagiya.interop.hle.pieces import HanabiMoveType as Kind
from kagiya.interop.hle.pieces import color_char_to_idx
from kagiya.interop.told_seats import our_card
from kagiya.lab.table.seat_game import SeatGame
from kagiya.rl.numbering import move_to_uid, uid_to_move
from kagiya.rules import Rules

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
