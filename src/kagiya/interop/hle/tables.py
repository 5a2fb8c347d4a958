"""What the dicts of all players share of one state: read from the record by one kernel, kept as dicts to be copied."""

from __future__ import annotations

from typing import Any

import numpy as np

from kagiya.cards import COLOR_LETTERS, MAX_RANKS
from kagiya.interop.hle.game import HanabiGame, Kept
from kagiya.interop.hle.pieces import HanabiCard
from kagiya.interop.hle.state import HanabiState
from kagiya.interop.hle.turn_kernels import EMPTY_SLOTS, HEIGHTS, LEGAL, TABLE_NUMBERS, look_at_table
from kagiya.rl.layout import KINDS

Dict = dict[str, Any]
Hands = list[list[Dict]]
copied = dict.copy

# By the numbers that `look_at_table` writes.
DICTS = [
    *(HanabiCard.of(card).to_dict() for card in (*range(len(COLOR_LETTERS) * MAX_RANKS), -1)),
    *({"color": color, "rank": rank} for color in (None, *COLOR_LETTERS) for rank in (None, *range(MAX_RANKS))),
]
KIND_NAMES = ("minimal", "card-knowledge", "seer")


class Table:
    """One state: its numbers, a row of cards for each player, and dicts that are to be copied."""

    __slots__ = ("discards", "fireworks", "legal", "moves", "numbers", "rows", "state")

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
        self._legal, self._fireworks = Kept(self._moves_of), Kept(self._fireworks_of)
        self._table: Table | None = None

    def table(self, state: HanabiState) -> Table:
        """What the dicts of this state share."""
        if self._table is None or self._table.state is not state:
            self._table = self._read(state)
        return self._table

    def _read(self, state: HanabiState) -> Table:
        look_at_table(state.states, 0, state._start, self._kind, self._numbers, self._rows)
        table, numbers = Table(), self._numbers.tolist()
        table.state, table.numbers, table.rows = state, numbers, self._rows.tolist()
        table.fireworks = self._fireworks[tuple(numbers[HEIGHTS:])]
        table.legal, table.moves = self._legal[numbers[LEGAL]]
        table.discards = [*map(DICTS.__getitem__, state._discards)]
        return table

    def hands(self, table: Table, player: int) -> tuple[Hands, Hands]:
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
