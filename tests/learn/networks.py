"""Networks with random weights, for tests."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kagiya.learn.networks import KINDS, Network


def random_network(seed: int, hidden: tuple[int, ...] = (30,), kind: str = "value", outputs: int = 1) -> Network:
    dice = np.random.default_rng(seed)
    widths = [KINDS[kind][0], *hidden, outputs]
    pairs = list(pairwise(widths))
    return Network(
        kind,
        dice.uniform(0, 1, widths[0]).astype(np.float32),
        dice.uniform(0.1, 1, widths[0]).astype(np.float32),
        tuple(dice.normal(0, 0.3, pair).astype(np.float32) for pair in pairs),
        tuple(dice.normal(0, 0.3, pair[1]).astype(np.float32) for pair in pairs),
        {"seed": seed},
    )
