"""The command: a port that is taken, no browser, Ctrl-C with a page open, strangers at the door."""

import http.client
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import typer
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from kagiya.cli.commands.serve import parse_time
from kagiya.web import app as server_app
from kagiya.web.server_state import ServerState
from tests.children import LONGEST
from tests.cli.command import complaint, run
from tests.web.served import Served

SOON = float(LONGEST)  # for a server that is told to end


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("data"))
    yield served
    served.kill()


def live(served: Served, at: str, origin: str = "", host: str = "127.0.0.1") -> ClientConnection:
    """A page's socket, under a name that leads to the server."""
    there = socket.create_connection(("127.0.0.1", served.port), SOON)
    headers = {"Origin": origin or served.address}
    return connect(f"ws://{host}:{served.port}/live?at={at}", sock=there, additional_headers=headers, max_size=None)


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert complaint(run("serve", "--port", port, "--no-browser")) == (
            f"kagiya: port {port} of 127.0.0.1 cannot be had (Address already in use); "
            "choose another with --port, 0 takes any"
        )


@pytest.mark.parametrize(("text", "seconds"), [("2s", 2.0), ("500ms", 0.5), ("1.5", 1.5), ("10ms", 0.01)])
def test_a_time_to_think_has_a_unit_or_is_in_seconds(text: str, seconds: float) -> None:
    assert parse_time(text) == pytest.approx(seconds)


@pytest.mark.parametrize("text", ["5x", "nan", "inf", "-1s", "0", "1ms", "s", ""])
def test_a_time_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"^must be (a duration such as 40ms|at least 10ms)"):
        parse_time(text)


def test_short_answers_are_not_held_back() -> None:
    """asyncio switches Nagle's algorithm off only for sockets that say which protocol they speak."""
    with server_app.listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_a_host_that_is_not_here() -> None:
    assert "cannot be had" in complaint(run("serve", "--host", "203.0.113.1", "--port", "0", "--no-browser"))
    nowhere = complaint(run("serve", "--host", "no such host", "--port", "0", "--no-browser"))
    assert nowhere.startswith("kagiya: no such host is not an address of this computer (")
    assert nowhere.endswith("); see --host")


@pytest.mark.parametrize("is_there", [True, False])
def test_the_browser_is_opened_or_the_address_must_be_typed(monkeypatch: pytest.MonkeyPatch, is_there: bool) -> None:
    opened: list[str] = []

    def ready_at_once(state: object, listening: object, hosts: object, when_ready: Callable[[], None]) -> None:
        when_ready()

    def open_it(address: str) -> bool:
        opened.append(address)
        return is_there

    monkeypatch.setattr(server_app, "serve", ready_at_once)
    monkeypatch.setattr(server_app, "open_browser", open_it)
    shown = run("serve", "--port", "0")
    assert shown.exit_code == 0, shown.output
    assert opened[0] in shown.output.replace("\n", "")
    assert ("No browser could be opened: type the address into one." in shown.output) is not is_there


def test_strangers_are_refused(served: Served) -> None:
    def ask(method: str, path: str, **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=SOON)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        with closing(connection), connection.getresponse() as response:
            return response.status

    assert ask("GET", "/review") == 200
    assert ask("GET", "/review", Host=f"localhost:{served.port}") == 200
    assert ask("GET", "/review", Host=f"evil.example:{served.port}") == 403  # a name that was made to point here
    assert ask("GET", "/review", Host=f"127.0.0.1.evil.example:{served.port}") == 403
    assert ask("GET", "/json/review", Origin="http://evil.example") == 403
    assert ask("POST", "/review", Origin="http://evil.example") == 403
    assert ask("POST", "/review", Sec_Fetch_Site="cross-site") == 403
    assert ask("POST", "/review") == 405
    assert ask("GET", "/static/../app.py") in (400, 404)
    assert ask("GET", "/static/%2e%2e/app.py") == 404
    for origin, host in [
        ("http://evil.example", ""),
        ("null", ""),
        (f"http://evil.example:{served.port}", "evil.example"),
    ]:
        with pytest.raises(InvalidStatus, match="HTTP 403"), live(served, "/review", origin, host or "127.0.0.1"):
            pass


@pytest.mark.parametrize(
    ("hosts", "known", "strange"),
    [
        ({"127.0.0.1"}, ["localhost", "127.0.0.1:8025", "[::1]:8025"], ["192.168.1.5", "evil.example", "0.0.0.0"]),
        ({"0.0.0.0"}, ["192.168.1.5:8025", "[fe80::1]", "0.0.0.0"], ["evil.example", "192.168.1.5.evil.example", ""]),
        ({"0.0.0.0", "Kagiya.example"}, ["kagiya.example", "KAGIYA.example:80"], ["evil.kagiya.example", "example"]),
    ],
)
def test_by_which_names_it_can_be_opened(hosts: set[str], known: list[str], strange: list[str]) -> None:
    """A name that was made to point here is refused, whatever is listened to; numbers cannot be made to."""
    app = server_app.make_server(ServerState(), frozenset(hosts)).config.app
    with TestClient(app) as client:  # type: ignore[arg-type]
        for names, status in ((known, 200), (strange, 403)):
            assert [client.get("/review", headers={"Host": name}).status_code for name in names] == [status] * len(
                names
            )
        assert "--allow-host" in client.get("/", headers={"Host": "evil.example"}).text


def test_it_says_what_others_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_app, "serve", lambda state, listening, hosts, when_ready: when_ready())
    monkeypatch.setattr(server_app, "_own_address", lambda host: "192.168.1.5")
    options = ("serve", "--port", "0", "--no-browser")
    shown = run(*options, "--host", "0.0.0.0", "--allow-host", "Table.example").output
    found = re.fullmatch(
        r"Kagiya is at http://127\.0\.0\.1:(\d+)/ until Ctrl-C\.\n"
        r"On other computers open http://table\.example:\1/ or http://192\.168\.1\.5:\1/\n",
        shown,
    )
    assert found, shown
    assert "other computers" not in run(*options).output
    assert "not 'http://x'" in complaint(run(*options, "--allow-host", "http://x"))


def test_a_message_over_64_kb_ends_the_connection_and_nothing_else(served: Served) -> None:
    with live(served, "/review") as page, live(served, "/review") as other:
        page.recv(SOON)
        other.recv(SOON)
        page.send("x" * 65_537)
        with pytest.raises(ConnectionClosed, match="1009"):
            page.recv(SOON)
        other.send('{"do": "fly", "id": "1"}')
        assert '"did":"1"' in str(other.recv(SOON))


def test_ctrl_c_ends_it_with_pages_open(tmp_path: Path) -> None:
    served = Served(tmp_path)
    with live(served, "/review") as page:
        assert "Review a game" in str(page.recv())
        assert served.interrupt() == 130
        with pytest.raises(ConnectionClosed):
            page.recv(SOON)
    assert served.said() == "kagiya: interrupted\n"
