"""From agents to a picture: the matches that each kind of picture needs, and how it is drawn from their games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from kagiya.agents.api import Agent
from kagiya.agents.register import find_agent
from kagiya.lab.contests.seatings import one_with
from kagiya.lab.documents.figures import (
    Curve,
    ScoredRegret,
    Setting,
    behaviour_figure,
    crossplay_figure,
    curve_figure,
    regret_figure,
    scores_figure,
    sources_figure,
)
from kagiya.lab.match.match import Match
from kagiya.lab.statistics.regret import INDIRECT, team_regret
from kagiya.lab.statistics.summary import Summary, summarize
from kagiya.lab.table.table import Results
from kagiya.rules import Rules, parse_rules
from kagiya.spec import Spec, SpecError, parse_spec

Key = tuple[str, str]  # agent, and with whom (crossplay) or the value of its parameter (curve)


@dataclass(frozen=True)
class Sample:
    """The games behind one row, cell or point of a picture."""

    rules: Rules
    results: Results  # rows of RESULT

    @cached_property
    def summary(self) -> Summary:
        """What they come to."""
        return summarize(self.results, self.rules.perfect_score, self.rules.players)


@dataclass(frozen=True)
class Look:
    """What a user wants to stand around a picture."""

    title: str = ""
    size: tuple[float, float] | None = None  # inches
    labels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Plan:
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
    samples: Mapping[Key, Sample]
    parameter: str = ""  # of a curve
    look: Look = field(default_factory=Look)

    @property
    def caption(self) -> str:
        """What must stand beside every score: the rules, how many games, and which."""
        counts = sorted({len(sample.results) for sample in self.samples.values()})
        games = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
        seeds = np.concatenate([sample.results["seed"] for sample in self.samples.values()])
        shown = f"seeds {int(seeds.min())} to {int(seeds.max())}"
        return f"{self.rules.text()}: {self.rules.caption()}; {games} games each, {shown}"

    def setting(self, more: str = "") -> Setting:
        """The words around it."""
        return Setting(self.caption + more, self.look.title, self.look.size, self.look.labels)

    @property
    def errors(self) -> str:
        """How well the means of a picture without error bars are known."""
        known = [sample.summary.se for sample in self.samples.values() if len(sample.results) > 1]
        return f"; standard errors at most {max(known):.2g}" if known else ""

    def draw(self, path: Path) -> None:
        """Write the picture."""
        DRAW[self.kind](self, path)

    def best_first(self) -> list[tuple[str, Sample]]:
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


def _draw_scores(picture: Picture, path: Path) -> None:
    rows = {agent: np.array(sample.summary.histogram) for agent, sample in picture.best_first()}
    scores_figure(rows, picture.setting(picture.errors), path)


def _draw_regret(picture: Picture, path: Path) -> None:
    agents = {
        agent: ScoredRegret(team_regret(sample.results), sample.results["score"])
        for agent, sample in picture.best_first()
    }
    regret_figure(agents, picture.setting(), path, picture.rules.perfect_score)


def _draw_sources(picture: Picture, path: Path) -> None:
    rows = {agent: _parts(sample.summary) for agent, sample in picture.best_first()}
    sources_figure(rows, picture.setting(picture.errors), path)


def _parts(summary: Summary) -> dict[str, float]:
    assert summary.regret is not None
    return {"score": summary.mean, **summary.regret.sources, INDIRECT: summary.regret.indirect}


def _draw_crossplay(picture: Picture, path: Path) -> None:
    labels = list(dict.fromkeys(name for key in picture.samples for name in key))
    means = [[_mean(picture.samples.get((one, rest))) for rest in labels] for one in labels]
    crossplay_figure(labels, means, picture.setting(picture.errors), path, picture.rules.perfect_score)


def _mean(sample: Sample | None) -> float:
    return float("nan") if sample is None else sample.summary.mean


def _draw_curve(picture: Picture, path: Path) -> None:
    curves = []
    for agent in dict.fromkeys(agent for agent, _ in picture.samples):
        points = [(float(x), sample.summary) for (text, x), sample in picture.samples.items() if text == agent]
        points.sort(key=lambda point: point[0])
        means = [point.mean for _, point in points]
        limits = [point.interval() for _, point in points]
        reach = [[_reach(mean, pair[side]) for mean, pair in zip(means, limits, strict=True)] for side in (0, 1)]
        curves.append(Curve(agent, [x for x, _ in points], means, reach))
    curve_figure(curves, picture.parameter, "mean score", picture.setting("; 95 % intervals"), path)


def _reach(mean: float, limit: float) -> float:
    return 0.0 if np.isnan(limit) else abs(limit - mean)


DRAW: dict[str, Callable[[Picture, Path], None]] = {
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
    behaviour_figure(task["cells"], scores, marks, (f"{rules.text()}: {rules.caption()}", games), path)
