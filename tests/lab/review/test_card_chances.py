"""What a seat can know of its cards, by hints, convention and past moves, and that it never is the truth."""

import json
from collections import Counter

import pytest

from kagiya import Game, Seat, observe
from kagiya._jit import JIT_OFF
from kagiya.cards import Card
from kagiya.lab.review.card_chances import Basis, HandChances, SlotChances, chances, what_it_told
from kagiya.lab.review.samples import sample_games
from kagiya.lab.table.determinization import plausible_game
from tests.lab.review.games import chances_over_turns, game_at, log_losses, played

pytestmark = pytest.mark.skipif(JIT_OFF, reason="games by the thousand take minutes without the compiler")

SAMPLES = 200
HATS = ("hat-information",)


@pytest.mark.parametrize("turn", [0, 7, 30, 55])
def test_by_hints_they_are_those_of_the_observation(turn: int) -> None:
    game = game_at(played(), turn)
    for seat in range(3):
        found, hand = chances(game, seat), observe(game, Seat(seat)).mine
        assert found.basis == Basis.HINTS
        assert found.samples is None
        assert [each.slot for each in found.slots] == hand.slots
        for each in found.slots:
            assert sum(each.cards.values()) == pytest.approx(1)
            assert each.playable == pytest.approx(hand.playable_chance(each.slot))
            assert each.useless == pytest.approx(hand.useless_chance(each.slot))
            assert each.critical == pytest.approx(hand.critical_chance(each.slot))
            assert set(each.cards) <= set(hand.possible_cards(each.slot))
            assert list(each.cards.values()) == sorted(each.cards.values(), reverse=True)


def test_by_hints_they_are_how_often_samples_hold_a_card() -> None:
    game, samples = game_at(played(), 30), 600
    held = [Counter[Card]() for _ in range(5)]
    for sample in sample_games(game, game.seat, samples, None, seed=3):
        for slot, card in enumerate(sample.hands[game.seat]):
            held[slot][card] += 1
    for each in chances(game).slots:
        for card, chance in each.cards.items():
            assert abs(held[each.slot][card] / samples - chance) < 4 * (chance / samples) ** 0.5


@pytest.mark.parametrize(
    ("agent", "past_moves"), [(None, False), ("hat-information", False), ("hat-information", True)]
)
def test_nothing_depends_on_what_the_seat_cannot_see(agent: str | None, past_moves: bool) -> None:
    record = played(agents=HATS)
    for turn in (4, 29):
        game = game_at(record, turn)
        for seat in range(3):
            view = observe(game, Seat(seat))
            found = chances(game, seat, agent, past_moves, 20, seed=1)
            assert chances(view, None, agent, past_moves, 20, seed=1) == found
            assert chances(plausible_game(view, 5), seat, agent, past_moves, 20, seed=1) == found
            told = what_it_told(game, seat, agent, past_moves, 20, seed=1)
            assert told.after == found
            assert what_it_told(view, None, agent, past_moves, 20, seed=1) == told
            json.dumps(told.to_json())


def test_a_convention_says_more_than_hints_and_past_moves_more_still() -> None:
    record = played(agents=HATS)
    by_hints = list(chances_over_turns(record, 1))
    by_convention = list(chances_over_turns(record, 1, "hat-information"))
    assert len(by_hints) == len(by_convention) == len(record.moves) + 1
    assert sum(log_losses(by_convention)) < 0.8 * sum(log_losses(by_hints))
    for found, truth in by_convention + by_hints:
        assert all(each.cards.get(truth[each.order]) for each in found.slots)
    past = list(chances_over_turns(played(agents=("vdb",)), 1, "vdb", past_moves=True, samples=SAMPLES))
    usual = list(chances_over_turns(played(agents=("vdb",)), 1))
    assert all(found.basis == Basis.PAST_MOVES for found, _ in past)
    assert sum(log_losses(past)) < sum(log_losses(usual))


def test_sampled_chances_say_how_good_they_are() -> None:
    found = chances(game_at(played(agents=("vdb",)), 20), 1, "vdb", past_moves=True, samples=SAMPLES)
    assert found.samples == SAMPLES
    assert found.effective_samples is not None
    assert 1 <= found.effective_samples <= SAMPLES
    for each in found.slots:
        assert sum(each.cards.values()) == pytest.approx(1)


def test_log_loss_is_the_surprise_at_the_truth_in_bits() -> None:
    red, green = Card(0), Card(10)
    slots = (SlotChances(0, 3, {red: 1.0}, 1.0, 0.0, 0.0), SlotChances(1, 8, {red: 0.25, green: 0.75}, 1.0, 0.0, 0.0))
    found = HandChances(4, Seat(0), Basis.HINTS, None, None, None, slots)
    assert found.log_loss({3: red, 8: red}) == 1.0
    assert 5 < found.log_loss({3: green, 8: red}) < 6
    assert slots[0].bits == 0.0
    assert slots[1].bits == pytest.approx(0.811, abs=0.001)


def test_what_cannot_be_asked_is_refused() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="vdb does not say what its moves mean"):
        chances(game, 0, "vdb")
    with pytest.raises(ValueError, match="past moves are judged by an agent"):
        chances(game, 0, past_moves=True)
    with pytest.raises(ValueError, match="sees its own hand or the deck"):
        chances(game, 0, "cheatbot", past_moves=True)
    with pytest.raises(ValueError, match="samples must be an integer of at least 1"):
        chances(game, 0, "vdb", past_moves=True, samples=0)
    with pytest.raises(ValueError, match="this is what seat 0 knows, not seat 1"):
        chances(observe(game, Seat(0)), 1)
    with pytest.raises(ValueError, match="no move to take back"):
        what_it_told(game)
