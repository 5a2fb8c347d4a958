"""The cheapest assignment of cards to slots, against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy.optimize import linear_sum_assignment

from kagiya.cards import NO_CARD
from kagiya.engine.dice import next_word
from kagiya.engine.game import LANE, Game
from kagiya.rules import Rules
from kagiya.search import search_layout
from kagiya.search.deals.sampling import (
    ASSIGNMENT,
    COST_SHIFT,
    NO_EDGE,
    NO_HAND,
    assign_hand,
    cheapest_edges,
    keep_edge,
)
from tests.search.deals.hidden_hands import Dealer, unseen_cards, with_possible
from tests.strategies import any_game, examples

FORBIDDEN = float(1 << 40)


def drawn_costs(game: Game, seat: int, dealer: Dealer) -> np.ndarray:
    """The costs that the dealer's dice are about to draw, [slot held, physical card]."""
    rng, possible = dealer.rng.copy(), game.states[LANE]["possible"][seat].tolist()
    held = [slot for slot, card in enumerate(game.hands[seat]) if card != NO_CARD]
    costs = np.full((len(held), len(unseen_cards(game, seat))), FORBIDDEN)
    for column, kind in enumerate(unseen_cards(game, seat)):
        for row, slot in enumerate(held):
            if possible[slot] >> kind & 1:
                costs[row, column] = next_word(rng, search_layout.TRIAL, search_layout.SEARCH_STREAM)
    return costs


@given(game=any_game(), seat=st.integers(0, 4), seed=st.integers(0, 2**32))
@examples(300)
def test_a_hand_is_the_cheapest_of_the_costs_drawn(game: Game, seat: int, seed: int) -> None:
    seat %= game.rules.players
    dealer, unseen = Dealer(ASSIGNMENT, seed), unseen_cards(game, seat)
    costs = drawn_costs(game, seat, dealer)
    cost = assign_hand(game.states, LANE, seat, dealer.work, dealer.rng)
    rows, columns = linear_sum_assignment(costs)
    assert cost == costs[rows, columns].sum()
    hand = [card for card in dealer.work["hand"][: game.rules.hand_size] if card != NO_CARD]
    assert hand == [unseen[column] for column in columns]


@given(
    costs=st.integers(1, 5).flatmap(
        lambda rows: st.lists(
            st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=7, max_size=7), min_size=rows, max_size=rows
        )
    )
)
@examples(500)
def test_crowded_and_impossible_instances(costs: list[list[int | None]]) -> None:
    """Small costs on few cards: ties, clashes in every row, and rows that nothing is left for."""
    work = np.zeros(1, search_layout.SEARCH)[0]
    work["edges"] = NO_EDGE
    matrix = np.array([[FORBIDDEN if cost is None else cost for cost in row] for row in costs], float)
    for row, line in enumerate(costs):
        for column, cost in enumerate(line):
            if cost is not None:
                keep_edge(work, row, cost << COST_SHIFT | column)
    rows, columns = linear_sum_assignment(matrix)
    best = matrix[rows, columns].sum()
    assert cheapest_edges(work, len(costs)) == (NO_HAND if best >= FORBIDDEN else best)


@pytest.mark.parametrize("possible", [((0,), (0,)), ((), (0, 1))])
def test_there_may_be_no_hand(possible: tuple[tuple[int, ...], ...]) -> None:
    game = with_possible(Rules(colors=1, copies=(1, 1, 1, 1, 1), hand_size=2), [0, 1, 3, 4, 2], *possible)
    dealer = Dealer(ASSIGNMENT, 1)
    assert assign_hand(game.states, LANE, 0, dealer.work, dealer.rng) == NO_HAND
