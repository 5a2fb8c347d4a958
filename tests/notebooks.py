"""Notebooks without Jupyter: their cells run one after another, and what each prints, its last value included."""

import ast
import contextlib
import io
from typing import Any


def run_cell(source: str, space: dict[str, Any]) -> str:
    """What a cell prints; the value of a last expression is shown as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if isinstance(last, ast.Expr) else None
    return printed.getvalue() + ("" if value is None else f"{value!r}\n")
