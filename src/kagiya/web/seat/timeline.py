"""Back to earlier turns and forward again; the turn that is being played is always one step away."""

from __future__ import annotations

from kagiya.drawing.markup import Markup, element
from kagiya.web.panels import panel


def timeline(shown: int, live: int) -> Markup:
    """Buttons, a slider, and the way back to the game."""
    is_live = shown == live
    slider = element(
        "input",
        type="range",
        id="turn",
        min=0,
        max=live,
        value=shown,
        data_do="look",
        aria_label="Turn",
        aria_valuetext="now" if is_live else f"before turn {shown + 1}",
    )
    steps = element(
        "nav",
        _step("first", "|<", "To the deal", "Home", shown > 0),
        _step("back", "<", "One turn back", "ArrowLeft", shown > 0),
        panel(slider),
        _step("on", ">", "One turn on", "ArrowRight", not is_live),
        _step("live", ">|", "Back to the game", "End", not is_live),
        class_="timeline",
        id="timeline",
        aria_label="Turns",
    )
    return panel(steps)


def turn_of(way: str, shown: int, live: int) -> int:
    """Where a step leads that is made at the turn `shown`."""
    return {"first": 0, "back": max(0, shown - 1), "on": min(live, shown + 1), "live": live}.get(way, shown)


def _step(way: str, sign: str, label: str, key: str, is_there: bool) -> Markup:
    """It says which way, not which turn: of two quick clicks the second counts from where the first has led."""
    return element(
        "button",
        sign,
        type="button",
        id=f"turn-{way}",
        aria_label=label,
        title=label,
        data_do="look",
        data_way=way,
        data_key=key,
        aria_disabled=None if is_there else "true",
    )
