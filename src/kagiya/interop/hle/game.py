"""HLE's game object: the rules by its parameter names, and its numbers of moves."""

from __future__ import annotations

import enum
import random
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kagiya.engine.game import Game
from kagiya.engine.layout import new_states
from kagiya.engine.template import sorted_deck, write_template
from kagiya.interop.hle.pieces import HanabiHistoryItem, HanabiMove
from kagiya.moves import NO_MOVE, Move
from kagiya.rl.bits_kernels import LAST_FIELDS
from kagiya.rl.numbering import num_uids, their_copies, uid_to_move
from kagiya.rules import MAX_HAND, Rules
from kagiya.spec import near

if TYPE_CHECKING:
    from kagiya.interop.hle.state import HanabiState


class AgentObservationType(enum.IntEnum):
    """What a vector says of the cards."""

    MINIMAL = 0
    CARD_KNOWLEDGE = 1
    SEER = 2


DEFAULTS: dict[str, Any] = {
    "players": 2,
    "colors": 5,
    "ranks": 5,
    "hand_size": None,  # 5, or 4 with four and more players
    "max_information_tokens": 8,
    "max_life_tokens": 3,
    "seed": -1,
    "random_start_player": False,
    "observation_type": int(AgentObservationType.CARD_KNOWLEDGE),
}
MOST_KEPT = 100_000


class Kept(dict[Any, Any]):
    """What was made once is kept: `make` is called for a key that is not there. What is kept is not pickled."""

    def __init__(self, make: Callable[[Any], Any]) -> None:
        self._make = make

    def __missing__(self, key: Any) -> Any:
        made = self._make(key)
        if len(self) < MOST_KEPT:
            self[key] = made
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Kept, (self._make,)


def _slots(mask: int) -> tuple[int, ...]:
    return tuple(slot for slot in range(MAX_HAND) if mask >> slot & 1)


class HanabiGame:
    """The rules, and the dice that deal game after game; `seed` fixes that sequence (ours, not HLE's)."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self._params = {**DEFAULTS, **read_parameters(params or {})}
        if self._params["hand_size"] is None:
            self._params["hand_size"] = 5 if self._params["players"] < 4 else 4
        self.rules = Rules(
            players=self._params["players"],
            colors=self._params["colors"],
            copies=their_copies(self._params["ranks"]),
            hand_size=self._params["hand_size"],
            hint_tokens=self._params["max_information_tokens"],
            lives=self._params["max_life_tokens"],
        )
        self.moves = [
            int(uid_to_move(uid, self.rules)) for uid in range(num_uids(self.rules))
        ]  # ours, by their numbers
        self._theirs = [theirs(uid_to_move(uid, self.rules)) for uid in range(num_uids(self.rules))]
        self._numbers = {move: uid for uid, move in enumerate(self._theirs)}
        self.kind = _kind(self._params["observation_type"])
        self.items = Kept(self._item)  # of history, by what a kernel told of a move
        self._sorted = np.array(sorted_deck(self.rules))
        self.undealt, self.no_move = _undealt(self.rules), np.full((1, LAST_FIELDS), NO_MOVE)
        self.dealt_to = [player for player in range(self.rules.players) for _ in range(self.rules.hand_size)]
        self._uids = Kept(self._numbers_of)  # by mask
        seed = self._params["seed"]
        self._dice = random.Random(None if seed == -1 else seed)

    def new_initial_state(self, deck: Sequence[int] | None = None, position: Game | str | None = None) -> HanabiState:
        """A game before the deal; beyond HLE, from a given deck (our numbers, top card first) or a position."""
        from kagiya.interop.hle.state import HanabiState

        return HanabiState(self, deck=deck, position=position)

    def shuffled_deck(self) -> npt.NDArray[np.int64]:
        """The deck of the next game: sorted by dice, which is quicker than a shuffle."""
        rolled = np.frombuffer(self._dice.randbytes(8 * len(self._sorted)), np.uint64)
        return self._sorted[rolled.argsort()]

    def start_player(self) -> int:
        """Who begins the next game."""
        return self._dice.randrange(self.rules.players) if self._params["random_start_player"] else 0

    def parameter_string(self) -> str:
        """All parameters, a line each."""
        return "".join(f"{name}={_text(self._params[name])}\n" for name in reversed(DEFAULTS))

    def num_players(self) -> int:
        """How many sit at the table."""
        return self.rules.players

    def num_colors(self) -> int:
        """Colors in the game."""
        return self.rules.colors

    def num_ranks(self) -> int:
        """Ranks in the game."""
        return self.rules.ranks

    def hand_size(self) -> int:
        """Cards in a full hand."""
        return self.rules.hand_size

    def max_information_tokens(self) -> int:
        """Hint tokens at the start."""
        return self.rules.hint_tokens

    def max_life_tokens(self) -> int:
        """Lives at the start."""
        return self.rules.lives

    def observation_type(self) -> AgentObservationType:
        """What a vector says of the cards."""
        return self.kind

    def max_moves(self) -> int:
        """How many numbers of moves there are."""
        return num_uids(self.rules)

    def num_cards(self, color: int, rank: int) -> int:
        """Copies of a card."""
        return self.rules.copies[rank] if 0 <= color < self.rules.colors and 0 <= rank < self.rules.ranks else 0

    def get_move_uid(self, move: HanabiMove) -> int:
        """The number of a move; -1 for one that has none."""
        return self._numbers.get(move, -1)

    def get_move(self, move_uid: int) -> HanabiMove:
        """The move with this number."""
        if not isinstance(move_uid, int | np.integer) or not 0 <= move_uid < len(self._theirs):
            raise ValueError(f"under these rules the numbers of moves are 0-{len(self._theirs) - 1}, not {move_uid!r}")
        return self._theirs[move_uid]

    def uids(self, legal: int) -> list[int]:
        """The numbers of the moves in a mask of ours."""
        return list(self._uids[legal])

    def _numbers_of(self, legal: int) -> list[int]:
        return [uid for uid, move in enumerate(self.moves) if legal >> move & 1]

    def _item(self, key: tuple[int, ...]) -> HanabiHistoryItem:
        number, player, scored, gained, card, revealed, newly = key
        new = () if self.kind is AgentObservationType.SEER else _slots(newly)
        return HanabiHistoryItem(self._theirs[number], player, bool(scored), bool(gained), card, _slots(revealed), new)

    def number(self, move: HanabiMove) -> int:
        """The number of a move, which must have one."""
        number = self._numbers.get(move)
        if number is None:
            raise ValueError(f"{move} is not a move under these rules")
        return number

    def ours(self, move: HanabiMove) -> int:
        """The number of our move for theirs."""
        return self.moves[self.number(move)]


def _undealt(rules: Rules) -> npt.NDArray[np.int64]:
    """A game before the deal, as a row of words."""
    states = new_states(1)
    write_template(rules, states, 0)
    return states.view(np.int64)


def theirs(move: Move) -> HanabiMove:
    """Our move as theirs."""
    if move.slot is not None:
        return HanabiMove.get_play_move(move.slot) if move.is_play else HanabiMove.get_discard_move(move.slot)
    assert move.offset is not None
    if move.color is not None:
        return HanabiMove.get_reveal_color_move(move.offset, move.color)
    assert move.rank is not None
    return HanabiMove.get_reveal_rank_move(move.offset, move.rank)


def read_parameters(params: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters with their types; HLE ignores an unknown name, here it is refused with the nearest."""
    read: dict[str, Any] = {}
    for name, value in params.items():
        if name not in DEFAULTS:
            raise ValueError(f"{name!r} is not a parameter of the game: {near(str(name), DEFAULTS)}")
        read[name] = _truth(value) if name == "random_start_player" else _whole(name, value)
    return read


def _whole(name: str, value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be an integer, not {value!r}") from None
    if number != value and str(number) != str(value):
        raise ValueError(f"{name} must be an integer, not {value!r}")
    return number


def _kind(number: int) -> AgentObservationType:
    if number not in list(AgentObservationType):
        raise ValueError(f"observation_type is 0 (minimal), 1 (card knowledge) or 2 (seer), not {number}")
    return AgentObservationType(number)


def _truth(value: Any) -> bool:
    if str(value).lower() not in ("0", "1", "true", "false"):
        raise ValueError(f"random_start_player is true or false, not {value!r}")
    return str(value).lower() in ("1", "true")


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
