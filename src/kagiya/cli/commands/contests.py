"""`kagiya crossplay`, `tournament` and `run`: agents that meet each other, all games of which are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.commands.match import player_counts
from kagiya.cli.run_options import RunOptions, StoredRunOptions, leave, open_store, play_into, say_what_was_done

if TYPE_CHECKING:
    from kagiya.lab.experiment import Experiment, PlannedMatch
    from kagiya.lab.store.queries import GameTally
    from kagiya.lab.store.recording import RunReport
    from kagiya.lab.store.store import Store
    from kagiya.lab.table.timed_table import Clock
    from kagiya.lab.tournament import Cell, Placing, Tournament

Track = Annotated[str, typer.Option("--track", help="[bold]mirror[/], [bold]mixed[/] or [bold]both[/].")]
Pool = Annotated[
    list[str] | None,
    typer.Option(
        "--pool",
        autocompletion=options.agent_names,
        help="A partner in the mixed track; may be given often. Default: the other entrants.",
    ),
]
Time = Annotated[
    float | None,
    typer.Option(
        "--time",
        parser=options.parse_seconds,
        metavar="TIME",
        help="For a move of a search or a Python agent: 40ms, 2s, 0.04.",
    ),
]
OnTimeout = Annotated[
    str | None,
    typer.Option(
        "--on-timeout",
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


@options.grouped
def crossplay(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT", autocompletion=options.agent_names, help="Who meets whom.", show_default=False),
    ],
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "3",
    games: Annotated[int, typer.Option("--games", "-n", help="For each pair, all seats together.")] = 1000,
    seed: options.Seed = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    *,
    means: StoredRunOptions,
    output: options.FileOutput,
) -> None:
    """One of each agent (row) with copies of each other one (column): who gets along with whom.

    The guest takes every seat for an equal share of the games, and all pairs
    play the same decks. Every game is stored; the same command again, after
    Ctrl-C or a crash, computes only what is missing.

    [bold]Examples[/]
      kagiya crossplay careful random
      kagiya crossplay careful random "rules(play-safe)" -p 2,5 --games 10000
      kagiya crossplay careful random --cluster tcp://127.0.0.1:8786 --json
    """
    from kagiya.cli.contest_tables import draw_crossplay
    from kagiya.lab.experiment import Experiment
    from kagiya.lab.tournament import crossplay as matrices

    counts = tuple(player_counts(players))
    experiment = Experiment(tuple(agents), "one-of", (rules,), counts, games, seed, deals=deals)
    report, cells = play(experiment, means)
    tables = matrices(cells)
    found = {"seed": seed, "tables": [table.to_json() for table in tables]}
    output.present(lambda: found, lambda: [draw_crossplay(table) for table in tables])
    leave(report)


@options.grouped
def run(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An experiment in TOML.", show_default=False)],
    *,
    means: StoredRunOptions,
    output: options.FileOutput,
) -> None:
    """Run an experiment from a file, for a minute or a weekend; stop it at will, run it again to go on.

    The file lists the agents and any settings that differ from the defaults:

      agents = ["careful", "random"]
      seatings = "self"   # or one-of, round-robin, all, random (with teams = 10)
      rules = "standard"  # or a list, like players
      players = [2, 3]
      games = 1000        # for each team
      seed = 1
      deals = "own"       # or live: the decks that hanab.live deals by its seeds

    An agent may hold {budget}, for each of budgets = [100, 1000]; time = 0.04
    and on_timeout = "warn", "random" or "forfeit" put searches and Python agents on the clock.

    [bold]Examples[/]
      kagiya run experiment.toml
      kagiya run experiment.toml --store here --json
    """
    from kagiya.cli.contest_tables import draw_teams
    from kagiya.cli.text_table import rules_lines
    from kagiya.lab.experiment import read_experiment
    from kagiya.lab.tournament import team_of

    report, cells = play(read_experiment(file), means)
    rows = [
        {"rules": rules, "players": players, "agents": list(cell), "team": team_of(cell, players), **tally.to_json()}
        for (rules, players, cell), tally in cells.items()
    ]
    done = {"run": report.run, "computed": report.computed, "stored_before": report.stored_before}
    found = {**done, "interrupted": report.interrupted, "rows": rows}
    output.present(
        lambda: found, lambda: [draw_teams(cells), *rules_lines(rules for rules, _, _ in cells)] if cells else []
    )
    leave(report)


def play(experiment: Experiment, means: RunOptions) -> tuple[RunReport, dict[Cell, GameTally]]:
    """Play an experiment into the store and count what it has of it."""
    from kagiya.lab.tournament import tally_cells

    planned = experiment.plan()
    with stored(planned, means) as (store, report):
        return report, tally_cells(store, report, planned)


@contextmanager
def stored(planned: Sequence[PlannedMatch], means: RunOptions) -> Iterator[tuple[Store, RunReport]]:
    """Play what the store does not have of these matches, and say so; the store, and what was done."""
    with open_store(means.store) as store:
        report = play_into(store, [each.match for each in planned], means)
        say_what_was_done(report, store)
        yield store, report


@options.grouped
def tournament(
    agents: Annotated[
        list[str],
        typer.Argument(metavar="AGENT", autocompletion=options.agent_names, help="The entrants.", show_default=False),
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
    on_timeout: OnTimeout = None,
    teams: Teams = None,
    cig: Cig = False,
    *,
    means: StoredRunOptions,
    output: options.FileOutput,
) -> None:
    """A tournament: with copies of oneself (mirror), and alone among copies of each partner (mixed).

    Ranked by the mean over the numbers of players, with 95 % intervals. A clock
    counts late moves of searches and Python agents, in seconds of wall-clock
    time, so give it no more workers than there are idle cores. Every game is
    stored, and the same command again computes only what is missing.

    [bold]Examples[/]
      kagiya tournament careful random
      kagiya tournament mymodule:MyAgent careful --time 40ms --on-timeout random
      kagiya tournament "ris-mcts(time=30ms)" vdb --cig
      kagiya tournament careful --track mixed --pool random --pool vdb
    """
    from kagiya.cli.contest_tables import draw_ranking

    protocol = Protocol(track, pool, time, on_timeout, teams, cig, deals)
    planned = plan(agents, player_counts(players), games, seed, rules, protocol)
    report, tracks = play_tournament(planned, means)
    listed = {name: [placing.to_json() for placing in placings] for name, placings in tracks.items()}
    clock = None if planned.clock is None else planned.clock.text()
    found = {"rules": rules, "games": games, "clock": clock, "tracks": listed, "deals": deals}
    output.present(
        lambda: found, lambda: [draw_ranking(name, placings, rules) for name, placings in tracks.items() if placings]
    )
    leave(report)


class Protocol(NamedTuple):
    """How it is played, in the words of the command; None for what was not given."""

    track: str = "both"
    pool: list[str] | None = None
    time: float | None = None
    on_timeout: str | None = None
    teams: int | None = None
    cig: bool = False
    deals: str = "own"

    def tracks(self) -> tuple[str, ...]:
        """The tracks asked for."""
        from kagiya.lab.tournament import TRACKS
        from kagiya.spec import near

        if self.track not in (*TRACKS, "both"):
            raise ValueError(f"no track is called {self.track!r}; {near(self.track, (*TRACKS, 'both'))}")
        return TRACKS if self.track == "both" else (self.track,)

    def clock(self) -> Clock | None:
        """The clock asked for, if any; with --cig that of the competition, but for what was given."""
        from kagiya.lab.table.timed_table import Clock, Late
        from kagiya.lab.tournament import CIG_CLOCK
        from kagiya.spec import near

        if self.on_timeout is not None and self.on_timeout not in list(Late):
            raise ValueError(f"--on-timeout {self.on_timeout} is not known; {near(self.on_timeout, list(Late))}")
        seconds = CIG_CLOCK.seconds if self.cig and self.time is None else self.time
        usual = CIG_CLOCK.late if self.cig else Late.WARN
        return None if seconds is None else Clock(seconds, Late(self.on_timeout) if self.on_timeout else usual)

    def team_count(self) -> int:
        """Teams of the mixed track, 0 for copies of each partner."""
        from kagiya.lab.tournament import CIG_TEAMS

        if self.teams is not None and self.teams < 1:
            raise ValueError(f"--teams must be at least 1, not {self.teams}")
        return self.teams or (CIG_TEAMS if self.cig else 0)


def plan(
    agents: list[str], players: Sequence[int], games: int, seed: int, rules: str, protocol: Protocol
) -> Tournament:
    """The tournament that the words of the command mean, checked."""
    from kagiya.lab.tournament import CIG_POOL, Tournament

    tracks, clock, teams = protocol.tracks(), protocol.clock(), protocol.team_count()
    entrants = tuple(kagiya.find_agent(text) for text in dict.fromkeys(agents))
    partners = dict.fromkeys([*CIG_POOL, *agents]) if protocol.cig else dict.fromkeys(agents)
    pool = tuple(kagiya.find_agent(text) for text in protocol.pool or partners)
    return Tournament(entrants, pool, tracks, tuple(players), rules, games, seed, clock, teams, protocol.deals)


def play_tournament(planned: Tournament, means: RunOptions) -> tuple[RunReport, dict[str, list[Placing]]]:
    """Play it into the store; the ranking of each track."""
    from kagiya.lab.tournament import late_moves, ranking, tally_cells

    matches = planned.plan()
    if not matches:
        raise ValueError(
            "nothing to play: a mixed track needs partners, and agents that can play with this number of players"
        )
    with stored(matches, means) as (store, report):
        cells, late = tally_cells(store, report, matches), late_moves(store, report.run, matches)
    return report, {track: ranking(track, cells, late) for track in planned.tracks}
