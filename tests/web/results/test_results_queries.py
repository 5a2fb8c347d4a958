"""How pages read a store: nothing but reading can be done, and whatever is wrong with it is a sentence."""

import json
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any

import duckdb
import pytest
from starlette.testclient import TestClient

from kagiya import Match, Rules
from kagiya.lab.store.journal import UnreadableStoreError
from kagiya.lab.store.recording import run_matches
from kagiya.lab.store.store import Store
from kagiya.runtime.jobs import STORE_THREADS, JobQueue
from kagiya.runtime.workers import LocalWorkers
from kagiya.web.pages import RefusedError
from kagiya.web.results_queries import StoreQuestion, StoreReader, newest_entry
from tests.web.live_page import live
from tests.web.results.pages import LIVE

HOSTILE = [
    "' OR 1=1 --",
    "vdb'); COPY game TO 'x.csv'; --",
    "<script>alert(1)</script>",
    "this:x",
    "%",
    "\x00",
    "vdb\n",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_from_outside_are_only_compared(
    client: TestClient, path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = sorted(place.name for place in path.rglob("*"))
    monkeypatch.setattr("builtins.__import__", _refuse("this", __import__))
    for name in ("rules", "agent", "code"):
        page = client.get("/results", params={name: text})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
        if text.strip() != "vdb":
            assert client.get("/json/results", params={name: text}).json()["self_play"]["items"] == []
    for name in ("guest", "host", "team", "with_host"):
        page = client.get("/results/cell", params={"host": "vdb", "players": "3", name: text})
        assert page.status_code == 200
        assert "<script>alert" not in page.text
    assert sorted(place.name for place in path.rglob("*")) == before


def _refuse(module: str, otherwise: Callable[..., Any]) -> Callable[..., Any]:
    def importing(name: str, *more: Any, **others: Any) -> Any:
        assert name != module
        return otherwise(name, *more, **others)

    return importing


def test_a_store_that_is_missing_foreign_or_of_another_format(
    tmp_path: Path, path: Path, served: Callable[[Path], TestClient]
) -> None:
    foreign, other_format, damaged = tmp_path / "foreign", tmp_path / "format", tmp_path / "damaged"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("hello")
    for copy in (other_format, damaged):
        shutil.copytree(path, copy)
    (other_format / "kagiya-store.json").write_text(json.dumps({"mark": "kagiya results", "format": 99}))
    next((damaged / "games").iterdir()).unlink()
    file = tmp_path / "results.duckdb"
    file.write_bytes(b"12345678DUCK" + b"0" * 100)
    for place, said in [
        (tmp_path / "nothing", "There is no store at"),
        (foreign, "is not a store, but a folder of something else"),
        (other_format, "has format 99; this version of Kagiya reads format 2"),
        (damaged, "is missing; `kagiya store repair` recovers what is complete"),
        (file, "a store is a folder, and this is a file"),
    ]:
        client = served(place)
        page = client.get("/results")
        assert page.status_code == 200
        assert said in unescape(page.text)
        assert (f"kagiya crossplay careful vdb piers --store {place}" in page.text) == (place.name == "nothing")
        assert said in client.get("/json/results").json()["error"]
        assert said in client.get("/json/results/cell?host=vdb").json()["error"]
    assert not (tmp_path / "nothing").exists()


def test_a_defect_of_ours_is_a_sentence_too(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.lab.store.queries.chosen_teams", lambda *more: 1 / 0)
    page = client.get("/results?players=4")
    assert page.status_code == 200
    assert "Something went wrong inside Kagiya (ZeroDivisionError)" in page.text


def test_a_cell_without_games(client: TestClient) -> None:
    page = client.get("/results/cell?host=nobody")
    assert "The store has no games of nobody with itself" in page.text
    assert 'id="to-results"' in page.text


def test_others_may_store_while_the_page_is_looked_at(tmp_path: Path, served: Callable[[Path], TestClient]) -> None:
    match = Match.of(Rules(players=2), "random", 20)
    with Store.open(tmp_path / "store") as store:
        run_matches([match], store, "first", LocalWorkers(1))
    client = served(tmp_path / "store")
    assert client.get("/json/results").json()["games"] == 20
    with live(client, f"{LIVE}/results") as page:
        page.receive_json()
        with Store.open(tmp_path / "store") as store:
            run_matches([Match.of(Rules(players=2), "random", 50)], store, "second", LocalWorkers(1))
        assert client.get("/json/results").json()["games"] == 50  # what was kept is not what is there


def test_a_run_in_progress_is_named(tmp_path: Path, served: Callable[[Path], TestClient]) -> None:
    with Store.open(tmp_path / "store") as store:
        store.begin("kagiya match vdb", [Match.of(Rules(players=2), "random", 5)])
        text = served(tmp_path / "store").get("/results").text
        assert re.search(r"Run 1 is being played now, by process \d+", text)


def test_long_lists_come_in_pages(
    path: Path, served: Callable[[Path], TestClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    client = served(path)  # one that has kept no answers
    for name in ("AGENTS_SHOWN", "TEAMS_SHOWN", "RUNS_SHOWN"):
        monkeypatch.setattr(f"kagiya.web.results_queries.{name}", 2)
    first, second = (
        client.get(f"/json/results?players=3&guests={page}&selves={page}&runs={page}").json() for page in (1, 2)
    )
    assert {tuple(cell["members"]) for cell in first["cross_play"]} == {
        (guest, host) for guest in ("vdb", "careful") for host in ("vdb", "careful")
    }
    assert {cell["members"][0] for cell in second["cross_play"]} == {"random"}
    assert [row["members"][0] for part in (first, second) for row in part["self_play"]["items"]] == [
        "vdb",
        "careful",
        "random",
    ]
    assert [run["run"] for part in (first, second) for run in part["runs"]["items"]] == [3, 2, 1]
    page = client.get("/results?players=3&hosts=2").text
    assert "hosts, page 2 of 2" in page
    assert 'id="hosts-previous"' in page
    assert 'id="hosts-next"' not in page


@dataclass(frozen=True)
class Harm(StoreQuestion[Any]):
    """A question whose answer would be more than reading games."""

    query: str

    def answer(self, store: Store) -> Any:
        return store.connection.execute(self.query).fetchall()


@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO '{outside}'",
        "FROM read_text('/etc/passwd')",
        "FROM read_text('{mark}')",
        "ATTACH '{outside}' AS other",
        "INSTALL httpfs",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET allowed_directories = ['/']",
    ],
)
def test_the_store_is_opened_without_access_to_other_files(path: Path, tmp_path: Path, query: str) -> None:
    """Even by SQL, of which the pages have no way to say any."""
    outside = tmp_path / "outside"
    asked = Harm(query.format(outside=outside, mark=path / "kagiya-store.json"))
    with pytest.raises(duckdb.Error):
        answered(StoreReader(path, JobQueue()), asked)
    assert not outside.exists()


def answered(reader: StoreReader, question: StoreQuestion[Any]) -> Any:
    """The value, or the error that there is instead."""
    answer = reader.ask(question, "me")
    answer._task.over.result(60)
    if answer._task.error is not None:
        raise answer._task.error
    return answer.value


class Flaky(StoreQuestion[str]):
    """Files go away while it is asked for the first time."""

    def __init__(self, times: int) -> None:
        self.times = times

    def answer(self, store: Store) -> str:
        self.times -= 1
        if self.times >= 0:
            raise UnreadableStoreError(store.path, duckdb.IOException("IO Error: no such file"))
        return "read"


def test_a_store_that_is_merged_while_it_is_read_is_read_again(path: Path) -> None:
    reader = StoreReader(path, JobQueue())
    assert answered(reader, Flaky(1)) == "read"
    with pytest.raises(UnreadableStoreError, match="cannot be read: no such file; `kagiya store check` says"):
        answered(reader, Flaky(2))


def test_a_file_of_games_that_was_overwritten_is_a_sentence(
    tmp_path: Path, served: Callable[[Path], TestClient]
) -> None:
    with Store.open(tmp_path / "store") as store:
        run_matches([Match.of(Rules(players=2), "random", 20)], store, "", LocalWorkers(1))
    (file,) = (tmp_path / "store/games").iterdir()
    file.write_bytes(b"x" * file.stat().st_size)
    error = served(tmp_path / "store").get("/json/results").json()["error"]
    assert error == f"{file} is damaged; `kagiya store repair` recovers what is complete."


class Slow(StoreQuestion[int]):
    """A question that takes until it is told."""

    def __init__(self, number: int, gate: Any) -> None:
        self.number, self.gate, self.began = number, gate, threading.Event()

    def answer(self, store: Store) -> int:
        self.began.set()
        self.gate.wait(60)
        return self.number


def test_questions_are_limited_and_not_asked_twice(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.runtime.jobs.MAX_WAITING_PER_VISITOR", 3)
    gate, reader = threading.Event(), StoreReader(path, JobQueue(refusal=RefusedError))
    questions = [Slow(number, gate) for number in range(5)]
    for question in questions[:STORE_THREADS]:
        reader.ask(question, "me")
        assert question.began.wait(60)
    for question in questions[STORE_THREADS:]:
        reader.ask(question, "me")
    assert reader.ask(questions[0], "you")._task is reader.ask(questions[0], "me")._task
    with pytest.raises(RefusedError, match="3 of your questions are waiting already"):
        reader.ask(Slow(99, gate), "me")
    gate.set()
    assert [answered(reader, question) for question in questions] == list(range(5))
    assert newest_entry(path) == newest_entry(path) is not None
    assert newest_entry(path / "nothing") is None
