"""A drop-in for HLE's `rl_env`: the same environment, dict observations and agent interface, on our table.

What all players' dicts share of one state is read from the record by one kernel, and kept to be copied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kagiya.cards import COLOR_LETTERS, MAX_RANKS
from kagiya.engine.game import Game
from kagiya.interop.hle import pyhanabi
from kagiya.interop.hle.cards_and_moves import HanabiCard, HanabiMove, color_char_to_idx
from kagiya.interop.hle.hle_observation import HanabiObservation
from kagiya.interop.hle.hle_state import HanabiGame, HanabiState, KeptVectors
from kagiya.interop.hle.turn_kernels import AFTER_DECK_LEFT, EMPTY_SLOTS, HEIGHTS, LEGAL, TABLE_NUMBERS, look_at_table
from kagiya.rl.vectors import KINDS

Dict = dict[str, Any]
Hands = list[list[Dict]]
copied = dict.copy

# By the numbers that `look_at_table` writes.
DICTS = [
    *(HanabiCard.of(card).to_dict() for card in (*range(len(COLOR_LETTERS) * MAX_RANKS), -1)),
    *({"color": color, "rank": rank} for color in (None, *COLOR_LETTERS) for rank in (None, *range(MAX_RANKS))),
]
KIND_NAMES = ("minimal", "card-knowledge", "seer")


@dataclass(slots=True)
class VectorTable:
    """One state: its numbers, a row of cards for each player, and dicts that are to be copied."""

    state: HanabiState
    numbers: list[int]
    rows: list[list[int]]
    fireworks: Dict
    legal: list[int]
    moves: list[Dict]
    discards: list[Dict]


class TableReader:
    """Reads states of one game; the table that was read last is kept."""

    def __init__(self, game: HanabiGame) -> None:
        rules = game.rules
        cards = rules.players * rules.hand_size
        self._game, self._kind, self._players = game, KINDS[KIND_NAMES[game.observation_type()]], rules.players
        self._numbers, self._rows = np.zeros(TABLE_NUMBERS, np.int64), np.zeros((rules.players, 2 * cards), np.int64)
        self._hands = [slice(first, first + rules.hand_size) for first in range(0, 2 * cards, rules.hand_size)]
        self._move_dicts = [game.get_move(number).to_dict() for number in range(game.max_moves())]
        self._letters = COLOR_LETTERS[: rules.colors]
        self._legal, self._fireworks = KeptVectors(self._moves_of), KeptVectors(self._fireworks_of)
        self._table: VectorTable | None = None

    def table(self, state: HanabiState) -> VectorTable:
        """What the dicts of this state share."""
        if self._table is None or self._table.state is not state:
            self._table = self._read(state)
        return self._table

    def _read(self, state: HanabiState) -> VectorTable:
        look_at_table(state.states, 0, state._start, self._kind, self._numbers, self._rows)
        numbers = self._numbers.tolist()
        mask = state.legal_mask() if state._is_over else numbers[LEGAL]
        fireworks, (legal, moves) = self._fireworks[tuple(numbers[HEIGHTS:])], self._legal[mask]
        discards = [DICTS[card] for card in state._discards]
        return VectorTable(state, numbers, self._rows.tolist(), fireworks, legal, moves, discards)

    def hands(self, table: VectorTable, player: int) -> tuple[Hands, Hands]:
        """All hands as a player sees them, and what hints named of their cards, the own ones first: new dicts."""
        if table.numbers[EMPTY_SLOTS]:
            rows = [table.rows[player][hand] for hand in self._hands]
            found = [[DICTS[number].copy() for number in row if number >= 0] for row in rows]
        else:
            made = list(map(copied, map(DICTS.__getitem__, table.rows[player])))
            found = [made[hand] for hand in self._hands]
        return found[: self._players], found[self._players :]

    def _fireworks_of(self, heights: tuple[int, ...]) -> Dict:
        return dict(zip(self._letters, heights, strict=False))

    def _moves_of(self, mask: int) -> tuple[list[int], list[Dict]]:
        """The moves of a mask: their numbers, and their dicts."""
        numbers = self._game.uids(mask)
        return numbers, [self._move_dicts[number] for number in numbers]


MOVE_TYPES = [each.name for each in pyhanabi.HanabiMoveType]
FULL: dict[str, int] = {"colors": 5, "ranks": 5, "max_information_tokens": 8, "max_life_tokens": 3}
SMALL: dict[str, int] = {"ranks": 5, "hand_size": 2, "max_information_tokens": 3, "max_life_tokens": 1}
NOT_WRITTEN = "Not implemented in Abstract Base class"
PRESETS: dict[str, dict[str, int]] = {
    "Hanabi-Full": {**FULL, "observation_type": 1},
    "Hanabi-Full-CardKnowledge": {**FULL, "observation_type": 1},
    "Hanabi-Full-Minimal": {**FULL, "observation_type": 0},
    "Hanabi-Small": {"colors": 2, **SMALL, "observation_type": 1},
    "Hanabi-Very-Small": {"colors": 1, **SMALL, "observation_type": 1},
}


class Environment:
    """What an environment offers: a plain class, as HLE's is, of which a subclass may leave methods out."""

    def reset(self, *args: Any, **kwargs: Any) -> Any:
        """Begin a game."""
        raise NotImplementedError(NOT_WRITTEN)

    def step(self, action: Any) -> Any:
        """Make a move."""
        raise NotImplementedError(NOT_WRITTEN)


class HanabiEnv(Environment):
    """Games one after the other; observations as dicts for all players, the vector among them."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.game = pyhanabi.HanabiGame(config)
        self.observation_encoder = pyhanabi.ObservationEncoder(self.game)
        self.players = self.game.num_players()
        self.state: HanabiState | None = None
        self._tables, self._moves = TableReader(self.game), self.game.max_moves()

    def reset(self, deck: Sequence[int] | str | None = None, position: Game | str | None = None) -> dict[str, Any]:
        """Begin a game; beyond HLE, from a deck (our numbers, top card first) or a position."""
        self.state = self.game.new_initial_state(deck, position)
        self.state.deal_all()
        return self._make_observation_all_players()

    def vectorized_observation_shape(self) -> list[int]:
        """The length of a vector, in a list."""
        return self.observation_encoder.shape()

    def num_moves(self) -> int:
        """How many numbers of moves there are."""
        return self.game.max_moves()

    def step(self, action: Any) -> tuple[dict[str, Any], int, bool, dict[str, Any]]:
        """Make a move, a number or a dict: the observations, what the score grew by, whether the game is over, {}."""
        state = self.state
        if state is None:
            raise ValueError("no game has begun: call reset first")
        if state._is_over:
            raise ValueError("the game is over: call reset first")
        if state._undealt:
            state.deal_all()
        score = state._score
        state.make_turn(self._number(action))
        return self._make_observation_all_players(), state._score - score, state._is_over, {}

    def _number(self, action: Any) -> int:
        if isinstance(action, dict):
            return self.game.number(self._build_move(action))
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise ValueError(f"an action is a number or a dict, not {action!r}")
        if not 0 <= action < self._moves:
            self.game.get_move(int(action))  # says which numbers there are
        return int(action)

    def _build_move(self, action: dict[str, Any]) -> HanabiMove:
        """The move that a dict names."""
        kind, make = action.get("action_type"), pyhanabi.HanabiMove
        try:
            if kind in ("PLAY", "DISCARD"):
                index = action["card_index"]
                return make.get_play_move(index) if kind == "PLAY" else make.get_discard_move(index)
            if kind == "REVEAL_COLOR":
                return make.get_reveal_color_move(action["target_offset"], color_char_to_idx(action["color"]))
            if kind == "REVEAL_RANK":
                return make.get_reveal_rank_move(action["target_offset"], action["rank"])
        except KeyError as missing:
            raise ValueError(f"the action {action!r} lacks {missing}") from None
        raise ValueError(f"action_type is one of {', '.join(MOVE_TYPES[1:5])}, not {kind!r}")

    def _make_observation_all_players(self) -> dict[str, Any]:
        """Every player's observation. It holds all hands: hand each player its own part."""
        assert self.state is not None
        state = self.state.copy()
        views = [HanabiObservation.of(state, player) for player in range(self.players)]
        seen = [self._extract_dict_from_backend(player, view) for player, view in enumerate(views)]
        return {"player_observations": seen, "current_player": seen[0]["current_player"]}

    def _extract_dict_from_backend(self, player_id: int, observation: HanabiObservation) -> dict[str, Any]:
        """One player's observation as a dict, which shares nothing with the others."""
        table, players = self._tables.table(observation._state), self.players
        current, lives, tokens, deck_left = table.numbers[:AFTER_DECK_LEFT]
        hands, known = self._tables.hands(table, player_id)
        is_to_move = current == player_id
        return {
            "current_player": current,
            "current_player_offset": (current - player_id) % players,
            "life_tokens": lives,
            "information_tokens": tokens,
            "num_players": players,
            "deck_size": deck_left,
            "fireworks": table.fireworks.copy(),
            "legal_moves": list(map(copied, table.moves)) if is_to_move else [],
            "legal_moves_as_int": table.legal.copy() if is_to_move else [],
            "observed_hands": hands,
            "discard_pile": list(map(copied, table.discards)),
            "card_knowledge": known,
            "vectorized": self.observation_encoder.encode(observation),
            "pyhanabi": observation,
        }


def make(environment_name: str = "Hanabi-Full", num_players: int = 2, pyhanabi_path: str | None = None) -> HanabiEnv:
    """An environment by its name; `pyhanabi_path` is for HLE's library and of no use here."""
    if environment_name not in PRESETS:
        raise ValueError(f"Unknown environment {environment_name}; there are {', '.join(PRESETS)}")
    return HanabiEnv({**PRESETS[environment_name], "players": num_players})


class RlAgent:
    """What HLE asks of an agent: a plain class, as HLE's is, whose agents need not have a `reset`."""

    def __init__(self, config: Mapping[str, Any], *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(NOT_WRITTEN)

    def reset(self, config: Mapping[str, Any]) -> None:
        """A new game begins."""
        raise NotImplementedError(NOT_WRITTEN)

    def act(self, observation: dict[str, Any]) -> Any:
        """The action; None if it is not this agent's turn."""
        raise NotImplementedError(NOT_WRITTEN)


Agent = RlAgent  # HLE's own name for it
