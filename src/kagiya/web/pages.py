"""Pages: views with an address, drawn as panels in a common document, or said as JSON.

A view is drawn again when its `Notifier` announces a change, from any thread. After a change a page is sent only those
panels that differ from what it has. A panel is an element with an id; panels may stand in panels. Pages mark them while
they draw (`panel`). The connection of a page cuts the drawn text at the marks and remembers a hash of every piece
(`ShownPanels`), and the page's script (static/panels.js) puts new pieces in their places. A piece is a start tag and
the contents behind it; in contents, a comment with an id stands for the panel of that id, so a panel is not sent
because of another that stands in it.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

from kagiya.drawing.canvas import Child, Markup, Value, element, joined


class Notifier:
    """Something that changes. Each listener is told once for any number of changes since it last looked."""

    def __init__(self) -> None:
        self._listeners: dict[asyncio.Event, asyncio.AbstractEventLoop] = {}
        self._numbers = itertools.count(1)
        self.number = 0  # of the last announcement; never the same again, so what was drawn under it still holds

    @contextmanager
    def listening(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set by every announcement; the listener clears it."""
        event = asyncio.Event()
        self._listeners[event] = asyncio.get_running_loop()
        try:
            yield event
        finally:
            del self._listeners[event]

    def announce(self) -> None:
        """Tell all listeners; may be called from any thread."""
        self.number = next(self._numbers)
        for event, loop in tuple(self._listeners.items()):
            try:
                loop.call_soon_threadsafe(event.set)
            except RuntimeError:  # its loop has ended, and so has its page
                continue

    @property
    def listeners(self) -> int:
        """How many are looking."""
        return len(self._listeners)


# What a page sends when something is done on it: {"do": "move", "move": "play 1", "turn": "3"}; all values are text.
Message = Mapping[str, str]


class RefusedError(ValueError):
    """What a visitor asked for cannot be; the text is a sentence for the page."""


def sentence(said: object) -> str:
    """What an error or a verdict says, ended as a sentence; some end with a question."""
    text = str(said)
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
    """One open page, drawn again whenever its `changes` are announced."""

    title: str = "Kagiya"
    address: Address
    changes: Notifier | None = None
    version: object = None  # equal as long as the view would be drawn the same; None if unknown

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


PLACES = (("/", "Play"), ("/review", "Review"), ("/results", "Results"))
TABLES = ("/table", "/join")  # belong to Play


def document(title: str, main: Markup, path: str) -> str:
    """A whole page; without the script it can still be read."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("link", rel="icon", href="/static/icon.svg"),
        element("link", rel="stylesheet", href="/static/kagiya.css"),
        element("link", rel="stylesheet", href="/static/play.css"),
        element("link", rel="stylesheet", href="/static/review.css"),
        element("link", rel="stylesheet", href="/static/results.css"),
        element("link", rel="stylesheet", href="/suits.css"),
        element("script", src="/static/kagiya.js", type="module"),
    )
    body = element(
        "body",
        element("a", "Skip to the table", href="#main", class_="skip"),
        element("header", element("a", "Kagiya", href="/", class_="name"), navigation(path), buttons(), class_="bar"),
        element("p", id="said", role="status", aria_live="polite"),
        element("main", main, id="main", tabindex="-1"),
        element("dialog", id="keys", aria_labelledby="keys-title"),
    )
    return "<!doctype html>" + element("html", head, body, lang="en")


def navigation(path: str) -> Markup:
    """Where one can go; plain links, since the script leaves those between rooms alone."""
    first = "/" + path.split("/")[1]
    first = "/" if first in TABLES else first
    links = [element("a", name, href=place, aria_current="page" if first == place else None) for place, name in PLACES]
    return element("nav", links, aria_label="Rooms")


def buttons() -> Markup:
    """What the script does on every page."""
    return joined(
        button("Light or dark", "theme", class_="quiet"),
        button("Keys", "show-keys", class_="quiet", aria_keyshortcuts="?"),
    )


def link(address: Address, text: Child, id_: str, is_here: bool = False, **attributes: str | None) -> Markup:
    """A link that is followed over the socket; one to what the page shows already is marked."""
    current = "true" if is_here else None
    return element("a", text, href=str(address), id=id_, data_live=True, aria_current=current, **attributes)


def button(words: Child, id_: str, do: str | None = None, /, **attributes: Value) -> Markup:
    """A button; `do` says what is done on the page when it is pressed."""
    return element("button", words, type="button", id=id_, data_do=do, **attributes)


def select(options: Iterable[tuple[str, str]], chosen: str | None = None, /, **attributes: Value) -> Markup:
    """A list to choose from: what each choice sends, and its words."""
    items = [element("option", words, value=value, selected=value == chosen) for value, words in options]
    return element("select", items, **attributes)


def progress_bar(share: float, label: str) -> Markup:
    """How far something is."""
    percent = round(100 * share)
    return element("progress", f"{percent} %", value=percent, max=100, aria_label=label)


def scrolled(table: Markup, id_: str, name: str) -> Markup:
    """A table that may be wider than the page: it scrolls, by keys too."""
    return element("div", table, class_="scroll", id=id_, tabindex="0", role="region", aria_label=name)


def table(
    name: str, heads: Sequence[str], rows: Iterable[Sequence[Child]], numbers: frozenset[int], unseen: bool = False
) -> Markup:
    """A table with a caption, unseen where a heading says the same; columns with these places hold numbers, the first
    cell of a row is its header."""
    kinds = ["number" if place in numbers else None for place in range(len(heads))]
    head = element(
        "tr", [element("th", each, scope="col", class_=kind) for each, kind in zip(heads, kinds, strict=True)]
    )
    body = [
        element(
            "tr",
            element("th", row[0], scope="row", class_=kinds[0]),
            [element("td", each, class_=kind) for each, kind in zip(row[1:], kinds[1:], strict=True)],
        )
        for row in rows
    ]
    return element(
        "table",
        element("caption", element("span", name, class_="unseen") if unseen else name),
        element("thead", head),
        element("tbody", body),
    )


def notice(title: str, sentence: str) -> Markup:
    """A page that says one thing."""
    return element("section", element("h1", title), element("p", sentence), class_="notice")


MAIN = "main"  # the panel that all others stand in; its start tag never changes
COMMENT, START, END = "<!--", "panel-->", "/panel-->"  # text is escaped, so there are no other comments
ID = ' id="'
PLACE = re.compile("<!--([^>]+)-->")

# What is sent of the panels that differ, by id, those around others first: start tag and contents, None if as before.
Pieces: TypeAlias = dict[str, tuple[str | None, str | None]]


def panel(drawn: Markup) -> Markup:
    """An element with an id that is sent again only when it differs from what the page has."""
    return Markup(f"{COMMENT}{START}{drawn}{COMMENT}{END}")


def cut(page: str) -> dict[str, tuple[str, str, str]]:
    """All panels of a page by their ids, each behind those that it stands in: where it stands, start tag, contents."""
    first, *rest = page.split(COMMENT)
    heads, contents = {MAIN: ("", "")}, {MAIN: [first]}
    around = [MAIN]
    for text in rest:
        if text.startswith(END):
            closed = contents[around.pop()]
            closed[-1] = closed[-1][: closed[-1].rfind("</")]  # of an element without end tag nothing is left
            contents[around[-1]].append(text[len(END) :])
            continue
        tag, _, inside = text[len(START) :].partition(">")
        id_ = tag[tag.index(ID) + len(ID) :].partition('"')[0]
        contents[around[-1]].append(f"{COMMENT}{id_}-->")
        heads[id_], contents[id_] = (f"{around[-1]} {tag.partition(' ')[0]}", f"{tag}>"), [inside]
        around.append(id_)
    return {id_: (place, tag, "".join(contents[id_])) for id_, (place, tag) in heads.items()}


class ShownPanels:
    """What one page has: a hash of the start tag and of the contents of every panel."""

    def __init__(self) -> None:
        self._hashes: dict[str, tuple[str, int, int]] = {}

    def update(self, page: str) -> Pieces:
        """The page is to show this: what it has to be sent for that."""
        pieces: Pieces = {}
        hashes, new = {}, set()
        for id_, (place, tag, inside) in cut(page).items():
            hashes[id_] = now = place, hash(tag), hash(inside)
            old = self._hashes.get(id_)
            if old is None or old[0] != place or place.partition(" ")[0] in new:
                new.add(id_)
                pieces[id_] = tag or None, inside
            elif old != now:
                pieces[id_] = tag if old[1] != now[1] else None, inside if old[2] != now[2] else None
        self._hashes = hashes
        return pieces


class ReceivedPanels:
    """The page as text, put together again from what was sent: what programs do in the place of the script."""

    def __init__(self) -> None:
        self._pieces: dict[str, tuple[str, str]] = {}

    def update(self, pieces: Mapping[str, tuple[str | None, str | None]]) -> None:
        """Put new pieces in their places."""
        for id_, (tag, inside) in pieces.items():
            old_tag, old_inside = self._pieces.get(id_, ("", ""))
            self._pieces[id_] = old_tag if tag is None else tag, old_inside if inside is None else inside

    def text(self, id_: str = MAIN) -> str:
        """A panel with all that stands in it."""
        tag, inside = self._pieces[id_]
        whole = tag + PLACE.sub(lambda place: self.text(place[1]), inside)
        return whole if not tag or tag.endswith("/>") else f"{whole}</{tag[1:].split()[0].rstrip('>')}>"
