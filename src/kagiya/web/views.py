"""What a visitor looks at: a view has an address, draws itself, says itself as JSON and receives what is done on it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from kagiya.drawing.markup import Markup
from kagiya.web.notifier import Notifier

# What a page sends when something is done on it: {"do": "move", "move": "play 1", "turn": "3"}; all values are text.
Message = Mapping[str, str]


class RefusedError(ValueError):
    """What a visitor asked for cannot be; the text is a sentence for the page."""


def sentence(error: Exception) -> str:
    """What an error says, ended as a sentence; some end with a question."""
    text = str(error)
    return text if text.endswith((".", "?", "!")) else f"{text}."


class NotHereError(RefusedError):
    """There is nothing at this address."""


class ElsewhereError(Exception):
    """What was asked for is found at another address, which is the argument."""

    def __init__(self, address: Address) -> None:
        super().__init__(str(address))
        self.address = address


@dataclass(frozen=True)
class Address:
    """Where a view is found: a path and named values. It holds all that is needed to see the same again."""

    path: str
    query: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Address:
        """Of "/review/12?turn=3"; what is not an address of this server is refused."""
        parts = urlsplit(text)
        if parts.scheme or parts.netloc or not parts.path.startswith("/"):
            raise NotHereError("An address here begins with a single slash, as in /review.")
        return cls(parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)))

    def __str__(self) -> str:
        return f"{self.path}?{urlencode(dict(self.query))}" if self.query else self.path

    def with_query(self, **changes: str | int | None) -> Address:
        """The same view with some values changed; None takes one away."""
        query = {**self.query, **{name: value if value is None else str(value) for name, value in changes.items()}}
        return Address(self.path, {name: value for name, value in query.items() if value is not None})

    def number(self, name: str, default: int) -> int:
        """An integer in the query."""
        text = self.query.get(name, str(default))
        if not text.removeprefix("-").isascii() or not text.removeprefix("-").isdigit() or len(text) > 9:
            raise RefusedError(f"{name} in the address must be an integer, not {text!r:.60}.")
        return int(text)


class View(ABC):
    """One page that somebody looks at. It is drawn again whenever its `changes` are announced."""

    title: str = "Kagiya"
    address: Address
    changes: Notifier | None = None
    version: object = None  # equal as long as the view would be drawn the same; None if nobody knows

    async def ready(self, patience: float) -> None:  # noqa: B027  # most views are ready at once
        """Wait for what has to be read before the view can be drawn, `patience` seconds at most."""

    @abstractmethod
    def draw(self) -> Markup:
        """What stands in the page's <main>."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The same object that is drawn, for programs."""

    def receive(self, message: Message) -> Address | None:
        """Carry out what was done on the page; the address to go to, if it is another one now."""
        raise RefusedError(f"This page does not know how to {message['do']!r:.60}.")

    def leave(self) -> None:  # noqa: B027  # most views have nothing to put away
        """The visitor has gone elsewhere."""
