"""Depth-one search: every move is tried in many deals of the hidden cards, an evaluator plays the games to their end.

Source
    Bouzy 2017, sections 5.6 and 6.3: HANNIBAL's search. For each move NCD deals of the hidden cards that fit what
    is known; the evaluator, another player, plays all seats to the end; the move with the best mean is made. Depth
    two with few deals was tried and was no better. The search over a seer is "a cheater": it sees its own hand.
Published
    Table 4, NCD = 10,000 and about 10 seconds a move; entered in `reproductions/bouzy-4.toml`.
Where the source is silent
    How deals respect "the past actions". By hints alone they make a poor player over confidence, whose hints mean
    more than they say. With `believe` an evaluator that can say what a move means by its convention is believed:
    deals fit that, and hints from which another seat would conclude what is not so are not tried. And what was not
    said counts (`past`, `surprise`, `deals/past_moves.py`): a card that fits and of which nobody told is unlikely;
    without that an untold card that fitted in 31 of 100 deals did so in 17 of 100 plays. What each is worth is measured
    in docs/search.md.
    How to search over hat players. Their moves are a code, and every seat decodes with the hands it sees. What was
    decoded is believed, the others' memories are rebuilt under hands that fit it, and a move from which somebody
    would decode what is not so, hint or discard, is not tried (`misleading`); a deviation that is tried is decoded by
    the others in every line of play. Hands under which the others would have moved otherwise are rejected one by one.
    Over hat-recommendation, four players with four cards, 1,000 deals, 20 games: 23.25 alone, 24.50;
    misleading hints tried too: 24.40 in 1.7 times the time, hands weighed besides: 24.35 in 2.2 times; s.e. 0.19.
    Hopeless moves and hints that repeat others are dropped after ten deals, which saves a third of the time.
    What to do when the means hardly differ. Differences smaller than the evaluator's own faults (it never loses a
    life, so lives seem to be for nothing) mean little, and the best of many equal moves is the luckiest: another move
    must beat the evaluator's by `margin` points and by `caution` standard errors of its lead, which is what the
    noise of the deals comes to. Means of 60 games on other seeds (alone; then by margin and caution):
    over smartbot(safe=yes), 3 players, 200 deals: 23.27; 24.48 (0.1, 3), 24.47 (0.25, 3); s.e. 0.10;
    over vdb, 3 players, 200 deals: 17.73; 22.47 (0.1, 3), 21.95 (0.25, 3), 21.32 (0.25, 5), 22.27 (0.5, 0); s.e. 0.17;
    over confidence, 2 players with 5 cards, 1,000 deals: 16.27; 19.83 (0.1, 3), 19.88 (0.3, 0); s.e. 0.29.
    All moves are tried in the same deals, with the same cards drawn and the same dice. Every 50 deals the moves are
    dropped that are surely, by `confidence` standard errors of the difference, not better than the leader by more
    than 0.05 points, and the search stops when one is left (`racing=no` plays all deals for all moves).
    Of hints that leave the same position one is tried, unless the evaluator listens. Of equal moves the evaluator's
    own is made, or else the first. Bouzy deals by the Hungarian method with costs he does not tell; here hands are
    dealt exactly uniformly, but for what was said above, unless `deal` says otherwise. At depth two a move is worth
    its best reply's mean; a reply counts if it was legal in half of the deals, and no move is dropped.
    The head start is ours alone; `reproductions/bouzy-head-start.toml` has the search without it.
    `believe`, `surprise` and `margin` were chosen by score, on other games than those of the tables.
    How to spend little time. Lines can be cut off after `plies` moves and valued by a learned function:
    `leaf=forecast`, a linear function of counts fitted to games of smartbot(safe=yes) (`kagiya train forecast`), or
    `leaf=evalfn(...)`; hopeless moves can be dropped every ten deals (`early=yes`). Where the search is most often
    wrong, which cards to play, the evaluator can decide alone (`own_plays=no`). By default the head start by the noise
    also counts in the race, so that a move which is not yet far enough ahead is soon dropped; `patient=yes` drops it
    only when it surely never will be. docs/learning.md has what that is worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, Parameter, SearchAgent, Values
from kagiya.cards import Seat
from kagiya.moves import NUM_MOVES
from kagiya.search import search_options as options
from kagiya.search.deals import history, sampling
from kagiya.search.flat_search import flat_move
from kagiya.search.workspace import SearchSetup

PARAMETERS = (
    options.ModelParameter("evaluator", "confidence", "the agent that plays all seats after the move"),
    options.SAMPLES,
    options.TIME,
    options.RACING,
    options.SURE,
    Parameter("margin", 0.1, "points by which a move must beat the evaluator's own", 0, 25),
    Parameter("caution", 3, "standard errors of its lead by which it must do so besides", 0, 100),
    options.yes_no(
        "patient",
        "no",
        "whether a move is dropped only when surely too little ahead of the evaluator's, not when it happens to be",
    ),
    options.yes_no(
        "own_plays", "yes", "whether it plays cards that the evaluator would not, and may keep those that it would"
    ),
    options.JudgeParameter(
        "past", "evaluator", "who is asked whether a hand explains past moves", choices=("evaluator",)
    ),
    Parameter("surprise", 0.1, "how likely others make a move that it would not make, to one that it would", 0, 1),
    Parameter("proposals", 8, "hands proposed for each deal", 1, 100, whole=True),
    options.yes_no("misleading", "no", "whether moves are tried that tell others what is not so, if it believes"),
    Parameter(
        "early",
        "auto",
        "whether hopeless moves are dropped every ten deals of the first fifty; auto: if the evaluator speaks in code",
        choices=("auto", "no", "yes"),
    ),
    *options.LEAF_PARAMETERS,
    Parameter("depth", 1, "moves that are searched: its own, or the next seat's reply as well", 1, 2, whole=True),
    options.yes_no("believe", "yes", "whether deals and hints keep to the evaluator's convention"),
    Parameter("deal", "uniform", "how the player's own hand is dealt", choices=sampling.DEALS),
)


def proposals(info: AgentInfo, chosen: dict[str, Any]) -> int:
    """Hands proposed for each deal; none if what the others did says nothing of its hand."""
    judge = chosen["evaluator"] if chosen["past"] == "evaluator" else chosen["past"]
    sees_more = info.sees_own_hand or options.sees_too_much(judge)
    return 0 if sees_more or chosen["surprise"] == 1 else int(chosen["proposals"])


def speaks_in_code(agent: Agent) -> bool:
    """Whether moves mean something that must be decoded and remembered, as those of hat players do."""
    return agent.hooks.believe is not None and agent.compiled.observe is not None


def flat_settings(info: AgentInfo, chosen: dict[str, Any]) -> dict[str, float]:
    """The fields of the search's record that its parameters set.

    The evaluator's move has no head start if it depends on what the search must guess.
    """
    is_blind = options.sees_too_much(chosen["evaluator"]) and not info.sees_own_hand
    return {
        **options.budget_settings(chosen),
        **options.race_settings(chosen),
        "depth_limit": int(chosen["depth"]),
        "sees_hand": info.sees_own_hand,
        "proposals": proposals(info, chosen),
        "unexplained_odds": chosen["surprise"],
        "margin": 0.0 if is_blind else chosen["margin"],
        "caution": 0.0 if is_blind else chosen["caution"],
        "patient": chosen["patient"] == "yes",
        "evaluator_plays": chosen["own_plays"] == "no",
    }


def flat_nodes(chosen: dict[str, Any]) -> int:
    """Room for every move, and at depth two for every reply to it."""
    return 1 + NUM_MOVES * (1 if chosen["depth"] == 1 else NUM_MOVES + 2)


def flat_search(info: AgentInfo) -> SearchAgent:
    """A flat search as an agent."""

    def setup(chosen: Values, seat: Seat, seated: Sequence[Agent]) -> SearchSetup:
        is_code = speaks_in_code(chosen["evaluator"])
        return SearchSetup(
            {
                **flat_settings(info, chosen),
                "rejects": is_code,
                "early_looks": is_code if chosen["early"] == "auto" else chosen["early"] == "yes",
                "misleads": chosen["misleading"] == "yes",
            },
            nodes=flat_nodes(chosen),
            models=[chosen["evaluator"]] * len(seated),
            judges=[] if chosen["past"] == "evaluator" else [chosen["past"]] * len(seated),
            believer=chosen["evaluator"] if chosen["believe"] == "yes" else None,
        )

    return options.flat_agent(info, flat_move, setup)


INFO = AgentInfo(
    id="depth-one",
    summary="tries every move in many deals of the hidden cards and lets another agent play on",
    family="search",
    paper="Bouzy2017",
    parameters=PARAMETERS,
    memory_words=history.HISTORY_WORDS,
)
SEER = replace(
    INFO,
    id="depth-one-seer",
    summary="the same search by one that sees its own hand, so that only the deck is dealt",
    sees_own_hand=True,
)
DEPTH_ONE, DEPTH_ONE_SEER = flat_search(INFO), flat_search(SEER)
