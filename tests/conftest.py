"""For every test: how many random games to play, from which seed, and whether a peer program is here."""

import importlib
import os
import random
import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.children import end_children

DEFAULT_SEED = "20150715"


QUICK = "quick"
QUICK_FOLDER = Path(__file__).parent / "agents"  # all that is tested of agents; other tests are marked one by one


def pytest_configure() -> None:
    """A shell that starts the tests in the background has told them to ignore Ctrl-C, which some of them press."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of agents are quick: with `-m quick` they play fewer games."""
    for item in items:
        if QUICK_FOLDER in item.path.parents:
            item.add_marker(QUICK)


def _scale(config: pytest.Config) -> float:
    # Without compilation a game takes about a hundred times as long.
    usual = 0.01 if os.environ.get("NUMBA_DISABLE_JIT") == "1" else 1.0
    default = min(usual, 0.2) if config.getoption("-m") == QUICK else usual
    return float(os.environ.get("KAGIYA_TEST_SCALE") or default)


@pytest.fixture(autouse=True)
def no_child_outlives_its_test() -> Iterator[None]:
    """A child that hangs or was forgotten would take processor and memory from all tests after it."""
    yield
    end_children()


@pytest.fixture
def games(pytestconfig: pytest.Config) -> Callable[[float], int]:
    """``games(1000)`` is how many games to play where a full run plays a thousand; KAGIYA_TEST_SCALE decides."""
    scale = _scale(pytestconfig)
    return lambda count: max(1, round(count * scale))


@pytest.fixture
def enough_games(games: Callable[[int], int]) -> Callable[..., int]:
    """``enough_games(4000, least=1000)`` is `games(4000)`; a test for which that says too little is skipped."""

    def count(full: int, least: int) -> int:
        found = games(full)
        if found < least:
            pytest.skip(f"{found} games say too little; {least} are needed (KAGIYA_TEST_SCALE)")
        return found

    return count


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Each test's own random numbers. KAGIYA_TEST_SEED changes them; a failing test shows the seed it had."""
    seed = os.environ.get("KAGIYA_TEST_SEED") or DEFAULT_SEED
    sys.stdout.write(f"KAGIYA_TEST_SEED={seed} for {request.node.name}\n")
    return random.Random(f"{seed} {request.node.name}")


@pytest.fixture
def peer() -> Callable[[str], Any]:
    """Import another Hanabi program, or skip the test; with KAGIYA_REQUIRE_PEERS=1, fail it instead."""

    def load(module: str) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what their import leaves open is their affair
                return importlib.import_module(module)
        except ImportError as error:
            if os.environ.get("KAGIYA_REQUIRE_PEERS") == "1":
                pytest.fail(f"{module} is required and cannot be imported: {error}")
            pytest.skip(f"{module} is not installed")

    return load
