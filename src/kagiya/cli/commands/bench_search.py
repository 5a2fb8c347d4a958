"""`kagiya bench search`: how fast searches think, and whether they keep to their time."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile
from kagiya.cli.compiling import make_ready
from kagiya.cli.progress import late_bar

if TYPE_CHECKING:
    from kagiya.lab.bench.search_rates import SearchSetting

THREAD_GAMES, THREADED = 8, "ris-mcts(rules=goodman, iterations=200)"


def bench_search(
    players: Annotated[int, typer.Option("--players", "-p", help="Players at the table.")] = 4,
    games: Annotated[int, typer.Option("--games", "-n", help="Whole games for each rate.")] = 1,
    time: Annotated[float, typer.Option("--time", help="Milliseconds for each move.")] = 40.0,
    moves: Annotated[int, typer.Option("--moves", help="How many moves are timed one by one.")] = 300,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Iterations per second of the tree searches, beside those of Goodman's program; rollouts; threads; punctuality.

    Rates are of CPU time on one thread, over whole games with the same time for
    each move. The original was measured with 4 players only.

    [bold]Examples[/]
      kagiya bench search
      kagiya bench search --players 2 --games 5 --time 100 --json
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.bench.search_rates import settings
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    if min(games, time, moves) <= 0:
        raise ValueError("--games, --time and --moves must be above 0")
    chosen = list(settings())
    agents = [find_agent(setting.text(time)) for setting in chosen]
    make_ready(agents)
    with late_bar("measuring", len(chosen) + 3) as advance:
        data: dict[str, Any] = {
            "made": provenance(command_line()),
            "players": players,
            "milliseconds": time,
            **measure(chosen, (players, time, games), moves, advance),
        }
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.bench import draw_search_rates
        from kagiya.cli.drawing.page import print_page

        print_page(draw_search_rates(data), shown)


def measure(
    chosen: list[SearchSetting], terms: tuple[int, float, int], moves: int, advance: Callable[[int], None]
) -> dict[str, Any]:
    """Everything, as plain data."""
    from kagiya.lab.bench.rates import thread_gain
    from kagiya.lab.bench.search_rates import SOURCE, iteration_rate, rollout_rate, time_overrun

    rows = []
    players, milliseconds, games = terms
    for setting in chosen:
        rate = iteration_rate(setting, players, milliseconds, games)
        original, opening = setting.original(players), setting.original_opening(players)
        rows.append(
            {
                **asdict(setting),
                "iterations_per_second": rate.games,
                "original": list(original),
                "ratio": rate.games / max(original) if original else None,
                "opening": rate.opening,
                "original_opening": opening,
                "opening_ratio": rate.opening / opening if opening else None,
            }
        )
        advance(1)
    exact = asdict(rollout_rate(milliseconds, games))
    advance(1)
    gain = thread_gain(THREADED, THREAD_GAMES)
    advance(1)
    late, calm = time_overrun(milliseconds, moves)
    overrun = {"overrun": asdict(late), "undisturbed_overrun": None if calm is None else asdict(calm)}
    return {"rows": rows, "source": SOURCE, "exact": exact, "two_threads": gain, **overrun}
