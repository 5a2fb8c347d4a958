"""Compiled networks give the same answers as matrices do; a file gives back what was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, strategies as st

from kagiya._jit import kernel, stack_array
from kagiya.engine.game import LANE, Game
from kagiya.learn.networks import VALUE_KINDS, ModelError, Network, network_row, read_network, write_network
from kagiya.learn.values import MAX_WIDTH, finish_network, start_layer, value_moves
from kagiya.moves import NUM_MOVES
from tests.learn.by_hand import all_features
from tests.learn.networks import random_network
from tests.search.deals.convention_by_hand import heard
from tests.strategies import any_game, examples

START = 3  # the network need not begin with its row
LAYERS = [(30,), (1,), (256,), (8, 5), (64, 32, 16), ()]


def row_of(network: Network) -> npt.NDArray[np.float64]:
    row = [0.0] * START + network_row(network)
    return np.array([row, [1.0] * len(row)])


@pytest.mark.parametrize("hidden", LAYERS)
@pytest.mark.parametrize(("kind", "outputs"), [("value", 1), ("rules", 9)])
def test_the_kernel_answers_as_the_matrices_do(hidden: tuple[int, ...], kind: str, outputs: int) -> None:
    network = random_network(1, hidden, kind, outputs)
    rows, dice = row_of(network), np.random.default_rng(2)
    for inputs in dice.uniform(0, 1, (20, network.widths[0])):
        units = np.zeros(MAX_WIDTH)
        start_layer(rows, 0, START, inputs, len(inputs), units)
        finish_network(rows, 0, START, units)
        assert np.allclose(units[:outputs], network.answer(inputs[None])[0], atol=1e-9)


@given(game=any_game(), convention=st.sampled_from([0, 1, 2]), kind=st.sampled_from(VALUE_KINDS))
@examples(100)
def test_the_value_of_a_move_is_the_points_and_what_the_network_adds(game: Game, convention: int, kind: str) -> None:
    """Or what the network says alone, if it was trained on scores."""
    if game.is_over:
        return
    network, values = random_network(3, kind=kind), np.full(NUM_MOVES, np.nan)
    moves, masks = game.legal_moves, heard(game, convention)["convention_masks"].copy()
    mask = sum(1 << int(move) for move in moves)
    value_moves(game.states, LANE, game.seat, masks, convention, row_of(network), 0, START, mask, values)
    inputs = np.array([all_features(game, move, convention) for move in moves])
    points = game.points if kind == "value" else 0
    expected = points + game.rules.perfect_score * network.answer(inputs)[:, 0]
    assert np.allclose(values[[int(move) for move in moves]], expected, atol=1e-6)


@pytest.mark.parametrize("hidden", LAYERS)
def test_a_file_gives_back_the_network(hidden: tuple[int, ...], tmp_path: Path) -> None:
    network = random_network(4, hidden)
    write_network(tmp_path / "n.safetensors", network)
    again = read_network(tmp_path / "n.safetensors", "value")
    assert network_row(again) == network_row(network)
    assert again.provenance == {"seed": 4}
    assert [path.name for path in tmp_path.iterdir()] == ["n.safetensors"]


def test_a_network_of_scores_may_stand_for_one_of_values_and_no_other_may(tmp_path: Path) -> None:
    for kind in ("score", "forecast"):
        write_network(tmp_path / kind, random_network(4, kind=kind))
    assert read_network(tmp_path / "score", "value").kind == "score"
    with pytest.raises(ModelError, match="of kind 'forecast', expected 'value'"):
        read_network(tmp_path / "forecast", "value")


numbers = stack_array("float64", 5)


@kernel
def sum_on_the_stack(n):  # type: ignore[no-untyped-def]
    array = numbers()
    for place in range(5):
        array[place] = n * place
    return array.sum() + len(array)


def test_a_kernel_has_an_array_of_its_own() -> None:
    assert sum_on_the_stack(2) == 25
