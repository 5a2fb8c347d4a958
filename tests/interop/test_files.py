"""Our own JSON, numbers of the Hanabi Learning Environment and arrays: written, read back, and refused if wrong."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

from kagiya import Table, find_agent
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord, RecordError
from kagiya.interop import files
from kagiya.interop.files import FORMATS, SkippedGames, games_content, read_games, write_games
from kagiya.interop.game_arrays import LENGTH_BYTES, read_tensors, write_tensors
from kagiya.interop.hle import their_copies
from kagiya.rules import Rules
from tests.interop.game_samples import finished, record_of
from tests.strategies import any_game, examples

HLE_RULES = st.builds(
    lambda players, colors, ranks, lives: Rules(
        players, min(5, colors * sum(their_copies(ranks)) // players), colors, their_copies(ranks), lives=lives
    ),
    st.integers(2, 5),
    st.integers(2, 5),
    st.integers(2, 5),
    st.integers(1, 3),
)


def records(count: int, players: int = 3) -> list[GameRecord]:
    return [record_of(finished(seed, Rules(players=players), careful=seed % 3 > 0)) for seed in range(count)]


def played(record: GameRecord) -> tuple[Any, ...]:
    return record.rules, record.deck, record.moves, record.score


def same_game(first: GameRecord, second: GameRecord) -> bool:
    return played(first) == played(second)


@given(game=any_game(HLE_RULES))
@examples(40)
def test_numbers_are_read_back(game: Game) -> None:
    record = record_of(game)
    text = games_content([record], "hle")
    (again,) = read_games(text)
    assert same_game(again, record)
    assert games_content([again], "hle") == text


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("count", [1, 12])
def test_every_format_holds_one_game_and_many(form: str, count: int, tmp_path: Path) -> None:
    written = records(count)
    write_games(written, tmp_path / "games", form)
    again = read_games(tmp_path / "games")
    assert len(again) == count
    assert all(map(same_game, again, written))
    assert read_games((tmp_path / "games").read_bytes()) == again
    write_games(again, tmp_path / "again", form)
    if form != "safetensors":  # which numbers the games itself, if they have no number
        assert (tmp_path / "again").read_bytes() == (tmp_path / "games").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["again", "games"]


@pytest.mark.parametrize("form", FORMATS)
def test_games_of_agents_go_out_and_come_in(form: str, games: Callable[[float], int], tmp_path: Path) -> None:
    """`KAGIYA_TEST_SCALE=1000 pytest tests/interop/files -k go_out` sends 10,000 games through every format."""
    players = {name: (2 + place) for place, name in enumerate(("careful", "random", "smartbot", "vdb"))}
    tables = [Table(Rules(players=count), [find_agent(name)]) for name, count in players.items()]
    for table in tables:
        written = [record_of_seed(table, seed) for seed in range(games(2.5))]
        write_games(written, tmp_path / "games", form)
        again = read_games(tmp_path / "games")
        assert [played(record) for record in again] == [played(record) for record in written]


def record_of_seed(table: Table, seed: int) -> GameRecord:
    table.play_game(seed)
    return table.record()


def test_the_ending_of_a_name_says_the_format(tmp_path: Path) -> None:
    for name in ("a.json", "a.jsonl", "a.txt", "a.safetensors"):
        write_games(records(2), tmp_path / name)
        assert len(read_games(str(tmp_path / name))) == 2
    assert (tmp_path / "a.txt").read_text().startswith("https://hanab.live/replay-json/315")
    with pytest.raises(RecordError, match="no format goes by this ending"):
        write_games(records(1), tmp_path / "a.xyz")
    with pytest.raises(RecordError, match="no format named 'lives'; did you mean live"):
        write_games(records(1), tmp_path / "a.json", "lives")
    with pytest.raises(RecordError, match="no game to write"):
        write_games([], tmp_path / "a.json")


def test_nothing_is_written_if_a_game_does_not_fit(tmp_path: Path) -> None:
    odd = record_of(Game(Rules(players=3, lives=4)))
    with pytest.raises(RecordError, match=r"game 2: hanab\.live cannot play these rules: they have 3 lives"):
        write_games([*records(1), odd], tmp_path / "a.txt")
    with pytest.raises(RecordError, match=r"holds games of 3 players"):
        write_games([*records(1), *records(1, players=2)], tmp_path / "a.safetensors")
    with pytest.raises(RecordError, match="cannot play these rules"):
        write_games([record_of(Game(Rules(empty_hints=True)))], tmp_path / "a.safetensors")
    assert list(tmp_path.iterdir()) == []


def spoil(lines: list[str], place: int, *moves: str) -> None:
    lines[place] = json.dumps(json.loads(lines[place]) | {"moves": list(moves)})


@pytest.mark.parametrize(("count", "skip", "is_read"), [(101, None, True), (100, None, False), (9, True, True)])
def test_bad_games_of_many_are_skipped_and_counted(count: int, skip: bool | None, is_read: bool) -> None:
    lines = games_content(records(3) * (count // 3 + 1), "lines").decode().splitlines()[:count]
    spoil(lines, 3, "play 1", "play 9")
    spoil(lines, 5, "play 9")
    lines[7] = lines[7][:40]  # as an interrupted download ends
    skipped = SkippedGames(skip)
    if not is_read:
        with pytest.raises(RecordError, match="game 4: move 2"):
            read_games("\n".join(lines), skipped=skipped)
        return
    assert len(read_games("\n".join(lines), skipped=skipped)) == count - 3
    assert sorted(skipped.reasons.values()) == [1, 2]


def test_what_differs_from_game_to_game_is_no_reason_of_its_own() -> None:
    lines = games_content(records(2), "lines").decode().splitlines()
    spoil(lines, 0, "discard 1")
    spoil(lines, 1, "play 5", "discard 4")
    skipped = SkippedGames(True)
    with pytest.raises(RecordError, match="2 were left out for this: all 8 hint tokens are there"):
        read_games("\n".join(lines), skipped=skipped)


def test_where_nothing_is_left_the_reason_is_said() -> None:
    lines = games_content(records(3), "lines").decode().splitlines()
    for place in range(3):
        spoil(lines, place, "play 9")
    with pytest.raises(RecordError, match=r"no game is left; 3 were left out for this: 'play 9' is not a move"):
        read_games("\n".join(lines), skipped=SkippedGames(True))


@pytest.mark.parametrize("form", ["link", "hle", "safetensors"])
def test_games_that_a_format_cannot_hold_are_skipped(form: str, tmp_path: Path) -> None:
    odd = record_of(Game(Rules(players=3, empty_hints=True)))
    skipped = SkippedGames(True)
    write_games([*records(1), odd, *records(1)], tmp_path / "games", form, skipped=skipped)
    assert (len(read_games(tmp_path / "games")), skipped.reasons.total()) == (2, 1)
    with pytest.raises(RecordError, match="no game is left"):
        write_games([odd], tmp_path / "none", form, skipped=SkippedGames(True))
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_packed_files_are_read(form: str, tmp_path: Path) -> None:
    write_games(records(3), tmp_path / "games.gz", form)
    assert (tmp_path / "games.gz").read_bytes() == gzip.compress(games_content(records(3), form), mtime=0)
    assert all(map(same_game, read_games(tmp_path / "games.gz"), records(3)))


def test_a_game_of_an_array_file_is_skipped() -> None:
    skipped = SkippedGames(True)
    assert len(read_games(spoiled("scores", put(1, 26)), skipped=skipped)) == 2
    assert skipped.reasons == {"score: N is listed, but the moves lead to N (N points)": 1}


def test_packed_files_that_are_spoiled_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_games(records(3), tmp_path / "games.jsonl.gz")
    content = (tmp_path / "games.jsonl.gz").read_bytes()
    for spoiled in (content[:-9], content[:40], content[:30] + b"\0" * 30 + content[60:], content[:3]):
        with pytest.raises(RecordError, match="no readable gzip file"):
            read_games(spoiled)
    monkeypatch.setattr(files, "MAX_FILE_BYTES", len(content) + 10)
    with pytest.raises(RecordError, match="files of up to"):
        read_games(tmp_path / "games.jsonl.gz")


def test_names_are_left_out_of_our_own_files_too(tmp_path: Path) -> None:
    named = replace(records(1)[0], names=("Ada", "Ben", "Cyd"))
    write_games([named], tmp_path / "a.json")
    assert "Ada" not in (tmp_path / "a.json").read_text()
    write_games([named], tmp_path / "a.json", names=True)
    assert read_games(tmp_path / "a.json", names=True) == [named]
    assert read_games(tmp_path / "a.json")[0].names == ()


def test_a_game_of_the_human_data_as_json_is_read() -> None:
    """As scripts of others unpack it: rows of actions padded with the no-op, one for each seat."""
    (record,) = records(1)
    data = json.loads(games_content([record], "hle"))
    rows = [[uid if seat == turn % 3 else 30 for seat in range(3)] for turn, uid in enumerate(data["actions"])]
    pairs = [list(divmod(card, 5)) for card in data["deck"]]
    unpacked = {"decks": pairs, "actions": [*rows, *[[30] * 3] * 5], "num_actions": len(rows), "num_players": 3}
    (again,) = read_games(json.dumps(unpacked | {"scores": record.score, "game_ids": 7}))
    assert same_game(again, record)
    assert again.source["id"] == "7"
    del unpacked["num_actions"]
    (again,) = read_games(json.dumps(unpacked))
    assert same_game(again, record)


def test_cards_of_a_numbered_game_may_have_names() -> None:
    """So do the decks with which JaxMARL is tested."""
    (record,) = records(1)
    data = json.loads(games_content([record], "hle")) | {"deck": record.deck.split()}
    assert same_game(read_games(json.dumps(data))[0], record)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"luck": 1}, "keys: 'luck' unknown"),
        ({"players": 6}, "players must be an integer from 2 to 5"),
        ({"players": "2"}, "players: expected an integer"),
        ({"playerCount": 6, "players": 6}, "players must be an integer from 2 to 5"),
        ({"ranks": 9}, "rules: the number of ranks must be an integer from 1 to 5, not 9"),
        ({"ranks": 10**15}, "rules: the number of ranks"),
        ({"num_actions": -1}, "num_actions: -1, but there are"),
        ({"num_actions": 1000}, "num_actions: 1000, but there are"),
        ({"deck": ["Z1"]}, "deck: card 1: 'Z1' is not a card"),
        ({"deck": ["??"]}, "deck: card 1: "),
        ({"deck": [0] * 50}, "deck: the deck must hold exactly"),
        ({"deck": [99]}, "deck: card 1 has color 19"),
        ({"deck": None}, "deck: expected a list"),
        ({"actions": [0]}, "move 1, alice: .* all 8 hint tokens are there"),
        ({"actions": [30, 5]}, "move 1, alice: under these rules the numbers of moves are 0-29, not 30"),
        ({"actions": [-1]}, "move 1, alice: .* not -1"),
        ({"actions": [1.5]}, "move 1: expected an integer, not '1.5'"),
        ({"actions": [[30, 30]]}, "move 1: 2 actions; expected one for each of 3 players"),
        ({"actions": [[5, 5, 30]]}, "move 1: bob acts, but it is alice's turn"),
        ({"actions": [5] * 1001}, "actions: 1001 entries"),
        ({"score": 26}, "score: 26 is listed, but the moves lead to"),
        ({"score": 0}, "score: 0 is listed, but the moves lead to"),  # of a game played to its end
    ],
)
def test_numbers_that_cannot_be_are_refused(change: dict[str, Any], message: str) -> None:
    data = json.loads(games_content(records(2)[1:], "hle")) | change
    with pytest.raises(RecordError, match=message):
        read_games(json.dumps(data))


@pytest.mark.parametrize("form", ["live", "link", "hle", "safetensors"])
def test_a_number_of_a_game_that_no_format_holds_is_left_out(form: str) -> None:
    (record,) = records(1)
    named = replace(record, source={"id": "9" * 5000})
    (again,) = read_games(games_content([named], form))
    assert same_game(again, record)
    assert again.source.get("id", "0") == "0"


def test_moves_after_the_end_are_refused() -> None:
    record = records(2)[1]
    data = json.loads(games_content([record], "hle"))
    data["actions"].append(5)
    with pytest.raises(RecordError, match=rf"move {record.turns + 1}, \w+: .* the game is over"):
        read_games(json.dumps(data))


# Arrays.


def arrays(count: int = 3) -> dict[str, Any]:
    return read_tensors(games_content(records(count), "safetensors"))


def test_the_layout_is_that_of_the_human_data() -> None:
    found = arrays(4)
    longest = max(record.turns for record in records(4))
    shapes = {name: array.shape for name, array in found.items()}
    assert shapes == {
        "game_ids": (4,),
        "scores": (4,),
        "decks": (4, 50, 2),
        "actions": (4, longest, 3),
        "num_actions": (4,),
        "num_players": (),
    }
    turns = int(found["num_actions"][1])
    assert (found["actions"][1, turns:] == 30).all()
    assert (found["actions"][1, 0, 1:] == 30).all()
    assert found["actions"][1, 0, 0] != 30


def spoiled(name: str, change: Any) -> bytes:
    found = {key: array.copy() for key, array in arrays().items()}
    found[name] = change(found[name])
    return write_tensors(found)


def put(place: Any, value: Any) -> Any:
    def change(array: Any) -> Any:
        array[place] = value
        return array

    return change


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("scores", put(1, 26), "game 2: score: 26 is listed, but the moves lead to"),
        ("num_actions", put(0, 3), "game 1: move 4: the game has 3 by num_actions"),
        ("num_actions", put(0, -1), "game 1: num_actions: -1"),
        ("num_actions", put(0, 999), "game 1: num_actions: 999"),
        ("actions", put((2, 0, 1), 5), "game 3: move 1: bob acts, but it is alice's turn"),
        ("actions", put((2, 0, 0), 30), "game 3: move 1, alice: under these rules"),
        ("actions", put((2, 0, 0), -7), "game 3: move 1, alice: "),
        ("decks", put((0, 0), (4, 4)), "game 1: deck: the deck must hold exactly"),
        ("decks", put((0, 0), (9, 0)), "game 1: deck: card 1 has color 9"),
        ("decks", lambda array: array[:, :40], r"decks has the shape \[3, 40, 2\]; expected \[3, 50, 2\]"),
        ("decks", lambda array: array[0, 0, 0], r"decks has the shape \[\]"),
        ("actions", lambda array: array[:, :, 0], r"actions has the shape \[3, \d+\]; expected three dimensions"),
        ("actions", lambda array: array[0, 0, 0], r"actions has the shape \[\]"),
        ("actions", lambda array: array[:, :, :1], "games of 1 players"),
        ("actions", lambda array: array.repeat(2, axis=2), r"games of 6 players .* 2 to 5 can play here"),
        ("scores", lambda array: array[:2], r"scores has the shape \[2\]; expected \[3\]"),
        ("scores", lambda array: array.astype(np.float32), "scores must hold integers"),
        ("num_players", lambda array: np.array(2, np.int8), "num_players is 2, and a turn has 3 actions"),
        ("luck", lambda array: array, "'luck' unknown"),
    ],
)
def test_arrays_that_cannot_be_games_are_refused(name: str, change: Any, message: str) -> None:
    content = write_tensors(arrays() | {"luck": np.zeros(1)}) if name == "luck" else spoiled(name, change)
    with pytest.raises(RecordError, match=message):
        read_games(content)


def with_header(header: Any, data: bytes = b"\0" * 8) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + data


def entry(begin: int = 0, end: int = 8, kind: str = "I8", shape: Any = (8,)) -> dict[str, Any]:
    return {"dtype": kind, "shape": list(shape) if isinstance(shape, tuple) else shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (with_header({"a": entry()})[:-20], "it is cut short"),
        (with_header({"a": entry()}, b""), "'a' has a shape that cannot be"),
        (with_header({"a": entry(), "b": entry()}), "'b' overlaps another"),
        (with_header({"a": entry(0, 4, shape=(4,)), "b": entry(2, 8, shape=(6,))}), "'b' overlaps another"),
        (with_header({"a": entry(0, 2, shape=(2,)), "b": entry(4, 8, shape=(4,))}), "'b' comes after a gap"),
        (with_header({"a": entry(0, 4, shape=(4,))}), "the arrays end at byte 4"),
        (with_header({"a": entry(0, 16, shape=(16,))}), "'a' has a shape that cannot be"),
        (with_header({"a": entry(-8, 0)}), "'a' lies outside the data"),
        (with_header({"a": entry(0, 8, shape=(2,))}), "'a' has 8 bytes, which do not fit its shape"),
        (with_header({"a": entry(0, 8, shape=(10**18,))}), "'a' has a shape that cannot be"),
        (with_header({"a": entry(0, 8, shape=(2,) * 9)}), "'a' has a shape that cannot be"),
        (with_header({"a": entry(0, 8, shape=(True, 8))}), "'a' has a shape that cannot be"),
        (with_header({"a": entry(0, 8, shape="8")}), "'a' has a shape that cannot be"),
        (with_header({"a": entry(kind="O")}), "'a' has the dtype 'O'"),
        (with_header({"a": entry(kind="F16")}), "'a' has the dtype 'F16'"),
        (with_header({"a": 5}), "'a' is not described by dtype, shape and data_offsets"),
        (with_header({"a": {"dtype": "I8"}}), "'a' is not described"),
        (with_header(b'{"a": 1, "a": 2}'), "a name stands in it twice"),
        (with_header(b"{nonsense"), "its header is not readable JSON"),
        (with_header(b'{"a":' + b"[" * 100_000), "its header is not readable JSON"),
        (with_header({f"a{n}": entry(0, 0, shape=(0,)) for n in range(101)}, b""), "101 arrays"),
        (with_header({}, b""), "decks, actions, num_actions missing"),
        ((1 << 62).to_bytes(8, "little") + b"{}", "neither text nor a file of tensors|no readable|link"),
    ],
)
def test_a_container_that_lies_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_games(content)


def test_every_cut_and_every_changed_byte_is_refused_or_read() -> None:
    content = games_content(records(1), "safetensors")
    for length in range(0, len(content), 7):
        with pytest.raises(RecordError):
            read_games(content[:length])
    for place in range(0, len(content), 5):
        changed = content[:place] + bytes([content[place] ^ 0x11]) + content[place + 1 :]
        with suppress(RecordError):  # no other error
            read_games(changed)


# Text that is not a game.


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "there is nothing in it"),
        (b"  \n ", "there is nothing in it"),
        (b"[]", "there is no game in it"),
        (b"[1]", "a record is an object, not int"),
        (b"{}", "there are no moves in it"),
        (b'[{"id": 5, "score": 20, "variant": "No Variant"}]', "there are no moves in it"),
        (b'// a game\n{"players": []}', "it begins with a comment"),
        (b"{", "no readable JSON"),
        (b"[" * 200_000, "no readable JSON"),
        (b'{"a":' * 100_000, "no readable JSON"),
        (b'{"players": [], "actions": ' + b"[" * 100_000, "no readable JSON"),
        (b"NaN", "link: "),
        (b"<html>", "neither JSON nor a link"),
        (b'{"players": 2, "deck": [], "actions": [], "actions": []}', "a name stands in it twice"),
        (b"{" + b" " * (1 << 20) + b"}", "a game of 1,048,578 characters"),
        (b"\xff\xfe\x00", "neither text nor a file of tensors"),
        (b"\x80\x04\x95", "neither text nor a file of tensors"),
        (b'{"players": ["a", "b"], "actions": []}', "keys: deck missing"),
        (b'{"players": ["a", "b"], "actions": {}, "deck": []}', "actions: expected a list, not dict"),
        (b'{"format": 1}\n{"format": 2}', "game 1: keys: "),
    ],
)
def test_text_that_is_not_a_game_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_games(content)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
@pytest.mark.parametrize("form", ["live", "link", "kagiya"])
def test_a_shell_may_have_written_the_text_in_another_encoding(form: str, encoding: str) -> None:
    (record,) = records(1)
    text = games_content([record], form)
    (again,) = read_games(text.decode().encode(encoding))
    assert same_game(again, record)


def test_the_game_that_is_wrong_is_named(tmp_path: Path) -> None:
    write_games(records(3), tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    lines[1] = lines[1].replace('"score": ', '"score": 1')
    (tmp_path / "a.jsonl").write_text("\n\n".join(lines))
    with pytest.raises(RecordError, match=r"a\.jsonl: game 2: score: the record says"):
        read_games(tmp_path / "a.jsonl")


def test_a_missing_file_is_an_error_of_the_system() -> None:
    with pytest.raises(FileNotFoundError):
        read_games("no-such-file.json")
