"""The process that compiles for the server: a line for every step, then the agents of the user's own are inspected.

Pages need chances of cards and reasons in words besides the table itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from kagiya._jit import is_cached, kernels
from kagiya.agents.api import Agent
from kagiya.agents.register import rebuild_agent
from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.lab.review.card_chances import chances
from kagiya.lab.table.session import GameSession
from kagiya.lab.table.table import AgentError, Table
from kagiya.lab.table.warm import CompileStep, compile_steps
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.child import Parent

SIMPLE = "careful"  # an agent that gives reasons
LAST = ("kagiya.view.view_kernels.possible_kinds", "kagiya.lab.review.card_chances.card_chances")


def page_steps() -> list[CompileStep]:
    """One step, which tries everything once."""
    return [CompileStep("the pages", all(is_cached(kernels[name]) for name in LAST), _try_everything)]


def _try_everything() -> None:
    chances(Game(), Seat(0))
    GameSession(Game(), SIMPLE).step()


LOWER = 10  # priority than the server's


def main() -> None:
    """Compile for tables by these rules, for this number of players, between these agents: the arguments."""
    parent = Parent()
    with suppress(OSError):
        os.nice(LOWER)
    rules, players, *texts = sys.argv[1:]
    try:
        compile_all(parent, parse_rules(rules, int(players)), [rebuild_agent(text) for text in texts])
    except Exception as error:
        parent.answer(error=error.reason if isinstance(error, AgentError) else str(error))


def compile_all(parent: Parent, rules: Rules, agents: Sequence[Agent]) -> None:
    """Step by step, each announced before it is made."""
    steps = [step for step in (*compile_steps(agents), *page_steps()) if not step.is_done]
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
