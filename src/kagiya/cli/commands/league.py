"""`kagiya league`: every agent in self-play for every number of players, ranked, with a picture."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.completion import agent_names
from kagiya.cli.console import err
from kagiya.cli.errors import FAILED, complain, interruption
from kagiya.cli.running import Cluster, Means, OptionalStore, WorkerCount, open_runner

if TYPE_CHECKING:
    from kagiya.lab.contests.league import League, LeagueRow
    from kagiya.lab.match.match import Match

Picture = Annotated[Path, typer.Option("--picture", help="Where the picture goes: PNG, SVG or PDF by its ending.")]


def league(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", autocompletion=agent_names, help="Who takes part; by default all but the searches."
        ),
    ] = None,
    joining: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="AGENT",
            autocompletion=agent_names,
            help="Play only this one, and place it among the results that come with Kagiya.",
        ),
    ] = None,
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "2,3,4,5",
    games: Annotated[int, typer.Option("--games", "-n", help="For each agent and number of players.")] = 2000,
    seed: options.Seed = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    picture: Picture = Path("league.png"),
    workers: WorkerCount = None,
    store: OptionalStore = None,
    cluster: Cluster = None,
    json_file: options.JsonFile = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Every agent plays with copies of itself; ranked by the mean over the numbers of players.

    Agents in plain Python play a twentieth of the games. Searches take part only
    when they are named: their games take seconds. Ctrl-C keeps the matches that
    are finished.

    [bold]Examples[/]
      kagiya league
      kagiya league --with mymodule:MyAgent    places yours among all others
      kagiya league careful random --players 2,3 --games 20000 --picture duel.png
      kagiya league vdb "ris-mcts(iterations=100)" --players 4 --games 50
    """
    from kagiya.agents.register import find_agent, prompt_agents
    from kagiya.lab.contests.league import League, league_matches

    entered = [find_agent(text) for text in dict.fromkeys([*(agents or []), *(joining or [])] or prompt_agents())]
    means = Means(workers, cluster, store)
    result = League(rules, games, seed, deals)
    counts = player_counts(players)
    if joining:
        result.others = measured_before([agent.text for agent in entered], counts, rules)
        if deals != "own":
            raise ValueError("--with places agents among results on our own deals: leave out --deals or --with")
    matches = league_matches(entered, counts, result)
    means.make_ready(entered)
    play(result, matches, means)
    present(result, picture, json_file, None if as_json else shown)
    leave(result)


def measured_before(entered: Sequence[str], counts: list[int], rules: str) -> list[LeagueRow]:
    """What all others scored when it was measured for the documents."""
    from kagiya.lab.contests.measured_league import measured_league

    stored = measured_league()
    if not stored.rows:
        raise ValueError("--with needs the league of the documents, results/league.json, which is not here; play all")
    if rules != stored.rules:
        raise ValueError(
            f"--with places agents among results by the rules {stored.rules}, not {rules}; "
            f"name all agents to play a league by other rules"
        )
    return [row for row in stored.league_rows(counts) if row.agent.text not in entered]


def player_counts(text: str) -> list[int]:
    """The numbers in ``2,3,4,5``."""
    counts = [part.strip() for part in text.split(",")]
    if any(count not in ("2", "3", "4", "5") for count in counts):
        raise ValueError(f"--players takes numbers from 2 to 5 with commas between them, like 2,3,4,5; not {text!r}")
    return sorted({int(count) for count in counts})


def play(result: League, matches: list[Match], means: Means) -> None:
    """Play with a bar over all games of the league."""
    from kagiya.lab.contests.league import play_league

    with open_runner(means, sum(match.games for match in matches)) as runner:
        play_league(result, matches, runner)


def present(result: League, picture: Path, json_file: Path | None, shown: options.Shown | None) -> None:
    """The ranking on stdout (None: as JSON), the picture, and the file if one is wanted."""
    from kagiya.lab.documents.figures import league_figure
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    data = {"made": provenance(command_line()), **result.to_json()}
    if result.cells:
        league_figure(data, picture)
        if json_file is not None:
            write_result(json_file, data)
    if shown is None:
        typer.echo(json.dumps(data))
    elif result.cells:
        from kagiya.cli.drawing.league import draw_league
        from kagiya.cli.drawing.page import print_page

        print_page(draw_league(result), shown)
        err.print(f"\npicture: [bold]{picture}[/]", soft_wrap=True)


def leave(result: League) -> None:
    """Say what is missing, and end the command accordingly."""
    for error in result.errors:
        complain(error)
    if result.interrupted:
        shown = "the table and the picture show the matches that were finished"
        complain(f"interrupted; {shown if result.cells else 'no match was finished, so nothing is shown'}")
        raise interruption()
    if result.errors:
        raise typer.Exit(FAILED)
