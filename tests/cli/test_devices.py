"""What exists and is not a regular file is written to and not replaced; links are followed."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kagiya import GameRecord, Rules, find_agent
from kagiya.engine.record import is_device, write_whole
from kagiya.interop.files import write_games
from kagiya.lab.match.match import Match
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.learn.networks import read_network, write_network
from tests.cli.command import run
from tests.interop.game_samples import finished, record_of
from tests.learn.networks import random_network


class Pipe:
    """Stands for every device: the null device itself would be gone if a test failed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self.descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def received(self) -> str:
        assert self.path.is_fifo(), "replaced"
        assert [path.name for path in self.path.parent.iterdir() if path.suffix == ".part"] == []
        return os.read(self.descriptor, 1 << 20).decode()


@pytest.fixture
def pipes(tmp_path: Path) -> Iterator[dict[str, Pipe]]:
    made = {name: Pipe(tmp_path / f"pipe.{name}") for name in ("json", "csv")}
    yield made
    for pipe in made.values():
        os.close(pipe.descriptor)


def test_games_are_saved_to_a_device(pipes: dict[str, Pipe]) -> None:
    pipe = pipes["json"]
    assert run("show", "random", "--save", str(pipe.path), "--brief").exit_code == 0
    assert json.loads(pipe.received())["seats"][0] == "random"


def test_games_are_converted_to_a_device_and_a_picture_to_none(pipes: dict[str, Pipe], tmp_path: Path) -> None:
    write_games([record_of(finished(1, Rules(players=3)))], tmp_path / "games.jsonl")
    converted = run("convert", str(tmp_path / "games.jsonl"), str(pipes["json"].path))
    assert converted.exit_code == 0, converted.output
    assert json.loads(pipes["json"].received())


def test_answers_are_exported_to_a_device(pipes: dict[str, Pipe], tmp_path: Path) -> None:
    with Store.open(tmp_path / "store") as store:
        run_matches([Match.of(Rules(players=2), [find_agent("random")], 3, 1)], store)
    words = ("sql", "SELECT seed FROM games ORDER BY 1", "--store", str(tmp_path / "store"))
    exported = run(*words, "--export", str(pipes["csv"].path))
    assert exported.exit_code == 0, exported.output
    assert pipes["csv"].received() == "seed\n1\n2\n3\n"
    (tmp_path / "link.csv").symlink_to("target.csv")
    assert run(*words, "--export", str(tmp_path / "link.csv")).exit_code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "target.csv").read_text() == "seed\n1\n2\n3\n"


@pytest.mark.parametrize("exists", [True, False])
def test_links_are_followed(tmp_path: Path, exists: bool) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "target", tmp_path / "link"
    link.symlink_to(target)
    if exists:
        target.write_text("before")
    write_whole(link, b"new")
    assert target.read_text() == "new"
    write_network(link, random_network(1))
    read_network(target, "value")
    assert link.is_symlink()
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_a_link_to_itself_becomes_a_file(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    write_whole(tmp_path / "loop", b"new")
    assert (tmp_path / "loop").read_text() == "new"


def test_what_is_open_is_written_to() -> None:
    assert all(is_device(Path(name)) for name in ("/dev/null", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"))
    assert not is_device(Path("/dev/shm/game.json"))


def test_an_unfinished_game_behind_a_link_is_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "target.json", tmp_path / "game.json"
    link.symlink_to(target)
    begun = run("play", "random", "--players", "2", "--save", str(link), "--seed", "1", typed="p1\nquit\n")
    assert begun.exit_code == 0, begun.output
    before = GameRecord.read(target)
    assert run("play", "random", "--players", "2", "--save", str(link), "--seed", "2", typed="quit\n").exit_code == 0
    assert GameRecord.read(tmp_path / "target-before.json") == before
    assert link.is_symlink()
