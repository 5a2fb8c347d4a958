"""Data sets: Parquet files with the same number of games each, a card that says what they are, and their loader.

The games are played now, kept in a store, or read from a file. Compiled code makes their moves again and writes the
rows, vectors included. Every reader of Parquet takes the folder; ours gives numpy arrays or tensors, shard by shard.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from kagiya import __version__
from kagiya._jit import kernel
from kagiya.agents.api import Agent
from kagiya.cards import parse_cards
from kagiya.engine.batch import write_template
from kagiya.engine.game import Game
from kagiya.engine.game_kernels import apply_move, deal_hands, score
from kagiya.engine.layout import Lane, States, new_states
from kagiya.engine.memory import Words
from kagiya.engine.record import GameRecord, write_whole
from kagiya.interop.files import SkippedGames, read_games
from kagiya.lab.provenance import code_version
from kagiya.lab.store.store import Store
from kagiya.lab.table.table import Table, seat_agents
from kagiya.moves import NUM_MOVES
from kagiya.rl.bits_kernels import LAST_FIELDS, Bits, Colors, Last, forget_last_move, note_move, note_outcome
from kagiya.rl.encoding import PACKED, Encoding, straight_colors
from kagiya.rl.rl_kernels import Bytes, Floats, write_mask, write_own_hand, write_vector
from kagiya.rl.vectors import num_uids, uid_to_move
from kagiya.rules import Rules

Numbers = npt.NDArray[np.int64]  # [row, field]

# The fields of a row's numbers.
TURN, SEAT, ACTION, REWARD, RETURN = 0, 1, 2, 3, 4
FIELDS = 5


@kernel
def write_rows(
    states: States,
    template: Lane,
    deck: Words,
    moves: Words,
    actions: Words,
    last: Last,
    colors: Colors,
    words: Bits,
    style: Words,
    vectors: Bytes,
    floats: Floats,
    hands: Bytes,
    masks: Bytes,
    numbers: Numbers,
    row: int,
) -> int:
    """A row for each move of a game, from `row` on; returns its final score. `actions[m]` is HLE's number of move m."""
    states[0] = states[template]
    for place in range(len(deck)):
        states[0]["deck"][place] = deck[place]
    deal_hands(states, 0)
    forget_last_move(last, 0)
    for turn in range(len(moves)):
        at, seat, before = row + turn, states[0]["seat"], score(states, 0)
        write_vector(states, 0, seat, last, colors, words, style, vectors, floats, at)
        write_own_hand(states, 0, seat, colors, hands, at)
        write_mask(states, 0, seat, colors, masks, at)
        numbers[at, TURN], numbers[at, SEAT], numbers[at, ACTION] = turn, seat, actions[moves[turn]]
        note_move(states, 0, last, moves[turn])
        apply_move(states, 0, moves[turn])
        note_outcome(states, 0, last)
        numbers[at, REWARD] = score(states, 0) - before
    left = 0
    for turn in range(len(moves) - 1, -1, -1):
        left += numbers[row + turn, REWARD]
        numbers[row + turn, RETURN] = left
    return score(states, 0)


@dataclass(frozen=True)
class Played:
    """One game: its deck, top card first, and its moves."""

    deck: Sequence[int]
    moves: Sequence[int]
    score: int


@dataclass(frozen=True)
class FreshGames:
    """Games that agents play now, with seeds from `seed` on."""

    rules: Rules
    agents: Sequence[Agent]
    games: int
    seed: int = 1

    def played(self, first: int, after: int) -> Iterator[Played]:
        """Played when they are asked for."""
        table = Table(self.rules, self.agents)
        results, moves = table.play_with_moves(self.seed + first, after - first)
        for game, result in enumerate(results):
            deck = Game(self.rules, self.seed + first + game).deck or ()
            yield Played(deck, moves[game, : result["turns"]].tolist(), int(result["score"]))

    def told(self) -> dict[str, Any]:
        """Who played, and by which code."""
        agents = seat_agents(self.rules, self.agents)
        names, code = [agent.text for agent in agents], code_version(agents)
        return {"origin": "played", "agents": names, "first seed": self.seed, "code": code}


class StoredGames:
    """The games of a seating in a store, by their seeds."""

    def __init__(self, store: Store, seating: int) -> None:
        self.rules, self._seats = store.seated(seating)
        self._store, self._seating = store, seating
        asked = "SELECT seed FROM games_all WHERE seating = ? ORDER BY seed"
        self._seeds = [row[0] for row in store.rows(asked, [seating])]
        self.games = len(self._seeds)

    def played(self, first: int, after: int) -> Iterator[Played]:
        """Played again and checked by the store."""
        for seed in self._seeds[first:after]:
            yield _of_record(self._store.record(self._seating, seed))

    def told(self) -> dict[str, Any]:
        """Which seating it is."""
        code = self._store.catalog.seatings[self._seating]["code"]
        seeds = hashlib.sha256(repr(self._seeds).encode()).hexdigest()[:12]
        return {"origin": "stored", "agents": list(self._seats), "seating": self._seating, "code": code, "seeds": seeds}


class FileGames:
    """The games of a file; those by other rules than the first are refused, or skipped."""

    def __init__(self, path: Path, skipped: SkippedGames | None = None) -> None:
        self._skipped, self._path = skipped or SkippedGames(), path
        records = read_games(path, skipped=self._skipped)
        self.rules = records[0].rules
        self._records = self._skipped.fitting(records, self._why_not)
        self.games = len(self._records)

    def _why_not(self, record: GameRecord) -> str | None:
        what = "other rules than the first; a data set has one vector for all"
        return None if record.rules == self.rules else what

    def played(self, first: int, after: int) -> Iterator[Played]:
        """As they were read."""
        return map(_of_record, self._records[first:after])

    def told(self) -> dict[str, Any]:
        """What the file holds."""
        digest = hashlib.sha256(self._path.read_bytes()).hexdigest()[:12]
        left_out = {"left out": dict(self._skipped.reasons)} if self._skipped.reasons else {}
        return {"origin": "file", "file": self._path.name, "sha256": digest, **left_out}


# Games by number, from 0 to `games - 1`, all by the same rules; `told` is what the data set's card says of them.
GameSource = FreshGames | StoredGames | FileGames


def _of_record(record: GameRecord) -> Played:
    return Played(parse_cards(record.deck), [int(move) for move in record.moves], record.score)


CARD = "_dataset.json"  # readers of Parquet folders pass over what begins with an underscore
FORMAT = 2
BIT_ORDER: Final = "little"
SHARD_GAMES = 1_000


class DatasetError(ValueError):
    """The data set cannot be written or read."""


def need(module: str, extra: str) -> None:
    """Say in a sentence which library data sets need here."""
    if find_spec(module) is None:
        raise DatasetError(f"this needs {module}: pip install 'kagiya[{extra}]'")


def write_dataset(
    folder: str | Path,
    source: GameSource,
    encoding: Encoding | None = None,
    own_hand: bool = False,
    advance: Callable[[int], object] = lambda games: None,
) -> dict[str, Any]:
    """Write the games as shards; those that are there already, from the same card, are left as they are. The card of a
    data set of which no shard was finished is replaced."""
    need("pyarrow", "data")
    folder, encoding = Path(folder), encoding or Encoding()
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


def _card(source: GameSource, encoding: Encoding, own_hand: bool) -> dict[str, Any]:
    rules = source.rules
    return {
        "format": FORMAT,
        "kagiya": __version__,
        "games": source.games,
        "shard games": SHARD_GAMES,
        "rules": rules.text(),
        "players": rules.players,
        "encoding": {"kind": encoding.kind, "numbers": encoding.numbers}
        | ({"bit order": BIT_ORDER} if encoding.numbers == PACKED else {}),
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
        write_whole(path, (json.dumps(card, indent=1) + "\n").encode())


class _Writer:
    """Writes the games of one shard after the other, with the same arrays."""

    def __init__(self, rules: Rules, encoding: Encoding, own_hand: bool) -> None:
        self.rules, self.encoding, self.own_hand = rules, encoding, own_hand
        self.states = new_states(2)
        write_template(rules, self.states, 1)
        self.last, self.colors = np.zeros((1, LAST_FIELDS), np.int64), straight_colors(1)
        self.bits, self.style = encoding.bits(rules), encoding.style()
        self.actions = np.full(NUM_MOVES, -1, np.int64)
        for uid in range(num_uids(rules)):
            self.actions[uid_to_move(uid, rules)] = uid

    def write(self, path: Path, first: int, games: Sequence[Played]) -> None:
        """One shard."""
        import pyarrow.parquet

        content = BytesIO()
        pyarrow.parquet.write_table(pyarrow.table(self.columns(first, games)), content, compression="zstd")
        write_whole(path, content.getvalue())

    def columns(self, first: int, games: Sequence[Played]) -> dict[str, Any]:
        """The rows of these games, column by column."""
        rows = sum(len(game.moves) for game in games)
        vectors = self.encoding.rows(self.rules, rows)
        hands = np.zeros((rows, self.rules.hand_size), np.int8)
        masks = np.zeros((rows, num_uids(self.rules)), np.int8)
        numbers = np.zeros((rows, FIELDS), np.int64)
        row = 0
        for number, game in enumerate(games, first):
            reached = self._write_game(game, (*self.encoding.as_kernels_want(vectors), hands, masks, numbers, row))
            if reached != game.score and game.score:
                raise DatasetError(f"game {number}: its moves lead to {reached} points, not to {game.score}")
            row += len(game.moves)
        small = {"turn": TURN, "seat": SEAT, "reward": REWARD, "return": RETURN}
        lists = {"vector": vectors, "mask": masks.view(np.bool_)} | ({"own_hand": hands} if self.own_hand else {})
        return {
            "game": np.repeat(np.arange(first, first + len(games)), [len(game.moves) for game in games]),
            **{name: numbers[:, field].astype(np.int16) for name, field in small.items()},
            "action": numbers[:, ACTION],
            **{name: self._as_column(name, rows) for name, rows in lists.items()},
        }

    def _write_game(self, game: Played, outputs: tuple[Any, ...]) -> int:
        deck, moves = np.array(game.deck, np.int64), np.array(game.moves, np.int64)
        arrays = (deck, moves, self.actions, self.last, self.colors, self.bits, self.style)
        return int(write_rows(self.states, 1, *arrays, *outputs))

    def _as_column(self, name: str, rows: npt.NDArray[Any]) -> Any:
        """A list for each row, or bytes if they are bits."""
        import pyarrow

        if name == "vector" and self.encoding.numbers == PACKED:
            kind = pyarrow.binary(rows.shape[1])
            return pyarrow.FixedSizeBinaryArray.from_buffers(kind, len(rows), [None, pyarrow.py_buffer(rows)])
        return pyarrow.FixedSizeListArray.from_arrays(pyarrow.array(rows.ravel()), rows.shape[1])


Arrays = dict[str, npt.NDArray[Any]]


class Dataset:
    """A folder that `kagiya dataset` wrote. Iterating gives one shard after the other, a dict of arrays."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.card = read_card(self.folder)
        self.shards = sorted(self.folder.glob("games-*.parquet"))

    def __iter__(self) -> Iterator[Arrays]:
        return map(self.read, self.shards)

    def read(self, shard: Path) -> Arrays:
        """The rows of a shard, in arrays of its own; packed vectors are unpacked to a column for each entry."""
        need("pyarrow", "data")
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(shard)
        arrays = {name: _as_numpy(table[name].combine_chunks()) for name in table.column_names}
        if self.card["encoding"]["numbers"] == PACKED:
            arrays["vector"] = np.unpackbits(arrays["vector"], 1, self.card["entries"], BIT_ORDER).view(np.int8)
        return arrays

    def tensors(self) -> Iterator[dict[str, Any]]:
        """The same as PyTorch tensors."""
        need("torch", "train")
        import torch

        return ({name: torch.from_numpy(array) for name, array in arrays.items()} for arrays in self)


def _as_numpy(column: Any) -> npt.NDArray[Any]:
    """A copy, which may be written to; lists and bytes as rows."""
    import pyarrow

    if pyarrow.types.is_fixed_size_binary(column.type):
        return np.frombuffer(bytearray(column.buffers()[1]), np.uint8).reshape(len(column), -1)
    is_list = pyarrow.types.is_fixed_size_list(column.type)
    flat = np.array((column.flatten() if is_list else column).to_numpy(zero_copy_only=False))
    return flat.reshape(len(column), -1) if is_list else flat
