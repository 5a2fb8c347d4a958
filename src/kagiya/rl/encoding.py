"""What a vector says and in which numbers: chosen once, then written for any seat of any state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.cards import MAX_COLORS, NO_CARD, NO_MOVE, Seat, card_color, card_rank
from kagiya.engine.game import Event, Game
from kagiya.rl.bits_kernels import ACTOR, CARD, GAINED, LAST_FIELDS, MOVE, SCORED, TOUCHED, WORD_BITS, Colors, Last
from kagiya.rl.rl_kernels import AS_BITS, AS_BYTES, AS_FLOATS, write_mask, write_vector
from kagiya.rl.vectors import KINDS, VectorPart, num_uids, parts, vector_size
from kagiya.rules import DrawnCard, Rules, RulesError
from kagiya.spec import near
from kagiya.view.observation import Observation

PACKED = "packed"
NUMBERS: dict[str, Any] = {"int8": np.int8, "float32": np.float32, PACKED: np.uint8}
STYLES = {"int8": AS_BYTES, "float32": AS_FLOATS, PACKED: AS_BITS}


@dataclass(frozen=True)
class Encoding:
    """How a seat's view becomes a vector.

    `kind` is "minimal", "card-knowledge", "seer" (the Hanabi Learning Environment's three) or "belief" (JaxMARL's), or
    "none" for steps that write no vectors;
    `numbers` is "int8", "float32" or "packed" (eight bits in a byte); `own_hand` puts the observer's cards first
    among the hands, for a critic that sees everything; `no_op` gives masks a last place for the seats that
    are not to move.
    """

    kind: str = "card-knowledge"
    numbers: str = "int8"
    own_hand: bool = False
    no_op: bool = False

    def __post_init__(self) -> None:
        _check_name("kind of vector", self.kind, KINDS)
        _check_name("number type", self.numbers, NUMBERS)
        if self.kind == "belief" and self.numbers != "float32":
            raise ValueError("the belief vector holds chances: ask for numbers='float32'")

    @property
    def dtype(self) -> Any:
        """The type of a vector's entries."""
        return NUMBERS[self.numbers]

    def entries(self, rules: Rules) -> int:
        """How many entries a vector has under these rules; rules that have no vector are refused."""
        if rules.drawn_card is not DrawnCard.END:
            raise RulesError("vectors list a hand from the oldest card on; these rules put a drawn card elsewhere")
        return vector_size(rules, KINDS[self.kind], self.own_hand)

    def width(self, rules: Rules) -> int:
        """How many numbers a vector has: its entries, or the bytes they are packed in."""
        entries = self.entries(rules)
        return -(-entries // 8) if self.numbers == PACKED else entries

    def moves(self, rules: Rules) -> int:
        """How many numbers of moves there are, the no-op counted if there is one."""
        return num_uids(rules) + self.no_op

    def parts(self, rules: Rules) -> list[VectorPart]:
        """What stands where in a vector."""
        return parts(rules, KINDS[self.kind], self.own_hand)

    def style(self) -> npt.NDArray[np.int64]:
        """The same as kernels know it."""
        return np.array([KINDS[self.kind], self.own_hand, STYLES[self.numbers]], np.int64)

    def bits(self, rules: Rules) -> npt.NDArray[np.int64]:
        """Room for a vector as bits; a write may touch one word beyond the last."""
        return np.zeros((1, self.entries(rules) // WORD_BITS + 2), np.int64)

    def rows(self, rules: Rules, rows: int) -> npt.NDArray[Any]:
        """Room for `rows` vectors."""
        return np.zeros((rows, self.width(rules)), self.dtype)

    def as_kernels_want(self, rows: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        """The rows as bytes and as floats, one of the two being empty: a kernel has one type for each array."""
        if self.numbers == "float32":
            return np.zeros((0, 0), np.int8), rows
        return rows.view(np.int8), np.zeros((0, 0), np.float32)

    def encode(self, seen: Observation | Game, seat: int | None = None) -> npt.NDArray[Any]:
        """The vector of an observation, or of any seat of a game: the one to move unless another is named."""
        if self.own_hand and isinstance(seen, Observation):
            raise ValueError("an observation does not hold the observer's hand; encode a Game, or take own_hand=False")
        if self.kind == "seer" and isinstance(seen, Observation):
            raise ValueError("an observation does not hold what a seer sees; encode a Game")
        observer = seen.seat if seat is None else seat
        if not 0 <= observer < seen.rules.players or (isinstance(seen, Observation) and observer != seen.seat):
            raise ValueError(f"seat {observer} has no vector here; there are {seen.rules.players} players")
        rows, bits = self.rows(seen.rules, 1), self.bits(seen.rules)
        last, colors = last_move(seen), straight_colors(1)
        write_vector(seen.states, 0, Seat(observer), last, colors, bits, self.style(), *self.as_kernels_want(rows), 0)
        return rows[0]

    def mask(self, seen: Observation | Game) -> npt.NDArray[np.bool_]:
        """Which moves are legal for the seat to move, by the numbers of moves."""
        out = np.zeros((1, self.moves(seen.rules)), np.int8)
        write_mask(seen.states, 0, Seat(seen.seat), straight_colors(1), out, 0)
        return out[0].view(np.bool_)


def straight_colors(lanes: int) -> Colors:
    """Every color at its own place."""
    return np.tile(np.arange(MAX_COLORS, dtype=np.int64), (lanes, 1))


def last_move(seen: Observation | Game) -> Last:
    """The last move of a story, as the kernels keep it; none if the story begins here."""
    last = np.zeros((1, LAST_FIELDS), np.int64)
    last[0, MOVE] = NO_MOVE
    events = seen.history if isinstance(seen, Observation) else seen.events
    if events:
        event = events[-1]
        last[0, MOVE], last[0, ACTOR] = event.move, event.seat
        last[0, TOUCHED] = sum(1 << slot for slot in event.touched)
        last[0, CARD] = NO_CARD if event.card is None else event.card
        *_, (scored, gained) = outcomes(seen, events)
        last[0, SCORED], last[0, GAINED] = scored, gained and event.move.is_play
    return last


def outcomes(seen: Observation | Game, events: Sequence[Event]) -> Iterator[tuple[bool, bool]]:
    """Of each move whether it scored a card, and whether it gave a token back: the story told once more.

    A game that was set up from a position is told from there; an observation of it does not hold that position, and
    counts from empty fireworks.
    """
    rules, first = seen.rules, getattr(seen, "_first_states", None)
    heights = [0] * MAX_COLORS if first is None else first[0]["fireworks"].tolist()
    tokens = rules.hint_tokens if first is None else int(first[0]["tokens"])
    for event in events:
        before, scored = tokens, False
        if event.card is None:
            tokens -= 1
        elif not event.move.is_play:
            tokens = min(tokens + 1, rules.hint_tokens)
        elif heights[card_color(event.card)] == card_rank(event.card):
            scored, heights[card_color(event.card)] = True, card_rank(event.card) + 1
            is_finished = card_rank(event.card) == rules.ranks - 1
            tokens += is_finished and rules.token_for_five and tokens < rules.hint_tokens
        yield scored, tokens > before


def _check_name(what: str, name: str, known: Iterable[str]) -> None:
    if name not in known:
        raise ValueError(f"{name!r} is not a {what}: {near(str(name), known)}")
