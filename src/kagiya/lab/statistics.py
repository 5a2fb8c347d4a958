"""From games to numbers: mean, spread, standard error, perfect and bomb rates, histogram."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Summary:
    """What many games of one seating come to."""

    games: int
    mean: float
    se: float  # standard error of the mean; not a number for fewer than two games
    sd: float
    perfect_rate: float
    bomb_rate: float
    mean_points: float  # cards played, bombed games included, whatever the bomb rule
    mean_turns: float
    histogram: tuple[int, ...]  # games by score, from 0 to the perfect score

    def to_json(self) -> dict[str, Any]:
        """Plain data; what is not a number becomes null."""
        return {key: None if isinstance(v, float) and math.isnan(v) else v for key, v in asdict(self).items()}


def summarize(results: npt.NDArray[Any], perfect_score: int) -> Summary:
    """Statistics of rows of RESULT."""
    games = len(results)
    if games == 0:
        nan = math.nan
        return Summary(0, nan, nan, nan, nan, nan, nan, nan, (0,) * (perfect_score + 1))
    scores = results["score"].astype(float)
    sd = float(scores.std(ddof=1)) if games > 1 else math.nan
    return Summary(
        games=games,
        mean=float(scores.mean()),
        se=sd / math.sqrt(games),
        sd=sd,
        perfect_rate=float((results["score"] == perfect_score).mean()),
        bomb_rate=float((results["lives"] == 0).mean()),
        mean_points=float(results["points"].mean()),
        mean_turns=float(results["turns"].mean()),
        histogram=tuple(np.bincount(results["score"], minlength=perfect_score + 1).tolist()),
    )
