"""`kagiya match`, `compare` and `league`: many games, which agent is better and how sure that is, and a ranking."""

from __future__ import annotations

import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import kagiya
from kagiya.cli import options
from kagiya.cli.console import FAILED, complain, err, interruption, sentence, write_plain
from kagiya.cli.run_options import RunOptions, late_bar, open_runner

if TYPE_CHECKING:
    from kagiya.lab.comparison import Comparison, Verdict
    from kagiya.lab.league import League, LeagueRow
    from kagiya.lab.match.runner import MatchResult


@options.grouped
def match(
    ctx: typer.Context,
    agents: options.Agents,
    players: options.Players = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games to play.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first game; the others count up from it.")] = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    *,
    means: RunOptions,
    output: options.Output,
) -> None:
    """Play many games and say how good they were: mean, spread, perfect games, bombs, histogram.

    One agent plays with itself; several take one seat each. The same seeds
    give the same games for any number of workers. Ctrl-C keeps what was played.

    [bold]Examples[/]
      kagiya match careful --games 10000
      kagiya match careful --players 5 --rules goodman
      kagiya match careful random careful
      kagiya match mymodule:MyAgent --json
      kagiya match careful --games 1000000 --store default    can be resumed
      kagiya match smartbot --deals live                      decks of hanab.live
    """

    from kagiya.cli.contest_tables import draw_result

    parsed, seated = options.read_seating(agents, players, rules)
    planned = kagiya.Match.of(parsed, seated, games, seed, deals=deals)
    means.make_ready(seated)
    result = play(planned, means)
    if result.games or output.as_json:
        output.present(result.to_json, lambda: draw_result(result, threads(planned, means.workers)))
    leave(result, is_debug=bool(ctx.find_root().params.get("debug")))


def play(planned: kagiya.Match, means: RunOptions) -> MatchResult:
    """Play with a bar that shows how far it is; the games are counted, not kept."""
    from kagiya.lab.match.runner import CountGames, MatchResult
    from kagiya.lab.summary import Totals

    sink = CountGames()
    with open_runner(means, planned.games) as runner:
        outcome = runner.play([planned], sink)
    totals = sink.totals.get(0, Totals())
    worst = tuple(sink.worst.get(0, ()))
    return MatchResult(planned, totals, outcome.seconds, outcome.interrupted, outcome.error, worst)


def threads(planned: kagiya.Match, workers: int | None) -> int:
    """How many threads the match runs on: Python seats allow only one."""
    from kagiya.runtime.workers import cores

    return (workers or cores()) if planned.is_compiled else 1


def leave(result: MatchResult, is_debug: bool) -> None:
    """Say why a match is incomplete, and end the command accordingly."""
    if result.error is not None and is_debug:
        raise result.error
    played = f"; the result is of {result.games:,} of {result.match.games:,} games" if result.games else ""
    leave_early(result.error, result.interrupted, played, played or "; no game was finished")


def leave_early(error: Exception | None, is_interrupted: bool, shown: str, shown_then: str = "") -> None:
    """End a command that did not come to its end, with what its result is of (`shown_then`: if interrupted)."""
    if error is not None:
        complain(f"{sentence(error)}{shown}")
        raise typer.Exit(FAILED)
    if is_interrupted:
        complain(f"interrupted{shown_then or shown}")
        raise interruption()


GAMES, GAMES_UNTIL_SURE = 10_000, 1_000_000


@options.grouped
def compare(
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...",
            autocompletion=options.agent_names,
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
    *,
    means: RunOptions,
    output: options.Output,
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
    from kagiya.cli.contest_tables import draw_comparison
    from kagiya.lab.comparison import Comparison

    entered = tuple(kagiya.find_agent(text) for text in agents)
    limit = games if games is not None else GAMES_UNTIL_SURE if until_sure else GAMES
    comparison = Comparison(kagiya.parse_rules(rules, players), entered, limit, seed, confidence, deals)
    means.make_ready(entered)
    play_comparison(comparison, until_sure, means)
    pairs = judge(comparison, until_sure)
    output.present(lambda: comparison_json(comparison, pairs), lambda: draw_comparison(comparison, pairs))
    leave_comparison(comparison, is_sequential=until_sure)


def play_comparison(comparison: Comparison, until_sure: bool, means: RunOptions) -> None:
    """Play with a bar over all games; with a test that may stop early, over what is played at most."""
    from kagiya.lab.comparison import play_comparison

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


def leave_comparison(comparison: Comparison, is_sequential: bool) -> None:
    """Say why a comparison is incomplete, and end the command accordingly."""
    of = f"{comparison.decks:,} of {comparison.games:,} decks" if not is_sequential else f"{comparison.decks:,} decks"
    leave_early(comparison.error, comparison.interrupted, f"; the comparison is of {of}")


Picture = Annotated[Path, typer.Option("--picture", help="Where the picture goes: PNG, SVG or PDF by its ending.")]


@options.grouped
def league(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT", autocompletion=options.agent_names, help="Who takes part; by default all but the searches."
        ),
    ] = None,
    joining: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="AGENT",
            autocompletion=options.agent_names,
            help="Play only this one, and place it among the results that come with Kagiya.",
        ),
    ] = None,
    players: Annotated[str, typer.Option("--players", "-p", help="Numbers of players.")] = "2,3,4,5",
    games: Annotated[int, typer.Option("--games", "-n", help="For each agent and number of players.")] = 500,
    seed: options.Seed = 1,
    rules: options.Rules = "standard",
    deals: options.Deals = "own",
    remeasure: Annotated[
        Literal["all", "outdated"],
        typer.Option(
            "--remeasure",
            help="Of a league that the [bold]--json-file[/] holds already, play [bold]all[/] again or what is "
            "[bold]outdated[/]: played by older code, unless its moves are proven the same.",
        ),
    ] = "all",
    picture: Picture = Path("league.png"),
    *,
    means: RunOptions,
    output: options.FileOutput,
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
      kagiya league --json-file mine.json --remeasure outdated
    """
    from kagiya.agents.register import prompt_agents
    from kagiya.lab.league import League, PlayedBy, league_matches
    from kagiya.lab.signature import signature_beside

    entered = [
        kagiya.find_agent(text) for text in dict.fromkeys([*(agents or []), *(joining or [])] or prompt_agents())
    ]
    result = League(rules, games, seed, deals)
    counts = player_counts(players)
    if joining and remeasure == "outdated":
        raise ValueError("--with plays one agent, and --remeasure what is outdated of a whole league: leave one out")
    if joining:
        result.others = measured_before([agent.text for agent in entered], counts, rules)
        if deals != "own":
            raise ValueError("--with places agents among results on our own deals: leave out --deals or --with")
    if remeasure == "outdated":
        result.others = up_to_date(output.json_file, result, counts, entered)
        entered = [agent for agent in entered if agent not in {row.agent for row in result.others}]
    if output.json_file is not None:  # the only place where a later league looks for them
        written = signature_beside(output.json_file)
        result.played_by = {agent.text: PlayedBy.today(agent, written) for agent in entered}
    matches = league_matches(entered, counts, result)
    means.make_ready(entered)
    play_league(result, matches, means)
    present_league(result, picture, output)
    leave_league(result)


def measured_before(entered: Sequence[str], counts: list[int], rules: str) -> list[LeagueRow]:
    """What all others scored when it was measured for the documents."""
    from kagiya.lab.league import measured_league

    stored = measured_league()
    if not stored.rows:
        raise ValueError("--with needs the league of the documents, results/league.json, which is not here; play all")
    if rules != stored.rules:
        raise ValueError(
            f"--with places agents among results by the rules {stored.rules}, not {rules}; "
            f"name all agents to play a league by other rules"
        )
    return stored.rows_of([agent for agent in stored.agents if agent.text not in entered], counts)


def up_to_date(file: Path | None, wanted: League, counts: list[int], agents: Sequence[kagiya.Agent]) -> list[LeagueRow]:
    """The rows of these agents in a league's file whose games today's code would play again."""
    from kagiya.lab.league import read_league
    from kagiya.lab.signature import signature_beside

    if file is None:
        raise ValueError("--remeasure outdated needs the league that is to be brought up to date: --json-file FILE")
    if not file.exists():
        return []
    stored = read_league(file)
    settings = [(each.rules, each.games, each.seed, each.deals) for each in (stored, wanted)]
    if settings[0] != settings[1] or stored.players != counts:
        raise ValueError(
            f"{file} was played with other rules, players, games, seeds or deals; give the same as it says under `made`"
        )
    written = signature_beside(file)
    return [row for row in stored.rows_of(agents, counts) if not row.is_outdated(written)]


def player_counts(text: str) -> list[int]:
    """The numbers in ``2,3,4,5``."""
    counts = [part.strip() for part in text.split(",")]
    if any(count not in ("2", "3", "4", "5") for count in counts):
        raise ValueError(f"--players takes numbers from 2 to 5 with commas between them, like 2,3,4,5; not {text!r}")
    return sorted({int(count) for count in counts})


def play_league(result: League, matches: list[kagiya.Match], means: RunOptions) -> None:
    """Play with a bar over all games of the league."""
    from kagiya.lab.league import play_league

    with open_runner(means, sum(match.games for match in matches)) as runner:
        play_league(result, matches, runner)


def present_league(result: League, picture: Path, output: options.FileOutput) -> None:
    """The ranking on stdout or as JSON, the picture, and the file if one is wanted."""
    from kagiya.cli.contest_tables import draw_league
    from kagiya.lab.papers.figures import league_figure

    if not (result.cells or (result.others and not result.interrupted and not result.errors)):
        if output.as_json:
            write_plain(json.dumps(options.with_provenance(result.to_json())))
        return
    league_figure(result.to_json(), picture)
    output.present(result.to_json, lambda: draw_league(result))
    if not output.as_json:
        err.print(f"\npicture: [bold]{picture}[/]", soft_wrap=True)


def leave_league(result: League) -> None:
    """Say what is missing, and end the command accordingly."""
    for error in result.errors:
        complain(error)
    if result.interrupted:
        shown = "the table and the picture show the matches that were finished"
        complain(f"interrupted; {shown if result.cells else 'no match was finished, so nothing is shown'}")
        raise interruption()
    if result.errors:
        raise typer.Exit(FAILED)
