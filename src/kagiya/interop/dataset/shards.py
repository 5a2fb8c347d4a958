"""A data set on disk: Parquet files with the same number of games each, and a card that says what they are."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya import __version__
from kagiya.engine.layout import new_states
from kagiya.engine.template import write_template
from kagiya.interop.dataset.row_kernels import ACTION, FIELDS, MASK, RETURN, REWARD, SEAT, TURN, write_rows
from kagiya.interop.dataset.sources import Played, Source
from kagiya.moves import NUM_MOVES
from kagiya.rl.bits_kernels import LAST_FIELDS
from kagiya.rl.encoding import Encoding, straight_colors
from kagiya.rl.numbering import num_uids, uid_to_move
from kagiya.rules import Rules

CARD = "dataset.json"
FORMAT = 1
SHARD_GAMES = 1_000


class DatasetError(ValueError):
    """The data set cannot be written or read."""


def need(module: str, extra: str) -> None:
    """Say in a sentence which library data sets need here."""
    if find_spec(module) is None:
        raise DatasetError(f"this needs {module}: pip install 'kagiya[{extra}]'")


def write_dataset(
    folder: Path,
    source: Source,
    encoding: Encoding | None = None,
    own_hand: bool = False,
    advance: Callable[[int], object] = lambda games: None,
) -> dict[str, Any]:
    """Write the games as shards; those that are there already, from the same card, are left as they are. The card of a
    data set of which no shard was finished is replaced."""
    need("pyarrow", "data")
    encoding = encoding or Encoding(numbers="packed")
    card = _card(source, encoding, own_hand)
    _begin(folder, card)
    writer = _Writer(source.rules, encoding, own_hand)
    for first in range(0, source.games, SHARD_GAMES):
        after = min(first + SHARD_GAMES, source.games)
        path = folder / f"games-{first:08}.parquet"
        if not path.exists():
            writer.write(path, first, list(source.played(first, after)))
        advance(after - first)
    return card


def _card(source: Source, encoding: Encoding, own_hand: bool) -> dict[str, Any]:
    rules = source.rules
    return {
        "format": FORMAT,
        "kagiya": __version__,
        "games": source.games,
        "shard games": SHARD_GAMES,
        "rules": rules.text(),
        "players": rules.players,
        "encoding": {"kind": encoding.kind, "numbers": encoding.numbers},
        "entries": encoding.entries(rules),
        "actions": num_uids(rules),
        "own hand": own_hand,
        **source.told(),
    }


def read_card(folder: Path) -> dict[str, Any]:
    """The card of a data set; a folder without one, or with one that is damaged, is refused."""
    path = folder / CARD
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DatasetError(f"{folder} is not a data set: it has no {CARD}") from None
    except (ValueError, RecursionError):
        card = None
    if not isinstance(card, dict):
        raise DatasetError(f"{path} is damaged: a data set's card is a JSON object")
    return card


def _begin(folder: Path, card: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path, is_empty = folder / CARD, not any(folder.glob("*.parquet"))
    if path.exists() and not is_empty:
        there = read_card(folder)
        if there != card:
            differing = ", ".join(key for key in {**there, **card} if there.get(key) != card.get(key))
            raise DatasetError(f"{folder} holds another data set (other {differing}); write to another folder")
    elif not is_empty:
        raise DatasetError(f"{folder} has Parquet files and no {CARD}; write to another folder")
    else:
        _replace(path, lambda part: part.write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8"))


def _replace(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside it and put it in its place, so that whoever looks finds all of it or nothing."""
    part = path.with_name(f"{path.name}.part")
    try:
        write(part)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


class _Writer:
    """Writes the games of one shard after the other, with the same arrays."""

    def __init__(self, rules: Rules, encoding: Encoding, own_hand: bool) -> None:
        self.rules, self.encoding, self.own_hand = rules, encoding, own_hand
        self.states = new_states(2)
        write_template(rules, self.states, 1)
        self.last, self.colors = np.zeros((1, LAST_FIELDS), np.int64), straight_colors(1)
        self.bits, self.style = encoding.bits(rules), encoding.style()
        self.mask = np.zeros((1, num_uids(rules)), np.int8)
        self.actions = np.full(NUM_MOVES, -1, np.int64)
        for uid in range(num_uids(rules)):
            self.actions[uid_to_move(uid, rules)] = uid

    def write(self, path: Path, first: int, games: Sequence[Played]) -> None:
        """One shard."""
        import pyarrow.parquet

        columns = self.columns(first, games)
        table = pyarrow.table(columns)
        _replace(path, lambda part: pyarrow.parquet.write_table(table, part, compression="zstd"))

    def columns(self, first: int, games: Sequence[Played]) -> dict[str, Any]:
        """The rows of these games, column by column."""
        rows = sum(len(game.moves) for game in games)
        vectors = self.encoding.rows(self.rules, rows)
        hands = np.zeros((rows, self.rules.hand_size), np.int8)
        numbers = np.zeros((rows, FIELDS), np.int64)
        row = 0
        for number, game in enumerate(games, first):
            reached = self._write_game(game, vectors, hands, numbers, row)
            if reached != game.score and game.score:
                raise DatasetError(f"game {number}: its moves lead to {reached} points, not to {game.score}")
            row += len(game.moves)
        lengths = [len(game.moves) for game in games]
        return self._as_columns(np.repeat(np.arange(first, first + len(games)), lengths), vectors, hands, numbers)

    def _write_game(
        self, game: Played, vectors: npt.NDArray[Any], hands: npt.NDArray[np.int8], numbers: npt.NDArray[Any], row: int
    ) -> int:
        deck, moves = np.array(game.deck, np.int64), np.array(game.moves, np.int64)
        outputs = (*self.encoding.as_kernels_want(vectors), hands, self.mask, numbers, row)
        arrays = (deck, moves, self.actions, self.last, self.colors, self.bits, self.style, *outputs)
        return int(write_rows(self.states, 1, *arrays))

    def _as_columns(
        self, games: npt.NDArray[Any], vectors: npt.NDArray[Any], hands: npt.NDArray[Any], numbers: npt.NDArray[Any]
    ) -> dict[str, Any]:
        import pyarrow

        small = {"turn": TURN, "seat": SEAT, "action": ACTION, "reward": REWARD, "return": RETURN}
        columns: dict[str, Any] = {"game": games}
        columns |= {name: numbers[:, field].astype(np.int16) for name, field in small.items()}
        columns["mask"] = numbers[:, MASK]
        columns["vector"] = pyarrow.FixedSizeBinaryArray.from_buffers(
            pyarrow.binary(vectors.shape[1] * vectors.itemsize), len(vectors), [None, pyarrow.py_buffer(vectors)]
        )
        if self.own_hand:
            flat = pyarrow.array(hands.ravel())
            columns["own_hand"] = pyarrow.FixedSizeListArray.from_arrays(flat, hands.shape[1])
        return columns
