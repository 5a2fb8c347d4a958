"""hanab.live's JSON and links: read, written, and the same again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from kagiya.engine.batch import sorted_deck
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop.files import HOST, games_content, read_games, write_link
from kagiya.interop.live_json import compact, write_live_json
from kagiya.rules import Rules
from tests.interop.game_samples import any_live_game, finished, record_of
from tests.strategies import examples

# The specification's example: the deal p2v0s8 and its first five moves, in both forms of a play.
BARE = "215iupcvqbmewknwrxqr-vflgflkbhxjnshifakcy-duatsaopdumpg,031bla-acoaab,0"
VALUED = "215iupcvqbmewknwrxqr-vflgflkbhxjnshifakcy-duatsaopdumpg,031bla-ecoaeb,0"


def played(record: GameRecord) -> tuple[Any, ...]:
    """What a record says of its game, without where it comes from."""
    return record.rules, record.deck, record.moves, record.score, record.points, record.end


@pytest.mark.parametrize(
    "link",
    [
        *(BARE, VALUED, HOST + BARE, f"https://hanab.live/shared-replay-json/{VALUED}#4"),
        f"{HOST}{VALUED},p2v0s8",  # some programs add the seed, and do not count it when they set dashes
        f"{HOST}{VALUED},p2v0s8-of-some-long-name,more#4",
        HOST + VALUED.replace("-", ""),  # some programs set no dashes
    ],
)
def test_the_example_of_the_specification(link: str) -> None:
    (record,) = read_games(link)
    assert record.deck.startswith("Y4 B1 W1 R3 B2")
    assert [str(move) for move in record.moves] == ["hint +1 5", "hint +1 1", "play 3", "hint +1 green", "play 2"]
    assert record.suits == ("red", "yellow", "green", "blue", "purple")
    assert (record.points, record.end, record.seats) == (2, "unfinished", ("human", "human"))
    assert record.source.get("turn") == ("4" if "#" in link else None)
    assert write_link(record) == link


@given(game=any_live_game(options=False), end=st.sampled_from(["", "", "terminated", "timeout"]))
@examples(40)
def test_links_and_json_are_read_back(game: Game, end: str) -> None:
    record = record_of(game, end="" if game.is_over else end)
    record = replace(record, source={"ended_by": "1"} if record.end == end else {})
    link, text = write_link(record), write_live_json(record)
    for written, write in ((link, write_link), (text, write_live_json)):
        (again,) = read_games(written)
        settled = replace(record, end="settled") if again.end == "settled" else record
        assert played(again) == played(settled)
        assert write(again) == written
    (crossed,) = read_games(write_live_json(read_games(link)[0]))
    assert write_link(replace(crossed, source=record.source)) == link


@given(game=any_live_game(), start=st.integers(0, 4))
@examples(40)
def test_json_with_options_is_byte_exact(game: Game, start: int) -> None:
    """Whoever begins: in the file another player is dealt to first than in the record."""
    ours = record_of(game)
    stated = json.loads(write_live_json(ours)).get("options", {})
    options = {"startingPlayer": start % game.rules.players} | stated | {"timed": True, "timeBase": 120}
    data = json.loads(write_live_json(replace(ours, source={"options": compact(options)})))
    assert data["options"] == options
    data = {"id": 123456, **data}
    data["players"] = [f"Spieler {n} <ü>" for n in range(game.rules.players)]
    data |= {"notes": [["r1", "", "[f]"]] * game.rules.players, "seed": "p2v0s8"}
    text = compact(data)
    (record,) = read_games(text, names=True)
    settled = replace(ours, end="settled") if record.end == "settled" else ours
    assert played(record) == played(settled)
    assert record.names == tuple(data["players"])
    assert write_live_json(record, with_names=True) == text
    (bare,) = read_games(text)
    assert (bare.names, "notes" in bare.source) == ((), False)
    assert record.anonymous() == bare


def test_whoever_begins_sits_first() -> None:
    """Games before April 2020 may begin with another player; the deal still begins with player 0."""
    game = Game(Rules(players=3), seed=5)
    data = json.loads(write_live_json(record_of(game)))
    hint = {"type": 3, "target": 0, "value": 1 + int(game.hands[0][0]) % 5}
    play = {"type": 0, "target": 10, "value": 0}  # the oldest card of player 2
    for start, actions in ((1, [hint]), (2, [play, {"type": 0, "target": 4, "value": 0}])):
        text = compact(data | {"actions": actions, "options": {"startingPlayer": start}})
        (record,) = read_games(text)
        dealt = record.deal()
        assert [dealt.hands[(seat - start) % 3] for seat in range(3)] == list(game.hands)
        assert record.turns == len(actions)
        assert write_live_json(record) == text
    assert [str(move) for move in record.moves] == ["play 1", "play 5"]


@pytest.mark.parametrize("types", ["00", "33", "14", "50", "99"])
def test_a_range_of_kinds_that_the_game_does_not_keep_to_is_written_anew(types: str) -> None:
    record = record_of(finished(1, Rules()))
    link = write_link(replace(record, source={"format": "link", "types": types}))
    assert read_games(link)[0].moves == record.moves
    assert link == write_link(record)


def test_names_stay_out_unless_they_are_wanted() -> None:
    record = replace(record_of(finished(1, Rules())), names=("Ada", "Bob"))
    text = write_live_json(record, with_names=True)
    assert json.loads(text)["players"] == ["Ada", "Bob"]
    assert json.loads(write_live_json(record))["players"] == ["Alice", "Bob"]
    assert "Ada" not in json.dumps(read_games(text)[0].to_json())


def test_half_a_character_in_a_name_can_be_written() -> None:
    record = replace(record_of(finished(1, Rules())), names=("\ud800", "ü"))
    for form in ("live", "kagiya"):
        (again,) = read_games(games_content([record], form, names=True), names=True)
        assert again.names == record.names


@pytest.mark.parametrize(
    ("action", "end"),
    [
        ({"type": 4, "target": 1, "value": 4}, "terminated"),
        ({"type": 4, "target": 0, "value": 3}, "timeout"),
        ({"type": 4, "target": -1, "value": 6}, "idle"),
        ({"type": 5, "target": -1, "value": 10}, "vote"),
    ],
)
def test_a_game_broken_off_scores_0_and_keeps_its_points(action: dict[str, int], end: str) -> None:
    (record,) = read_games(VALUED)
    data = json.loads(write_live_json(record))
    text = compact(data | {"actions": [*data["actions"], action]})
    (broken,) = read_games(text)
    assert (broken.end, broken.score, broken.points) == (end, 0, 2)
    assert write_live_json(broken) == text
    assert GameRecord.from_json(broken.to_json()) == broken


def test_a_bombed_game_scores_0() -> None:
    record = record_of(finished(3, Rules(players=4), careful=False))
    (again,) = read_games(write_live_json(record))
    assert (again.end, again.score, again.points) == ("bombed", 0, record.points)


@pytest.mark.parametrize("value", [1, 2])
def test_an_end_that_other_programs_write_is_taken(value: int) -> None:
    record = record_of(finished(2, Rules()))
    data = json.loads(write_live_json(record))
    end = {"type": 4, "target": 0, "value": value}
    assert played(read_games(compact(data | {"actions": [*data["actions"], end]}))[0]) == played(record)


def test_moves_after_the_end_are_left_out_and_counted() -> None:
    record = record_of(finished(2, Rules()))
    data = json.loads(write_live_json(record))
    (again,) = read_games(compact(data | {"actions": data["actions"] + data["actions"][:2]}))
    assert played(again) == played(record)
    assert again.source["moves_after_the_end"] == "2"


def test_a_speedrun_ends_when_it_cannot_be_perfect() -> None:
    record = record_of(finished(1, Rules(players=4), careful=False))
    data = json.loads(write_live_json(record)) | {"options": {"timed": True, "timeBase": 60, "speedrun": True}}
    (again,) = read_games(compact(data))
    last = [again.deal(), *again.replay()][-1]
    assert (again.end, again.score) in {("speedrun", 0), ("bombed", 0)}
    assert again.end == "bombed" or last.reachable_points < 25
    game = Game(Rules(players=4), deck=sorted_deck(Rules(players=4)))
    for move in ("hint bob 3", "hint alice 1", "discard 2"):  # the red 5
        game.make(move)
    data |= json.loads(write_live_json(record_of(game)))
    (again,) = read_games(compact(data))
    assert (again.end, again.score) == ("speedrun", 0)
    assert json.loads(write_live_json(again))["actions"] == data["actions"]  # the site appends nothing


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"options": {"variant": "Black (5 Suits)"}}, "the variant 'Black \\(5 Suits\\)' cannot be played here"),
        ({"options": {"variant": "Rainbow (4 Suits)"}}, "Rainbow"),
        ({"options": {"variant": 7}}, "variant number 7 cannot be played here"),
        ({"options": {"variantID": 16}}, "variant number 16 cannot be played here"),
        ({"variant": 16}, "variant number 16 cannot be played here"),
        ({"seed": "p2v16s8"}, "variant number 16 cannot be played here"),
        ({"options": {"numPlayers": 3}}, "'numPlayers' is not an option"),
        ({"options": {"cardCycle": True}}, "the option cardCycle"),
        ({"options": {"allOrNothing": True}}, "the option allOrNothing"),
        ({"options": {"detrimentalCharacters": True}}, "the option detrimentalCharacters"),
        ({"options": {"oneExtraCard": True}}, "oneExtraCard: hands of 6 cards"),
        ({"options": {"emptyClues": 1}}, "emptyClues must be true or false"),
        ({"options": {"fastMode": True}}, "'fastMode' is not an option"),
        ({"options": {"startingPlayer": 2}}, "^options: startingPlayer must be one of the 2 players"),
        ({"options": []}, "options: expected an object, not list"),
        ({"characters": [{"name": "Fuming"}]}, "characters: players with a handicap"),
        ({"score": 3}, "score: 3 is listed, but the moves lead to 2"),
        ({"first_player": 2}, "startingPlayer must be one of the 2 players"),
        ({"variant": "Rainbow (6 Suits)"}, "Rainbow"),
        ({"deck": None}, "keys: deck missing|deck: expected a list"),
        ({"deck": [], "seed": ""}, "deck: 0 cards; No Variant has 50"),
        ({"deck": None, "seed": "nonsense"}, "seed: 'nonsense' is not a seed of hanab.live"),
        ({"deck": None, "seed": "p3v0s8"}, "seed: p3v0s8 is for 3 players .* this game has 2"),
        ({"deck": None, "seed": "p2v1s8", "variant": 0}, "variant number 1, and this game has 2 and 0"),
        ({"players": ["a"] * 6}, "a game of 6 players; 2 to 5 can play here"),
        ({"players": []}, "a game of 0 players"),
        ({"players": None}, "players: expected a list of names"),
        ({"players": "Ada"}, "players: expected a list of names"),
        ({"players": ["a", 5]}, "players: expected names"),
        ({"deck": []}, "deck: 0 cards; No Variant has 50"),
        ({"deck": [{"suitIndex": 0, "rank": 1}] * 50}, "deck: the deck must hold exactly the 50 cards"),
        ({"deck": [{"suitIndex": 5, "rank": 1}] * 50}, "deck: card 1 is of suit 5; No Variant has suits 0-4"),
        ({"deck": [{"suitIndex": 0, "rank": 7}] * 50}, "deck: card 1 has rank 7"),
        ({"deck": [{"suitIndex": 0}] * 50}, "deck: card 1 must be an object with suitIndex and rank"),
        ({"deck": [{"suitIndex": 0.5, "rank": 1}]}, "deck: card 1: expected a small number"),
        ({"deck": "R1"}, "deck: expected a list, not str"),
        ({"deck": [0] * 101}, "deck: 101 entries; at most 100"),
        ({"actions": [{"type": 0, "target": 0}] * 1001}, "actions: 1001 entries"),
        ({"actions": [7]}, "move 1: expected an object with type, target and value"),
        ({"actions": [{"type": 0, "target": 49, "value": 0}]}, "move 1, alice: card 49 is not in the hand"),
        ({"actions": [{"type": 0, "target": 5, "value": 0}]}, "move 1, alice: card 5 is not in the hand"),
        ({"actions": [{"type": 1, "target": 0, "value": 0}]}, "move 1, alice: .* all 8 hint tokens are there"),
        ({"actions": [{"type": 2, "target": 0, "value": 0}]}, "move 1, alice: a hint goes to another seat"),
        ({"actions": [{"type": 2, "target": 2, "value": 0}]}, "move 1, alice: a hint for player 2; there are 2"),
        ({"actions": [{"type": 2, "target": 1, "value": 5}]}, "move 1, alice: a hint of color 5; there are 0-4"),
        ({"actions": [{"type": 3, "target": 1, "value": 0}]}, "move 1, alice: a hint of rank 0; there are 1-5"),
        ({"actions": [{"type": 3, "target": 1}]}, "move 1, alice: a hint of rank None"),
        ({"actions": [{"type": 6, "target": 1, "value": 0}]}, "move 1, alice: 6 is not a kind of action"),
        ({"actions": [{"type": 4, "target": 1, "value": 2}]}, "move 1: the game ends by the last life lost, but 3"),
        ({"actions": [{"type": 4, "target": 1, "value": 99}]}, "move 1: the game is ended by the number 99"),
        ({"actions": [{"type": 4, "target": 1}]}, "move 1: the game is ended by the number None; known are 3 timeout"),
        (
            {"actions": [{"type": 4, "target": 1, "value": 8}]},
            r"lost perfect score \(allOrNothing\), which there is not",
        ),
        ({"actions": [{"type": 3, "target": 1, "value": 10**50}]}, "move 1: expected a small number"),
        ({"id": "x"}, "id: expected a number"),
        ({"seed": 1}, "seed: expected a text"),
    ],
)
def test_json_that_cannot_be_is_refused_by_a_sentence(change: dict[str, Any], message: str) -> None:
    data = json.loads(write_live_json(read_games(VALUED)[0])) | change
    with pytest.raises(RecordError, match=message):
        read_games(compact(data))


@pytest.mark.parametrize(
    ("link", "message"),
    [
        (VALUED[:-2], "link: "),
        (VALUED[:-1] + "9999", "variant number 9999 cannot be played here"),
        (VALUED[:-1] + "16", "variant number 16 cannot"),
        (VALUED[:-1] + "x", "expected the number of a variant"),
        ("6" + VALUED[1:], "a game of 6 players"),
        ("x" + VALUED[1:], "expected a digit for the number of players"),
        ("225" + VALUED[3:], "ranks from 2 to 5"),
        (VALUED.replace("eb,0", "e,0"), "its actions are cut short"),
        (VALUED.replace("pg,", "p,"), "deck: 49 cards; No Variant has 50"),
        (VALUED.replace("pg,", "pp,"), "deck: the deck must hold exactly the 50 cards"),
        (VALUED.replace("1bla", "1ala"), "move 1, alice: a hint goes to another seat"),
        (HOST + "123", "link: it is cut short"),
        (HOST + VALUED + "a" * 5000, "link: "),
        (HOST + VALUED + "?x=<b>", "link: expected .*only digits"),
        ("https://hanab.live/replay/1234567#8", "by its number, .* save https://hanab.live/export/1234567 as a file"),
        ("hanab.live/shared-replay/12", "names a game on the site by its number"),
        ("https://hanab.live/export/12", "names a game on the site by its number"),
        ("https://example.org/", "link: expected"),
    ],
)
def test_links_cut_or_altered_are_refused(link: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_games(link + "\n" + link)


def test_a_text_that_is_no_link_is_not_called_one(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("from kagiya import Move\n\nclass Mine: ...\n")
    with pytest.raises(RecordError, match=r"notes\.txt: it is not a file of games: expected JSON, or "):
        read_games(file)


def test_a_suit_goes_by_its_own_name_in_a_complaint() -> None:
    game = Game(Rules(), seed=3)
    missing = next(color for color in (4, 3, 2) if all(card // 5 != color for card in game.hands[1]))
    data = json.loads(write_live_json(record_of(game))) | {"actions": [{"type": 2, "target": 1, "value": missing}]}
    name = ("green", "blue", "purple")[missing - 2]
    with pytest.raises(RecordError, match=f"move 1, alice: 'hint bob {name}' is illegal: the hint touches no card"):
        read_games(compact(data))


def test_every_cut_of_a_link_is_a_game_cut_short_or_refused() -> None:
    link = write_link(record_of(finished(1, Rules())))
    for length in range(len(HOST), len(link)):
        with pytest.raises(RecordError):
            read_games(link[:length])


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(colors=2), "no variant of theirs has this deck"),
        (Rules(lives=4), "3 lives, not 4"),
        (Rules(hint_tokens=7), "8 hint tokens"),
        (Rules(discard_below=7), "a single token is missing"),
        (Rules.preset("goodman"), "a bombed game scores 0"),
        (Rules.preset("van-den-bergh"), "gives a token back"),
        (Rules(hand_size=3), "their hands hold 5 cards"),
    ],
)
def test_rules_that_they_do_not_have_are_refused(rules: Rules, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        write_live_json(record_of(Game(rules)))


def test_a_link_cannot_say_everything() -> None:
    for rules in (Rules(empty_hints=True), Rules(players=4, hand_size=5), Rules(hand_size=4)):
        with pytest.raises(RecordError, match="a link says nothing of options, and this game has"):
            write_link(record_of(Game(rules)))
    with pytest.raises(RecordError, match="nobody in particular ended the game"):
        write_link(record_of(Game(Rules()), end="vote"))
