"""Canaan et al.'s evolved rule list, evolved again: an order of their rules for each number of players.

Source
    Canaan et al. 2018, "MirrorSituational": a genetic algorithm over orders of 72 rules, those of the competition
    framework and their own, with the score in self-play as fitness. Their lists were not published, so these were found
    with `kagiya evolve --rule-set canaan` (docs/evolution.md); `evolved_lists.toml` has the commands.
Published
    20.07, 19.58, 19.36 and 18.29 for 2-5 players, points kept; Goodman 2019 quotes them rounded, in Table III and IV of
    the paper.
Where the source is silent
    Which of the 72 rules were used where. Eight of them are not here by name: see `kagiya.lab.training.rule_lists`. The
    rule that plays the likeliest card once the deck is empty never fires in the framework, where an agent counts its
    own hand to the deck; here it can. Cards just hinted are those hinted since the player's last turn, as the paper
    says; the program published later looks only at the last moves that concern the player.
"""

from kagiya.agents.api import AgentInfo
from kagiya.agents.evolved import evolved_lists
from kagiya.agents.tactics.noted import lists_agent

AGENT = lists_agent(
    AgentInfo(
        id="canaan-mirror",
        summary="Canaan et al.'s rules in an order found by evolution, one for each number of players",
        family="evolved",
        paper="Canaan2018",
    ),
    [each.uses for each in evolved_lists("canaan-mirror")],
)
