"""What can be set of lines of play that a flat search cuts off: after how many moves, and what values them there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kagiya.agents.api import Agent, Parameter
from kagiya.agents.rule_list import candidate_row, parts_of, rule_uses
from kagiya.engine.log import MAX_TURNS
from kagiya.learn.agents.evalfn import network_place
from kagiya.learn.model_file import network_row
from kagiya.learn.shipped import load, network_file
from kagiya.rules import Rules
from kagiya.search import layout
from kagiya.search.options import LeafParameter

FORECAST = "forecast"
PLAYERS = (2, 3, 4, 5)  # that there are forecasts for

LEAF_PARAMETERS = (
    Parameter("plies", MAX_TURNS, "moves after which a line of play is cut off", 0, MAX_TURNS, whole=True),
    LeafParameter("leaf", "none", "what values a line that was cut off", choices=("none", FORECAST)),
)


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
