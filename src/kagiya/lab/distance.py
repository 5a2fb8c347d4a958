"""How far a measured number is from a printed one, in combined standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from kagiya.lab.quantities import Estimate
from kagiya.lab.reproduction import Figure

WITHIN = 3.0  # combined standard errors


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
        """The paper's standard error; from the games it played if it prints none, zero if it does not say."""
        if self.figure.error is not None:
            return self.figure.error
        if self.figure.games is None:
            return 0.0
        deviation = self.measured.deviation if self.figure.deviation is None else self.figure.deviation
        return deviation / math.sqrt(self.figure.games)

    @property
    def in_errors(self) -> float:
        """The difference in combined standard errors, after what the paper's rounding may explain."""
        beyond = abs(self.difference) - 0.5 * 10**-self.figure.decimals
        if beyond <= 1e-12:  # a difference of exactly half a digit is rounding, whatever binary makes of it
            return 0.0
        error = math.hypot(self.measured.error, self.paper_error)
        return math.copysign(beyond / error if error else math.inf, self.difference)

    @property
    def is_close(self) -> bool:
        return abs(self.in_errors) <= WITHIN
