"""`kagiya compare`: which of some agents is the better one, and how sure that is."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kagiya.cli import options
from kagiya.cli.completion import agent_names
from kagiya.cli.errors import FAILED, complain, interruption, sentence
from kagiya.cli.progress import late_bar
from kagiya.cli.running import Cluster, Means, OptionalStore, WorkerCount, open_runner

if TYPE_CHECKING:
    from kagiya.lab.contests.comparison import Comparison, Verdict

GAMES, GAMES_UNTIL_SURE = 10_000, 1_000_000


def compare(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            autocompletion=agent_names,
            help="Two or more, written as in [bold]kagiya match[/].",
            show_default=False,
        ),
    ],
    players: Annotated[int, typer.Option("--players", "-p", help="2 to 5.")] = options.DEFAULT_PLAYERS,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", "-n", help=f"Decks. Default: {GAMES:,}; with --until-sure at most {GAMES_UNTIL_SURE:,}."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first deck; the others count up from it.")] = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    until_sure: Annotated[
        bool, typer.Option("--until-sure", help="Stop as soon as every pair is told apart with --confidence.")
    ] = False,
    confidence: Annotated[float, typer.Option("--confidence", "-c", help="Of intervals and verdicts.")] = 0.95,
    workers: WorkerCount = None,
    store: OptionalStore = None,
    cluster: Cluster = None,
    shown: options.Format = options.Shown.TEXT,
    as_json: options.Json = False,
) -> None:
    """Say which agent is better. Each plays with copies of itself, all on the same decks.

    The p-value is that of a paired t-test; for more than two agents it is
    corrected for the number of pairs (Holm). [bold]--until-sure[/] uses a test that
    may be looked at after every round and keeps its error rate all the same
    (testing by betting). Ctrl-C compares what was played.

    [bold]Examples[/]
      kagiya compare vdb iggi
      kagiya compare vdb iggi piers --players 4 --games 50000
      kagiya compare vdb iggi --until-sure --confidence 0.99
    """
    from kagiya.agents.register import find_agent
    from kagiya.lab.contests.comparison import Comparison
    from kagiya.rules import parse_rules

    entered = tuple(find_agent(text) for text in agents)
    limit = games if games is not None else GAMES_UNTIL_SURE if until_sure else GAMES
    comparison = Comparison(parse_rules(rules, players), entered, limit, seed, confidence, deals)
    means = Means(workers, cluster, store)
    means.make_ready(entered)
    play(comparison, until_sure, means)
    present(comparison, judge(comparison, until_sure), shown, as_json)
    leave(comparison, is_sequential=until_sure)


def play(comparison: Comparison, until_sure: bool, means: Means) -> None:
    """Play with a bar over all games; with a test that may stop early, over what is played at most."""
    from kagiya.lab.contests.comparison import play_comparison

    threading.Thread(target=load_statistics, daemon=True).start()
    total = None if until_sure else comparison.games * len(comparison.agents)
    with open_runner(means, total, "playing until sure" if until_sure else "playing") as runner:
        play_comparison(comparison, runner, until_sure)


def load_statistics() -> None:
    """Load what the tests need, which takes a second, while the games are played: Ctrl-C should not wait for it."""
    import scipy.optimize
    import scipy.stats  # noqa: F401


def judge(comparison: Comparison, until_sure: bool) -> Sequence[Verdict]:
    """What the tests say of every pair."""
    with late_bar("comparing", None):
        return comparison.evidence() if until_sure else comparison.differences()


def present(comparison: Comparison, pairs: Sequence[Verdict], shown: options.Shown, as_json: bool) -> None:
    """Table and verdicts on stdout, for a machine or for people."""
    if as_json:
        typer.echo(json.dumps(comparison_json(comparison, pairs)))
        return
    from kagiya.cli.drawing.comparison import draw_comparison
    from kagiya.cli.drawing.page import print_page

    print_page(draw_comparison(comparison, pairs), shown)


def comparison_json(comparison: Comparison, pairs: Sequence[Verdict]) -> dict[str, Any]:
    """One object with everything that was found."""
    return {
        "agents": [agent.text for agent in comparison.agents],
        "players": comparison.rules.players,
        "rules": comparison.rules.text(),
        "bomb_score": str(comparison.rules.bomb_score),
        "empty_hints": comparison.rules.empty_hints,
        "seed": comparison.seed,
        "decks": comparison.decks,
        "test": pairs[0].test,
        "comparisons": [pair.to_json() for pair in pairs],
        "teams": {text: summary.to_json() for text, summary in comparison.summaries().items()},
        "interrupted": comparison.interrupted,
        "error": None if comparison.error is None else str(comparison.error),
    }


def leave(comparison: Comparison, is_sequential: bool) -> None:
    """Say why a comparison is incomplete, and end the command accordingly."""
    of = f"{comparison.decks:,} of {comparison.games:,} decks" if not is_sequential else f"{comparison.decks:,} decks"
    if comparison.error is not None:
        complain(f"{sentence(comparison.error)}; the comparison is of {of}")
        raise typer.Exit(FAILED)
    if comparison.interrupted:
        complain(f"interrupted; the comparison is of {of}")
        raise interruption()
