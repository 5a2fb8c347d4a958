"""SPARTA: one seat searches on an exact belief about its own hand, while the others play a blueprint that it knows.

Source
    Lerer, Hu, Foerster and Brown 2020, single-agent search. The seat knows every hand it may hold: hands under which
    the others would have moved otherwise are ruled out. Every move is tried in games dealt from that belief, all seats
    playing the blueprint afterwards, and the blueprint's own move is left only for one that is better by a threshold.
Published
    Two players over SAD, one seat and both: entered in `reproductions/strength.toml`. Over SmartBot 24.21 and 59.1 %
    perfect are remembered, a bomb scoring 0; the paper's table was not at hand, so no table of ours has it.
Where the source is silent
    The released program gives every kind drawn the same weight, whatever copies are left; here hands weigh as many
    ways as there are to deal them. It counts a bomb as one point less in its thoughts; here by the rules of the table.
    The first hands, before a hint has told enough, are millions: they are sampled and replayed, and what does not
    explain the story is thrown away, which is as exact.
    A partner that does not play the blueprint: a move that no hand explains says nothing but what it says literally.
    How all seats can search. The source repeats the partner's search for every hand that it may have seen, at 180
    million rollouts a game; seats that search freely lose more than they gain. `sparta-both` is ours: a move must beat
    the blueprint's by two standard errors too (`caution`), so that seats leave it in about four of a hundred moves, and
    a hand that leaves a move unexplained becomes less likely by `surprise` instead of impossible, so that the true
    hand stays in the list. docs/strength.md has what this and its settings are worth.
    How to spend little time. As in depth-one search, lines can be cut off after `plies` moves and valued by a learned
    function (`leaf=forecast`); endings that are tried one by one are still played out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, Parameter, SearchAgent, Values
from kagiya.cards import Seat
from kagiya.moves import NUM_MOVES
from kagiya.search import search_layout
from kagiya.search.deals.hand_list import ListSetup
from kagiya.search.deals.history import HISTORY_WORDS
from kagiya.search.endgame import exact_move
from kagiya.search.search_options import (
    LEAF_PARAMETERS,
    RACING,
    SAMPLES,
    SURE,
    TIME,
    BlueprintParameter,
    budget_settings,
    flat_agent,
    race_settings,
)
from kagiya.search.workspace import SearchSetup
from kagiya.spec import SpecError

SURPRISE = "how likely others make a move that the blueprint would not make, to one that it would; 0 for never"
EARLY = "whether moves that are surely behind are dropped every ten deals of the first fifty"
MAX_UNEXPLAINED = 3  # moves that a hand may leave unexplained: one with more is as good as impossible


def parameters(threshold: float, caution: float, surprise: float, early: str) -> tuple[Parameter, ...]:
    """What can be set of a search on an exact belief."""
    return (
        BlueprintParameter(
            "blueprint", "smartbot", "the agent that the other seats play, and all seats after the move"
        ),
        SAMPLES,
        TIME,
        Parameter("threshold", threshold, "points by which a move must beat the blueprint's own", 0, 25),
        Parameter("caution", caution, "standard errors of its lead by which it must do so besides", 0, 100),
        RACING,
        SURE,
        Parameter(
            "endings", 2000, "deals near the end that are tried one by one, not sampled; 0 for none", 0, 1e6, True
        ),
        Parameter("surprise", surprise, SURPRISE, 0, 0.5),
        Parameter("early", early, EARLY, choices=("no", "yes")),
        Parameter("cap", 100_000, "hands that are listed at most; more are sampled", 1, 10_000_000, whole=True),
        *LEAF_PARAMETERS,
    )


def exact_settings(chosen: dict[str, Any]) -> dict[str, float]:
    """The fields of the search's record."""
    return {
        **budget_settings({**chosen, "deal": "uniform"}),
        **race_settings(chosen),
        "final": search_layout.BEST_MEAN,
        "depth_limit": 1,
        "margin": chosen["threshold"],
        "caution": chosen["caution"],
        "most_endings": int(chosen["endings"]),
        "early_looks": search_layout.SURELY_BEHIND if chosen["early"] == "yes" else 0,
    }


def check_blueprints(info: AgentInfo, blueprint: Agent, seated: Sequence[Agent]) -> None:
    """Refuse a partner that searches over another blueprint: it would misread every move."""
    for agent in seated:
        if agent.info.id == info.id and (other := agent.models[0]).text != blueprint.text:
            raise SpecError(
                f"{info.id}: all its seats must have the same blueprint, not {blueprint.text} and {other.text}; "
                "give them one"
            )


def exact_search(info: AgentInfo, for_all_seats: bool) -> SearchAgent:
    """A search on an exact belief as an agent, for one seat or for all."""

    def setup(chosen: Values, seat: Seat, seated: Sequence[Agent]) -> SearchSetup:
        if for_all_seats:
            check_blueprints(info, chosen["blueprint"], seated)
        most_unexplained = MAX_UNEXPLAINED if chosen["surprise"] > 0 else 0
        return SearchSetup(
            exact_settings(chosen),
            nodes=1 + NUM_MOVES,
            models=[chosen["blueprint"]] * len(seated),
            own_hand=ListSetup(seat, int(chosen["cap"]), chosen["surprise"], most_unexplained),
        )

    return flat_agent(info, exact_move, setup)


SPARTA = exact_search(
    AgentInfo(
        id="sparta",
        summary="knows every hand it may hold if the others play a blueprint, and tries every move in them",
        family="search",
        paper="Lerer2020",
        parameters=parameters(threshold=0.05, caution=0, surprise=0, early="no"),
        memory_words=HISTORY_WORDS,
    ),
    for_all_seats=False,
)

SPARTA_BOTH = exact_search(
    AgentInfo(
        id="sparta-both",
        summary="the same for all seats at once: hands that leave a move unexplained are unlikely, not impossible",
        family="search",
        paper="Kagiya",
        parameters=parameters(threshold=0.1, caution=2, surprise=0.01, early="yes"),
        memory_words=HISTORY_WORDS,
    ),
    for_all_seats=True,
)
