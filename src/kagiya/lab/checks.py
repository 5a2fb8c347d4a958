"""The checks of one agent, one after the other, in a process of its own: what `kagiya check` does.

A crash or an endless loop is then a finding like any other. The function of each promise returns what the agent did
that it may not, in words, or None.
"""

from __future__ import annotations

import copy
import pickle
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import rebuild_agent
from kagiya.cards import NO_MOVE
from kagiya.engine.batch import GAME_OVER
from kagiya.engine.layout import GAME
from kagiya.lab.match.match import Match
from kagiya.lab.match.runner import play_match
from kagiya.lab.table.inspection import Fault, Inspection, find_peek, inspect_game
from kagiya.lab.table.table import AgentError, SeatingError, Table
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.child import Child, ChildEndedError, Parent
from kagiya.runtime.timeouts import KernelWatch, NoAnswerError, kernel_timeout


@dataclass(frozen=True)
class Finding:
    """One check: whether the agent passed, and in words what was done or what is wrong."""

    check: str
    passed: bool
    text: str


@dataclass(frozen=True)
class Stage:
    """What is about to be done: a check, and the rules or games it is done with."""

    check: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.check} ({self.where})" if self.where else self.check


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


Step = Stage | Finding

COMPILES, INDICES, LEGAL = "sits down", "stays within its arrays", "makes legal moves"
SEEDS, COPIES, HIDDEN = "a seed fixes its games", "copies play alike", "hidden cards do not matter"
TIME = "time per move"
UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6))


@dataclass(frozen=True)
class Size:
    """How much is played."""

    games: int  # by each rules
    seed: int = 1


def default_games(agent: Agent) -> int:
    """Games by each rules that take a few seconds in all, or minutes for a search."""
    return 1 if agent.is_search else 50 if agent.is_compiled else 3


def check_agent(agent: Agent, size: Size) -> Iterator[Step]:
    """What is about to be done, and each finding, up to the first that fails: the checks after it rely on it."""
    for check in (sit_down, stays_within, hidden_cards, legal_moves, seeds, copies, times):
        try:
            for step in check(agent, size):
                yield step
                if isinstance(step, Finding) and not step.passed:
                    return
        except AgentError as error:  # an exception, or what is not a move: whatever was being looked for
            yield Finding(LEGAL, False, str(error))
            return


def verdict(check: str, wrong: str | None, done: str) -> Finding:
    """A finding from what is wrong, if anything is."""
    return Finding(check, wrong is None, done if wrong is None else wrong)


def sit_down(agent: Agent, size: Size) -> Iterator[Step]:
    """Whether the agent can be made, or compiled, for every number of players that it says it plays with."""
    yield Stage(COMPILES)
    able = standard_rules(agent)
    if not able:
        yield Finding(COMPILES, False, f"it cannot play by the standard rules: {agent.why_not(Rules())}")
        return
    try:
        for rules in able:
            Table(rules, [agent])
    except SeatingError as error:
        yield Finding(COMPILES, False, str(error))
        return
    language = "compiled" if agent.is_compiled else "in Python"
    yield Finding(COMPILES, True, f"{language}, {', '.join(str(rules.players) for rules in able)} players")


def stays_within(agent: Agent, size: Size) -> Iterator[Step]:
    """A compiled agent's indices; searches have arrays of their own, with guard words."""
    able = playable_rules(agent)
    if agent.is_compiled and not agent.is_search:
        yield from every(INDICES, able, lambda rules: wrong_index(agent, rules, size.seed), tables(able))


def legal_moves(agent: Agent, size: Size) -> Iterator[Step]:
    """By all rules."""
    able = playable_rules(agent)
    yield from every(LEGAL, able, lambda rules: illegal_move(agent, rules, size.games, size.seed), tables(able))


def tables(able: Sequence[Rules]) -> str:
    """By what an agent was checked, in words."""
    return f"{len(able)} rules and numbers of players"


def every(check: str, able: Sequence[Rules], look: Callable[[Rules], str | None], done: str) -> Iterator[Step]:
    """A check by all these rules, and what was done if nothing is wrong."""
    for rules in able:
        yield Stage(check, where(rules))
        if wrong := look(rules):
            yield Finding(check, False, f"{where(rules)}: {wrong}")
            return
    yield Finding(check, True, done)


def seeds(agent: Agent, size: Size) -> Iterator[Step]:
    """For the least number of players."""
    yield Stage(SEEDS)
    rules, games = standard_rules(agent)[0], max(size.games, 2)
    yield verdict(SEEDS, unfixed_game(agent, rules, games, size.seed), f"{games} games played three times")


def copies(agent: Agent, size: Size) -> Iterator[Step]:
    """Of the agent and, in Python, of its players."""
    yield Stage(COPIES)
    yield verdict(COPIES, poor_copy(agent), "copied, and sent to another process")


def hidden_cards(agent: Agent, size: Size) -> Iterator[Step]:
    """The hidden cards are dealt again at every turn; an agent that sees the deck has none."""
    if agent.info.sees_deck:
        yield Finding(HIDDEN, True, "it declares that it sees the deck")
        return
    games, able = min(size.games, 10), standard_rules(agent)
    seen = "; it declares that it sees its own hand" if agent.info.sees_own_hand else ""
    done = f"dealt again at every turn of {games * len(able)} games{seen}"
    yield from every(HIDDEN, able, lambda rules: peek(agent, rules, games, size.seed), done)


def times(agent: Agent, size: Size) -> Iterator[Step]:
    """How long a move takes: of all games on average, and the longest of one game."""
    words = []
    for rules in standard_rules(agent):
        yield Stage(TIME, where(rules))
        table = Table(rules, [agent])
        started = time.perf_counter()
        moves = int(table.play_chunk(size.seed, size.games)["turns"].sum())
        mean = (time.perf_counter() - started) / moves
        table.play_explained(size.seed)
        words.append(f"{rules.players} players {duration(mean)} (slowest of one game {duration(max(table.seconds))})")
    yield Finding(TIME, True, "; ".join(words))


def duration(seconds: float) -> str:
    """``1.2 µs``, ``35 ms``."""
    unit, size = next((each for each in UNITS if seconds >= each[1]), UNITS[-1])
    count = seconds / size
    return f"{count:.0f} {unit}" if count >= 10 else f"{count:.2g} {unit}"


def where(rules: Rules) -> str:
    """The rules in words."""
    return f"{rules.text()}, {rules.players} players"


STAGE_TIMEOUTS = 10  # of one kernel, that a stage may take without a word: it plays many games


def check_apart(text: str, size: Size) -> Iterator[Step]:
    """The steps of `check_agent`, made elsewhere; the last finding says if the process did not live to the end."""
    child = Child("kagiya.lab.checks", text, str(size.games), str(size.seed), keep_errors=True)
    stage, limit = Stage("starts"), STAGE_TIMEOUTS * kernel_timeout()
    try:
        while True:
            step = _step(**child.receive(limit))
            stage = step if isinstance(step, Stage) else stage
            yield step
    except NoAnswerError:
        reason = f"no answer for {limit:g} s; it may loop for ever (KAGIYA_KERNEL_TIMEOUT allows more)"
        yield Finding(stage.check, False, _at(stage, reason))
    except ChildEndedError as error:
        if error.code:
            yield Finding(stage.check, False, _at(stage, _end(error.code, error.complaint)))
    finally:
        child.kill()


def _step(kind: str, **words: str) -> Step:
    return Finding(**words) if kind == Finding.__name__ else Stage(**words)  # type: ignore[arg-type]


def _at(stage: Stage, reason: str) -> str:
    return f"{stage.where}: {reason}" if stage.where else reason


def _end(code: int, complaint: str) -> str:
    """How a process ended that did not come to its end."""
    if code < 0:
        name = signal.strsignal(-code) or f"signal {-code}"
        return f"it crashed in machine code ({name}), by an index far outside an array or by calling itself for ever"
    last = complaint.strip().splitlines()[-1:] or ["without a word"]
    return f"the process ended with code {code}: {last[0]}"


def main() -> None:
    """In the child: check the agent named by the arguments, its text, the games by each rules, the first seed."""
    parent = Parent()
    text, games, seed = sys.argv[1:]
    for step in check_agent(rebuild_agent(text), Size(int(games), int(seed))):
        parent.answer(kind=type(step).__name__, **asdict(step))
    parent.finish()


if __name__ == "__main__":
    main()
