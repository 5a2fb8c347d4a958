"""`kagiya convert`, `analyse`, `agree` and `who`, and what `replay` and `review` make of other programs' games."""

import errno
import json
from pathlib import Path

import pytest

from kagiya import Rules
from kagiya.interop.files import write_games
from tests.cli.command import complaint, run
from tests.interop.game_samples import finished, record_of
from tests.interop.test_live_game import VALUED


@pytest.fixture
def games(tmp_path: Path) -> Path:
    write_games([record_of(finished(seed, Rules(players=3))) for seed in range(3)], tmp_path / "games.jsonl")
    return tmp_path / "games.jsonl"


def test_games_go_through_every_format_and_come_back(games: Path, tmp_path: Path) -> None:
    before = games
    for name in ("a.txt", "b.safetensors", "c.json", "d.jsonl"):
        result = run("convert", str(before), str(tmp_path / name))
        assert result.exit_code == 0, result.output
        assert "3 games written" in result.stderr
        before = tmp_path / name
    moves = [[json.loads(line)["moves"] for line in path.read_text().splitlines()] for path in (games, before)]
    assert moves[0] == moves[1]


def test_a_link_is_replayed_at_its_turn() -> None:
    shown = run("replay", VALUED + "#4", "--brief")
    assert shown.exit_code == 0, shown.output
    assert "W is blue there, B is purple there" in shown.stdout
    assert "alice plays slot 3: W1 fits" in shown.stdout  # the third move; the fourth is to come
    assert "hints bob green" not in shown.stdout
    assert "alice plays slot 2" in run("replay", VALUED, "--brief").stdout


def test_a_game_broken_off_is_shown_as_such(tmp_path: Path) -> None:
    assert run("convert", VALUED, str(tmp_path / "a.json"), "--format", "live").exit_code == 0
    data = json.loads((tmp_path / "a.json").read_text())
    data["actions"].append({"type": 4, "target": 0, "value": 4})
    (tmp_path / "a.json").write_text(json.dumps(data))
    shown = run("replay", str(tmp_path / "a.json"), "--brief")
    assert "Broken off (terminated), which counts as 0.  Score 0 of 25   points 2" in shown.stdout
    analysed = json.loads(run("analyse", str(tmp_path / "a.json"), "--json").stdout)
    assert (analysed[0]["ends"], analysed[0]["mean"], analysed[0]["mean_points"]) == ({"terminated": 1}, 0.0, 2.0)


def test_moves_left_out_are_said(tmp_path: Path) -> None:
    write_games([record_of(finished(1, Rules()))], tmp_path / "a.json", "live")
    data = json.loads((tmp_path / "a.json").read_text())
    (tmp_path / "a.json").write_text(json.dumps(data | {"actions": data["actions"] * 2}))
    result = run("convert", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    assert f"game 1: {len(data['actions'])} moves after the end are left out" in result.stderr.replace("\n", " ")
    (tmp_path / "a.json").write_text(json.dumps(data | {"actions": [*data["actions"], data["actions"][0]]}))
    result = run("convert", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    assert "game 1: 1 move after the end is left out" in result.stderr.replace("\n", " ")
    (tmp_path / "a.json").write_text(((tmp_path / "a.json").read_text() + "\n") * 31)
    result = run("convert", str(tmp_path / "a.json"), str(tmp_path / "b.json"))
    assert result.stderr.count("is left out") == 10
    assert "and in 21 games more" in result.stderr


def test_one_of_several_games_is_chosen(games: Path) -> None:
    assert "there are 3 games in it; choose one with --game 1" in complaint(run("replay", str(games)))
    assert "games are 1 to 3 here, not 4" in complaint(run("replay", str(games), "--game", "4"))
    assert run("replay", str(games), "--game", "3", "--brief").exit_code == 0
    assert run("review", str(games), "--game", "2", typed="q\n").exit_code == 0


def test_an_archive_is_read_though_some_of_its_games_are_bad(games: Path, tmp_path: Path) -> None:
    """As in a download of thousands: six players, a line cut short, a move that cannot be."""
    lines = games.read_text().splitlines()
    spoiled = json.loads(lines[0]) | {"moves": ["play 9"]}
    six = {"players": list("abcdef"), "deck": [{"suitIndex": 0, "rank": 1}], "actions": []}
    games.write_text("\n".join([*lines, json.dumps(spoiled), json.dumps(spoiled), json.dumps(six), lines[0][:50]]))
    for command in (["analyse"], ["agree", "careful"], ["convert"]):
        out = [str(tmp_path / "x.json.gz")] if command == ["convert"] else []
        assert "game 4: move 1" in complaint(run(*command, str(games), *out))
        result = run(*command, str(games), *out, "--skip-bad")
        assert result.exit_code == 0, result.output
        assert "games left out: 4" in result.stderr
        assert "2: 'play 9' is not a move" in result.stderr
        assert "1: a game of 6 players; 2 to 5 can play here" in result.stderr
    assert "3 games written" in result.stderr
    assert json.loads(run("analyse", str(tmp_path / "x.json.gz"), "--json").stdout)[0]["games"] == 3


def test_games_that_an_agent_does_not_play_are_skipped(games: Path, tmp_path: Path) -> None:
    with games.open("a") as file:
        file.write(json.dumps(record_of(finished(1, Rules(players=2))).to_json()))
    assert "game 1: kagiya-two plays with 2 players, not 3" in complaint(run("agree", "kagiya-two", str(games)))
    result = run("agree", "kagiya-two", str(games), "--skip-bad", "--json")
    assert "3: kagiya-two plays with 2 players, not 3" in result.stderr
    assert json.loads(result.stdout)["games"] == 1


def test_what_is_wrong_is_one_sentence(games: Path, tmp_path: Path) -> None:
    (tmp_path / "hostile.json").write_bytes(b'{"players":["a","b"],"actions":' + b"[" * 100_000)
    for command in (["replay"], ["review"], ["analyse"], ["agree", "careful"], ["who"], ["convert"]):
        out = [str(tmp_path / "x.json")] if command == ["convert"] else []
        assert "no readable JSON" in complaint(run(*command, str(tmp_path / "hostile.json"), *out))
        assert "No such file" in complaint(run(*command, str(tmp_path / "nothing.json"), *out))
    assert "variant number 16 cannot be played here" in complaint(run("replay", VALUED[:-1] + "16"))
    assert "is a folder" in complaint(run("convert", str(games), str(tmp_path)))
    assert "not written to a terminal" in complaint(run("convert", str(games), "-", "--format", "safetensors"))
    assert not (tmp_path / "x.json").exists()
    assert "names a game on the site by its number" in complaint(run("analyse", "hanab.live/replay/12#3"))


def test_agents_in_a_file_are_shown_and_never_run(games: Path, tmp_path: Path) -> None:
    (tmp_path / "trap.py").write_text("raise SystemExit('run')\n")
    lines = [json.loads(line) | {"seats": ["trap:Agent"] * 3} for line in games.read_text().splitlines()]
    games.write_text("\n".join(map(json.dumps, lines)))
    analysed = run("analyse", str(games))
    assert analysed.exit_code == 0
    assert "trap:Agent" in analysed.stdout
    assert run("agree", "careful", str(games)).exit_code == 0


def test_agreement_by_seat_and_kind(games: Path) -> None:
    found = json.loads(run("agree", "smartbot", str(games), "--json").stdout)
    assert (found["agent"], found["games"], len(found["seats"])) == ("smartbot", 3, 3)
    assert sum(seat["asked"] for seat in found["seats"]) == found["asked"]
    assert "alice" in run("agree", "smartbot", str(games), "--format", "markdown").stdout


def test_who_plays_like_whom(games: Path) -> None:
    """The file holds games of three players; asked are an agent of theirs and one that is not."""
    agents = "--agents", "careful, risky(threshold=0.6), random"
    found = json.loads(run("who", str(games), *agents, "--json").stdout)
    assert found["agents"] == ["careful", "risky(threshold=0.6)", "random"]
    assert [each["player"] for each in found["players"]] == ["alice", "bob", "cathy", "all"]
    assert sum(each["moves"] for each in found["players"][:3]) == found["players"][3]["moves"]
    shown = run("who", str(games), str(games), *agents).stdout
    assert "alice plays like" in shown
    assert "6 games" in shown
    assert "all together play like" in shown


def test_who_says_whom_it_cannot_ask(games: Path) -> None:
    assert "kagiya-two plays with 2 players, not 3" in complaint(run("who", str(games), "--agents", "kagiya-two"))
    assert "is written in Python" in complaint(run("who", str(games), "--agents", "vdb, careful-python"))
    assert "did you mean vdb" in complaint(run("who", str(games), "--agents", "vbd"))


def test_a_full_disk_is_a_sentence_and_leaves_the_old_file(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "old.jsonl").write_text("old")

    def full(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    assert "No space left on device" in complaint(run("convert", str(games), str(tmp_path / "old.jsonl")))
    assert (tmp_path / "old.jsonl").read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 2
