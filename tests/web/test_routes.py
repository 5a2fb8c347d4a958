"""A server that compiles for the first time: every page shows how far it is, then becomes what was asked for."""

import threading

from starlette.testclient import TestClient

from kagiya.runtime.jobs import Task
from kagiya.web.app import make_app
from kagiya.web.server_state import ServerState
from tests.web.live_page import live
from tests.web.test_socket import HERE, LIVE, Counter


def compiling(state: ServerState) -> tuple[Task[None], threading.Event]:
    """Something that takes until the event is set."""
    done = threading.Event()

    def work(task: Task[None]) -> None:
        task.report(0.4, "Compiling, once on this machine: the deck, 2 of 5 done.")
        assert done.wait(300)

    state.preparing = state.jobs.start("the server", work, state.getting_ready.announce)
    return state.preparing, done


def test_a_page_shows_how_far_it_is_and_goes_on_by_itself() -> None:
    Counter.numbers.clear()
    state = ServerState()
    with TestClient(make_app(state, pages={"/counter/{name}": Counter}), base_url=HERE) as client:
        _, done = compiling(state)
        with live(client, f"{LIVE}/counter/a") as page:
            frame = page.receive_json()
            while "2 of 5 done" not in frame["main"]:
                frame = page.receive_json()
            assert 'value="40"' in frame["main"]
            assert frame["title"] == "Getting ready"
            page.send_json({"do": "raise", "by": 1})
            assert "getting ready" in page.receive_json()["say"]
            assert client.get("/json/counter/a").json()["getting_ready"] == 0.4
            assert "2 of 5 done" in client.get("/counter/a").text
            assert client.get("/nowhere").status_code == 404
            done.set()
            assert page.receive_json()["main"] == "<p>a is 0</p>"
            page.send_json({"do": "raise", "by": 2})
            assert page.receive_json()["main"] == "<p>a is 2</p>"
            Counter.numbers["a"] = 3
            Counter.shared.announce()
            assert page.receive_json()["main"] == "<p>a is 3</p>"
        assert client.get("/json/counter/a").json()["number"] == 3
