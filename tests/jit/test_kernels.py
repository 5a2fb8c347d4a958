"""Kernels are compiled once each, for one kind of arguments; what cannot be compiled says so."""

import subprocess
import sys
import threading

import numpy as np
import pytest
from numba.core.compiler_lock import global_compiler_lock
from numba.core.event import Listener, install_listener

from kagiya import Agent, AgentInfo, CompiledAgent, Match, Rules, find_agent, kernel, play_match
from kagiya._jit import JIT_OFF, address, kernels
from kagiya._jit.arrays import _lowest_bit_twin, _popcount_twin, lowest_bit, popcount
from kagiya.cards import Card, Slot
from kagiya.engine.batch import ACT
from kagiya.engine.game_kernels import deal
from kagiya.lab.table.table import SeatingError, Table
from tests.children import LONGEST, PROJECT, run_python

LABEL = AgentInfo(id="odd", summary="odd", family="tests", paper="none")


@kernel
def count_and_scan(mask):  # type: ignore[no-untyped-def]
    return popcount(mask) * 100 + lowest_bit(mask)


@pytest.mark.parametrize("mask", [0, 1, 2, 6, (1 << 62) | 8, (1 << 54) - 1])
def test_bits_are_counted_alike_compiled_or_not(mask: int) -> None:
    assert count_and_scan(mask) == _popcount_twin(mask) * 100 + _lowest_bit_twin(mask)


@kernel
def number_of(card):  # type: ignore[no-untyped-def]
    return Card(card) + Slot(card > 1)


def test_types_for_mypy_compile_to_nothing() -> None:
    assert (number_of(7), number_of(1)) == (8, 1)


@kernel
def number_of_half(card):  # type: ignore[no-untyped-def]
    return Card(card / 2)


@pytest.mark.skipif(JIT_OFF, reason="without the compiler any value passes")
def test_a_fraction_is_no_card() -> None:
    with pytest.raises(Exception, match="No implementation"):
        number_of_half(3)


@kernel
def half_a_move(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return 0.5


@kernel
def too_clever(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return states[i].nothing_of_that_name


@pytest.mark.skipif(JIT_OFF, reason="without the compiler nothing is refused before it runs")
@pytest.mark.parametrize(("act", "reason"), [(half_a_move, "returns float64"), (too_clever, "does not compile")])
def test_an_agent_that_does_not_fit_is_refused_by_name(act: object, reason: str) -> None:
    agent = Agent("mine:ODD", CompiledAgent(LABEL, act))  # type: ignore[arg-type]
    with pytest.raises(SeatingError, match=rf"mine:ODD.*{reason}"):
        Table(Rules(), [agent])


CALL_ALL = """
from kagiya import Rules, agent_types, find_agent
from kagiya._jit import address, kernels
from kagiya.agents.tactics.vocabulary import tactics
from kagiya.engine.batch import OBSERVE
from kagiya.lab.table.table import Table
from kagiya.lab.table.compilation import compile_steps
from kagiya.search.player_styles import player_styles
HAVE_OWN_KERNELS = ("iggi(forgets_own=yes)", "evalfn(convention=playable-now)")
agents = [find_agent(name) for name in (*agent_types(), *HAVE_OWN_KERNELS)]
for step in compile_steps(agents):
    step.run()
for agent in agents:
    Table(Rules(players=agent.info.players[-1]), [agent])  # where even those have hints enough that need many
    if agent.hooks.believe is not None:
        address(agent.hooks.believe, OBSERVE)
for tactic in tactics().values():
    find_agent(f"rules({tactic.name}{'(0.5)' if tactic.value else ''})").parameters
table = Table(Rules(), [find_agent("random")])
table.play_game(1)
player_styles([table.record()], [find_agent("random")])
"""
SHOW_SIGNATURES = """
from tests.jit.types_only import infer_signatures
infer_signatures(kernels.values())
for name, kernel in kernels.items():
    print(len(kernel.signatures), name, *kernel.signatures)
"""
CALLED_FROM_PYTHON = {"kagiya.engine.batch.finish_game", "kagiya.view.view_kernels.possible_kinds"}
ASKED_BY_EXPLANATIONS = {"numbers_read", "own_set"}
FOR_AGENTS_OF_OTHERS = {"kagiya.agents.careful.act"}


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_every_kernel_has_a_single_signature() -> None:
    lines = [line.split(maxsplit=2) for line in run_python(CALL_ALL + SHOW_SIGNATURES).splitlines()]
    assert len(lines) > 300
    assert [line for line in lines if int(line[0]) > 1] == []
    idle = {name for count, name, *_ in lines if count == "0"} - CALLED_FROM_PYTHON - FOR_AGENTS_OF_OTHERS
    assert {name for name in idle if name.rsplit(".")[-1] not in ASKED_BY_EXPLANATIONS} == set()


@kernel
def first_slot(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return 0


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_two_threads_may_need_a_kernel_first_at_the_same_moment() -> None:
    waiting, errors = threading.Semaphore(0), list[BaseException]()

    class Counter(Listener):
        def on_start(self, event: object) -> None:
            if threading.current_thread() is not threading.main_thread():
                waiting.release()

        def on_end(self, event: object) -> None:
            pass

    def compile_it() -> None:
        try:
            address(first_slot, ACT)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=compile_it) for _ in range(2)]
    with install_listener("numba:compiler_lock", Counter()), global_compiler_lock:
        for thread in threads:
            thread.start()
        for _ in threads:
            assert waiting.acquire(timeout=LONGEST)  # both are past all questions, and wait for the compiler
    for thread in threads:
        thread.join()
    assert errors == []


LARGE = np.arange(1 << 18)  # more than numba writes into a function that it keeps on disk


@kernel
def look_up(place):  # type: ignore[no-untyped-def]
    return LARGE[place]


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_a_kernel_that_cannot_be_kept_on_disk_works_and_says_so() -> None:
    with pytest.warns(Warning, match='Cannot cache compiled function "look_up"'):
        assert look_up(5) == 5


@kernel
def double(number):  # type: ignore[no-untyped-def]
    return 2 * number


@kernel
def double_both(number):  # type: ignore[no-untyped-def]
    return double(number) + double(0.5)


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_a_kernel_called_with_two_types_has_two_signatures() -> None:
    assert double_both(2) == 5.0  # from now on on disk, where it does not show what it calls
    code = "from kagiya._jit import kernels; from tests.jit.test_kernels import double_both; double_both(2)"
    lines = run_python(code + SHOW_SIGNATURES).splitlines()
    assert [line.split()[0] for line in lines if line.split()[1].endswith(".double")] == ["2"]


def test_every_kernel_is_registered_under_its_name() -> None:
    assert kernels["kagiya.engine.game_kernels.deal"] is deal
    assert play_match(Match.of(Rules(), [find_agent("random")], 2, 1)).error is None


def test_importing_the_package_compiles_and_loads_nothing_heavy() -> None:
    code = "import sys, kagiya; print([m for m in ('numba', 'numpy', 'matplotlib', 'typer') if m in sys.modules])"
    assert run_python(code).strip() == "[]"


SPARING = """
import sys
import numpy as np
from kagiya import Game
Game()
print("scipy.linalg" in sys.modules)
import numba
matrix = np.array([[2.0, 0.0], [0.0, 4.0]])
print(numba.njit(lambda: np.dot(matrix, matrix)[1, 1])())
"""


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_compiled_games_load_no_linear_algebra_and_a_users_matrices_do() -> None:
    assert run_python(SPARING).splitlines() == ["False", "16.0"]


TYPED = """
from kagiya import AgentInfo, CompiledAgent, Match, Rules, play_match
from kagiya.kernels import discard_move, is_legal, kernel, play_move

@kernel
def act(states, i, seat, memory, params, rng):
    move = discard_move(0)
    return move if is_legal(states, i, move) else play_move(0)

agent = CompiledAgent(AgentInfo(id="typed", summary="discards", family="mine", paper="none"), act)
print(play_match(Match.of(Rules(), [agent], 3, 1), workers=1).results["turns"].tolist())
"""


def test_an_agent_that_was_typed_at_a_prompt_plays() -> None:
    done = subprocess.run([sys.executable, "-"], input=TYPED, capture_output=True, text=True, cwd=PROJECT, check=False)
    assert (done.stdout, done.stderr) == ("[3, 4, 3]\n", "")
