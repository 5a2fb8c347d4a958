"""From agents to a picture: the matches that each kind of picture needs, and how it is drawn from their results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kagiya.agents._base import Agent
from kagiya.agents.register import find_agent
from kagiya.lab.documents.figures import (
    Curve,
    behaviour_figure,
    crossplay_figure,
    curve_figure,
    regret_figure,
    scores_figure,
    sources_figure,
)
from kagiya.lab.match.match import Match
from kagiya.lab.match.playing import PlayedMatch
from kagiya.lab.statistics.regret import INDIRECT, team_regret
from kagiya.lab.statistics.student import student_quantile
from kagiya.rules import Rules, parse_rules
from kagiya.spec import Spec, SpecError, parse_spec

Key = tuple[str, str]  # agent, and with whom (crossplay) or the value of its parameter (curve)
Results = Mapping[Key, PlayedMatch]


@dataclass(frozen=True)
class Picture:
    """What to play, and what to draw then."""

    kind: str
    agents: tuple[Agent, ...]
    rules: Rules
    games: int
    seed: int = 1
    over: str = ""  # of a curve: name=value,value,...

    def matches(self) -> dict[Key, Match]:
        """The matches it needs."""
        return {key: Match.of(self.rules, seats, self.games, self.seed) for key, seats in self._seatings().items()}

    def _seatings(self) -> dict[Key, list[Agent]]:
        if self.kind == "crossplay":
            others = self.rules.players - 1
            return {(one.text, rest.text): [one] + [rest] * others for one in self.agents for rest in self.agents}
        if self.kind == "curve":
            name, values = read_range(self.over)
            return {(a.text, value): [with_parameter(a, name, value)] for a in self.agents for value in values}
        return {(agent.text, ""): [agent] for agent in self.agents}

    @property
    def caption(self) -> str:
        """What must stand beside every score."""
        return f"{self.rules.caption()}; {self.games:,} games each"

    def draw(self, results: Results, path: Path) -> None:
        """Write the picture of these results, which may be fewer than planned."""
        DRAW[self.kind](self, results, path)


def _draw_scores(picture: Picture, results: Results, path: Path) -> None:
    rows = {agent: np.array(result.summary.histogram) for (agent, _), result in _best_first(results)}
    scores_figure(rows, picture.caption, path)


def _draw_regret(picture: Picture, results: Results, path: Path) -> None:
    games = np.concatenate([result.results for result in results.values()])
    agents = f"{len(results)} agents" if len(results) > 1 else next(iter(results))[0]
    caption = f"{picture.rules.caption()}; {len(games):,} games of self-play, {agents}"
    regret_figure(team_regret(games), games["score"], caption, path, picture.rules.perfect_score)


def _draw_sources(picture: Picture, results: Results, path: Path) -> None:
    rows = {agent: _parts(result) for (agent, _), result in _best_first(results)}
    sources_figure(rows, picture.caption, path)


def _parts(result: PlayedMatch) -> dict[str, float]:
    summary = result.summary
    assert summary.regret is not None
    return {"score": summary.mean, **summary.regret.sources, INDIRECT: summary.regret.indirect}


def _draw_crossplay(picture: Picture, results: Results, path: Path) -> None:
    labels = [agent.text for agent in picture.agents]
    means = [[_mean(results.get((one, rest))) for rest in labels] for one in labels]
    crossplay_figure(labels, means, picture.caption, path, picture.rules.perfect_score)


def _mean(result: PlayedMatch | None) -> float:
    return float("nan") if result is None else result.summary.mean


def _draw_curve(picture: Picture, results: Results, path: Path) -> None:
    name, _ = read_range(picture.over)
    curves = []
    for agent in picture.agents:
        points = [(float(value), result.summary) for (text, value), result in results.items() if text == agent.text]
        reach = [student_quantile(0.95, point.games - 1) * point.se for _, point in points]
        curves.append(Curve(agent.text, [x for x, _ in points], [point.mean for _, point in points], reach))
    curve_figure(curves, name, "mean score", f"{picture.caption}; 95 % intervals", path)


DRAW: dict[str, Callable[[Picture, Results, Path], None]] = {
    "scores": _draw_scores,
    "regret": _draw_regret,
    "sources": _draw_sources,
    "crossplay": _draw_crossplay,
    "curve": _draw_curve,
}


def _best_first(results: Results) -> list[tuple[Key, PlayedMatch]]:
    return sorted(results.items(), key=lambda item: -item[1].summary.mean)


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
    """The picture of a map of elites, from what `kagiya evolve map` measured."""
    task = data["task"]
    scores = [(*item["cell"], item["mean"]) for item in data["cells"]]
    marks = [(item["name"], item["communication"], item["caution"]) for item in data["marks"]]
    rules = parse_rules(task["rules"], task["players"])
    games = f"{data['candidates']:,} tried; {data['games_each']:,} games"
    behaviour_figure(task["cells"], scores, marks, (rules.caption(), games), path)


def to_json(picture: Picture, results: Results) -> dict[str, Any]:
    """What the picture shows, as plain data."""
    rows: Sequence[dict[str, Any]] = [
        {"agent": agent, **({"at": other} if other else {}), **result.to_json()}
        for (agent, other), result in results.items()
    ]
    return {"kind": picture.kind, "caption": picture.caption, "matches": list(rows)}
