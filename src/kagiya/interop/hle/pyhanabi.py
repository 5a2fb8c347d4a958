"""A drop-in for HLE's `pyhanabi`: the same names, on our table. Nothing here can end the interpreter."""

from __future__ import annotations

from typing import Any

from kagiya.interop.hle.cards_and_moves import (
    CHANCE_PLAYER_ID,
    COLOR_CHAR,
    HanabiCard,
    HanabiCardKnowledge,
    HanabiHistoryItem,
    HanabiMove,
    HanabiMoveType,
    color_char_to_idx,
    color_idx_to_char,
)
from kagiya.interop.hle.hle_observation import HanabiObservation, ObservationEncoder, ObservationEncoderType
from kagiya.interop.hle.hle_state import AgentObservationType, HanabiEndOfGameType, HanabiGame, HanabiState

__all__ = [
    "CHANCE_PLAYER_ID",
    "COLOR_CHAR",
    "AgentObservationType",
    "HanabiCard",
    "HanabiCardKnowledge",
    "HanabiEndOfGameType",
    "HanabiGame",
    "HanabiHistoryItem",
    "HanabiMove",
    "HanabiMoveType",
    "HanabiObservation",
    "HanabiState",
    "ObservationEncoder",
    "ObservationEncoderType",
    "cdef_loaded",
    "color_char_to_idx",
    "color_idx_to_char",
    "lib_loaded",
    "try_cdef",
    "try_load",
]


def try_load(*args: Any, **options: Any) -> bool:
    """HLE reads a header and loads its library here; there is none, so it always is loaded."""
    return True


try_cdef = cdef_loaded = lib_loaded = try_load


def __getattr__(name: str) -> Any:
    raise AttributeError(f"Kagiya's pyhanabi does not offer {name!r}; it has {', '.join(__all__)}")
