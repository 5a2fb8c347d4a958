"""The server: pages, their sockets, the same as JSON, and the files that pages need."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from kagiya.drawing.palette import stylesheet
from kagiya.web.crowd import Crowd
from kagiya.web.live import PATIENCE, Visit
from kagiya.web.openers import OPENERS
from kagiya.web.page import document, notice
from kagiya.web.rooms import Opener, Rooms
from kagiya.web.security import LOOPBACK, Guard
from kagiya.web.server_state import ServerState
from kagiya.web.views import Address, ElsewhereError, NotHereError, RefusedError, View

COOKIE = "kagiya-visitor"
STATIC = Path(__file__).parent / "static"
JSON_VERSION = 1
PATIENCE_OF_PROGRAMS = 60.0  # seconds; a page says that it is being read and is drawn again


def make_app(
    house: ServerState, hosts: frozenset[str] = LOOPBACK, openers: dict[str, Opener] | None = None
) -> Starlette:
    """The application, ready to be served or tested."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            house.close()

    app = Starlette(
        routes=[
            Mount("/static", GZipMiddleware(StaticFiles(directory=STATIC))),
            Route("/suits.css", suits),
            WebSocketRoute("/live", live),
            Route("/table/{table}/{secret}/game.json", game_file),
            Route("/json{path:path}", as_json),
            Route("/{path:path}", as_page),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        lifespan=lifespan,
    )
    app.state.crowd = Crowd()
    app.state.rooms = Rooms(house, OPENERS if openers is None else openers)
    return app


def visitor_of(connection: HTTPConnection) -> str:
    """Who asks: a random word in a cookie. It says whose questions wait in the queue, and which tables one set up."""
    return connection.cookies.get(COOKIE, "")[:64] or secrets.token_urlsafe(12)


@contextmanager
def opened(request: Request, visitor: str, prefix: str = "") -> Iterator[View]:
    """The view that a request asks for; it is left when the block ends, drawn or not."""
    path = request.url.path.removeprefix(prefix) or "/"
    view: View = request.app.state.rooms.open(Address(path, dict(request.query_params)), visitor)
    try:
        yield view
    finally:
        view.leave()


async def as_page(request: Request) -> Response:
    """A view as a whole page."""
    visitor = visitor_of(request)
    try:
        with opened(request, visitor) as view:
            await view.ready(PATIENCE)
            status, title, main = 200, view.title, view.draw()
    except ElsewhereError as elsewhere:
        return RedirectResponse(str(elsewhere.address), 303)
    except RefusedError as refusal:
        status = 404 if isinstance(refusal, NotHereError) else 400
        title = "Not here" if status == 404 else "This cannot be shown"
        main = notice(title, str(refusal))
    response = HTMLResponse(document(title, main, request.url.path), status)
    response.set_cookie(COOKIE, visitor, httponly=True, samesite="strict", max_age=31_536_000)
    return response


async def as_json(request: Request) -> Response:
    """The same object that the page draws."""
    try:
        with opened(request, visitor_of(request), "/json") as view:
            await view.ready(PATIENCE_OF_PROGRAMS)
            told = {"version": JSON_VERSION, "address": str(view.address), "title": view.title, **view.to_json()}
        return JSONResponse(told)
    except ElsewhereError as elsewhere:
        return RedirectResponse(f"/json{elsewhere.address}", 303)
    except RefusedError as refusal:
        status = 404 if isinstance(refusal, NotHereError) else 400
        return JSONResponse({"version": JSON_VERSION, "error": str(refusal)}, status)


async def game_file(request: Request) -> Response:
    """The record of a finished game, to be saved."""
    house, parts = request.app.state.rooms.house, request.path_params
    try:
        record = house.tables.record_for(parts["table"], parts["secret"])
    except RefusedError as refusal:
        return PlainTextResponse(str(refusal), 404 if isinstance(refusal, NotHereError) else 400)
    return JSONResponse(record.to_json(), headers={"Content-Disposition": 'attachment; filename="kagiya-game.json"'})


async def live(socket: WebSocket) -> None:
    """The socket of a page."""
    await Visit(socket, visitor_of(socket)).run(socket.query_params.get("at", "/"))


async def suits(request: Request) -> Response:
    """The colors of the suits, from the palette that all drawings use."""
    return PlainTextResponse(stylesheet(), media_type="text/css")
