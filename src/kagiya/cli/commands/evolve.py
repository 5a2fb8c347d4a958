"""`kagiya evolve`: rule lists bred by a genetic algorithm; `kagiya dev map-elites`: the best list of every style."""

from __future__ import annotations

import json
import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import err, out
from kagiya.cli.errors import complain, interruption
from kagiya.cli.progress import LINE_SECONDS, Advance, late_bar
from kagiya.cli.running import Means, OptionalStore, WorkerCount, open_runner

if TYPE_CHECKING:
    from collections.abc import Callable

    from kagiya.lab.evolution.map_elites import EliteMap
    from kagiya.lab.evolution.run import Chosen
    from kagiya.lab.evolution.state import Evolution

RuleSet = Annotated[
    Literal["canaan", "canaan-old", "all"],
    typer.Option(
        "--rule-set",
        help="[bold]canaan[/]: the order of Canaan et al.'s rules; [bold]canaan-old[/]: without their own; "
        "[bold]all[/]: lists of any tactics, thresholds and limits.",
    ),
]
Players = Annotated[int, typer.Option("--players", "-p", help="2 to 5.")]
Folder = Annotated[
    Path | None,
    typer.Option("--folder", help="Where the run is kept, to go on from. Default: evolution-RULESET-PLAYERS."),
]
EvolveSeed = Annotated[int, typer.Option("--seed", "-s", help="Decides every random choice and every fitness deck.")]


def evolve(
    rule_set: RuleSet = "canaan",
    players: Players = options.DEFAULT_PLAYERS,
    rules: options.Rules = "goodman",
    generations: Annotated[
        int, typer.Option("--generations", "-g", help="How many in all; a larger number continues a finished run.")
    ] = 100,
    population: Annotated[int, typer.Option("--population", help="Lists on all islands together.")] = 200,
    elite: Annotated[int, typer.Option("--elite", help="Of these, lists that live on unchanged.")] = 20,
    tournament: Annotated[int, typer.Option("--tournament", help="Lists that compete to be a parent.")] = 5,
    crossover: Annotated[float, typer.Option("--crossover", help="How often two parents are crossed.")] = 0.9,
    mutation: Annotated[float, typer.Option("--mutation", help="How often each rule of a child changes.")] = 0.1,
    islands: Annotated[int, typer.Option("--islands", help="Populations that breed apart.")] = 4,
    games: Annotated[int, typer.Option("--games", "-n", help="A generation, for its best lists.")] = 800,
    start: Annotated[
        list[str] | None, typer.Option("--start", metavar="LIST", help="A list to begin with; may be given again.")
    ] = None,
    report_games: Annotated[int, typer.Option("--report-games", help="Of the finalists, and of the best.")] = 10_000,
    seed: EvolveSeed = 1,
    folder: Folder = None,
    workers: WorkerCount = None,
    store: OptionalStore = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Breed ordered lists of tactics by a genetic algorithm, for their score in self-play.

    Each generation plays decks of its own, the same for all lists: few games
    for the worst, --games for the best. The ten best then play fresh decks, and
    the winner, without the rules that never matter, is reported on seeds from 1,
    which no choice was made on. Every generation is kept; after Ctrl-C the same
    command goes on, and the result is the same for any number of workers.

    [bold]Examples[/]
      kagiya evolve --players 4
      kagiya evolve --rule-set all --players 2 --generations 300
      kagiya evolve --rule-set all --start "play-safe, discard-oldest"
    """
    from kagiya.lab.evolution.islands import Plan
    from kagiya.lab.evolution.run import check_task
    from kagiya.lab.evolution.run import evolve as breed_lists
    from kagiya.lab.evolution.state import Task

    plan = Plan(population, elite, tournament, crossover, mutation, islands, games=games, seed=seed)
    task = Task(rule_set, rules, players, tuple(start or ()), plan)
    check_count("generations", generations, 1)
    check_count("report-games", report_games, 2)
    check_task(task)
    means = Means(workers, None, store)
    home = ready(folder or Path(f"evolution-{rule_set}-{players}"))
    try:
        with late_bar("evolving", generations) if err.is_terminal else nullcontext(ignore) as advance:
            evolution = breed_lists(task, home, generations, workers, reporter(advance, generations))
        chosen = choose_best(evolution, report_games, means)
    except KeyboardInterrupt:
        complain(f"interrupted; the finished generations are in {home}, and the same command goes on from there")
        raise interruption() from None
    present(evolution, chosen, home, None if as_json else shown)


def reporter(advance: Advance, generations: int) -> Callable[[Evolution], None]:
    """Moves the bar; where there is none, a line now and then says how far it is and how good the best are."""
    from kagiya.cli.drawing.evolution import draw_progress

    last, before = time.monotonic(), 0

    def report(evolution: Evolution) -> None:
        nonlocal last, before
        advance(evolution.generation - before)
        before = evolution.generation
        if not err.is_terminal and time.monotonic() - last >= LINE_SECONDS:
            last = time.monotonic()
            err.print(draw_progress(evolution, generations), style="dim", highlight=False)

    return report


def ignore(count: int) -> None:
    """Progress that nobody sees."""


def choose_best(evolution: Evolution, games: int, means: Means) -> Chosen:
    """Play the finalists and the best of them, with a bar."""
    from kagiya.lab.evolution.run import FINALISTS, choose

    total = games * (min(FINALISTS, len(evolution.best)) + 1)
    with open_runner(means, total, "choosing") as runner:
        return choose(evolution, games, runner, means.workers)


def present(evolution: Evolution, chosen: Chosen, home: Path, shown: options.Shown | None) -> None:
    """Keep the result beside the run, and print it."""
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    counts = {"generations": evolution.generation, "games": evolution.games, "seconds": round(evolution.seconds, 1)}
    data = {"made": provenance(command_line()), "task": evolution.task.to_json(), **counts, **chosen.to_json()}
    write_result(home / "result.json", data | {"history": evolution.history})
    if shown is None:
        typer.echo(json.dumps(data))
        return
    from kagiya.cli.drawing.evolution import draw_evolution
    from kagiya.cli.drawing.page import print_page

    print_page(draw_evolution(evolution, chosen), shown)


def map_elites(
    rule_set: RuleSet = "all",
    players: Players = 2,
    rules: options.Rules = "goodman",
    candidates: Annotated[int, typer.Option("--candidates", "-c", help="Lists to try in all; more go on.")] = 20_000,
    cells: Annotated[int, typer.Option("--cells", help="To a side of the map.")] = 20,
    games: Annotated[int, typer.Option("--games", "-n", help="Of each candidate.")] = 100,
    report_games: Annotated[int, typer.Option("--report-games", help="Of each elite, from seed 1 on.")] = 1_000,
    seed: EvolveSeed = 1,
    folder: Folder = None,
    picture: Annotated[
        list[Path] | None, typer.Option("--picture", help="Draw the map: PNG, SVG or PDF by its ending.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json-file", help="Write the map to this file, too.")] = None,
    workers: WorkerCount = None,
    as_json: options.Json = False,
) -> None:
    """Find the best list of every style (MAP-Elites): how much it tells, and how sure it is of what it plays.

    Communication is the share of turns with a token on which a hint is given;
    caution the mean chance to fit, in the player's eyes, of the cards played.
    Every batch is kept; after Ctrl-C the same command goes on.

    [bold]Examples[/]
      kagiya dev map-elites --players 2 --candidates 50000 --picture map.png
    """
    from kagiya.lab.documents.figures import check_picture
    from kagiya.lab.evolution.map_elites import MapTask, grow
    from kagiya.lab.evolution.map_file import load_map, measured_map, save_map
    from kagiya.rules import parse_rules

    for path in picture or []:
        check_picture(path)
    task = MapTask(rule_set, rules, players, cells, games=games, seed=seed)
    check_count("candidates", candidates, 1)
    check_count("report-games", report_games, 2)
    parse_rules(rules, players)
    Means(workers)
    home = ready(folder or Path(f"evolution-map-{rule_set}-{players}"))
    elites = load_map(home, task)
    try:
        with late_bar("mapping", candidates) as advance:
            advance(elites.candidates)

            def keep(found: EliteMap) -> None:
                save_map(found, home)
                advance(task.batch)

            grow(elites, candidates, workers, keep)
        data = measured_map(elites, report_games, known_lists(players), workers)
    except KeyboardInterrupt:
        complain(f"interrupted; the finished batches are in {home}, and the same command goes on from there")
        raise interruption() from None
    present_map(data, picture or [], json_file, as_json)


def known_lists(players: int) -> dict[str, str]:
    """Agents that are rule lists, for the map to show where they stand."""
    from kagiya.agents.evolved import NUMBERS, evolved_lists
    from kagiya.agents.register import rebuild_agent

    lists = {name: rebuild_agent(name).reasons[:-1] for name in ("iggi", "piers", "vdb")}
    lists |= {name: evolved_lists(name)[NUMBERS.index(players)].rules for name in ("canaan-mirror", "evolved")}
    return {name: ", ".join(rules) for name, rules in lists.items()}


def present_map(data: dict[str, Any], pictures: list[Path], json_file: Path | None, as_json: bool) -> None:
    """Draw the map and say what is on it."""
    from kagiya.lab.documents.pictures import draw_behaviours
    from kagiya.lab.provenance.result_files import command_line, provenance, write_result

    data = {"made": provenance(command_line()), **data}
    if json_file is not None:
        write_result(json_file, data)
    for path in pictures:
        draw_behaviours(data, path)
    if as_json:
        typer.echo(json.dumps(data))
        return
    best = max(data["cells"], key=lambda cell: cell["mean"])
    style = f"communication {best['communication']:.2f}, caution {best['caution']:.2f}"
    cells = data["task"]["cells"] ** 2
    out.print(
        f"{len(data['cells'])} of {cells} styles found; the best scores {best['mean']:.2f} ({style})", soft_wrap=True
    )
    if pictures:
        out.print(f"picture: [bold]{', '.join(map(str, pictures))}[/]", soft_wrap=True)


def ready(folder: Path) -> Path:
    """The folder, made, with all tactics compiled."""
    from kagiya.agents.register import rebuild_agent
    from kagiya.agents.tactics._tactic import tactics

    folder.mkdir(parents=True, exist_ok=True)
    uses = [f"{tactic.name}(0)" if tactic.value else tactic.name for tactic in tactics().values()]
    make_ready([rebuild_agent(f"rules({', '.join(uses)})")])
    return folder


def check_count(name: str, value: int, least: int) -> None:
    """Refuse a number that is too small."""
    if value < least:
        raise ValueError(f"--{name} must be an integer of at least {least}, not {value}")
