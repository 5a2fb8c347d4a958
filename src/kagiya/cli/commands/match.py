"""`kagiya match`: many games between some agents, and what they come to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.errors import FAILED, complain, interruption, sentence
from kagiya.cli.running import Cluster, Means, OptionalStore, WorkerCount, open_runner
from kagiya.cli.seating import read_seating

if TYPE_CHECKING:
    from kagiya.lab.match.match import Match
    from kagiya.lab.match.match_result import MatchResult


def match(
    ctx: typer.Context,
    agents: options.Agents,
    players: options.Players = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first game; the others count up from it.")] = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    workers: WorkerCount = None,
    store: OptionalStore = None,
    cluster: Cluster = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Play many games and say how good they were: mean, spread, perfect games, bombs, histogram.

    One agent plays with itself; several take one seat each. The same seeds
    give the same games for any number of workers. Ctrl-C keeps what was played.

    [bold]Examples[/]
      kagiya match careful --games 10000
      kagiya match careful --players 5 --rules goodman
      kagiya match careful random careful
      kagiya match mymodule:MyAgent --json
      kagiya match careful --games 1000000 --store default    can be resumed
      kagiya match smartbot --deals live                      decks of hanab.live
    """
    from kagiya.lab.match.match import Match

    parsed, seated = read_seating(agents, players, rules)
    planned = Match.of(parsed, seated, games, seed, deals=deals)
    means = Means(workers, cluster, store)
    means.make_ready(seated)
    result = play(planned, means)
    present(result, threads(planned, workers), shown, as_json)
    leave(result, is_debug=bool(ctx.find_root().params.get("debug")))


def play(planned: Match, means: Means) -> MatchResult:
    """Play with a bar that shows how far it is; the games are counted, not kept."""
    from kagiya.lab.match.match_result import CountGames, MatchResult
    from kagiya.lab.statistics.regret import Totals

    sink = CountGames()
    with open_runner(means, planned.games) as runner:
        outcome = runner.play([planned], sink)
    totals = sink.totals.get(0, Totals())
    worst = tuple(sink.worst.get(0, ()))
    return MatchResult(planned, totals, outcome.seconds, outcome.interrupted, outcome.error, worst)


def threads(planned: Match, workers: int | None) -> int:
    """How many threads the match runs on: Python seats allow only one."""
    from kagiya.runtime.workers import cores

    return (workers or cores()) if planned.is_compiled else 1


def present(result: MatchResult, workers: int, shown: options.Shown, as_json: bool) -> None:
    """The result on stdout, for a machine; or for people, if there is one."""
    if as_json:
        typer.echo(json.dumps(result.to_json()))
        return
    from kagiya.cli.drawing.page import print_page
    from kagiya.cli.drawing.results import draw_result

    if result.games:
        print_page(draw_result(result, workers), shown)


def leave(result: MatchResult, is_debug: bool) -> None:
    """Say why a match is incomplete, and end the command accordingly."""
    played = f"; the result is of {result.games:,} of {result.match.games:,} games" if result.games else ""
    if result.error is not None:
        if is_debug:
            raise result.error
        complain(f"{sentence(result.error)}{played}")
        raise typer.Exit(FAILED)
    if result.interrupted:
        complain(f"interrupted{played or '; no game was finished'}")
        raise interruption()
