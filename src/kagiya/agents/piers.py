"""Piers: IGGI that plays what probably fits, and tells what may be discarded when tokens are few.

Source
    Walton-Rivers et al. 2017; the order of the rules as in their competition framework.
Published
    No self-play score.
Where the source is silent
    Its first rule, to play the likeliest card once the deck is empty and two lives are left, is left out: an agent of
    the framework counts its own hand to the deck, so there it never happens. `brooks-piers` has it.
"""

from kagiya.agents.rule_list import framework_agent

AGENT = framework_agent(
    "piers",
    "iggi that plays what probably fits and tells what is dispensable when tokens are few",
    "play-safe",
    "play-probably-safe(0.6, lives=2)",
    "tell-playable",
    "tell-dispensable(tokens=3)",
    "discard-known-useless",
    "discard-cut-off",
    "discard-oldest",
    "tell-next-at-random",
    "discard-random",
)
