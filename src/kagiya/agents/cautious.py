"""Cautious: plays only what is certain, tells what fits, discards at random.

Source
    Walton-Rivers et al. 2017; the order of the rules as in their competition framework, which Goodman 2019 uses as
    one of his ten models of a partner (Table VII of the report).
Published
    No self-play score.
Where the source is silent
    The paper's list ends with the random discard. The framework's goes on with a random hint to the next seat, which
    is all that is left when no token is missing and nothing fits.
"""

from kagiya.agents.rule_list import framework_agent

AGENT = framework_agent(
    "cautious",
    "plays only what is certain, tells what fits, discards at random",
    "play-known",
    "play-safe",
    "tell-playable",
    "discard-known-useless",
    "discard-cut-off",
    "discard-random",
    "tell-next-at-random",
)
