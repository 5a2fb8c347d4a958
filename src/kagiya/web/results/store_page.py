"""A page that is drawn from the answer to one question; meanwhile, or if there is no answer, it says so."""

from __future__ import annotations

import shlex
from abc import abstractmethod
from pathlib import Path
from typing import Any, Generic, TypeVar

from kagiya.drawing.markup import Markup, element, joined
from kagiya.lab.store.opening import default_store
from kagiya.web.notifier import Notifier
from kagiya.web.results.addresses import OVERVIEW
from kagiya.web.results.reading import Question
from kagiya.web.server.state import ServerState
from kagiya.web.views import Address, View

T = TypeVar("T")
EXAMPLE = "kagiya crossplay careful vdb piers"


class StorePage(View, Generic[T]):
    """What the pages of results share."""

    def __init__(self, state: ServerState, address: Address, visitor: str, question: Question[T]) -> None:
        self.address, self.changes, self._store = address, Notifier(), state.results.path
        self.answer = state.results.ask(question, visitor)
        self.answer.when_there(self.changes.announce)

    async def ready(self, patience: float) -> None:
        """The store is read by a thread."""
        await self.answer.wait(patience)

    def draw(self) -> Markup:
        """The answer, or why there is none."""
        if not self.answer.is_there:
            return element("section", element("h1", self.title), element("p", "Reading the store …"), class_="notice")
        if self.answer.problem is not None:
            missing = self._store if self.answer.is_store_missing else None
            return no_answer(self.title, self.answer.problem, missing)
        return self.draw_answer(self.answer.value)

    def to_json(self) -> dict[str, Any]:
        """The answer as plain data; `error` if there is none."""
        if not self.answer.is_there:
            return {"error": "The store is still being read; ask again."}
        if self.answer.problem is not None:
            return {"error": self.answer.problem}
        return self.plain(self.answer.value)

    @abstractmethod
    def draw_answer(self, answer: T) -> Markup:
        """What stands in the page's <main>."""

    @abstractmethod
    def plain(self, answer: T) -> dict[str, Any]:
        """The same for programs."""


def no_answer(title: str, problem: str, missing: Path | None) -> Markup:
    """What is wrong, and how one gets a store where there is none."""
    return element(
        "section",
        element("h1", title),
        element("p", problem, class_="bad", id="problem"),
        element("p", element("a", "All results", href=OVERVIEW, id="to-results"))
        if missing is None
        else how_to_begin(missing),
        class_="notice",
    )


def how_to_begin(store: Path) -> Markup:
    """The first command of somebody who has no store, which makes the one that this server looks for."""
    option = "" if store == default_store() else f" --store {shlex.quote(str(store))}"
    return joined(
        element("p", "This command plays some games and stores them there; then load this page again:"),
        element("pre", element("code", f"{EXAMPLE}{option}")),
    )
