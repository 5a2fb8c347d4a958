"""The learner of docs/interop.md learns: it steps, plays whole games and says how they ended."""

import importlib

import pytest

from kagiya._jit import JIT_OFF

pytest.importorskip("torch", reason="the learner needs PyTorch, the extra 'train'")


@pytest.mark.skipif(JIT_OFF, reason="thousands of games")
def test_the_learner_plays_a_thousand_games() -> None:
    learner = importlib.import_module("examples.learner")

    spent, moves, score = next(iter(learner.learn(float("inf"))))
    assert spent >= 0
    assert moves % (learner.LANES * learner.STEPS) == 0
    assert 0 <= score < 1  # nothing is learned yet, and who plays at random loses
