"""`kagiya dev bench`: how fast this machine plays, searches, deals, steps and serves, beside other programs."""

from __future__ import annotations

from typing import Annotated

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.run_options import late_bar, make_ready

Seconds = Annotated[
    float, typer.Option("--seconds", parser=options.parse_seconds, metavar="TIME", help="For each single measurement.")
]
Rounds = Annotated[int, typer.Option("--rounds", help="How often each figure is measured; the median counts.")]

bench = typer.Typer(invoke_without_command=True, rich_markup_mode="rich")


def check_positive(**values: float) -> None:
    """Refuse an option that is 0 or less."""
    for name, value in values.items():
        if value <= 0:
            raise ValueError(f"--{name} must be above 0, not {value}")


@bench.callback()
@options.grouped
def rates(ctx: typer.Context, seconds: Seconds = 0.5, rounds: Rounds = 3, *, output: options.FileOutput) -> None:
    """Rates on one core, and ratios to the Hanabi Learning Environment and OpenSpiel if they are installed.

    Rates move by a fifth or more from run to run on a busy machine; ratios are
    taken in turn within one run and are what counts.

    [bold]Examples[/]
      kagiya dev bench
      kagiya dev bench --seconds 2 --json
    """
    if ctx.invoked_subcommand is not None:
        return
    from kagiya.cli.dev_tables import draw_rates
    from kagiya.dev.bench import measure_rates
    from kagiya.dev.peers import measure_peers

    check_positive(seconds=seconds, rounds=rounds)
    make_ready([kagiya.find_agent(name) for name in ("random", "careful", "careful-python")])
    with late_bar("measuring", None) as advance:
        found = {"peers": measure_peers(seconds, rounds, advance), "rates": measure_rates(seconds, advance)}
    output.present(lambda: found, lambda: draw_rates(found))


@bench.command()
@options.grouped
def agents(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[AGENT]...", autocompletion=options.agent_names, help="Default: all that do not search."
        ),
    ] = None,
    seconds: Seconds = 0.2,
    rounds: Rounds = 3,
    *,
    output: options.FileOutput,
) -> None:
    """Games per second of CPU time on one core, in self-play, for 2 to 5 players.

    [bold]Examples[/]
      kagiya dev bench agents
      kagiya dev bench agents hanabirs-info infobot --seconds 2
    """
    from kagiya.agents.register import prompt_agents
    from kagiya.cli.dev_tables import draw_agent_rates
    from kagiya.dev.bench import COUNTS, measure_agents

    check_positive(seconds=seconds, rounds=rounds)
    chosen = [kagiya.find_agent(text) for text in names or prompt_agents()]
    make_ready(chosen)
    with late_bar("measuring", len(chosen) * len(COUNTS) * rounds) as advance:
        rows = measure_agents(chosen, seconds, rounds, advance)
    output.present(lambda: {"rows": rows}, lambda: [draw_agent_rates(rows)])


@bench.command()
@options.grouped
def search(
    players: Annotated[int, typer.Option("--players", "-p", help="Players at the table.")] = 4,
    games: Annotated[int, typer.Option("--games", "-n", help="Whole games for each rate.")] = 1,
    time: Annotated[
        float, typer.Option("--time", parser=options.parse_seconds, metavar="TIME", help="For each move.")
    ] = 0.04,
    moves: Annotated[int, typer.Option("--moves", help="How many moves are timed one by one.")] = 300,
    *,
    output: options.FileOutput,
) -> None:
    """Iterations per second of the tree searches, beside those of Goodman's program; rollouts; threads; punctuality.

    Rates are of CPU time on one thread, over whole games with the same time for
    each move. The original was measured with 4 players only.

    [bold]Examples[/]
      kagiya dev bench search
      kagiya dev bench search --players 2 --games 5 --time 100ms --json
    """
    from kagiya.cli.dev_tables import draw_search_rates
    from kagiya.dev.bench import measure_searches, settings

    check_positive(games=games, time=time, moves=moves)
    chosen, milliseconds = list(settings()), 1000 * time
    make_ready([kagiya.find_agent(setting.text(milliseconds)) for setting in chosen])
    with late_bar("measuring", len(chosen) + 3) as advance:
        measured = measure_searches(chosen, players, milliseconds, games, moves, advance)
    found = {"players": players, "milliseconds": milliseconds, **measured}
    output.present(lambda: found, lambda: draw_search_rates(found))


@bench.command()
@options.grouped
def envs(seconds: Seconds = 0.5, rounds: Rounds = 3, *, output: options.FileOutput) -> None:
    """Steps per second of kagiya.rl.Batch and the drop-in rl_env, of HLE's rl_env, OpenSpiel and JaxMARL; their ratios.

    Vectors and masks are included, in int8 and 1,024 lanes; CPU time of one core,
    but wall time for two threads. Programs that are not installed are left out.

    [bold]Examples[/]
      kagiya dev bench envs
      kagiya dev bench envs --seconds 2 --rounds 5 --json
      kagiya dev bench envs --json-file results/bench-envs.json
    """
    from kagiya.cli.dev_tables import draw_env_rates
    from kagiya.dev.peers import PARTNER, environments, measure_envs

    check_positive(seconds=seconds, rounds=rounds)
    make_ready([kagiya.find_agent(PARTNER)])
    with late_bar("measuring", len(environments()) * rounds) as advance:
        found = measure_envs(seconds, rounds, advance)
    output.present(lambda: found, lambda: draw_env_rates(found))


@bench.command()
@options.grouped
def web(
    tables: Annotated[int, typer.Option("--tables", help="Tables at once, of one person and two agents.")] = 100,
    seconds: Annotated[
        float,
        typer.Option("--seconds", parser=options.parse_seconds, metavar="TIME", help="Of play, for each measurement."),
    ] = 20.0,
    opened: Annotated[int, typer.Option("--opened", help="Tables to open and leave.")] = 1_000,
    *,
    output: options.FileOutput,
) -> None:
    """How long a move at the web table takes to be answered: at one table, at many, and while two searches think.

    A server in a process of its own, a move every 2 s at each table; also its
    CPU time and memory, the bytes of the first page, and how long its loop is held.

    [bold]Examples[/]
      kagiya dev bench web --tables 20 --seconds 10 --opened 100 --json
    """
    from kagiya.cli.dev_tables import draw_web
    from kagiya.dev.bench_web import AGENTS, STAGES, measure_web

    check_positive(tables=tables, seconds=seconds, opened=opened)
    make_ready([kagiya.find_agent(name) for name in AGENTS])
    with late_bar("measuring", STAGES) as advance:
        report = measure_web(tables, seconds, opened, lambda _: advance(1))
    found = {"seconds": seconds, **report.to_json()}
    output.present(lambda: found, lambda: draw_web(report))
