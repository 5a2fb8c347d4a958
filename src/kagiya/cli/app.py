"""All commands in one place. The heavy modules are imported by the commands themselves, so that help comes at once."""

from typing import Annotated

import typer

from kagiya import __version__
from kagiya.cli.commands.agents import agents
from kagiya.cli.commands.analyse import agree, analyse
from kagiya.cli.commands.bench import bench
from kagiya.cli.commands.bench_agents import bench_agents
from kagiya.cli.commands.bench_deals import bench_deals
from kagiya.cli.commands.bench_envs import bench_envs
from kagiya.cli.commands.bench_search import bench_search
from kagiya.cli.commands.bench_web import bench_web
from kagiya.cli.commands.check import check
from kagiya.cli.commands.cite import cite
from kagiya.cli.commands.compare import compare
from kagiya.cli.commands.convert import convert
from kagiya.cli.commands.crossplay import crossplay, run
from kagiya.cli.commands.dataset import dataset
from kagiya.cli.commands.evolve import evolve, evolve_map
from kagiya.cli.commands.figures import figure
from kagiya.cli.commands.league import league
from kagiya.cli.commands.match import match
from kagiya.cli.commands.play import play
from kagiya.cli.commands.report import report
from kagiya.cli.commands.reproduce import reproduce
from kagiya.cli.commands.results import results, sql
from kagiya.cli.commands.review import review
from kagiya.cli.commands.serve import serve
from kagiya.cli.commands.show import replay, show
from kagiya.cli.commands.signature import signature
from kagiya.cli.commands.store import store
from kagiya.cli.commands.tactics import tactics
from kagiya.cli.commands.tournament import tournament
from kagiya.cli.commands.train import train
from kagiya.cli.commands.warm import warm
from kagiya.cli.errors import Kagiya
from kagiya.cli.help_pages import Group, reflowed, set_pages

app = typer.Typer(
    cls=Kagiya,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["--help", "-h"]},
)


def print_version(wanted: bool) -> None:
    """Answer --version and stop."""
    if wanted:
        typer.echo(f"kagiya {__version__}")
        raise typer.Exit


@app.callback()
def kagiya(
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
    """A workshop for Hanabi players: agents, a table to play at, and tools that measure how good they are.

    [bold]Start here[/]
      kagiya agents                         who can play
      kagiya play careful                   sit down with two of them
      kagiya show careful --eyes bob        watch a game
      kagiya match careful --games 10000    how good are they?
      kagiya compare vdb iggi               which is better, and how sure is that?
      kagiya league                         who is the best?
    """
    if trust_modules:
        from kagiya.agents.register import trust_modules_in_files

        trust_modules_in_files()


# `kagiya bench` alone measures the table; its commands measure the rest.
benches = typer.Typer(invoke_without_command=True, rich_markup_mode="rich")
benches.callback()(bench)
benches.command("agents")(bench_agents)
benches.command("search")(bench_search)
benches.command("deals")(bench_deals)
benches.command("envs")(bench_envs)
benches.command("web")(bench_web)

# `kagiya evolve` alone breeds lists; its command maps their styles.
evolving = typer.Typer(invoke_without_command=True, rich_markup_mode="rich")
evolving.callback()(evolve)
evolving.command("map")(evolve_map)

# In the order of the help page.
app.command()(agents)
app.command()(tactics)
app.command()(play)
app.command()(serve)
app.command()(show)
app.command()(replay)
app.command()(review)
app.command()(convert)
app.command()(analyse)
app.command()(agree)
app.command()(check)
app.command()(match)
app.command()(compare)
app.command()(league)
app.command()(figure)
app.command()(crossplay)
app.command()(tournament)
app.add_typer(evolving, name="evolve", cls=Group)
app.command()(run)
app.command()(dataset)
app.command()(results)
app.command()(sql)
app.add_typer(store, name="store", cls=Group, help=reflowed(store.info.help))
app.add_typer(train, name="train", cls=Group, help=reflowed(train.info.help))
app.command()(reproduce)
app.add_typer(benches, name="bench", cls=Group)
app.command()(warm)
app.command()(cite)
app.command()(report)
app.command()(signature)

for each in (app, benches, evolving, store, train):
    set_pages(each)
