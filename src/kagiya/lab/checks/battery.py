"""All checks of one agent, one after the other: what `kagiya check` does."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from kagiya.agents.api import Agent
from kagiya.lab.checks import promises
from kagiya.lab.checks.finding import Finding, Stage
from kagiya.lab.table.table import AgentError, SeatingError, Table
from kagiya.rules import Rules

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
    able = promises.standard_rules(agent)
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
    if agent.is_compiled and not agent.is_search:
        yield from every(INDICES, agent, lambda rules: promises.wrong_index(agent, rules, size.seed))


def legal_moves(agent: Agent, size: Size) -> Iterator[Step]:
    """By all rules."""
    yield from every(LEGAL, agent, lambda rules: promises.illegal_move(agent, rules, size.games, size.seed))


def every(check: str, agent: Agent, look: Callable[[Rules], str | None]) -> Iterator[Step]:
    """A check by all rules and for every number of players."""
    able = promises.playable_rules(agent)
    for rules in able:
        yield Stage(check, where(rules))
        if wrong := look(rules):
            yield Finding(check, False, f"{where(rules)}: {wrong}")
            return
    yield Finding(check, True, f"{len(able)} rules and numbers of players")


def seeds(agent: Agent, size: Size) -> Iterator[Step]:
    """For the least number of players."""
    yield Stage(SEEDS)
    rules, games = promises.standard_rules(agent)[0], max(size.games, 2)
    yield verdict(SEEDS, promises.unfixed_game(agent, rules, games, size.seed), f"{games} games played three times")


def copies(agent: Agent, size: Size) -> Iterator[Step]:
    """Of the agent and, in Python, of its players."""
    yield Stage(COPIES)
    yield verdict(COPIES, promises.poor_copy(agent), "copied, and sent to another process")


def hidden_cards(agent: Agent, size: Size) -> Iterator[Step]:
    """The hidden cards are dealt again at every turn; an agent that sees the deck has none."""
    if agent.info.sees_deck:
        yield Finding(HIDDEN, True, "it declares that it sees the deck")
        return
    games = min(size.games, 10)
    for rules in promises.standard_rules(agent):
        yield Stage(HIDDEN, where(rules))
        if wrong := promises.peek(agent, rules, games, size.seed):
            yield Finding(HIDDEN, False, f"{where(rules)}: {wrong}")
            return
    seen = "; it declares that it sees its own hand" if agent.info.sees_own_hand else ""
    many = games * len(promises.standard_rules(agent))
    yield Finding(HIDDEN, True, f"dealt again at every turn of {many} games{seen}")


def times(agent: Agent, size: Size) -> Iterator[Step]:
    """How long a move takes: of all games on average, and the longest of one game."""
    words = []
    for rules in promises.standard_rules(agent):
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
