"""What flat searches share: parameters, the race between moves, lines cut off and valued, and the agent made of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

from kagiya.agents.api import Agent, AgentInfo, Hooks, Kernel, Parameter, SearchAgent, Values
from kagiya.agents.rule_list import candidate_row, parts_of, rule_uses
from kagiya.cards import Seat
from kagiya.engine.log import MAX_TURNS
from kagiya.learn.agents.evalfn import network_place
from kagiya.learn.model_file import network_row
from kagiya.learn.shipped import load, network_file
from kagiya.rules import Rules
from kagiya.search import layout
from kagiya.search.deals.history import remember
from kagiya.search.options import LeafParameter, TimeParameter, all_values, budget_parser, model_agents
from kagiya.search.workspace import SearchSetup, Workspace

FORECAST = "forecast"
PLAYERS = (2, 3, 4, 5)  # that there are forecasts for

SAMPLES = Parameter("deals", 1000, "deals in which each move is tried, at most", 1, 10_000_000, whole=True)
TIME = TimeParameter("time", 0, "time for each move, instead of deals")
RACING = Parameter("racing", "yes", "whether moves that are surely no better are dropped", choices=("no", "yes"))
SURE = Parameter(
    "confidence", 3, "standard errors for being sure that a move is no better, before it is dropped", 0, 100
)
LEAF_PARAMETERS = (
    Parameter("plies", MAX_TURNS, "moves after which a line of play is cut off", 0, MAX_TURNS, whole=True),
    LeafParameter("leaf", "none", "what values a line that was cut off", choices=("none", FORECAST)),
)


# Of all parameters, the seat and the agents at the table.
FlatSetup = Callable[[Values, Seat, Sequence[Agent]], SearchSetup]


def flat_agent(info: AgentInfo, act: Kernel, setup: FlatSetup) -> SearchAgent:
    """A search that tries every move on the same samples, as an agent; what values its leaves is added to its setup."""

    @wraps(setup)  # the code of a search is where its settings stand
    def workspace(values: Values, rules: Rules, seat: Seat, seated: Sequence[Agent]) -> Workspace:
        chosen = all_values(info, values)
        leaf_row, leaf, rule_row = leaf_setup(chosen["leaf"], rules)
        plain = setup(chosen, seat, seated)
        return Workspace(
            rules, replace(plain, settings={**plain.settings, **leaf}, leaf_row=leaf_row, rule_row=rule_row)
        )

    return SearchAgent(
        info,
        act,
        remember,
        hooks=Hooks(parse=budget_parser(info), parts=leaf_parts, files=leaf_files),
        workspace=workspace,
        models=lambda values: model_agents(all_values(info, values)),
    )


def race_settings(chosen: Values) -> dict[str, float]:
    """The fields of a search's record for moves that are tried on the same samples, and for the race between them."""
    return {
        "algorithm": layout.FLAT,
        "plies": int(chosen["plies"]),
        "confidence": chosen["confidence"] if chosen["racing"] == "yes" else math.inf,
        "indifference": chosen["indifference"],
    }


def leaf_setup(leaf: Agent | str, rules: Rules) -> tuple[list[float], dict[str, float], list[float]]:
    """The numbers of the learned function, the fields of the record for it, and the rules that propose moves to it."""
    if leaf == FORECAST:
        return network_row(load(forecast_file(rules.players), FORECAST)), {"leaf": layout.BY_POSITION}, [0.0]
    if isinstance(leaf, str):
        return [0.0], {}, [0.0]
    row = leaf.parameters
    return row, {"leaf": layout.BY_MOVES, "leaf_start": network_place(row)}, candidate_row(rule_uses("goodman"), "none")


def forecast_file(players: int) -> str:
    """The network that comes with Kagiya for this number of players."""
    return str(network_file(f"forecast-{players}"))


def leaf_files(values: dict[str, Any]) -> list[str]:
    """The files that a learned function is read from."""
    return list(map(forecast_file, PLAYERS)) if values.get("leaf") == FORECAST else []


def leaf_parts(values: dict[str, Any]) -> list[Callable[..., Any]]:
    """The kernels of the rules that propose moves to an evaluation function."""
    return parts_of(rule_uses("goodman")) if isinstance(values.get("leaf"), Agent) else []
