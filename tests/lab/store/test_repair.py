"""The store under faults: killed at every step, files damaged at random, a full disk, a disk that is read-only."""

import errno
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from kagiya import Match, Rules, find_agent
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.journal import DamagedStoreError, Journal, StoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.repair import check_store, repair_store
from kagiya.lab.store.store import Store
from tests.children import finish, start_python

MATCH = Match.of(Rules(players=2), [find_agent("random")], 60, 1)
STEP = 5  # games added at once
DAMAGES = 12
KILLS = 20

# A process that stores MATCH and dies at its n-th call of the operating system, and one that looks at what is left;
# in one program, so that the modules are loaded once.
DYING = """
import os, sys
from pathlib import Path
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.provenance import code_version
from kagiya.lab.provenance import commit_here
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.store import Store
from tests.lab.store.test_repair import MATCH, STEP

journal.CHECKPOINT_EVERY, game_files.MAX_SMALL_FILES, journal.GRACE = 3, 2, 0.0
os.fsync = lambda descriptor: None  # a kill, unlike a power cut, loses nothing that was written
home = Path(sys.argv[1])
played = [play_chunk(Chunk(MATCH, first, STEP)) for first in range(1, 21, STEP)]
commit_here(), code_version(MATCH.agents)  # once, not in every child

def die_at(step):
    calls = 0
    def counted(function):
        def call(*words, **options):
            nonlocal calls
            calls += 1
            if calls == step:
                os._exit(9)
            return function(*words, **options)
        return call
    for name in ("replace", "link", "fsync", "mkdir", "unlink", "utime"):
        setattr(os, name, counted(getattr(os, name)))

def fill(path, step):
    announced = path.with_suffix(".announced").open("w")
    die_at(step)
    with Store.open(path) as store:
        run, (seating,) = store.begin("test", [MATCH])
        for chunk in played:
            store.add(run, [(seating.id, chunk)])
            print(chunk.first, file=announced, flush=True)

def look(path):
    announced = set(map(int, path.with_suffix(".announced").read_text().split()))
    with Store.open(path) as store:
        run, (seating,) = store.begin("test", [MATCH])
        seeds = [seed for (seed,) in store.rows("SELECT seed FROM game ORDER BY 1")]
        assert len(seeds) == len(set(seeds)), "doubled"
        known = store.catalog.intervals(seating.id)
        assert set(seeds) == {seed for first, after in known for seed in range(first, after)}
        stored = {seed for seed in seeds if seed % STEP == 1}
        assert announced <= stored, "lost"
        assert len(stored - announced) <= 1 and len(seeds) == STEP * len(stored), "not whole"
        for chunk in played:
            if chunk.first not in stored:
                store.add(run, [(seating.id, chunk)])
        assert store.rows("SELECT count(*), count(DISTINCT seed) FROM game") == [(20, 20)]

def in_child(function, *words):
    child = os.fork()
    if child == 0:
        try:
            function(*words)
        except BaseException as error:
            print(repr(error), file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

for step in map(int, sys.argv[2:]):
    path = home / f"store{step}"
    code = in_child(fill, path, step)
    assert in_child(look, path) == 0, f"killed at step {step}"
    if code == 0:
        print("undisturbed", step)
    else:
        assert code == 9, (step, code)
"""


# The tables as version 0.1 wrote them.
def test_killed_at_any_step_the_store_opens_again_and_has_what_was_announced(
    tmp_path: Path, rng: random.Random
) -> None:
    steps = [*range(1, 8), *rng.sample(range(8, 60), KILLS), 1000]  # the first few make the store
    code, output, errors = finish(start_python(DYING, str(tmp_path), *map(str, steps)))
    assert (code, output) == (0, "undisturbed 1000\n"), errors


def many_files(path: Path) -> None:
    """A store with checkpoints, entries after them, and files that were merged."""
    with Store.open(path) as store:
        run, (seating,) = store.begin("test", [MATCH])
        for first in range(1, 61, STEP):
            store.add(run, [(seating.id, play_chunk(Chunk(MATCH, first, STEP)))])
        store.end_run(run, "complete", 60)


def contents(path: Path) -> list[tuple[Any, ...]]:
    with Store.read(path) as store:
        return store.rows("SELECT team, game.* FROM game JOIN seating USING (seating) ORDER BY seed")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Merge and make checkpoints all the time."""
    monkeypatch.setattr(journal, "CHECKPOINT_EVERY", 5)
    monkeypatch.setattr(game_files, "MAX_SMALL_FILES", 4)


def damage(file: Path, rng: random.Random) -> str:
    content = bytearray(file.read_bytes())
    place = rng.randrange(len(content))
    how = rng.choice(["truncated", "overwritten", "deleted"])
    if how == "deleted":
        file.unlink()
        return f"{file} deleted"
    if how == "truncated":
        del content[place:]
    else:
        content[place : place + 16] = bytes(byte ^ 0x55 for byte in content[place : place + 16])
    file.write_bytes(content)
    return f"{file} {how} at {place}"


def test_whatever_is_damaged_repair_recovers_the_rest(tmp_path: Path, rng: random.Random, small: None) -> None:
    many_files(tmp_path / "whole")
    before = contents(tmp_path / "whole")
    assert len(before) == 60
    for number in range(DAMAGES):
        path = tmp_path / str(number)
        shutil.copytree(tmp_path / "whole", path)
        file = rng.choice(sorted(file for file in path.rglob("*") if file.is_file()))
        what = damage(file, rng)
        recovery = repair_store(path)
        assert check_store(path).is_good, what
        left = contents(path)
        assert len(left) == recovery.games == 60 - recovery.lost, what
        assert set(left) <= set(before), what
        assert recovery.lost == 0 or file.parent.name == "games", what
        with Store.open(path) as store:
            assert run_matches([MATCH], store).computed == recovery.lost, what
        assert [row[2:] for row in contents(path)] == [row[2:] for row in before], what
        assert recovery.lost == 0 or file.exists() is False, what
        shutil.rmtree(path)


def test_a_damaged_file_is_noticed_and_repaired(tmp_path: Path) -> None:
    many_files(tmp_path)
    file = next((tmp_path / "games").iterdir())
    content = file.read_bytes()
    file.write_bytes(content[:100])
    for opened in (Store.open, Store.read):
        with pytest.raises(DamagedStoreError, match=r"100 bytes of .*; `kagiya store repair`"):
            opened(tmp_path)
    (sentence,) = check_store(tmp_path).sentences()
    assert sentence == f"{file} is damaged: 5 games"
    recovery = repair_store(tmp_path)
    assert (recovery.games, recovery.lost, recovery.recovered) == (55, 5, 0)
    assert [path.read_bytes() for path in recovery.aside] == [content[:100]]
    assert len(contents(tmp_path)) == 55


def test_a_lost_journal_is_written_again_from_the_games(tmp_path: Path) -> None:
    many_files(tmp_path)
    before = contents(tmp_path)
    for path in (tmp_path / "journal").iterdir():
        path.write_bytes(b"")
    with pytest.raises(DamagedStoreError, match="is damaged"):
        Store.open(tmp_path)
    recovery = repair_store(tmp_path)
    assert (recovery.games, recovery.recovered, recovery.lost) == (60, 60, 0)
    assert contents(tmp_path) == before


def test_a_good_store_needs_no_repair(tmp_path: Path) -> None:
    many_files(tmp_path)
    files = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert check_store(tmp_path).is_good
    assert repair_store(tmp_path).games == 60
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == files
    with pytest.raises(StoreError, match="there is no store at"):
        repair_store(tmp_path / "nothing")


FULL = """
import resource, sys
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.store.store import Store
from tests.lab.store.test_repair import MATCH, many_files
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
try:
    many_files(Path(sys.argv[1]))
except Exception as error:
    print(type(error).__name__, error)
"""


@pytest.mark.parametrize("size", [0, 30, 300, 1000, 5000])
def test_on_a_full_disk_nothing_is_lost_or_doubled(tmp_path: Path, size: int) -> None:
    """No file can grow beyond a size: a full disk, as programs see it."""
    path = tmp_path / "store"
    code, output, errors = finish(start_python(FULL, str(path), str(size)))
    assert code == 0, errors
    assert output.startswith(f"StoreError {path} cannot be written: "), output + errors
    with Store.open(path) as store:
        assert run_matches([MATCH], store).outcome == "complete"
        assert store.rows("SELECT count(*), count(DISTINCT seed) FROM game") == [(60, 60)]
    assert not list(path.rglob("*.part"))


def test_a_read_only_disk_is_named_and_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many_files(tmp_path)
    chunk = play_chunk(Chunk(MATCH, 61, 5))

    def refuse(*words: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with Store.open(tmp_path) as store:
        monkeypatch.setattr(os, "link", refuse)
        with pytest.raises(StoreError, match="cannot be written: Read-only file system"):
            store.add(1, [(1, chunk)])
        monkeypatch.undo()
        assert len(list((tmp_path / "games").iterdir())) == 12
        store.add(1, [(1, chunk)])
    assert len(contents(tmp_path)) == 65


def test_many_small_files_become_one_and_old_ones_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_files, "MAX_SMALL_FILES", 4)
    monkeypatch.setattr(journal, "CHECKPOINT_EVERY", 4)
    many_files(tmp_path / "kept")
    monkeypatch.setattr(journal, "GRACE", -1.0)
    many_files(tmp_path / "gone")
    assert contents(tmp_path / "kept") == contents(tmp_path / "gone")
    assert len(list((tmp_path / "kept" / "games").iterdir())) > 12
    assert len(list((tmp_path / "gone" / "games").iterdir())) <= 5
    assert len(list((tmp_path / "gone" / "journal").iterdir())) <= 10


def test_the_number_of_an_entry_deleted_long_ago_is_not_taken(tmp_path: Path) -> None:
    behind, ahead = Journal(tmp_path), Journal(tmp_path)
    assert behind.append([["first", 1]])
    ahead.news()
    assert ahead.append([["second", 2]])
    ahead.write_checkpoint([["both", 2]])
    ahead.path(2).unlink()  # as if it had been noted in a checkpoint since long
    assert not behind.append([["late", 2]])
    assert (ahead.numbers(), behind.news()) == ([1], (True, [["both", 2]]))


def test_a_writer_that_was_left_behind_catches_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it slept, others have written, and deleted the entries that it would have read next."""
    monkeypatch.setattr(journal, "CHECKPOINT_EVERY", 4)
    monkeypatch.setattr(journal, "GRACE", -1.0)
    with Store.open(tmp_path) as sleeper:
        number, seating = sleeper.begin("sleeper", [MATCH])[0], 1
        many_files(tmp_path)
        with pytest.raises(StoreError, match="stored already"):
            sleeper.add(number, [(seating, play_chunk(Chunk(MATCH, 1, 5)))])
        sleeper.add(number, [(seating, play_chunk(Chunk(MATCH, 61, 5)))])
    assert [row[2] for row in contents(tmp_path)] == list(range(1, 66))
