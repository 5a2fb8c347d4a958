"""Flawed: plays on a slight hope and tells at random. A partner to test other agents with.

Source
    Walton-Rivers et al. 2017; the order of the rules as in their competition framework.
Published
    No self-play score.
Where the source is silent
    Nothing holds it back on the last life.
"""

from kagiya.agents.rule_list import framework_agent

AGENT = framework_agent(
    "flawed",
    "plays what fits with a chance of one in four, tells at random",
    "play-safe",
    "play-probably-safe(0.25)",
    "tell-next-at-random",
    "discard-known-useless",
    "discard-cut-off",
    "discard-oldest",
    "discard-random",
)
