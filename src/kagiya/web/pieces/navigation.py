"""Panels with their tabs, and the way through the turns of a game: buttons and a slider."""

from __future__ import annotations

from collections.abc import Mapping

from kagiya.drawing.markup import Markup, element
from kagiya.web.page import link
from kagiya.web.panels import panel
from kagiya.web.views import Address


def tab_panel(name: str, title: str, chosen: str, *content: Markup | None) -> Markup:
    """One panel; on a phone it is there only if its tab is chosen."""
    classes = f"panel{' chosen' if name == chosen else ''}"
    return panel(
        element("section", element("h2", title), content, id=f"panel-{name}", class_=classes, aria_label=title)
    )


def tabs(names: Mapping[str, str], chosen: str, address: Address, classes: str = "tabs") -> Markup:
    """The way from panel to panel on a phone; where there is room for all, this is not shown."""
    links = [link(address.with_query(tab=name), title, f"tab-{name}", name == chosen) for name, title in names.items()]
    return panel(element("nav", links, class_=classes, id="tabs", aria_label="Panels"))


def step(way: str, sign: str, label: str, key: str, is_there: bool, **attributes: str) -> Markup:
    """A button that leads to another turn, also by a key. It says which way, not which turn: of two quick clicks the
    second counts from where the first has led."""
    return element(
        "button",
        sign,
        type="button",
        aria_label=label,
        title=f"{label} ({key.replace('Arrow', '') if len(key) > 1 else key})",
        data_way=way,
        data_key=key,
        aria_disabled=None if is_there else "true",
        **attributes,
    )


def slider(turns: range, shown: int, text: str, **attributes: str) -> Markup:
    """To any turn; `text` says which one is shown."""
    return panel(
        element(
            "input",
            type="range",
            min=turns[0],
            max=turns[-1],
            value=shown,
            aria_label="Turn",
            aria_valuetext=text,
            **attributes,
        )
    )


def timeline(shown: int, live: int) -> Markup:
    """Back to earlier turns and forward again; the turn that is being played is always one step away."""
    is_live = shown == live
    text = "now" if is_live else f"before turn {shown + 1}"
    return panel(
        element(
            "nav",
            _look("first", "|<", "To the deal", "Home", shown > 0),
            _look("back", "<", "One turn back", "ArrowLeft", shown > 0),
            slider(range(live + 1), shown, text, id="turn", data_do="look"),
            _look("on", ">", "One turn on", "ArrowRight", not is_live),
            _look("live", ">|", "Back to the game", "End", not is_live),
            class_="timeline",
            id="timeline",
            aria_label="Turns",
        )
    )


def _look(way: str, sign: str, label: str, key: str, is_there: bool) -> Markup:
    return step(way, sign, label, key, is_there, id=f"turn-{way}", data_do="look")


def turn_of(way: str, shown: int, live: int) -> int:
    """Where a step leads that is made at the turn `shown`."""
    return {"first": 0, "back": max(0, shown - 1), "on": min(live, shown + 1), "live": live}.get(way, shown)
