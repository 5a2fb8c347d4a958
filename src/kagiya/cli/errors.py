"""Errors and pages of help: an error is one line on stderr, and a traceback only when asked for.

Help has prose that fills the line, examples as written, flags without a type.
"""

from __future__ import annotations

import inspect
from textwrap import indent
from typing import Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from kagiya.cli.console import err, out, visible
from kagiya.runtime.interrupts import interruption_code


class PlainFlags:
    """A command or group whose flags take no value and show none, where Typer would say ``--json <bool>``."""

    def get_params(self, ctx: Any) -> Any:
        """Its parameters, the option --help among them."""
        params = super().get_params(ctx)  # type: ignore[misc]
        for each in params:
            if getattr(each, "is_flag", False):
                each.metavar = ""
        return params


class Command(PlainFlags, TyperCommand):
    """A command with such a page."""


class Group(PlainFlags, TyperGroup):
    """A group of commands with such a page."""


class FirstPage(Group):
    """The group of all commands, whose page is written as it stands: its commands by subject, on one screen."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the docstring; Typer would add a line for every command and option."""
        page = indent(inspect.cleandoc(self.callback.__doc__ or ""), " ")  # as Typer indents the others
        with out.capture() as written:
            out.print(Text.from_markup(page), soft_wrap=True)
        formatter.write(written.get())


def set_pages(group: typer.Typer) -> None:
    """Give such pages to a group and its commands."""
    for command in group.registered_commands:
        command.cls = Command
        command.help = reflowed(command.callback.__doc__ if command.callback else "")
    if group.registered_callback is not None and group.registered_callback.callback is not None:
        group.registered_callback.help = reflowed(group.registered_callback.callback.__doc__)


def reflowed(text: str | None) -> str:
    """A docstring whose prose fills lines of any width; headings and what is indented below them stay as they are."""
    first, *others = inspect.cleandoc(text or "").split("\n\n")
    shown = [each if "\n  " in each else each.replace("\n", " ") for each in others]
    if shown:
        shown[0] = "\n" + shown[0]  # Typer dedents what follows the first paragraph by all its lines but the first
    return "\n\n".join([first.replace("\n", " "), *shown])


FAILED = 1

# Typer brings a copy of click in some versions and imports it in others; this finds its usage errors in both.
(UsageError,) = typer.BadParameter.__bases__


class Kagiya(FirstPage):
    """The group of all commands, where every error passes through."""

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            complain("interrupted")
            raise interruption() from None
        except Exception as error:
            if ctx.params.get("debug") or isinstance(error, typer.Exit | typer.Abort | BrokenPipeError | UsageError):
                raise
            complain(sentence(error))
            raise typer.Exit(FAILED) from None


def interruption() -> typer.Exit:
    """To be raised at the end of a command that was interrupted."""
    return typer.Exit(interruption_code())


def complain(text: str) -> None:
    """One line on stderr."""
    err.print(Text(visible(f"kagiya: {text}")), soft_wrap=True)


def sentence(error: BaseException) -> str:
    """What is wrong; for an error that nobody foresaw, also what kind it is and how to see more."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    more = " (kagiya --debug ... shows the traceback)"
    if is_expected(error):
        return f"{error}{more if error.__cause__ else ''}"
    return f"{type(error).__name__}: {error}{more}"


def is_expected(error: BaseException) -> bool:
    """Whether the error was raised on purpose: one of our own kinds, or the plain ValueError of a check."""
    return type(error) is ValueError or type(error).__module__.split(".")[0] == "kagiya"
