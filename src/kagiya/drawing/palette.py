"""The shapes and colors of suits, and the few other colors of a drawing, for a light and a dark ground.

Every color has a name and two shades. A drawing asks for it with `paint("red")`, which gives ``var(--draw-red)``. The
page's stylesheet (`stylesheet`) sets that variable by its theme; in a drawing that stands alone (`canvas.standalone`)
the shades are written out. Suits differ in shape, hue and lightness, so that nobody has to tell them apart by hue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shades:
    """One color as it is on a light and on a dark ground."""

    light: str
    dark: str


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit as it is drawn. Its colors: `red`, `red-edge` (its outline), `red-ink` (what is written on it)."""

    name: str
    letter: str
    shape: str  # one of SHAPES


RED = Suit("red", "R", "circle")
YELLOW = Suit("yellow", "Y", "triangle")
GREEN = Suit("green", "G", "square")
WHITE = Suit("white", "W", "star")
BLUE = Suit("blue", "B", "diamond")
PURPLE = Suit("purple", "P", "cross")
TEAL = Suit("teal", "T", "star")  # hanab.live's sixth suit; white and teal never meet in one game

# In the order of `kagiya.cards.COLOR_NAMES`.
SUITS = (RED, YELLOW, GREEN, WHITE, BLUE, PURPLE)
ALL_SUITS = (*SUITS, TEAL)

# The outlines, on a square from -10 to 10. A circle is drawn as one.
SHAPES = {
    "circle": "M-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0 -17 0z",
    "triangle": "M0 -9L9.4 7.5H-9.4z",
    "square": "M-7.6 -7.6H7.6V7.6H-7.6z",
    "star": "M0 -10L2.6 -3.5L9.5 -3.1L4.2 1.4L5.9 8.1L0 4.4L-5.9 8.1L-4.2 1.4L-9.5 -3.1L-2.6 -3.5z",
    "diamond": "M0 -10L7.6 0L0 10L-7.6 0z",
    "cross": "M-3 -9H3V-3H9V3H3V9H-3V3H-9V-3H-3z",
}

# No two light shades are the same, not even whites: `canvas.standalone` finds the dark shade by the light one.
COLORS = {
    "red": Shades("#c01626", "#e07478"),
    "red-edge": Shades("#8f0b17", "#f0a0a2"),
    "red-ink": Shades("#fffffd", "#000000"),
    "yellow": Shades("#e9cc46", "#eac561"),
    "yellow-edge": Shades("#86691a", "#f6e0a4"),
    "yellow-ink": Shades("#1b1a17", "#12110f"),
    "green": Shades("#6aa064", "#3a8234"),
    "green-edge": Shades("#3c6e3a", "#6db567"),
    "green-ink": Shades("#000000", "#ffffff"),
    "white": Shades("#f1f0ec", "#f1e9ea"),
    "white-edge": Shades("#75726a", "#ffffff"),
    "white-ink": Shades("#1c1b19", "#131211"),
    "blue": Shades("#306bbc", "#5695fd"),
    "blue-edge": Shades("#164483", "#97befe"),
    "blue-ink": Shades("#fffffe", "#000001"),
    "purple": Shades("#5d2a65", "#986196"),
    "purple-edge": Shades("#431a47", "#c29ac0"),
    "purple-ink": Shades("#fefefe", "#fffefe"),
    "teal": Shades("#01c2d9", "#9bcfc9"),
    "teal-edge": Shades("#0f7477", "#c5e6e2"),
    "teal-ink": Shades("#1d1c1a", "#141312"),
    "ground": Shades("#f4f2ee", "#16181b"),
    "panel": Shades("#ffffff", "#202327"),
    "text": Shades("#1f2328", "#e6e6e3"),
    "quiet": Shades("#57606a", "#a5abb3"),
    "line": Shades("#d5d1c9", "#3a3f45"),
    "back": Shades("#e4e0d8", "#34383d"),
    "back-edge": Shades("#7f7a71", "#868c94"),
    "accent": Shades("#a85200", "#f0a860"),
    "moved": Shades("#1b63b0", "#6cb0f5"),
    "good": Shades("#1a6e3a", "#6fca8c"),
    "bad": Shades("#b3261e", "#ff8a80"),
    "badge-ink": Shades("#fffefd", "#16181a"),
}

PAINTS = {name: f"var(--draw-{name})" for name in COLORS}


def suits_named(names: Sequence[str]) -> tuple[Suit, ...]:
    """The suits of a game by their names, in its order: `("red", "blue")`."""
    known = {suit.name: suit for suit in ALL_SUITS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"there is no suit called {unknown[0]!r}; the suits are {', '.join(known)}")
    return tuple(known[name] for name in names)


def paint(name: str) -> str:
    """The value of a `fill` or `stroke` attribute: the variable that the page's stylesheet sets, `var(--draw-red)`."""
    return PAINTS[name]


def stylesheet() -> str:
    """The colors as CSS custom properties: light, and dark for a page whose root has `data-theme="dark"`, or that
    leaves it to the reader's preference."""
    dark = custom_properties("dark")
    return (
        f":root {{ {custom_properties('light')} }}\n"
        f":root[data-theme='dark'] {{ {dark} }}\n"
        f"@media (prefers-color-scheme: dark) {{ :root:not([data-theme='light']) {{ {dark} }} }}\n"
    )


def custom_properties(theme: str) -> str:
    """The colors of theme `light` or `dark`, ``--draw-red: #c01626; ...``, without a selector."""
    return " ".join(f"--draw-{name}: {getattr(shades, theme)};" for name, shades in COLORS.items())
