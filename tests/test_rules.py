"""Rules as data: defaults, presets, text and JSON forms, and the refusal of what cannot be played."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given

from kagiya.rules import MAX_DECK, PRESETS, BombScore, DrawnCard, Rules, RulesError, parse_rules
from tests.strategies import any_rules, examples


@pytest.mark.parametrize(("players", "hand_size"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_the_rule_book(players: int, hand_size: int) -> None:
    rules = Rules(players=players)
    assert (rules.hand_size, rules.deck_size, rules.perfect_score, rules.ranks) == (hand_size, 50, 25, 5)
    assert (rules.hint_tokens, rules.lives, rules.bomb_score) == (8, 3, BombScore.ZERO)
    assert not rules.empty_hints
    assert not rules.discard_at_full_tokens


def test_six_colors_and_small_games() -> None:
    assert Rules(colors=6).deck_size == MAX_DECK
    assert Rules.preset("hle-small", players=2).deck_size == 20
    assert Rules.preset("hle-very-small", players=5).hand_size == 2


def test_rules_are_values() -> None:
    assert len({Rules(players=3), Rules(players=3, hand_size=5), Rules(players=3, bomb_score="zero")}) == 1  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError):
        Rules().players = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"players": 1}, "players must be an integer from 2 to 5, not 1"),
        ({"players": 6}, "players must be .*, not 6"),
        ({"players": "2"}, "players must be .*, not '2'"),
        ({"players": True}, "players must be .*, not True"),
        ({"hand_size": 6}, "hand_size must be .* from 1 to 5, not 6"),
        ({"hand_size": -1}, "hand_size must be"),
        ({"colors": 0}, "colors must be"),
        ({"colors": 7}, "colors must be"),
        ({"copies": ()}, "the number of ranks must be"),
        ({"copies": (3, 2, 2, 2, 1, 1)}, "the number of ranks must be"),
        ({"copies": (4, 2)}, "copies of a rank must be"),
        ({"copies": (0, 2)}, "copies of a rank must be"),
        ({"hint_tokens": 0}, "hint_tokens must be"),
        ({"hint_tokens": 21}, "hint_tokens must be"),
        ({"discard_below": -1}, "discard_below must be an integer from 0 to 20, not -1"),
        ({"discard_below": True}, "discard_below must be"),
        ({"discard_below": 7, "discard_at_full_tokens": True}, "contradict each other"),
        ({"lives": 0}, "lives must be"),
        ({"lives": 2.0}, "lives must be"),
        ({"empty_hints": 1}, "empty_hints must be true or false, not 1"),
        ({"bomb_score": "half"}, "bomb_score must be one of zero, keep, not 'half'"),
        ({"drawn_card": "start"}, "drawn_card must be one of end, vacated, not 'start'"),
        ({"players": 5, "hand_size": 5, "colors": 1}, "25 cards are dealt to 5 players but the deck has 10"),
    ],
)
def test_impossible_rules_say_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules(**changes)


def test_a_deck_larger_than_the_record_holds_is_refused() -> None:
    with pytest.raises(RulesError, match="60"):
        Rules(colors=6, copies=(3, 3, 3, 3, 3))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", PRESETS)
def test_presets_are_read_by_name_and_text(name: str, players: int) -> None:
    rules = Rules.preset(name, players)
    assert rules.players == players
    assert parse_rules(name, players) == rules
    assert parse_rules(rules.text(), players) == rules


def test_text_prefers_the_rule_book_and_names_what_differs() -> None:
    assert Rules().text() == "standard"
    assert Rules(lives=4).text() == "standard(lives=4)"
    assert Rules.preset("goodman", 3, hint_tokens=9).text() == "goodman(hint_tokens=9)"
    assert Rules(players=4, copies=(3, 2, 1)).text() == "standard(copies=3/2/1)"


@given(rules=any_rules())
@examples(200)
def test_text_and_json_are_read_back(rules: Rules) -> None:
    assert parse_rules(rules.text(), rules.players) == rules
    assert Rules.from_json(json.loads(json.dumps(rules.to_json()))) == rules


@pytest.mark.parametrize(
    "text",
    [
        *("", "standart", "standard(", "standard)", "standard(lives)", "standard(lives=)", "standard(lives=0)"),
        *("standard(lifes=3)", "standard(copies=3/x)", "standard(lives=3, lives=4)", "standard(empty_hints=2)"),
        "standard lives=3",
        "standard(players=3)",
        "standard(name=3)",
    ],
)
def test_text_that_is_no_rules_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        parse_rules(text)


def test_numbers_of_more_digits_than_python_reads_are_refused_by_the_name_of_the_rule() -> None:
    with pytest.raises(RulesError, match="lives must be an integer from 1 to 20"):
        parse_rules(f"standard(lives={'9' * 5000})")


@pytest.mark.parametrize(
    "change",
    [
        {"lives": "3"},
        {"lives": None},
        {"copies": 3},
        {"copies": [[1]]},
        {"copies": [3, 2, 2, 2, 1.5]},
        {"bomb_score": []},
        {"players": [2]},
        {"hand_size": {}},
        {"luck": 1},
    ],
)
def test_json_that_is_no_rules_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Rules.from_json(Rules().to_json() | change)


def test_discards_may_need_fewer_tokens_than_one_missing() -> None:
    limits = [Rules(hint_tokens=tokens, discard_below=7).discard_limit for tokens in (3, 7, 8, 12)]
    assert limits == [3, 7, 7, 7]
    assert (Rules().discard_limit, Rules(discard_at_full_tokens=True).discard_limit) == (8, 9)
    assert Rules(discard_below=7).text() == "standard(discard_below=7)"
    assert parse_rules("bouzy").discard_below == 7
    assert Rules.preset("bouzy", discard_below=0) == Rules(bomb_score=BombScore.KEEP, empty_hints=True)
    assert all(not rules.discard_below for name, rules in PRESETS.items() if name != "bouzy")


def test_json_of_before_there_was_a_number_to_discard_below_is_read() -> None:
    assert "discard_below" not in Rules().to_json()
    assert Rules(discard_below=7).to_json()["discard_below"] == 7
    assert Rules.from_json(Rules().to_json() | {"discard_below": 0}) == Rules()


def test_json_with_a_key_missing_or_of_another_kind_is_refused() -> None:
    for name in (field.name for field in fields(Rules) if field.name != "discard_below"):
        with pytest.raises(RulesError, match="exactly the keys"):
            Rules.from_json({key: value for key, value in Rules().to_json().items() if key != name})
    others: list[Any] = [None, [], "standard", 3]
    for data in others:
        with pytest.raises(RulesError):
            Rules.from_json(data)


def test_every_caption_tells_the_two_rules_that_scores_depend_on() -> None:
    captions = {Rules(bomb_score=bomb, empty_hints=empty).caption() for bomb in BombScore for empty in (False, True)}
    assert len(captions) == 4
    assert Rules(players=4).caption() == "4 players, 4 cards; a bomb scores 0; empty hints illegal"
    assert Rules.preset("bouzy", 3).caption() == "3 players, 5 cards; a bomb keeps the points; empty hints legal"


def test_preset_changes_and_names_are_checked() -> None:
    assert Rules.preset("goodman").drawn_card is DrawnCard.VACATED
    assert Rules.preset("standard", 2, hand_size=3).hand_size == 3
    with pytest.raises(RulesError, match="no rules named 'godman'"):
        Rules.preset("godman")
    with pytest.raises(RulesError, match="no rule named 'lifes'"):
        Rules.preset("standard", 2, lifes=3)
