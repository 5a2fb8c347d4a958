"""`kagiya match`: many games between some agents, and what they come to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import out
from kagiya.cli.errors import FAILED, INTERRUPTED, complain, sentence
from kagiya.cli.progress import late_bar
from kagiya.cli.running import MEMORY, Cluster, open_store, play_into, say_what_was_done
from kagiya.cli.seating import read_seating

if TYPE_CHECKING:
    from kagiya.lab.match.match import Match, MatchResult

MatchStore = Annotated[
    Path | None,
    typer.Option("--store", help="Keep every game in this file ([bold]default[/]: the user's), and use those there."),
]


def match(
    ctx: typer.Context,
    agents: options.Agents,
    players: options.Players = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Of the first game; the others count up from it.")] = 1,
    rules: options.Rules = "standard",
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Threads. Default: all processors.")] = None,
    store: MatchStore = None,
    cluster: Cluster = None,
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
      kagiya match careful --games 1000000 --store default    resumes what was interrupted
    """
    from kagiya.lab.match.match import Match

    parsed, seated = read_seating(agents, players, rules)
    planned = Match.of(parsed, seated, games, seed)
    if workers is not None and workers < 1:
        raise ValueError(f"the number of workers must be a whole number from 1 on, not {workers}")
    if store is not None or cluster is not None:
        result = play_stored(planned, workers, store, cluster)
    else:
        make_ready(seated)
        result = play(planned, workers)
    present(result, threads(planned, workers), as_json)
    leave(result, is_debug=bool(ctx.find_root().params.get("debug")))


def play(planned: Match, workers: int | None) -> MatchResult:
    """Play with a bar that shows how far it is."""
    from kagiya.lab.match.match import play_match

    with late_bar("playing", planned.games) as advance:
        return play_match(planned, workers, advance)


def play_stored(planned: Match, workers: int | None, path: Path | None, cluster: str | None) -> MatchResult:
    """Play into the store what it does not have yet, and take the result from there."""
    from kagiya.lab.match.match import MatchResult

    with open_store(path or Path(MEMORY)) as store:
        report = play_into(store, [planned], workers, cluster)
        say_what_was_done(report, store)
        results = store.results(report.seatings[0].id, planned.seed, planned.games)
    error = report.errors[0] if report.errors else None
    return MatchResult(planned, results, report.seconds, report.interrupted, error)


def threads(planned: Match, workers: int | None) -> int:
    """How many threads the match runs on: Python seats allow only one."""
    from kagiya.lab.match.match import cores

    return (workers or cores()) if all(agent.is_compiled for agent in planned.agents) else 1


def present(result: MatchResult, workers: int, as_json: bool) -> None:
    """The result on stdout, for a machine or for people."""
    if as_json:
        typer.echo(json.dumps(result.to_json()))
        return
    from kagiya.cli.drawing.results import draw_result

    out.print(draw_result(result, workers))


def leave(result: MatchResult, is_debug: bool) -> None:
    """Say why a match is incomplete, and end the command accordingly."""
    played = f"{len(result.results):,} of {result.match.games:,} games"
    if result.error is not None:
        if is_debug:
            raise result.error
        complain(f"{sentence(result.error)}; the result is of {played}")
        raise typer.Exit(FAILED)
    if result.interrupted:
        complain(f"interrupted; the result is of {played}")
        raise typer.Exit(INTERRUPTED)
