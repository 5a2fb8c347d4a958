"""Many pages and many messages at once: limited and said, and others are not held up."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kagiya.web.app import COOKIE, make_app
from kagiya.web.pages import RefusedError
from kagiya.web.rate_limits import (
    MAX_BURST,
    MAX_PAGES,
    MAX_PAGES_PER_VISITOR,
    MESSAGES_PER_SECOND,
    ConnectionLimit,
    RateLimit,
)
from kagiya.web.server_state import ServerState
from tests.web.live_page import LivePage, live
from tests.web.test_socket import HERE, LIVE, Counter


@pytest.fixture
def client() -> Iterator[TestClient]:
    Counter.numbers.clear()
    with TestClient(make_app(ServerState(), pages={"/counter/{name}": Counter}), base_url=HERE) as client:
        yield client


def page(client: TestClient, visitor: str) -> AbstractContextManager[LivePage]:
    return live(client, f"{LIVE}/counter/a", headers={"cookie": f"{COOKIE}={visitor}"})


def test_too_many_pages_of_a_visitor_are_refused_with_a_sentence(client: TestClient) -> None:
    pages = [page(client, "greedy") for _ in range(MAX_PAGES_PER_VISITOR)]
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


def test_a_thousand_visitors_are_a_limit() -> None:
    limit = ConnectionLimit()
    held = [limit.one_page(str(number)) for number in range(MAX_PAGES)]
    for each in held:
        each.__enter__()
    with pytest.raises(RefusedError, match="Too many pages are open"), limit.one_page("one more"):
        pass
    for each in held:
        each.__exit__(None, None, None)
    assert limit.pages == 0
    with limit.one_page("one more"):
        assert limit.pages == 1


def test_a_thousand_messages_at_once_take_their_time() -> None:
    clock = [0.0]
    rate = RateLimit(lambda: clock[0])
    pauses = [rate.delay() for _ in range(1000)]
    assert pauses[:MAX_BURST] == [0.0] * MAX_BURST
    assert pauses[MAX_BURST] == pytest.approx(1 / MESSAGES_PER_SECOND)
    assert pauses[-1] == pytest.approx((1000 - MAX_BURST) / MESSAGES_PER_SECOND)
    clock[0] = 60.0
    assert rate.delay() == 0.0


def test_a_flood_is_said_and_another_page_is_answered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "kagiya.web.socket.RateLimit", lambda: RateLimit(lambda: 0.0)
    )  # all in one moment, on any machine
    with page(client, "greedy") as flood, page(client, "modest") as other:
        other.receive_json()
        for number in range(MAX_BURST + 5):
            flood.send_json({"do": "raise", "by": 1, "id": str(number)})
        other.send_json({"do": "raise", "by": 0, "id": "mine"})
        answers = [other.receive_json()]
        while answers[-1] != {"did": "mine"}:
            answers.append(other.receive_json())
        said = [flood.receive_json()]
        while said[-1].get("did") != str(MAX_BURST + 4):
            said.append(flood.receive_json())
        assert any("more than a page can do at once" in frame.get("say", "") for frame in said)
        assert Counter.numbers["a"] == MAX_BURST + 5
