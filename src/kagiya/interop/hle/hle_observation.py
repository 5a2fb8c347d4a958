"""HLE's observation and its encoder: one player's view of a state, in HLE's words and as a list of zeros and ones."""

from __future__ import annotations

import enum
from collections.abc import Callable
from functools import wraps
from typing import Any, SupportsIndex, TypeVar

import numpy as np
import numpy.typing as npt

from kagiya.cards import COLOR_LETTERS
from kagiya.interop.hle import cards_and_moves
from kagiya.interop.hle.hle_state import KINDS, AgentObservationType, HanabiGame, HanabiState, as_states, known
from kagiya.interop.hle.turn_kernels import write_all_vectors
from kagiya.rl.encoding import Encoding, straight_colors

T = TypeVar("T")


def of_state(method: Callable[..., T]) -> Callable[..., T]:
    """A state's method for an observation: what all players see is the same."""

    @wraps(method)
    def asked(self: HanabiObservation, *args: Any) -> T:
        return method(self._state, *args)

    return asked


class HanabiObservation:
    """What one player sees, as it was when it was asked for."""

    __slots__ = ("_game", "_player", "_state")

    def __init__(self, state: HanabiState, game: HanabiGame, player: SupportsIndex) -> None:
        self._state, self._game, self._player = state.copy(), game, cards_and_moves.whole("player", player)
        if not 0 <= self._player < game.rules.players:
            raise ValueError(f"players are 0-{game.rules.players - 1}, not {player!r}")

    @classmethod
    def of(cls, state: HanabiState, player: int) -> HanabiObservation:
        """The same without a copy, of a state that will not change."""
        seen = cls.__new__(cls)
        seen._state, seen._game, seen._player = state, state._game, player
        return seen

    @property
    def _is_seer(self) -> bool:
        return self._game.kind is AgentObservationType.SEER

    def _players(self) -> list[int]:
        players = self._game.rules.players
        return [(self._player + offset) % players for offset in range(players)]

    def observation(self) -> HanabiObservation:
        """Itself; HLE has a pointer here."""
        return self

    def cur_player_offset(self) -> int:
        """How many seats on the player to move sits."""
        current, players = self._state.cur_player(), self._game.rules.players
        return -1 if current == cards_and_moves.CHANCE_PLAYER_ID else (current - self._player) % players

    def observed_hands(self) -> list[list[cards_and_moves.HanabiCard]]:
        """All hands, the own one first and hidden."""
        hands = self._state.player_hands()
        own = hands[self._player] if self._is_seer else [cards_and_moves.HanabiCard.of(-1)] * len(hands[self._player])
        return [own, *(hands[player] for player in self._players()[1:])]

    def card_knowledge(self) -> list[list[cards_and_moves.HanabiCardKnowledge]]:
        """What hints say of all cards, the own ones first."""
        return [self.knowledge(player) for player in self._players()]

    def knowledge(self, player: int) -> list[cards_and_moves.HanabiCardKnowledge]:
        """What hints say of a player's cards; nothing in a minimal observation."""
        if self._game.kind is not AgentObservationType.MINIMAL:
            return self._state.knowledge(player)
        everything, rules = self._state._words[KINDS], self._game.rules
        return [known(everything, 0, rules.colors, rules.ranks)] * len(self._state.cards(player))

    def last_moves(self) -> list[cards_and_moves.HanabiHistoryItem]:
        """Moves and deals since this player's last move, which ends the list; newest first, without the first deal."""
        found = []
        for item in reversed(self._state._history[self._state.first_deals :]):
            found.append(item.seen_from(self._player, self._game.rules.players, self._is_seer))
            if item.player() == self._player:
                break
        return found

    def legal_moves(self) -> list[cards_and_moves.HanabiMove]:
        """What this player may do now: nothing unless it is to move."""
        return self._state.legal_moves() if self.cur_player_offset() == 0 else []

    num_players = of_state(HanabiState.num_players)
    discard_pile = of_state(HanabiState.discard_pile)
    fireworks = of_state(HanabiState.fireworks)
    deck_size = of_state(HanabiState.deck_size)
    information_tokens = of_state(HanabiState.information_tokens)
    life_tokens = of_state(HanabiState.life_tokens)
    card_playable_on_fireworks = of_state(HanabiState.card_playable_on_fireworks)

    def __str__(self) -> str:
        return table_text(self._state, self)

    __repr__ = __str__


def table_text(state: HanabiState, observation: HanabiObservation | None = None) -> str:
    """The table in HLE's words; for an observer its own hand comes first and is hidden."""
    players = range(state.num_players()) if observation is None else observation._players()
    hands = state.player_hands() if observation is None else observation.observed_hands()
    known = (state if observation is None else observation).knowledge
    heights = zip(COLOR_LETTERS, state.fireworks(), strict=False)
    lines = [
        f"Life tokens: {state.life_tokens()}",
        f"Info tokens: {state.information_tokens()}",
        "Fireworks: " + "".join(f"{letter}{height} " for letter, height in heights),
        "Hands:",
    ]
    for place, player in enumerate(players):
        lines += ["-----"] * (place > 0) + ["Cur player"] * (player == state.cur_player())
        lines += [f"{card} || {knowledge}" for card, knowledge in zip(hands[place], known(player), strict=True)]
    lines.append(f"Deck size: {state.deck_size()}")
    return "\n".join([*lines, " ".join(["Discards:", *map(str, state.discard_pile())])])


VECTOR_KINDS = {
    AgentObservationType.MINIMAL: "minimal",
    AgentObservationType.CARD_KNOWLEDGE: "card-knowledge",
    AgentObservationType.SEER: "seer",
}


class ObservationEncoderType(enum.IntEnum):
    """HLE has one."""

    CANONICAL = 0


class ObservationEncoder:
    """Encodes observations of one game's rules."""

    def __init__(self, game: HanabiGame, enc_type: ObservationEncoderType = ObservationEncoderType.CANONICAL) -> None:
        self._game, self._type = game, ObservationEncoderType(enc_type)
        self._encoding = Encoding(VECTOR_KINDS[game.observation_type()])
        self._rows = self._encoding.rows(game.rules, game.rules.players)
        self._width = self._encoding.width(game.rules)
        self._bits = self._encoding.bits(game.rules)
        self._style, self._colors = self._encoding.style(), straight_colors(1)
        self._row: npt.NDArray[np.int64] | None = None  # the record whose vectors are
        self._bytes = b""

    def type(self) -> ObservationEncoderType:
        """How it encodes."""
        return self._type

    def shape(self) -> list[int]:
        """The length of a vector, in a list."""
        return [self._encoding.entries(self._game.rules)]

    def encode(self, observation: HanabiObservation) -> list[int]:
        """The vector of an observation; before all hands are dealt there is none."""
        state, place = observation._state, self._width * observation._player
        if self._row is not (row := state.shown_row()):
            self._write(state, row)
        return list(self._bytes[place : place + self._width])

    def _write(self, state: HanabiState, row: npt.NDArray[np.int64]) -> None:
        """The vectors of all players: a caller that asks for one mostly asks for the others."""
        about = self._colors, self._bits, self._style, self._rows
        write_all_vectors(as_states(row), 0, state._start, state._last, *about)
        self._row, self._bytes = row, self._rows.tobytes()
