"""The documents say what is true: the file they show is the file there is, their links lead somewhere.

Their code and commands are run in tests/cli/test_wheel.py, away from the clone.
"""

import re
from collections import Counter
from pathlib import Path

import pytest

import kagiya
from kagiya import Game, Rules, Table, find_agent
from kagiya._jit import JIT_OFF
from tests import notebooks

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


def test_the_first_agent_of_the_readme_is_that_of_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = [block for block in blocks(ROOT / "README.md", "python") if ">>>" not in block]
    (tmp_path / "readme_first.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    for seed in range(5):
        played = [play_game(agent, seed).moves for agent in ("readme_first:Mine", "examples.ladder:First")]
        assert played[0] == played[1]


def play_game(agent: str, seed: int) -> Game:
    table = Table(Rules(players=3), [find_agent(agent)])
    table.play_game(seed)
    return table.game()


def test_the_tutorial_has_code_to_run() -> None:
    assert sum(block.count(">>>") for block in blocks(ROOT / "docs/tutorial.md", "python")) > 15


SHOWN_FILE = re.compile(r"<!-- (?:file|part of): (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)


def shown_files() -> dict[str, str]:
    """The files that pages show, by name; one shown in parts is put together."""
    files: dict[str, str] = {}
    for page in PAGES:
        for name, text in SHOWN_FILE.findall(page.read_text(encoding="utf-8")):
            files[name] = f"{files[name]}\n\n{text}" if name in files else text
    return files


SHOWN_FILES = shown_files()


@pytest.mark.parametrize("name", SHOWN_FILES)
def test_a_file_shown_on_a_page_is_the_file_there_is(name: str) -> None:
    assert (ROOT / name).read_text() == SHOWN_FILES[name], f"a page shows an old {name}"


def test_every_example_is_shown_on_a_page() -> None:
    assert set(SHOWN_FILES) == {f"examples/{path.name}" for path in (ROOT / "examples").glob("*.py")}


@pytest.mark.quick
def test_links_between_pages_lead_somewhere() -> None:
    links = [
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 5
    for page, target in links:
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_environment_variable_is_on_one_page() -> None:
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "src").rglob("*.py")]
    names = {name for text in sources for name in re.findall(r"\b(?:KAGIYA|XDG)_[A-Z_]+\b", text)}
    assert len(names) > 5
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_the_glossary_says_once_what_a_word_means() -> None:
    rows = (ROOT / "docs/glossary.md").read_text(encoding="utf-8").splitlines()
    words = [word.strip() for row in rows if row.startswith("| ") for word in row.split("|")[1].split(",")]
    assert len(words) > 100
    assert [word for word, times in Counter(words).items() if times > 1] == []


def test_public_names_exist_and_are_listed_once() -> None:
    assert len(set(kagiya.__all__)) == len(kagiya.__all__)
    for name in kagiya.__all__:
        assert getattr(kagiya, name) is not None
    assert set(kagiya.__all__) == {"__version__", *kagiya._HOMES}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kagiya.nothing  # noqa: B018


@pytest.mark.skipif(JIT_OFF, reason="the notebook plays too many games for the interpreter")
@pytest.mark.parametrize("path", notebooks.NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_gives_what_it_shows(path: Path) -> None:
    for module in ("pandas", "matplotlib"):
        pytest.importorskip(module)
    notebook = notebooks.read(path)
    cells, found = notebooks.code_cells(notebook), notebooks.outputs(notebook)
    assert len(cells) > 3
    for cell, shown in zip(cells, found, strict=True):
        told = "`python -m tests.notebooks` writes what cells show"
        assert [*map(notebooks.comparable, shown)] == [*map(notebooks.comparable, cell["outputs"])], told
    kept = {form for cell in cells for output in cell["outputs"] for form in output.get("data", {})}
    assert kept == {"text/plain", *notebooks.FORMS}
