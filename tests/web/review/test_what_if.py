"""What if: something else is tried from a turn; branches make a tree, are kept, renamed, exported and deleted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from kagiya.cards import SEAT_NAMES, card_name
from kagiya.engine.game import Game
from kagiya.engine.record import GameRecord
from kagiya.lab.review.outcomes import play_on
from kagiya.lab.table.session import play_from
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.view.observation import observe
from tests.web.live_page import live
from tests.web.review.games import LIVE, SEATS, looking, opened, pasted, recorded, said
from tests.web.review.waiting import done, settled

MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with looking(tmp_path) as client:
        yield client


def before(turn: int) -> Game:
    return [recorded().deal(), *recorded().replay()][turn - 1]


def other_move(turn: int) -> Move:
    return next(move for move in reversed(before(turn).legal_moves) if move != recorded().moves[turn - 1])


def refused(client: TestClient, address: str, message: dict[str, str]) -> str:
    with live(client, f"{LIVE}{address.replace('&', '%26')}") as page:
        page.receive_json()
        return str(said(page, message)["say"])


def test_a_move_is_tried_and_the_agents_play_on(client: TestClient) -> None:
    move = other_move(9)
    address = f"{opened(client, pasted(recorded()))}?turn=9"
    (branch,) = done(client, address, {"do": "try", "move": str(move)})["branches"]
    game = before(9)
    game.make(move)
    finished = play_from(game, SEATS)
    record = GameRecord.from_json(branch["line"]["record"])
    assert record.moves == finished.moves
    assert (branch["score"], branch["turn"], branch["parent"]) == (finished.score, 9, "main")
    assert branch["scores"] == list(play_on(game, SEATS, 200).scores)
    assert branch["original"] == list(play_on(before(10), SEATS, 200).scores)
    finished_original = branch["original"][0]
    told = client.get(f"/json{address}&branch={branch['id']}").json()
    assert told["last_turn"] == len(finished.moves) + 1
    page = client.get(f"{address}&branch={branch['id']}").text
    assert "Branch: turn 9" in page
    assert f"score {branch['score']}; {branch['score'] - finished_original:+d} points, and the same in every" in page


def test_agents_and_cards_are_changed(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=12"
    form = {"do": "try", "move": "played", "seat0": "careful", "seat1": "careful", "seat2": "careful"}
    (branch,) = done(client, address, {**form, "cards": "unseen", "seed": "5", "name": "all careful"})["branches"]
    record = GameRecord.from_json(branch["line"]["record"])
    assert (branch["name"], branch["seats"], record.seats) == ("all careful", ["careful"] * 3, ("careful",) * 3)
    assert record.moves[:12] == recorded().moves[:12]
    assert record.deck != recorded().deck
    seat = before(12).seat
    hands = [list(GameRecord.replay(record))[10].hands, before(12).hands]
    assert [hand for place, hand in enumerate(hands[0]) if place != seat] == [
        hand for place, hand in enumerate(hands[1]) if place != seat
    ]
    assert len(set(branch["scores"])) > 1
    assert len(branch["scores"]) == len(branch["original"]) == 200


def test_single_cards_that_the_player_cannot_see_are_set(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=12"
    game = before(12)
    view = observe(game, game.seat)
    slot, card = view.mine.slots[-1], card_name(view.mine.possible_cards(view.mine.slots[-1])[0])
    drawn = next(name for name in map(card_name, view.unseen) if name != card)
    form = {
        "do": "try",
        "move": "played",
        "place0": f"slot {slot + 1}",
        "card0": card,
        "place2": "draw 2",
        "card2": drawn,
    }
    for cards in ("same", "deck", "unseen"):
        branches = done(client, address, {**form, "cards": cards, "name": cards})["branches"]
        branch = next(branch for branch in branches if branch["name"] == cards)
        deck = GameRecord.from_json(branch["line"]["record"]).deck.split()
        assert deck[view.mine.order(slot)] == card
        assert deck[game.rules.deck_size - game.deck_left + 1] == drawn
        assert len(branch["placed"]) == 2
        assert branch["placed"][0].startswith(f"{SEAT_NAMES[game.seat]}'s slot {slot + 1} is ")
        assert branch["placed"][0] in client.get(f"{address}&branch={branch['id']}").text.replace("&#x27;", "'")
        assert len(branch["scores"]) == len(branch["original"]) == 200


def test_branches_call_the_players_as_the_game_does(client: TestClient) -> None:
    record = replace(recorded(), seats=("human",) * 3, names=("bob", "Zoë", "al"))
    address = f"{opened(client, pasted(record))}?turn=12"
    seats = {f"seat{seat}": "smartbot" for seat in range(3)}
    (branch,) = done(client, address, {"do": "try", "move": "decides", **seats})["branches"]
    inside = f"{address}&branch={branch['id']}&eyes=everything"
    told = settled(client, inside)
    assert told["names"] == ["bob", "Zoë", "al"]
    said_of = [words for words in told["happened"] if " hints " in words]
    assert all(words.split()[0] in told["names"] for words in said_of)
    for turn in range(12, told["last_turn"]):
        words = client.get(f"/json{inside.replace('turn=12', f'turn={turn}')}").json()["why"]["reason"]["words"]
        assert not {"alice", "cathy"} & set(words.replace(",", " ").replace(":", " ").split())


def test_branches_are_a_tree_that_is_kept_renamed_and_deleted(tmp_path: Path) -> None:
    with looking(tmp_path) as client:
        address = f"{opened(client, pasted(recorded()))}?turn=50"
        (first,) = done(client, address, {"do": "try", "move": "decides", "name": "first"})["branches"]
        inside = f"{address}&branch={first['id']}"
        branches = done(client, inside, {"do": "try", "move": "decides", "name": MARKUP})["branches"]
        second = next(branch for branch in branches if branch["id"] != first["id"])
        assert second["parent"] == first["id"]
        assert MARKUP not in client.get(inside).text
    with looking(tmp_path) as client:
        assert client.get(f"/json{inside}").json()["branches"] == branches
        renamed = done(client, inside, {"do": "rename", "branch": first["id"], "name": " a\nnew  name "})["branches"]
        assert [branch["name"] for branch in renamed if branch["id"] == first["id"]] == ["a new name"]
        assert "data-sure" in client.get(inside).text
        with live(client, f"{LIVE}{inside.replace('&', '%26')}") as page:
            page.receive_json()
            assert said(page, {"do": "delete", "branch": first["id"]})["address"] == address
        assert client.get(f"/json{address}").json()["branches"] == []
        assert client.get(inside).status_code == 404


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ({"move": "play 9"}, "slots are 1-5"),
        ({"move": "fly"}, "is not a move"),
        ({"move": "hint +4 red"}, "illegal"),
        ({"seat1": "smartbob"}, "smartbot"),
        ({"seat1": "this:x"}, "code of a module"),
        ({"seat1": "kagiya-two"}, "2 players"),
        ({"cards": "marked"}, "The cards can be"),
        ({"seed": "-1"}, "A seed must be an integer from 0"),
        ({"place0": "slot 1"}, "Choose both"),
        ({"place0": "sleeve 1", "card0": "R1"}, "cannot be put at"),
        ({"place0": "slot 1", "card0": "R9"}, "cannot be put at"),
        ({"place0": "slot 9", "card0": "R1"}, "there is no slot 9"),
        ({"place0": "draw 99", "card0": "R1"}, "there is no card to draw 99"),
        ({"place0": "draw 1", "card0": "G5", "place1": "draw 2", "card1": "G5"}, "of green 5 can be placed, not 2"),
        ({"place0": "draw 1", "card0": "G5", "place1": "draw 1", "card1": "G4"}, "is given two cards"),
    ],
)
def test_what_cannot_be_tried_is_said(client: TestClient, form: dict[str, str], answer: str) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=9"
    assert answer in refused(client, address, {"do": "try", **form})


def test_the_judge_plays_on_for_an_agent_that_cannot_be_asked(client: TestClient) -> None:
    record = replace(recorded(), seats=("this:x", "careful", "mo-ismcts(time=99s)"))
    address = f"{opened(client, pasted(record))}?turn=50&judge=vdb"
    (branch,) = done(client, address, {"do": "try", "move": "played"})["branches"]
    assert branch["seats"] == ["vdb", "careful", "vdb"]
    assert "code of a module" in refused(client, address, {"do": "try", "seat0": "this:x"})


def test_nothing_can_be_tried_after_the_end(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=999"
    assert "is over" in refused(client, address, {"do": "try", "move": "decides"})
    assert "not here" in refused(client, address, {"do": "delete", "branch": "x"})
    assert "not here" in refused(client, address, {"do": "rename", "branch": "x", "name": "y"})


def test_the_last_move_of_a_game_can_be_another(client: TestClient) -> None:
    turn = len(recorded().moves)
    address = f"{opened(client, pasted(recorded()))}?turn={turn}"
    (branch,) = done(client, address, {"do": "try", "move": str(other_move(turn))})["branches"]
    assert len(branch["scores"]) == 200


def test_a_position_is_played_on(client: TestClient) -> None:
    game = Game(Rules(players=2), 5)
    game.make(game.legal_moves[0])
    address = opened(client, game.position())
    (branch,) = done(client, address, {"do": "try", "move": "decides", "seat0": "careful", "seat1": "vdb"})["branches"]
    told: dict[str, Any] = client.get(f"/json{address}?branch={branch['id']}").json()
    assert told["seats"] == ["careful", "vdb"]
    assert told["last_turn"] > told["first_turn"] == 2


def test_a_damaged_file_of_branches_is_said_or_left_out(tmp_path: Path) -> None:
    with looking(tmp_path) as client:
        address = f"{opened(client, pasted(recorded()))}?turn=50"
        (branch,) = done(client, address, {"do": "try", "move": "decides"})["branches"]
        (file,) = tmp_path.glob("*/branches.json")
    kept = file.read_text()
    for damage, status in (
        (kept.replace('"deck":"', '"deck":"R9 '), 400),
        (kept.replace('"seats"', '"sits"'), 404),
        ("{", 404),
    ):
        file.write_text(damage)
        with looking(tmp_path) as client:
            assert client.get(address).status_code == 200
            assert client.get(f"{address}&branch={branch['id']}").status_code == status


def test_the_page_of_a_branch_is_well_formed(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=50"
    (branch,) = done(client, address, {"do": "try", "move": "decides"})["branches"]
    with live(client, f"{LIVE}{address}%26branch={branch['id']}") as page:
        ElementTree.fromstring(page.receive_json()["main"])
