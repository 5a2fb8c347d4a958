"""What holds in every game, whatever the rules, the deal and the moves."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings

from kagiya.cards import MAX_HAND, MAX_KINDS, NO_CARD, Card, card_color, card_rank
from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import LANE, Game
from kagiya.engine.record import GameRecord
from kagiya.moves import MOVES, MoveError
from tests.strategies import any_game, examples


def recounted(low: Any, high: Any) -> Counter[int]:
    """A multiset from its two planes."""
    counts = {card: (int(low) >> card & 1) + 2 * (int(high) >> card & 1) for card in range(MAX_KINDS)}
    return +Counter(counts)


def check_cards(game: Game) -> None:
    """Every physical card is in exactly one place, and the planes say the same as the places."""
    state = game.states[LANE]
    drawn = int(state["drawn"])
    deck = Counter(state["deck"][drawn : game.rules.deck_size].tolist())
    hands = [Counter(card for card in hand if card != NO_CARD) for hand in game.hands]
    played, discards = played_and_discarded(game)
    assert deck + sum(hands, Counter()) + played + discards == Counter(sorted_deck(game.rules))
    assert recounted(state["deck_low"], state["deck_high"]) == deck
    assert recounted(state["discard_low"], state["discard_high"]) == discards
    assert recounted(state["played"], 0) == played
    for seat, hand in enumerate(hands):
        assert recounted(state["hand_low"][seat], state["hand_high"][seat]) == hand
    assert set(state["deck"][:drawn]) <= {NO_CARD}


def played_and_discarded(game: Game) -> tuple[Counter[int], Counter[int]]:
    """From the story of the game, by the rule book."""
    played, discards = Counter[int](), Counter[int]()
    for event in game.events:
        if event.card is not None:
            below = {Card(card) for card in played if card_color(Card(card)) == card_color(event.card)}
            fits = event.move.is_play and len(below) == card_rank(event.card)
            (played if fits else discards)[event.card] += 1
    return played, discards


def check_slots(game: Game) -> None:
    """Each slot's place in the deck is its own and holds its card; its card is always possible."""
    state, deck = game.states[LANE], game.deck or ()
    places: list[int] = []
    for seat in range(game.rules.players):
        for slot in range(MAX_HAND):
            card, place = int(state["hands"][seat, slot]), int(state["order"][seat, slot])
            if card == NO_CARD:
                assert (place, state["possible"][seat, slot], state["told"][seat, slot]) == (NO_CARD, 0, 0)
                continue
            assert place < state["drawn"]
            assert deck[place] == card
            assert state["possible"][seat, slot] >> card & 1
            places.append(place)
    assert len(set(places)) == len(places)


def check(game: Game) -> None:
    check_cards(game)
    check_slots(game)


@given(game=any_game())
@examples(500)
def test_no_card_is_lost_or_made(game: Game) -> None:
    check(game)


@pytest.mark.parametrize("field", ["deck_low", "discard_high", "played", "hand_low", "hands", "order", "deck"])
def test_the_checks_above_notice_a_single_bit(field: str) -> None:
    game = Game(seed=6)
    game.make("play 1")
    check(game)
    game.states[field].reshape(-1)[0] ^= 1
    with pytest.raises(AssertionError):
        check(game)


@pytest.mark.parametrize(
    "wanted",
    [
        lambda game: game.is_bombed and game.points > 3,
        lambda game: game.is_over and game.points == game.rules.perfect_score > 5,
        lambda game: game.is_over and not game.is_bombed and game.points < game.rules.perfect_score,
        lambda game: not game.deck_left and not game.is_over and NO_CARD in game.hands[0],
        lambda game: game.turn > 60 and not game.is_over,
        lambda game: game.tokens == 0 and game.rules.players == 5,
    ],
    ids=["bombed", "perfect", "last round over", "last round", "long", "no token"],
)
def test_the_games_drawn_reach_everywhere(wanted: Callable[[Game], bool]) -> None:
    """The properties would be worth little if all games were alike."""
    find(any_game(), wanted, settings=settings(max_examples=3000, derandomize=True, phases=[Phase.generate]))


@given(game=any_game())
@examples(300)
def test_counters_stay_within_the_rules(game: Game) -> None:
    rules = game.rules
    assert 0 <= game.tokens <= rules.hint_tokens
    assert 0 <= game.lives <= rules.lives
    assert game.seat == game.turn % rules.players
    assert game.points == sum(game.fireworks) <= game.reachable_points <= rules.perfect_score
    assert game.score in (game.points, 0)
    assert game.is_over == (not game.legal_moves)
    assert len(game.moves) == len(game.events) == game.turn


@given(game=any_game())
@examples(60)
def test_legal_moves_are_accepted_and_others_refused_with_a_reason(game: Game) -> None:
    before = game.states.copy()
    for move in MOVES:
        other = game.copy()
        if move in game.legal_moves:
            assert game.why_illegal(move) is None
            other.make(move)
            assert other.turn == game.turn + 1
        else:
            with pytest.raises(MoveError, match=r"is illegal: \w+"):
                other.make(move)
            assert np.array_equal(other.states, before)
    assert np.array_equal(game.states, before)


@given(game=any_game())
@examples(150)
def test_records_are_read_back_and_lead_to_the_same_position(game: Game) -> None:
    record = GameRecord.of(game, ["test"] * game.rules.players, seed=None)
    again = GameRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert again == record
    games = [again.deal(), *again.replay()]
    assert np.array_equal(games[-1].states, game.states)
    assert games[-1].events == game.events
