"""Reads an experiment from a small TOML file; whatever is wrong is named with its key and what was expected."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from kagiya.agents.register import check_file_agent
from kagiya.lab.contests.experiment import Experiment, ExperimentError
from kagiya.lab.contests.seatings import MAKERS, MOST_TEAMS
from kagiya.lab.deals.live_deals import DEALS
from kagiya.lab.table.clock import Late
from kagiya.spec import near

LARGEST_FILE = 1_000_000  # bytes; also where somebody names an endless device
SHOWN = 60  # characters of a wrong value


def read_experiment(path: Path) -> Experiment:
    """An experiment from a file."""
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ExperimentError(f"{path} is larger than {LARGEST_FILE:,} bytes: an experiment is a small TOML file")
    try:
        data = tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ExperimentError(f"{path} is not TOML: {error}") from None
    try:
        experiment = experiment_from(data)
    except ExperimentError as error:
        raise ExperimentError(f"{path}: {error}") from None
    for text in experiment.texts():
        check_file_agent(text, path)
    return experiment


def experiment_from(data: dict[str, Any]) -> Experiment:
    """An experiment from plain data. A single value may replace a list of one."""
    known = [field.name for field in fields(Experiment)]
    for key in data:
        if key not in known:
            raise ExperimentError(f"there is no {key!r} in an experiment; {near(key, known)}")
    if not data.get("agents"):
        raise ExperimentError("agents: name at least one")
    return Experiment(**{key: _read(key, value) for key, value in data.items()})


def _read(key: str, value: Any) -> Any:
    is_right, expected = SINGLES[key] if key in SINGLES else LISTS[key]
    items = value if key in LISTS and isinstance(value, list) else [value]
    if not items or not all(is_right(item) for item in items):
        shown = repr(value)
        raise ExperimentError(
            f"{key} must be {expected}, not {shown if len(shown) <= SHOWN else shown[:SHOWN] + '...'}"
        )
    if key not in LISTS:
        return value
    return tuple(str(item) if key == "budgets" else item for item in items)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is_integer(low: int, high: float = math.inf) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


Check = tuple[Callable[[Any], bool], str]

LISTS: dict[str, Check] = {
    "agents": (_is_text, 'an agent or a list of agents, each a text like "careful"'),
    "rules": (_is_text, 'rules or a list of rules, each a text like "standard"'),
    "players": (_is_integer(2, 5), "a number or a list of numbers from 2 to 5"),
    "budgets": (lambda value: _is_text(value) or _is_number(value), 'numbers or texts like "1s", one or a list'),
}
SINGLES: dict[str, Check] = {
    "games": (_is_integer(1), "an integer of at least 1"),
    "seed": (_is_integer(0), "an integer of at least 0"),
    "teams": (_is_integer(1, MOST_TEAMS), f"an integer from 1 to {MOST_TEAMS:,}"),
    "seatings": (lambda value: value in tuple(MAKERS), f"one of {', '.join(MAKERS)}"),
    "time": (lambda value: _is_number(value) and value > 0, "a number of seconds above 0"),
    "on_timeout": (lambda value: value in list(Late), f"one of {', '.join(Late)}"),
    "name": (_is_text, "a text"),
    "deals": (lambda value: value in DEALS, f"one of {', '.join(DEALS)}"),
}
