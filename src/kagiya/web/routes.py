"""The routes: which page is at which address; while the server compiles for the first time, all show how far it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.routing import Match, Route

from kagiya.drawing.canvas import Markup, element
from kagiya.runtime.jobs import Task
from kagiya.web.pages import Address, ElsewhereError, Message, NotHereError, Notifier, RefusedError, View, progress_bar
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
                state = self.state
                if state.preparing is not None and not state.preparing.is_over:
                    return StartupPage(state.preparing, state.getting_ready, address)
                view: View = route.endpoint(state, address, visitor, **found["path_params"])
                return view
        raise no_page(address.path)


def no_page(path: str) -> NotHereError:
    """What is said of an address at which there is nothing."""
    return NotHereError(f"There is no page at {path!r:.80}.")


class StartupPage(View):
    """Stands for a page that cannot be opened yet, and leads to it as soon as it can."""

    title = "Getting ready"

    def __init__(self, task: Task[None], changes: Notifier, address: Address) -> None:
        self._task, self.changes, self.address = task, changes, address

    def _go_on(self) -> None:
        if self._task.is_over:
            raise ElsewhereError(self.address)

    def draw(self) -> Markup:
        """A bar and a sentence."""
        self._go_on()
        return element(
            "section",
            element("h1", "Kagiya is getting ready"),
            element("p", progress_bar(self._task.progress, "How far it is")),
            element("p", self._task.words or "Compiling, once on this machine.", role="status"),
            element("p", "This page goes on by itself.", class_="soft"),
            class_="notice",
        )

    def to_json(self) -> dict[str, Any]:
        self._go_on()
        return {"getting_ready": self._task.progress, "words": self._task.words, "error": ""}

    def receive(self, message: Message) -> Address | None:
        raise RefusedError("The server is getting ready; this takes a minute or two, once.")
