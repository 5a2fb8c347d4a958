"""`kagiya tournament`: the mirror and the mixed track of the CIG competitions, with a clock and a ranking."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile, player_counts
from kagiya.cli.console import out
from kagiya.cli.running import (
    Cluster,
    Means,
    StoreFile,
    WorkerCount,
    leave,
    open_store,
    play_into,
    say_what_was_done,
)

if TYPE_CHECKING:
    from kagiya.lab.contests.tournament import Placing, Tournament
    from kagiya.lab.store.recording import RunReport

Track = Annotated[str, typer.Option("--track", help="[bold]mirror[/], [bold]mixed[/] or [bold]both[/].")]
Pool = Annotated[
    list[str] | None,
    typer.Option("--pool", help="A partner in the mixed track; may be given often. Default: the other entrants."),
]
Time = Annotated[float | None, typer.Option("--time", help="Seconds for a move of a Python agent, e.g. 0.04.")]
WhenLate = Annotated[
    str,
    typer.Option(
        "--late",
        help="A later move counts all the same ([bold]warn[/]), is replaced ([bold]random[/]) or loses the game "
        "([bold]forfeit[/]).",
    ),
]


def tournament(
    agents: Annotated[list[str], typer.Argument(metavar="AGENT", help="The entrants.", show_default=False)],
    track: Track = "both",
    pool: Pool = None,
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "2,3,4,5",
    games: Annotated[
        int, typer.Option("--games", "-n", help="For each entrant, number of players and partner.")
    ] = 1000,
    seed: options.Seed = 1,
    rules: options.Rules = "goodman",
    time: Time = None,
    late: WhenLate = "warn",
    store: StoreFile = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    as_json: options.Json = False,
) -> None:
    """A tournament: with copies of oneself (mirror), and alone among copies of each partner (mixed).

    Ranked by the mean over the numbers of players, with 95 % intervals. A clock
    counts late moves of Python agents; compiled agents are not timed. Every
    game is stored, and the same command again computes only what is missing.

    [bold]Examples[/]
      kagiya tournament careful random
      kagiya tournament mymodule:MyAgent careful --track mixed --time 0.04 --late random
      kagiya tournament careful --track mixed --pool random --pool "rules(play-safe, discard-oldest)"
    """
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    planned = plan(agents, track, pool, players, games, seed, rules, time, late)
    report, tracks = play(planned, Means(workers, cluster, store))
    shown = {name: [placing.to_json() for placing in placings] for name, placings in tracks.items()}
    clock = None if planned.clock is None else planned.clock.text()
    data = {"made": provenance(command_line()), "rules": rules, "games": games, "clock": clock, "tracks": shown}
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.tournament import draw_ranking

        for name, placings in tracks.items():
            if placings:
                out.print(draw_ranking(name, placings, rules))
    leave(report)


def plan(
    agents: list[str],
    track: str,
    pool: list[str] | None,
    players: str,
    games: int,
    seed: int,
    rules: str,
    time: float | None,
    late: str,
) -> Tournament:
    """The tournament that the words of the command mean, checked."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.contests.tournament import TRACKS, Tournament
    from kagiya.lab.table.clock import Clock, Late
    from kagiya.spec import near

    if track not in (*TRACKS, "both"):
        raise ValueError(f"no track is called {track!r}; {near(track, (*TRACKS, 'both'))}")
    if late not in list(Late):
        raise ValueError(f"--late {late} is not known; {near(late, list(Late))}")
    entrants = tuple(find_agent(text) for text in dict.fromkeys(agents))
    partners = tuple(find_agent(text) for text in pool) if pool else entrants
    clock = None if time is None else Clock(time, Late(late))
    tracks = TRACKS if track == "both" else (track,)
    return Tournament(entrants, partners, tracks, tuple(player_counts(players)), rules, games, seed, clock)


def play(planned: Tournament, means: Means) -> tuple[RunReport, dict[str, list[Placing]]]:
    """Play it into the store; the ranking of each track."""
    from kagiya.lab.contests.crossplay import tally_cells
    from kagiya.lab.contests.tournament import late_moves, ranking

    matches = planned.plan()
    if not matches:
        raise ValueError("nothing to play: a mixed track needs partners, and agents that play with so many")
    with open_store(means.store) as store:
        report = play_into(store, [match.match for match in matches], means)
        say_what_was_done(report, store)
        cells, late = tally_cells(store, report, matches), late_moves(store, report.run, matches)
    return report, {track: ranking(track, cells, late) for track in planned.tracks}
