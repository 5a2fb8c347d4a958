"""What `kagiya bench deals` reports: every way of dealing hidden cards in many positions, its bias and its time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from kagiya.lab.bench.deal_bias import MOST_HANDS, Bias, Dealer, Hidden, Seating, exact_bias, hidden_hands, sampled_bias
from kagiya.search.deals.sampling import DEALS, LEFT_TO_RIGHT, SLOT_BY_SLOT, UNIFORM


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean over positions, its standard error, and the largest; not a number where nothing is known."""

    mean: float
    se: float
    worst: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Figure:
        """Of those values that are known."""
        known = np.array([value for value in values if not math.isnan(value)])
        if len(known) == 0:
            return cls(math.nan, math.nan, math.nan)
        se = float(known.std(ddof=1) / math.sqrt(len(known))) if len(known) > 1 else math.nan
        return cls(float(known.mean()), se, float(known.max()))


@dataclass(frozen=True, slots=True)
class DealFigures:
    """One way of dealing over all positions."""

    deal: str
    variation: Figure
    divergence: Figure  # over the positions with no more than MOST_HANDS hands, for every way of dealing
    slot_variation: Figure
    playable_error: Figure
    nanoseconds: Figure

    @property
    def relative_error(self) -> tuple[float, float]:
        """Root mean square error of a hand's chance, relative to it, and the standard error; 0 if noise hides it."""
        root = math.sqrt(max(self.divergence.mean, 0.0))
        return root, self.divergence.se / (2 * root) if root else math.nan


@dataclass(frozen=True, slots=True)
class DealReport:
    """All ways of dealing in the positions of one seating."""

    agent: str
    rules: str
    players: int
    convention: str
    positions: int
    impossible: int  # further positions, in which no hand agrees with the convention
    compared: int  # positions with at most MOST_HANDS possible hands
    median_hands: float
    figures: tuple[DealFigures, ...]


@dataclass(frozen=True, slots=True)
class Measured:
    """One position: the bias of every way of dealing, and the nanoseconds that a hand takes."""

    biases: Sequence[Bias]
    nanoseconds: Sequence[float]


def measure_seating(
    seating: Seating, positions: int, samples: int, seed: int, advance: Callable[[int], None]
) -> DealReport:
    """Take positions from games of this seating, deal the hidden hand in every way, and sum up."""
    dealers = [Dealer(sampler, seed) for sampler in range(len(DEALS))]
    rows, impossible = [], 0
    for hidden in hidden_hands(seating, positions, seed):
        if hidden.deals:
            rows.append(measure_position(hidden, dealers, samples))
        else:
            impossible += 1
        advance(1)
    compared = [row for row in rows if row.biases[0].hands <= MOST_HANDS]
    return DealReport(
        agent=seating.agent.text,
        rules=seating.rules.text(),
        players=seating.rules.players,
        convention=seating.convention,
        positions=len(rows),
        impossible=impossible,
        compared=len(compared),
        median_hands=float(np.median([row.biases[0].hands for row in rows])) if rows else math.nan,
        figures=tuple(sum_up(sampler, rows, compared) for sampler in range(len(DEALS))),
    )


def measure_position(hidden: Hidden, dealers: Sequence[Dealer], samples: int) -> Measured:
    """The bias of every way of dealing in one position, exact but for the assignment, and its time."""
    exact = [exact_bias(hidden, sampler) for sampler in (UNIFORM, SLOT_BY_SLOT, LEFT_TO_RIGHT)]
    spent, dealt = [], np.zeros(0, np.int64)
    for dealer in dealers:
        dealer.deal(hidden, 1)  # the first one may have to be compiled
        started = time.process_time_ns()
        dealt = dealer.deal(hidden, samples)
        spent.append((time.process_time_ns() - started) / samples)
    return Measured([*exact, sampled_bias(hidden, dealt, exact[0].hands)], spent)


def sum_up(sampler: int, rows: Sequence[Measured], compared: Sequence[Measured]) -> DealFigures:
    """One way of dealing over all positions."""
    biases = [row.biases[sampler] for row in rows]
    return DealFigures(
        DEALS[sampler],
        Figure.of(bias.variation for bias in biases),
        Figure.of(row.biases[sampler].divergence for row in compared),
        Figure.of(bias.slot_variation for bias in biases),
        Figure.of(bias.playable_error for bias in biases),
        Figure.of(row.nanoseconds[sampler] for row in rows),
    )
