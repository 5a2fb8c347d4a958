"""What a seat could know of its cards, as the laboratory works it out, against the truth."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from starlette.testclient import TestClient

from kagiya.lab.review.card_chances import chances
from tests.lab.review.games import chances_over_turns, log_losses
from tests.web.live_page import live
from tests.web.review.games import LIVE, looking, opened, pasted, recorded
from tests.web.review.waiting import done

SEATS = ("hat-information", "hat-information", "hat-information", "hat-information")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with looking(tmp_path) as client:
        yield client


def test_beliefs_are_those_of_the_laboratory(client: TestClient) -> None:
    record = recorded(seats=SEATS)
    game = list(record.replay())[10]
    address = f"{opened(client, pasted(record))}?turn=12&eyes=bob"
    told = done(client, address, {"do": "believe"})["beliefs"]
    assert (told["seat"], told["agent"], told["no"]) == (1, "hat-information", {})
    assert told["hands"]["hints"] == chances(game, 1).to_json()
    assert told["hands"]["convention"] == chances(game, 1, "hat-information").to_json()
    expected = log_losses(chances_over_turns(record, 1))
    assert told["log_loss"]["hints"] == expected[: len(told["log_loss"]["hints"])]
    sums = {way: sum(losses) for way, losses in told["log_loss"].items()}
    assert sums["convention"] < sums["hints"]


def test_truth_is_boxed_for_eyes_that_see_everything(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=4"
    assert "Work out what alice could know" in client.get(address).text
    told = done(client, address, {"do": "believe"})["beliefs"]
    assert told["agent"] == "smartbot"
    boxed = 'stroke-width="2.5"'
    pages = []
    for eyes in ("alice", "everything"):
        with live(client, f"{LIVE}{address}%26eyes={eyes}%26way=moves%26tab=beliefs") as page:
            pages.append(page.receive_json()["main"])
            ElementTree.fromstring(pages[-1])
    assert 'class="review-grids"' in pages[0]
    assert boxed not in pages[0]
    assert pages[1].count(boxed) == 5


def test_an_agent_without_a_convention_says_so(client: TestClient) -> None:
    address = f"{opened(client, pasted(recorded()))}?turn=4&eyes=bob"
    told = done(client, address, {"do": "believe"})["beliefs"]
    assert "does not say what its moves mean" in told["no"]["convention"]
    assert set(told["hands"]) == {"hints", "moves"}
