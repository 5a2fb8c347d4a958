"""The document around every view (head, navigation, the places where the script says something), notices and links."""

from __future__ import annotations

from kagiya.drawing.markup import Child, Markup, element, joined
from kagiya.web.views import Address

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
        element("button", "Light or dark", type="button", id="theme", class_="quiet"),
        element("button", "Keys", type="button", id="show-keys", class_="quiet", aria_keyshortcuts="?"),
    )


def link(address: Address, text: Child, id_: str, is_here: bool = False, **attributes: str | None) -> Markup:
    """A link that is followed over the socket; one to what the page shows already is marked."""
    current = "true" if is_here else None
    return element("a", text, href=str(address), id=id_, data_live=True, aria_current=current, **attributes)


def notice(title: str, sentence: str) -> Markup:
    """A page that says one thing."""
    return element("section", element("h1", title), element("p", sentence), class_="notice")
