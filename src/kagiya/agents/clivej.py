"""CliveJ: frees a seat that has nothing safe to do; and Goodman's completed form of it.

Source
    An entry to the competition, part of the framework of Walton-Rivers et al. 2017. Goodman's program, not his paper,
    has CliveJ 2, which never runs out of rules, among its models of a partner.
Published
    No self-play score.
Where the source is silent
    CliveJ's list can run out (no token, and nothing known that it would discard); the framework then ends the game at
    once with the points made so far. Here such a turn is a random legal move.
"""

from kagiya.agents.rule_list import framework_agent

RULES = (
    "unblock",
    "play-safe",
    "tell-playable-or-useless",
    "discard-known-useless",
    "discard-cut-off",
    "tell-rest-of-playable",
    "tell-playable",
    "tell-useless",
    "tell-most-new",
    "discard-unidentified",
    "discard-highest",
)

CLIVEJ = framework_agent(
    "clivej",
    "frees blocked seats, plays what is safe, tells a lot",
    *RULES,
)

CLIVEJ2 = framework_agent(
    "clivej2",
    "clivej that always finds something to discard",
    *RULES,
    "discard-least-necessary",
    "discard-probably-useless(0)",
    paper="Goodman2019",
)
