"""What every command writes to: results on `out`, all else (progress, complaints) on `err`; an error is one line.

Names in records, errors of agents and answers of the store are other people's text. It is shown, never obeyed: what
would move the cursor, change colors or turn the writing direction is escaped.
"""

import codecs
import errno
import os
import re
import shlex
import sys
from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

import typer
from rich.color import ColorSystem
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from kagiya.runtime.interrupts import interruption_code

# Control characters but for tab and newline, marks that turn the writing direction or end lines, halves of characters.
HARMFUL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f" r"\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069" r"\ud800-\udfff]")
QUIET = "bright_black"  # a style
# What stands for our signs where the encoding lacks them, e.g. with PYTHONIOENCODING=ascii.
SIGNS = {"±": "+-", "≤": "<=", **dict(zip("·●○♥♡▶↑→µ…█▏▎▍▌▋▊▉", ".*.*.>^>u~#---====", strict=True))}
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))  # of the disk, or of what a user may have on it
FAILED = 1  # an exit code


class TableFormat(StrEnum):
    """The formats of tables on `out`."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
    CSV = "csv"


class ColorChoice(StrEnum):
    """When output is colored."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class PlainConsole(Console):
    """A console on which only our own styles control the terminal."""

    @property
    def has_width(self) -> bool:
        """Whether somebody reads lines of a certain width: on a terminal, or by COLUMNS."""
        return self.is_terminal or self._width is not None

    def print_wide(self, part: RenderableType, width: int) -> None:
        """Print for this width, whatever the terminal's is."""
        before, self._width = self._width, width
        self.print(part)
        self._width = before

    def set_colors(self, are_wanted: bool) -> None:
        """Write with colors, or without any, whatever it writes to."""
        self._color_system, self.no_color = ColorSystem.EIGHT_BIT if are_wanted else None, not are_wanted

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments to write; those that control the terminal are rich's own."""
        for segment in super().render(renderable, options):
            plain = segment.control is not None or not HARMFUL.search(segment.text)
            yield segment if plain else Segment(visible(segment.text), segment.style)


def encodable(text: str) -> str:
    """A text in signs that stdout's encoding has."""
    return text.encode(out.encoding, SUBSTITUTE).decode(out.encoding)


def substitute(error: UnicodeError) -> tuple[str, int]:
    """How signs are written that an encoding lacks; for `codecs`."""
    assert isinstance(error, UnicodeEncodeError)
    return "".join(SIGNS.get(sign, "?") for sign in error.object[error.start : error.end]), error.end


SUBSTITUTE = "kagiya"
codecs.register_error(SUBSTITUTE, substitute)


def visible(text: str) -> str:
    """A text that can be shown on a terminal: what would control it is escaped."""
    return HARMFUL.sub(lambda found: ascii(found[0])[1:-1], text)


out = PlainConsole(highlight=False)
err = PlainConsole(stderr=True, highlight=False)
complaints = PlainConsole(stderr=True, highlight=False)  # not silenced by --quiet


class _Verbosity:
    """Whether details are told, for the whole command."""

    details = False


def choose_output(quiet: bool, verbose: bool) -> None:
    """How much is written besides results."""
    err.quiet, _Verbosity.details = quiet, verbose and not quiet


def choose_color(choice: ColorChoice) -> None:
    """Whether all that is written is colored."""
    for console in (out, err, complaints):
        console.set_colors(choice is ColorChoice.ALWAYS)


def detail(text: str) -> None:
    """One line on stderr for those who gave --verbose."""
    if _Verbosity.details:
        err.print(Text(visible(text), "dim"), soft_wrap=True)


def keep_stdout() -> None:
    """From now on only `out` writes to stdout, unless that is a terminal; what agents print goes to stderr."""
    usual = sys.__stdout__
    if usual is None or usual is not sys.stdout or usual.isatty():
        return
    usual.flush()
    out.file = os.fdopen(os.dup(1), "w", encoding=usual.encoding, errors=usual.errors)
    os.dup2(2, 1)
    sys.stdout = sys.stderr


def write_plain(text: str, end: str = "\n") -> None:
    """A text for machines on `out`, as it is."""
    try:
        out.file.write(text + end)
        out.file.flush()
    except BrokenPipeError:
        out.on_broken_pipe()


def complain(text: str) -> None:
    """One line on stderr."""
    complaints.print(Text(visible(f"kagiya: {text}")), soft_wrap=True)


def sentence(error: BaseException) -> str:
    """What is wrong; for an unexpected error, also its type and how to see more."""
    remedy = "; make room on that disk, or name a place on another" if is_of_full_disk(error) else ""
    return f"{_what(error)}{remedy}"


def is_of_full_disk(error: BaseException | None) -> bool:
    """Whether the error, or one that it came from, is that of a full disk."""
    if error is None or (isinstance(error, OSError) and error.errno in FULL):
        return error is not None
    return is_of_full_disk(error.__cause__ or error.__context__)


def _what(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    more = " (kagiya --debug ... shows the traceback)"
    if is_expected(error):
        return f"{error}{more if error.__cause__ else ''}"
    return f"{type(error).__name__}: {error}{more}"


def is_expected(error: BaseException) -> bool:
    """Whether the error was raised on purpose: one of our own kinds, or the plain ValueError of a check."""
    return type(error) is ValueError or type(error).__module__.split(".")[0] == "kagiya"


def interruption() -> typer.Exit:
    """To be raised at the end of a command that was interrupted."""
    return typer.Exit(interruption_code())


def typed_command() -> str:
    """The command as it can be typed again; of absolute paths the last name, for results are shown to others."""
    return shlex.join(["kagiya", *map(_without_place, sys.argv[1:])])


def _without_place(word: str) -> str:
    option, sign, value = word.rpartition("=")
    return f"{option}{sign}{Path(value).name}" if Path(value).is_absolute() else word
