"""What all drawings share: the sheet, words and groups on it, suit shapes, and a drawing made to stand alone."""

from __future__ import annotations

import re

from kagiya.drawing.markup import Child, Markup, Value, element
from kagiya.drawing.palette import COLORS, SHAPES, Suit, paint

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
    outline = element(
        "path",
        d=SHAPES[suit.shape],
        fill=paint(suit.name),
        stroke=paint(f"{suit.name}-edge"),
        stroke_width=number(20 / size),
    )
    return moved(x, y, outline, scale=size / 22)


def number(value: float) -> str:
    """A number as short as two decimals allow: `3`, `3.25`."""
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1e5 else str(round(value))


def standalone(drawing: Markup, width: float | None = None) -> Markup:
    """A drawing as a file or a notebook needs it: on a ground of its own, so wide, or as wide as it was drawn. Colors
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
