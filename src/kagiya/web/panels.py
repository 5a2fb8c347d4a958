"""A page is made of panels: after a change, a page is sent only those panels that differ from what it has.

A panel is an element with an id; panels may stand in panels. Pages mark them while they draw (`panel`). The connection
of a page cuts the drawn text at the marks and remembers a hash of every piece (`ShownPanels`), and the page's script
(static/panels.js) puts new pieces in their places. A piece is a start tag and the contents behind it; in contents, a
comment with an id stands for the panel of that id, so a panel is not sent because of another that stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from kagiya.drawing.markup import Markup

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
