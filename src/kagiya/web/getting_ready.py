"""What every address shows while the server compiles for the first time: how far that is, then the page itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kagiya.drawing.markup import Markup, element
from kagiya.runtime.jobs import Task
from kagiya.web.changes import Changes
from kagiya.web.page import notice
from kagiya.web.views import Address, Message, RefusedError, View


class GettingReady(View):
    """Stands for a view that cannot be opened yet, and becomes it."""

    def __init__(self, task: Task[None], changes: Changes, address: Address, open_it: Callable[[], View]) -> None:
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
    def changes(self) -> Changes | None:  # type: ignore[override]
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
        percent = round(100 * self._task.progress)
        return element(
            "section",
            element("h1", "Kagiya is getting ready"),
            element("p", element("progress", f"{percent} %", value=percent, max=100, aria_label="How far it is")),
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
