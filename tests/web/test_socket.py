"""Pages, sockets and JSON of a view; strangers are refused."""

import gc
import re
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kagiya.drawing.canvas import Markup, element
from kagiya.web.app import make_app
from kagiya.web.pages import Address, Message, Notifier, RefusedError, View, navigation
from kagiya.web.server_state import ServerState
from tests.web.live_page import live

HERE = "http://127.0.0.1:8025"
LIVE = "ws://127.0.0.1:8025/live?at="  # the test client would connect to "testserver"


class Counter(View):
    """A number that everybody who looks at it can raise."""

    title = "Counter"
    numbers: dict[str, int] = {}  # noqa: RUF012  # of all counters, as a state would keep them
    shared = Notifier()

    def __init__(self, state: ServerState, address: Address, visitor: str, name: str) -> None:
        self.address, self.name, self.changes = address, name, self.shared

    def draw(self) -> Markup:
        return element("p", f"{self.name} is {self.numbers.get(self.name, 0)}")

    def to_json(self) -> dict[str, Any]:
        return {"number": self.numbers.get(self.name, 0)}

    def receive(self, message: Message) -> Address | None:
        if message["do"] == "break":
            raise ZeroDivisionError
        if message["do"] != "raise":
            return super().receive(message)
        if message["by"] == "-1":
            raise RefusedError("A counter only goes up.")
        self.numbers[self.name] = self.numbers.get(self.name, 0) + int(message["by"])
        self.shared.announce()
        return None


class Fragile(Counter):
    """A counter that cannot be drawn at 13, nor at 14, where that is our own mistake."""

    left = 0

    def draw(self) -> Markup:
        if self.numbers.get(self.name) == 13:
            raise RefusedError("13 is not shown here.")
        if self.numbers.get(self.name) == 14:
            raise ZeroDivisionError
        return super().draw()

    def to_json(self) -> dict[str, Any]:
        self.draw()
        return super().to_json()

    def leave(self) -> None:
        Fragile.left += 1


@pytest.fixture
def client() -> Iterator[TestClient]:
    Counter.numbers.clear()
    with TestClient(
        make_app(ServerState(), pages={"/counter/{name}": Counter, "/fragile/{name}": Fragile}), base_url=HERE
    ) as client:
        yield client


def test_a_page_and_the_same_as_json(client: TestClient) -> None:
    page = client.get("/counter/%3Cb%3E")
    assert page.status_code == 200
    assert "&lt;b&gt; is 0" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert client.get("/json/counter/a").json() == {
        "version": 1,
        "address": "/counter/a",
        "title": "Counter",
        "number": 0,
    }


def test_a_view_that_cannot_be_drawn_is_left_all_the_same(client: TestClient) -> None:
    Counter.numbers["a"], Fragile.left = 13, 0
    assert client.get("/fragile/a").status_code == 400
    assert client.get("/json/fragile/a").json()["error"] == "13 is not shown here."
    assert Fragile.left == 2


def test_a_page_that_could_not_be_drawn_once_goes_on(client: TestClient) -> None:
    with live(client, f"{LIVE}/fragile/a") as one, live(client, f"{LIVE}/fragile/a") as two:
        assert one.receive_json()["main"] == two.receive_json()["main"] == "<p>a is 0</p>"
        for by, words in [(13, "13 is not shown here."), (1, "ZeroDivisionError"), (1, "a is 15")]:
            one.send_json({"do": "raise", "by": by, "id": "7"})
            assert words in one.receive_json()["main"]
            assert one.receive_json() == {"did": "7"}
            assert words in two.receive_json()["main"]


def test_nothing_at_an_address(client: TestClient) -> None:
    assert client.get("/nowhere").status_code == 404
    assert "There is no page at" in client.get("/nowhere").text
    assert client.get("/json/nowhere").json()["error"].startswith("There is no page at")


def test_two_pages_see_the_same_change(client: TestClient) -> None:
    with live(client, f"{LIVE}/counter/a") as one, live(client, f"{LIVE}/counter/a") as two:
        assert one.receive_json()["main"] == two.receive_json()["main"] == "<p>a is 0</p>"
        one.send_json({"do": "raise", "by": 2, "id": "7"})
        assert one.receive_json()["main"] == "<p>a is 2</p>"
        assert one.receive_json() == {"did": "7"}
        assert two.receive_json()["main"] == "<p>a is 2</p>"


def test_a_page_that_is_closed_leaves_no_task_behind(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    with live(client, f"{LIVE}/counter/a") as page:
        page.receive_json()
        page.send_json({"do": "raise", "by": 1})
        page.receive_json()
    gc.collect()
    assert [record for record in caplog.records if "destroyed" in record.message] == []


def test_what_cannot_be_done_is_said(client: TestClient) -> None:
    with live(client, f"{LIVE}/counter/a") as page:
        page.receive_json()
        for sent, answer in [
            ('{"do": "raise", "by": "-1", "id": "1"}', {"say": "A counter only goes up.", "did": "1"}),
            ("{", {"say": "The page sent something that is not JSON."}),
            ("[" * 60_000, {"say": "The page sent something that is not JSON."}),
            ("[]", {"say": 'A message is an object with a text under "do".'}),
            ('{"do": "go", "to": "//elsewhere/x"}', None),
            ('{"do": "fly"}', {"say": "This page does not know how to 'fly'."}),
        ]:
            page.send_text(sent)
            received = page.receive_json()
            assert received == answer if answer else "say" in received
        page.send_json({"do": "break"})
        assert "went wrong inside Kagiya" in page.receive_json()["say"]


def test_a_page_goes_elsewhere_over_its_socket(client: TestClient) -> None:
    with live(client, f"{LIVE}/counter/a") as page:
        page.receive_json()
        page.send_json({"do": "go", "to": "/counter/b?turn=3"})
        assert page.receive_json() == {
            "panels": {"main": [None, "<p>b is 0</p>"]},
            "main": "<p>b is 0</p>",
            "title": "Counter",
            "address": "/counter/b?turn=3",
        }


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:8025"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9000"},
    ],
)
def test_strangers_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert client.get("/counter/a", headers=headers).status_code == 403
    assert client.post("/counter/a", headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        live(client, f"{LIVE}/counter/a", headers=headers),
    ):
        pass
    assert refused.value.code == 1008


def test_addresses() -> None:
    address = Address.parse("/review/1?turn=3&eyes=bob")
    assert str(address.with_query(turn=4, eyes=None)) == "/review/1?turn=4"
    assert address.number("turn", 0) == 3
    with pytest.raises(RefusedError, match="must be an integer"):
        Address.parse("/review?turn=x").number("turn", 0)


def test_the_colors_of_drawings_are_a_stylesheet(client: TestClient) -> None:
    sheet = client.get("/suits.css")
    assert sheet.headers["content-type"].startswith("text/css")
    assert "--draw-red: #" in sheet.text


def test_the_second_click_of_a_double_click_is_not_for_the_next_page(client: TestClient) -> None:
    with live(client, f"{LIVE}/counter/a") as page:
        page.receive_json()
        page.send_json({"do": "go", "to": "/counter/b", "at": "/counter/a", "id": "1"})
        page.send_json({"do": "sit down", "at": "/counter/a", "id": "2"})
        page.send_json({"do": "raise", "by": 1, "at": "/counter/b", "id": "3"})
        frames = [page.receive_json() for _ in range(5)]
    assert [frame["main"] for frame in frames if "main" in frame] == ["<p>b is 0</p>", "<p>b is 1</p>"]
    assert [frame for frame in frames if "did" in frame] == [{"did": "1"}, {"did": "2"}, {"did": "3"}]


@pytest.mark.parametrize(
    ("path", "place"), [("/", "Play"), ("/table/a/b", "Play"), ("/join/a/b", "Play"), ("/results/cell", "Results")]
)
def test_the_room_that_one_is_in_is_marked(path: str, place: str) -> None:
    links = re.findall(r'aria-current="page"[^>]*>(\w+)<', navigation(path))
    assert links == [place]


def test_files_are_sent_compressed(client: TestClient) -> None:
    whole = client.get("/static/kagiya.js", headers={"Accept-Encoding": "identity"})
    packed = client.get("/static/kagiya.js", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) < int(whole.headers["Content-Length"]) / 2
    assert packed.text == whole.text
