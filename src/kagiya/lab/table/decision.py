"""Decisions: one seat of a table is asked for its move, compiled or not, and says why; what the others hear in it.

Each seat hears a move by its own agent's convention and from its own view.

Reasons are templates that agents declare: ``tells {receiver} that {playable}`` becomes ``tells bob that slot 1 is R5``.
The fields are read from the move and the position before it, or from words of the agent's memory; `FIELDS` lists them.
A reason that is the name of a tactic is followed by what the tactic did. For the eyes of one seat, a hint to that seat
is told as it was given, and words of memory, which may be cards, are not told at all.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.convention_reader import BEFORE, SEEN_AFTER, SEEN_BEFORE, SEEN_LITERALLY, Heard, Scene
from kagiya.cards import COLOR_NAMES, MAX_KINDS, SEAT_NAMES, Card, Seat, Slot, card_name, mask_cards
from kagiya.engine.game_kernels import apply_move, is_legal, touched_slots
from kagiya.engine.layout import GAME, REASON, Memory, Params, States, new_states
from kagiya.engine.sentences import slots_text
from kagiya.moves import MOVES, Move, move_name
from kagiya.spec import near
from kagiya.view.view_kernels import censor, critical_kinds, possible_kinds

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table
    from kagiya.search.explanation import Explanation


# What a template may name, and what it stands for.
FIELDS = {
    "does": "the move itself: plays slot 2, tells bob that slot 1 is R5",
    "receiver": "who gets the hint",
    "touched": "what the hint is about: slot 1 is R5",
    "playable": "the same, of the touched cards those that fit now",
    "useless": "the same, those that can never score",
    "critical": "the same, those that are the last copies of cards still needed",
    "slot": "the slot played or discarded, and what its owner knows it to be: slot 2 (R3)",
    "card[n]": "word n of the agent's memory as a card: R5",
    "seat[n]": "the same as a seat: bob",
    "place[n]": "the same as a slot: slot 1",
    "number[n]": "the same as a number",
}
TACTIC = re.compile(r"[a-z]+(-[a-z]+)+(\(.*\))?")
OF_CARDS = ("{touched}", "{playable}", "{useless}", "{critical}")
OF_MEMORY = re.compile(r"\{(card|seat|place|number)\[")
MAX_NAMED = 2  # cards or kinds that are named one by one


class ReasonError(ValueError):
    """A template that cannot be filled."""


class HintPurpose(Enum):
    """What a hint that means what it says is for, and how that is said."""

    PLAY = ", to be played"  # a card fits, and its owner did not know
    FIX = ", not to be played"  # a card that its owner was told of seemed to fit, and does not
    SAVE = ", to be kept"  # the last copy of a card still needed
    STALL = ", to pass the turn"


def fill(template: str, states: States, lane: int, move: int, memory: Sequence[int], eyes: Seat | None = None) -> str:
    """The reason for a move that is about to be made in this lane; `memory` is the row of the seat to act.

    With `eyes`, in words that show that seat none of its hidden cards; empty if there are none.
    """
    if eyes is not None and OF_MEMORY.search(template):
        return ""
    fields = _Fields(states, lane, MOVES[move], memory, eyes)
    if not template:
        return fields.does
    if TACTIC.fullmatch(template):
        return f"{template}: {fields.by_tactic(template)}"
    try:
        return template.format_map(fields)
    except (ValueError, IndexError, KeyError, AttributeError, TypeError) as error:
        raise ReasonError(f"its reason {template!r} cannot be filled: {error}") from None


def purpose(template: str, states: States, lane: int, move: int, eyes: Seat | None = None) -> str:
    """What follows where an agent says of a hint no more than what it tells: what the hint is for."""
    says_no_more = not template or TACTIC.fullmatch(template) or template.endswith(OF_CARDS)
    found = _Fields(states, lane, MOVES[move], (), eyes).purpose() if says_no_more else None
    return found.value if found else ""


class _Fields(dict[str, Any]):
    """The fields of one move, worked out as they are asked for."""

    def __init__(self, states: States, lane: int, move: Move, memory: Sequence[int], eyes: Seat | None) -> None:
        self.eyes = eyes
        self.states, self.lane, self.move, self.state = states, lane, move, states[lane]
        self.seat = Seat(int(self.state["seat"]))
        self.owner = Seat((self.seat + (move.offset or 0)) % int(self.state["players"]))
        words: dict[str, Callable[[int], str]] = {"card": _card, "seat": _seat, "place": _place, "number": str}
        super().__init__({name: _Words(memory, show) for name, show in words.items()})

    def __missing__(self, name: str) -> str:
        if name not in FIELDS:
            raise ReasonError(f"there is no field {name!r}; {near(name, FIELDS)}")
        return str(getattr(self, name))

    @property
    def does(self) -> str:
        if self.move.is_hint:
            return f"tells {self.receiver} that {self.touched}"
        return f"{'plays' if self.move.is_play else 'discards'} {self.slot}"

    def by_tactic(self, name: str) -> str:
        """What a tactic did, the cards chosen that its name speaks of."""
        if not self.move.is_hint:
            return self.does
        told = self.playable if "playable" in name else self.useless if "dispensable" in name else self.touched
        return f"tells {self.receiver} that {told}"

    @property
    def receiver(self) -> str:
        return SEAT_NAMES[self.owner] if self.move.is_hint else "nobody"

    @property
    def touched(self) -> str:
        return self._told((1 << MAX_KINDS) - 1)

    @property
    def playable(self) -> str:
        return self._told(int(self.state["playable"]))

    @property
    def useless(self) -> str:
        return self._told(int(self.state["useless"]))

    @property
    def critical(self) -> str:
        return self._told(int(critical_kinds(self.states, self.lane)))

    def purpose(self) -> HintPurpose | None:
        """What a hint is for; None if it is none, or given to the eyes, which do not see the cards."""
        if not self.move.is_hint or self.owner == self.eyes:
            return None
        touched = [slot for slot in range(int(self.state["hand_size"])) if self._touched() >> slot & 1]
        playable, critical = int(self.state["playable"]), int(critical_kinds(self.states, self.lane))
        was, now = self._known(self.states[self.lane]), self._known(self._after())
        told = self.state["told"][self.owner]
        fits = [playable >> self._card(Slot(slot)) & 1 for slot in touched]
        if any(fit and was[slot] & ~playable for slot, fit in zip(touched, fits, strict=True)):
            return HintPurpose.PLAY
        if any(told[slot] and was[slot] & playable and not now[slot] & playable for slot in touched):
            return HintPurpose.FIX
        if any(critical >> self._card(Slot(slot)) & 1 and not told[slot] for slot in touched):
            return HintPurpose.SAVE
        return HintPurpose.STALL

    def _known(self, state: Any) -> list[int]:
        """By slot of the receiver, the kinds that hints leave."""
        return [int(kinds) for kinds in state["possible"][self.owner]]

    def _after(self) -> Any:
        """The position after the move."""
        lanes = new_states(1)
        lanes[0] = self.state
        apply_move(lanes, 0, int(self.move))
        return lanes[0]

    def _touched(self) -> int:
        return int(touched_slots(self.states, self.lane, int(self.move)))  # type: ignore[arg-type]

    def _told(self, kinds: int) -> str:
        """The touched cards of these kinds; all of them if there is none, for a hint may mean something else."""
        if not self.move.is_hint:
            return "nothing"
        touched = self._touched()
        slots = [Slot(slot) for slot in range(int(self.state["hand_size"])) if touched >> slot & 1]
        if slots and self.owner == self.eyes:
            return self._as_given(slots)
        meant = [slot for slot in slots if kinds >> self._card(slot) & 1] or slots
        if not meant:
            return f"no card is {self._hint()}"
        if len(meant) > MAX_NAMED:
            return self._as_given(meant)
        return " and ".join(f"slot {slot + 1} is {card_name(self._card(slot))}" for slot in meant)

    def _as_given(self, slots: Sequence[Slot]) -> str:
        """What the hint itself says of these slots."""
        if len(slots) > 1:
            return f"{slots_text(slots)} are {self._hint()}"
        one = self._hint() if self.move.color is not None else f"a {self._hint()[0]}"
        return f"slot {slots[0] + 1} is {one}"

    def _card(self, slot: Slot) -> Card:
        return Card(int(self.state["hands"][self.owner, slot]))

    def _hint(self) -> str:
        return COLOR_NAMES[self.move.color] if self.move.color is not None else f"{(self.move.rank or 0) + 1}s"

    @property
    def slot(self) -> str:
        slot = self.move.slot
        if slot is None:
            return "no slot"
        kinds = list(mask_cards(self._possible(slot)))
        known = f" ({' or '.join(map(card_name, kinds))})" if 0 < len(kinds) <= MAX_NAMED else ""
        return f"slot {slot + 1}{known}"

    def _possible(self, slot: Slot) -> int:
        """What the player knows of its card; for eyes only what the hints say, not what it sees in their hand."""
        if self.eyes is not None:
            return int(self.state["possible"][self.seat, slot])
        return int(possible_kinds(self.states, self.lane, self.seat, self.seat, slot))


class _Words:
    """Words of memory, shown as something."""

    def __init__(self, memory: Sequence[int], show: Callable[[int], str]) -> None:
        self.memory, self.show = memory, show

    def __getitem__(self, word: int) -> str:
        if not isinstance(word, int) or not 0 <= word < len(self.memory):
            raise ReasonError(f"there is no word {word} in a memory of {len(self.memory)}")
        return self.show(int(self.memory[word]))


def _card(word: int) -> str:
    return card_name(Card(word)) if -2 <= word < MAX_KINDS else f"card {word}"


def _seat(word: int) -> str:
    return SEAT_NAMES[word] if 0 <= word < len(SEAT_NAMES) else f"seat {word}"


def _place(word: int) -> str:
    return f"slot {word + 1}"


LANES = 4


def hear_move(states: States, memory: Memory, params: Params, agents: Sequence[Agent], move: int) -> tuple[Heard, ...]:
    """What the seats hear whose agents can tell; nothing if the move is not legal."""
    if not any(agent.hooks.convention_reader for agent in agents):
        return ()
    if not is_legal(states, GAME, move):
        return ()
    found = (hear_as(states, memory, params, agent, Seat(seat), move) for seat, agent in enumerate(agents))
    return tuple(heard for heard in found if heard is not None)


def hear_as(states: States, memory: Memory, params: Params, agent: Agent, seat: Seat, move: int) -> Heard | None:
    """What one seat hears, on copies of the arrays."""
    reader = agent.hooks.convention_reader
    if reader is None or agent.compiled.observe is None:
        return None
    lanes, memories = new_states(LANES), np.repeat(memory[GAME : GAME + 1], LANES, axis=0)
    lanes[BEFORE] = states[GAME]
    agent.compiled.observe(lanes, BEFORE, seat, memories, params, move)
    memories[SEEN_AFTER], memories[BEFORE] = memories[BEFORE], memories[SEEN_BEFORE]
    censor(lanes, BEFORE, SEEN_BEFORE, seat)
    lanes[SEEN_LITERALLY] = lanes[BEFORE]
    if MOVES[move].is_hint:  # the words of a hint count; what a discard shows is not what it says
        apply_move(lanes, SEEN_LITERALLY, move)
    censor(lanes, SEEN_LITERALLY, SEEN_LITERALLY, seat)
    lanes[SEEN_AFTER] = lanes[SEEN_LITERALLY]
    return reader.read(Scene(lanes, memories, params, seat, move))


@dataclass(frozen=True)
class Decision:
    """What an agent decided to do, and why."""

    seat: Seat
    players: int
    turn: int
    agent: str  # as written
    move: Move
    words: str  # why, in a sentence; empty if the agent gives no reason
    seconds: float
    explanation: Explanation | None = None  # what a search found; None for other agents
    heard: tuple[Heard, ...] = ()  # what the seats hear in the move by their conventions
    is_stopped: bool = False  # whether a search was told to answer before its budget was used up

    def __str__(self) -> str:
        """``alice would play 1: it fits``."""
        why = f": {self.words}" if self.words else ""
        return f"{SEAT_NAMES[self.seat]} would {move_name(int(self.move), self.seat, self.players)}{why}"

    def to_json(self) -> dict[str, Any]:
        """Plain data; the move is written as in the record of a game."""
        explanation = None if self.explanation is None else self.explanation.to_json()
        heard = [each.to_json() for each in self.heard]
        told = {"seat": int(self.seat), "move": str(self.move), "explanation": explanation, "heard": heard}
        return {**vars(self), **told}


def decide_at(
    table: Table, seed: int, eyes: Seat | None = None, is_stopped: Callable[[], bool] = lambda: False
) -> Decision:
    """The decision of the seat to act, which is not carried out; an illegal move is an `AgentError`.

    Whether it was told to answer at once is asked when it has.
    """
    started, position = time.perf_counter(), table.states[GAME]
    move, reason = answer(table, seed, eyes)
    seconds = time.perf_counter() - started
    table.check_memory()
    if not is_legal(table.states, GAME, move):
        raise table.error(seed, table.why_illegal(move))
    seat = Seat(int(position["seat"]))
    return Decision(
        seat=seat,
        players=table.rules.players,
        turn=int(position["turn"]),
        agent=table.agents[seat].text,
        move=MOVES[move],
        words=str(reason),
        seconds=seconds,
        explanation=None if isinstance(reason, str) else reason,
        heard=hear_move(table.states, table.memory, table.params, table.agents, move),
        is_stopped=is_stopped(),
    )


def answer(table: Table, seed: int, eyes: Seat | None = None) -> tuple[int, Any]:
    """The move of the seat to act, legal or not, and why: words, or a search's explanation.

    With `eyes`, words that show that seat none of its hidden cards; a Python agent's may, so there are none.
    """
    seat = int(table.states[GAME]["seat"])
    agent, player = table.agents[seat], table.players[seat]
    if player is not None:
        move = table.ask_python_seat(table.log, seed)
        return move, str(getattr(player, "reason", "")) if eyes is None else ""
    started, workspace, dice = time.perf_counter(), table.workspaces[seat], table.rng.copy()
    move = act(table, agent, seat, seed)
    if workspace is not None:
        return move, workspace.explain(time.perf_counter() - started)
    if agent.hooks.explain_move is not None and eyes is None:
        asked = table.states, GAME, seat, table.memory, table.params, dice
        template, other = agent.hooks.explain_move(move, asked)
        told = "" if other is None else fill("", table.states, GAME, other, ())
        return move, fill(template.replace("{other}", told), table.states, GAME, move, ())
    try:
        return move, reason_of(agent, table.states, table.memory, move, eyes)
    except ReasonError as error:
        raise table.error(seed, str(error)) from None


def act(table: Table, agent: Agent, seat: int, seed: int) -> int:
    """The move of a compiled agent; what its kernel raises is the agent's error."""
    try:
        return int(agent.compiled.act(table.states, GAME, seat, table.memory, table.params, table.rng))
    except (IndexError, ArithmeticError, ValueError) as error:
        raise table.error(seed, f"raised {type(error).__name__}: {error}") from error


def reason_of(agent: Agent, states: States, memory: Memory, move: int, eyes: Seat | None = None) -> str:
    """The reason that the compiled agent to act has left for its move, filled in; what it does, if it gives none."""
    seat = int(states[GAME]["seat"])
    row, count = memory[GAME, seat, : agent.memory_words].tolist(), len(agent.reasons)
    if count and not 0 <= row[REASON] < count:
        number = row[REASON]
        raise ReasonError(f"left {number} in memory[i, seat, 0] as its reason, but declares {count}, 0 to {count - 1}")
    if not is_legal(states, GAME, move):
        return ""
    template = agent.reasons[row[REASON]] if count else ""
    is_coded = agent.hooks.convention_reader is not None  # its hints are not about what they name
    return fill(template, states, GAME, move, row, eyes) + (
        "" if is_coded else purpose(template, states, GAME, move, eyes)
    )
