"""Games of hanab.live as other programs and other years wrote them: the same game in other words."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest

from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord, RecordError, is_settled
from kagiya.interop.files import HOST, read_games
from kagiya.interop.live_json import compact, write_live_json
from kagiya.lab.deals import live_deck
from kagiya.rules import Rules
from tests.interop.game_samples import finished, record_of
from tests.interop.test_live_game import VALUED, played
from tests.strategies import careful_choice


def test_what_other_programs_write_beside_it_is_read() -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record))
    extra = {"notes": None, "options": None, "first_player": 0, "datetime": "2020-01-01", "score": 2, "seed": None}
    (again,) = read_games(compact(data | extra))
    assert played(again) == played(record)
    assert again.source["other_keys"] == "first_player, datetime, score"
    (again,) = read_games(compact(data | {"options": {"variantName": "No Variant"}}))
    assert played(again) == played(record)


def test_deck_plays_are_refused_only_where_one_is_made() -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record)) | {"options": {"deckPlays": True}}
    (again,) = read_games(compact(data))
    assert played(again) == played(record)
    assert json.loads(write_live_json(again))["options"] == {"deckPlays": True}
    data["actions"].append({"type": 0, "target": 49, "value": 0})
    with pytest.raises(RecordError, match=r"move 6, bob: the last card played straight from the deck \(deckPlays\)"):
        read_games(compact(data))


def test_a_seed_stands_for_its_deck() -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record))
    del data["deck"]
    empty: list[dict[str, Any]] = [{}, {"deck": None}, {"deck": []}]
    for deck in empty:
        (again,) = read_games(compact(data | deck | {"seed": "p2v0s8"}))
        assert played(again) == played(record)


def test_a_seed_says_the_variant_if_nothing_else_does() -> None:
    """It was read as No Variant once, with another deck and a score that nobody had."""
    game = Game(Rules(players=3, colors=6), deck=live_deck("p3v1s5", Rules(players=3, colors=6)))
    hint = {"type": 3, "target": 1, "value": 1 + int(game.hands[1][0]) % 5}
    (record,) = read_games(compact({"players": ["a", "b", "c"], "actions": [hint], "seed": "p3v1s5"}))
    assert (record.rules.colors, record.deal().hands) == (6, game.hands)


@pytest.mark.parametrize(
    "change",
    [
        {"players": 2},
        {"players": None, "options": {"numPlayers": 2}},
        {"players": None, "playerCount": 2},
        {"players": None, "options": {"playerCount": 2}},
        {"players": None, "seed": "p2v0s8"},
        {"options": {"numPlayers": 2, "variantName": "No Variant", "startingPlayer": 0}},
        {"options": {"variant": None, "timed": None, "somethingNew": False, "deckPlays": False}},
        {"options": {"variant": 0}},
        {"variant": 0},
        {"variantID": 0},
        {"id": "1234567"},
        {"characters": [{"name": "n/a", "metadata": -1}, None]},
    ],
)
def test_the_same_in_other_words(change: dict[str, Any]) -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record)) | change
    (again,) = read_games(compact({key: value for key, value in data.items() if value is not None}), names=True)
    assert played(again) == played(record)
    assert again.names == (("Alice", "Bob") if isinstance(data["players"], list) else ())
    assert again.source.get("id") == data.get("id")


def test_several_games_stand_in_a_file_in_any_way() -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record))
    pretty = json.dumps(data, indent=2)
    for text in (f"{pretty}\n{pretty}", json.dumps([data, data]), json.dumps({"games": [data, data]}, indent=1)):
        assert [played(each) for each in read_games(text)] == [played(record)] * 2
    assert played(read_games(json.dumps({"game": data}))[0]) == played(record)


def test_a_link_with_its_commas_escaped_is_read() -> None:
    assert played(read_games(HOST + VALUED.replace(",", "%2C"))[0]) == played(read_games(VALUED)[0])


def test_what_could_be_taken_for_html_is_escaped_as_the_site_does() -> None:
    record = replace(record_of(finished(1, Rules())), names=("<Ada>", "B & C"))
    text = write_live_json(record, with_names=True)
    assert r'"players":["\u003cAda\u003e","B \u0026 C"]' in text
    assert read_games(text, names=True)[0].names == record.names


def settled(seed: int, rules: Rules) -> GameRecord:
    """A game played until nothing more can be scored, and no further."""
    game, chooser = Game(rules, seed=seed), random.Random(seed)
    while not is_settled(game):
        game.make(careful_choice(game, chooser))
    assert not game.is_over
    return record_of(game, end="settled")


def test_moves_that_cannot_be_after_a_settled_end_are_left_out() -> None:
    """The site stops there, and its files may have what was pressed afterwards."""
    record = settled(0, Rules(players=4))
    data = json.loads(write_live_json(record))
    beyond = [{"type": 0, "target": 60, "value": 0}] * 2
    (again,) = read_games(compact(data | {"actions": data["actions"] + beyond}))
    assert played(again) == played(record)
    assert again.source["moves_after_the_end"] == "2"


def test_a_score_of_0_for_moves_that_stop_is_a_game_broken_off() -> None:
    data = json.loads(write_live_json(read_games(VALUED)[0]))
    (record,) = read_games(compact(data | {"score": 0}))
    assert (record.end, record.score, record.points) == ("terminated", 0, 2)


@pytest.mark.parametrize(("kind", "end"), [(4, "timeout"), (5, "idle")])
def test_ends_of_2019_are_read(kind: int, end: str) -> None:
    card = {"type": 1, "target": 0, "clue": {"type": 0, "value": 0}}  # every action had a clue
    data = json.loads(write_live_json(read_games(VALUED)[0])) | {"actions": [card, {"type": kind, "target": 0}]}
    (record,) = read_games(compact(data))
    assert (record.end, record.turns, record.moves[0].is_play) == (end, 1, True)
    data["actions"][1]["type"] = 3
    with pytest.raises(RecordError, match="move 2: a card played straight from the deck"):
        read_games(compact(data))


def test_the_form_of_2019_is_read() -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record))
    deck = [{"suit": card["suitIndex"], "rank": card["rank"]} for card in data["deck"]]
    kinds = {0: 1, 1: 2}
    actions = [
        {"type": kinds[action["type"]], "target": action["target"]}
        if action["type"] in kinds
        else {
            "type": 0,
            "target": action["target"],
            "clue": {"type": int(action["type"] == 2), "value": action["value"]},
        }
        for action in data["actions"]
    ]
    old = {"variant": "No Variant", "players": ["a", "b"], "first_player": 0, "notes": [[], []], "deck": deck}
    (again,) = read_games(json.dumps(old | {"actions": actions}))
    assert played(again) == played(record)
    with pytest.raises(RecordError, match="move 1: expected a clue with type 0 or 1"):
        read_games(json.dumps(old | {"actions": [{"type": 0, "target": 1, "clue": 7}]}))
    with pytest.raises(RecordError, match="move 2: expected a small number"):
        read_games(json.dumps(old | {"actions": [actions[0], {"type": [], "target": 1}]}))
    with pytest.raises(RecordError, match="move 2, bob: -1 is not a kind of action"):
        read_games(json.dumps(old | {"actions": [actions[0], {"type": 9, "target": 1}]}))
