"""What a seat's page is made from: everything in it follows from the seat's observation."""

from __future__ import annotations

import random
from xml.etree import ElementTree

import pytest

from kagiya.cards import Seat
from kagiya.drawing.card import Marks, Possible, card_back, card_face
from kagiya.drawing.chances import chance_bars
from kagiya.drawing.fireworks import discard_grid, fireworks
from kagiya.drawing.palette import SUITS
from kagiya.engine.game import Game
from kagiya.lab.statistics.pace import required_efficiency, view_required_efficiency
from kagiya.lab.table.hidden_cards import plausible_game
from kagiya.rules import Rules, parse_rules
from kagiya.view.observation import observe
from kagiya.web.seat.cards import for_page
from kagiya.web.seat.seat_state import Player
from kagiya.web.seat.sight import HandSight, Sight, see

pytestmark = pytest.mark.quick
PLAYERS = (Player("alice", ""), Player("bob", "careful"), Player("cathy", "careful"))


def seen(game: Game, seat: int = 0) -> Sight:
    return see(observe(game, Seat(seat)), PLAYERS, {})


def random_game(rules: Rules, seed: int, turns: int) -> Game:
    """A game in progress, by random moves that seldom lose a life."""
    game, dice = Game(rules, seed), random.Random(seed)
    while game.turn < turns and not game.is_over:
        safe = [move for move in game.legal_moves if not move.is_play or game.lives > 1]
        after = game.copy()
        after.make(dice.choice(safe or list(game.legal_moves)))
        if after.is_over:
            break
        game = after
    return game


def hand_of(sight: Sight, seat: int) -> HandSight:
    return next(hand for hand in sight.hands if hand.seat == seat)


def test_legal_hints_are_those_without_a_reason() -> None:
    for seed in range(10):
        game = random_game(Rules(players=3), seed, 9)
        sight = seen(game)
        offered = {hint.move for hand in sight.hands for hint in hand.hints if not hint.why_not}
        assert offered == {str(move) for move in game.legal_moves if move.is_hint}, seed
        assert bool(sight.why_no_discard) == (not any(move.is_discard for move in game.legal_moves))


@pytest.mark.parametrize("rules", ["standard", "goodman"])
def test_marks_follow_the_cards_that_moves_since_were_about(rules: str) -> None:
    game = Game(parse_rules(rules, 3), seed=2)
    game.make("hint bob 1" if "hint +1 1" in map(str, game.legal_moves) else game.legal_moves[0])
    touched = {card.order for card in hand_of(seen(game), 1).cards if card.is_touched_lately}
    assert touched
    assert touched == {card.order for card in hand_of(seen(game), 1).cards if card.color_told or card.rank_told}
    game.make("play 2")
    bob = hand_of(seen(game), 1)
    assert {card.order for card in bob.cards if card.is_touched_lately} == touched & {card.order for card in bob.cards}
    (new,) = (card for card in bob.cards if card.is_new)
    assert new.order == 15
    assert new.slot == (1 if rules == "goodman" else 4)
    game.make("hint alice " + seen_value(game))
    assert any(card.is_touched_lately for card in hand_of(seen(game), 0).cards)
    game.make("play 1")
    assert not any(card.is_touched_lately for card in hand_of(seen(game), 1).cards), "it was before alice's own move"


def seen_value(game: Game) -> str:
    """A rank that alice holds."""
    return str(game.hands[0][2] % 5 + 1)


def test_own_cards_are_nowhere_and_chances_are_exact() -> None:
    game = random_game(Rules(players=3), 3, 12)
    mine = hand_of(seen(game), 0)
    assert [card.card for card in mine.cards] == [None] * 5
    view = observe(game, Seat(0))
    assert [card.fits for card in mine.cards] == [view.mine.playable_chance(slot) for slot in range(5)]
    for hand in seen(game).hands[:-1]:
        assert all(card.fits in (0.0, 1.0) for card in hand.cards)


def test_efficiency_is_the_same_whatever_the_hidden_cards_are() -> None:
    for seed in range(8):
        game = random_game(Rules(players=3), seed, 30)
        for seat in range(3):
            wanted = view_required_efficiency(observe(game, Seat(seat)))
            other = view_required_efficiency(observe(plausible_game(observe(game, Seat(seat)), 1), Seat(seat)))
            assert wanted == other, (seed, seat)
    assert required_efficiency(game) == wanted


def test_drawings_for_the_page_are_shorter_and_still_well_formed() -> None:
    suits = SUITS[:5]
    drawings = [card_face(suits[0], 2, Marks(touched=True, critical=True)), fireworks((1, 2, 0, 5, 3), suits)]
    drawings += [card_back(Possible((0, 3), (1, 2)), Marks(moved=True), suits), chance_bars(0.2, 1.0, 0.0)]
    drawings.append(discard_grid((3, 2, 2, 2, 1), ((1, 0, 0, 2, 0),) * 5, (1, 2, 0, 5, 3), suits))
    for drawing in drawings:
        short = for_page(drawing)
        assert len(short) < len(drawing)
        assert [each.tag for each in ElementTree.fromstring(short).iter() if each.tag != "g"] == [
            each.tag for each in ElementTree.fromstring(drawing).iter() if each.tag != "g"
        ]
