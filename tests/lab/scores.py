"""Made-up scores with the shape of real ones: a hump, and now and then a bombed game that counts 0."""

import numpy as np
import numpy.typing as npt

PERFECT = 25
SCORES = np.arange(PERFECT + 1)


def score_chances(center: float = 18.0, spread: float = 2.5, bombs: float = 0.06) -> npt.NDArray[np.float64]:
    """The chance of each score from 0 to 25."""
    hump = np.exp(-((SCORES - center) ** 2) / (2 * spread**2))
    chances = (1 - bombs) * hump / hump.sum()
    chances[0] += bombs
    total: npt.NDArray[np.float64] = chances / chances.sum()
    return total


def difference_chances(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The chance of each difference from -25 to 25 if the scores have nothing to do with each other."""
    return np.convolve(a, b[::-1])
