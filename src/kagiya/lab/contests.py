"""Contests in one line of Python, played as the commands of the same names do, and what a store has of such games.

All return a `ContestResult`: a ranking, a matrix with errors, a frame of pandas, a picture, a table in a notebook.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya._jit import JIT_OFF
from kagiya.agents.api import Agent
from kagiya.agents.register import as_agent, prompt_agents
from kagiya.drawing.charts import shaded_table
from kagiya.lab import tournament as meetings
from kagiya.lab.comparison import Comparison, play_comparison
from kagiya.lab.experiment import PlannedMatch, one_of
from kagiya.lab.league import League, league_matches, play_league
from kagiya.lab.match.match import FIRST_SEED, Match
from kagiya.lab.match.runner import Runner
from kagiya.lab.papers.figures import Setting, crossplay_figure, ranking_figure, scores_figure
from kagiya.lab.store.cells import MEASURES, measured_cells
from kagiya.lab.store.queries import GameFilter, GameTally, chosen_teams, settled
from kagiya.lab.store.recording import Recording, RunReport, run_matches
from kagiya.lab.store.store import MEMORY, Store
from kagiya.lab.summary import CONFIDENCE, MIN_GAMES, Summary, frame, normal_quantile
from kagiya.lab.table.compilation import compile_steps, helpers
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.workers import LocalWorkers

USUAL_PLAYERS = 3
STATISTICS = ("games", "mean", "se", "sd", "perfect_rate", "bomb_rate", "mean_points", "mean_turns")
LESS, WITH, PLAYERS = "less", "with", "players"  # what the columns of a matrix are
UNKNOWN = math.nan, math.nan
Place = Path | str | None  # of a store; None for none
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RankedAgent:
    """A line of a ranking: an agent, its mean, the standard error, and the track of a tournament."""

    agent: str
    mean: float
    se: float
    track: str = ""

    @property
    def label(self) -> str:
        """The agent, and the track if there is one."""
        return f"{self.agent}, {self.track}" if self.track else self.agent

    def __str__(self) -> str:
        return f"{self.mean:.2f} ± {self.se:.2f}"


@dataclass(frozen=True, repr=False)
class ContestResult:
    """What a contest came to. Printed, or as the value of a notebook's cell, it is a table.

    `ranked` has the best first, each with `agent`, `mean`, `se`, and in a tournament its `track`.
    """

    title: str  # with the rules, without which no score is shown
    by: str  # which column of `rows` the columns of the matrix are
    rows: Sequence[Row]  # a cell each: "agent", its column, "mean", "se" and more
    ranked: Sequence[RankedAgent]  # best first
    notes: Sequence[str]  # what the cells are, verdicts, what went wrong
    details: Any  # all that was found: a Comparison, League, RunReport or Store of `kagiya.lab`

    @cached_property
    def columns(self) -> list[Any]:
        """Of the matrix: agents, best first, or numbers of players."""
        order = [row.agent for row in self.ranked]
        found = {row[self.by] for row in self.rows}
        return sorted(found, key=lambda each: (order.index(each) if each in order else len(order), each))

    @cached_property
    def cells(self) -> dict[tuple[str, Any], tuple[float, float]]:
        """By label and column: the mean and its standard error."""
        return {(_label(row), row[self.by]): (row["mean"], row["se"]) for row in self.rows}

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """The means: a row for each of `ranked`, a column for each of `columns`; NaN where nothing was played."""
        return self._part(0)

    @property
    def errors(self) -> npt.NDArray[np.float64]:
        """The standard errors of `matrix`."""
        return self._part(1)

    def _part(self, part: int) -> npt.NDArray[np.float64]:
        found = [[self.cells.get((row.label, each), UNKNOWN)[part] for each in self.columns] for row in self.ranked]
        return np.array(found, float).reshape(len(self.ranked), len(self.columns))

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each cell."""
        return frame(self.rows)

    def figure(self, path: Path | str | None = None) -> Any:
        """The picture, a matplotlib figure that notebooks show; also a file, PNG, SVG or PDF, if one is named."""
        return DRAW[self.by](self, None if path is None else Path(path))

    def __repr__(self) -> str:
        width = max((len(row.label) for row in self.ranked), default=0)
        lines = [f"{place:3} {row.label:{width}} {row}" for place, row in enumerate(self.ranked, 1)]
        return "\n".join([self.title, *lines, *self.notes])

    def _repr_html_(self) -> str:
        head = ["", *(f"{each} players" if self.by == PLAYERS else each for each in self.columns), "mean"]
        lines = [(row.label, [self.cells.get((row.label, each)) for each in self.columns]) for row in self.ranked]
        return shaded_table(self.title, head, lines, list(map(str, self.ranked)), self.notes)


class StoreResult(ContestResult):
    """What a store has: of one set of rules and one number of players the cross-play, and everything by `sql`."""

    def sql(self, query: str) -> Any:
        """The answer to a query as a pandas DataFrame; the tables are those of `kagiya sql`."""
        return self.details.pandas(query)


def compare(
    *agents: Any,
    players: int | None = None,
    games: int = 10_000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "standard",
    until_sure: bool = False,
    confidence: float = CONFIDENCE,
    store: Place = None,
    workers: int | None = None,
) -> ContestResult:
    """Which agent is better: each plays with copies of itself, all on the same decks, as in `kagiya compare`.

    >>> found = compare("vdb", "iggi", players=3, games=500)
    >>> found.ranked[0].agent, bool(found.matrix[0, 1] > 0)
    ('vdb', True)

    An agent is a text, or what `as_agent` takes, such as a class of your own. The matrix has the differences, row less
    column; `notes` say which are sure. With `until_sure` it ends when every pair is told apart, after `games` decks
    at most. With `store`, a folder, every game is kept, and what is there already is not played again.
    """
    table = _table(rules, players)
    played = Comparison(table, _entered(agents), games, seed, confidence)
    with _runner(played.agents, store, workers) as runner:
        play_comparison(played, runner, until_sure)
    problems = _problems(played, [played.error], played.decks)
    pairs = [found for each in played.differences() for found in (each, each.reversed())]
    rows = [{"agent": each.first, LESS: each.second, **each.to_json()} for each in pairs]
    verdicts = [each.verdict() for each in (played.evidence() if until_sure else played.differences())]
    ranked = _best_first(RankedAgent(agent, each.mean, each.se) for agent, each in played.summaries().items())
    title = _title(table, f"{played.decks:,} decks", seed)
    return ContestResult(title, LESS, rows, ranked, ["cells: row less column", *verdicts, *problems], played)


def crossplay(
    *agents: Any,
    players: int | None = None,
    games: int = 1000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "standard",
    store: Place = None,
    workers: int | None = None,
) -> ContestResult:
    """Who gets along with whom: one of each agent (row) with copies of each (column), as in `kagiya crossplay`.

    >>> found = crossplay("smartbot", "vdb", "iggi", games=200)
    >>> found.matrix.shape, found.figure("crossplay.png")

    Ranked by the mean with the others, each counting alike. `agents` and `store` are those of `compare`.
    """
    table = _table(rules, players)
    planned = [
        PlannedMatch(Match.of(table, each.team, each.games, seed + each.offset), table.text(), table.players, each.cell)
        for each in one_of(_entered(agents), table.players, games, random.Random(seed))
    ]
    found, report = _played(planned, store, workers, "kagiya.crossplay")
    rows = [{"agent": one, WITH: others, **_statistics(tally)} for (_, _, (one, others)), tally in found.items()]
    notes = [_seated(table), *_problems(report, report.errors, len(rows))]
    return ContestResult(_title(table, f"{games:,} games a pair", seed), WITH, rows, _ranked(rows), notes, report)


def tournament(
    *agents: Any,
    track: str = "both",
    pool: Sequence[Any] = (),
    players: Sequence[int] | int = (2, 3, 4, 5),
    games: int = 1000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "goodman",
    store: Place = None,
    workers: int | None = None,
) -> ContestResult:
    """With copies of oneself (track "mirror"), and alone among copies of each partner ("mixed").

    >>> tournament("vdb", "iggi", track="mixed", players=(2, 3), games=200).to_pandas()

    As in `kagiya tournament`, but without a clock. `pool`: the partners, by default the entrants. `agents` and `store`
    are those of `compare`.
    """
    entrants, tracks = _entered(agents), meetings.TRACKS if track == "both" else (track,)
    if not set(tracks) <= set(meetings.TRACKS):
        raise ValueError(f"a track is {', '.join(meetings.TRACKS)} or both, not {track!r}")
    partners, counts, text = _entered(pool) or entrants, _counts(players), _text(rules)
    planned = meetings.Tournament(entrants, partners, tracks, counts, text, games, seed).plan()
    found, report = _played(planned, store, workers, "kagiya.tournament")
    rows = [
        {"track": name, "agent": agent, PLAYERS: count, **_statistics(tally)}
        for (_, count, (name, agent)), tally in found.items()
    ]
    ranked = [line for name in tracks for line in _ranked([row for row in rows if row["track"] == name])]
    problems = _problems(report, report.errors, len(rows))
    title = _title(parse_rules(text, counts[0]), f"{games:,} games a partner", seed, is_one_table=False)
    return ContestResult(title, PLAYERS, rows, ranked, problems, report)


def league(
    *agents: Any,
    players: Sequence[int] | int = (2, 3, 4, 5),
    games: int = 500,
    seed: int = FIRST_SEED,
    rules: str | Rules = "standard",
    store: Place = None,
    workers: int | None = None,
) -> ContestResult:
    """Every agent with copies of itself, ranked by the mean over the numbers of players, as in `kagiya league`.

    >>> league("smartbot", "vdb", games=500).figure("league.png")

    Without agents: all but the searches. Agents in Python play a twentieth of the games. `agents` and `store` are
    those of `compare`.
    """
    played = League(_text(rules), games, seed)
    matches = league_matches(_entered(agents) or _entered(prompt_agents()), _counts(players), played)
    with _runner([match.agents[0] for match in matches], store, workers) as runner:
        play_league(played, matches, runner)
    rows = [
        {"agent": row.agent.text, PLAYERS: count, **_statistics(cell), "mark": row.agent.info.mark}
        for row in played.rows()
        for count, cell in sorted(row.cells.items())
    ]
    problems = _problems(played, map(ValueError, played.errors), len(rows))
    title = _title(parse_rules(played.rules, 2), f"{games:,} games a cell", seed, is_one_table=False)
    return ContestResult(title, PLAYERS, rows, _ranked(rows), problems, played)


def open_store(path: Place = None, players: int | None = None, rules: str | None = None) -> StoreResult:
    """What a store has, of each team the games of the code that played last, as in `kagiya results`; nothing is played.

    >>> found = open_store("results")
    >>> found.figure("crossplay.png")
    >>> found.sql("SELECT team, avg(score) FROM games GROUP BY team")

    Ranking, matrix and picture are by the rules that played last, or those named: the cross-play of one number of
    players; if agents played with themselves alone, the league. Without a path: the user's own store.
    """
    store, wanted = Store.read(path), GameFilter(rules, players)
    last = settled(wanted, chosen_teams(store.catalog, wanted))
    rows = _stored_rows(store, last)
    if last.rules is None or last.players is None or not rows:
        return StoreResult(f"{store.path}: no games", WITH, [], [], [], store)
    table = parse_rules(last.rules, last.players)
    if any(row["agent"] != row[WITH] for row in rows):
        title = f"{store.path}: {table.text()}: {table.caption()}"
        return StoreResult(title, WITH, rows, _ranked(rows), [_seated(table)], store)
    rows = [row for row in _stored_rows(store, replace(last, players=players)) if row["agent"] == row[WITH]]
    return StoreResult(f"{store.path}: {table.text()}: {_common(table)}", PLAYERS, rows, _ranked(rows), [], store)


def _stored_rows(store: Store, chosen: GameFilter) -> list[Row]:
    """A row for each guest and host, with each number of players."""
    teams = chosen_teams(store.catalog, chosen)
    found = [
        (count, members, each)
        for count in sorted({team.players for team in teams})
        for members, each in measured_cells(
            store, [team for team in teams if team.players == count], MEASURES["score"]
        ).items()
    ]
    return [
        {"agent": who[0], WITH: who[1], PLAYERS: count, "games": each.games, "mean": each.mean, "se": each.se}
        for count, who, each in found
        if len(who) == 2
    ]


def _draw_scores(found: ContestResult, path: Path | None) -> Any:
    scores = {agent: np.array(each.histogram) for agent, each in found.details.summaries().items()}
    return scores_figure({row.agent: scores[row.agent] for row in found.ranked}, Setting(found.title), path)


def _draw_crossplay(found: ContestResult, path: Path | None) -> Any:
    names = list(dict.fromkeys([*(row.agent for row in found.ranked), *found.columns]))
    cells = np.array([[found.cells.get((one, host), UNKNOWN) for host in names] for one in names], float)
    return crossplay_figure(names, cells[..., 0].tolist(), Setting(found.title), path, cells[..., 1].tolist())


def _draw_ranking(found: ContestResult, path: Path | None) -> Any:
    lines: dict[str, dict[str, Any]] = {row.label: {"agent": row.label, "players": {}} for row in found.ranked}
    for row in found.rows:
        reach = normal_quantile(CONFIDENCE) * row["se"]
        limits = (row["mean"] - reach, row["mean"] + reach) if row["games"] >= MIN_GAMES else (None, None)
        lines[_label(row)]["mark"] = row.get("mark", "")
        lines[_label(row)]["players"][str(row[PLAYERS])] = {"mean": row["mean"], "interval": limits}
    return ranking_figure(list(lines.values()), found.title, "Who scores how much", path)


DRAW = {LESS: _draw_scores, WITH: _draw_crossplay, PLAYERS: _draw_ranking}


def _label(row: Row) -> str:
    return RankedAgent(row["agent"], 0.0, 0.0, row.get("track", "")).label


def _ranked(rows: Sequence[Row]) -> list[RankedAgent]:
    """By the mean over an agent's cells, each counting alike; where it met others, without that of self-play."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row["agent"], []).append(row)
    return _best_first(
        _over([row for row in group if row.get(WITH, agent) != agent] or group) for agent, group in groups.items()
    )


def _over(rows: Sequence[Row]) -> RankedAgent:
    mean, error = sum(row["mean"] for row in rows), math.hypot(*(row["se"] for row in rows))
    return RankedAgent(rows[0]["agent"], mean / len(rows), error / len(rows), rows[0].get("track", ""))


def _best_first(ranked: Iterable[RankedAgent]) -> list[RankedAgent]:
    return sorted(ranked, key=lambda row: -row.mean)


def _statistics(found: GameTally | Summary) -> dict[str, Any]:
    data = found.to_json() if isinstance(found, GameTally) else asdict(found)
    means = {"mean": found.mean, "se": found.se}  # of few games not a number, and not null
    return (
        {name: data[name] for name in STATISTICS}
        | means
        | {name: data["regret"][name] for name in ("direct", "indirect")}
    )


def _entered(agents: Iterable[Any]) -> tuple[Agent, ...]:
    """Agents, each once; also given as a list."""
    found = list(agents)
    listed = found[0] if len(found) == 1 and isinstance(found[0], list | tuple) else found
    return tuple(dict.fromkeys(map(as_agent, listed)))


def _text(rules: str | Rules) -> str:
    return rules if isinstance(rules, str) else rules.text()


def _table(rules: str | Rules, players: int | None) -> Rules:
    usual = rules.players if isinstance(rules, Rules) else USUAL_PLAYERS
    return parse_rules(_text(rules), usual if players is None else players)


def _counts(players: Sequence[int] | int) -> tuple[int, ...]:
    return (players,) if isinstance(players, int) else tuple(players)


def _title(rules: Rules, games: str, seed: int, is_one_table: bool = True) -> str:
    """What must stand beside every score."""
    caption = rules.caption() if is_one_table else _common(rules)
    return f"{rules.text()}: {caption}; {games}, seeds from {seed}"


def _common(rules: Rules) -> str:
    """The rules as far as they do not depend on the number of players."""
    return rules.caption().split("; ", 1)[1]


def _seated(rules: Rules) -> str:
    return f"one of the row with {rules.players - 1} of the column"


def _problems(played: Comparison | League | RunReport, errors: Iterable[Exception | None], found: int) -> list[str]:
    """What a result lacks; if nothing was found, that is an error."""
    known = [error for error in errors if error is not None]
    if not found:
        raise known[0] if known else ValueError("nothing was played")
    return [*(["interrupted: of the games that were finished"] if played.interrupted else []), *map(str, known)]


@contextmanager
def _runner(agents: Iterable[Agent], store: Place, workers: int | None) -> Iterator[Runner]:
    """Plays on the threads of this process, and keeps the games where that is wanted."""
    _make_ready(agents)
    with LocalWorkers(workers) as pool:
        if store is None:
            yield Runner(pool)
            return
        with Store.open(store) as opened, Recording(opened, pool, "kagiya") as recording:
            yield recording


def _played(
    planned: Sequence[PlannedMatch], store: Place, workers: int | None, command: str
) -> tuple[dict[meetings.Cell, GameTally], RunReport]:
    """The games of these matches by cell, kept in a store for as long as that is open, or for good; what was done."""
    _make_ready(agent for each in planned for agent in each.match.agents)
    with Store.open(MEMORY if store is None else store) as opened:
        report = run_matches([each.match for each in planned], opened, command, LocalWorkers(workers))
        return meetings.tally_cells(opened, report, planned), report


def _make_ready(agents: Iterable[Agent]) -> None:
    """Compile what never was, with the help of other processes."""
    wanted = list(dict.fromkeys(agents))
    for_chunks = all(agent.is_compiled for agent in wanted)
    steps = [] if JIT_OFF else compile_steps(wanted, for_chunks)
    with helpers(wanted, steps, for_chunks):
        for step in steps:
            step.run()
