"""The routes: which page is at which address; while the server compiles for the first time, all show how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.routing import Match, Route

from kagiya.drawing.canvas import Markup, element
from kagiya.runtime.jobs import Task
from kagiya.web.pages import Address, Message, NotHereError, Notifier, RefusedError, View, notice, progress_bar
from kagiya.web.play.lobby import JoinPage, Lobby
from kagiya.web.play.seat_page import open_seat
from kagiya.web.results_cell import CellPage, StoredReview
from kagiya.web.results_overview import Results
from kagiya.web.review.review_page import UploadPage, open_given, open_table
from kagiya.web.server_state import ServerState

# Opens the page at an address; named parts of the path are its keyword arguments.
Opener: TypeAlias = Callable[..., View]

PAGES: dict[str, Opener] = {
    "/": Lobby,
    "/table/{table}/{secret}": open_seat,
    "/join/{table}/{word}": JoinPage,
    "/review": UploadPage,
    "/review/game/{key}": open_given,
    "/review/table/{table}": open_table,
    "/review/store/{seating}/{seed}": StoredReview,
    "/results": Results,
    "/results/cell": CellPage,
}


class PageRoutes:
    """The pages of a server by their addresses, for requests and for what is followed over a socket."""

    def __init__(self, state: ServerState, pages: Mapping[str, Opener]) -> None:
        self.state, self._pages = state, pages
        self._routes = [Route(path, opener) for path, opener in pages.items()]  # to match with; they answer nothing

    def answered_by(self, endpoint: Callable[[Request], Any]) -> list[Route]:
        """A route for each page, all with one way to answer."""
        return [Route(path, endpoint) for path in self._pages]

    def open(self, address: Address, visitor: str) -> View:
        """The page at this address, as this visitor may see it."""
        for route in self._routes:
            match, found = route.matches({"type": "http", "method": "GET", "path": address.path})
            if match is Match.FULL:
                return self._opened(
                    partial(route.endpoint, self.state, address, visitor, **found["path_params"]), address
                )
        raise no_page(address.path)

    def _opened(self, open_it: Callable[[], View], address: Address) -> View:
        state = self.state
        if state.preparing is None or state.preparing.is_over:
            return open_it()
        return StartupPage(state.preparing, state.getting_ready, address, open_it)


def no_page(path: str) -> NotHereError:
    """What is said of an address at which there is nothing."""
    return NotHereError(f"There is no page at {path!r:.80}.")


class StartupPage(View):
    """Stands for a view that cannot be opened yet, and becomes it."""

    def __init__(self, task: Task[None], changes: Notifier, address: Address, open_it: Callable[[], View]) -> None:
        self._task, self._changes, self._address, self._open_it = task, changes, address, open_it
        self._opened: View | None = None
        self._refusal = ""

    def _view(self) -> View | None:
        """The view itself, once it can be opened."""
        if self._opened is None and self._task.is_over and not self._refusal:
            try:
                self._opened = self._open_it()
            except RefusedError as refusal:
                self._refusal = str(refusal)
        return self._opened

    @property
    def title(self) -> str:  # type: ignore[override]
        view = self._view()
        return "Getting ready" if view is None else view.title

    @property
    def address(self) -> Address:  # type: ignore[override]
        view = self._view()
        return self._address if view is None else view.address

    @property
    def changes(self) -> Notifier | None:  # type: ignore[override]
        view = self._view()
        return self._changes if view is None else view.changes

    async def ready(self, patience: float) -> None:
        if (view := self._view()) is not None:
            await view.ready(patience)

    def draw(self) -> Markup:
        """A bar and a sentence, or the view."""
        if (view := self._view()) is not None:
            return view.draw()
        if self._refusal:
            return notice("This cannot be shown", self._refusal)
        return element(
            "section",
            element("h1", "Kagiya is getting ready"),
            element("p", progress_bar(self._task.progress, "How far it is")),
            element("p", self._task.words or "Compiling, once on this machine.", role="status"),
            element("p", "This page goes on by itself.", class_="soft"),
            class_="notice",
        )

    def to_json(self) -> dict[str, Any]:
        if (view := self._view()) is not None:
            return view.to_json()
        return {"getting_ready": self._task.progress, "words": self._task.words, "error": self._refusal}

    def receive(self, message: Message) -> Address | None:
        if (view := self._view()) is None:
            raise RefusedError("The server is getting ready; this takes a minute or two, once.")
        return view.receive(message)

    def leave(self) -> None:
        if self._opened is not None:
            self._opened.leave()
