"""Student's t: how far an interval of a mean reaches when the spread is known from few games only.

scipy.stats has it too and takes seconds to import, which a match should not have to pay.
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

EXACT_UP_TO = 200  # degrees of freedom; beyond, an expansion around the normal quantile is exact to nine digits


def normal_quantile(confidence: float) -> float:
    """How many standard errors an interval reaches to each side if the spread is known: 1.96 for 95 %."""
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, like 0.95; not {confidence}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


@lru_cache(maxsize=1024)
def student_quantile(confidence: float, freedom: int) -> float:
    """The same if the spread was found from the games themselves: 2.78 for 95 % and 5 games, which leave 4 degrees."""
    z = normal_quantile(confidence)
    if freedom < 1:
        return math.nan
    if freedom > EXACT_UP_TO:
        return _expansion(z, freedom)
    low, high = 0.0, math.pi / 2  # the angle whose tangent is t / sqrt(freedom)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance_within(middle, freedom) < confidence else (low, middle)
    return math.sqrt(freedom) * math.tan(low)


def _chance_within(angle: float, freedom: int) -> float:
    """The chance that t lies within this angle to both sides (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    cosine, odd = math.cos(angle), freedom % 2
    term, total = (cosine, 0.0) if odd else (1.0, 0.0)
    for power in range(1 + odd, freedom, 2):  # for odd degrees the sum begins with the cosine
        total += term
        term *= power / (power + 1) * cosine**2
    chance = math.sin(angle) * total
    return 2 / math.pi * (angle + chance) if odd else chance


def _expansion(z: float, freedom: int) -> float:
    """Fisher and Cornish's expansion (Abramowitz and Stegun 26.7.5)."""
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
