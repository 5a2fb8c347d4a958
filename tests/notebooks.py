"""Notebooks without Jupyter: their cells run one after another, and what each shows is what Jupyter would keep.

``python -m tests.notebooks`` runs the notebooks of examples/ and writes what their cells show into them.
"""

import ast
import base64
import contextlib
import io
import json
import warnings
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted((Path(__file__).parents[1] / "examples").glob("*.ipynb"))
FORMS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_", "image/png": "_repr_png_"}
FOREIGN = 'class="dataframe"'  # how pandas draws a frame is its own affair
Output = dict[str, Any]


def read(path: Path) -> dict[str, Any]:
    """A notebook."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def outputs(notebook: dict[str, Any]) -> list[list[Output]]:
    """What the code cells of a notebook show, each run after those before it."""
    space: dict[str, Any] = {"__name__": "__main__"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [run_cell("".join(cell["source"]), space) for cell in code_cells(notebook)]


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells that run."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, space: dict[str, Any]) -> list[Output]:
    """What a cell prints, and the value of its last expression in every form that it has."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), space) if isinstance(last, ast.Expr) else None
    text = printed.getvalue()
    found: list[Output] = [{"output_type": "stream", "name": "stdout", "text": lines(text)}] if text else []
    if value is not None:
        found.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": forms(value)})
    return found


def forms(value: Any) -> dict[str, Any]:
    """A value as text, and in the forms for which it has methods."""
    data: dict[str, Any] = {"text/plain": lines(repr(value))}
    for form, method in FORMS.items():
        drawn = getattr(value, method)() if hasattr(value, method) else None
        if drawn is not None:
            data[form] = base64.b64encode(drawn).decode() if isinstance(drawn, bytes) else lines(str(drawn))
    return data


def lines(text: str) -> list[str]:
    """As notebooks keep texts."""
    return text.splitlines(keepends=True)


def comparable(output: Output) -> Output:
    """The same without what other versions of other libraries may draw otherwise: of it only that it is there."""
    data = dict(output.get("data", {}))
    for form, shown in data.items():
        if form == "image/png" or (form == "text/html" and FOREIGN in "".join(shown)):
            data[form] = "drawn"
    return {**output, "data": data, "execution_count": None}


def main() -> None:
    """Write what the cells show."""
    for path in NOTEBOOKS:
        notebook = read(path)
        for number, (cell, shown) in enumerate(zip(code_cells(notebook), outputs(notebook), strict=True), 1):
            cell["execution_count"], cell["outputs"] = number, shown
            for output in shown:
                if "execution_count" in output:
                    output["execution_count"] = number
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
