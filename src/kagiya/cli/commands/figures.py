"""`kagiya figure`: play what a picture needs, or take it from the store, and draw it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, out, typed_command, write_plain
from kagiya.cli.run_options import ClusterOptions, RunOptions, open_runner
from kagiya.runtime.interrupts import interruption_code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kagiya.lab.papers.figures import Setting
    from kagiya.lab.papers.pictures import Key, Picture, PicturePlan, PictureSample, Wanted

Kind = Literal["scores", "regret", "sources", "crossplay", "curve", "posterior"]
MAX_INCHES = 100.0  # inches


@options.grouped
def figure(
    kind: Annotated[
        Kind,
        typer.Argument(
            help="[bold]scores[/]: how they are spread; [bold]regret[/]: scores by direct regret; [bold]sources[/]: "
            "how points are lost; [bold]crossplay[/]: who plays well with whom; [bold]curve[/]: scores over a "
            "parameter; [bold]posterior[/]: how soon a search knows its partners.",
            show_default=False,
        ),
    ],
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT...",
            autocompletion=options.agent_names,
            help="Written as in [bold]kagiya match[/]. Without any, the games of --store are drawn.",
            show_default=False,
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Option("--out", "-o", help="PNG, SVG or PDF by its ending; may be given twice. Default: KIND.png."),
    ] = None,
    sweep: Annotated[str, typer.Option("--sweep", help="Of a curve: a parameter and its values, name=1,10,100.")] = "",
    players: Annotated[int | None, typer.Option("--players", "-p", help="2 to 5. Default: 3, or those stored.")] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="For each agent, pair or point.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first game; the others count up from it.")] = 1,
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "-r",
            autocompletion=options.rules_names,
            help="A preset, with changes. Default: standard, or as stored.",
        ),
    ] = None,
    workers: options.WorkerCount = None,
    store: Annotated[
        Path | None,
        typer.Option(
            "--store",
            help="Without agents: draw the games in this folder ([bold]default[/]: the user's). With agents: keep "
            "every game there, and use those there.",
        ),
    ] = None,
    run: Annotated[int | None, typer.Option("--run", help="Draw the stored games of this run, and play none.")] = None,
    labels: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="AGENT=NAME", help="Call an agent by a name; may be given often."),
    ] = None,
    title: Annotated[str, typer.Option("--title", help="Instead of the usual one.")] = "",
    size: Annotated[str, typer.Option("--size", metavar="WIDTHxHEIGHT", help="In inches, like 6x4.")] = "",
    as_json: options.Json = False,
    *,
    where: ClusterOptions,
) -> None:
    """Play the games a figure needs and draw it, or draw games that are stored (PNG, SVG or PDF; colour-blind safe).

    Without agents, or with [bold]--run[/], nothing is played: the figure shows what the store has, of each team the
    games of the code that played last. Ctrl-C draws the matches that are finished.

    [bold]Examples[/]
      kagiya figure scores vdb iggi piers --games 10000
      kagiya figure sources vdb iggi piers --out sources.svg --out sources.png
      kagiya figure crossplay vdb iggi --label vdb="Van den Bergh" --size 6x5
      kagiya figure crossplay vdb iggi flawed --title "Guests and hosts"
      kagiya figure curve risky --sweep threshold=0.5,0.6,0.7,0.8
      kagiya figure scores --store default --run 1     of kagiya results --runs
      kagiya figure posterior "ally(iterations=10)" --rules goodman --games 100
    """
    from kagiya.lab.papers import figures, pictures

    paths = files or [Path(f"{kind}.png")]
    for path in paths:
        figures.check_picture(path)
        options.check_writable(path)
    look = read_look(labels or [], title, size)
    if not agents or run is not None:
        from kagiya.lab.papers.pictures import Wanted

        texts = tuple(dict.fromkeys(map(options.stored_text, agents or [])))
        wanted = Wanted(kind, run, texts, rules, players, sweep.partition("=")[0].strip())
        present(read_picture(store, wanted, look), paths, as_json)
        return
    entered = tuple(find(agents))
    table = kagiya.parse_rules(rules or "standard", options.DEFAULT_PLAYERS if players is None else players)
    if kind == "posterior":
        draw_posterior(entered, table, (games, seed), look, paths)
        return
    plan = pictures.PicturePlan(kind, entered, table, games, seed, sweep)
    plan.matches()  # refuses what cannot be played before anything is compiled
    means = RunOptions(**vars(where), workers=workers, store=store)
    means.make_ready(entered)
    samples, problem, code = play(plan, means)
    if samples:
        present(make_picture(plan, samples, look), paths, as_json)
    if problem:
        complain(problem)
        raise typer.Exit(code)


def find(texts: Sequence[str]) -> list[kagiya.Agent]:
    """The agents named, each once."""

    return list(dict.fromkeys(kagiya.find_agent(text) for text in texts))


def read_look(labels: Sequence[str], title: str, size: str) -> Setting:
    """What shall stand around the picture."""
    from kagiya.lab.papers.figures import Setting

    pairs = [label.rpartition("=") for label in labels]  # an agent's parameters have equals signs too
    for agent, mark, name in pairs:
        if not (agent.strip() and mark and name.strip()):
            raise ValueError(f"--label takes an agent and a name, AGENT=NAME, not {agent + mark + name!r}")
    named = {options.stored_text(agent.strip()): name.strip() for agent, _, name in pairs}
    return Setting("", title, read_size(size) if size else None, named)


def read_size(text: str) -> tuple[float, float]:
    """Width and height of ``6x4``."""
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError:
        raise ValueError(f"--size is a width and a height in inches, like 6x4, not {text!r}") from None
    if not (1 <= width <= MAX_INCHES and 1 <= height <= MAX_INCHES):
        raise ValueError(f"--size goes from 1 to {MAX_INCHES:g} inches, not {text!r}")
    return width, height


def read_picture(place: Path | None, wanted: Wanted, look: Setting) -> Picture:
    """The picture of stored games."""
    from kagiya.lab.papers.pictures import Picture, read_samples
    from kagiya.lab.store.store import Store

    if place is None:
        raise ValueError("name agents to play, or give --store FOLDER to draw what is stored there")
    if wanted.kind == "posterior":
        raise ValueError("the store does not know what a search thought of its partners; name the search to play it")
    if wanted.kind == "curve" and not wanted.parameter:
        raise ValueError(
            "a curve of stored games goes over a parameter of its agents; name it, like --sweep iterations"
        )
    with Store.read(None if place == Path(options.DEFAULT) else place) as store:
        rules, samples = read_samples(store, wanted)
    return Picture(wanted.kind, rules, samples, wanted.parameter, look)


def make_picture(plan: PicturePlan, samples: dict[Key, PictureSample], look: Setting) -> Picture:
    """The picture of what was played."""
    from kagiya.lab.papers.pictures import Picture, read_range

    parameter = read_range(plan.sweep)[0] if plan.kind == "curve" else ""
    return Picture(plan.kind, plan.rules, samples, parameter, look)


def draw_posterior(
    agents: Sequence[kagiya.Agent], rules: kagiya.Rules, played: tuple[int, int], look: Setting, paths: Sequence[Path]
) -> None:
    """Play each search with partners drawn from its own policies, and draw how soon it knows them."""
    from kagiya.cli.run_options import make_ready
    from kagiya.lab.papers.pictures import play_recognition, policies_of, recognition_figure

    games, seed = played
    pools = [policies_of(agent, rules) for agent in agents]
    make_ready([*agents, *(policy for pool in pools for policy in pool)])
    found = {agent.text: play_recognition(agent, rules, games, seed) for agent in agents}
    caption = f"{rules.text()}: {rules.caption()}; {games:,} games, seeds from {seed}"
    for path in paths:
        recognition_figure(found, replace(look, caption=caption), path)
    out.print(f"picture: [bold]{', '.join(map(str, paths))}[/]", soft_wrap=True)


def play(plan: PicturePlan, means: RunOptions) -> tuple[dict[Key, PictureSample], str, int]:
    """The games of finished matches, and what went wrong if something did, with the code to leave with."""
    import numpy as np

    from kagiya.lab.match.runner import KeepGames
    from kagiya.lab.papers.pictures import PictureSample

    planned, sink = plan.matches(), KeepGames()
    with open_runner(means, sum(match.games for _, match in planned)) as runner:
        outcome = runner.play([match for _, match in planned], sink)
    found = [(key, match, sink.of(number).results()) for number, (key, match) in enumerate(planned)]
    missing = {key for key, match, results in found if len(results) < match.games}
    wanted = [key for key in dict.fromkeys(key for key, _ in planned) if key not in missing]
    samples = {
        key: PictureSample(plan.rules, np.concatenate([results for each, _, results in found if each == key]))
        for key in wanted
    }
    finished = sum(len(results) == match.games for _, match, results in found)
    if finished == len(planned):
        return samples, "", 0
    shown = f"the picture is of {finished} of {len(planned)} matches" if samples else "nothing is drawn"
    return samples, f"{outcome.error or 'interrupted'}; {shown}", FAILED if outcome.error else interruption_code()


def present(picture: Picture, paths: list[Path], as_json: bool) -> None:
    """Write the files; say so, or print what they show."""
    from kagiya.lab.provenance import provenance

    for path in paths:
        picture.draw(path)
    say_unused(picture)
    if as_json:
        made = {"made": provenance(typed_command()), "files": [str(path) for path in paths]}
        write_plain(json.dumps(made | picture.to_json()))
    else:
        out.print(f"picture: [bold]{', '.join(map(str, paths))}[/]", soft_wrap=True)


def say_unused(picture: Picture) -> None:
    """A label for an agent that is not in the figure is most likely a typing error."""
    from kagiya.spec import near

    shown = {agent for agent, _ in picture.samples}
    if picture.kind == "crossplay":
        shown |= {host for _, host in picture.samples}
    for agent in picture.look.labels:
        if agent not in shown:
            complain(f"--label {agent}: there is no such agent in the figure; {near(agent, shown)}")
