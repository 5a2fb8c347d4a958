"""All commands in one place, their pages of help, and what becomes of their errors.

The heavy modules are imported by the commands themselves, so that help comes at once. Help has prose that fills the
line, examples as written, flags without a type.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from textwrap import indent
from typing import Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from kagiya import __version__
from kagiya.cli.commands import (
    agents,
    bench,
    contests,
    data,
    dev,
    figures,
    match,
    play,
    reproduce,
    results,
    serve,
    show,
    train,
)
from kagiya.cli.console import (
    FAILED,
    ColorChoice,
    choose_color,
    choose_output,
    complain,
    interruption,
    keep_stdout,
    out,
    sentence,
)
from kagiya.cli.options import accept_short_numbers
from kagiya.spec import meant

# Typer brings a copy of click in some versions and imports it in others; this finds its usage errors in both.
UsageError: Any = typer.BadParameter.__bases__[0]

USAGE = 2  # an exit code
HELP = "help"


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
    """A command with such a page, and results that nothing is mixed with."""

    def invoke(self, ctx: Any) -> Any:
        """Run it."""
        keep_stdout()
        return super().invoke(ctx)


class Group(PlainFlags, TyperGroup):
    """A group of commands with such a page; `help COMMAND` is `COMMAND --help`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Set the options that stand before a command."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == [HELP] else args)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that is named, with what it is given."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UsageError(f"there is no command {args[0]!r}{meant(args[0], [*self.commands, HELP])}", ctx=ctx)
        return super().resolve_command(ctx, args)


class Kagiya(Group):
    """The group of all commands: its page lists them by subject on one screen, and every error passes through it."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the docstring; Typer would add a line for every command and option."""
        page = indent(inspect.cleandoc(self.callback.__doc__ or ""), " ")  # as Typer indents the others
        with out.capture() as written:
            out.print(Text.from_markup(page), soft_wrap=True)
        formatter.write(written.get())

    def make_context(self, *words: Any, **more: Any) -> Any:
        """What the options before the command set."""
        try:
            return super().make_context(*words, **more)
        except UsageError as error:
            raise refusal(error) from None

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            raise refusal(error) from None
        except KeyboardInterrupt:
            complain("interrupted")
            raise interruption() from None
        except Exception as error:
            if ctx.params.get("debug") or isinstance(error, typer.Exit | typer.Abort | BrokenPipeError):
                raise
            complain(sentence(error))
            raise typer.Exit(FAILED) from None


def refusal(error: Any) -> Exception:
    """What a command that was typed wrongly ends with, once its fault is named in a line on stderr."""
    if type(error).__name__ == "NoArgsIsHelpError":
        return error  # type: ignore[no-any-return]  # the page of help was shown
    complain(fault(error) + (f" (see {error.ctx.command_path} --help)" if error.ctx else ""))
    return typer.Exit(USAGE)


def fault(error: Any) -> str:
    """What is wrong with the words of a command; Typer's own sentences take our form."""
    kind, parameter = type(error).__name__, getattr(error, "param", None)
    if kind == "NoSuchOption":
        known = [each for option in error.ctx.command.params for each in option.opts]
        return f"there is no option {error.option_name}{meant(error.option_name, known)}"
    if parameter is None:
        text: str = error.format_message().rstrip(".")
        return text[:1].lower() + text[1:]
    name = parameter.opts[0] if parameter.opts[0].startswith("-") else parameter.metavar or parameter.name.upper()
    return f"{name} is missing" if kind == "MissingParameter" else f"{name} {error.message}"


def set_pages(group: typer.Typer) -> None:
    """Give such pages to a group and its commands."""
    for command in group.registered_commands:
        command.cls = Command
        if command.callback is not None:
            accept_short_numbers(command.callback)
        command.help = reflowed(command.callback.__doc__ if command.callback else "")
    if group.registered_callback is not None and group.registered_callback.callback is not None:
        group.registered_callback.help = reflowed(group.registered_callback.callback.__doc__)
        accept_short_numbers(group.registered_callback.callback)


def reflowed(text: str | None) -> str:
    """A docstring whose prose fills lines of any width; headings and what is indented below them stay as they are."""
    first, *others = inspect.cleandoc(text or "").split("\n\n")
    shown = [each if "\n  " in each else each.replace("\n", " ") for each in others]
    if shown:
        shown[0] = "\n" + shown[0]  # Typer dedents what follows the first paragraph by all its lines but the first
    return "\n\n".join([first.replace("\n", " "), *shown])


app = typer.Typer(
    cls=Kagiya,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def print_version(wanted: bool) -> None:
    """Answer --version and stop."""
    if wanted:
        typer.echo(f"kagiya {__version__}")
        raise typer.Exit


def set_color(context: typer.Context, choice: ColorChoice) -> ColorChoice:
    """Answer --color before a page of help is printed; Typer has consoles of its own for those."""
    if choice is not ColorChoice.AUTO:
        from typer import rich_utils

        context.color = choice is ColorChoice.ALWAYS
        rich_utils.FORCE_TERMINAL = choice is ColorChoice.ALWAYS
        rich_utils.COLOR_SYSTEM = "256" if choice is ColorChoice.ALWAYS else None
        choose_color(choice)
    return choice


@app.callback(invoke_without_command=True)
def kagiya(
    context: typer.Context,
    debug: Annotated[
        bool, typer.Option("--debug", envvar="KAGIYA_DEBUG", help="Show the traceback of an error.")
    ] = False,
    trust_modules: Annotated[
        bool,
        typer.Option("--trust-modules", envvar="KAGIYA_TRUST_MODULES", help="Let files name agents of your modules."),
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Results and errors alone.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what is loaded, compiled and opened.")] = False,
    color: Annotated[
        ColorChoice, typer.Option("--color", callback=set_color, is_eager=True, help="auto, always or never.")
    ] = ColorChoice.AUTO,
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Usage: [bold]kagiya[/] COMMAND ...   Hanabi agents, a table, tools that measure them.

    [bold]Play[/]     agents      who can play
             play        sit down with agents: kagiya play careful
             serve       play, review games and browse results in a browser
             show        watch a game: kagiya show careful --as-seen-by bob
             replay      watch a saved game
             review      go through the moves of a saved game that cost points
    [bold]Measure[/]  match       how good is a team? kagiya match careful --games 10000
             league      every agent in self-play, ranked
             check       does your agent keep what every agent promises?
             figure      draw scores, losses and learning curves
             reproduce   what papers printed beside what we measure
    [bold]Compare[/]  compare     which is better, and how sure? kagiya compare vdb iggi
             crossplay   who gets along with whom
             tournament  the mirror and mixed tracks of the CIG competitions
             run         any experiment, from a file
    [bold]Data[/]     results     what the stored games say; sql asks them in SQL
             dataset     games as rows for learners, in Parquet
             convert     game files of other programs; who: which agents play so
    [bold]More[/]     agree analyse cite evolve store tactics train warm; maintainers: dev
    [bold]Help[/]     kagiya COMMAND --help: options, examples. Before a command: --quiet,
             --verbose, --color, --debug, --version, --trust-modules (of files)
    """
    choose_output(quiet, verbose)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
    if trust_modules:
        from kagiya.agents.register import trust_modules_in_files

        trust_modules_in_files()


DEV_HELP = """For maintainers of Kagiya: what proves, measures and documents it. Run in the project's folder.

[bold]Examples[/]
  kagiya dev signature --check    do all agents make the moves written down?
  kagiya dev report --check       do the documents show what was measured?
  kagiya dev bench agents         how fast is every agent?
"""
COMMANDS: tuple[Callable[..., None], ...] = (
    *(agents.agents, play.play, serve.serve, show.show, show.replay, play.review, match.match, match.league),
    *(agents.check, figures.figure, reproduce.reproduce, match.compare, contests.crossplay, contests.tournament),
    *(contests.run, results.results, data.dataset, data.convert, data.agree, data.analyse, data.who),
    *(agents.cite, train.evolve, results.sql, agents.tactics, dev.warm),
)
DEV_COMMANDS: tuple[Callable[..., None], ...] = (
    *(dev.report, dev.signature, dev.restamp, reproduce.tables, train.goodman, train.map_elites),
    *(dev.prune, dev.pins, dev.modules),
)
maintenance = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=DEV_HELP)
maintenance.add_typer(bench.bench, name="bench", cls=Group)
for command in COMMANDS:
    app.command()(command)
for command in DEV_COMMANDS:
    maintenance.command()(command)
for name, group in {"store": results.store, "train": train.train, "dev": maintenance}.items():
    app.add_typer(group, name=name, cls=Group, help=reflowed(group.info.help))
for group in (app, bench.bench, maintenance, results.store, train.train):
    set_pages(group)
