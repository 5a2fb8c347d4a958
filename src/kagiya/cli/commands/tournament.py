"""`kagiya tournament`: the mirror and the mixed track of the CIG competitions, with a clock and a ranking."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kagiya.cli import options
from kagiya.cli.commands.league import JsonFile, player_counts
from kagiya.cli.completion import agent_names
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
    from kagiya.lab.table.clock import Clock

Track = Annotated[str, typer.Option("--track", help="[bold]mirror[/], [bold]mixed[/] or [bold]both[/].")]
Pool = Annotated[
    list[str] | None,
    typer.Option(
        "--pool",
        autocompletion=agent_names,
        help="A partner in the mixed track; may be given often. Default: the other entrants.",
    ),
]
Time = Annotated[
    float | None, typer.Option("--time", help="Seconds for a move of a search or a Python agent, e.g. 0.04.")
]
WhenLate = Annotated[
    str | None,
    typer.Option(
        "--late",
        help="A later move counts all the same ([bold]warn[/], the default), is replaced ([bold]random[/]) or loses "
        "the game ([bold]forfeit[/]).",
    ),
]
Teams = Annotated[
    int | None,
    typer.Option("--teams", help="Teams drawn from the pool for the mixed track, instead of copies of each partner."),
]
Cig = Annotated[
    bool,
    typer.Option(
        "--cig",
        help="The protocol of the CIG 2018 competition: 40 ms a move, and teams drawn from the framework's rule agents "
        "and the entrants.",
    ),
]


def tournament(
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT", autocompletion=agent_names, help="The entrants.", show_default=False)
    ],
    track: Track = "both",
    pool: Pool = None,
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "2,3,4,5",
    games: Annotated[
        int, typer.Option("--games", "-n", help="For each entrant, number of players and partner.")
    ] = 1000,
    seed: options.Seed = 1,
    rules: options.Rules = "goodman",
    deals: options.Deals = "own",
    time: Time = None,
    late: WhenLate = None,
    teams: Teams = None,
    cig: Cig = False,
    store: StoreFile = None,
    workers: WorkerCount = None,
    cluster: Cluster = None,
    json_file: JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """A tournament: with copies of oneself (mirror), and alone among copies of each partner (mixed).

    Ranked by the mean over the numbers of players, with 95 % intervals. A clock
    counts late moves of searches and Python agents, in seconds of wall-clock
    time, so give it no more workers than there are idle cores. Every game is
    stored, and the same command again computes only what is missing.

    [bold]Examples[/]
      kagiya tournament careful random
      kagiya tournament mymodule:MyAgent careful --time 0.04 --late random
      kagiya tournament "ris-mcts(time=30ms)" vdb --cig
      kagiya tournament careful --track mixed --pool random --pool vdb
    """
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    protocol = Protocol(track, pool, time, late, teams, cig, deals)
    planned = plan(agents, player_counts(players), games, seed, rules, protocol)
    report, tracks = play(planned, Means(workers, cluster, store))
    listed = {name: [placing.to_json() for placing in placings] for name, placings in tracks.items()}
    clock = None if planned.clock is None else planned.clock.text()
    data = {"made": provenance(command_line()), "rules": rules, "games": games, "clock": clock, "tracks": listed}
    data["deals"] = deals
    if json_file is not None:
        write_result(json_file, data)
    if as_json:
        typer.echo(json.dumps(data))
    else:
        from kagiya.cli.drawing.page import print_page
        from kagiya.cli.drawing.tournament import draw_ranking

        print_page([draw_ranking(name, placings, rules) for name, placings in tracks.items() if placings], shown)
    leave(report)


class Protocol(NamedTuple):
    """How it is played, in the words of the command; None for what was not given."""

    track: str = "both"
    pool: list[str] | None = None
    time: float | None = None
    late: str | None = None
    teams: int | None = None
    cig: bool = False
    deals: str = "own"

    def tracks(self) -> tuple[str, ...]:
        """The tracks asked for."""
        from kagiya.lab.contests.tournament import TRACKS
        from kagiya.spec import near

        if self.track not in (*TRACKS, "both"):
            raise ValueError(f"no track is called {self.track!r}; {near(self.track, (*TRACKS, 'both'))}")
        return TRACKS if self.track == "both" else (self.track,)

    def clock(self) -> Clock | None:
        """The clock asked for, if any; with --cig that of the competition, but for what was given."""
        from kagiya.lab.contests.tournament import CIG_CLOCK
        from kagiya.lab.table.clock import Clock, Late
        from kagiya.spec import near

        if self.late is not None and self.late not in list(Late):
            raise ValueError(f"--late {self.late} is not known; {near(self.late, list(Late))}")
        seconds = CIG_CLOCK.seconds if self.cig and self.time is None else self.time
        usual = CIG_CLOCK.late if self.cig else Late.WARN
        return None if seconds is None else Clock(seconds, Late(self.late) if self.late else usual)

    def team_count(self) -> int:
        """Teams of the mixed track, 0 for copies of each partner."""
        from kagiya.lab.contests.tournament import CIG_TEAMS

        if self.teams is not None and self.teams < 1:
            raise ValueError(f"--teams must be at least 1, not {self.teams}")
        return self.teams or (CIG_TEAMS if self.cig else 0)


def plan(
    agents: list[str], players: Sequence[int], games: int, seed: int, rules: str, protocol: Protocol
) -> Tournament:
    """The tournament that the words of the command mean, checked."""
    from kagiya.agents.register import find_agent
    from kagiya.lab.contests.tournament import CIG_POOL, Tournament

    tracks, clock, teams = protocol.tracks(), protocol.clock(), protocol.team_count()
    entrants = tuple(find_agent(text) for text in dict.fromkeys(agents))
    partners = dict.fromkeys([*CIG_POOL, *agents]) if protocol.cig else dict.fromkeys(agents)
    pool = tuple(find_agent(text) for text in protocol.pool or partners)
    return Tournament(entrants, pool, tracks, tuple(players), rules, games, seed, clock, teams, protocol.deals)


def play(planned: Tournament, means: Means) -> tuple[RunReport, dict[str, list[Placing]]]:
    """Play it into the store; the ranking of each track."""
    from kagiya.lab.contests.crossplay import tally_cells
    from kagiya.lab.contests.tournament import late_moves, ranking

    matches = planned.plan()
    if not matches:
        raise ValueError(
            "nothing to play: a mixed track needs partners, and agents that can play with this number of players"
        )
    with open_store(means.store) as store:
        report = play_into(store, [match.match for match in matches], means)
        say_what_was_done(report, store)
        cells, late = tally_cells(store, report, matches), late_moves(store, report.run, matches)
    return report, {track: ranking(track, cells, late) for track in planned.tracks}
