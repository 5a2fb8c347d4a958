"""Counts of positions with all hands known beside their slow twin, and what a network makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from kagiya.cards import card_color, card_rank
from kagiya.engine.game import LANE, Game
from kagiya.learn.networks import Network, load, network_file, network_row
from kagiya.learn.values import (
    COUNTS,
    FORECAST_FEATURES,
    FORECAST_NAMES,
    forecast,
    write_forecast_features,
)
from kagiya.view.view_kernels import critical_kinds
from tests.strategies import any_game, examples


def by_hand(game: Game) -> dict[str, float]:
    """The counts, card by card."""
    state = game.states[LANE]
    places = [(seat, slot) for seat in range(int(state["players"])) for slot in range(int(state["hand_size"]))]
    slots = [place for place in places if state["hands"][place] >= 0]
    cards = [int(state["hands"][place]) for place in slots]
    useless, critical = int(state["useless"]), int(critical_kinds(game.states, LANE))
    fits = [card for card in range(30) if int(state["playable"]) >> card & 1 and not useless >> card & 1]
    possible = [{kind for kind in range(30) if int(state["possible"][place]) >> kind & 1} for place in slots]
    known = [bool(kinds & set(fits)) and all(k in fits or useless >> k & 1 for k in kinds) for kinds in possible]
    told = [state["told"][place] != 0 for place in slots]
    left, chain = int(state["deck_size"]) - int(state["drawn"]), 0
    for color in range(int(state["colors"])):
        ranks = {int(card_rank(card)) for card in cards if card_color(card) == color}
        height = int(state["fireworks"][color])
        while height in ranks:
            height, chain = height + 1, chain + 1
    return {
        "points": int(sum(state["fireworks"])),
        "tokens": int(state["tokens"]),
        "lives": int(state["lives"]),
        "deck": left,
        "turns_left": int(state["turns_left"]) if left == 0 else int(state["players"]) + 1,
        "reachable": int(sum(state["fireworks"])) + bin(int(state["kinds"]) & ~useless).count("1"),
        "kinds_playable": len({card for card in cards if int(state["playable"]) >> card & 1}),
        "kinds_useful": len({card for card in cards if not useless >> card & 1}),
        "chain": chain,
        "cards": len(cards),
        "repeats": len(cards) - len(set(cards)),
        "useless": sum(useless >> card & 1 for card in cards),
        "critical": sum(critical >> card & 1 for card in cards),
        "touched": sum(told),
        "useless_touched": sum(t and useless >> card & 1 for t, card in zip(told, cards, strict=True)),
        "critical_touched": sum(t and critical >> card & 1 for t, card in zip(told, cards, strict=True)),
        "playable_touched": sum(t and card in fits for t, card in zip(told, cards, strict=True)),
        "known_playable": sum(known),
        "known_useless": sum(all(useless >> kind & 1 for kind in kinds) for kinds in possible),
        "seats_that_can_play": len({place[0] for place, k in zip(slots, known, strict=True) if k}),
    }


@given(game=any_game())
@examples(200)
def test_every_count_is_the_one_by_hand(game: Game) -> None:
    out = np.full(FORECAST_FEATURES, np.nan)
    write_forecast_features(game.states, LANE, out)
    expected = by_hand(game)
    assert tuple(expected) == FORECAST_NAMES
    assert dict(zip(FORECAST_NAMES, out[:COUNTS].tolist(), strict=True)) == expected, game.position()
    share = expected["deck"] / int(game.states[LANE]["deck_size"])
    assert out[COUNTS:] == pytest.approx(share * out[:COUNTS])


def any_network(seed: int) -> Network:
    rng = np.random.default_rng(seed)
    shapes = (FORECAST_FEATURES,), (FORECAST_FEATURES, 1), (1,)
    mean, weights, bias = (rng.normal(size=shape).astype(np.float32) for shape in shapes)
    return Network("forecast", mean, np.abs(mean) + 1, (weights,), (bias,))


@given(game=any_game())
@examples(50)
def test_the_value_is_the_points_and_what_the_network_adds(game: Game) -> None:
    network, counts = any_network(1), np.zeros(FORECAST_FEATURES)
    write_forecast_features(game.states, LANE, counts)
    found = forecast(game.states, LANE, np.array([network_row(network)]), 0)
    assert found == pytest.approx(counts[0] + network.answer(counts[None, :])[0, 0], abs=1e-3)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_forecast_ships_for_every_number_of_players(players: int) -> None:
    network = load(str(network_file(f"forecast-{players}")), "forecast")
    assert network.widths == [FORECAST_FEATURES, 1]
    assert network.provenance["agent"] == "smartbot(safe=yes)"
    assert network.provenance["seed"] >= 50_000_001  # games that are never reported
