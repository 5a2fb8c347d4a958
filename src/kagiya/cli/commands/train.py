"""`kagiya train` and `evolve`: networks from searched games, and rule lists bred by a genetic algorithm.

Also `kagiya dev goodman`, Goodman's three networks, and `kagiya dev map-elites`, the best list of every style.
"""

from __future__ import annotations

import json
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import complain, err, interruption, out, typed_command, write_plain
from kagiya.cli.run_options import (
    LINE_SECONDS,
    Advance,
    ClusterOptions,
    RunOptions,
    late_bar,
    make_ready,
    open_cluster,
    open_runner,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from kagiya.lab.match.cluster import ClusterWorkers
    from kagiya.lab.training.evolution import EliteMap, Evolution, SelectedList
    from kagiya.lab.training.fit import FitSettings


HELP = """Train networks on the trees of searched games. Needs the extra "train" (PyTorch); playing with one does not.

[bold]Examples[/]
  kagiya train data rows "ris-mcts(convention=playable-now)" --games 50
  kagiya train fit rows --out mine.safetensors
  kagiya match "evalfn(model=mine.safetensors, convention=playable-now)"
"""
train = typer.Typer(no_args_is_help=True, rich_markup_mode="rich", help=HELP)

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of the training data.")]
MinVisits = Annotated[int, typer.Option("--min-visits", help="Moves tried less often make no row.")]
Rate = Annotated[float, typer.Option("--learning-rate", help="Of Adam.")]
Batch = Annotated[int, typer.Option("--batch", help="Rows for each step.")]
Epochs = Annotated[int, typer.Option("--epochs", help="At most this many passes over the rows.")]
Patience = Annotated[int, typer.Option("--patience", help="Passes without a better held-out error before it stops.")]
Schedule = Annotated[
    str, typer.Option("--schedule", help="constant, or cosine: the rate falls to 0, and the last epoch is kept.")
]
TrainingSeed = Annotated[int, typer.Option("--training-seed", help="Of weights, batches and held-out games.")]


@dataclass(frozen=True)
class FitOptions:
    """How a network is fitted, by default with the settings that the paper gives."""

    hidden: Annotated[str, typer.Option("--hidden", help="Units of the hidden layers, e.g. 30 or 64,32.")] = "30"
    loss: Annotated[str, typer.Option("--loss", help="squared, absolute or huber.")] = "squared"
    learning_rate: Rate = 1e-4
    l1: Annotated[float, typer.Option("--l1", help="Penalty on the size of weights.")] = 1e-5
    batch: Batch = 16
    epochs: Epochs = 200
    patience: Patience = 5
    schedule: Schedule = "constant"
    training_seed: TrainingSeed = 1

    def settings(self) -> FitSettings:
        """The same, read and checked."""
        from kagiya.lab.training.fit import FitSettings

        values = asdict(self)
        hidden, seed = numbers(values.pop("hidden"), "--hidden"), values.pop("training_seed")
        return FitSettings(tuple(hidden), seed=seed, **values)


@dataclass(frozen=True)
class GoodmanFitOptions(FitOptions):
    """By default with the settings that made the networks that come with Kagiya."""

    learning_rate: Rate = 3e-3
    batch: Batch = 512
    epochs: Epochs = 40
    schedule: Schedule = "cosine"


@train.command()
@options.grouped
def data(
    folder: Folder,
    agent: Annotated[str, typer.Argument(help="The search: ris-mcts(...), mo-ismcts(...) or predictor(...).")],
    players: Annotated[int, typer.Option("--players", "-p", help="Players at the table.")] = 5,
    games: Annotated[int, typer.Option("--games", "-n", help="Games that the folder shall hold.")] = 100,
    rules: Annotated[str, typer.Option("--rules", help="The rules.")] = "goodman",
    seed: Annotated[int | None, typer.Option("--seed", help="Of the first game; far from those you report.")] = None,
    min_visits: MinVisits = 50,
    root_only: Annotated[bool, typer.Option("--root-only", help="Only positions that were played.")] = False,
    deepest: Annotated[int, typer.Option("--deepest", help="Moves below the root at most.")] = 12,
    workers: options.WorkerCount = None,
    *,
    where: ClusterOptions,
) -> None:
    """Play games of a tree search and keep a row for every move of its trees that was tried often enough.

    A row is the 38 features of a position and a move, and the mean score that
    the search found for it. One Parquet file for each game: the same command
    goes on where it was interrupted, and more games are added to those there.

    [bold]Examples[/]
      kagiya train data rows "ris-mcts(rollout=random, steps=93000)" --games 300
      kagiya train data rows "ris-mcts(rollout=random, steps=93000)" --games 600
    """
    from kagiya.lab.training.data import FIRST_SEED, DataOrder, HarvestTerms, make_data

    terms = HarvestTerms(min_visits, 0 if root_only else deepest)
    order = DataOrder(kagiya.parse_rules(rules, players), kagiya.find_agent(agent), games, seed or FIRST_SEED, terms)
    means = RunOptions(**vars(where), workers=workers)
    means.make_ready([order.agent])
    try:
        with opened(means) as elsewhere, late_bar("playing", games) as advance:
            report = make_data(order, folder, workers, advance, elsewhere)
    except KeyboardInterrupt:
        complain(f"interrupted; finished games are in {folder}, and the same command goes on from there")
        raise interruption() from None
    score = f", mean score {report.score:.2f}" if report.played else ""
    out.print(f"{report.played:,} games played, {report.there_before:,} were there{score}; {report.rows:,} new rows")


@train.command()
@options.grouped
def fit(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders of training data.")],
    model: Annotated[Path, typer.Option("--out", "-o", help="The network's file; its learning curve goes beside it.")],
    kind: Annotated[
        str, typer.Option("--kind", help="value: points to come; score: at the end; rules: for the rule classifier.")
    ] = "value",
    root_only: Annotated[bool, typer.Option("--root-only", help="Only rows of positions that were played.")] = False,
    as_json: options.Json = False,
    *,
    fitting: FitOptions,
) -> None:
    """Fit a network to training data; without options, with the settings that the paper gives.

    A tenth of the games is held out, and training stops when the error on
    them no longer falls; the best network is kept, also after Ctrl-C.

    [bold]Examples[/]
      kagiya train fit rows --out mine.safetensors
      kagiya train fit rows --out wide.safetensors --hidden 64,32 --batch 512
    """
    from kagiya.lab.training.data import DataFolder
    from kagiya.lab.training.fit import check_model_path, learn, write_learned
    from kagiya.lab.training.goodman import describe
    from kagiya.learn.networks import VALUE_KINDS

    if kind not in (kinds := (*VALUE_KINDS, "rules")):
        raise ValueError(f"--kind must be {' or '.join(kinds)}, not {kind!r}")
    check_model_path(model)
    settings = fitting.settings()
    rows = [DataFolder(each) for each in folders]
    with late_bar("epochs", None) as advance:
        learned = learn(rows, kind, settings, 0 if root_only else None, lambda *_: advance(1))
    write_learned(model, learned, rows, typed_command())
    write_plain(json.dumps(learned.metrics()) if as_json else describe(learned.metrics()))
    if learned.curve.interrupted:
        complain(f"interrupted; the best network so far is in {model}")
        raise interruption()


@options.grouped
def goodman(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="For the data and networks of all iterations.")],
    games: Annotated[str, typer.Option("--games", help="Games of the three iterations.")] = "300,100,100",
    steps: Annotated[str, typer.Option("--steps", help="Moves tried out for each move.")] = "31000,14000,7000",
    min_visits: Annotated[str, typer.Option("--min-visits", help="Moves tried less often make no row.")] = "50,20,20",
    c: Annotated[str, typer.Option("--c", help="Exploration of the three searches.")] = "0.1,0.1,3",
    pool: Annotated[
        str, typer.Option("--pool", help="Iterations that each network learns from, its own last.")
    ] = "1,1,2",
    workers: options.WorkerCount = None,
    *,
    where: ClusterOptions,
    fitting: GoodmanFitOptions,
) -> None:
    """Goodman's three iterations: EvalFn 1, 2 and 3, each learned from games of a search that uses the one before.

    The defaults are what made the networks that come with Kagiya; the second
    example has the paper's games and, as moves tried out, its times.
    Interrupted, the same command goes on where it was.

    [bold]Examples[/]
      kagiya dev goodman evalfn
      kagiya dev goodman paper --games 300,500,200 --steps 93000,35000,105000
      kagiya dev goodman small --games 30,30,30 --min-visits 20,20,20
    """
    from kagiya.lab.training.goodman import GoodmanPlan, run_goodman, scaled

    settings = fitting.settings()
    visits = numbers(min_visits, "--min-visits")
    explores = fractions(c, "--c")
    pooled = numbers(pool, "--pool")
    rounds = scaled(numbers(games, "--games"), numbers(steps, "--steps"), visits, explores, pooled)
    means = RunOptions(**vars(where), workers=workers)
    try:
        with opened(means) as elsewhere, late_bar("games", sum(each.games for each in rounds)) as advance:
            plan = GoodmanPlan(folder, rounds, settings, workers, elsewhere)
            run_goodman(plan, typed_command(), lambda text: err.print(text, soft_wrap=True, highlight=False), advance)
    except KeyboardInterrupt:
        complain(f"interrupted; what is finished is in {folder}, and the same command goes on from there")
        raise interruption() from None
    out.print(f"the networks are in {folder}: evalfn(model={plan.model(len(rounds))}, convention=playable-now)")


def opened(means: RunOptions) -> AbstractContextManager[ClusterWorkers | None]:
    """The cluster that is to play, if one is."""
    return nullcontext() if means.cluster is None else open_cluster(means)


def numbers(text: str, option: str) -> list[int]:
    """Integers separated by commas."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} must be integers separated by commas, not {text!r}") from None


@train.command()
def policies(
    file: Annotated[Path, typer.Option("--out", "-o", help="Where to write the network.")] = Path(
        "policies.safetensors"
    ),
    games: Annotated[int, typer.Option("--games", "-n", help="Games of policies drawn at random.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="Of the first game, the draws and the weights.")] = 7_000_001,
    passes: Annotated[int, typer.Option("--passes", help="At most this many over the moves.")] = 30,
) -> None:
    """Train the network of `ally(likelihood=network)`: which policy of Goodman's Table VII made a move?

    Needs no PyTorch. One game in ten is held out and decides when to stop.

    [bold]Examples[/]
      kagiya train policies --games 2000
    """
    from kagiya.lab.training.small_networks import POLICIES, write_policies

    if games < 20 or passes < 1:
        raise ValueError("to train on moves takes 20 games or more, and a pass over them")
    options.check_writable(file)
    make_ready([kagiya.find_agent(text) for text in POLICIES])
    found = write_policies(file, games, seed, passes, typed_command()).provenance
    out.print(
        f"{file}: {found['rows']:,} moves, {found['passes']} passes; of the moves held out it guesses "
        f"{found['held_out_guessed']:.1%}, cross entropy {found['held_out_entropy']:.3f}",
        soft_wrap=True,
    )


@train.command()
def forecast(
    agent: Annotated[str, typer.Argument(help="The agent that plays on in the search: compiled, not a search.")],
    file: Annotated[Path, typer.Option("--out", "-o", help="Where to write the network.")] = Path(
        "forecast.safetensors"
    ),
    players: Annotated[int, typer.Option("--players", "-p", help="Players at the table.")] = 3,
    games: Annotated[int, typer.Option("--games", "-n", help="Games, each with one careless move.")] = 30_000,
    rules: Annotated[str, typer.Option("--rules", help="The rules.")] = "standard",
    seed: Annotated[int, typer.Option("--seed", help="Of the first game; far from those you report.")] = 50_000_001,
) -> None:
    """Fit what `depth-one(leaf=forecast)` expects of a line of play that it cuts off.

    Counts of a position whose cards are all known, and the points that came after
    it in games of the agent. Needs no PyTorch; one game in ten is held out.

    [bold]Examples[/]
      kagiya train forecast "smartbot(safe=yes)" --players 3 --games 30000
    """
    from kagiya.lab.training.small_networks import HELD_OUT_GAMES, write_forecast

    player = kagiya.find_agent(agent)
    if player.is_search or not player.is_compiled:
        raise ValueError(f"{player.text} searches or is written in Python; give a compiled agent that answers at once")
    if games < HELD_OUT_GAMES:
        raise ValueError(f"to fit a forecast takes {HELD_OUT_GAMES} games or more, not {games}")
    options.check_writable(file)
    make_ready([player])
    found = write_forecast(file, kagiya.parse_rules(rules, players), player, games, seed, typed_command()).provenance
    out.print(
        f"{file}: {found['rows']:,} positions; on games held out it is wrong by {found['held_out_error']:.2f} points "
        f"(root mean square; the scores themselves vary by {found['held_out_spread']:.2f})",
        soft_wrap=True,
    )


def fractions(text: str, option: str) -> list[float]:
    """Numbers separated by commas."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} must be numbers separated by commas, not {text!r}") from None


RuleSet = Annotated[
    Literal["canaan", "canaan-old", "all"],
    typer.Option(
        "--rule-set",
        help="[bold]canaan[/]: the order of Canaan et al.'s rules; [bold]canaan-old[/]: without their own; "
        "[bold]all[/]: lists of any tactics, thresholds and limits.",
    ),
]
Players = Annotated[int, typer.Option("--players", "-p", help="2 to 5.")]
RunFolder = Annotated[
    Path | None,
    typer.Option("--folder", help="Where the run is kept, to go on from. Default: evolution-RULESET-PLAYERS."),
]
EvolveSeed = Annotated[int, typer.Option("--seed", "-s", help="Decides every random choice and every fitness deck.")]


@options.grouped
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
    folder: RunFolder = None,
    workers: options.WorkerCount = None,
    store: options.OptionalStore = None,
    *,
    output: options.Output,
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
    from kagiya.lab.training.algorithm import EvolutionPlan
    from kagiya.lab.training.evolution import EvolutionTask, check_task, evolve as breed_lists

    plan = EvolutionPlan(population, elite, tournament, crossover, mutation, islands, games=games, seed=seed)
    task = EvolutionTask(rule_set, rules, players, tuple(start or ()), plan)
    check_count("generations", generations, 1)
    check_count("report-games", report_games, 2)
    check_task(task)
    means = RunOptions(workers=workers, store=store)
    home = ready(folder or Path(f"evolution-{rule_set}-{players}"))
    try:
        with late_bar("evolving", generations) if err.is_terminal else nullcontext(ignore) as advance:
            evolution = breed_lists(task, home, generations, workers, reporter(advance, generations))
        chosen = choose_best(evolution, report_games, means)
    except KeyboardInterrupt:
        complain(f"interrupted; the finished generations are in {home}, and the same command goes on from there")
        raise interruption() from None
    present(evolution, chosen, home, output)


def reporter(advance: Advance, generations: int) -> Callable[[Evolution], None]:
    """Moves the bar; where there is none, a line now and then says how far it is and how good the best are."""
    from kagiya.cli.contest_tables import draw_progress

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
    """Progress that is not shown."""


def choose_best(evolution: Evolution, games: int, means: RunOptions) -> SelectedList:
    """Play the finalists and the best of them, with a bar."""
    from kagiya.lab.training.evolution import FINALISTS, choose

    total = games * (min(FINALISTS, len(evolution.best)) + 1)
    with open_runner(means, total, "choosing") as runner:
        return choose(evolution, games, runner, means.workers)


def present(evolution: Evolution, chosen: SelectedList, home: Path, output: options.Output) -> None:
    """Keep the result beside the run, and print it."""
    from kagiya.cli.contest_tables import draw_evolution
    from kagiya.lab.provenance import provenance, write_result

    counts = {"generations": evolution.generation, "games": evolution.games, "seconds": round(evolution.seconds, 1)}
    data = {"made": provenance(typed_command()), "task": evolution.task.to_json(), **counts, **chosen.to_json()}
    write_result(home / "result.json", data | {"history": evolution.history})
    output.present(lambda: data, lambda: draw_evolution(evolution, chosen))


def map_elites(
    rule_set: RuleSet = "all",
    players: Players = 2,
    rules: options.Rules = "goodman",
    candidates: Annotated[int, typer.Option("--candidates", "-c", help="Lists to try in all; more go on.")] = 20_000,
    cells: Annotated[int, typer.Option("--cells", help="To a side of the map.")] = 20,
    games: Annotated[int, typer.Option("--games", "-n", help="Of each candidate.")] = 100,
    report_games: Annotated[int, typer.Option("--report-games", help="Of each elite, from seed 1 on.")] = 1_000,
    seed: EvolveSeed = 1,
    folder: RunFolder = None,
    picture: Annotated[
        list[Path] | None, typer.Option("--picture", help="Draw the map: PNG, SVG or PDF by its ending.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json-file", help="Write the map to this file, too.")] = None,
    workers: options.WorkerCount = None,
    as_json: options.Json = False,
) -> None:
    """Find the best list of every style (MAP-Elites): how much it tells, and how sure it is of what it plays.

    Communication is the share of turns with a token on which a hint is given;
    caution the mean chance to fit, in the player's eyes, of the cards played.
    Every batch is kept; after Ctrl-C the same command goes on.

    [bold]Examples[/]
      kagiya dev map-elites --players 2 --candidates 50000 --picture map.png
    """
    from kagiya.lab.papers.figures import check_picture
    from kagiya.lab.training.evolution import MapTask, grow, load_map, measured_map, save_map

    for path in picture or []:
        check_picture(path)
    task = MapTask(rule_set, rules, players, cells, games=games, seed=seed)
    check_count("candidates", candidates, 1)
    check_count("report-games", report_games, 2)
    kagiya.parse_rules(rules, players)
    RunOptions(workers=workers)
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
    from kagiya.lab.papers.pictures import draw_behaviours
    from kagiya.lab.provenance import provenance, write_result

    data = {"made": provenance(typed_command()), **data}
    if json_file is not None:
        write_result(json_file, data)
    for path in pictures:
        draw_behaviours(data, path)
    if as_json:
        write_plain(json.dumps(data))
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
    from kagiya.agents.tactics.vocabulary import tactics

    folder.mkdir(parents=True, exist_ok=True)
    uses = [f"{tactic.name}(0)" if tactic.value else tactic.name for tactic in tactics().values()]
    make_ready([rebuild_agent(f"rules({', '.join(uses)})")])
    return folder


def check_count(name: str, value: int, least: int) -> None:
    """Refuse a number that is too small."""
    if value < least:
        raise ValueError(f"--{name} must be an integer of at least {least}, not {value}")
