"""The inspection of a user's compiled agent before its first game counts; what passed is remembered by its code.

One game is played slowly: every seat has arrays of its own, exactly as wide as its agent declares, and a user's kernels
check every index. After each call nothing but the seat's own words of memory and its own dice may have changed. Then a
few games with the hidden cards dealt again at every turn, which must not change a move, nor what the agent remembers,
nor what a search thought.
"""

from __future__ import annotations

import hashlib
import inspect
import random
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kagiya._jit import cache_root, compile_kernel, interpreted, with_bounds_checks
from kagiya._jit.cache import stamp
from kagiya.agents.api import Agent, AgentType, CompiledAgent
from kagiya.agents.register import is_users_own
from kagiya.cards import MAX_HAND, MAX_PLAYERS, NO_MOVE, SEAT_NAMES, Seat
from kagiya.engine.batch import ACT, OBSERVE, PYTHON_TO_MOVE, write_template
from kagiya.engine.game_kernels import apply_move, deal, is_legal, is_over
from kagiya.engine.layout import GAME, LANES, SEEN, STATE, TEMPLATE, States, new_states, new_streams
from kagiya.engine.memory import CANARY
from kagiya.lab.table.decision import ReasonError, reason_of
from kagiya.lab.table.determinization import deal_hidden, own_kinds
from kagiya.moves import NUM_MOVES, move_name
from kagiya.rules import Rules
from kagiya.runtime.timeouts import KernelWatch, NoAnswerError
from kagiya.search.deals.hand_list import HandList
from kagiya.search.search_layout import SEARCH
from kagiya.search.workspace import SearchWorkspace
from kagiya.view.view_kernels import censor

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table


MARGIN = 4096  # words before and behind the memory that must stay as they are
MAX_ADVISED_WORDS = 10_000  # a larger index is a mistake in itself
OUT_OF_BOUNDS = re.compile(r"index (-?\d+) is out of bounds for axis \d+ with size (\d+)")

Words = npt.NDArray[Any]


class OutOfBoundsError(Exception):
    """An agent read or wrote where it may not; says what and where."""


@dataclass(frozen=True)
class Inspection:
    """How closely to look, and who is waiting."""

    watch: KernelWatch
    with_ours: bool = False  # whether indices are checked in the kernels of ours too that a user's agent calls


class Snapshot(NamedTuple):
    """All arrays that an agent is handed, as they were."""

    memory: Words  # margins included
    params: Words
    rng: Words
    states: Words


class InspectedSeat:
    """One agent in its seat. What it may write: its own row of memory and its own dice, in the lane of the game."""

    def __init__(self, agent: Agent, seat: int, states: States, rng: Words, how: Inspection) -> None:
        self.agent, self.seat, self.states, self.rng, self.watch = agent, seat, states, rng, how.watch
        self.words, self.params = agent.memory_words, np.zeros((MAX_PLAYERS, len(agent.parameters)))
        self.params[seat] = agent.parameters
        self._memory = np.full(LANES * MAX_PLAYERS * self.words + 2 * MARGIN, CANARY, np.int64)
        self.memory = self._memory[MARGIN : len(self._memory) - MARGIN].reshape(LANES, MAX_PLAYERS, self.words)
        self.memory[GAME, seat] = 0
        self._checked = _checked_kernels(agent.compiled, how.with_ours)

    def act(self) -> int:
        """The agent's move."""
        move = int(self._call(self.agent.compiled.act, GAME, self.rng))
        try:
            reason_of(self.agent, self.states, self.memory, move)
        except ReasonError as error:
            raise OutOfBoundsError(str(error)) from None
        return move

    def observe(self, move: int) -> None:
        """Tell the agent of a move; a `believe` is told in a lane where it may write."""
        if self.agent.compiled.observe is not None:
            self._call(self.agent.compiled.observe, GAME, move)
        if self.agent.hooks.believe is not None:
            self.states[SEEN] = self.states[GAME]
            self.memory[SEEN, self.seat] = self.memory[GAME, self.seat]
            self._call(self.agent.hooks.believe, SEEN, move)

    def _call(self, kernel: Callable[..., Any], lane: Any, last: Any) -> Any:
        arguments = (self.states, lane, self.seat, self.memory, self.params, last)
        before = self._snapshot()
        turn = int(self.states[GAME]["turn"])
        try:
            with self.watch.calling(self.seat, turn, kernel.__name__):
                result = self._checked[kernel](*arguments)
        except IndexError:
            self._restore(before)
            raise OutOfBoundsError(self._out_of_bounds(kernel, arguments)) from None
        self._compare(before, lane)
        return result

    def _snapshot(self) -> Snapshot:
        return Snapshot(self._memory.copy(), self.params.copy(), self.rng.copy(), self.states.copy())

    def _restore(self, before: Snapshot) -> None:
        self._memory[:], self.params[:], self.rng[:], self.states[:] = before

    def _compare(self, before: Snapshot, lane: Any) -> None:
        rows, changed = before.memory[MARGIN : MARGIN + self.memory.size].reshape(self.memory.shape), self._snapshot()
        rows[lane, self.seat] = self.memory[lane, self.seat]
        before.rng[lane, 1 + self.seat] = self.rng[lane, 1 + self.seat]
        if lane == SEEN:
            before.states[SEEN] = self.states[SEEN]
        if not np.array_equal(before.memory, changed.memory):
            raise OutOfBoundsError(self._foreign_memory(np.flatnonzero(before.memory != changed.memory)))
        if before.params.tobytes() != changed.params.tobytes():
            raise OutOfBoundsError(
                "changed params, which are fixed; what an agent remembers belongs in memory[i, seat]"
            )
        if not np.array_equal(before.rng, changed.rng):
            raise OutOfBoundsError("rolled dice that are not its own; its stream is rng[i, 1 + seat]")
        if before.states.tobytes() != changed.states.tobytes():
            raise OutOfBoundsError(f"changed the game itself: {_changed_fields(before.states, changed.states)}")

    def _foreign_memory(self, places: npt.NDArray[np.intp]) -> str:
        value, inside = self._memory[places[0]], int(places[0]) - MARGIN
        if not 0 <= inside < self.memory.size:
            return f"wrote {value} outside all memory; it declares memory_words={self.words}"
        lane, seat, word = (int(part) for part in np.unravel_index(inside, self.memory.shape))
        whose = SEAT_NAMES[seat] if lane == GAME else "another lane"
        return f"wrote {value} to memory[{lane}, {seat}, {word}], which belongs to {whose}; its own is memory[i, seat]"

    def _out_of_bounds(self, kernel: Callable[..., Any], arguments: tuple[Any, ...]) -> str:
        """Which line it was: interpreted, the same call says so, unless it depends on how machine integers overflow."""
        try:
            interpreted(kernel)(*arguments)
        except IndexError as error:
            frame = _users_frame(traceback.extract_tb(error.__traceback__), kernel)
            where = f"{Path(frame.filename).name}, line {frame.lineno}: `{frame.line}`: {error}"
            return f"{where}{self._advice(str(error), frame.line or '')}"
        except Exception as error:  # whatever the interpreter makes of a kernel; the index was wrong all the same
            return f"used an index out of bounds ({error}); it declares memory_words={self.words}"
        return f"used an index out of bounds; it declares memory_words={self.words}"

    def _advice(self, message: str, line: str) -> str:
        """What to declare, where the array may be its memory; nothing about memory where it is not."""
        declared, is_memory = f"; it declares memory_words={self.words}", "memory[" in line
        found = OUT_OF_BOUNDS.search(message)
        if not found or int(found[2]) != self.words or not self.words <= int(found[1]) < MAX_ADVISED_WORDS:
            return declared if is_memory else ""
        condition = "" if is_memory else "if this is its memory, "
        return f"{declared}; {condition}declare memory_words={int(found[1]) + 1} or more in its AgentInfo"


def _users_frame(frames: list[traceback.FrameSummary], kernel: Any) -> traceback.FrameSummary:
    """The innermost line of the agent's own file, or of any if it has none."""
    own = inspect.unwrap(getattr(kernel, "py_func", kernel)).__code__.co_filename
    return next((frame for frame in reversed(frames) if frame.filename == own), frames[-1])


def _checked_kernels(kind: CompiledAgent, with_ours: bool) -> dict[Callable[..., Any], Callable[..., Any]]:
    """The kernels of a user's agent with their indices checked, compiled; those of an agent of ours as they are."""
    signatures = {kind.act: ACT, kind.observe: OBSERVE, kind.hooks.believe: OBSERVE}
    kernels = {kernel: signature for kernel, signature in signatures.items() if kernel is not None}
    if not is_users_own(kind):
        return {kernel: kernel for kernel in kernels}
    # Compiled ahead, so that the time of a call is not that of the compiler.
    return {kernel: compile_kernel(with_bounds_checks(kernel, with_ours), s) for kernel, s in kernels.items()}


def _changed_fields(before: States, after: States) -> str:
    assert STATE.names is not None
    names = [name for name in STATE.names if not np.array_equal(before[name], after[name])]
    return f"states[i][{names[0]!r}]" if names else "states"


VERSION = 1  # of the inspection: a stricter one inspects all agents again


def is_accepted(agent: Agent, rules: Rules) -> bool:
    """Whether an agent of this code, with these parameters, passed by these rules."""
    mark = _mark(agent, rules)
    return mark is not None and mark.exists()


def remember(agent: Agent, rules: Rules) -> None:
    """Note that it did; where nothing can be written, it is asked again next time."""
    mark = _mark(agent, rules)
    if mark is not None:
        with suppress(OSError):
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()


def _mark(agent: Agent, rules: Rules) -> Path | None:
    """The file that stands for this; None for code that has no hash, like kernels that are not compiled."""
    folders = [getattr(kernel, "kagiya_folder", None) for kernel in agent.kernels]
    if not all(folders):
        return None
    label = (VERSION, agent.text, agent.reasons, agent.memory_words, agent.info.mark, rules.text(), rules.players)
    digest = hashlib.sha256(repr((label, _module_stamp(agent), [each.name for each in folders if each])).encode())
    for file in agent.files:
        digest.update(Path(file).read_bytes())
    return cache_root() / "accepted" / digest.hexdigest()[:32]


def _module_stamp(agent: Agent) -> str:
    """A hash of the module that the agent is named by, where a list of tactics may stand."""
    name, _, attribute = agent.text.partition("(")[0].partition(":")
    path = getattr(sys.modules.get(name), "__file__", None) if attribute else None
    return stamp(path) if path else ""


ELSEWHERE = ("started", "all_iterations")  # of a search's record: the clock, and what other searches did


def thoughts_of(table: Table, seat: int) -> bytes:
    """The whole tree and record of a search after its move: a leak shows there long before it changes the move."""
    workspace = table.workspaces[seat]
    if not isinstance(workspace, SearchWorkspace):
        return b""
    work, used = workspace.work, workspace.work["nodes_used"]
    names = [name for name in SEARCH.names or () if name not in ELSEWHERE and not name.endswith("_address")]
    record = [work[name].tobytes() for name in names]
    allies = b"" if workspace.allies is None else workspace.allies.record.tobytes()
    lists = b"".join(list_bytes(each) for each in (workspace.own_hand,) if each is not None)
    return b"".join((workspace.nodes[:used].tobytes(), workspace.draws[:used].tobytes(), allies, lists, *record))


def list_bytes(listed: HandList) -> bytes:
    """All that a list of hands holds: its hands, their weights and memories, and what the moves ruled out."""
    record, count = listed.record, max(int(listed.record["listed"]), 0)
    side = int(record["side"])
    rows = listed.memories[side, : int(record["rows_used"][side])]
    entries = (listed.hands[side, :count], listed.rows[side, :count], listed.weights[:count], rows)
    return b"".join(array.tobytes() for array in (*entries, record["skipped"]))


DEALT_AGAIN, TAKEN_AWAY = "dealt again", "taken away"


@dataclass(frozen=True)
class Peek:
    """Where an agent showed that it sees more than its seat may."""

    seat: int
    turn: int
    seed: int
    reason: str


class _SeenError(Exception):
    """Ends a game in which a seat saw too much."""

    def __init__(self, seat: int, reason: str) -> None:
        self.seat = seat
        super().__init__(reason)


def find_peek(table: Table, seeds: Iterable[int], watch: KernelWatch | None = None) -> Peek | None:
    """Play these games; at every turn, ask again with the hidden cards dealt again and with them taken away.

    An agent that sees its own hand and says so must not see the deck; one that sees the deck sees all.
    """
    check = _Check(table, watch or KernelWatch())
    for seed in seeds:
        try:
            check.game(seed)
        except _SeenError as seen:
            return Peek(seen.seat, int(table.states[GAME]["turn"]), seed, str(seen))
    return None


class _Check:
    """A table whose agents are tested turn by turn."""

    def __init__(self, table: Table, watch: KernelWatch) -> None:
        self.table, self.states, self.watch = table, table.states, watch
        self.dice = random.Random()

    def game(self, seed: int) -> None:
        self.dice = random.Random(f"hidden cards of game {seed}")
        log = self.table.start_game(seed)
        if not self.table.is_compiled:
            stopped = self.table.advance(log, NO_MOVE, seed)
            while stopped == PYTHON_TO_MOVE:
                self._observation_is_the_same()
                stopped = self.table.advance(log, self.table.ask_python_seat(log, seed), seed)
            return
        while not is_over(self.states, GAME):
            move = self._move()
            if not is_legal(self.states, GAME, move):
                return  # which the table reports
            self._observe(move)
            apply_move(self.states, GAME, move)

    def _observation_is_the_same(self) -> None:
        """An observation of the hidden cards dealt again is the same observation, word for word."""
        observation = self.table.observation(self.table.log)
        seat, states = int(observation.seat), self.states.copy()
        deal_hidden(states, GAME, seat, states[GAME]["possible"][seat].tolist(), self.dice)
        censor(states, GAME, SEEN, Seat(seat))
        if states[SEEN].tobytes() != observation.states[0].tobytes():
            raise _SeenError(seat, "its observation shows cards that it may not see")

    def _move(self) -> int:
        """The move of the seat to act, which must not depend on what it cannot see."""
        table, states, seat = self.table, self.states, int(self.states[GAME]["seat"])
        streams, memory = table.rng[GAME].copy(), table.memory[GAME].copy()
        masks = states[GAME]["possible"][seat].tolist()
        move = self._ask(GAME, seat)
        thoughts, after = thoughts_of(table, seat), table.memory[GAME].copy()
        for change in self._changes(seat):
            states[SEEN] = states[GAME]
            self._hide(seat, masks, change)
            table.rng[SEEN], table.memory[SEEN] = streams, memory
            again = self._ask(SEEN, seat)
            if again != move:
                raise _SeenError(seat, self._two_moves(seat, move, again, change))
            self._compare_memories(seat, after, change)
            if thoughts_of(table, seat) != thoughts:
                raise _SeenError(seat, f"its search finds something else with {self._hidden(seat)} {change}")
        return move

    def _changes(self, seat: int) -> tuple[str, ...]:
        info = self.table.agents[seat].info
        if info.sees_deck:
            return ()
        return (DEALT_AGAIN,) if info.sees_own_hand else (DEALT_AGAIN, TAKEN_AWAY)

    def _hide(self, seat: int, masks: list[int], change: str, kept: int = -1) -> None:
        if change == TAKEN_AWAY:
            censor(self.states, GAME, SEEN, Seat(seat))
            return
        fixed = self.table.agents[seat].info.sees_own_hand
        deal_hidden(self.states, SEEN, seat, own_kinds(self.states, SEEN, seat) if fixed else masks, self.dice, kept)

    def _observe(self, move: int) -> None:
        """What each seat remembers of a move is the same when the cards it cannot see are dealt again."""
        table, states, actor = self.table, self.states, int(self.states[GAME]["seat"])
        states[SEEN] = states[GAME]
        apply_move(states, SEEN, move)
        masks_after = states[SEEN]["possible"].copy()
        for seat, agent in enumerate(table.agents):
            if not agent.is_compiled or agent.compiled.observe is None:
                continue
            states[SEEN], table.memory[SEEN] = states[GAME], table.memory[GAME]
            masks = states[GAME]["possible"][seat] if seat == actor else masks_after[seat]
            kept = move % MAX_HAND if seat == actor and move < 2 * MAX_HAND else -1
            for lane in (SEEN, GAME) if self._changes(seat) else (GAME,):
                if lane == SEEN:
                    self._hide(seat, masks.tolist(), DEALT_AGAIN, kept)
                with self.watch.calling(seat, int(states[GAME]["turn"]), "observe"):
                    agent.compiled.observe(states, lane, seat, table.memory, table.params, move)
            if self._changes(seat):
                self._compare_memories(seat, table.memory[GAME].copy(), DEALT_AGAIN)
            table.memory[SEEN] = table.memory[GAME]

    def _ask(self, lane: int, seat: int) -> int:
        table, agent = self.table, self.table.agents[seat]
        with self.watch.calling(seat, int(self.states[GAME]["turn"]), "act"):
            return int(agent.compiled.act(self.states, lane, seat, table.memory, table.params, table.rng))

    def _compare_memories(self, seat: int, wanted: np.ndarray, change: str) -> None:
        found = self.table.memory[SEEN]
        if np.array_equal(found, wanted):
            return
        owner, word = (int(part) for part in np.argwhere(found != wanted)[0])
        values = f"{wanted[owner, word]} and {found[owner, word]} with {self._hidden(seat)} {change}"
        hint = advice(self._agent(seat))
        raise _SeenError(seat, f"it remembers what it may not know: memory[i, seat, {word}] is {values}{hint}")

    def _two_moves(self, seat: int, move: int, again: int, change: str) -> str:
        players = self.table.rules.players
        first, second = (_words(each, Seat(seat), players) for each in (move, again))
        hidden = self._hidden(seat)
        return f"it looks at {hidden}: {first!r}, but {second!r} with them {change}{advice(self._agent(seat))}"

    def _agent(self, seat: int) -> Agent:
        return self.table.agents[seat]

    def _hidden(self, seat: int) -> str:
        return "cards in the deck" if self._agent(seat).info.sees_own_hand else "cards that its seat cannot see"


def advice(agent: Agent) -> str:
    """What to do about it."""
    if agent.info.sees_own_hand:
        return "; if it may see the deck, declare sees_deck=True in its AgentInfo"
    return "; if it may see its own hand, declare sees_own_hand=True in its AgentInfo"


def _words(move: int, seat: Seat, players: int) -> str:
    return move_name(move, seat, players) if 0 <= move < NUM_MOVES else f"move {move}"


FIRST_SEED, BLIND_GAMES = 1, 3  # the same games whichever thread comes first


@dataclass(frozen=True)
class Fault:
    """What an agent did that it may not, in which game."""

    agent: str
    seat: int
    turn: int
    seed: int
    reason: str
    is_access: bool = True  # to an array, and not to what its seat may not see


# The faults of the user's agents, by text, type and rules; the types are held so that no other takes their place in
# memory.
_inspected: dict[tuple[str, int, Rules], tuple[AgentType, Fault | None]] = {}
_inspecting = threading.Lock()


def inspect_newcomers(rules: Rules, agents: Sequence[Agent], sit_down: Callable[[Agent], Table]) -> Fault | None:
    """Let every agent of the user's that has not played by these rules yet play with itself, inspected.

    The agents that a search plays with in its thoughts are included. `sit_down` makes a table of one agent that is
    not inspected itself.
    """
    with _inspecting:
        for agent in dict.fromkeys(each for seated in agents for each in (seated, *seated.models)):
            fault = _result(rules, agent, sit_down) if needs_inspection(rules, agent) else None
            if fault is not None:
                alone = all(each == agent for each in agents)
                return fault if alone else replace(fault, reason=f"{fault.reason} (playing with copies of itself)")
    return None


def _result(rules: Rules, agent: Agent, sit_down: Callable[[Agent], Table]) -> Fault | None:
    key = agent.text, id(agent.type), rules
    if key not in _inspected:
        fault = None if is_accepted(agent, rules) else inspect_agent(rules, agent, sit_down)
        _inspected[key] = agent.type, fault
        if fault is None:
            remember(agent, rules)
    return _inspected[key][1]


def inspect_agent(rules: Rules, agent: Agent, sit_down: Callable[[Agent], Table]) -> Fault | None:
    """The first thing that an agent does which it may not; a kernel that does not return is one too."""
    watch = KernelWatch()

    def play() -> Fault | None:
        fault = inspect_game(rules, [agent] * rules.players, FIRST_SEED, Inspection(watch))
        if fault is None and (peek := find_peek(sit_down(agent), range(FIRST_SEED, FIRST_SEED + BLIND_GAMES), watch)):
            return Fault(agent.text, peek.seat, peek.turn, peek.seed, peek.reason, is_access=False)
        return fault

    try:
        return watch.wait_for(play)
    except NoAnswerError as error:
        assert watch.late is not None
        return Fault(agent.text, watch.late.seat, watch.late.turn, FIRST_SEED, str(error))
    except (IndexError, ArithmeticError, ValueError):
        return None  # which the table reports


def needs_inspection(rules: Rules, agent: Agent) -> bool:
    """Whether an agent is a compiled one of the user's that can play by these rules."""
    return can_be_inspected(agent) and is_users_own(agent.compiled) and agent.why_not(rules) is None


def can_be_inspected(agent: Agent) -> bool:
    """Whether an agent can play an inspected game: one that is compiled and does not search."""
    return agent.is_compiled and not agent.is_search


def inspect_game(rules: Rules, agents: Sequence[Agent], seed: int, how: Inspection | None = None) -> Fault | None:
    """Play one game and return the first thing that an agent did where it may not.

    An illegal move or an error ends the inspection: the table itself reports those.
    """
    states, rng = new_states(LANES), new_streams(LANES)
    write_template(rules, states, TEMPLATE)
    deal(states, TEMPLATE, GAME, rng, seed)
    looking = how or Inspection(KernelWatch())
    seats = [InspectedSeat(agent, seat, states, rng, looking) for seat, agent in enumerate(agents)]
    asked = seats[0]
    try:
        while not is_over(states, GAME):
            asked = seats[states[GAME]["seat"]]
            move = asked.act()
            if not is_legal(states, GAME, move):
                return None
            for asked in seats:
                asked.observe(move)
            apply_move(states, GAME, move)
    except OutOfBoundsError as error:
        return Fault(asked.agent.text, asked.seat, int(states[GAME]["turn"]), seed, str(error))
    except (ArithmeticError, ValueError):
        return None
    return None
