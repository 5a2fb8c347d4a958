"""Depth-one search: every move is tried in many deals of the hidden cards, an evaluator plays the games to their end.

Source
    Bouzy 2017, sections 5.6 and 6.3: HANNIBAL's search. For each move NCD deals of the hidden cards that fit what
    is known; the evaluator, another player, plays all seats to the end; the move with the best mean is made. Depth
    two with few deals was tried and was no better. The search over a seer is "a cheater": it sees its own hand.
Published
    Table 4, NCD = 10,000 and about 10 seconds a move; entered in `reproductions/bouzy-4.toml`.
Where the source is silent
    How deals respect "the past actions". By hints alone they make a poor player over confidence, whose hints mean
    more than they say: the search plays and keeps hinted cards as if they were any. With `believe` an evaluator
    that can say what a move means by its convention is believed: deals fit that, and hints from which another seat
    would conclude what is not so are not tried. Readings tried over confidence (12 games, 3 players, 5 cards, 1000
    deals, standard error 0.65): hints alone 14.4 (8 games), hinted cards fit now 18.6, hinted cards fitted when
    hinted at 16.3, the same and no misleading hints 19.1, and no copies of cards played since 19.9, which is used:
    chosen by its score on these games, so that score flatters it.
    What to do when the means hardly differ. The best of twenty moves that are equally good is mostly the luckiest,
    and a life seems to cost nothing to an evaluator that never loses one; taken at its word the search is worse than
    confidence for 2 players (15.6). It makes the evaluator's own move unless another is ahead by `caution` standard
    errors. With 2, 4 and 8 of them 17.7, 18.7 and 19.4 for 2 players, 3 cards and 1000 deals (30 games, s.e. 0.5); 4
    was taken, as for dropping moves.
    All moves are tried in the same deals, with the same cards drawn and the same dice. Moves behind the leader by
    `confidence` standard errors of the difference, looked at every 50 deals, are dropped, and the search stops when
    one is left (`racing=no` plays all deals for all moves). Of hints that leave the same position one is tried,
    unless the evaluator listens. Of equal means the evaluator's own move is made, or else the first. Bouzy
    deals by the Hungarian method with costs he does not tell; here hands are dealt exactly uniformly unless `deal`
    says otherwise. At depth two a move is worth its best reply's mean; a reply counts if it was legal in half of
    the deals, and no move is dropped.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from kagiya.agents._base import Agent, CompiledAgent
from kagiya.agents._info import AgentInfo, Parameter
from kagiya.cards import Seat
from kagiya.engine.log import MAX_TURNS
from kagiya.moves import NUM_MOVES
from kagiya.rules import Rules
from kagiya.search import layout
from kagiya.search.determinize import DEALS
from kagiya.search.flat_search import flat_move
from kagiya.search.options import (
    ModelParameter,
    TimeParameter,
    all_values,
    budget_parser,
    budget_words,
    model_agents,
)
from kagiya.search.story import remember
from kagiya.search.workspace import SearchSetup, Workspace

PARAMETERS = (
    ModelParameter("evaluator", "confidence", "the agent that plays all seats after the move"),
    Parameter("deals", 1000, "deals in which each move is tried, at most", 1, 10_000_000, whole=True),
    TimeParameter("time", 0, "time for each move, instead of deals"),
    Parameter("racing", "yes", "whether moves that have fallen behind are dropped", choices=("no", "yes")),
    Parameter("confidence", 4, "standard errors behind the leader at which a move is dropped", 0, 100),
    Parameter("caution", 4, "standard errors by which a move must beat the evaluator's own", 0, 100),
    Parameter("depth", 1, "moves that are searched: the own one, or the next seat's reply as well", 1, 2, whole=True),
    Parameter("believe", "yes", "whether deals and hints keep to the evaluator's convention", choices=("no", "yes")),
    Parameter("deal", "uniform", "how the own hand is dealt", choices=DEALS),
)


def flat_search(info: AgentInfo) -> CompiledAgent:
    """A flat search as an agent."""

    def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> Workspace:
        chosen = all_values(info, values)
        words = {
            **budget_words(chosen),
            layout.ALGORITHM: layout.FLAT,
            layout.DEEPEST: int(chosen["depth"]),
            layout.PLIES: MAX_TURNS,
            layout.SEES_HAND: info.sees_own_hand,
        }
        setup = SearchSetup(
            words,
            confidence=chosen["confidence"] if chosen["racing"] == "yes" else math.inf,
            caution=chosen["caution"],
            nodes=1 + NUM_MOVES * (1 if chosen["depth"] == 1 else NUM_MOVES + 2),
            models=[chosen["evaluator"]] * len(seated),
            believer=chosen["evaluator"] if chosen["believe"] == "yes" else None,
        )
        return Workspace(rules, setup)

    return CompiledAgent(
        info,
        flat_move,
        remember,
        row=lambda values: [0.0],
        parse=budget_parser(info),
        models=lambda values: model_agents(all_values(info, values)),
        workspace=workspace,
    )


DEPTH_ONE = flat_search(
    AgentInfo(
        id="depth-one",
        summary="tries every move in many deals of the hidden cards and lets another agent play on",
        family="search",
        paper="Bouzy2017",
        parameters=PARAMETERS,
        memory_words=layout.STORY_WORDS,
    )
)

DEPTH_ONE_SEER = flat_search(
    AgentInfo(
        id="depth-one-seer",
        summary="the same search by one that sees its own hand, so that only the deck is dealt",
        family="search",
        paper="Bouzy2017",
        parameters=PARAMETERS,
        memory_words=layout.STORY_WORDS,
        sees_own_hand=True,
    )
)
