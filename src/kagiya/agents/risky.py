"""Risky: plays what is likely enough to fit, on the last life too; and Goodman's own form of it.

Source
    The competition framework of Walton-Rivers et al. 2017; Goodman 2019 models partners with it (Table VII of the
    report, with a threshold of 0.6). Risky 2 is what his program puts in its place, with 0.7.
Published
    No self-play score.
Where the source is silent
    The framework's list is incomplete: with all tokens there and nothing new to tell of a card that fits, no rule
    applies, and the framework ends the game at once with the points made so far (about every second game of two
    players). Here such a turn is a random legal move, so the scores are not those of the framework.
"""

from kagiya.agents.api import AgentInfo, CompiledAgent, Parameter
from kagiya.agents.rule_list import COMPETITION_FRAMEWORK, adjustable_framework_agent


def risky_agent(name: str, summary: str, threshold: float, *others: str) -> CompiledAgent:
    """An agent of Goodman's that plays what fits with a chance of at least the threshold; `others` follow."""
    least = Parameter("threshold", threshold, "the least chance to fit of a card that is played")
    info = AgentInfo(name, summary, COMPETITION_FRAMEWORK, "Goodman2019", (least,))
    return adjustable_framework_agent(
        info, lambda values: ["play-known", f"play-probably-safe({values['threshold']})", "tell-playable", *others]
    )


RISKY = risky_agent(
    "risky",
    "plays what fits with a chance of three in four, on the last life too",
    0.75,
    "discard-known-useless",
    "discard-cut-off",
    "discard-oldest",
)
RISKY2 = risky_agent(
    "risky2",
    "risky that always finds something to tell or to discard",
    0.7,
    "tell-most-new",
    "discard-known-useless",
    "discard-cut-off",
    "tell-next-at-random",
    "discard-probably-useless(0)",
)
