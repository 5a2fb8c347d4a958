"""Whole games at tables of a server, by what its pages offer; whatever is not allowed is said and changes nothing."""

from __future__ import annotations

import random
import re
import sqlite3
import threading
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from starlette.testclient import TestClient

from kagiya.agents.register import find_agent
from kagiya.cards import Seat
from kagiya.engine.record import GameRecord
from kagiya.engine.sentences import slots_text
from kagiya.lab.replayed_decisions import recall, seats_code
from kagiya.lab.table.session import GameSession
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.view.observation import Observation
from kagiya.web.play.storage import Storage
from kagiya.web.play.web_tables import TablePlan
from tests.web.play.guests import Guest, guest, served

pytestmark = pytest.mark.quick


class Fickle:
    """Fails when told to."""

    is_broken = True

    def act(self, observation: Observation) -> Move:
        raise KeyError("lost my notes")


def play_on(page: Guest, dice: random.Random, turns: int = 1_000) -> None:
    """Make so many of this guest's moves, or as many as the game has, each chosen among the buttons."""
    for _ in range(turns):
        if not page.wait_for_my_turn():
            return
        assert page.move(dice.choice(page.moves)) == ""


def told(client: TestClient, page: Guest) -> dict[str, Any]:
    """The page as JSON."""
    answer: dict[str, Any] = client.get(f"/json{page.address}").json()
    return answer


@pytest.mark.parametrize("players", [2, 5])
def test_a_whole_game_from_the_lobby_to_the_end(players: int) -> None:
    with served() as (client, state), guest(client, f"/?players={players}&pause=0") as page:
        page.do("start")
        assert page.address.startswith("/table/")
        play_on(page, random.Random(players))
        assert "of 25 points" in page.main
        review = f"/review/table/{page.address.split('/')[2]}"
        assert f'data-copy="{review}"' in page.main
        assert client.get(review).status_code == 200
        record = GameRecord.from_json(told(client, page)["record"])
        assert record.seats == ("human", *["careful"] * (players - 1))
        partners = [find_agent("careful")] * (players - 1)
        assert record.versions["code"] == seats_code(partners)
        assert all(each.is_genuine for each in recall(record, [None, *partners]) if each.thought)
        assert state.tables.record_for(*page.address.split("/")[2:4]).moves == record.moves
        saved = client.get(f"{page.address}/game.json")
        assert saved.headers["content-disposition"].startswith("attachment")
        assert GameRecord.from_json(saved.json()) == record
        assert page.move_anyway("play 1", record.turns) == ""  # the last one sent again, as it were
        page.do("again")
        play_on(page, random.Random(players))
        assert told(client, page)["record"]["deck"] == record.deck


def test_reload_and_restart_find_the_same_seat_and_turn(tmp_path: Path) -> None:
    file, dice = tmp_path / "tables.sqlite", random.Random(1)
    with served(file) as (client, _), guest(client, "/?pause=0") as page:
        page.do("start")
        play_on(page, dice, 3)
        assert page.wait_for_my_turn()
        with guest(client, page.address) as second:
            assert second.main == page.main
            second.move(second.moves[0])
            page.receive()
        page.wait_for_my_turn()
        before = told(client, page)
    for _ in range(3):
        with served(file) as (client, _), guest(client, page.address) as page:
            assert page.wait_for_my_turn()
            assert told(client, page) == before
    with served(file) as (client, _), guest(client, page.address) as page:
        play_on(page, dice)
        assert "points" in page.title


def test_a_move_sent_again_is_made_once_and_another_is_refused() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        first, other = page.moves[:2]
        assert page.do("move", move=first, turn=0, branch=0) == ""
        assert page.do("move", move=first, turn=0, branch=0) == ""
        assert "has been made already" in page.do("move", move=other, turn=0, branch=0)
        page.wait_for_my_turn()
        assert told(client, page)["live_turn"] == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("discard 1", "all 8 hint tokens are there"),
        ("play 9", "slots are 1-5"),
        ("hint bob mauve", "neither a color"),
        ("hint alice red", "a hint goes to another seat"),
        ("dance", "is not a move; expected"),
        ("hint bob purple", "this game has no purple"),
        ("", "is not a move"),
    ],
)
def test_what_cannot_be_done_is_said(line: str, reason: str) -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        assert reason in page.do("type", line=line, turn=0, branch=0)
        assert told(client, page)["live_turn"] == 0


def test_out_of_turn_and_after_the_end() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=2&seat2=human") as page:
        page.do("start")
        page.move(page.moves[0])
        assert page.do("type", line="play 1", turn=1, branch=0) == "It is bob's turn, not yours."
        assert "meant for turn 3" in page.do("type", line="play 1", turn=2, branch=0) or "not yours" in page.said
        assert "the page sent" in page.do("move", move="play 1", turn="x").lower()
    with served() as (client, _), guest(client, "/?players=2&pause=0&rules=hle-very-small") as page:
        page.do("start")
        while page.wait_for_my_turn():
            page.move("play 1")
        assert "does not know how" in page.do("back", turn=0, branch=0)


def test_two_persons_by_invitation() -> None:
    with served() as (client, _), guest(client, "/?players=3&pause=0&seat3=human&name=Anna") as anna:
        anna.do("start")
        assert anna.main.index("has not come yet") < anna.main.index('id="hands"')  # a phone shows it, too
        invitation = next(player["invitation"] for player in told(client, anna)["players"] if player["invitation"])
        with guest(client, invitation) as cathy:
            assert "Play Hanabi with Anna and bob" in cathy.main
            cathy.do("join")
            assert cathy.address != anna.address
            assert "Tell Anna: red" in cathy.main
            assert client.get(invitation).status_code == 404
            dice = random.Random(3)
            while not anna.title.endswith("points"):
                play_on(anna, dice, 1)
                play_on(cathy, dice, 1)
            cathy.wait_for("points")
        assert "has not come yet" not in anna.main
        table, secret = anna.address.split("/")[2:]
        assert client.get(f"/table/{table}/{secret[:-1]}x").status_code == 404
        assert client.get(f"/table/{table}/").status_code == 404


def test_moves_are_taken_back_and_it_is_noted() -> None:
    with served() as (client, state), guest(client, "/?players=3&pause=0") as page:
        page.do("start")
        play_on(page, random.Random(5), 3)
        page.wait_for_my_turn()
        before = told(client, page)
        page.do("back", turn=6, branch=0)
        assert page.turn == 6
        assert "taken back since" in page.do("move", move=page.moves[0], turn=6, branch=0)
        page.do("look", value=0)
        assert "Before turn 1 " in page.main
        page.do("back", turn=3, branch=1)
        now = told(client, page)
        assert (before["live_turn"], now["live_turn"], now["branch"]) == (9, 3, 2)
        assert now["story"] == before["story"][:3]
        play_on(page, random.Random(6))
        remarks = told(client, page)["record"]["source"]["remarks"]
        assert remarks == "alice took back turns 7 to 9; alice took back turns 4 to 6"
        assert state.tables.record_for(*page.address.split("/")[2:4]).names == ("alice", "bob", "cathy")


def test_nobody_takes_back_what_others_have_seen() -> None:
    with served() as (client, _), guest(client, "/?players=2&seat2=human") as page:
        page.do("start")
        page.move(page.moves[0])
        assert "take-back" not in page.main
        assert "alone with agents" in page.do("back", turn=0, branch=0)


def test_earlier_turns_never_lose_the_game() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        play_on(page, random.Random(2), 2)
        page.wait_for_my_turn()
        page.do("look", value=1)
        assert page.address.endswith("?turn=1")
        assert "Before turn 2" in page.main
        assert page.moves == []
        assert told(client, page)["turn"] == 1
        page.do("look", value="live")
        assert "?" not in page.address
        assert page.moves


def test_each_step_counts_from_where_the_last_one_led() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        play_on(page, random.Random(2), 2)
        page.wait_for_my_turn()
        for way, turn in (("back", 3), ("back", 2), ("on", 3), ("first", 0), ("back", 0), ("live", 4), ("on", 4)):
            page.do("look", way=way)
            assert told(client, page)["turn"] == turn


def test_a_screen_reader_hears_which_slots_a_hint_touches() -> None:
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        partner = told(client, page)["hands"][0]
        for hint in partner["hints"]:
            label = f'aria-label="Tell bob: {hint["value"]}" title="'
            if hint["why_not"]:
                assert label + hint["why_not"] in page.main
                continue
            touched = [card["slot"] for card in partner["cards"] if hint["value"][0].upper() in card["card"]]
            assert hint["slots"] == touched
            assert f"{label}touches {slots_text(touched)}" in page.main
        assert page.main.count('role="group" aria-label="slot 1"') == 2


def test_agents_that_see_what_no_player_may_come_last() -> None:
    with served() as (client, _), guest(client, "/?players=3") as page:
        listed = re.search(r'<select id="seat2".*?</select>', page.main)
        assert listed is not None
        marked = [", sees " in option for option in re.findall(r"<option.*?</option>", listed[0])]
        assert any(marked)
        assert marked == sorted(marked)


def test_a_text_that_names_no_agent_stays_chosen() -> None:
    with served() as (client, _), guest(client, "/?players=2&seat2=carefull") as page:
        assert '<option value="carefull" selected' in page.main
        assert "did you mean careful" in page.main


def test_an_agent_that_fails_is_named_and_replaced() -> None:
    name = f"{Fickle.__module__}:Fickle"
    with served(agents=(name,)) as (client, _), guest(client, f"/?players=2&pause=0&seat2={name}") as page:
        page.do("start")
        page.move(page.moves[0])
        page.wait_until_shown("lost my notes")
        assert f"bob ({name}) does not move" in page.main
        assert "did you mean" in page.do("replace", agent="carefull")
        page.do("replace", agent="careful")
        assert page.wait_for_my_turn()
        assert "took the place of" in told(client, page)["remarks"][0]


def test_an_agent_that_is_no_longer_there_is_replaced(tmp_path: Path) -> None:
    file, name = tmp_path / "t.sqlite", f"{Fickle.__module__}:Fickle"
    with served(file, agents=(name,)) as (client, _), guest(client, f"/?players=2&pause=0&seat2={name}") as page:
        page.do("start")
        address = page.address
    with served(file) as (client, _), guest(client, address) as page:
        page.move(page.moves[0])
        page.wait_until_shown("which this table does not run")
        page.do("replace", agent="careful")
        assert page.wait_for_my_turn()


def test_a_full_disk_only_delays_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.web.play.table_agents.RETRY", 0.01)
    with served() as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")
        begin, refusals = Storage._begin, iter([None, "full", "full"])

        def sometimes(storage: Storage) -> None:
            if next(refusals, None):
                raise sqlite3.OperationalError("database or disk is full")
            begin(storage)

        monkeypatch.setattr(Storage, "_begin", sometimes)
        page.move(page.moves[0])
        assert page.wait_for_my_turn()
        assert next(refusals, "used up") == "used up"
        page.wait_until_shown(">Your turn ")


def test_the_time_of_a_search_begins_when_it_has_sat_down(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = []
    retraced = GameSession.retraced

    def sit_down(*words: Any) -> GameSession:
        happened.append("sits down")
        return retraced(*words)

    def timer(seconds: float, call: Any) -> threading.Timer:
        happened.append("time runs")
        return Timer(600, call)

    monkeypatch.setattr(GameSession, "retraced", sit_down)
    monkeypatch.setattr("kagiya.runtime.timeouts.threading.Timer", timer)
    seats = ("human", "depth-one(careful, deals=4)")
    with served() as (_, state):
        address = state.tables.set_up("somebody", TablePlan(Rules(players=2), seats, ("", "")))
        opened = state.tables.visit(address.path.split("/")[2])
        opened.table.make(Seat(0), opened.table.game.legal_moves[0], 0)
        opened.agents._timed(opened.table.game, seats)
    assert happened == ["sits down", "time runs"]


def test_parameters_of_an_agent_are_fields_of_a_form() -> None:
    with served() as (client, _), guest(client, "/?players=2") as page:
        page.do("seat", seat=1, value="ris-mcts")
        assert 'id="seat2-iterations"' in page.main
        page.do("parameter", seat=1, name="iterations", value="50")
        assert told(client, page)["seats"] == ["human", "ris-mcts(iterations=50)"]
        assert "iterations must be" in page.do("parameter", seat=1, name="iterations", value="-3")
        assert "no parameter" in page.do("parameter", seat=1, name="speed", value="3")
        page.do("parameter", seat=1, name="iterations", value="")
        assert told(client, page)["seats"] == ["human", "ris-mcts"]
        page.do("set", name="rules", value="hle-small")
        page.do("start")
        assert told(client, page)["rules"]["colors"] == 2


def test_limits_are_said() -> None:
    with served(tables=1) as (client, _), guest(client, "/?players=2") as page:
        page.do("start")
        with guest(client, "/?players=2") as other:
            assert "no room for more than 1" in other.do("start")
    with served() as (client, _):
        for text, reason in [
            ("this:x", "is code of a module"),
            ("predictor(model=this:x)", "is code of a module"),
            ("ris-mcts(time=60s)", "more than the 2 s"),
            ("carefull", "did you mean careful"),
            ("vdb(threshold=7)", "threshold"),
            ("(", "is missing"),
        ]:
            with guest(client, "/") as lobby:
                lobby.do("seat", seat=1, value=text)
                heard = lobby.said, lobby.main, lobby.do("start")
                assert any(reason in each for each in heard), text
                assert not lobby.address.startswith("/table/")
        with guest(client, "/?rules=bogus") as lobby:
            assert "no rules named 'bogus'; there are bouzy" in lobby.do("start")
        with guest(client, "/") as lobby:
            assert "at most 2,000 characters" in lobby.do("seat", seat=1, value="x" * 3_000)


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path / "t.sqlite") as (client, _), guest(client, "/?players=2&pause=0") as page:
        page.do("start")

        def fail(*_: object) -> None:
            raise sqlite3.OperationalError("database or disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(Storage, "_begin", fail)
            assert "disk is full" in page.move(page.moves[0])
        assert told(client, page)["live_turn"] == 0
        assert page.move(page.moves[0]) == ""


def test_names_notes_and_texts_come_out_as_text() -> None:
    with served() as (client, _), guest(client, "/?players=2&seat2=human&name=<b>x</b>") as page:
        page.do("start")
        card = told(client, page)["hands"][1]["cards"][0]["order"]
        page.do("note", card=card, value="<script>alert(1)</script>")
        assert "<script" not in page.main
        assert "&lt;script&gt;" in page.main
        assert "<b>x</b>" not in page.main
        assert "no longer in a hand" in page.do("note", card=40, value="x")
        page.do("note", card=card, value="")
        assert "script" not in page.main
