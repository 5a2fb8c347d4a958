"""How far a measured number is from a printed one, in combined standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kagiya.lab.papers.tables import Figure
from kagiya.lab.statistics.quantities import Estimate, Quantity

SCORE = Quantity()
WITHIN = 3.0  # combined standard errors


def errors_apart(difference: float, decimals: int, error: float) -> float:
    """A difference in standard errors, after what a paper's rounding to so many decimals may explain."""
    beyond = abs(difference) - 0.5 * 10**-decimals
    if beyond <= 1e-12:  # a difference of exactly half a digit is rounding, whatever binary makes of it
        return 0.0
    return math.copysign(beyond / error, difference)


@dataclass(frozen=True)
class Distance:
    """A printed figure beside ours.

    No sample is taken to be exact: one without spread has the error of one in which a single game is one step off.
    """

    figure: Figure
    measured: Estimate
    quantity: Quantity = SCORE

    @property
    def difference(self) -> float:
        return self.measured.mean - self.figure.value

    @property
    def paper_error(self) -> float:
        """As printed; from the games that the paper played if it prints none, zero if it does not say how many."""
        if self.figure.error is not None:
            return self.figure.error
        if self.figure.games is None:
            return 0.0
        deviation = self.measured.deviation if self.figure.deviation is None else self.figure.deviation
        return max(deviation / math.sqrt(self.figure.games), self.quantity.least_error(self.figure.games))

    @property
    def our_error(self) -> float:
        return max(self.measured.error, self.quantity.least_error(self.measured.games))

    @property
    def in_errors(self) -> float:
        return errors_apart(self.difference, self.figure.decimals, math.hypot(self.our_error, self.paper_error))

    @property
    def is_close(self) -> bool:
        return abs(self.in_errors) <= WITHIN
