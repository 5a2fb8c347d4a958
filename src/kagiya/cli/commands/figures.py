"""`kagiya figure`: play what a picture needs, and draw it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from kagiya.cli import options
from kagiya.cli.completion import agent_names
from kagiya.cli.console import out
from kagiya.cli.errors import FAILED, complain
from kagiya.cli.running import Cluster, Means, OptionalStore, WorkerCount, open_runner
from kagiya.cli.seating import check_writable
from kagiya.cli.signals import interruption_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kagiya.agents._base import Agent
    from kagiya.lab.documents.pictures import Key, Picture
    from kagiya.lab.match.playing import PlayedMatch
    from kagiya.rules import Rules

Kind = Literal["scores", "regret", "sources", "crossplay", "curve", "posterior"]


def figure(
    kind: Annotated[
        Kind,
        typer.Argument(
            help="[bold]scores[/]: how they are spread; [bold]regret[/]: scores by team regret; [bold]sources[/]: how "
            "points are lost; [bold]crossplay[/]: who plays well with whom; [bold]curve[/]: scores over a parameter; "
            "[bold]posterior[/]: how soon a search knows its partners.",
            show_default=False,
        ),
    ],
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            autocompletion=agent_names,
            help="Written as in [bold]kagiya match[/].",
            show_default=False,
        ),
    ],
    files: Annotated[
        list[Path] | None,
        typer.Option("--out", "-o", help="PNG, SVG or PDF by its ending; may be given twice. Default: KIND.png."),
    ] = None,
    over: Annotated[str, typer.Option("--over", help="Of a curve: a parameter and its values, name=1,10,100.")] = "",
    players: Annotated[int, typer.Option("--players", "-p", help="2 to 5.")] = options.DEFAULT_PLAYERS,
    games: Annotated[int, typer.Option("--games", "-n", help="For each agent, pair or point.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Of the first game; the others count up from it.")] = 1,
    rules: options.Rules = "standard",
    workers: WorkerCount = None,
    store: OptionalStore = None,
    cluster: Cluster = None,
    as_json: options.Json = False,
) -> None:
    """Play what a picture needs, and draw it: for print, for the screen, and without color vision.

    Ctrl-C draws the matches that are finished.

    [bold]Examples[/]
      kagiya figure scores vdb iggi piers --games 10000
      kagiya figure sources vdb iggi piers flawed --out sources.svg --out sources.png
      kagiya figure crossplay vdb iggi flawed random
      kagiya figure curve risky --over threshold=0.5,0.6,0.7,0.8
      kagiya figure posterior "ally(iterations=10)" --rules goodman --games 100
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.documents.figures import check_picture
    from kagiya.lab.documents.pictures import Picture
    from kagiya.rules import parse_rules

    paths = files or [Path(f"{kind}.png")]
    for path in paths:
        check_picture(path)
        check_writable(path)
    entered = tuple(dict.fromkeys(find_agent(text) for text in agents))
    if kind == "posterior":
        draw_posterior(entered, parse_rules(rules, players), games, seed, paths)
        return
    picture = Picture(kind, entered, parse_rules(rules, players), games, seed, over)
    picture.matches()  # refuses what cannot be played before anything is compiled
    means = Means(workers, cluster, store)
    means.make_ready(entered)
    results, problem, code = play(picture, means)
    if results:
        present(picture, results, paths, as_json)
    if problem:
        complain(problem)
        raise typer.Exit(code)


def draw_posterior(agents: Sequence[Agent], rules: Rules, games: int, seed: int, paths: Sequence[Path]) -> None:
    """Play each search with partners drawn from its own policies, and draw how soon it knows them."""
    from kagiya.cli.compiling import make_ready
    from kagiya.lab.contests.recognition import play_recognition, policies_of
    from kagiya.lab.documents.figures import recognition_figure

    pools = [policies_of(agent, rules) for agent in agents]
    make_ready([*agents, *(policy for pool in pools for policy in pool)])
    found = {agent.text: play_recognition(agent, rules, games, seed) for agent in agents}
    for path in paths:
        recognition_figure(found, f"{rules.caption()}; {games:,} games", path)
    out.print(f"picture: [bold]{', '.join(map(str, paths))}[/]", soft_wrap=True)


def play(picture: Picture, means: Means) -> tuple[dict[Key, PlayedMatch], str, int]:
    """The finished matches, and what went wrong if something did, with the code to leave with."""
    from kagiya.lab.match.playing import PlayedMatch
    from kagiya.lab.match.sinks import Kept

    matches, sink = picture.matches(), Kept()
    with open_runner(means, sum(match.games for match in matches.values())) as runner:
        outcome = runner.play(list(matches.values()), sink)
    pairs = [
        (key, PlayedMatch.of(match, sink.of(number), outcome)) for number, (key, match) in enumerate(matches.items())
    ]
    results = {key: played for key, played in pairs if played.games == played.match.games}
    if len(results) == len(matches):
        return results, "", 0
    shown = f"the picture is of {len(results)} of {len(matches)} matches" if results else "nothing is drawn"
    return results, f"{outcome.error or 'interrupted'}; {shown}", FAILED if outcome.error else interruption_code()


def present(picture: Picture, results: dict[Key, PlayedMatch], paths: list[Path], as_json: bool) -> None:
    """Write the files; say so, or print what they show."""
    from kagiya.lab.documents.pictures import to_json
    from kagiya.lab.provenance.result_files import command_line, provenance

    for path in paths:
        picture.draw(results, path)
    if as_json:
        made = {"made": provenance(command_line()), "files": [str(path) for path in paths]}
        typer.echo(json.dumps(made | to_json(picture, results)))
    else:
        out.print(f"picture: [bold]{', '.join(map(str, paths))}[/]", soft_wrap=True)
