"""Contests in one line of Python, played as the commands of the same names do, and what a store has of such games.

All return a `ContestResult`: a ranking, a matrix with errors, a frame of pandas, a picture, a table in a notebook.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

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
from kagiya.lab.store.cells import MEASURES, Sums, measured_cells
from kagiya.lab.store.queries import GameFilter, GameTally, chosen_teams, list_seatings, settled
from kagiya.lab.store.recording import Recording, RunReport, run_matches
from kagiya.lab.store.store import MEMORY, Store
from kagiya.lab.summary import CONFIDENCE, MIN_GAMES, Summary, frame, normal_quantile
from kagiya.lab.table.compilation import compile_steps, helpers
from kagiya.lab.table.timed_table import Clock
from kagiya.rules import Rules, parse_rules
from kagiya.runtime.workers import LocalWorkers

USUAL_PLAYERS = 3
STATISTICS = ("games", "mean", "se", "sd", "perfect_rate", "bomb_rate", "mean_points", "mean_turns")
Kind = TypeVar("Kind", bound="ContestResult")
Mean = tuple[float, float]  # and its standard error


class RankedAgent(NamedTuple):
    """A line of a ranking."""

    agent: str
    mean: float
    se: float
    track: str = ""  # of a tournament

    @property
    def label(self) -> str:
        """The agent, and the track if there is one."""
        return f"{self.agent}, {self.track}" if self.track else self.agent


@dataclass(frozen=True, repr=False)
class ContestResult:
    """What a contest came to. Printed, or as the value of a notebook's cell, it is a table."""

    title: str  # with the rules, without which no score is shown
    ranked: Sequence[RankedAgent]  # best first
    columns: Sequence[str]  # of the matrix; its rows are those of `ranked`
    cells: Mapping[tuple[str, str], Mean]  # by label and column
    rows: Sequence[Mapping[str, Any]]  # of `to_pandas`
    notes: Sequence[str]  # what the cells are, verdicts, what went wrong
    draw: Callable[[Path | None], Any]
    details: Any = None  # all that was found: a Comparison, League, RunReport or Store of `kagiya.lab`

    @property
    def matrix(self) -> npt.NDArray[np.float64]:
        """The means: a row for each of `ranked`, a column for each of `columns`; NaN where nothing was played."""
        return self._part(0)

    @property
    def errors(self) -> npt.NDArray[np.float64]:
        """The standard errors of `matrix`."""
        return self._part(1)

    def _part(self, part: int) -> npt.NDArray[np.float64]:
        unknown = math.nan, math.nan
        found = [[self.cells.get((row.label, each), unknown)[part] for each in self.columns] for row in self.ranked]
        return np.array(found, float).reshape(len(self.ranked), len(self.columns))

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each cell."""
        return frame(self.rows)

    def figure(self, path: Path | str | None = None) -> Any:
        """The picture, a matplotlib figure that notebooks show; also a file, PNG, SVG or PDF, if one is named."""
        return self.draw(None if path is None else Path(path))

    def __repr__(self) -> str:
        width = max((len(row.label) for row in self.ranked), default=0)
        lines = [f"{place:3} {row.label:{width}} {_text(row)}" for place, row in enumerate(self.ranked, 1)]
        return "\n".join([self.title, *lines, *self.notes])

    def _repr_html_(self) -> str:
        head = ("", *self.columns, "mean")
        lines = [(row.label, [self.cells.get((row.label, each)) for each in self.columns]) for row in self.ranked]
        return shaded_table(self.title, head, lines, [_text(row) for row in self.ranked], self.notes)


def _text(row: RankedAgent) -> str:
    return f"{row.mean:.2f} ± {row.se:.2f}"


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
    store: Path | str | None = None,
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
    _raise_if_nothing(played.decks, [played.error])
    verdicts = played.evidence() if until_sure else played.differences()
    pairs = [found for each in played.differences() for found in (each, each.reversed())]
    summaries, title = played.summaries(), _title(table, f"{played.decks:,} decks", seed)
    scores = {agent: np.array(each.histogram) for agent, each in summaries.items()}
    ranked = _best_first(RankedAgent(agent, each.mean, each.se) for agent, each in summaries.items())
    return ContestResult(
        title,
        ranked,
        [row.agent for row in ranked],
        {(each.first, each.second): (each.mean, each.se) for each in pairs},
        [each.to_json() for each in verdicts],
        ["cells: row less column", *(each.verdict() for each in verdicts), *_problems(played, [played.error])],
        lambda path: scores_figure({row.agent: scores[row.agent] for row in ranked}, Setting(title), path),
        played,
    )


def crossplay(
    *agents: Any,
    players: int | None = None,
    games: int = 1000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "standard",
    store: Path | str | None = None,
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
    with _played(planned, store, workers, "kagiya.crossplay") as (opened, report):
        tallies = {cell: found for (_, _, cell), found in meetings.tally_cells(opened, report, planned).items()}
    _raise_if_nothing(len(tallies), report.errors)
    cells = {(one, others): tally for (one, others), tally in tallies.items()}
    rows = [{"agent": one, "with": others, **_statistics(tally)} for (one, others), tally in cells.items()]
    notes = [f"one of the row with {table.players - 1} of the column", *_problems(report, report.errors)]
    return _matrix_result(ContestResult, _title(table, f"{games:,} games a pair", seed), cells, rows, notes, report)


def _matrix_result(
    kind: type[Kind],
    title: str,
    cells: Mapping[tuple[str, str], GameTally | Sums],
    rows: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
    details: Any,
) -> Kind:
    """Guests with hosts, ranked by their means with others than themselves."""
    means = {pair: (found.mean, found.se) for pair, found in cells.items()}
    guests = dict.fromkeys(guest for guest, _ in cells)
    met = {guest: [mean for (one, host), mean in means.items() if one == guest != host] for guest in guests}
    ranked = _best_first(_over(guest, met[guest] or [means[guest, guest]]) for guest in guests)
    hosts = {host for _, host in cells}
    names = list(dict.fromkeys([*(row.agent for row in ranked), *hosts]))

    def draw(path: Path | None) -> Any:
        unknown = math.nan, math.nan
        found = np.array([[means.get((one, host), unknown) for host in names] for one in names], float)
        return crossplay_figure(names, found[..., 0].tolist(), Setting(title), path, found[..., 1].tolist())

    columns = [name for name in names if name in hosts]
    return kind(title, ranked, columns, means, rows, notes, draw, details)


def tournament(
    *agents: Any,
    track: str = "both",
    pool: Sequence[Any] = (),
    players: Sequence[int] | int = (2, 3, 4, 5),
    games: int = 1000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "goodman",
    time: float | None = None,
    store: Path | str | None = None,
    workers: int | None = None,
) -> ContestResult:
    """With copies of oneself (track "mirror") and alone among copies of each partner ("mixed"), as in
    `kagiya tournament`.

    >>> tournament("vdb", "iggi", track="mixed", players=(2, 3), games=200).to_pandas()

    `pool`: the partners, by default the entrants. `time`: seconds a move for searches and agents in Python, which
    only counts late moves. `agents` and `store` are those of `compare`.
    """
    entrants, tracks = _entered(agents), meetings.TRACKS if track == "both" else (track,)
    if not set(tracks) <= set(meetings.TRACKS):
        raise ValueError(f"a track is {', '.join(meetings.TRACKS)} or both, not {track!r}")
    clock, counts = None if time is None else Clock(time), _counts(players)
    partners = _entered(pool) or entrants
    plan = meetings.Tournament(entrants, partners, tracks, counts, _text_of(rules), games, seed, clock)
    planned = plan.plan()
    with _played(planned, store, workers, "kagiya.tournament") as (opened, report):
        tallies = meetings.tally_cells(opened, report, planned)
        late = meetings.late_moves(opened, report.run, planned)
    _raise_if_nothing(len(tallies), report.errors)
    placings = [(name, each) for name in tracks for each in meetings.ranking(name, tallies, late)]
    ranked = [RankedAgent(each.agent, each.mean, each.se, name) for name, each in placings]
    cells = {
        (row.label, _players(count)): tally
        for row, (_, each) in zip(ranked, placings, strict=True)
        for count, tally in each.by_players.items()
    }
    marks = {agent.text: agent.info.mark for agent in entrants}
    rows = [
        {"track": name, "agent": each.agent, "players": count, **_statistics(tally), "mark": marks[each.agent]}
        for name, each in placings
        for count, tally in each.by_players.items()
    ]
    title = _title(parse_rules(plan.rules, counts[0]), f"{games:,} games a partner", seed, players=False)
    return _league_result(title, ranked, cells, rows, _problems(report, report.errors), report)


def league(
    *agents: Any,
    players: Sequence[int] | int = (2, 3, 4, 5),
    games: int = 2000,
    seed: int = FIRST_SEED,
    rules: str | Rules = "standard",
    store: Path | str | None = None,
    workers: int | None = None,
) -> ContestResult:
    """Every agent with copies of itself, ranked by the mean over the numbers of players, as in `kagiya league`.

    >>> league("smartbot", "vdb", games=500).figure("league.png")

    Without agents: all but the searches. Agents in Python play a twentieth of the games. `agents` and `store` are
    those of `compare`.
    """
    played = League(_text_of(rules), games, seed)
    matches = league_matches(_entered(agents) or _entered(prompt_agents()), _counts(players), played)
    with _runner([match.agents[0] for match in matches], store, workers) as runner:
        play_league(played, matches, runner)
    _raise_if_nothing(len(played.cells), [ValueError(text) for text in played.errors])
    found = played.rows()
    ranked = [RankedAgent(row.agent.text, row.mean, _over("", _means(row.cells)).se) for row in found]
    cells = {(row.agent.text, _players(count)): cell for row in found for count, cell in sorted(row.cells.items())}
    rows = [
        {"agent": row.agent.text, "players": count, **_statistics(cell), "mark": row.agent.info.mark}
        for row in found
        for count, cell in sorted(row.cells.items())
    ]
    title = _title(parse_rules(played.rules, 2), f"{games:,} games a cell", seed, players=False)
    return _league_result(title, ranked, cells, rows, _problems(played, played.errors), played)


def open_store(path: Path | str | None = None, players: int | None = None, rules: str | None = None) -> StoreResult:
    """What a store has, of each team the games of the code that played last, as in `kagiya results`; nothing is played.

    >>> found = open_store("results")
    >>> found.to_pandas()
    >>> found.sql("SELECT team, avg(score) FROM games GROUP BY team")

    Ranking, matrix and picture are of one set of rules and one number of players: the last that played, or those
    named. Without a path: the user's own store.
    """
    store = Store.read(path)
    wanted = GameFilter(rules, players)
    chosen = settled(wanted, chosen_teams(store.catalog, wanted))
    teams = chosen_teams(store.catalog, chosen)
    measured = measured_cells(store, teams, MEASURES["score"]) if teams else {}
    cells = {(one[0], one[1]): found for one, found in measured.items() if len(one) == 2}
    listed = list_seatings(store, wanted).to_json()["rows"]
    title = f"{store.path}: {teams[0].rules.text()}: {teams[0].rules.caption()}" if teams else f"{store.path}: empty"
    notes = ["one of the row with copies of the column"] if cells else []
    return _matrix_result(StoreResult, title, cells, listed, notes, store)


def _league_result(
    title: str,
    ranked: Sequence[RankedAgent],
    cells: Mapping[tuple[str, str], GameTally | Summary],
    rows: Sequence[Mapping[str, Any]],
    notes: Sequence[str],
    details: Any,
) -> ContestResult:
    """A column for each number of players."""
    columns = sorted({column for _, column in cells})
    means = {place: (found.mean, found.se) for place, found in cells.items()}

    def draw(path: Path | None) -> Any:
        lines = []
        for row in ranked:
            found = {column[0]: _shown(cells[row.label, column]) for column in columns if (row.label, column) in cells}
            lines.append({"agent": row.label, "mark": marks.get(row.agent, ""), "players": found})
        return ranking_figure(lines, title, "Self-play" if isinstance(details, League) else "Tournament", path)

    marks = {row["agent"]: row["mark"] for row in rows}
    return ContestResult(title, ranked, columns, means, rows, notes, draw, details)


def _shown(found: GameTally | Summary) -> dict[str, Any]:
    """A cell as the picture of a league takes it."""
    reach = normal_quantile(CONFIDENCE) * found.se if found.games >= MIN_GAMES else None
    limits = (None, None) if reach is None else (found.mean - reach, found.mean + reach)
    return {"mean": found.mean, "interval": limits}


def _entered(agents: Iterable[Any]) -> tuple[Agent, ...]:
    """Agents, each once; also given as a list."""
    found = list(agents)
    listed = found[0] if len(found) == 1 and isinstance(found[0], list | tuple) else found
    return tuple(dict.fromkeys(map(as_agent, listed)))


def _text_of(rules: str | Rules) -> str:
    return rules if isinstance(rules, str) else rules.text()


def _table(rules: str | Rules, players: int | None) -> Rules:
    usual = rules.players if isinstance(rules, Rules) else USUAL_PLAYERS
    return parse_rules(_text_of(rules), usual if players is None else players)


def _counts(players: Sequence[int] | int) -> tuple[int, ...]:
    return (players,) if isinstance(players, int) else tuple(players)


def _players(count: int) -> str:
    return f"{count} players"


def _title(rules: Rules, games: str, seed: int, players: bool = True) -> str:
    """What must stand beside every score."""
    caption = rules.caption() if players else rules.caption().split("; ", 1)[1]
    return f"{rules.text()}: {caption}; {games}, seeds from {seed}"


def _best_first(ranked: Iterable[RankedAgent]) -> list[RankedAgent]:
    return sorted(ranked, key=lambda row: -row.mean)


def _means(cells: Mapping[Any, GameTally | Summary]) -> list[Mean]:
    return [(found.mean, found.se) for found in cells.values()]


def _over(agent: str, means: Sequence[Mean]) -> RankedAgent:
    """An agent with the mean over some cells, each counting alike."""
    count = len(means)
    return RankedAgent(agent, sum(mean for mean, _ in means) / count, math.hypot(*(se for _, se in means)) / count)


def _statistics(found: GameTally | Summary) -> dict[str, Any]:
    data = found.to_json() if isinstance(found, GameTally) else asdict(found)
    lost = data["regret"] or {}
    return {name: data[name] for name in STATISTICS} | {name: lost[name] for name in ("direct", "indirect")}


def _problems(outcome: Comparison | League | RunReport, errors: Iterable[object]) -> list[str]:
    """What a result lacks."""
    interrupted = ["interrupted: of the games that were finished"] if outcome.interrupted else []
    return [*interrupted, *(str(error) for error in errors if error is not None)]


def _raise_if_nothing(found: int, errors: Sequence[Exception | None]) -> None:
    if not found:
        raise next((error for error in errors if error is not None), ValueError("nothing was played"))


@contextmanager
def _runner(agents: Iterable[Agent], store: Path | str | None, workers: int | None) -> Iterator[Runner]:
    """Plays on the threads of this process, and keeps the games where that is wanted."""
    _make_ready(agents)
    with LocalWorkers(workers) as pool:
        if store is None:
            yield Runner(pool)
            return
        with Store.open(store) as opened, Recording(opened, pool, "kagiya") as recording:
            yield recording


@contextmanager
def _played(
    planned: Sequence[PlannedMatch], store: Path | str | None, workers: int | None, command: str
) -> Iterator[tuple[Store, RunReport]]:
    """A store with the games of these matches, one in memory if none is named; what was done."""
    _make_ready(agent for each in planned for agent in each.match.agents)
    with Store.open(MEMORY if store is None else store) as opened:
        yield opened, run_matches([each.match for each in planned], opened, command, LocalWorkers(workers))


def _make_ready(agents: Iterable[Agent]) -> None:
    """Compile what never was, with the help of other processes."""
    wanted = list(dict.fromkeys(agents))
    for_chunks = all(agent.is_compiled for agent in wanted)
    steps = [] if JIT_OFF else compile_steps(wanted, for_chunks)
    with helpers(wanted, steps, for_chunks):
        for step in steps:
            step.run()
