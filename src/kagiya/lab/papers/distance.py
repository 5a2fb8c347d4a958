"""How far a measured number is from a printed one, in combined standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kagiya.lab.papers.tables import Figure
from kagiya.lab.statistics.quantities import Estimate

WITHIN = 3.0  # combined standard errors


def errors_apart(difference: float, decimals: int, error: float) -> float:
    """A difference in standard errors, after what a paper's rounding to so many decimals may explain."""
    beyond = abs(difference) - 0.5 * 10**-decimals
    if beyond <= 1e-12:  # a difference of exactly half a digit is rounding, whatever binary makes of it
        return 0.0
    return math.copysign(beyond / error if error else math.inf, difference)


def paper_error(printed: float | None, games: int | None, deviation: float) -> float:
    """A paper's standard error; from the games it played if it prints none, zero if it does not say."""
    if printed is not None:
        return printed
    return deviation / math.sqrt(games) if games is not None else 0.0


@dataclass(frozen=True)
class Distance:
    """A printed figure beside ours."""

    figure: Figure
    measured: Estimate

    @property
    def difference(self) -> float:
        return self.measured.mean - self.figure.value

    @property
    def paper_error(self) -> float:
        deviation = self.measured.deviation if self.figure.deviation is None else self.figure.deviation
        return paper_error(self.figure.error, self.figure.games, deviation)

    @property
    def in_errors(self) -> float:
        return errors_apart(self.difference, self.figure.decimals, math.hypot(self.measured.error, self.paper_error))

    @property
    def is_close(self) -> bool:
        return abs(self.in_errors) <= WITHIN
