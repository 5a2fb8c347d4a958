"""The map of the package stays small enough to keep in one's head: what was reached may fall, never rise.

The limits were set after the redesign that halved the number of modules. A commit that raises one says why.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import kagiya

PACKAGE = Path(kagiya.__file__).parent
# what is counted: how much there may be of it
LIMITS = {
    "modules": 256,
    "lines": 64_163,
    "import edges per 1,000 lines": 31.5,
    "import lines, percent of code lines": 8.95,
    "folders": 28,
    "lines of the largest module": 600,
}
COMMANDS = "commands"  # named after what a person types, like the modules that they call


@cache
def modules() -> dict[Path, ast.Module]:
    """Every module but the `__init__` files, parsed."""
    files = (path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py")
    return {path.relative_to(PACKAGE): ast.parse(path.read_text(encoding="utf-8")) for path in files}


def lines_of(path: Path) -> int:
    return (PACKAGE / path).read_text(encoding="utf-8").count("\n")


def imports_in(tree: ast.Module) -> Iterator[ast.Import | ast.ImportFrom]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))


def edges_of(tree: ast.Module) -> int:
    """How many modules of the package this one imports from, wherever in it."""
    names = {node.module for node in imports_in(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return sum(name.split(".")[0] == kagiya.__name__ for name in names)


def code_lines(path: Path, tree: ast.Module) -> int:
    """Lines that are neither empty, nor comments, nor docstrings."""
    lines = (PACKAGE / path).read_text(encoding="utf-8").splitlines()
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)]
    docs = {line for node in texts for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    written = [n for n, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]
    return len(set(written) - docs)


def figures() -> dict[str, float]:
    lines = sum(map(lines_of, modules()))
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1 for t in modules().values() for node in imports_in(t)
    )
    return {
        "modules": len(modules()),
        "lines": lines,
        "import edges per 1,000 lines": 1000 * sum(map(edges_of, modules().values())) / lines,
        "import lines, percent of code lines": 100 * imports / sum(code_lines(*item) for item in modules().items()),
        "folders": len({path.parent for path in PACKAGE.rglob("*.py")}),
        "lines of the largest module": max(map(lines_of, modules())),
    }


def test_the_map_has_not_grown() -> None:
    grown = {name: (value, LIMITS[name]) for name, value in figures().items() if value > LIMITS[name]}
    assert grown == {}, "take something out, or raise the limit with the reason in the commit"


def test_no_file_name_stands_in_two_folders() -> None:
    named = (path for path in modules() if COMMANDS not in path.parts and path.name != "__main__.py")  # `python -m`'s
    names = Counter(path.stem for path in named)
    assert [name for name, times in names.items() if times > 1] == []


def test_no_public_class_is_defined_twice() -> None:
    classes = Counter(
        node.name
        for tree in modules().values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, times in classes.items() if times > 1] == []
