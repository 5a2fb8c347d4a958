"""`kagiya train`: training data from searched games, the fit of a network; `kagiya dev goodman`: all of the paper's."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kagiya.cli import options
from kagiya.cli.compiling import make_ready
from kagiya.cli.console import err, out
from kagiya.cli.errors import complain, interruption
from kagiya.cli.progress import late_bar
from kagiya.cli.running import Cluster, Means, WorkerCount, open_cluster

if TYPE_CHECKING:
    from kagiya.lab.match.cluster import ClusterWorkers
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
Hidden = Annotated[str, typer.Option("--hidden", help="Units of the hidden layers, e.g. 30 or 64,32.")]
Loss = Annotated[str, typer.Option("--loss", help="squared, absolute or huber.")]
Rate = Annotated[float, typer.Option("--learning-rate", help="Of Adam.")]
L1 = Annotated[float, typer.Option("--l1", help="Penalty on the size of weights.")]
Batch = Annotated[int, typer.Option("--batch", help="Rows for each step.")]
Epochs = Annotated[int, typer.Option("--epochs", help="At most this many passes over the rows.")]
Patience = Annotated[int, typer.Option("--patience", help="Passes without a better held-out error before it stops.")]
Schedule = Annotated[
    str, typer.Option("--schedule", help="constant, or cosine: the rate falls to 0, and the last epoch is kept.")
]
TrainingSeed = Annotated[int, typer.Option("--training-seed", help="Of weights, batches and held-out games.")]


@train.command()
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
    workers: WorkerCount = None,
    cluster: Cluster = None,
) -> None:
    """Play games of a tree search and keep a row for every move of its trees that was tried often enough.

    A row is the 38 features of a position and a move, and the mean score that
    the search found for it. One Parquet file for each game: the same command
    goes on where it was interrupted, and more games are added to those there.

    [bold]Examples[/]
      kagiya train data rows "ris-mcts(rollout=random, steps=93000)" --games 300
      kagiya train data rows "ris-mcts(rollout=random, steps=93000)" --games 600
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.training.data import make_data
    from kagiya.lab.training.data_order import FIRST_SEED, DataOrder
    from kagiya.lab.training.harvest import HarvestTerms
    from kagiya.rules import parse_rules

    terms = HarvestTerms(min_visits, 0 if root_only else deepest)
    order = DataOrder(parse_rules(rules, players), find_agent(agent), games, seed or FIRST_SEED, terms)
    means = Means(workers, cluster)
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
def fit(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders of training data.")],
    model: Annotated[Path, typer.Option("--out", "-o", help="The network's file; its learning curve goes beside it.")],
    kind: Annotated[str, typer.Option("--kind", help="value, or rules for the rule classifier.")] = "value",
    root_only: Annotated[bool, typer.Option("--root-only", help="Only rows of positions that were played.")] = False,
    hidden: Hidden = "30",
    loss: Loss = "squared",
    learning_rate: Rate = 1e-4,
    l1: L1 = 1e-5,
    batch: Batch = 16,
    epochs: Epochs = 200,
    patience: Patience = 5,
    schedule: Schedule = "constant",
    training_seed: TrainingSeed = 1,
    as_json: options.Json = False,
) -> None:
    """Fit a network to training data; without options, with the settings that the paper gives.

    A tenth of the games is held out, and training stops when the error on
    them no longer falls; the best network is kept, also after Ctrl-C.

    [bold]Examples[/]
      kagiya train fit rows --out mine.safetensors
      kagiya train fit rows --out wide.safetensors --hidden 64,32 --batch 512
    """
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.training.data_folder import DataFolder
    from kagiya.lab.training.goodman import describe
    from kagiya.lab.training.learning import check_model_path, learn, write_learned
    from kagiya.learn.model_file import KINDS

    if kind not in KINDS:
        raise ValueError(f"--kind must be {' or '.join(KINDS)}, not {kind!r}")
    check_model_path(model)
    settings = fit_settings(hidden, loss, learning_rate, l1, batch, epochs, patience, schedule, training_seed)
    rows = [DataFolder(each) for each in folders]
    with late_bar("epochs", None) as advance:
        learned = learn(rows, kind, settings, 0 if root_only else None, lambda *_: advance(1))
    write_learned(model, learned, rows, command_line())
    typer.echo(json.dumps(learned.metrics()) if as_json else describe(learned.metrics()))
    if learned.curve.interrupted:
        complain(f"interrupted; the best network so far is in {model}")
        raise interruption()


def goodman(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="For the data and networks of all iterations.")],
    games: Annotated[str, typer.Option("--games", help="Games of the three iterations.")] = "300,100,100",
    steps: Annotated[str, typer.Option("--steps", help="Moves tried out for each move.")] = "31000,14000,7000",
    min_visits: Annotated[str, typer.Option("--min-visits", help="Moves tried less often make no row.")] = "50,20,20",
    c: Annotated[str, typer.Option("--c", help="Exploration of the three searches.")] = "0.1,0.1,3",
    pool: Annotated[
        str, typer.Option("--pool", help="Iterations that each network learns from, its own last.")
    ] = "1,1,2",
    hidden: Hidden = "30",
    loss: Loss = "squared",
    learning_rate: Rate = 3e-3,
    l1: L1 = 1e-5,
    batch: Batch = 512,
    epochs: Epochs = 40,
    patience: Patience = 5,
    schedule: Schedule = "cosine",
    training_seed: TrainingSeed = 1,
    workers: WorkerCount = None,
    cluster: Cluster = None,
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
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.training.goodman import GoodmanPlan, run_goodman, scaled

    settings = fit_settings(hidden, loss, learning_rate, l1, batch, epochs, patience, schedule, training_seed)
    visits = numbers(min_visits, "--min-visits")
    explores = fractions(c, "--c")
    pooled = numbers(pool, "--pool")
    rounds = scaled(numbers(games, "--games"), numbers(steps, "--steps"), visits, explores, pooled)
    means = Means(workers, cluster)
    try:
        with opened(means) as elsewhere, late_bar("games", sum(each.games for each in rounds)) as advance:
            plan = GoodmanPlan(folder, rounds, settings, workers, elsewhere)
            run_goodman(plan, command_line(), lambda text: err.print(text, soft_wrap=True, highlight=False), advance)
    except KeyboardInterrupt:
        complain(f"interrupted; what is finished is in {folder}, and the same command goes on from there")
        raise interruption() from None
    out.print(f"the networks are in {folder}: evalfn(model={plan.model(len(rounds))}, convention=playable-now)")


def opened(means: Means) -> AbstractContextManager[ClusterWorkers | None]:
    """The cluster that is to play, if one is."""
    return nullcontext() if means.cluster is None else open_cluster(means.cluster)


def fit_settings(
    hidden: str,
    loss: str,
    learning_rate: float,
    l1: float,
    batch: int,
    epochs: int,
    patience: int,
    schedule: str,
    training_seed: int,
) -> FitSettings:
    """The settings of a fit from the options of a command."""
    from kagiya.lab.training.fit import FitSettings

    widths = tuple(numbers(hidden, "--hidden"))
    return FitSettings(widths, loss, learning_rate, l1, batch, epochs, patience, seed=training_seed, schedule=schedule)


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
    from kagiya.agents.register import find_agent
    from kagiya.cli.seating import check_writable
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.training.policies import POLICIES, write_policies

    if games < 20 or passes < 1:
        raise ValueError("to train on moves takes 20 games or more, and a pass over them")
    check_writable(file)
    make_ready([find_agent(text) for text in POLICIES])
    found = write_policies(file, games, seed, passes, command_line()).provenance
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
    from kagiya.agents.register import find_agent
    from kagiya.cli.seating import check_writable
    from kagiya.lab.provenance.result_files import command_line
    from kagiya.lab.training.forecast import HELD_OUT, write_forecast
    from kagiya.rules import parse_rules

    player = find_agent(agent)
    if player.is_search or not player.is_compiled:
        raise ValueError(f"{player.text} searches or is written in Python; give a compiled agent that answers at once")
    if games < HELD_OUT:
        raise ValueError(f"to fit a forecast takes {HELD_OUT} games or more, not {games}")
    check_writable(file)
    make_ready([player])
    found = write_forecast(file, parse_rules(rules, players), player, games, seed, command_line()).provenance
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
