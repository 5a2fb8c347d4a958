"""Pictures of games: the matches that each kind needs, or the stored games to draw it from, and how it is drawn.

From the store nothing is played, whatever the code is now. The table that docs/rules.md explains is drawn here too.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent
from kagiya.cards import Seat
from kagiya.engine.game import Game
from kagiya.lab.experiment import one_among, one_with
from kagiya.lab.match.match import Match
from kagiya.lab.papers import figures
from kagiya.lab.regret import INDIRECT, team_regret
from kagiya.lab.store.store import Store
from kagiya.lab.summary import Summary, summarize
from kagiya.lab.table.table import GameResults, Table
from kagiya.rules import Rules, parse_rules
from kagiya.search.ally_likelihood import AllyBelief
from kagiya.search.workspace import SearchWorkspace
from kagiya.spec import Spec, SpecError, parse_spec
from kagiya.view.notebook_pictures import game_svg

Key = tuple[str, str]  # agent, and with whom (crossplay) or the value of its parameter (curve)


@dataclass(frozen=True)
class PictureSample:
    """The games behind one row, cell or point of a picture."""

    rules: Rules
    results: GameResults  # rows of RESULT

    @cached_property
    def summary(self) -> Summary:
        """What they come to."""
        return summarize(self.results, self.rules.perfect_score, self.rules.players)


@dataclass(frozen=True)
class PicturePlan:
    """What to play for a picture."""

    kind: str
    agents: tuple[Agent, ...]
    rules: Rules
    games: int
    seed: int = 1
    sweep: str = ""  # of a curve: name=value,value,...

    def matches(self) -> list[tuple[Key, Match]]:
        """The matches it needs, each with the row, cell or point that its games belong to."""
        if self.kind == "crossplay":
            pairs = [(one, others) for one in self.agents for others in self.agents]
            return [found for pair in pairs for found in self._crossplay(*pair)]
        if self.kind == "curve":
            name, values = read_range(self.sweep)
            points = [(agent, value) for agent in self.agents for value in values]
            return [((a.text, value), self._match([with_parameter(a, name, value)])) for a, value in points]
        return [((agent.text, ""), self._match([agent])) for agent in self.agents]

    def _crossplay(self, one: Agent, others: Agent) -> list[tuple[Key, Match]]:
        """The guest takes every seat, as in `kagiya crossplay`, and plays the same games."""
        seatings = one_with(one, others, self.rules.players, self.games)
        key = (one.text, others.text)
        return [(key, Match.of(self.rules, s.team, s.games, self.seed + s.offset)) for s in seatings]

    def _match(self, seats: Sequence[Agent]) -> Match:
        return Match.of(self.rules, seats, self.games, self.seed)


@dataclass(frozen=True)
class Picture:
    """Games of one kind of table, to be drawn."""

    kind: str
    rules: Rules
    samples: Mapping[Key, PictureSample]
    parameter: str = ""  # of a curve
    look: figures.Setting = field(default_factory=figures.Setting)  # what a user wants around it; no caption

    @property
    def caption(self) -> str:
        """What must stand beside every score: the rules, how many games, and which."""
        counts = sorted({len(sample.results) for sample in self.samples.values()})
        games = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        seeds = np.concatenate([sample.results["seed"] for sample in self.samples.values()])
        shown = f"seeds {int(seeds.min())} to {int(seeds.max())}"
        return f"{self.rules.text()}: {self.rules.caption()}; {games} games each, {shown}"

    def setting(self, more: str = "") -> figures.Setting:
        """The words around it."""
        return replace(self.look, caption=self.caption + more)

    @property
    def errors(self) -> str:
        """How well the means of a picture without error bars are known."""
        known = [sample.summary.se for sample in self.samples.values() if len(sample.results) > 1]
        return f"; standard errors at most {max(known):.2g}" if known else ""

    def draw(self, path: Path | None = None) -> Any:
        """The picture, also as a file if one is named."""
        return DRAW[self.kind](self, path)

    def best_first(self) -> list[tuple[str, PictureSample]]:
        """The agents with their games, the highest mean first."""
        found = [(agent, sample) for (agent, _), sample in self.samples.items()]
        return sorted(found, key=lambda item: -item[1].summary.mean)

    def to_json(self) -> dict[str, Any]:
        """What the picture shows, as plain data."""
        rows = [
            {"agent": agent, **({"at": other} if other else {}), **sample.summary.to_json()}
            for (agent, other), sample in self.samples.items()
        ]
        rules = {"rules": self.rules.text(), "players": self.rules.players}
        return {"kind": self.kind, "caption": self.caption, **rules, "rows": rows}


def _draw_scores(picture: Picture, path: Path | None) -> Any:
    rows = {agent: np.array(sample.summary.histogram) for agent, sample in picture.best_first()}
    return figures.scores_figure(rows, picture.setting(picture.errors), path)


def _draw_regret(picture: Picture, path: Path | None) -> Any:
    agents = {
        agent: figures.ScoredRegret(team_regret(sample.results), sample.results["score"])
        for agent, sample in picture.best_first()
    }
    return figures.regret_figure(agents, picture.setting(), path, picture.rules.perfect_score)


def _draw_sources(picture: Picture, path: Path | None) -> Any:
    rows = {agent: _parts(sample.summary) for agent, sample in picture.best_first()}
    return figures.sources_figure(rows, picture.setting(picture.errors), path)


def _parts(summary: Summary) -> dict[str, float]:
    assert summary.regret is not None
    return {"score": summary.mean, **summary.regret.sources, INDIRECT: summary.regret.indirect}


def _draw_crossplay(picture: Picture, path: Path | None) -> Any:
    labels = list(dict.fromkeys(name for key in picture.samples for name in key))
    cells = [[picture.samples.get((one, rest)) for rest in labels] for one in labels]
    means = [[np.nan if cell is None else cell.summary.mean for cell in row] for row in cells]
    errors = [[np.nan if cell is None else cell.summary.se for cell in row] for row in cells]
    more = picture.errors if len(labels) > figures.MANY else ""  # which has no numbers
    return figures.crossplay_figure(labels, means, picture.setting(more), path, errors)


def _draw_curve(picture: Picture, path: Path | None) -> Any:
    curves = []
    for agent in dict.fromkeys(agent for agent, _ in picture.samples):
        points = [(float(x), sample.summary) for (text, x), sample in picture.samples.items() if text == agent]
        points.sort(key=lambda point: point[0])
        means = [point.mean for _, point in points]
        limits = [point.interval() for _, point in points]
        reach = [[_reach(mean, pair[side]) for mean, pair in zip(means, limits, strict=True)] for side in (0, 1)]
        curves.append(figures.Curve(agent, [x for x, _ in points], means, reach))
    return figures.curve_figure(curves, picture.parameter, "mean score", picture.setting("; 95 % intervals"), path)


def _reach(mean: float, limit: float) -> float:
    return 0.0 if np.isnan(limit) else abs(limit - mean)


DRAW: dict[str, Callable[[Picture, Path | None], Any]] = {
    "scores": _draw_scores,
    "regret": _draw_regret,
    "sources": _draw_sources,
    "crossplay": _draw_crossplay,
    "curve": _draw_curve,
}


def read_range(text: str) -> tuple[str, list[str]]:
    """A parameter and its values: ``iterations=10,100,1000``."""
    name, _, listed = text.partition("=")
    values = [value.strip() for value in listed.split(",") if value.strip()]
    if not name.strip() or not values or not all(_is_number(value) for value in values):
        raise SpecError(f"a curve goes over the values of a parameter, written iterations=10,100,1000; not {text!r}")
    return name.strip(), values


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False


def with_parameter(agent: Agent, name: str, value: str) -> Agent:
    """The same agent with one parameter set."""
    spec = parse_spec(agent.text)
    others = tuple(pair for pair in spec.named if pair[0] != name)
    return find_agent(str(Spec(spec.name, spec.values, (*others, (name, Spec(value))))))


def draw_behaviours(data: Mapping[str, Any], path: Path) -> None:
    """The picture of a map of elites, from what `kagiya dev map-elites` measured."""
    task = data["task"]
    scores = [(*item["cell"], item["mean"]) for item in data["cells"]]
    marks = [(item["name"], item["communication"], item["caution"]) for item in data["marks"]]
    rules = parse_rules(task["rules"], task["players"])
    games = f"{data['candidates']:,} tried; {data['games_each']:,} games"
    figures.behaviour_figure(task["cells"], scores, marks, (f"{rules.text()}: {rules.caption()}", games), path)


CLOCK = "clock"  # in the terms of a seating: its games depend on how fast they were played


class NothingStoredError(ValueError):
    """The store has no games for a picture, or games of several tables."""


@dataclass(frozen=True)
class Wanted:
    """Which games a picture is of; None or nothing for all."""

    kind: str
    run: int | None = None
    agents: tuple[str, ...] = ()
    rules: str | None = None
    players: int | None = None
    parameter: str = ""  # of a curve


@dataclass(frozen=True)
class StoredPart:
    """Some games of one seating."""

    seating: int
    first: int
    games: int
    rules: Rules
    seats: tuple[str, ...]
    terms: str


def read_samples(store: Store, wanted: Wanted) -> tuple[Rules, dict[Key, PictureSample]]:
    """The games of the newest code, or those of a run, by the row, cell or point they belong to."""
    parts = [part for part in stored_parts(store, wanted.run) if _is_wanted(part, wanted)]
    keyed = [(key, part) for part in parts for key in keys_of(part, wanted)]
    if not keyed:
        raise NothingStoredError(f"{store.path} has no games for this picture; `kagiya results` lists what it has")
    rules = _one_table([part for _, part in keyed])
    found: dict[Key, list[GameResults]] = {}
    for key, part in keyed:
        found.setdefault(key, []).append(store.results(part.seating, part.first, part.games))
    samples = {key: PictureSample(rules, np.concatenate(results)) for key, results in found.items()}
    return rules, {key: sample for key, sample in samples.items() if len(sample.results)}


def stored_parts(store: Store, run: int | None) -> Iterator[StoredPart]:
    """The parts of a run, or all games of the newest code."""
    if run is None:
        query = "SELECT seating, min(first), max(first + games) - min(first) FROM chunk JOIN age USING (seating)"
        rows = store.rows(f"{query} WHERE newest GROUP BY seating ORDER BY seating")
    else:
        rows = store.rows("SELECT seating, first, games FROM part WHERE run = ? ORDER BY rowid", [run])
        if not rows:
            raise NothingStoredError(f"{store.path} has no run {run}; `kagiya results --runs` lists them")
    for seating, first, games in rows:
        row = store.catalog.seatings[seating]
        rules = Rules.from_json(json.loads(row["rules"]))
        yield StoredPart(seating, first, games, rules, tuple(row["seats"]), row["terms"])


def _is_wanted(part: StoredPart, wanted: Wanted) -> bool:
    is_table = (wanted.rules or part.rules.text()) == part.rules.text()
    is_table &= (wanted.players or part.rules.players) == part.rules.players
    return is_table and (not wanted.agents or set(part.seats) <= set(wanted.agents))


def _one_table(parts: Sequence[StoredPart]) -> Rules:
    """The rules of all these games: scores by different rules do not belong into one picture."""
    tables = dict.fromkeys(part.rules for part in parts)
    if len(tables) > 1:
        listed = ", ".join(f"{rules.text()} with {rules.players} players" for rules in tables)
        raise NothingStoredError(f"there are games of several tables: {listed}; choose with --rules and --players")
    return next(iter(tables))


def keys_of(part: StoredPart, wanted: Wanted) -> Iterator[Key]:
    """The rows, cells or points of a picture that the games of a seating belong to."""
    if wanted.kind == "crossplay":
        yield from guests_of(part.seats)
    elif wanted.kind == "curve":
        yield from points_of(part.seats, wanted.parameter)
    else:
        team = team_name(part.seats)
        yield (f"{team} ({part.terms})" if CLOCK in part.terms else team), ""


def team_name(seats: Sequence[str]) -> str:
    """Who plays, wherever they sit: a guest before its hosts, so that a run with every seating has a row per team."""
    counts = Counter(seats)
    if len(counts) == 1:
        return seats[0]
    ordered = sorted(counts.items(), key=lambda item: (item[1], item[0]))
    return " + ".join(agent if count == 1 else f"{count} {agent}" for agent, count in ordered)


def guests_of(seats: Sequence[str]) -> Iterator[Key]:
    """Who is alone among copies of whom; with two players each is the other's guest."""
    if len(set(seats)) == 1:
        yield seats[0], seats[0]
    elif len(set(seats)) == 2:
        for guest in dict.fromkeys(seats):
            (host,) = set(seats) - {guest}
            if seats.count(guest) == 1:
                yield guest, host


def points_of(seats: Sequence[str], parameter: str) -> Iterator[Key]:
    """An agent of self-play without the parameter, and the parameter's value."""
    spec = parse_spec(seats[0])
    values = [str(value) for name, value in spec.named if name == parameter]
    if len(set(seats)) == 1 and values and _is_number(values[0]):
        others = tuple(pair for pair in spec.named if pair[0] != parameter)
        yield str(Spec(spec.name, spec.values, others)), values[0]


VIEWER = Seat(0)


def example_game() -> Game:
    """The game of docs/rules.md: six moves old, alice to move, a hint to her on the table."""
    game = Game(Rules(players=3), seed=7)
    for move in ("hint cathy 1", "discard 3", "play 1", "hint cathy 2", "hint alice blue"):
        game.make(move)
    game.make("discard 5")
    return game


def example_picture() -> str:
    """That table through alice's eyes; her own cards show their backs."""
    return game_svg(example_game(), VIEWER)


MIN_POSTERIORS = 20  # posteriors behind a point; fewer say little
LEAST_SHARE = 0.5  # of the most: the few long games that are left at the end are not like the others


NORMAL = 1.96  # standard errors to each side, for 95 %


def recognition_figure(found: Mapping[str, Recognition], words: figures.Words, path: Path) -> None:
    """A line for each search."""
    curves = [recognition_curve(label, each) for label, each in found.items()]
    if not any(curve.x for curve in curves):
        raise figures.FigureError(
            f"there are too few games to draw: a point needs {MIN_POSTERIORS} partners seen for as many moves"
        )
    setting = words if isinstance(words, figures.Setting) else figures.Setting(words)
    setting = replace(setting, caption=f"{setting.caption}; 95 % intervals")
    figures.curve_figure(curves, "moves seen of a partner", "posterior of its true policy", setting, path)


def recognition_curve(label: str, found: Recognition) -> figures.Curve:
    """The mean posterior after 0, 1, 2, ... moves, as far as enough games went."""
    least = max(MIN_POSTERIORS, LEAST_SHARE * max(found.asked, default=0))
    seen = [moves for moves, asked in enumerate(found.asked) if asked >= least]
    return figures.Curve(
        label, seen, [found.mean(moves) for moves in seen], [NORMAL * found.error(moves) for moves in seen]
    )


class RecognitionError(ValueError):
    """An agent that does not infer who the others are."""


@dataclass
class Recognition:
    """By the moves seen of a partner: how often it was asked, the true policy's chances, how often it was first."""

    asked: list[int] = field(default_factory=list)
    chances: list[float] = field(default_factory=list)
    squares: list[float] = field(default_factory=list)
    first: list[int] = field(default_factory=list)

    def add(self, seen: int, belief: AllyBelief, truth: str) -> None:
        """Count one posterior of a partner that is really `truth`."""
        for column in (self.asked, self.chances, self.squares, self.first):
            column.extend([0] * (seen + 1 - len(column)))
        chance = dict(belief.policies)[truth]
        self.asked[seen] += 1
        self.chances[seen] += chance
        self.squares[seen] += chance * chance
        self.first[seen] += belief.policies[0][0] == truth

    def mean(self, seen: int) -> float:
        """The mean chance of the true policy after `seen` moves."""
        return self.chances[seen] / self.asked[seen]

    def error(self, seen: int) -> float:
        """The standard error of that mean, infinite for a single game."""
        count = self.asked[seen]
        if count < 2:
            return math.inf
        spread = max(self.squares[seen] / count - self.mean(seen) ** 2, 0.0)
        return math.sqrt(spread / (count - 1))


def play_recognition(
    agent: Agent, rules: Rules, games: int, seed: int, progress: Callable[[int], None] = lambda games: None
) -> Recognition:
    """Games with partners drawn from the agent's own policies, and what it took them for at each of its moves."""
    found, pool = Recognition(), policies_of(agent, rules)
    for seating in one_among(agent, pool, rules.players, games, games):
        table = Table(rules, seating.team)
        table.play_explained(seed + seating.offset)
        for turn, explanation in enumerate(table.explanations):
            for belief in explanation.allies if explanation is not None else ():
                truth = seating.team[belief.seat].text
                if belief.seat != explanation.seat and seating.team[belief.seat] in pool:
                    found.add(moves_before(turn, belief.seat, rules.players), belief, truth)
        progress(1)
    return found


def moves_before(turn: int, seat: Seat, players: int) -> int:
    """How many moves a seat has made before a turn."""
    return (turn - seat + players - 1) // players


def policies_of(agent: Agent, rules: Rules) -> list[Agent]:
    """The policies that an agent takes others for; a sentence if it has none."""
    workspace = agent.new_workspace(rules, Seat(0), [agent] * rules.players) if agent.is_search else None
    if not isinstance(workspace, SearchWorkspace) or workspace.allies is None:
        raise RecognitionError(f"{agent.text} does not infer who the others are; give ally or ally-flat")
    return workspace.allies.agents
