"""The rule agents of Brooks's thesis, in the lineage of the Hanabi Learning Environment; seven lists of tactics.

Source
    Brooks 2020, section V.B and Table I, on rules by Canaan (`rocanaan/hanabi-ad-hoc-learning`), two of which Brooks
    repaired. They carry the names of the competition framework's agents, but not their rules: here a part of a card
    is known only if a hint has named it, safe plays count no visible cards, all seats are told about cards that fit,
    and of equally likely slots the first is taken. Mute is Brooks's own.
Published
    Brooks 2020, Table II: self-play of three, 250 games each, a bombed game counting 0.
Where the source is silent
    When no rule applies the move is a random legal one, as in the program. It happens to `brooks-iggi` with all tokens
    there and nothing to tell, which is how it can lose lives at all. `brooks-mute` cannot discard while all tokens are
    there and plays blindly instead; so it depends on who begins. The thesis does not say who does. In Table III (one
    Mute and two others) only the mean over its three seats fits.
"""

from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.rule_list import rule_agent


def brooks_agent(name: str, summary: str, *tactics: str) -> CompiledAgent:
    """An agent of the thesis."""
    return rule_agent(AgentInfo(f"brooks-{name}", summary, family="HLE lineage", paper="Brooks2020"), *tactics)


MUTE = brooks_agent(
    "mute",
    "plays and discards like brooks-vdb and never tells anything",
    "hle-play-probably-safe(0.6, lives=2)",
    "hle-play-safe",
    "hle-discard-probably-useless(0.99)",
    "hle-discard-probably-useless(0)",
    "hle-play-probably-safe(0)",
)

FLAWED = brooks_agent(
    "flawed",
    "plays what fits with a chance of one in four, tells at random",
    "hle-play-safe",
    "hle-play-probably-safe(0.25)",
    "tell-next-at-random",
    "hle-discard-known-useless",
    "hle-discard-cut-off",
    "discard-oldest",
    "discard-random",
)

INNER = brooks_agent(
    "inner",
    "tells about a card that fits, heedless of what is known",
    "hle-play-safe",
    "hle-discard-known-useless",
    "hle-discard-cut-off",
    "hle-tell-playable-at-random",
    "tell-next-at-random",
    "discard-random",
)

OUTER = brooks_agent(
    "outer",
    "tells what is not known yet, cards that fit first",
    "hle-play-safe",
    "hle-discard-known-useless",
    "hle-discard-cut-off",
    "hle-tell-playable",
    "hle-tell-next-unknown",
    "discard-random",
)

IGGI = brooks_agent(
    "iggi",
    "plays only what is certain, tells what fits, discards the oldest",
    "hle-play-known",
    "hle-play-safe",
    "hle-tell-playable",
    "hle-discard-known-useless",
    "hle-discard-cut-off",
    "discard-oldest",
)

PIERS = brooks_agent(
    "piers",
    "brooks-iggi that plays what probably fits, and anything once the deck is empty",
    "hle-play-probably-safe(0, lives=2, deck=0)",
    "hle-play-safe",
    "hle-play-probably-safe(0.6, lives=2)",
    "hle-tell-playable",
    "hle-tell-dispensable(tokens=2)",
    "hle-discard-known-useless",
    "hle-discard-cut-off",
    "discard-oldest",
    "tell-next-at-random",
    "discard-random",
)

VDB = brooks_agent(
    "vdb",
    "plays what probably fits, tells what fits, is useless or touches most, discards what is likely useless",
    "hle-play-probably-safe(0.6, lives=2)",
    "hle-play-safe",
    "hle-discard-probably-useless(0.99)",
    "hle-tell-playable",
    "hle-tell-useless",
    "hle-tell-most",
    "hle-discard-probably-useless(0)",
)
