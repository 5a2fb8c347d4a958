"""Back to earlier turns and forward again; the turn that is being played is always one step away."""

from __future__ import annotations

from kagiya.drawing.markup import Markup, element
from kagiya.web.views import Address


def timeline(shown: int, live: int, address: Address, first: int = 0) -> Markup:
    """Buttons, a slider, and the way back to the game."""
    is_live = shown == live
    slider = element(
        "input",
        type="range",
        id="turn",
        min=first,
        max=live,
        value=shown,
        data_do="look",
        aria_label="Turn",
        aria_valuetext="now" if is_live else f"before turn {shown + 1}",
    )
    return element(
        "nav",
        _step("first", "|<", "To the deal", "Home", address.but(turn=first), shown > first),
        _step("back", "<", "One turn back", "ArrowLeft", address.but(turn=max(first, shown - 1)), shown > first),
        slider,
        _step("on", ">", "One turn on", "ArrowRight", _at(shown + 1, live, address), not is_live),
        _step("live", ">|", "Back to the game", "End", address.but(turn=None), not is_live),
        class_="timeline",
        aria_label="Turns",
    )


def _at(turn: int, live: int, address: Address) -> Address:
    return address.but(turn=None if turn >= live else turn)


def _step(name: str, sign: str, label: str, key: str, to: Address, is_there: bool) -> Markup:
    return element(
        "button",
        sign,
        type="button",
        id=f"turn-{name}",
        aria_label=label,
        title=label,
        data_do="look",
        data_value=to.query.get("turn", "live"),
        data_key=key,
        aria_disabled=None if is_there else "true",
    )
