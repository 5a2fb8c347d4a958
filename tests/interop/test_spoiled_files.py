"""Any value of a game file replaced by any other: it is read or refused by a sentence, and nothing else happens."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kagiya.engine.record import RecordError
from kagiya.interop.files import games_content, read_games
from kagiya.rules import Rules
from tests.interop.game_samples import finished, record_of
from tests.strategies import examples

RECORD = record_of(finished(4, Rules(players=3)))
ODD: list[Any] = [
    None,
    -1,
    0,
    3,
    10**30,
    1.5,
    float("nan"),
    True,
    "",
    "x",
    "R1",
    "\ud800",
    [],
    {},
    [[]],
    {"a": 1},
    "9" * 50,
]


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value, lists by their first and last entries."""
    found = [path] if path else []
    if isinstance(data, dict):
        found += [place for key in data for place in places(data[key], (*path, key))]
    elif isinstance(data, list) and data:
        found += [place for index in {0, len(data) - 1} for place in places(data[index], (*path, index))]
    return found


def put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    spoiled = copy.deepcopy(data)
    inner = spoiled
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return spoiled


@pytest.mark.parametrize("form", ["kagiya", "live", "hle"])
@given(drawn=st.data())
@examples(120)
def test_a_value_replaced(form: str, drawn: st.DataObject) -> None:
    data = json.loads(games_content([RECORD], form))
    data |= {"live": {"options": {"emptyClues": True, "variant": "No Variant"}, "seed": "p3v0s1"}}.get(form, {})
    for _ in range(drawn.draw(st.integers(1, 2))):
        path = drawn.draw(st.sampled_from(places(data)))
        data = put(data, path, drawn.draw(st.sampled_from(ODD)))
    with suppress(RecordError):
        read_games(json.dumps(data))


@given(place=st.integers(0, 200), letter=st.sampled_from("aZ09,-#/<\0é "))
@examples(60)
def test_a_letter_of_a_link_replaced(place: int, letter: str) -> None:
    link = games_content([RECORD], "link").decode().strip()
    at = place % len(link)
    with suppress(RecordError):
        read_games((link[:at] + letter + link[at + 1 :]).encode())
