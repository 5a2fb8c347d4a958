"""Whether an agent moves the same, and remembers the same, when the cards that its seat cannot see are dealt anew."""

import random

import numpy as np

from kagiya import Agent, CompiledAgent, Rules
from kagiya.engine.batch_kernels import PYTHON_TO_MOVE
from kagiya.engine.kernels import apply_move, is_over
from kagiya.engine.layout import GAME, SEEN
from kagiya.lab.table.table import Table
from kagiya.search.hands.hand_list import HandList
from kagiya.search.layout import SEARCH
from kagiya.search.workspace import Workspace
from kagiya.view.kernels import censor
from tests.hidden import deal_hidden

ELSEWHERE = ("started", "all_iterations")  # of a search's record: the clock, and what other searches did


def check_blindness(agent: Agent, rules: Rules, count: int) -> None:
    table, dice = Table(rules, [agent]), random.Random(8)
    for seed in range(count):
        if isinstance(agent.type, CompiledAgent):
            compiled_game_is_blind(table, seed, dice)
        else:
            python_game_is_blind(table, seed, dice)


def compiled_game_is_blind(table: Table, seed: int, dice: random.Random) -> None:
    """At every turn ask again with the hidden cards dealt anew, and with the hidden cards taken away."""
    table.start_game(seed)
    states = table.states
    while not is_over(states, GAME):
        seat = int(states[GAME]["seat"])
        kind = table.agents[seat].type
        assert isinstance(kind, CompiledAgent)
        masks = states[GAME]["possible"][seat].tolist()
        streams, memory = table.rng[GAME].copy(), table.memory[GAME].copy()
        move = kind.act(states, GAME, seat, table.memory, table.params, table.rng)
        thoughts = thoughts_of(table, seat)
        after = table.memory[GAME].copy(), table.rng[GAME].copy()
        for taken_away in (False, True):
            states[SEEN] = states[GAME]
            censor(states, GAME, SEEN, seat) if taken_away else deal_hidden(states, SEEN, seat, masks, dice)
            table.rng[SEEN], table.memory[SEEN] = streams, memory
            assert kind.act(states, SEEN, seat, table.memory, table.params, table.rng) == move
            assert np.array_equal(table.memory[SEEN], after[0])
            assert thoughts_of(table, seat) == thoughts
        observers_are_blind(table, int(move), dice)
        apply_move(states, GAME, move)


def thoughts_of(table: Table, seat: int) -> bytes:
    """The whole tree and record of a search after its move: a leak shows there long before it changes the move."""
    workspace = table.workspaces[seat]
    if not isinstance(workspace, Workspace):
        return b""
    work, used = workspace.work, workspace.work["nodes_used"]
    names = [name for name in SEARCH.names or () if name not in ELSEWHERE and not name.endswith("_address")]
    record = [work[name].tobytes() for name in names]
    allies = b"" if workspace.allies is None else workspace.allies.record.tobytes()
    lists = b"".join(list_bytes(each) for each in (workspace.own_hand, workspace.partner_hand) if each is not None)
    return b"".join((workspace.nodes[:used].tobytes(), workspace.draws[:used].tobytes(), allies, lists, *record))


def list_bytes(listed: HandList) -> bytes:
    """All that a list of hands holds: its hands, their weights and memories, and what the moves ruled out."""
    record, count = listed.record, max(int(listed.record["listed"]), 0)
    side = int(record["side"])
    rows = listed.memories[side, : int(record["rows_used"][side])]
    entries = (listed.hands[side, :count], listed.rows[side, :count], listed.weights[:count], rows)
    return b"".join(array.tobytes() for array in (*entries, record["skipped"]))


def observers_are_blind(table: Table, move: int, dice: random.Random) -> None:
    """What each seat remembers of a move is the same when the cards it cannot see are dealt anew."""
    states, actor = table.states, int(table.states[GAME]["seat"])
    states[SEEN] = states[GAME]
    apply_move(states, SEEN, move)
    masks_after = states[SEEN]["possible"].copy()
    for seat, agent in enumerate(table.agents):
        kind = agent.type
        if not isinstance(kind, CompiledAgent) or kind.observe is None:
            continue
        states[SEEN] = states[GAME]
        table.memory[SEEN] = table.memory[GAME]
        kept = move % 5 if seat == actor and move < 10 else -1
        masks = states[GAME]["possible"][seat] if seat == actor else masks_after[seat]
        deal_hidden(states, SEEN, seat, masks.tolist(), dice, kept)
        kind.observe(states, SEEN, seat, table.memory, table.params, move)
        kind.observe(states, GAME, seat, table.memory, table.params, move)
        assert np.array_equal(table.memory[SEEN, seat], table.memory[GAME, seat])
        table.memory[SEEN] = table.memory[GAME]


def python_game_is_blind(table: Table, seed: int, dice: random.Random) -> None:
    """An observation of the hidden cards dealt anew is the same observation, word for word."""
    log = table.start_game(seed)
    stopped = table.advance(log, -1, seed)
    while stopped == PYTHON_TO_MOVE:
        observation = table.observation(log)
        seat = int(observation.seat)
        states = table.states.copy()
        deal_hidden(states, GAME, seat, states[GAME]["possible"][seat].tolist(), dice)
        censor(states, GAME, SEEN, seat)
        assert states[SEEN].tobytes() == observation.states[0].tobytes()
        stopped = table.advance(log, table.ask_python_seat(log, seed), seed)
