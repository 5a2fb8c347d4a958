"""The process that compiles for the server, with helpers: a line for every step, then users' agents are inspected.

Besides the table itself, pages need chances of cards and reasons in words; reviews a judge and continuations.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from kagiya import Agent, AgentError, Game, GameSession, Rules, Seat, Table, parse_rules
from kagiya._jit import is_cached, kernels
from kagiya.agents.register import rebuild_agent
from kagiya.lab.review.card_chances import chances
from kagiya.lab.review.judging import MIN_DEALS, judge
from kagiya.lab.review.outcomes import AGAIN, play_on
from kagiya.lab.table.compilation import CompileStep, compile_steps, helpers
from kagiya.runtime.child import Parent

SIMPLE = "careful"  # an agent that gives reasons
PAGE_KERNELS = ("kagiya.view.view_kernels.possible_kinds", "kagiya.lab.review.card_chances.card_chances")  # the last
REVIEW_KERNELS = ("kagiya.lab.review.judging.judge_on", "kagiya.lab.review.card_chances.weigh_on")
LOWER = 10  # priority than the server's


def page_steps() -> list[CompileStep]:
    """One step, which tries everything once that pages need."""
    return [CompileStep("the pages", are_cached(PAGE_KERNELS), _try_pages)]


def are_cached(names: Sequence[str]) -> bool:
    """Whether these kernels lie on disk."""
    return all(is_cached(kernels[name]) for name in names)


def _try_pages() -> None:
    chances(Game(), Seat(0))
    GameSession(Game(), SIMPLE).step()


def _try_reviews() -> None:
    game = Game()
    judge(game, SIMPLE, MIN_DEALS)
    chances(game, 0, SIMPLE, past_moves=True, samples=1)
    play_on(game, SIMPLE, 1, AGAIN, eyes=0)


def main() -> None:
    """Compile for tables by these rules, for this number of players, between these agents: the arguments.

    Without arguments, compile what reviews need.
    """
    parent = Parent()
    if not sys.argv[1:]:
        _try_reviews()
        parent.answer(ready=True)
        return
    with suppress(OSError):
        os.nice(LOWER)
    rules, players, *texts = sys.argv[1:]
    try:
        compile_all(parent, parse_rules(rules, int(players)), [rebuild_agent(text) for text in texts])
    except Exception as error:
        parent.answer(error=error.reason if isinstance(error, AgentError) else str(error))


def compile_all(parent: Parent, rules: Rules, agents: Sequence[Agent]) -> None:
    """Step by step, each announced before it is made."""
    seated = compile_steps(agents)
    steps = [step for step in (*seated, *page_steps()) if not step.is_done]
    with helpers(agents, seated):
        for number, step in enumerate(steps):
            parent.answer(done=number, steps=len(steps), label=step.label)
            step.run()
    parent.answer(done=len(steps), steps=len(steps), label="the first game")
    for agent in agents:
        if agent.is_compiled and agent.why_not(rules) is None:
            Table(rules, [agent]).start_game(0)
    parent.answer(ready=True)


if __name__ == "__main__":
    main()
