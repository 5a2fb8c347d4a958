"""The page of vectors says where everything stands: every entry once, and the numbers of moves."""

import re

import numpy as np
import pytest

from kagiya import Game, Rules
from kagiya.rl import Encoding
from kagiya.rl.layout_page import observation_page
from kagiya.rl.vectors import num_uids


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_entry_is_named_once(players: int) -> None:
    table = observation_page().split(f"## Every range, {players} players")[1].split("##")[0]
    found = re.findall(r"\| (\d+)(?:-(\d+))? \|$", table, re.MULTILINE)
    entries = [entry for first, last in found for entry in range(int(first), int(last or first) + 1)]
    assert entries == list(range(Encoding().entries(Rules(players=players))))


def test_a_range_holds_what_the_page_says() -> None:
    game = Game(Rules(players=2), seed=1)
    game.make("hint bob 1")
    first, last = re.findall(r"\| tokens, as many ones \| board \| (\d+)-(\d+) \|", observation_page())[0]
    np.testing.assert_array_equal(Encoding().encode(game)[int(first) : int(last) + 1], [1] * game.tokens + [0])


def test_the_numbers_of_moves_end_with_the_no_op() -> None:
    row = re.findall(r"\| no-op \| (.*) \|", observation_page())[0]
    assert [int(cell) for cell in row.split(" | ")] == [num_uids(Rules(players=players)) for players in (2, 3, 4, 5)]
