"""Errors as people see them: one line on stderr, and a traceback only when asked for."""

from typing import Any

import typer
from rich.text import Text

from kagiya.cli.console import err, visible
from kagiya.cli.help_pages import FirstPage
from kagiya.runtime.interrupts import interruption_code

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
