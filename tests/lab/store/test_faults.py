"""Faults that would lose or corrupt games: bits, failed syncs, clocks, names, file systems without hard links."""

import errno
import os
import random
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

from kagiya import Match
from kagiya.lab.match.chunk import Chunk, play_chunk
from kagiya.lab.store import game_files, journal
from kagiya.lab.store.journal import DamagedStoreError, StoreError
from kagiya.lab.store.queries import GameFilter, list_seatings
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.repair import check_store, repair_store
from kagiya.lab.store.store import MARK_FILE, Store
from tests.lab.store.faults import FAULTS, Trial, make_whole
from tests.lab.store.test_repair import MATCH, STEP, contents, many_files

NEXT = play_chunk(Chunk(MATCH, MATCH.seed + MATCH.games, STEP))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("stores") / "whole"
    many_files(path)
    return path


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Trial:
    home = tmp_path_factory.mktemp("trials")
    return Trial(make_whole(home / "whole"), home)


@pytest.fixture
def store_folder(whole: Path, tmp_path: Path) -> Path:
    """A copy of a store of twelve files, five games each."""
    return Path(shutil.copytree(whole, tmp_path / "store"))


def flip_a_game(folder: Path) -> Path:
    """Flip a bit that DuckDB reads as another game."""
    file = min((folder / "games").glob("*.parquet"))
    whole, query = file.read_bytes(), f"SELECT * FROM '{file}'"
    with duckdb.connect() as connection:
        right = connection.execute(query).fetchall()
        for place in range(4, len(whole)):
            content = bytearray(whole)
            content[place] ^= 1
            file.write_bytes(content)
            with suppress(duckdb.Error):
                rows = connection.execute(query).fetchall()
                if rows != right and len(rows) == STEP:
                    return file
    raise AssertionError("every bit is noticed")


def test_a_flipped_bit_is_not_read_as_a_game_and_merging_does_not_make_it_a_good_one(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = contents(store_folder)
    file = flip_a_game(store_folder)
    with Store.read(store_folder) as store, pytest.raises(DamagedStoreError, match=f"{file.name} is damaged"):
        list_seatings(store, GameFilter())
    monkeypatch.setattr(game_files, "MAX_SMALL_FILES", 4)
    with Store.open(store_folder) as store:
        store.add(1, [(1, NEXT)])
        assert len(store.catalog.files) == 2  # those that were right are one now
    assert [file.name for file in check_store(store_folder).damaged_files] == [file.name]
    assert repair_store(store_folder).lost == STEP
    with Store.open(store_folder) as store:
        assert run_matches([MATCH], store).computed == STEP
    assert [row[2:] for row in contents(store_folder)][: len(before)] == [row[2:] for row in before]


def test_after_a_failed_sync_what_was_committed_is_not_deleted(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = journal.sync

    def fail_after_the_commit(path: Path) -> None:
        if path.name == "journal":
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        sync(path)

    with Store.open(store_folder) as store:
        monkeypatch.setattr(journal, "sync", fail_after_the_commit)
        with pytest.raises(StoreError, match="cannot be written: Input/output error"):
            store.add(1, [(1, NEXT)])
        monkeypatch.undo()
    assert check_store(store_folder).is_good
    assert len(contents(store_folder)) == MATCH.games + STEP


def test_a_journal_that_cannot_be_read_again_deletes_nothing(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*words: Any) -> Any:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Store.open(store_folder) as store:
        monkeypatch.setattr(journal, "write_first", broken)
        news, calls = store.journal.news, iter([True])
        monkeypatch.setattr(store.journal, "news", lambda: news() if next(calls, False) else broken())
        with pytest.raises(StoreError, match="Input/output error"):
            store.add(1, [(1, NEXT)])
    assert len(check_store(store_folder).unlisted) == 1


def test_leftovers_are_judged_by_the_clock_of_their_folder(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [store_folder / "games" / name for name in (".new.parquet.0a0b0c0d.part", "new.parquet", "old.parquet")]
    for file in files:
        file.write_bytes(b"a game that is being stored")
    hour = 2 * journal.GRACE
    os.utime(files[-1], (files[-1].stat().st_mtime - hour,) * 2)
    clock = time.time
    monkeypatch.setattr(time, "time", lambda: clock() + hour)
    Store.open(store_folder).close()
    assert [file.exists() for file in files] == [True, True, False]


def test_games_deleted_before_they_are_noted_are_not_noted(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was stopped for an hour goes on: others took its file for a leftover."""
    write = game_files.write_columns

    def slow(*words: Any) -> Any:
        file = write(*words)
        (store_folder / "games" / file.name).unlink()
        return file

    with Store.open(store_folder) as store:
        monkeypatch.setattr(game_files, "write_columns", slow)
        with pytest.raises(StoreError, match="was deleted before it was noted"):
            store.add(1, [(1, NEXT)])
    assert check_store(store_folder).is_good


@pytest.mark.parametrize("change", ["file", "drop"])
@pytest.mark.parametrize("name", ["../../outside.txt", "..\\outside.txt", "*.parquet", "C:outside.txt", "/outside.txt"])
def test_a_name_that_leads_outside_the_store_is_refused(store_folder: Path, change: str, name: str) -> None:
    outside = store_folder.parent / "outside.txt"
    outside.write_text("mine")
    number = journal.Journal(store_folder / "journal").last() + 1
    file = {"name": name, "size": 4, "checksum": 0, "chunks": [[1, 900, 5, 1, 0.0]], "late": []}
    entry = store_folder / "journal" / f"{number:010d}.json"
    entry.write_text(journal.encode([[change, file if change == "file" else name]]))
    for opened in (Store.open, Store.read):
        with pytest.raises(DamagedStoreError, match=r"is not to be trusted: it names .* as a file of games"):
            opened(store_folder)
    recovery = repair_store(store_folder)
    assert (recovery.games, recovery.aside) == (MATCH.games, [store_folder / "damaged" / entry.name])
    assert outside.read_text() == "mine"


def test_what_a_file_of_games_says_of_itself_does_not_give_it_another_name(store_folder: Path) -> None:
    with Store.open(store_folder) as store:
        note = game_files.file_note(store.catalog, [journal.StoredChunk(1, 61, STEP, 1, 0.0)], [])
        columns = game_files.columns_of([(1, NEXT)])
        game_files.write_columns(store.connection, store_folder / "games", columns, {**note, "name": "../../x"})
    (store_folder / MARK_FILE).unlink()
    assert repair_store(store_folder).recovered == STEP
    assert len(contents(store_folder)) == MATCH.games + STEP


@pytest.fixture
def no_hard_links(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(*words: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    with monkeypatch.context() as patched:
        patched.setattr(os, "link", refuse)
        yield


def test_without_hard_links_a_store_is_written_all_the_same(tmp_path: Path, no_hard_links: None) -> None:
    many_files(tmp_path)
    assert len(contents(tmp_path)) == MATCH.games
    with Store.open(tmp_path) as first, Store.open(tmp_path) as second:
        first.add(1, [(1, NEXT)])
        with pytest.raises(StoreError, match="are stored already"):
            second.add(1, [(1, NEXT)])
    assert check_store(tmp_path).is_good
    assert [journal.write_first(tmp_path / "entry", text) for text in ("first", "second")] == [True, False]
    assert (tmp_path / "entry").read_text() == "first"


def test_an_entry_that_is_being_written_is_waited_for(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = journal.Journal(store_folder / "journal")
    entry = written.path(written.last() + 1)
    text = journal.encode([["part", [1, 1, 1, 5]]])
    entry.write_text(text[:20])
    monkeypatch.setattr(time, "sleep", lambda seconds: entry.write_text(text))
    with Store.read(store_folder) as store:
        assert store.catalog.parts[-1] == [1, 1, 1, 5]
    entry.write_text(text[:20])
    monkeypatch.setattr(journal, "WRITTEN_AT_ONCE", 0.0)
    with pytest.raises(DamagedStoreError):
        Store.read(store_folder)


def test_where_folders_cannot_be_opened_and_lines_end_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows."""
    opened = os.open

    def files_to_write(path: Any, flags: int, *words: Any, **options: Any) -> int:
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        assert flags & os.O_RDWR
        return opened(path, flags, *words, **options)

    with monkeypatch.context() as windows:
        windows.delattr(os, "O_DIRECTORY")
        windows.setattr(os, "open", files_to_write)
        windows.setattr(
            Path, "write_text", lambda path, text, encoding: path.write_bytes(text.replace("\n", "\r\n").encode())
        )
        many_files(tmp_path)
    assert len(contents(tmp_path)) == MATCH.games


def test_a_store_that_cannot_be_written_is_resumed_if_nothing_is_left_to_play(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*words: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    files = sorted(store_folder.rglob("*"))
    monkeypatch.setattr(journal, "write_first", refuse)
    with Store.open(store_folder) as store:
        report = run_matches([MATCH], store)
        assert (report.computed, report.stored_before, report.outcome) == (0, MATCH.games, "complete")
        assert store.unnoted == {report.run}
        assert store.rows("SELECT sum(games) FROM part WHERE run = ?", [report.run]) == [(MATCH.games,)]
        longer = Match.of(MATCH.rules, list(MATCH.agents), MATCH.games + 1, MATCH.seed)
        with pytest.raises(StoreError, match="cannot be written: Read-only file system"):
            run_matches([longer], store)
    assert sorted(store_folder.rglob("*")) == files


@pytest.mark.parametrize(("old", "new"), [(b"results", b"rasults"), (b'"format": 2', b'"format": 3')])
def test_a_flipped_bit_in_the_mark_is_repaired(store_folder: Path, old: bytes, new: bytes) -> None:
    mark = store_folder / MARK_FILE
    right = mark.read_bytes()
    mark.write_bytes(right.replace(old, new))
    with pytest.raises(DamagedStoreError, match=f"{MARK_FILE} is damaged"):
        Store.open(store_folder)
    repair_store(store_folder)
    assert mark.read_bytes() == right


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_noticed_or_harmless(trial: Trial, fault: str, rng: random.Random) -> None:
    """A sample; `python -m tests.lab.store.faults` tries 500."""
    trial.check(fault, rng.randrange(1000))
