"""Internal: remembers what it was told, not what it told others. Osawa's strategy in the competition framework.

Source
    Osawa 2015 as built by Walton-Rivers et al. 2017 in the competition framework.
Published
    Walton-Rivers et al. validate theirs with 10.12 for two players, Osawa's own having 10.97 (sd 1.94, 100 games).
    Theirs is the score with `forgets_own=yes`, the defect of their first program (the table `walton-rivers`);
    `osawa-internal` is held to Osawa's.
Where the source is silent
    With several cards that fit, the first slot is told about; only the next seat is told anything.
"""

from kagiya.agents.rule_list import framework_agent

AGENT = framework_agent(
    "internal",
    "tells the next seat about a card that fits, heedless of what it knows",
    "play-safe",
    "discard-known-useless",
    "discard-cut-off",
    "tell-next-playable-at-random",
    "tell-next-at-random",
    "discard-random",
)
