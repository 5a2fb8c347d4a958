"""HLE's encoder: an observation as a list of zeros and ones."""

from __future__ import annotations

import enum

import numpy as np
import numpy.typing as npt

from kagiya.interop.hle.game import AgentObservationType, HanabiGame
from kagiya.interop.hle.observation import HanabiObservation
from kagiya.interop.hle.state import HanabiState, as_states
from kagiya.interop.hle.turn_kernels import write_all_vectors
from kagiya.rl.encoding import Encoding, straight_colors

KINDS = {
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
        self._encoding = Encoding(KINDS[game.observation_type()])
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
        """The vectors of all players: mostly whoever asks for one asks for the others."""
        about = self._colors, self._bits, self._style, self._rows
        write_all_vectors(as_states(row), 0, state._start, state._last, *about)
        self._row, self._bytes = row, self._rows.tobytes()
