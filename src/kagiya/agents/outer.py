"""Outer: remembers what others were told and tells only what is new. Osawa's strategy in the competition framework.

Source
    Osawa 2015 as built by Walton-Rivers et al. 2017 in the competition framework.
Published
    Walton-Rivers et al. validate theirs with 13.83 for two players, Osawa's own having 14.53 (sd 2.24, 100 games).
    Theirs is the score with `forgets_own=yes`, the defect of their first program (the table `walton-rivers`);
    `osawa-outer` is held to Osawa's.
Where the source is silent
    With several cards that fit, the first slot is told about, rank before color; with none, the first slot not fully
    known, color before rank. Only the next seat is told anything.
"""

from kagiya.agents.rule_list import framework_agent

AGENT = framework_agent(
    "outer",
    "tells the next seat what it does not know yet, cards that fit first",
    "play-safe",
    "discard-known-useless",
    "discard-cut-off",
    "tell-next-playable",
    "tell-next-unknown",
    "discard-random",
)
