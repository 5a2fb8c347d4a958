"""Records: written, read back, played again, and refused when anything in them is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kagiya.cards import parse_cards
from kagiya.engine.game import Game
from kagiya.engine.record import FORMAT, GameRecord, RecordError
from kagiya.moves import MOVES
from kagiya.rules import Rules
from tests.strategies import careful_choice

SEATS = ("vdb", "careful", "hat(convention=rank)")
Spoil = Callable[[dict[str, Any]], Any]


def played(seed: int = 11, turns: int = 1000) -> Game:
    """A game of three, to its end or broken off."""
    game = Game(Rules(players=3), seed=seed)
    chooser = random.Random(seed)
    while not game.is_over and game.turn < turns:
        game.make(careful_choice(game, chooser))
    return game


@pytest.fixture(scope="module")
def record() -> GameRecord:
    return GameRecord.of(played(), SEATS, seed=11)


def test_a_record_holds_the_whole_game(record: GameRecord) -> None:
    game = played()
    assert record.moves == game.moves
    assert parse_cards(record.deck) == list(game.deck or ())
    assert (record.score, record.points, record.lives) == (game.score, game.points, game.lives)
    assert (record.turns, record.seats, record.seed) == (len(record.moves), SEATS, 11)
    assert set(record.versions) == {"python", "numba"}
    assert record.version


def test_json_is_plain_and_read_back(record: GameRecord) -> None:
    data = json.loads(json.dumps(record.to_json()))
    assert GameRecord.from_json(data) == record
    assert data["format"] == FORMAT
    assert all(isinstance(move, str) for move in data["moves"])
    assert {"play", "hint", "discard"} == {move.split()[0] for move in data["moves"]}


def test_versions_may_be_left_out(record: GameRecord) -> None:
    data = record.to_json()
    del data["versions"]
    assert GameRecord.from_json(data).versions == {}


def test_format_1_is_read_and_its_end_found_out(record: GameRecord) -> None:
    old = {key: value for key, value in record.to_json().items() if key != "end"} | {"format": 1}
    assert GameRecord.from_json(old) == record
    unfinished = GameRecord.of(played(turns=7), SEATS)
    old = {key: value for key, value in unfinished.to_json().items() if key != "end"} | {"format": 1}
    assert GameRecord.from_json(old).end == "unfinished"


def test_a_record_says_how_the_game_ended(record: GameRecord) -> None:
    assert record.end == "finished"
    broken = GameRecord.of(played(turns=30), SEATS, end="terminated")
    assert (broken.score, broken.end) == (0, "terminated")
    assert broken.points > 0
    assert GameRecord.from_json(broken.to_json()) == broken
    bombed = Game(Rules(players=2), deck=parse_cards("Y2 Y3 Y4 Y5 W2 " + rest_of_deck("Y2 Y3 Y4 Y5 W2")))
    for _ in range(3):
        bombed.make("play 1")
        bombed.make("hint alice 4") if not bombed.is_over else None
    assert GameRecord.of(bombed, SEATS[:2]).end == "bombed"


def rest_of_deck(dealt: str) -> str:
    cards = [f"{color}{rank}" for color in "RYGWB" for rank in "1112233445"]
    for card in dealt.split():
        cards.remove(card)
    return " ".join(sorted(cards, reverse=True))


def test_what_an_imported_game_brings_is_kept(record: GameRecord) -> None:
    brought = replace(record, suits=("red", "yellow", "green", "blue", "purple"), names=("A", "B", "C"))
    brought = replace(brought, source={"format": "live", "seed": "p3v0s1"})
    assert GameRecord.from_json(json.loads(json.dumps(brought.to_json()))) == brought
    assert not {"suits", "names", "source"} & record.to_json().keys()


def test_replay_gives_the_game_after_each_move(record: GameRecord) -> None:
    games = list(record.replay())
    assert [game.turn for game in games] == list(range(1, record.turns + 1))
    assert games[-1].is_over
    assert games[-1].position() == played().position()
    assert games[4].moves == record.moves[:5]


def test_unfinished_games_have_records_too() -> None:
    record = GameRecord.of(played(turns=7), SEATS, seed=None)
    assert record.turns == 7
    assert GameRecord.from_json(record.to_json()) == record
    assert GameRecord.from_json(GameRecord.of(played(turns=0), SEATS).to_json()).moves == ()


def test_a_game_from_a_position_has_no_record() -> None:
    game = Game.from_position(played(turns=7).position())
    with pytest.raises(RecordError, match="set up from a position"):
        GameRecord.of(game, SEATS)


def test_makers_check_seats_and_seed() -> None:
    with pytest.raises(RecordError, match="seats: expected 3 agents, not 2"):
        GameRecord.of(played(turns=1), SEATS[:2])
    with pytest.raises(RecordError, match="seed: a seed is an integer"):
        GameRecord.of(played(turns=1), SEATS, seed=-1)


def test_files_are_read_back(record: GameRecord, tmp_path: Path) -> None:
    record.write(tmp_path / "game.json")
    assert GameRecord.read(str(tmp_path / "game.json")) == record
    GameRecord.of(played(seed=12), SEATS, seed=12).write(tmp_path / "game.json")
    assert GameRecord.read(tmp_path / "game.json").seed == 12
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_a_write_that_fails_leaves_the_old_file(record: GameRecord, tmp_path: Path, monkeypatch: Any) -> None:
    record.write(tmp_path / "game.json")

    def full_disk(path: Path, *_: Any, **__: Any) -> None:
        path.touch()
        raise OSError("no space left")

    monkeypatch.setattr(Path, "write_bytes", full_disk)
    with pytest.raises(OSError, match="no space left"):
        record.write(tmp_path / "game.json")
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    assert GameRecord.read(tmp_path / "game.json") == record


# What is refused.


def put(key: str, value: Any) -> Spoil:
    return lambda data: data | {key: value}


def without(key: str) -> Spoil:
    return lambda data: {name: value for name, value in data.items() if name != key}


def put_move(place: int, move: Any) -> Spoil:
    return lambda data: data | {"moves": [*data["moves"][:place], move, *data["moves"][place + 1 :]]}


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda _: None, "a record is an object, not NoneType"),
        (lambda _: [], "a record is an object, not list"),
        (lambda _: {}, "format: this version reads formats 1 and 2, not 'a record without one'"),
        (put("format", 3), "format: this version reads formats 1 and 2, not 3"),
        (put("format", True), "format: this version reads formats 1 and 2, not True"),
        (put("format", [1]), "format: "),
        *[
            (without(key), f"keys: {key} missing")
            for key in ("rules", "deck", "seats", "seed", "moves", "score", "points", "lives", "turns", "version")
        ],
        (put("luck", 7), "keys: luck unknown; expected deck, end, format, lives"),
        (put("rules", None), "rules: rules must be an object"),
        (put("rules", Rules().to_json() | {"lives": 0}), "rules: lives must be"),
        (put("rules", Rules(players=2).to_json()), "seats: expected 2 agents, not 3"),
        (put("deck", 5), "deck: expected text, not 5"),
        (put("deck", ""), "deck: the deck must hold exactly the 50 cards"),
        (put("deck", "X1"), "deck: 'X1' is not a card"),
        (put("deck", " ".join(["R1"] * 50)), "deck: the deck must hold exactly the 50 cards"),
        (put("deck", " ".join(["??"] * 50)), "deck: the deck must hold exactly the 50 cards"),
        (put("seats", "vdb"), "seats: expected a list, not 'vdb'"),
        (put("seats", ["vdb", "vdb", None]), "seats: expected text, not None"),
        (put("seed", -1), "seed: a seed is an integer"),
        (put("seed", "11"), "seed: a seed is an integer"),
        (put("seed", 1.0), "seed: a seed is an integer"),
        (put("moves", {}), "moves: expected a list"),
        (put_move(3, 7), "move 4: expected text, not 7"),
        (put_move(3, "sleep"), "move 4: 'sleep' is not a move"),
        (put_move(3, "hint bob red"), "move 4: 'hint bob red' is not a move: write the receiver as an offset"),
        (put_move(0, "discard 1"), "move 1, alice: 'discard 1' is illegal: all 8 hint tokens are there"),
        (put_move(1, "hint +3 red"), "move 2, bob: .* is illegal: there are only 3 players"),
        (put("score", "12"), "score: expected an integer, not '12'"),
        (put("score", True), "score: expected an integer, not True"),
        (put("lives", None), "lives: expected an integer, not None"),
        (put("turns", 3.0), "turns: expected an integer"),
        (put("version", 1), "version: expected text, not 1"),
        (put("versions", []), "versions: expected an object"),
        (put("versions", {"python": 3}), "versions: expected text, not 3"),
        (lambda data: data | {"score": data["score"] + 1}, r"score: the record says \d+, but its moves lead to \d+"),
        (lambda data: data | {"points": data["points"] + 1}, "points: the record says"),
        (lambda data: data | {"lives": data["lives"] + 1}, "lives: the record says"),
        (lambda data: data | {"moves": data["moves"][:-1]}, r"\w+: the record says"),
        (
            lambda data: data | {"moves": [*data["moves"], "play 1"]},
            r"move \d+, \w+: 'play 1' is illegal: the game is over",
        ),
        (lambda data: data | {1: 2}, "keys: 1 unknown"),
        (put("end", "lost"), "end: expected one of finished, bombed, .*, not 'lost'"),
        (put("end", ["finished"]), "end: expected one of"),
        (put("end", "bombed"), "end: the record says bombed, but its moves lead to a game that is finished"),
        (put("end", "unfinished"), "end: the record says unfinished, but its moves lead to a game that is finished"),
        (put("end", "terminated"), "score: the record says"),
        (without("end"), "keys: end missing"),
        (lambda data: data | {"format": 1}, "keys: end unknown"),
        (put("suits", ["red"]), "suits: expected 5, not 1"),
        (put("suits", [1, 2, 3, 4, 5]), "suits: expected text, not 1"),
        (put("names", "alice"), "names: expected a list"),
        (put("names", ["a" * 20_001, "b", "c"]), "names: a text of 20001 characters"),
        (put("source", {"format": 1}), "source: expected text, not 1"),
        (put("source", {str(n): "" for n in range(101)}), "source: 101 entries"),
    ],
)
def test_a_spoiled_record_says_what_is_wrong(record: GameRecord, spoil: Spoil, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        GameRecord.from_json(spoil(record.to_json()))


def test_the_move_that_breaks_a_rule_is_named_by_number_and_seat() -> None:
    record = GameRecord.of(played(turns=5), SEATS)
    data = record.to_json() | {"moves": ["hint +1 red", "hint +1 red", "play 1", "play 6"]}
    with pytest.raises(RecordError, match=r"^move 4: 'play 6' is not a move"):
        GameRecord.from_json(data)
    illegal = GameRecord(record.rules, record.deck, SEATS, None, (MOVES[5],), 0, 0, 3, 1, "0")
    with pytest.raises(RecordError, match=r"^move 1, alice: 'discard 1' is illegal"):
        illegal.check()


def test_any_move_left_out_is_noticed(record: GameRecord) -> None:
    assert record.turns > 20
    for place in range(record.turns):
        data = record.to_json()
        del data["moves"][place]
        with pytest.raises(RecordError):
            GameRecord.from_json(data)


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[1, 2", b"\xff\xfe\x00", b"nonsense", b"[" * 100_000, b'{"format": 1e999}', b"NaN", b"9" * 5000],
)
def test_unreadable_files_are_refused_by_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=r"broken\.json: "):
        GameRecord.read(path)


def test_a_move_of_more_digits_than_python_reads_is_refused_by_its_number(record: GameRecord) -> None:
    with pytest.raises(RecordError, match="move 1: 'play 9999"):
        GameRecord.from_json(record.to_json() | {"moves": ["play " + "9" * 5000]})


def test_a_file_cut_short_anywhere_is_refused(record: GameRecord, tmp_path: Path) -> None:
    record.write(tmp_path / "game.json")
    content = (tmp_path / "game.json").read_bytes()
    for length in range(0, len(content.rstrip()), 37):
        (tmp_path / "cut.json").write_bytes(content[:length])
        with pytest.raises(RecordError):
            GameRecord.read(tmp_path / "cut.json")
