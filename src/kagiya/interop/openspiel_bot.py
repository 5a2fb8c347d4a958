"""Our agents as bots of OpenSpiel; the extra `peers` brings it."""

from __future__ import annotations

from typing import Any

from kagiya.agents.api import Agent
from kagiya.interop.hle.hle_state import DEFAULTS, HanabiGame
from kagiya.interop.told_seats import ToldSeat, their_card
from kagiya.rl.vectors import move_to_uid, uid_to_move
from kagiya.rules import Rules

try:
    import pyspiel
except ImportError:
    raise ImportError("bots for OpenSpiel need it: pip install 'kagiya[peers]'") from None


class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our agents as one player; of the state it is told what that player sees.

    >>> game = pyspiel.load_game("hanabi", {"players": 2})
    >>> bots = [OpenSpielBot(game, player, "smartbot") for player in range(2)]
    """

    def __init__(self, game: Any, player: int, agent: str | Agent | object, seed: int = 0) -> None:
        super().__init__()
        self.rules = rules_of(game)
        if not 0 <= player < self.rules.players:
            raise ValueError(f"players are 0-{self.rules.players - 1}, not {player!r}")
        self._player, self._told = player, ToldSeat(agent, self.rules, seed)

    def player_id(self) -> int:
        """Whose bot it is."""
        return self._player

    def provides_policy(self) -> bool:
        """It moves, and does not say how likely it was to."""
        return False

    def restart(self) -> None:
        """The next game begins."""
        self._told.forget()

    def restart_at(self, state: Any) -> None:
        """The same; a game in progress is heard from its beginning."""
        self._told.forget()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing to do: what happened is heard at the next step."""

    def step(self, state: Any) -> int:
        """The number of the agent's move."""
        if state.current_player() != self._player:
            raise ValueError(f"it is not player {self._player}'s turn")
        start, deck, numbers = read_history(state, self.rules)
        moves = [int(uid_to_move(number, self.rules)) for number in numbers]
        return move_to_uid(self._told.answer((self._player - start) % self.rules.players, deck, moves), self.rules)


def rules_of(game: Any) -> Rules:
    """The rules that OpenSpiel's game has."""
    name, given = game.get_type().short_name, game.get_parameters()
    if name != "hanabi":
        raise ValueError(f"the game is {name}, not hanabi")
    known = {key: value for key, value in given.items() if key in DEFAULTS and key != "observation_type"}
    return HanabiGame(known).rules


def read_history(state: Any, rules: Rules) -> tuple[int, list[int], list[int]]:
    """Who began, the cards dealt so far as if the first hand were the beginner's, and the numbers of the moves."""
    story = [(item.player, item.action) for item in state.full_history()]
    start = next((player for player, _ in story if player >= 0), state.current_player())
    dealt = [their_card(action, rules) for player, action in story if player < 0]
    size, first = rules.hand_size, rules.players * rules.hand_size
    hands = [dealt[size * player : size * (player + 1)] for player in range(rules.players)]
    turned = [card for seat in range(rules.players) for card in hands[(seat + start) % rules.players]]
    return start, turned + dealt[first:], [action for player, action in story if player >= 0]
