"""Many pages and many messages at once: limited and said, and others are not held up."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kagiya.web.app import COOKIE, make_app
from kagiya.web.crowd import AT_ONCE, MOST_OF_A_VISITOR, MOST_OF_ALL, PER_SECOND, Crowd, Pace
from kagiya.web.house import House
from kagiya.web.views import RefusedError
from tests.web.live_page import LivePage, live
from tests.web.test_skeleton import HERE, LIVE, Counter


@pytest.fixture
def client() -> Iterator[TestClient]:
    Counter.numbers.clear()
    with TestClient(make_app(House(), openers={"/counter/{name}": Counter}), base_url=HERE) as client:
        yield client


def page(client: TestClient, visitor: str) -> AbstractContextManager[LivePage]:
    return live(client, f"{LIVE}/counter/a", headers={"cookie": f"{COOKIE}={visitor}"})


def test_too_many_pages_of_a_visitor_are_refused_with_a_sentence(client: TestClient) -> None:
    pages = [page(client, "greedy") for _ in range(MOST_OF_A_VISITOR)]
    for each in pages:
        each.__enter__()
    with page(client, "greedy") as one_more, pytest.raises(WebSocketDisconnect) as refused:
        one_more.receive_json()
    assert (refused.value.code, refused.value.reason) == (
        1013,
        "You have 40 pages open here already; close one of them first.",
    )
    with page(client, "modest") as other:
        assert other.receive_json()["main"] == "<p>a is 0</p>"
    pages.pop().__exit__(None, None, None)
    with page(client, "greedy") as again:
        assert again.receive_json()["main"] == "<p>a is 0</p>"
    for each in pages:
        each.__exit__(None, None, None)


def test_a_thousand_visitors_are_a_crowd() -> None:
    crowd = Crowd()
    held = [crowd.one_more(str(number)) for number in range(MOST_OF_ALL)]
    for each in held:
        each.__enter__()
    with pytest.raises(RefusedError, match="Too many pages are open"), crowd.one_more("one more"):
        pass
    for each in held:
        each.__exit__(None, None, None)
    assert crowd.pages == 0
    with crowd.one_more("one more"):
        assert crowd.pages == 1


def test_a_thousand_messages_at_once_take_their_time() -> None:
    clock = [0.0]
    pace = Pace(lambda: clock[0])
    pauses = [pace.pause() for _ in range(1000)]
    assert pauses[:AT_ONCE] == [0.0] * AT_ONCE
    assert pauses[AT_ONCE] == pytest.approx(1 / PER_SECOND)
    assert pauses[-1] == pytest.approx((1000 - AT_ONCE) / PER_SECOND)
    clock[0] = 60.0
    assert pace.pause() == 0.0


def test_a_flood_is_said_and_another_page_is_answered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kagiya.web.live.Pace", lambda: Pace(lambda: 0.0))  # all in one moment, on any machine
    with page(client, "greedy") as flood, page(client, "modest") as other:
        other.receive_json()
        for number in range(AT_ONCE + 5):
            flood.send_json({"do": "raise", "by": 1, "id": str(number)})
        other.send_json({"do": "raise", "by": 0, "id": "mine"})
        answers = [other.receive_json()]
        while answers[-1] != {"did": "mine"}:
            answers.append(other.receive_json())
        said = [flood.receive_json()]
        while said[-1].get("did") != str(AT_ONCE + 4):
            said.append(flood.receive_json())
        assert any("more than a page can do at once" in frame.get("say", "") for frame in said)
        assert Counter.numbers["a"] == AT_ONCE + 5
