"""A game is pasted, stepped through and seen through all eyes; whatever is wrong with it is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from kagiya.cards import card_name
from kagiya.interop.files import write_link
from kagiya.interop.live_json import write_live_json
from kagiya.lab.table.table import PERSON
from kagiya.view.observation import observe
from kagiya.web.pages import Address
from kagiya.web.review.reviewed_game import ReviewedGame, ReviewQuery
from tests.web.live_page import live
from tests.web.review.games import LIVE, POSITION, looking, opened, pasted, recorded, said

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with looking(tmp_path) as client:
        yield client


def test_a_record_is_pasted_and_stepped_through(client: TestClient) -> None:
    record = recorded()
    address = opened(client, pasted(record))
    told = client.get(f"/json{address}").json()
    assert told["happened"][0].startswith("alice ")
    assert (told["first_turn"], told["last_turn"]) == (1, len(record.moves) + 1)
    games = [record.deal(), *record.replay()]
    for turn, game in list(enumerate(games, start=1))[::9]:
        board = client.get(f"/json{address}?turn={turn}&eyes=everything").json()["board"]
        assert [[card["card"] for card in hand["cards"]] for hand in board["hands"]] == [
            [card_name(card) if card >= 0 else None for card in hand] for hand in game.hands
        ]
        assert (board["points"], board["tokens"], board["deck"]) == (game.points, game.tokens, game.deck_left)


def test_a_page_goes_to_the_turn_that_is_asked_for(client: TestClient) -> None:
    address = opened(client, pasted(recorded()))
    with live(client, f"{LIVE}{address}") as page:
        assert 'aria-label="Turn"' in page.receive_json()["main"]
        for message, turn in [
            ({"do": "turn", "value": "5"}, 5),
            ({"do": "turn", "turn": "11"}, 12),
            ({"do": "go", "to": f"{address}?turn=3"}, 3),
        ]:
            told = said(page, message)
            assert told["address"] == f"{address}?turn={turn}"
            assert f"Turn {turn} of " in told["main"]
        assert "must be an integer" in said(page, {"do": "turn", "value": "x"})["say"]


def test_eyes_see_what_they_may(client: TestClient) -> None:
    record = recorded()
    address = opened(client, pasted(record))
    game = list(record.replay())[19]
    hands = client.get(f"/json{address}?turn=21&eyes=bob").json()["board"]["hands"]
    view = observe(game, 1)  # type: ignore[arg-type]
    for slot, card in enumerate(hands[1]["cards"]):
        assert card["card"] is None
        assert card["possible"] == list(map(card_name, view.mine.possible_cards(slot)))
    assert [card["card"] for card in hands[0]["cards"]] == [card_name(card) for card in game.hands[0]]
    nobody = client.get(f"/json{address}?turn=21&eyes=all").json()["board"]["hands"]
    assert all(card["card"] is None for hand in nobody for card in hand["cards"])
    for known, public in zip(hands[1]["cards"], nobody[1]["cards"], strict=True):
        assert set(known["possible"]) <= set(public["possible"])


def test_every_page_is_well_formed_and_says_what_it_draws(client: TestClient) -> None:
    address = opened(client, pasted(recorded()))
    for query in ("", "?turn=12&eyes=all", "?turn=30&eyes=everything&newest=left", "?turn=999"):
        with live(client, f"{LIVE}{address}{query.replace('&', '%26')}") as page:
            main = page.receive_json()["main"]
        ElementTree.fromstring(main)
        assert "What happened" in main


def test_the_newest_card_may_lie_left(client: TestClient) -> None:
    story = ReviewedGame.of_record(recorded())
    right, left = (client.get(f"{opened(client, pasted(recorded()))}?newest={side}").text for side in ("right", "left"))
    names = [f"card-alice-{slot + 1}" for slot in range(story.rules.hand_size)]
    assert sorted(names, key=right.index) == names
    assert sorted(names, key=left.index) == names[::-1]


def test_an_address_holds_all_that_is_looked_at() -> None:
    story = ReviewedGame.of_record(recorded())
    judged = "judge=smartbot&second=vdb&deals=20&sort=behind"
    text = f"/review/game/x?turn=9&eyes=bob&newest=left&{judged}&branch=b1&tab=beliefs&way=moves"
    look = ReviewQuery.at(Address.parse(text), story)
    assert look == ReviewQuery(9, "bob", True, "beliefs", "behind", ("smartbot", "vdb"), 20, "b1", "moves")
    assert ReviewQuery.at(Address.parse(str(Address.parse(text))), story) == look


@pytest.mark.parametrize("query", ["turn=x", "eyes=zoe", "newest=up", "tab=x", "sort=x", "way=x", "deals=1000000"])
def test_an_address_that_says_nonsense_is_refused(client: TestClient, query: str) -> None:
    answer = client.get(f"{opened(client, pasted(recorded()))}?{query}")
    assert answer.status_code == 400
    assert "in the address" in answer.text


def test_every_format_is_read(client: TestClient) -> None:
    record = recorded()
    live, link = write_live_json(record), write_link(record)
    moves = client.get(f"/json{opened(client, pasted(record))}").json()["happened"]
    for text in (live, link, f"{link}#12"):
        told = client.get(f"/json{opened(client, text)}").json()
        assert told["suits"] == ["red", "yellow", "green", "blue", "purple"]
        assert len(told["happened"]) == len(moves)
        assert not any("white" in sentence for sentence in told["happened"])
    assert opened(client, f"{link}#12").endswith("?turn=12")
    position = client.get(f"/json{opened(client, POSITION)}").json()
    assert position["board"]["points"] == 3
    assert position["last_turn"] == position["first_turn"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("", "nothing to read"),
        ("{", "cannot be read"),
        ("[" * 50_000, "cannot be read"),
        ("[]", "cannot be read"),
        ('{"format": 1}', "keys"),
        ("hello world", "not a game"),
        ("alice R1", "not a game"),
        ("https://hanab.live/replay/12345", "hanab.live/export/12345"),
        ("https://hanab.live/replay-json/zzz", "cannot be read"),
    ],
)
def test_what_is_not_a_game_is_said(client: TestClient, text: str, answer: str) -> None:
    with live(client, f"{LIVE}/review") as page:
        page.receive_json()
        assert answer in said(page, {"do": "read", "text": text})["say"]


def test_a_record_that_lies_is_refused_by_its_move(client: TestClient) -> None:
    data = recorded().to_json()
    broken = {**data, "moves": [*data["moves"][:6], "hint +4 red", *data["moves"][6:]]}
    with live(client, f"{LIVE}/review") as page:
        page.receive_json()
        assert "move 7" in said(page, {"do": "read", "text": json.dumps(broken)})["say"]
        assert "score" in said(page, {"do": "read", "text": json.dumps({**data, "score": 99})})["say"]
        assert "moves" in said(page, {"do": "read", "text": json.dumps({**data, "moves": "play 1"})})["say"]


def test_markup_in_names_and_agents_comes_out_as_text(client: TestClient) -> None:
    record = replace(recorded(), seats=(HOSTILE, "vdb", f"x({HOSTILE})"), names=(HOSTILE, "b", "c"))
    address = opened(client, pasted(record))
    for page in (address, f"{address}?turn=5", "/review"):
        text = client.get(page).text
        assert HOSTILE not in text
        assert "&lt;script&gt;" in text


def test_persons_are_called_by_their_names_and_agents_as_written(client: TestClient) -> None:
    people = replace(recorded(), seats=(PERSON,) * 3, names=("Zed", "Queen Bee", "Bob"))
    told = client.get(f"/json{opened(client, pasted(people))}").json()
    page = client.get(f"{opened(client, pasted(people))}?eyes=bob").text
    assert "Zed, Queen Bee, Bob: score" in page
    assert ">bob<" not in page
    assert any("Queen Bee" in sentence for sentence in told["happened"])
    mixed = replace(recorded(), seats=(PERSON, "vdb", "careful"), names=("Zed", "bob", "cathy"))
    page = client.get(opened(client, pasted(mixed))).text
    assert all(f'review-agent">{who}<' in page for who in ("a person", "vdb", "careful"))
    assert "<h3>Zed" in page
    assert "Zed, vdb, careful: score" in page
    nameless = replace(recorded(), seats=(PERSON,) * 3, names=("a", "A", ""))
    assert "3 players: score" in client.get(opened(client, pasted(nameless))).text


def test_games_are_kept(tmp_path: Path) -> None:
    with looking(tmp_path) as client:
        address = opened(client, pasted(recorded()))
        assert opened(client, pasted(recorded())) == address
    with looking(tmp_path) as client:
        assert client.get(address).status_code == 200
        recent = client.get("/json/review").json()["recent"]
        assert [game["address"] for game in recent] == [address]
        assert client.get("/review/game/0123456789abcdef0123").status_code == 404
        assert client.get("/review/game/..%2f..%2fx").status_code == 404


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with looking(tmp_path / "file") as client, live(client, f"{LIVE}/review") as page:
        page.receive_json()
        assert "could not be kept" in said(page, {"do": "read", "text": pasted(recorded())})["say"]
