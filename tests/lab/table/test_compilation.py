"""Kernels are compiled by several processes, each kernel by one of them."""

from pathlib import Path

import pytest

from kagiya._jit import JIT_OFF
from tests.children import run_python

# Two helpers beside this process, on any machine.
COMPILE = """
from pathlib import Path
from kagiya import find_agent
from kagiya._jit import cache_root
from kagiya.lab.table import compilation
compilation.cores = lambda: 3
agents = [find_agent(name) for name in {names}]
steps = compilation.compile_steps(agents, for_chunks=True)
expected = compilation.kernels_left(steps)
with compilation.helpers(agents, steps, for_chunks=True) as others:
    for step in steps:
        step.run()
    by_others = sum(map(compilation.compiled_by, others))
compiled, _ = compilation.compile_counts()
files = [file for file in Path(cache_root()).rglob("*.nbi") if "wrappers" not in file.parts]
print(len(others), compiled, by_others, len(files), expected, compilation.kernels_left(steps))
"""


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled")
def test_helpers_compile_what_this_process_then_does_not(tmp_path: Path) -> None:
    variables = {"KAGIYA_CACHE_DIR": str(tmp_path)}
    code = COMPILE.format(names=["random", "careful"])
    others, compiled, by_others, files, expected, left = map(int, run_python(code, environment=variables).split())
    assert others == 2
    assert compiled + by_others == files
    assert 0.9 * files <= expected <= files
    assert left == 0
    assert run_python(code, environment=variables).split() == ["0", "0", "0", str(files), "0", "0"]
