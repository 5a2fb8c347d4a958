"""The sheet that a picture is drawn on: title, panels, and a footer that says what the numbers are of.

Every text lies on the sheet: names, titles and the footer wrap, names that are longer still become letters with a key
in the footer, and where a size was asked for that is too small for the letters, they shrink.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from kagiya.lab.documents.figures._style import INK, PAPER, QUIET, FigureError, check_picture, pyplot
from kagiya.lab.provenance.result_files import VERSION

DOTS_PER_INCH = 150
TITLE_POINTS, FOOTER_POINTS, POINTS = 12.0, 7.5, 10.0
INCHES_PER_POINT = 1 / 72
LINE_HEIGHT = 1.35  # of a line, in the size of its letters
MARGIN = 0.12  # inches, left and right of title and footer
LABEL_CHARACTERS = 26  # of a line of a name
LONGEST_LABEL = 78  # characters: longer names become letters
SMALL_SHEET, LONGEST_ON_SMALL = 45.0, 26  # square inches that a user may ask for, and the same on less
SMALLER, SMALLEST, STEPS = 0.92, 4.5, 10  # letters shrink by this factor, down to this size, this often


@dataclass(frozen=True)
class Setting:
    """What stands around a picture."""

    caption: str  # the rules, the games and the seeds, without which no score is shown
    title: str = ""  # instead of the usual one
    size: tuple[float, float] | None = None  # inches, instead of what the picture needs
    labels: Mapping[str, str] = field(default_factory=dict)  # names instead of agents' texts


Words = str | Setting


class Canvas:
    """A sheet with one panel or several."""

    def __init__(self, words: Words, names: Sequence[str], title: str, size: tuple[float, float]) -> None:
        self.setting = words if isinstance(words, Setting) else Setting(words)
        width, height = self.setting.size or size
        longest = LONGEST_LABEL if self.setting.size is None or width * height >= SMALL_SHEET else LONGEST_ON_SMALL
        self.letters = _letters([self.setting.labels.get(name, name) for name in names], longest)
        self.width = width
        footer = self._footer()
        lines = footer.count("\n") + 1
        below = min(lines * FOOTER_POINTS * LINE_HEIGHT * INCHES_PER_POINT + 0.12, 0.6 * size[1])
        height = self.setting.size[1] if self.setting.size else size[1] + below
        self.sheet = pyplot().figure(figsize=(self.width, height), layout="constrained")
        shares = [max(height - below, 0.1), min(below, 0.5 * height)]
        self.figure, foot = self.sheet.subfigures(2, 1, height_ratios=shares)
        foot.text(MARGIN / self.width, 0.6, footer, va="center", color=QUIET, fontsize=FOOTER_POINTS)
        shown = wrapped(self.setting.title or title, self.width - 2 * MARGIN, TITLE_POINTS * 1.1)
        place = {"x": MARGIN / self.width, "ha": "left", "color": INK, "fontweight": "bold", "fontsize": TITLE_POINTS}
        self.figure.suptitle(shown, **place)

    def _footer(self) -> str:
        parts = [f"{letter}: {name}" for name, letter in self.letters.items()]
        caption = self.setting.caption
        parts.append(f"{caption}{'; ' if caption else ''}kagiya {VERSION}")
        return "\n".join(wrapped(part, self.width - 2 * MARGIN, FOOTER_POINTS) for part in parts)

    def panel(self) -> Any:
        """The axes of a picture that has one panel."""
        return self.figure.subplots()

    def label(self, name: str, characters: int = LABEL_CHARACTERS) -> str:
        """How an agent is called here: by the label it was given, in lines; or by a letter."""
        label = self.setting.labels.get(name, name)
        return self.letters.get(label) or _broken(label, characters)

    def lines(self, names: Sequence[str]) -> int:
        """The most lines that a name takes."""
        return max(self.label(name).count("\n") + 1 for name in names)

    def x_label(self, axes: Any, text: str) -> None:
        """What is measured along the axis, in lines that fit."""
        axes.set_xlabel(wrapped(text, 0.58 * self.width, POINTS))

    def save(self, path: Path) -> None:
        """Write the picture; the same data give the same file."""
        check_picture(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        self.fit()
        dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        self.sheet.savefig(path, dpi=DOTS_PER_INCH, facecolor=PAPER, metadata=dates.get(path.suffix.lower()))
        pyplot().close(self.sheet)

    def fit(self) -> None:
        """Make the letters smaller until no text leaves the sheet."""
        for _ in range(STEPS):
            outside = texts_outside(self.sheet)
            if not outside:
                return
            for text in all_texts(self.sheet):
                text.set_fontsize(max(text.get_fontsize() * SMALLER, SMALLEST))
        pyplot().close(self.sheet)
        raise FigureError(f"the picture is too small for its words, such as {outside[0]!r}; give a larger size")


def label_lines(names: Sequence[str], words: Words) -> int:
    """The most lines that a name will take, to be known before there is a sheet."""
    labels = words.labels if isinstance(words, Setting) else {}
    shown = [labels.get(name, name) for name in names]
    return max(
        (_broken(name, LABEL_CHARACTERS).count("\n") + 1 for name in shown if len(name) <= LONGEST_LABEL), default=1
    )


def _letters(names: Sequence[str], longest: int) -> dict[str, str]:
    long = dict.fromkeys(name for name in names if len(name) > longest)
    alphabet = [*ascii_uppercase, *(f"{one}{two}" for one in ascii_uppercase for two in ascii_uppercase)]
    return dict(zip(long, alphabet, strict=False))


def _broken(text: str, characters: int) -> str:
    """Lines no longer than `characters`: broken at spaces; a longer word is broken after a sign in it, or anywhere."""
    lines = [""]
    for word in text.split():
        pieces = [word] if len(word) <= characters else _pieces(word, characters)
        for number, piece in enumerate(pieces):
            space = " " if lines[-1] and not number else ""
            if len(lines[-1]) + len(space) + len(piece) > characters and lines[-1]:
                lines.append(piece)
            else:
                lines[-1] += space + piece
    return "\n".join(lines)


def _pieces(word: str, characters: int) -> list[str]:
    """A long word cut after brackets, commas, equals signs and hyphens, and wherever that is not enough."""
    signs = re.findall(r"[^(),:=-]*[(),:=-]+|[^(),:=-]+", word)
    return [sign[at : at + characters] for sign in signs for at in range(0, len(sign), characters)]


def wrapped(text: str, inches: float, points: float) -> str:
    """Lines that are no wider than that."""
    per_character = 0.56 * points * INCHES_PER_POINT  # of the usual letters of DejaVu Sans, on the wide side
    return "\n".join(_broken(line, max(int(inches / per_character), 8)) for line in text.split("\n"))


def all_texts(sheet: Any) -> Iterator[Any]:
    """Every text of a sheet that is drawn: not the labels of ticks beyond the ends of an axis."""
    from matplotlib.text import Text

    hidden = {label for axes in sheet.get_axes() for label in _beyond(axes)}
    for text in sheet.findobj(Text):
        if text.get_visible() and text.get_text().strip() and text not in hidden:
            yield text


def _beyond(axes: Any) -> Iterator[Any]:
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        edge = 1e-6 * (high - low)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            yield tick.label2
            if not low - edge <= tick.get_loc() <= high + edge:
                yield tick.label1


def texts_outside(sheet: Any) -> list[str]:
    """The texts that leave the sheet, or stand half outside; all of them if they leave no room for the panels."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        sheet.draw_without_rendering()
    if any("collapsed" in str(warning.message) for warning in said):
        return [text.get_text() for text in all_texts(sheet)]
    renderer, box = sheet.canvas.get_renderer(), sheet.bbox
    found = []
    for text in all_texts(sheet):
        place = text.get_window_extent(renderer)
        inside = box.x0 - 1 <= place.x0 and place.x1 <= box.x1 + 1 and box.y0 - 1 <= place.y0 and place.y1 <= box.y1 + 1
        if not inside:
            found.append(text.get_text())
    return found
