"""What a match came to: the numbers, with the rules they were played by, and a histogram of the scores."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from rich.text import Text

from kagiya.cli.drawing.cards import QUIET
from kagiya.cli.drawing.losses import draw_regret
from kagiya.cli.drawing.page import Part
from kagiya.cli.drawing.story import rules_line, who
from kagiya.cli.drawing.table import Cell, Column, Kind, Table, number_cell, percent, rate_text, share_cell
from kagiya.lab.deals.live_deals import OWN, seed_text
from kagiya.lab.match.match import Match
from kagiya.lab.match.match_result import MatchResult
from kagiya.lab.papers.verdicts import PublishedFigure, published_figures
from kagiya.lab.statistics.summary import FEW_GAMES, FEWEST_GAMES, Summary

DEFAULT_PLAYERS, DEFAULT_RULES = 3, "standard"  # of `kagiya show`
BAR_WIDTH = 44
EIGHTHS = " ▏▎▍▌▋▊▉█"


def draw_result(result: MatchResult, workers: int) -> list[Part]:
    """Everything about one match."""
    summary, match = result.summary, result.match
    agents = [agent.text for agent in match.agents]
    parts: list[Part] = [Text(who(agents), "bold"), rules_line(match.rules), *_marks(match), *_deals(match)]
    parts += [Text(""), *draw_summary(summary, agents), *_published(match)]
    return [*parts, Text(""), *_worst(result), Text(_speed(result, workers), QUIET)]


def draw_summary(summary: Summary, agents: Sequence[str]) -> list[Part]:
    """What some games came to: the numbers, the scores, how well they are known, who lost the points."""
    numbers: list[Part] = [_numbers(summary), Text(""), draw_histogram(summary), Text("")]
    return [*numbers, *_intervals(summary), *_regret(summary, agents)]


def draw_histogram(summary: Summary) -> Table:
    """A bar for each score between the lowest and the highest that occurred."""
    counts = summary.histogram
    scores = [score for score, count in enumerate(counts) if count]
    table = Table([Column("score"), Column("", Kind.BAR), Column("games"), Column("share", style=QUIET)])
    for score in range(scores[0], scores[-1] + 1):
        style = "green" if score == len(counts) - 1 else "yellow" if score else "red"
        drawn = Cell(bar(counts[score] / max(counts)), style=style)
        table.add(score, drawn, counts[score], share_cell(counts[score] / summary.games))
    return table


def bar(part: float) -> str:
    """A bar this part of the full width, to an eighth of a character; never empty for what is not nothing."""
    eighths = max(round(part * BAR_WIDTH * 8), 1 if part else 0)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def number(value: float, digits: int) -> str:
    """A number, or a dash where there is none."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def _numbers(summary: Summary) -> Table:
    cells = {
        "games": Cell(f"{summary.games:,}", value=summary.games),
        "mean": number_cell(summary.mean, 3, "bold green"),
        "s.e.": number_cell(summary.se, 3),
        "sd": number_cell(summary.sd, 2),
        "perfect": share_cell(summary.perfect_rate),
        "bombs": share_cell(summary.bomb_rate),
        "points": number_cell(summary.mean_points, 2),
        "turns": number_cell(summary.mean_turns, 1),
    }
    table = Table([Column(name) for name in cells])
    table.add(*cells.values())
    return table


def _intervals(summary: Summary) -> Iterator[Text]:
    """How well the numbers are known."""
    if summary.games < FEWEST_GAMES:
        yield Text(f"no intervals: they take {FEWEST_GAMES} games or more", QUIET)
        return
    mean, again = (f"{low:.3f} to {high:.3f}" for low, high in (summary.interval(), summary.bootstrap_interval()))
    perfect, bombs = (
        f"{percent(low)} to {percent(high)}" for low, high in (summary.perfect_interval(), summary.bomb_interval())
    )
    yield Text(f"95 % intervals: mean {mean} (bootstrap {again})", QUIET)
    yield Text(f"                perfect {perfect}, bombs {bombs}", QUIET)
    if summary.games < FEW_GAMES:
        yield Text("few games: what was not seen yet, like a rare bomb, is not in the interval of the mean", QUIET)


def _regret(summary: Summary, agents: Sequence[str]) -> Iterator[Part]:
    if summary.regret is not None:
        yield Text("")
        yield draw_regret(summary.regret, agents)


def _worst(result: MatchResult) -> Iterator[Text]:
    """The games to look at first, and how to see one."""
    if result.worst and result.worst[0].score < result.match.rules.perfect_score:
        games = ", ".join(f"seed {game.seed} ({game.score})" for game in result.worst)
        yield Text(f"lowest scores: {games}")
        yield Text(f"see one: {show_command(result.match, result.worst[0].seed)}")


def show_command(match: Match, seed: int) -> str:
    """The command that shows one game of a match."""
    texts = [agent.text for agent in match.agents]
    agents = texts[:1] if len(set(texts)) == 1 else texts
    players = ["--players", str(len(texts))] if len(agents) == 1 and len(texts) != DEFAULT_PLAYERS else []
    rules = ["--rules", match.rules.text()] if match.rules.text() != DEFAULT_RULES else []
    deals = [] if match.deals == OWN else ["--deals", match.deals]
    return shlex.join(["kagiya", "show", *agents, *players, *rules, *deals, "--seed", str(seed)])


def _marks(match: Match) -> Iterator[Text]:
    for agent in dict.fromkeys(match.agents):
        if agent.info.mark:
            yield Text(f"{agent.text} {agent.info.mark}: no player may", "bold yellow")


def _deals(match: Match) -> Iterator[Text]:
    """Whose decks these are, if not ours."""
    if match.deals != OWN:
        first, last = (seed_text(match.rules, seed) for seed in (match.seed, match.seed + match.games - 1))
        yield Text(f"decks of hanab.live: {first} to {last}", QUIET)


def _published(match: Match) -> Iterator[Text]:
    """What was printed about the same agent and as many players, if it plays with itself."""
    agent = match.agents[0]
    if len(set(match.agents)) == 1:
        printed = published_figures(agent.info.id)
        alike = [each for each in printed if each.agent == agent.text and each.run.players == match.rules.players]
        yield from published_lines(alike)


def published_lines(figures: Sequence[PublishedFigure]) -> Iterator[Text]:
    """A line for the scores that one place prints of one agent by the same rules, after as many games."""
    alike: dict[tuple[Any, ...], list[PublishedFigure]] = {}
    for each in figures:
        alike.setdefault((each.agent, each.where, each.run.rules, each.figure.games), []).append(each)
    for (agent, where, rules, games), group in alike.items():
        who = "" if agent == group[0].agent_id else f" for {agent}"
        scores = ", ".join(f"{_printed(each)} ({each.run.players} players)" for each in group)
        played = "" if games is None else f", {games:,} games{' each' if len(group) > 1 else ''}"
        yield Text(f"published{who}: {scores}; rules {rules}{played} ({where})")


def _printed(published: PublishedFigure) -> str:
    error = "" if published.error is None else f" ± {published.error:.2g}"
    return f"{published.figure.value:.{published.figure.decimals}f}{error}"


def _speed(result: MatchResult, workers: int) -> str:
    games = result.games
    rate = games / result.seconds if result.seconds > 0 else 0.0
    threads = f"{workers} thread{'' if workers == 1 else 's'}"
    speed = f"{games:,} games in {result.seconds:.2f} s, {rate_text(rate)} games/s, {threads}"
    return f"seeds from {result.match.seed}; {speed}"
