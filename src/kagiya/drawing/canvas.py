"""What all drawings share: escaped HTML and SVG elements, colors, suit shapes, and drawings that stand alone.

Every text is escaped unless it is markup already. Every color has a name and two shades, for a light and a dark ground.
A drawing asks for it with `paint("red")`, which gives ``var(--draw-red)``. The page's stylesheet (`stylesheet`) sets
that variable by its theme; in a drawing that stands alone (`standalone`) the shades are written out. Suits differ in
shape, hue and lightness, so that hue alone never has to tell them apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TypeAlias


class Markup(str):
    """Text that is markup already; whatever is not of this type is escaped."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"
Value: TypeAlias = "str | int | float | bool | None"

SPECIAL = re.compile("[&<>\"']")
# HTML elements that have no end tag.
VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})


def element(name: str, /, *children: Child, **attributes: Value) -> Markup:
    """An element. `class_="a"` is the attribute class, `data_turn=3` is data-turn; None and False leave one out, True
    writes it bare as an empty value, which is well-formed in HTML and in XML."""
    start = f"{name}{''.join(map(_attribute, attributes.items()))}"
    if name in VOID:
        return Markup(f"<{start}/>")
    return Markup(f"<{start}>{joined(*children)}</{name}>")


def joined(*children: Child) -> Markup:
    """Children one after the other; text is escaped, None is nothing, lists are flattened."""
    return Markup("".join(map(_child, children)))


def _child(child: Child) -> str:
    if child is None:
        return ""
    if isinstance(child, Markup):
        return child
    if isinstance(child, str | int | float):
        return _escaped(str(child))
    return joined(*child)


def _attribute(item: tuple[str, Value]) -> str:
    name, value = item
    if value is None or value is False:
        return ""
    return f' {_attribute_name(name)}="{"" if value is True else _escaped(str(value))}"'


@lru_cache
def _attribute_name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _escaped(text: str) -> str:
    """Most texts are numbers and colors, which need no escaping: a page has thousands of them. What Latin-1 lacks is
    written as a number, or Python would take two bytes for every letter of the page it stands on."""
    safe = escape(text) if SPECIAL.search(text) else text
    return safe if safe.isascii() else safe.encode("latin-1", "xmlcharrefreplace").decode("latin-1")


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


FONT = "system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
OPENING = re.compile(r"<svg[^>]*>(?:<title>[^<]*</title>)?")
NATURAL = re.compile(r'viewBox="0 0 ([\d.]+) ')
# In words a quotation mark is escaped, so this is found in attributes alone.
VARIABLE = re.compile(r'(fill|stroke)="var\(--draw-([\w-]+)\)"')
GROUND = element("rect", width="100%", height="100%", rx=8, fill=paint("panel"), stroke=paint("line"))


def sheet(width: float, height: float, label: str, *children: Child, **attributes: Value) -> Markup:
    """An `<svg>` of these proportions; how large it is, its place decides. With a label it is an image of that name
    (`<title>`, which a pointer shows too); with an empty one it is left out for screen readers."""
    box = f"0 0 {number(width)} {number(height)}"
    if not label:
        return element("svg", *children, viewBox=box, aria_hidden="true", **attributes)
    return element("svg", element("title", label), *children, viewBox=box, role="img", **attributes)


def words(x: float, y: float, text: Child, *, size: float = 12, color: str = "text", **attributes: Value) -> Markup:
    """Text whose baseline begins (or by `text_anchor` ends, is centered) at a point."""
    return element("text", text, x=number(x), y=number(y), font_size=number(size), fill=paint(color), **attributes)


def moved(x: float, y: float, *children: Child, scale: float = 1.0, **attributes: Value) -> Markup:
    """Children with their origin at a point, and magnified."""
    where = f"translate({number(x)} {number(y)})" + ("" if scale == 1 else f" scale({number(scale)})")
    return element("g", *children, transform=where, **attributes)


def rectangle(x: float, y: float, width: float, height: float, fill: str | None, **attributes: Value) -> Markup:
    """A rectangle filled with a color of the palette, or not filled."""
    color = paint(fill) if fill else "none"
    size = {"width": number(width), "height": number(height)}
    return element("rect", x=number(x), y=number(y), **size, fill=color, **attributes)


def shape(suit: Suit, x: float, y: float, size: float) -> Markup:
    """A suit's shape in its color, outlined, centered at a point and `size` wide and high."""
    edge = {"stroke": paint(f"{suit.name}-edge"), "stroke_width": number(20 / size)}
    outline = element("path", d=SHAPES[suit.shape], fill=paint(suit.name), **edge)
    return moved(x, y, outline, scale=size / 22)


def number(value: float) -> str:
    """A number as short as two decimals allow: `3`, `3.25`."""
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1e5 else str(round(value))


def standalone(drawing: Markup, width: float | None = None) -> Markup:
    """A drawing as a file or a notebook needs it: on a ground of its own, as wide as given or as drawn. Colors
    are written out, and a style inside has the dark ones for who prefers a dark scheme. Not for the page, whose policy
    allows no styles within."""
    start = OPENING.match(drawing)[0]  # type: ignore[index]  # every sheet begins with it
    wide = number(width) if width else NATURAL.findall(start)[0]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="kagiya" width="{wide}" font-family="{FONT}"'
    inside = f"{GROUND}{drawing[len(start) :].removesuffix('</svg>')}{_dark_style(GROUND + drawing)}"
    return Markup(VARIABLE.sub(_written_out, f"{head}{start.removeprefix('<svg')}{inside}</svg>\n"))


def _written_out(found: re.Match[str]) -> str:
    return f'{found[1]}="{COLORS[found[2]].light}"'


def _dark_style(drawing: str) -> Markup:
    """The dark shades of the colors in a drawing, each found by its light shade."""
    used = sorted({(kind, COLORS[name].light, COLORS[name].dark) for kind, name in VARIABLE.findall(drawing)})
    rules = "".join(f".kagiya [{kind}='{light}']{{{kind}:{dark}}}" for kind, light, dark in used)
    return element("style", Markup(f"@media (prefers-color-scheme: dark){{{rules}}}"))
