"""`kagiya bench`: how fast this machine plays, and how many times faster than other programs."""

from __future__ import annotations

import json
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.lab.bench.rates import Rate

COUNTS = (2, 3, 4, 5)


def bench(
    ctx: typer.Context,
    seconds: Annotated[float, typer.Option("--seconds", help="For each single measurement.")] = 0.5,
    rounds: Annotated[int, typer.Option("--rounds", help="How often each ratio is measured; the median counts.")] = 3,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Rates on one core, and ratios to the Hanabi Learning Environment and OpenSpiel if they are installed.

    Rates move by a fifth or more from run to run on a busy machine; ratios are
    taken in turn within one run and are what counts.

    [bold]Examples[/]
      kagiya bench
      kagiya bench --seconds 2 --json
      kagiya bench agents                  how fast every agent plays
      kagiya bench search                  how fast searches think
      kagiya bench deals                   how even the deals of hidden cards are
      kagiya bench envs                    how fast environments for learners step
    """
    if ctx.invoked_subcommand is not None:
        return
    from kagiya.agents.register import find_agent
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    if seconds <= 0 or rounds < 1:
        raise ValueError("--seconds and --rounds must be above 0")
    make_ready([find_agent(name) for name in ("random", "careful", "careful-python")])
    with late_bar("measuring", None) as advance:
        data: dict[str, Any] = {
            "made": provenance(command_line()),
            "peers": measure_peers(seconds, rounds, advance),
            "rates": measure_rates(seconds, advance),
        }
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.bench import draw_rates
        from kagiya.cli.drawing.page import print_page

        print_page(draw_rates(data), shown)


def measure_peers(seconds: float, rounds: int, advance: Callable[[int], None]) -> list[dict[str, Any]]:
    """For each program installed here the ratio of our random games per second to its."""
    from kagiya.interop.peers import peer_programs
    from kagiya.lab.bench.rates import agent_rate

    programs = peer_programs()
    ratios: dict[str, dict[str, list[float]]] = {name: {str(c): [] for c in COUNTS} for name in programs}
    for _ in range(rounds):
        for count in COUNTS:
            ours = agent_rate("random", count, seconds)
            for name, play in programs.items():
                theirs = play(count, seconds)
                ratios[name][str(count)].append(ours.games / theirs.games)
                advance(1)
    return [{"name": name, "ratios": {c: median(found) for c, found in by.items()}} for name, by in ratios.items()]


def measure_rates(seconds: float, advance: Callable[[int], None]) -> list[dict[str, Any]]:
    """Our own rates, as rows with a number for machines and words for people."""
    from kagiya.lab.bench import rates as measure

    rows: list[dict[str, Any]] = []

    def add(what: str, value: float, shown: str) -> None:
        rows.append({"what": what, "value": value, "shown": shown})
        advance(1)

    def best(name: str, players: int) -> Rate:
        return max((measure.agent_rate(name, players, seconds) for _ in range(3)), key=lambda rate: rate.moves)

    random_rate = best("random", 3)
    add("random legal play, moves per second", random_rate.moves, f"{random_rate.moves / 1e6:.1f} million")
    add("random legal play, 3 players, games per second", random_rate.games, f"{random_rate.games:,.0f}")
    for name in ("careful", "careful-python"):
        rate = best(name, 3)
        add(f"`{name}`, 3 players, games per second", rate.games, f"{rate.games:,.0f}")
    move = 1 / random_rate.moves
    for exact, what in ((False, "slot by slot"), (True, "the hand as a whole, exact")):
        view = measure.view_seconds(3, exact)
        words = f"{view * 1e9:,.0f} ns, {view / move:.2f} of a random move"
        add(f"all chances of one's own hand, {what}", view, words)
    gain = measure.thread_gain("careful", 200_000)
    add("two threads instead of one, wall time", gain, f"{gain:.2f} times faster")
    imported = measure.import_seconds()
    add("`import kagiya`", imported, f"{imported * 1000:.0f} ms")
    engine = measure.engine_import_seconds()
    add("the same with everything a match needs, numba included", engine, f"{engine * 1000:.0f} ms")
    return rows
