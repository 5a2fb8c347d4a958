"""The search of Brooks's thesis: `brooks-mcts`, a hundred iterations with a rollout of three moves.

Source
    Brooks 2020, section V and Table I, as the released program does it (`MBlogs/mcts-hanabi`). A node keeps the
    children that the rules gave it in the deal of its first visit. All seats' moves in the tree are chosen by upper
    confidence bounds on the common reward; the models move only in the rollout. A line that meets an illegal move
    stops, and its reward there counts for the whole path. `redeterminize` resamples the other seats' cards where
    they act, in the tree and in the rollout; `reward=regret` is the points less what was lost since the root;
    `convention` plays the card that the last hint, from the seat before, alone told something new, if it could fit:
    without a search, and the search knows nothing of it. `partner` is how the thesis names one seat's model.
Published
    Brooks 2020, Tables II to IV; entered in `reproductions/`, since a row is a setting.
Where the source is silent
    The program takes children that were never reached, and equals, in the order of Python's string hashes, which
    changes from run to run but not within one; here the order is drawn when a node gets its children, and stays.
    Only where all legal moves are considered do equals go by the environment's list, discards first. The program's
    games go on past a bomb on the way down the tree, with nothing to gain; here such a line is cut.
    The program models seat 1 as the partner; here it is every seat where that agent really sits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, Hooks, Parameter, SearchAgent
from kagiya.agents.rule_list import list_row, parts_of, rule_uses
from kagiya.cards import Seat
from kagiya.engine.log import MAX_TURNS
from kagiya.moves import NUM_MOVES
from kagiya.rules import Rules
from kagiya.search import layout
from kagiya.search.deals.sampling import DEALS
from kagiya.search.options import (
    ITERATIONS_PER_SECOND,
    MOST_ITERATIONS,
    MOST_NODES,
    ModelParameter,
    RulesParameter,
    TimeParameter,
    all_values,
    budget_parser,
    budget_settings,
    model_agents,
)
from kagiya.search.trees.brooks_search import POINTED_WORDS, brooks_move, remember_pointing
from kagiya.search.workspace import SearchSetup, Workspace

INFO = AgentInfo(
    id="brooks-mcts",
    summary="tree search whose nodes keep the children of their first deal, with rollouts of three moves",
    family="search",
    paper="Brooks2020",
    parameters=(
        ModelParameter("rollout", "brooks-vdb", "the agent that plays on from a leaf"),
        RulesParameter("rules", "brooks", "the moves that the tree considers", choices=("none", "brooks", "goodman")),
        Parameter("iterations", 100, "iterations for each move", 1, MOST_ITERATIONS, whole=True),
        TimeParameter("time", 0, "time for each move, instead of iterations"),
        Parameter("reward", "score", "what a line of play is worth", choices=("score", "regret")),
        Parameter("redeterminize", "no", "whether other seats' cards are resampled", choices=("no", "yes")),
        Parameter("convention", "none", "whether a pointed hint is obeyed", choices=("none", "brooks")),
        ModelParameter("partner", "none", "whose seats the rollout plays as that agent does", choices=("none",)),
        Parameter("c", 0.1, "exploration, for rewards from 0 to 1", 0, 10),
        Parameter("plies", 3, "moves after which a rollout is cut off", 0, MAX_TURNS, whole=True),
        Parameter("depth", 100, "depth of the tree in moves, and one move more", 0, 100, whole=True),
        Parameter("deal", "left-to-right", "how hidden hands are dealt", choices=DEALS),
    ),
    memory_words=POINTED_WORDS,
)


def search_settings(values: dict[str, Any]) -> dict[str, float]:
    """The fields of the search's record that its parameters set."""
    redeterminizing = values["redeterminize"] == "yes"
    return {
        "algorithm": layout.REDETERMINIZING if redeterminizing else layout.MULTIPLE_OBSERVER,
        **budget_settings(values),
        "depth_limit": int(values["depth"]),
        "exploration": values["c"],
        "plies": int(values["plies"]),
        "restricted": values["rules"] != "none",
        "reward": values["reward"] == "regret",
        "obeys": values["convention"] == "brooks",
        "final": layout.BEST_MEAN,  # read by explanations; the kernels of this search know no other
    }


def models_for(values: dict[str, Any], seated: Sequence[Agent]) -> list[Agent]:
    """Who is taken to play each seat: the partner where it really sits, the rollout's agent elsewhere."""
    rollout, partner = values["rollout"], values["partner"]
    return [partner if agent == partner else rollout for agent in seated]


def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> Workspace:
    """The arrays of one search; the tree has room for the children of every node that can be reached."""
    chosen = all_values(INFO, values)
    most = chosen["time"] * ITERATIONS_PER_SECOND if chosen["time"] else chosen["iterations"]
    setup = SearchSetup(
        search_settings(chosen),
        rule_row=list_row(rule_uses(chosen["rules"])),
        nodes=int(min((most + 1) * NUM_MOVES, MOST_NODES)),
        models=models_for(chosen, seated),
        draws=True,
    )
    return Workspace(rules, setup)


BROOKS_MCTS = SearchAgent(
    INFO,
    brooks_move,
    remember_pointing,
    hooks=Hooks(
        parse=budget_parser(INFO),
        parts=lambda values: parts_of(rule_uses(all_values(INFO, values)["rules"])),
    ),
    workspace=workspace,
    models=lambda values: model_agents(all_values(INFO, values)),
)
