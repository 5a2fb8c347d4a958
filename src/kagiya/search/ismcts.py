"""Monte Carlo tree search over information sets: `mo-ismcts`, `ris-mcts` and `predictor`, one loop in three settings.

Source
    Goodman 2019, paper and report: MO-ISMCTS (Cowling et al. 2012, as in Walton-Rivers et al. 2017) deals the
    searching seat's hand once for each iteration, and its partners act in the tree as if they saw their own
    cards. RIS-MCTS (Algorithm 1) resamples a seat's hand where that seat acts. The predictor of Walton-Rivers et
    al. has nodes for its own moves only; the other seats move as given agents do. `rules=goodman`, the default,
    restricts the tree to Table II; `convention` is section V-B; `leaf` is section VI (RIS-MCTS-NR: learned values in
    place of rollouts); `unprune` and `backup` are named there as further work. `past` is our own:
    hands that explain what the other seats did are dealt more often (`deals/weighed_hands.py`); off by default, so that
    published rows stay as they are.
Published
    Goodman 2019, Tables I, III and IV; entered in `reproductions/`, since a row is a setting and a time.
Where the source is silent
    The paper takes the move with the highest score, its program the one with most visits: `final`, by default
    visits. A move's logarithm counts the visits at which it could have been chosen, as in the program; the paper
    prints the plain number. The tree is at most three rounds and one move deep, the program's limit. Hands are
    dealt uniformly; the program fills slots one by one (`deal=slot-by-slot`), which after hints comes to the same
    (`deals/sampling.py`). If no rule has a legal move, all legal moves are considered. Where the convention forbids
    what a rule proposes, the hint with most news looks for another, the other rules have none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, CompiledAgent, Hooks, Parameter, SearchAgent
from kagiya.agents.playable_now import CONVENTIONS
from kagiya.agents.rule_list import candidate_row, parts_of, rule_uses
from kagiya.cards import Seat
from kagiya.engine.layout import MAX_TURNS
from kagiya.learn.evalfn import network_place
from kagiya.rules import Rules
from kagiya.search import search_layout
from kagiya.search.deals.history import HISTORY_WORDS, remember
from kagiya.search.deals.sampling import DEALS
from kagiya.search.search_options import (
    ITERATIONS_PER_SECOND,
    MAX_ITERATIONS,
    MAX_NODES,
    JudgeParameter,
    LeafParameter,
    ModelParameter,
    RulesParameter,
    TimeParameter,
    all_values,
    budget_parser,
    budget_settings,
    check_judge,
    check_models,
    model_agents,
)
from kagiya.search.tree_search import search_move
from kagiya.search.workspace import SearchSetup, SearchWorkspace
from kagiya.spec import Spec, SpecError

MAX_RULES = 12  # children that a node without rollouts gets at once, roughly
BACKUPS = ("all", "possible", "split")

PARAMETERS = (
    ModelParameter("rollout", "vdb", "the agent that plays on from a leaf"),
    LeafParameter("leaf", "none", "the agent whose learned values stand in for rollouts", choices=("none",)),
    RulesParameter("rules", "goodman", "the moves that the tree considers", choices=("goodman", "brooks", "all")),
    Parameter("iterations", 1000, "iterations for each move", 1, MAX_ITERATIONS, whole=True),
    TimeParameter("time", 0, "time for each move, instead of iterations"),
    Parameter("steps", 0, "moves tried out for each move, instead of iterations", 0, 1e9, whole=True),
    Parameter("convention", "none", "what a hint that touches one card says besides", choices=CONVENTIONS),
    Parameter("modeled", "yes", "whether rollouts believe the convention", choices=("no", "yes")),
    Parameter("c", 0.1, "exploration, for rewards from 0 to 1", 0, 10),
    Parameter("plies", MAX_TURNS, "moves after which a rollout is cut off", 0, MAX_TURNS, whole=True),
    Parameter("depth", 3, "depth of the tree in rounds, and one move more", 0, 20, whole=True),
    Parameter("reward", "score", "what a line of play is worth", choices=("score", "regret")),
    Parameter("final", "visits", "which move is made in the end", choices=("visits", "mean")),
    Parameter("deal", "uniform", "how hidden hands are dealt", choices=DEALS),
    JudgeParameter("past", "none", "who is asked whether a hand explains past moves", choices=("none", "models")),
    Parameter("hands", 200, "own hands weighed by that before a search", 1, 100_000, whole=True),
    Parameter("surprise", 0.3, "how likely others make a move that it would not make, to one that it would", 0, 1),
    Parameter("unprune", 0, "visits after which moves beyond the rules are opened, 0 for never", 0, 1e6, whole=True),
)
DEFECT = Parameter("defect", "no", "rules count the actor's own cards as seen", choices=("no", "yes"))
BACKUP = Parameter("backup", "all", "nodes that a line with a wrong card counts for", choices=BACKUPS)
MODEL = ModelParameter("model", "rollout", "how other seats move", choices=("rollout", "seated"))


def search_settings(values: dict[str, Any], rules: Rules) -> dict[str, float]:
    """The fields of the search's record that its parameters set."""
    return {
        **budget_settings(values),
        "depth_limit": int(values["depth"]) * rules.players + 1,
        "plies": int(values["plies"]),
        "restricted": values["rules"] != "all",
        "convention": CONVENTIONS.index(values["convention"]),
        "modeled": values["modeled"] == "yes",
        "reward": values["reward"] == "regret",
        "final": values["final"] == "mean",
        "exploration": values["c"],
        "unprune": int(values["unprune"]),
        "defect": values.get("defect") == "yes",
        "backup": BACKUPS.index(values.get("backup", "all")),
        "hands_weighed": 0 if values["past"] == "none" else int(values["hands"]),
        "unexplained_odds": values["surprise"],
    }


def tree_rules(values: dict[str, Any]) -> list[float]:
    """The rules of the tree as a row of numbers."""
    return candidate_row(rule_uses(values["rules"]), values["convention"])


def leaf_numbers(leaf: Agent | str) -> tuple[list[float], dict[str, float]]:
    """The row of the agent that values the leaves, and the fields of the record that say so; nothing for "none"."""
    if isinstance(leaf, str):
        return [0.0], {}
    row = leaf.parameters
    return row, {"leaf": 1, "leaf_start": network_place(row)}


def tree_parser(info: AgentInfo) -> Callable[[Spec], dict[str, Any]]:
    """Reads the parameters of a tree search."""
    parse_budget = budget_parser(info)

    def parse(spec: Spec) -> dict[str, Any]:
        values = parse_budget(spec)
        if isinstance(values.get("leaf"), Agent):
            for other, wrong in (("rollout", None), ("reward", "regret"), ("unprune", None)):
                if other in values and wrong in (None, values[other]):
                    raise SpecError(
                        f"{info.id}: {other} does not go with leaf, whose values are scores without rollouts"
                    )
        return values

    return parse


def models_for(values: dict[str, Any], seat: Seat, seated: Sequence[Agent]) -> list[Agent]:
    """Who is taken to play each seat: the rollout's agent, one for the others, or each seat's own."""
    rollout, model = values["rollout"], values.get("model", "rollout")
    if model == "rollout":
        return [rollout] * len(seated)
    others = seated if model == "seated" else [model] * len(seated)
    check_models([other for place, other in enumerate(others) if place != seat], "predictor")
    return [rollout if place == seat else other for place, other in enumerate(others)]


def judges_for(info: AgentInfo, values: dict[str, Any], models: Sequence[Agent]) -> list[Agent]:
    """Who is asked about past moves instead of the models: nobody unless an agent is named."""
    past = values["past"]
    if past == "models":
        for model in models:
            check_judge(model, f"{info.id}: past=models: {model.text}")
    return [past] * len(models) if isinstance(past, Agent) else []


def tree_search(info: AgentInfo, algorithm: int) -> CompiledAgent:
    """A tree search as an agent."""

    def workspace(values: dict[str, Any], rules: Rules, seat: Seat, seated: Sequence[Agent]) -> SearchWorkspace:
        chosen = all_values(info, values)
        settings = search_settings(chosen, rules) | {"algorithm": algorithm}
        if algorithm == search_layout.PREDICTING:
            settings["depth_limit"] = int(chosen["depth"]) + 1  # its tree has one move of each round
        most = chosen["time"] * ITERATIONS_PER_SECOND or chosen["steps"] or chosen["iterations"]
        leaf_row, leaf = leaf_numbers(chosen["leaf"])
        models = models_for(chosen, seat, seated)
        setup = SearchSetup(
            settings | leaf,
            leaf_row=leaf_row,
            rule_row=tree_rules(chosen),
            nodes=int(min(most * (MAX_RULES if leaf else 1) + 2, MAX_NODES)),
            models=models,
            judges=judges_for(info, chosen, models),
        )
        return SearchWorkspace(rules, setup)

    return SearchAgent(
        info,
        search_move,
        remember,
        hooks=Hooks(
            parse=tree_parser(info),
            parts=lambda values: parts_of(rule_uses(all_values(info, values)["rules"])),
        ),
        workspace=workspace,
        models=lambda values: model_agents(all_values(info, values)),
    )


MO_ISMCTS = tree_search(
    AgentInfo(
        id="mo-ismcts",
        summary="tree search that deals its own hand once an iteration; partners act as if they saw their cards",
        family="search",
        paper="Goodman2019",
        parameters=(*PARAMETERS, DEFECT),
        memory_words=HISTORY_WORDS,
    ),
    search_layout.MULTIPLE_OBSERVER,
)

RIS_MCTS = tree_search(
    AgentInfo(
        id="ris-mcts",
        summary="tree search that resamples the hand of whoever acts, so that nobody uses what it cannot know",
        family="search",
        paper="Goodman2019",
        parameters=(*PARAMETERS, BACKUP),
        memory_words=HISTORY_WORDS,
    ),
    search_layout.REDETERMINIZING,
)

PREDICTOR = tree_search(
    AgentInfo(
        id="predictor",
        summary="tree search over its own moves, with other seats moving as given agents do",
        family="search",
        paper="WaltonRivers2017",
        parameters=(*PARAMETERS, MODEL),
        memory_words=HISTORY_WORDS,
    ),
    search_layout.PREDICTING,
)
