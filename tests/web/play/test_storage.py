"""Tables on disk: who sits where, other formats, files that are none, two servers with one file."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest

from kagiya.rules import Rules
from kagiya.web.pages import RefusedError
from kagiya.web.play.storage import Setup, Storage
from kagiya.web.play.web_table import WebTable
from tests.web.play.guests import guest, served

pytestmark = pytest.mark.quick


def new_setup() -> Setup:
    return Setup(Rules().to_json(), ("human", "careful"), ("alice", "bob"), ("a", "b"), seed=3, invitations=("", ""))


def test_a_setup_comes_back_as_it_was() -> None:
    setup = new_setup().remarked("alice took back turns 1 to 2")
    assert Setup.from_text(setup.text()) == setup


def test_each_visitor_finds_the_seats_they_sit_in() -> None:
    storage = Storage()
    storage.add("one", "anna", 0, new_setup())
    storage.join("one", "ben", 1, new_setup())
    storage.append("one", 0, 5, None)
    storage.add("two", "anna", 1, new_setup())
    assert [(entry.id, entry.seat, entry.turn) for entry in storage.tables_of("ben")] == [("one", 1, 1)]
    assert {(entry.id, entry.seat) for entry in storage.tables_of("anna")} == {("one", 0), ("two", 1)}
    assert storage.running() == 2
    storage.append("one", 1, 6, 17)
    assert storage.running() == 1
    storage.remove("one")
    assert [entry.id for entry in storage.tables_of("anna")] == ["two"]
    assert storage.moves("one") == []


def test_another_format_is_refused_and_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    Storage(file).close()
    with sqlite3.connect(file) as other:
        other.execute("PRAGMA user_version = 99")
    with pytest.raises(ValueError, match="format 99"):
        Storage(file)
    (tmp_path / "text.sqlite").write_text("not a database, but long enough to be taken for one" * 100)
    with pytest.raises(ValueError, match="is not a file of tables"):
        Storage(tmp_path / "text.sqlite")
    with pytest.raises(ValueError, match="cannot be opened"):
        Storage(tmp_path / "text.sqlite" / "x.sqlite")


def test_two_servers_with_one_file_lose_no_move(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite"
    first, second = Storage(file), Storage(file)
    first.add("one", "anna", 0, new_setup())
    tables = [WebTable("one", new_setup(), each) for each in (first, second)]
    move, other = tables[0].game.legal_moves[:2]
    tables[0].make(tables[0].game.seat, move, 0)
    with pytest.raises(RefusedError, match="moved on"):
        tables[1].make(tables[1].game.seat, other, 0)
    assert tables[1].game.moves == tables[0].game.moves == (move,)


def test_games_are_thrown_away_by_their_owner_alone() -> None:
    with served() as (client, _), guest(client, "/?players=2") as stranger:
        client.get("/")  # gives the next pages a name
        with guest(client, "/?players=2") as page, guest(client, "/") as lobby:
            page.do("start")
            table = page.address.split("/")[2]
            assert "Only who set up" in stranger.do("remove", table=table)
            assert client.get("/json/").json()["games"][0]["address"] == page.address
            assert lobby.do("remove", table=table) == ""
            assert client.get("/json/").json()["games"] == []
            assert client.get(page.address).status_code == 404


def test_nobody_plays_on_at_a_table_that_was_thrown_away() -> None:
    with served() as (client, state):
        client.get("/")  # gives the next pages a name
        with guest(client, "/?players=2&pause=2") as page, guest(client, "/") as lobby:
            page.do("start")
            table = page.address.split("/")[2]
            page.move(page.moves[0])
            bots, pause = state.tables._open[table].agents, threading.Event()
            lobby.do("remove", table=table)
            while bots.is_busy:
                pause.wait(0.01)
            assert state.tables.storage.moves(table) == []
    with pytest.raises(RefusedError, match="thrown away"):
        Storage().append("gone", 0, 5, None)
