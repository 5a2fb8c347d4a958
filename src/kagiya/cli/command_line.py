"""All commands in one place. The heavy modules are imported by the commands themselves, so that help comes at once."""

from typing import Annotated

import typer

from kagiya import __version__
from kagiya.cli.commands.agents import agents, check, cite, tactics
from kagiya.cli.commands.bench import bench
from kagiya.cli.commands.contests import crossplay, run, tournament
from kagiya.cli.commands.data import agree, analyse, convert, dataset
from kagiya.cli.commands.figures import figure
from kagiya.cli.commands.maintain import modules, pins, prune, report, restamp, signature, warm
from kagiya.cli.commands.match import compare, league, match
from kagiya.cli.commands.play import play, review
from kagiya.cli.commands.reproduce import reproduce, tables
from kagiya.cli.commands.results import results, sql, store
from kagiya.cli.commands.serve import serve
from kagiya.cli.commands.show import replay, show
from kagiya.cli.commands.train import evolve, goodman, map_elites, train
from kagiya.cli.errors import Group, Kagiya, reflowed, set_pages

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
             convert     game files of other programs
    [bold]More[/]     agree analyse cite evolve store tactics train warm; maintainers: dev
    [bold]Help[/]     kagiya COMMAND --help: its options and examples; before a command:
             --debug, --version, --trust-modules (files may name your agents)
    """
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
dev = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=DEV_HELP)
dev.command()(report)
dev.command()(signature)
dev.command()(restamp)
dev.add_typer(bench, name="bench", cls=Group)
dev.command()(tables)
dev.command()(goodman)
dev.command("map-elites")(map_elites)
dev.command()(prune)
dev.command()(pins)
dev.command()(modules)

for command in (
    *(agents, play, serve, show, replay, review, match, league, check, figure, reproduce),
    *(compare, crossplay, tournament, run, results, dataset, convert),
    *(agree, analyse, cite, evolve, sql, tactics, warm),
):
    app.command()(command)
for name, group in {"store": store, "train": train, "dev": dev}.items():
    app.add_typer(group, name=name, cls=Group, help=reflowed(group.info.help))
for group in (app, bench, dev, store, train):
    set_pages(group)
