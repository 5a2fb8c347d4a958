"""How pages of help look: prose that fills the line, examples as they are written, flags without a type."""

from __future__ import annotations

import inspect
from textwrap import indent
from typing import Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from kagiya.cli.console import out


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
