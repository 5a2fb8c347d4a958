"""The application (pages, their sockets, the same as JSON, files), and how it is served until Ctrl-C."""

from __future__ import annotations

import re
import secrets
import socket
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from kagiya.drawing.canvas import stylesheet
from kagiya.web.pages import Address, ElsewhereError, NotHereError, RefusedError, View, document, notice
from kagiya.web.rate_limits import ConnectionLimit
from kagiya.web.routes import PAGES, Opener, PageRoutes, no_page
from kagiya.web.security import ANY_ADDRESS, LOOPBACK, Guard, is_number
from kagiya.web.server_state import ServerState
from kagiya.web.socket import DRAW_TIMEOUT, MAX_MESSAGE_BYTES, PageConnection

COOKIE = "kagiya-visitor"
STATIC = Path(__file__).parent / "static"
JSON = "/json"  # before an address: the same page as data
JSON_VERSION = 1
JSON_TIMEOUT = 60.0  # seconds; a page says that it is being read and is drawn again
HOST_NAME = re.compile(r"[\w-]+(\.[\w-]+)*", re.ASCII)


def make_app(
    state: ServerState, hosts: frozenset[str] = LOOPBACK, pages: Mapping[str, Opener] | None = None
) -> Starlette:
    """The application, ready to be served or tested."""
    routes = PageRoutes(state, PAGES if pages is None else pages)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            state.close()

    app = Starlette(
        routes=[
            Mount("/static", GZipMiddleware(StaticFiles(directory=STATIC))),
            Route("/suits.css", suits),
            WebSocketRoute("/live", live),
            Route("/table/{table}/{secret}/game.json", game_file),
            Mount(JSON, routes=routes.answered_by(as_json)),
            *routes.answered_by(as_page),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={404: not_found},
        lifespan=lifespan,
    )
    app.state.connections, app.state.pages = ConnectionLimit(), routes
    return app


def visitor_of(connection: HTTPConnection) -> str:
    """Who asks: a random word in a cookie. It says whose questions wait in the queue, and which tables one set up."""
    return connection.cookies.get(COOKIE, "")[:64] or secrets.token_urlsafe(12)


@contextmanager
def opened(request: Request, visitor: str, prefix: str = "") -> Iterator[View]:
    """The view that a request asks for; it is left when the block ends, drawn or not."""
    path = request.url.path.removeprefix(prefix) or "/"
    view: View = request.app.state.pages.open(Address(path, dict(request.query_params)), visitor)
    try:
        yield view
    finally:
        view.leave()


async def as_page(request: Request) -> Response:
    """A view as a whole page."""
    visitor = visitor_of(request)
    try:
        with opened(request, visitor) as view:
            await view.ready(DRAW_TIMEOUT)
            response = HTMLResponse(document(view.title, view.draw(), request.url.path))
    except ElsewhereError as elsewhere:
        return RedirectResponse(str(elsewhere.address), 303)
    except RefusedError as refusal:
        response = refused_page(request, refusal)
    response.set_cookie(COOKIE, visitor, httponly=True, samesite="strict", max_age=31_536_000)
    return response


async def as_json(request: Request) -> Response:
    """The same object that the page draws."""
    try:
        with opened(request, visitor_of(request), JSON) as view:
            await view.ready(JSON_TIMEOUT)
            told = {"version": JSON_VERSION, "address": str(view.address), "title": view.title, **view.to_json()}
        return JSONResponse(told)
    except ElsewhereError as elsewhere:
        return RedirectResponse(f"{JSON}{elsewhere.address}", 303)
    except RefusedError as refusal:
        return refused_json(refusal)


async def not_found(request: Request, error: Exception) -> Response:
    """No route leads there."""
    path = request.url.path
    if path.startswith(f"{JSON}/"):
        return refused_json(no_page(path.removeprefix(JSON)))
    return refused_page(request, no_page(path))


def refused_page(request: Request, refusal: RefusedError) -> HTMLResponse:
    """A page that says why there is no other."""
    title = "Not here" if isinstance(refusal, NotHereError) else "This cannot be shown"
    return HTMLResponse(document(title, notice(title, str(refusal)), request.url.path), status_of(refusal))


def refused_json(refusal: RefusedError) -> JSONResponse:
    """The same for programs."""
    return JSONResponse({"version": JSON_VERSION, "error": str(refusal)}, status_of(refusal))


def status_of(refusal: RefusedError) -> int:
    """Of HTTP."""
    return 404 if isinstance(refusal, NotHereError) else 400


async def game_file(request: Request) -> Response:
    """The record of a finished game, to be saved."""
    tables, parts = request.app.state.pages.state.tables, request.path_params
    try:
        record = tables.record_for(parts["table"], parts["secret"])
    except RefusedError as refusal:
        return PlainTextResponse(str(refusal), status_of(refusal))
    return JSONResponse(record.to_json(), headers={"Content-Disposition": 'attachment; filename="kagiya-game.json"'})


async def live(page: WebSocket) -> None:
    """The socket of a page."""
    await PageConnection(page, visitor_of(page)).run(page.query_params.get("at", "/"))


async def suits(request: Request) -> Response:
    """The colors of the suits, from the palette that all drawings use."""
    return PlainTextResponse(stylesheet(), media_type="text/css")


class PortError(ValueError):
    """The port cannot be had."""


class HostError(ValueError):
    """A name that no browser would ask for, or that is not this computer's."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 takes any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Without the protocol's number asyncio leaves Nagle's algorithm on, which holds back short answers for 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except socket.gaierror as error:
        listening.close()
        raise HostError(f"{host} is not an address of this computer ({error.args[-1]}); see --host") from None
    except (OSError, OverflowError) as error:
        listening.close()
        raise PortError(
            f"port {port} of {host} cannot be had ({error.args[-1]}); choose another with --port, 0 takes any"
        ) from None
    return listening


def address_of(listening: socket.socket, name: str = "") -> str:
    """What to type into a browser: on this computer, or where it is known by another name."""
    host, port = listening.getsockname()[:2]
    host = name or {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def names_for_others(host: str, allowed: Sequence[str]) -> list[str]:
    """By which names visitors on other computers can open the page."""
    names = list(allowed)
    if host in ANY_ADDRESS and (own := _own_address(host)):
        names.append(own)
    elif host not in LOOPBACK | ANY_ADDRESS:
        names.append(host)
    return names


def _own_address(host: str) -> str:
    """This computer's address in the network, if it is in one; nothing is sent to find it out."""
    family, other = (socket.AF_INET6, "2001:db8::1") if ":" in host else (socket.AF_INET, "192.0.2.1")
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((other, 9))
            return str(asking.getsockname()[0])
    except OSError:
        return ""


def checked_hosts(names: Sequence[str]) -> list[str]:
    """Names as they stand in a browser's address, without anything before and behind them."""
    for name in names:
        if not is_number(name) and not HOST_NAME.fullmatch(name):
            raise HostError(f"--allow-host takes a name such as kagiya.example or an address, not {name!r}")
    return [name.lower() for name in names]


def serve(state: ServerState, listening: socket.socket, hosts: frozenset[str], when_ready: Callable[[], None]) -> None:
    """Answer on this socket until Ctrl-C; tables are kept, searches stopped."""
    state.load()
    state.get_ready()
    server = make_server(state, hosts)
    threading.Thread(target=_when_started, args=(server, when_ready), daemon=True).start()
    server.run(sockets=[listening])


def make_server(state: ServerState, hosts: frozenset[str]) -> uvicorn.Server:
    """The server, before it is given its socket."""
    config = uvicorn.Config(
        make_app(state, LOOPBACK | frozenset(map(str.lower, hosts))),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        limit_concurrency=2_000,
    )
    return uvicorn.Server(config)


def _when_started(server: uvicorn.Server, when_ready: Callable[[], None]) -> None:
    pause = threading.Event()
    while not server.started and not server.should_exit:
        pause.wait(0.02)
    when_ready()


def open_browser(address: str) -> bool:
    """Show the page; False if there is no browser to do it."""
    return webbrowser.open(address)
