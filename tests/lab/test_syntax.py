"""The hash of a source: what does not count, what does, and that every version of Python agrees."""

import ast
import gc
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from kagiya.lab.provenance import syntax_hash

SOURCE = '''
"""Doc."""
from __future__ import annotations
X: int = 1_000
def f(a, /, b=2.5, *c, d: str = u"x", **e) -> None:
    "doc"
    return f"{a!r:>{b}} {c=} text" f"{d}" "more"
class C(object, metaclass=type):
    async def g(self): return [x async for x in self if x not in {1, -0.0, None, True, ..., b"y"}]
'''
# Computed by Python 3.11; whoever runs this test with another version checks that it agrees.
HASH = "f1c491898acd61654c6abb02dc3040537607207abfb736568ed44ea4e51d2f2b"


def test_every_version_of_python_computes_the_same() -> None:
    assert syntax_hash(SOURCE.encode()) == HASH


def test_a_field_that_a_later_python_adds_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `type_params` was added in 3.12, empty for everything written before."""

    def with_more_fields(source: bytes) -> ast.AST:
        tree = compile(source, "", "exec", ast.PyCF_ONLY_AST)
        for node in ast.walk(tree):
            vars(node).update(_fields=(*node._fields, "added_list", "added_node"), added_list=[], added_node=None)
        return tree

    with monkeypatch.context() as patched:
        patched.setattr(ast, "parse", with_more_fields)
        found = syntax_hash(SOURCE.encode())
    assert found == HASH


@pytest.mark.parametrize(
    "other",
    [
        "x = [1, 2]  # a remark",
        "x=[1,\n   2]",
        '"""What this is for."""\nx = [1, 2]',
        "x = [0x1, 2,]\n\n",
        "'as good as a comment'\nx = [(1), 2]",
    ],
)
def test_layout_comments_and_docstrings_do_not_count(other: str) -> None:
    assert syntax_hash(other.encode()) == syntax_hash(b"x = [1, 2]")


DIFFERENT = [
    "x = [1, 2]", "x = [2, 1]", "x = [1, 3]", "x = [1.0, 2]", "x = [True, 2]", "x = [1, '2']", "x = [1, b'2']",
    "x = (1, 2)", "x = [[1], 2]", "x = [1, [2]]", "y = [1, 2]", "x += [1, 2]", "x = [1, -2]", "x = [None, 2]",
    "x = f'[1, 2]'", "x = f'{1}2'", "x = f'1{2}'", "if x: y\nz", "if x:\n y\n z", "def x(): return 1",
    "def x(): return", "def x(): return None", "x = yield_", "import x", "from . import x", "from .. import x",
    r"x = '\ud800'", "",
]  # fmt: skip


def test_everything_else_counts() -> None:
    assert len({syntax_hash(source.encode()) for source in DIFFERENT}) == len(DIFFERENT)


def test_threads_hash_at_once() -> None:
    """Python's own parser fails at that where a collection of garbage lets another thread go on."""

    def give_way(*_: object) -> None:
        time.sleep(0)

    gc.callbacks.append(give_way)
    try:
        with ThreadPoolExecutor(4) as pool:
            hashes = set(pool.map(syntax_hash, [SOURCE.encode() * 50] * 40))
    finally:
        gc.callbacks.remove(give_way)
    assert len(hashes) == 1
