"""Evolved: a list of any of our tactics, with thresholds and limits, for each number of players.

Source
    Ours; found with `kagiya evolve --rule-set all` (docs/evolution.md). `evolved_lists.toml` has the commands.
Published
    Nothing.
Where the source is silent
    When no tactic has a move, a random legal one is made, as in every list.
"""

from kagiya.agents._evolved_lists import evolved_lists
from kagiya.agents._info import AgentInfo
from kagiya.agents._noted_list import lists_agent

AGENT = lists_agent(
    AgentInfo(
        id="evolved",
        summary="any tactics, thresholds and limits, found by evolution, for each number of players",
        family="evolved",
        paper="Kagiya",
    ),
    [each.uses for each in evolved_lists("evolved")],
)
