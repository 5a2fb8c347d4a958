"""Why a move was made: agents' words, judgements that are kept, opinions, and the keys to what is worth a look."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from kagiya.agents.register import find_agent
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.regret import move_costs
from kagiya.lab.replayed_decisions import seats_code
from kagiya.lab.review.judging import Judge, JudgeBudget, judge_game
from kagiya.lab.review.opinions import opinions
from kagiya.lab.table.table import Table
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.runtime.interrupts import StoppedError
from kagiya.web.server_state import Limits
from tests.children import LONGEST
from tests.web.live_page import live
from tests.web.review.conftest import FEW
from tests.web.review.games import LIVE, SEATS, looking, opened, pasted, recorded, said
from tests.web.review.waiting import done, settled


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with looking(tmp_path) as client:
        yield client


def judged(client: TestClient, address: str, turns: str = "all") -> dict[str, Any]:
    return done(client, address, {"do": "judge", "turns": turns})


def test_the_reasons_are_those_of_the_table(client: TestClient) -> None:
    record, table = recorded(), Table(Rules(players=3), [find_agent(seat) for seat in SEATS])
    reasons = table.play_explained(7)
    address = opened(client, pasted(record))
    settled(client, address)
    for turn in (1, 2, 3, 10):
        reason = client.get(f"/json{address}?turn={turn}&eyes=everything").json()["why"]["reason"]
        assert reason == {"words": str(reasons[turn - 1]), "label": "asked again", "agrees": True}


def test_thoughts_are_genuine_if_the_same_code_played(client: TestClient) -> None:
    code = seats_code([find_agent(seat) for seat in SEATS])
    for known, label in ((code, "genuine"), ("123456789abc", "asked again")):
        record = replace(recorded(), source={"format": "store", "code": known})
        address = opened(client, pasted(record))
        settled(client, address)
        assert client.get(f"/json{address}?turn=2&eyes=everything").json()["why"]["reason"]["label"] == label


def test_judging_is_stopped(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def judge_until_stopped(judge: Judge, budget: JudgeBudget, seed: int, made: Move | None) -> None:
        assert isinstance(budget.stop, threading.Event)
        assert budget.stop.wait(LONGEST)
        raise StoppedError

    monkeypatch.setattr(Judge, "judge_made", judge_until_stopped)
    address = f"{opened(client, pasted(recorded()))}?judge=careful&deals=20"
    with live(client, f"{LIVE}{address.replace('&', '%26')}") as page:
        page.receive_json()
        said(page, {"do": "judge", "turns": "all"})
        assert "Stop judging" in client.get(address).text
        assert "say" not in said(page, {"do": "judge", "turns": "all"})  # a double click is not a mistake
        said(page, {"do": "stop", "about": "judges"})
    settled(client, address)
    assert "careful has not judged this game with 20 samples" in client.get(address).text


def test_rules_that_did_not_apply_are_named(client: TestClient) -> None:
    record = recorded(seats=("vdb", "vdb"))
    address = opened(client, pasted(record))
    settled(client, address)
    tactics = find_agent("vdb").reasons
    for turn in range(1, 12):
        why = client.get(f"/json{address}?turn={turn}&eyes=everything").json()["why"]
        fired = why["reason"]["words"].partition(": ")[0]
        assert why["passed_over"] == list(tactics[: tactics.index(fired)])


def test_words_that_name_hidden_cards_are_for_eyes_that_see_them(client: TestClient) -> None:
    address = opened(client, pasted(recorded(seats=("smartbot", "smartbot"))))
    happened = settled(client, address)["happened"]
    turn = next(turn for turn, words in enumerate(happened, start=1) if words.startswith("alice hints"))
    words = {
        eyes: client.get(f"/json{address}?turn={turn}&eyes={eyes}").json()["why"]["reason"]["words"]
        for eyes in ("alice", "bob", "everything")
    }
    assert words["alice"] == words["everything"] != words["bob"]
    assert "do not see" in words["bob"]


def test_costs_and_opinions_are_those_of_the_laboratory(client: TestClient) -> None:
    record = recorded()
    told = settled(client, opened(client, pasted(record)))
    asked = opinions(record, told["zoo"])
    costs = move_costs([record.deal(), *record.replay()])
    assert [(turn["direct"], turn["indirect"]) for turn in told["timeline"]] == [(c.direct, c.indirect) for c in costs]
    assert [turn["otherwise"] for turn in told["timeline"]] == [asked.otherwise(turn) for turn in range(len(costs))]
    zoo = {row["move"]: row["zoo"] for row in told["why"]["moves"]}
    assert sum(map(len, zoo.values())) == sum(len(agents) for agents in asked.at(0).values())


def test_a_game_is_judged_and_the_judgement_kept(tmp_path: Path) -> None:
    record = recorded()
    short = replace(record, moves=record.moves[:6], **_result_after(record, 6))
    expected = list(judge_game(short, "careful", 20, most_deals=FEW))
    with looking(tmp_path) as client:
        address = f"{opened(client, pasted(short))}?judge=careful&deals=20&turn=3"
        assert all(row["judged"] == [None] for row in settled(client, address)["why"]["moves"])
        first = judged(client, address)["why"]
    with looking(tmp_path) as client:
        kept = settled(client, address)["why"]
        assert kept["moves"] == first["moves"]
        by_move = {row["judged"][0]["move"]: row["judged"][0] for row in kept["moves"]}
        assert by_move == {str(each.move): each.to_json() for each in expected[2].moves}
        assert [row["played"] for row in kept["moves"]].count(True) == 1
        page = client.get(address).text
        assert "careful: 6 of 6 turns judged with 20 samples" in page


def _result_after(record: GameRecord, turns: int) -> dict[str, Any]:
    game = list(record.replay())[turns - 1]
    return {"score": game.score, "points": game.points, "lives": game.lives, "turns": turns, "end": "unfinished"}


def test_judgements_of_other_code_do_not_count(tmp_path: Path) -> None:
    with looking(tmp_path) as client:
        address = f"{opened(client, pasted(recorded()))}?judge=careful&deals=20&turn=3"
        judged(client, address, "this")
        (file,) = tmp_path.glob("*/judged-*.json")
    file.write_text(file.read_text().replace('"code":"', '"code":"older'))
    with looking(tmp_path) as client:
        assert all(row["judged"] == [None] for row in settled(client, address)["why"]["moves"])
    file.write_text("{")
    with looking(tmp_path) as client:
        assert all(row["judged"] == [None] for row in settled(client, address)["why"]["moves"])


def test_two_judges_stand_side_by_side_and_rows_are_sorted(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=4&judge=careful&second=vdb&deals=20"
    rows = judged(client, address, "this")["why"]["moves"]
    assert all(len(row["judged"]) == 2 and None not in row["judged"] for row in rows)
    values = [row["judged"][0]["value"] for row in rows]
    assert values == sorted(values, reverse=True)
    for sort, key in (("behind", lambda row: row["judged"][0]["behind"]), ("zoo", lambda row: -len(row["zoo"]))):
        found = list(map(key, client.get(f"/json{address}&sort={sort}").json()["why"]["moves"]))
        assert found == sorted(found)
    main = client.get(address).text
    assert main.count('scope="col"') == 7
    assert 'aria-sort="descending"' in main


def stepped(client: TestClient, address: str, *ways: str) -> str:
    """Where the page is after some clicks in a row."""
    with live(client, f"{LIVE}{address.replace('&', '%26')}") as page:
        told = page.receive_json()
        for way in ways:
            page.send_json({"do": "step", "way": way})
        return str((told | said(page, {"do": "nothing"}))["address"])


def test_marks_say_whose_choice_it_is_and_the_zoo_by_name(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=12&judge=careful&deals=20"
    told = judged(client, address, "this")
    page = client.get(address).text
    rows = {row["move"]: row for row in told["why"]["moves"]}
    for row in rows.values():
        for agent in row["chosen_by"]:
            assert escape(f"{agent}'s choice") in page
        assert ", ".join(row["zoo"]) in page
        assert f"{row['judged'][0]['deals']} samples" in page
    assert any(row["chosen_by"] for row in rows.values())
    assert any(len(row["zoo"]) > 1 for row in rows.values())


def test_the_next_mistake_and_the_next_disagreement(client: TestClient) -> None:
    record = recorded()
    address = opened(client, pasted(record))
    told = settled(client, address)
    lost = [turn["turn"] for turn in told["timeline"] if turn["direct"] + turn["indirect"] > 0]
    assert stepped(client, f"{address}?turn=1", "next-mistake") == f"{address}?turn={lost[0]}"
    asked = len(told["zoo"])
    disputed = [turn["turn"] for turn in told["timeline"] if 2 * turn["otherwise"] > asked and turn["turn"] > 1]
    assert stepped(client, f"{address}?turn=1", "next-disagreement") == f"{address}?turn={disputed[0]}"
    ways = ["next-turn", "next-turn", "previous-turn", "last-turn", "next-turn"]  # of quick clicks each counts
    assert stepped(client, f"{address}?turn=1", *ways[:3]) == f"{address}?turn=2"
    assert stepped(client, f"{address}?turn=1", *ways) == f"{address}?turn={len(record.moves) + 1}"


def test_points_lost_are_still_found_after_one_turn_was_judged(client: TestClient) -> None:
    address = opened(client, pasted(recorded()))
    told = judged(client, f"{address}?turn=1&judge=careful&deals=20", "this")
    lost = [turn["turn"] for turn in told["timeline"] if turn["direct"] + turn["indirect"] > 0 and turn["turn"] > 1]
    judged_by = "judge=careful&deals=20"
    assert stepped(client, f"{address}?turn=1&{judged_by}", "next-mistake") == f"{address}?turn={lost[0]}&{judged_by}"


def test_the_best_move_is_not_behind_itself(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=4&judge=careful&second=vdb&deals=20"
    judged(client, address, "this")
    assert client.get(address).text.count('<td class="number">best<small') == 2  # one for each judge


def test_every_panel_is_well_formed(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=4&judge=careful&second=vdb&deals=20"
    judged(client, address, "this")
    for query in ("", "&eyes=everything", "&turn=999"):
        with live(client, f"{LIVE}{(address + query).replace('&', '%26')}") as page:
            ElementTree.fromstring(page.receive_json()["main"])


@pytest.mark.parametrize(
    ("judge", "answer"),
    [
        ("smartbob", "smartbot"),
        ("this:x", "code of a module"),
        ("depth-one(this:x)", "code of a module"),
        ("mo-ismcts", "is a search"),
        ("careful-python", "written in Python"),
        ("kagiya-two", "2 players"),
        ("a" * 3_000, "at most"),
        ("<b>", "cannot stand here"),
    ],
)
def test_judges_that_cannot_be_are_refused(client: TestClient, judge: str, answer: str) -> None:
    refused = client.get(opened(client, pasted(recorded())), params={"judge": judge})
    assert refused.status_code == 400
    assert answer in refused.text
    assert "<b>" not in refused.text


def test_agents_of_a_record_that_may_not_be_asked_are_not_imported(client: TestClient) -> None:
    record = replace(recorded(), seats=("this:x", "predictor(model=antigravity:x)", "mo-ismcts(time=99s)"))
    address = opened(client, pasted(record))
    settled(client, address)
    for turn, answer in ((1, "code of a module"), (2, "antigravity"), (3, "more than the 2 s")):
        assert answer in client.get(f"{address}?turn={turn}").text


def test_a_search_says_what_it_expects(tmp_path: Path) -> None:
    seats = ("mo-ismcts(iterations=60)", "careful")
    record = recorded(seats=seats)
    short = replace(record, moves=record.moves[:3], **_result_after(record, 3))
    with looking(tmp_path, limits=Limits()) as client:
        address = opened(client, pasted(short))
        assert "reason" not in settled(client, address)["why"]
        why = done(client, address, {"do": "thoughts"})["why"]
        assert "searched 60 times" in why["reason"]["words"]
        assert "chosen by visits" in why["reason"]["words"]
        assert sum(row["visits"] or 0 for row in why["moves"]) > 0


def test_a_position_can_be_judged(client: TestClient) -> None:
    game = Game(Rules(players=2), 5)
    game.make(game.legal_moves[0])
    address = f"{opened(client, game.position())}?judge=careful&deals=20"
    rows = judged(client, address, "this")["why"]["moves"]
    assert len(rows) == len(game.legal_moves)
    assert None not in [row["judged"][0] for row in rows]
