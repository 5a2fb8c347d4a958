"""The promises one by one. Each function returns what an agent did that it may not, in words, or None."""

from __future__ import annotations

import copy
import pickle

import numpy as np

from kagiya.agents.api import Agent
from kagiya.engine.batch_kernels import GAME_OVER
from kagiya.engine.layout import GAME
from kagiya.lab.match.match import Match
from kagiya.lab.match.match_result import play_match
from kagiya.lab.table.blindness import find_peek
from kagiya.lab.table.inspected_seat import Inspection
from kagiya.lab.table.inspection import Fault, inspect_game
from kagiya.lab.table.table import AgentError, Table
from kagiya.moves import NO_MOVE
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.timeouts import KernelWatch, NoAnswerError

RULES = (
    *("standard", "goodman", "bouzy", "bouzy(hand_size=3)"),
    *("standard(colors=6)", "standard(hand_size=1)", "quuxplusone(lives=1)"),
)
COPIED_MOVES = 10


def standard_rules(agent: Agent) -> list[Rules]:
    """For each number of players with which the agent can play."""
    found = [Rules(players=players) for players in agent.info.players]
    return [rules for rules in found if agent.why_not(rules) is None]


def playable_rules(agent: Agent) -> list[Rules]:
    """All rules of the list, for every number of players, by which the agent can play."""
    found = [parse_rules(text, players) for text in RULES for players in (2, 3, 4, 5)]
    return [rules for rules in found if agent.why_not(rules) is None]


def illegal_move(agent: Agent, rules: Rules, games: int, seed: int) -> str | None:
    """Its moves are legal, and it does not fail."""
    result = play_match(Match.of(rules, [agent], games, seed), workers=1)
    return None if result.error is None else str(result.error)


def wrong_index(agent: Agent, rules: Rules, seed: int) -> str | None:
    """A compiled agent stays within its arrays, and within those of the kernels that it calls."""
    watch = KernelWatch()

    def play() -> Fault | None:
        return inspect_game(rules, [agent] * rules.players, seed, Inspection(watch, with_ours=True))

    try:
        fault = watch.wait_for(play)
    except NoAnswerError as error:
        assert watch.late is not None
        return str(AgentError(agent.text, watch.late.seat, watch.late.turn, seed, str(error)))
    return None if fault is None else str(AgentError(fault.agent, fault.seat, fault.turn, seed, fault.reason))


def unfixed_game(agent: Agent, rules: Rules, games: int, seed: int) -> str | None:
    """The same seeds give the same games, played again and for any number of workers."""
    match = Match.of(rules, [agent], games, seed)
    first = play_match(match, 1)
    for words, workers in (("played again", 1), ("played by two workers", 2)):
        other = play_match(match, workers)
        differing = np.flatnonzero(first.results != other.results)
        if len(differing):
            before, after = first.results[differing[0]], other.results[differing[0]]
            what = f"game {before['seed']} scores {before['score']} and, {words}, {after['score']}"
            same_score = f"game {before['seed']} goes another way when {words}"
            found = what if before["score"] != after["score"] else same_score
            return f"{found}; its dice must be those it is given (rng, or dice in start)"
    return None


def poor_copy(agent: Agent) -> str | None:
    """An agent can be copied and sent to another process; a player copied in a game goes on alike, and so does it."""
    try:
        if pickle.loads(pickle.dumps(agent)) != agent or copy.deepcopy(agent).text != agent.text:
            return "a copy of it is not the same agent"
    except Exception as error:  # whatever a user's class may raise
        return f"it cannot be copied: {type(error).__name__}: {error}"
    # All that a compiled agent remembers is its row of memory, which is copied wherever hidden cards are dealt again.
    return None if agent.is_compiled else _poor_player(agent)


def _poor_player(agent: Agent, seed: int = 3) -> str | None:
    table = Table(standard_rules(agent)[0], [agent])
    table.play_game(seed)
    alone = table.log.moves.copy()
    log = table.start_game(seed)
    stopped = table.advance(log, NO_MOVE, seed)
    for turn in range(COPIED_MOVES):
        if stopped == GAME_OVER:
            break
        player = table.players[int(table.states[GAME]["seat"])]
        try:
            copies = copy.deepcopy(player), pickle.loads(pickle.dumps(player))
        except Exception as error:  # whatever a user's class may raise
            return f"a player cannot be copied: {type(error).__name__}: {error}"
        observation = table.observation(log)
        moves = {int(each.act(observation)) for each in copies if each is not None}
        move = table.ask_python_seat(log, seed)
        if moves != {int(alone[turn])} or move != alone[turn]:
            return f"turn {turn + 1} of game {seed}: a player and its copies disagree; do they share a memory?"
        stopped = table.advance(log, move, seed)
    return None


def peek(agent: Agent, rules: Rules, games: int, seed: int) -> str | None:
    """Its moves do not depend on cards that its seat cannot see, but for those that it declares to see."""
    found = find_peek(Table(rules, [agent], is_inspected=True), range(seed, seed + games))
    return None if found is None else str(AgentError(agent.text, found.seat, found.turn, found.seed, found.reason))
