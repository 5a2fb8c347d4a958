"""The table as data to be drawn: what is made for a seat follows from its observation."""

from __future__ import annotations

import random

import pytest

from kagiya.cards import HIDDEN_CARD, Seat, each_seat
from kagiya.engine.game import Game
from kagiya.lab.pace import required_efficiency, view_required_efficiency
from kagiya.lab.table.determinization import plausible_game
from kagiya.rules import Rules, parse_rules
from kagiya.view.observation import observe
from kagiya.view.table_view import Labels, TableHand, TableView

pytestmark = pytest.mark.quick


def seen(game: Game, seat: int = 0) -> TableView:
    return TableView.of_observation(observe(game, Seat(seat)))


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


def test_legal_hints_are_those_without_a_reason() -> None:
    for seed in range(10):
        game = random_game(Rules(players=3), seed, 9)
        view = seen(game)
        offered = {hint.move for hand in view.hands for hint in view.hints_for(hand) if not hint.why_not}
        assert offered == {str(move) for move in game.legal_moves if move.is_hint}, seed
        assert bool(view.why_no_discard) == (not any(move.is_discard for move in game.legal_moves))


@pytest.mark.parametrize("rules", ["standard", "goodman"])
def test_marks_follow_the_cards_that_moves_since_were_about(rules: str) -> None:
    game = Game(parse_rules(rules, 3), seed=2)
    game.make("hint bob 1" if "hint +1 1" in map(str, game.legal_moves) else game.legal_moves[0])
    touched = {card.order for card in seen(game).hands[1].cards if card.marks.moved}
    assert touched
    assert touched == {card.order for card in seen(game).hands[1].cards if card.marks.touched}
    game.make("play 2")
    bob = seen(game).hands[1]
    assert {card.order for card in bob.cards if card.marks.moved} == touched & {card.order for card in bob.cards}
    (new,) = (card for card in bob.cards if card.is_new)
    assert new.order == 15
    assert new.slot == (1 if rules == "goodman" else 4)
    game.make("hint alice " + seen_value(game))
    assert any(card.marks.moved for card in seen(game).hands[0].cards)
    game.make("play 1")
    assert not any(card.marks.moved for card in seen(game).hands[1].cards), "it was before alice's own move"


def seen_value(game: Game) -> str:
    """A rank that alice holds."""
    return str(game.hands[0][2] % 5 + 1)


def test_own_cards_are_nowhere_and_chances_are_exact() -> None:
    game = random_game(Rules(players=3), 3, 12)
    mine = seen(game).hands[0]
    assert [card.card for card in mine.cards] == [HIDDEN_CARD] * 5
    view = observe(game, Seat(0))
    assert [card.chances.fits for card in mine.cards if card.chances] == [
        view.mine.playable_chance(slot) for slot in range(5)
    ]
    for hand in seen(game).in_turn_order[:-1]:
        assert all(card.chances and set(card.chances) <= {0.0, 1.0} for card in hand.cards)


def test_efficiency_is_the_same_whatever_the_hidden_cards_are() -> None:
    for seed in range(8):
        game = random_game(Rules(players=3), seed, 30)
        for seat in range(3):
            wanted = view_required_efficiency(observe(game, Seat(seat)))
            other = view_required_efficiency(observe(plausible_game(observe(game, Seat(seat)), 1), Seat(seat)))
            assert wanted == other, (seed, seat)
    assert required_efficiency(game) == wanted


def knowledge(hand: TableHand) -> list[tuple[object, ...]]:
    return [(card.order, card.kinds, card.marks.told_color, card.marks.told_rank) for card in hand.cards]


def test_all_eyes_see_one_table() -> None:
    """A seat sees the others' cards, everybody all of them, each with what its owner knows; nobody sees any."""
    for seed in range(6):
        game = random_game(Rules(players=3), seed, 20)
        everything, public = TableView.of_game(game), TableView.public(game)
        middles = [view.to_json() for view in (everything, public, *(seen(game, seat) for seat in range(3)))]
        assert all({**each, "hands": 0, "seat": 0} == {**middles[0], "hands": 0, "seat": 0} for each in middles)
        assert [tuple(card.card for card in hand.cards) for hand in everything.hands] == list(game.hands)
        for seat in each_seat(3):
            mine = seen(game, seat).mine
            assert knowledge(mine) == knowledge(everything.hands[seat])
            for card, known in zip(mine.cards, public.hands[seat].cards, strict=True):
                assert (known.card, known.chances) == (HIDDEN_CARD, None)
                assert set(card.kinds) <= set(known.kinds)
                assert not known.marks.playable or card.marks.playable


def test_labels_are_written_where_they_belong() -> None:
    game = Game(Rules(players=2), seed=1)
    labels = Labels(("Ann", "Ben"), ("", "careful"), {0: "keep"}, {(1, 3)})
    view = TableView.of_game(game, Seat(0), labels)
    assert [(hand.name, hand.player, hand.is_mine) for hand in view.hands] == [
        ("Ann", "", True),
        ("Ben", "careful", False),
    ]
    assert [card.note for card in view.mine.cards] == ["keep", "", "", "", ""]
    assert [card.slot for card in view.hands[1].cards if card.marks.moved] == [3]
    assert [hand.seat for hand in TableView.of_game(game, Seat(1)).in_turn_order] == [0, 1]
