"""Whether an agent moves the same, and remembers the same, when the cards that its seat cannot see are dealt again."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kagiya.agents.api import Agent
from kagiya.cards import Seat
from kagiya.engine.batch_kernels import PYTHON_TO_MOVE
from kagiya.engine.kernels import apply_move, is_legal, is_over
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table.hidden_cards import deal_hidden, own_kinds
from kagiya.lab.table.thoughts import thoughts_of
from kagiya.moves import NO_MOVE, NUM_MOVES, move_name
from kagiya.rules import MAX_HAND
from kagiya.runtime.timeouts import KernelWatch
from kagiya.view.kernels import censor

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table

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
