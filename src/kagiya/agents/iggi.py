"""IGGI and IGGI 2: plays only what is certain, tells what fits, discards the oldest card; and a bolder heir.

Source
    Walton-Rivers et al. 2017; the order of the rules as in their competition framework. IGGI 2 is in the framework
    only; Goodman's program, not his paper, has it among its models of a partner.
Published
    No self-play score.
Where the source is silent
    The framework adds a random hint to the end of the paper's list. Two rules of IGGI 2 do not do what their names
    say, and are built as they run: "tell about the oldest useful card" tells about the last slot that fits, and
    "discard the oldest card without information" discards the first such slot. Its play of anything once the deck is
    empty is left out: an agent of the framework counts its own hand to the deck, so it never happens.
"""

from kagiya.agents.rule_list import framework_agent

IGGI = framework_agent(
    "iggi",
    "plays only what is certain, tells what fits, discards the oldest",
    "play-known",
    "play-safe",
    "tell-playable",
    "discard-known-useless",
    "discard-cut-off",
    "discard-oldest",
    "tell-next-at-random",
)

IGGI2 = framework_agent(
    "iggi2",
    "iggi that plays what probably fits and discards before it tells",
    "play-known",
    "play-safe",
    "play-probably-safe(0.6, lives=2)",
    "discard-known-useless",
    "discard-cut-off",
    "tell-last-playable",
    "tell-rest-of-playable",
    "discard-unidentified",
    "discard-oldest",
    "tell-most-new",
    "tell-next-at-random",
)
