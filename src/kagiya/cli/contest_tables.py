"""Results of contests in the terminal: matches, comparisons, cross-play, leagues, tournaments and evolutions."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from rich.text import Text

from kagiya import Match, PublishedFigure, parse_rules, published_figures
from kagiya.cards import SEAT_NAMES
from kagiya.cli.console import QUIET
from kagiya.cli.terminal_board import REGRET_COLUMNS, draw_regret, regret_cells
from kagiya.cli.text_table import (
    ColumnKind,
    Part,
    TextCell,
    TextColumn,
    TextTable,
    count_cell,
    mean_cell,
    name_cell,
    number_cell,
    percent,
    rate_text,
    rules_line,
    share_cell,
    who,
)
from kagiya.lab.deals import OWN, seed_text
from kagiya.lab.summary import FEW_GAMES, MIN_GAMES, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kagiya.lab.comparison import Comparison, Verdict
    from kagiya.lab.league import League
    from kagiya.lab.match.runner import MatchResult
    from kagiya.lab.review.opinions import Agreement, Analysis
    from kagiya.lab.store.queries import GameTally
    from kagiya.lab.tournament import Cell as TeamCell, Crossplay, Placing
    from kagiya.lab.training.evolution import Evolution, SelectedList
    from kagiya.search.player_styles import PlayerStyle


def draw_comparison(comparison: Comparison, pairs: Sequence[Verdict]) -> list[Part]:
    """The teams, best first, and a sentence for each pair."""
    sentences = [Text(pair.verdict(), "bold green" if pair.is_sure else "yellow") for pair in pairs]
    holm = ", corrected for the number of pairs (Holm)" if len(pairs) > 1 else ""
    sure = f"intervals at {100 * comparison.confidence:g} %"
    note = Text(f"{pairs[0].test}{holm}; {sure}; seeds from {comparison.seed}", QUIET)
    return [rules_line(comparison.rules), Text(""), _teams(comparison), Text(""), *sentences, Text(""), note]


def _teams(comparison: Comparison) -> TextTable:
    table = TextTable(
        [
            TextColumn("self-play", ColumnKind.NAME),
            *(TextColumn("mean"), TextColumn("s.e."), TextColumn("sd", leaves=2)),
            *(TextColumn("perfect", leaves=5), TextColumn("bombs", leaves=6)),
            *REGRET_COLUMNS,
        ]
    )
    for text, found in sorted(comparison.summaries().items(), key=lambda item: -item[1].mean):
        means = (number_cell(found.mean, 3), number_cell(found.se, 3), number_cell(found.sd, 2))
        table.add(text, *means, share_cell(found.perfect_rate), share_cell(found.bomb_rate), *regret_cells(found))
    return table


def draw_crossplay(crossplay: Crossplay) -> TextTable:
    """The means, guests down, hosts across."""
    columns = [TextColumn(host, is_agent=True) for host in crossplay.agents]
    title = f"One of the row with {crossplay.players - 1} of the column, mean ± s.e."
    table = TextTable(
        [TextColumn("", ColumnKind.NAME), *columns], title=title, caption=caption(crossplay), errors_leave=1
    )
    for guest in crossplay.agents:
        table.add(guest, *(mean_of(crossplay.cells.get((guest, host))) for host in crossplay.agents))
    return table


def draw_teams(cells: dict[TeamCell, GameTally]) -> TextTable:
    """A line for each team."""
    from kagiya.lab.tournament import team_of

    table = TextTable(
        [
            TextColumn("team", ColumnKind.NAME),
            *(TextColumn("rules", ColumnKind.TEXT), TextColumn("players", leaves=6), TextColumn("games", leaves=5)),
            *(TextColumn("mean"), TextColumn("perfect", leaves=3), TextColumn("bombs", leaves=4)),
            *(TextColumn("direct", leaves=1), TextColumn("indirect", leaves=1), TextColumn("total", leaves=2)),
        ]
    )
    for (rules, players, cell), tally in cells.items():
        rates = [share_cell(count / tally.games) for count in (tally.perfect, tally.bombs)]
        regret = [number_cell(lost, 2) for lost in (tally.direct, tally.indirect, tally.direct + tally.indirect)]
        team = " + ".join(team_of(cell, players))
        table.add(team, rules, players, tally.games, mean_of(tally), *rates, *regret)
    return table


def caption(crossplay: Crossplay) -> str:
    """The rules, without which no score is shown."""
    return f"{crossplay.rules}: {parse_rules(crossplay.rules, crossplay.players).caption()}"


def mean_of(tally: GameTally | None) -> TextCell:
    """A mean with its standard error."""
    return mean_cell(None, None) if tally is None else mean_cell(tally.mean, tally.se)


OWN_STYLE = "bold green"  # who was played just now, among those measured before


def draw_league(league: League) -> list[Part]:
    """The rules, the ranking, and what its marks mean."""
    return [ranking(league), *marks(league)]


def ranking(league: League) -> TextTable:
    """A line for each agent, best first."""
    table = TextTable(
        [
            TextColumn("", style=QUIET),
            TextColumn("agent", ColumnKind.NAME),
            *(TextColumn(f"{count} players", leaves=2) for count in league.players),
            TextColumn("mean", style="bold"),
        ],
        title="Self-play, mean score ± standard error",
        caption=f"{league.rules}: {league.caption()}",
        errors_leave=1,
    )
    for place, row in enumerate(league.rows(), 1):
        cells = [row.cells.get(count) for count in league.players]
        means = [mean_cell(None, None) if cell is None else mean_cell(cell.mean, cell.se) for cell in cells]
        name = name_cell(row.agent.text, " *" if row.agent.info.mark else "")
        own = bool(league.others) and not row.is_measured_before
        table.add(place, name, *means, number_cell(row.mean, 2), style=OWN_STYLE if own else "")
    return table


def marks(league: League) -> Iterator[Text]:
    """What the stars beside the names mean: who sees what no player may."""
    if league.others:
        played = ", ".join(row.agent.text for row in league.rows() if not row.is_measured_before)
        yield Text(f"played now: {played or 'none'}; all others were measured before", QUIET)
    marked = {row.agent.info.mark for row in league.rows() if row.agent.info.mark}
    if marked:
        yield Text.assemble(("* ", "yellow"), (" or ".join(sorted(marked)), QUIET))


def draw_ranking(track: str, placings: Sequence[Placing], rules: str) -> TextTable:
    """A line for each entrant, best first. Where it is too wide, late moves and forfeits leave first."""
    caption = parse_rules(rules, 2).caption().split("; ", 1)[1]
    counts = sorted({players for placing in placings for players in placing.by_players})
    table = TextTable(
        [
            TextColumn("", style="dim"),
            TextColumn("agent", ColumnKind.NAME),
            *(TextColumn(f"{count} players", leaves=4) for count in counts),
            TextColumn("mean"),
            TextColumn("95 % interval", leaves=3),
            TextColumn("late", leaves=2),
            TextColumn("forfeits", leaves=1),
        ],
        title=f"{track.capitalize()} track, mean score",
        caption=f"{rules}: {caption}",
    )
    for place, placing in enumerate(placings, 1):
        table.add(place, placing.agent, *numbers(placing, counts))
    return table


def numbers(placing: Placing, counts: Sequence[int]) -> list[TextCell | int]:
    """The numbers of one line."""
    cells = [placing.by_players.get(count) for count in counts]
    low, high = placing.interval
    interval = "-" if low != low else f"{low:.2f} to {high:.2f}"
    means = [number_cell(None if cell is None else cell.mean, 2) for cell in cells]
    mean = TextCell(f"{placing.mean:.2f}", value=placing.mean, error_value=mean_cell(0, placing.se).error_value)
    return [*means, mean, TextCell(interval), placing.overtime, placing.forfeits]


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


def draw_histogram(summary: Summary) -> TextTable:
    """A bar for each score between the lowest and the highest that occurred."""
    counts = summary.histogram
    scores = [score for score, count in enumerate(counts) if count]
    table = TextTable(
        [TextColumn("score"), TextColumn("", ColumnKind.BAR), TextColumn("games"), TextColumn("share", style=QUIET)]
    )
    for score in range(scores[0], scores[-1] + 1):
        style = "green" if score == len(counts) - 1 else "yellow" if score else "red"
        drawn = TextCell(bar(counts[score] / max(counts)), style=style)
        table.add(score, drawn, counts[score], share_cell(counts[score] / summary.games))
    return table


def bar(part: float) -> str:
    """A bar this part of the full width, to an eighth of a character; never empty for what is not nothing."""
    eighths = max(round(part * BAR_WIDTH * 8), 1 if part else 0)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _numbers(summary: Summary) -> TextTable:
    cells = {
        "games": TextCell(f"{summary.games:,}", value=summary.games),
        "mean": number_cell(summary.mean, 3, "bold green"),
        "s.e.": number_cell(summary.se, 3),
        "sd": number_cell(summary.sd, 2),
        "perfect": share_cell(summary.perfect_rate),
        "bombs": share_cell(summary.bomb_rate),
        "points": number_cell(summary.mean_points, 2),
        "turns": number_cell(summary.mean_turns, 1),
    }
    table = TextTable([TextColumn(name) for name in cells])
    table.add(*cells.values())
    return table


def _intervals(summary: Summary) -> Iterator[Text]:
    """How well the numbers are known."""
    if summary.games < MIN_GAMES:
        yield Text(f"no intervals: they take {MIN_GAMES} games or more", QUIET)
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


def draw_evolution(evolution: Evolution, chosen: SelectedList) -> list[Part]:
    """The rules that matter, in order, then how good they are."""
    task, report = evolution.task, chosen.report
    table = TextTable(
        [
            TextColumn("", style=QUIET),
            TextColumn("rule", ColumnKind.TEXT),
            TextColumn("what it does", ColumnKind.PROSE, style=QUIET),
        ]
    )
    for place, use in enumerate(chosen.uses, 1):
        table.add(place, str(use), use.tactic.meaning)
    mean, se, zero = (number_cell(each, 3).text for each in (report.mean, report.se, chosen.mean_if_bombs_are_zero))
    score = f"mean {mean} ± {se} s.e. in {report.games:,} games that chose nothing"
    spent = (
        f"{evolution.generation} generations, {evolution.games:,} games, {evolution.seconds:,.0f} s of processor time"
    )
    rules = rules_line(parse_rules(task.rules, task.players))
    return [rules, Text(""), table, Text(""), Text(f"{score}; {zero} if a bomb scores 0", "bold"), Text(spent, QUIET)]


def draw_progress(evolution: Evolution, generations: int) -> str:
    """One line about the generation that was just finished."""
    last = evolution.history[-1]
    return f"generation {evolution.generation} of {generations}: best {last['best']:.2f}, middle {last['middle']:.2f}"


def draw_analysis(found: Analysis) -> list[Part]:
    """Games by one set of rules, in the tables of a match and one more."""
    ends = ", ".join(f"{count:,} {end}" for end, count in found.ends.items())
    heading: list[Part] = [Text(who(found.seats), "bold"), rules_line(found.rules), Text(f"ended: {ends}", QUIET)]
    return [*heading, Text(""), *draw_summary(found.summary, found.seats), Text(""), _figures(found), Text("")]


def _figures(found: Analysis) -> TextTable:
    """The means of what hanab.live shows beside the score."""
    table = TextTable([TextColumn("lowest pace"), TextColumn("efficiency"), TextColumn("bottom-deck risks")])
    table.add(*(number_cell(found.mean(name), 2) for name in ("lowest_pace", "efficiency", "bottom_deck_risks")))
    return table


def draw_agreement(found: Agreement, mark: str) -> list[Part]:
    """A line for each seat: moves asked about, and the share in which the agent would have moved the same."""
    from kagiya.lab.review.opinions import KINDS

    games = f"{found.games:,} game{'' if found.games == 1 else 's'}"
    title = Text.assemble((found.agent, "bold"), (f" in every seat of {games}", QUIET))
    heads = [TextColumn("moves"), TextColumn("the same"), *(TextColumn(f"{kind}s") for kind in KINDS)]
    table = TextTable([TextColumn("seat", ColumnKind.LABEL, style="default"), *heads])
    for seat in range(found.seats):
        table.add(SEAT_NAMES[seat], *_cells(found, seat))
    table.add("all", *_cells(found, None), style="bold")
    marks: list[Part] = [Text(f"{found.agent} {mark}: no player may", "bold yellow")] if mark else []
    return [title, *marks, Text(""), table]


def _cells(found: Agreement, seat: int | None) -> list[TextCell]:
    from kagiya.lab.review.opinions import KINDS

    total = found.tally(seat)
    tallies = [total, *(found.tally(seat, kind) for kind in KINDS)]
    return [count_cell(total.asked), *(share_cell(tally.share) for tally in tallies)]


SHOWN_FITS = 5


def draw_styles(players: Sequence[PlayerStyle], left_out: Mapping[str, str]) -> list[Part]:
    """For each player a sentence and the likeliest agents; then who could not be asked."""
    parts = [part for each in players for part in _style_parts(each)]
    if left_out:
        parts.append(Text(f"not asked, by the rules of these games: {', '.join(left_out)}", QUIET))
    return parts


def _style_parts(found: PlayerStyle) -> list[Part]:
    from kagiya.search.player_styles import TOGETHER

    likeliest = found.fits[0].agent if found.is_known else "nobody who was asked"
    subject = "all together play" if found.player == TOGETHER else f"{found.player} plays"
    seen = f"; {found.games:,} game{'' if found.games == 1 else 's'}, {found.moves:,} moves seen"
    title = Text.assemble((f"{subject} like {likeliest}", "bold"), (seen, QUIET))
    heads = [TextColumn(name) for name in ("posterior", "explained", "behind a move")]
    table = TextTable([TextColumn("agent", ColumnKind.NAME), *heads])
    for fit in found.fits[:SHOWN_FITS]:
        posterior, behind = (number_cell(value, 3) for value in (fit.posterior, fit.behind))
        table.add(name_cell(fit.agent), posterior, share_cell(fit.explained), behind)
    return [title, Text(""), table, Text("")]
