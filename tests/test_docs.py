"""The documents say what is true: their code runs, their commands work, the file they show is the file there is."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

import kagiya
from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import JIT_OFF
from tests.children import finish
from tests.cli.command import start

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, text in FENCE.findall(page.read_text(encoding="utf-8")) if kind == language]


@pytest.mark.parametrize("page", [page for page in PAGES if ">>>" in page.read_text()], ids=lambda page: page.name)
def test_python_on_the_page_gives_what_the_page_says(page: Path) -> None:
    examples = [block for block in blocks(page, "python") if ">>>" in block]
    test = doctest.DocTestParser().get_doctest("\n".join(examples), {}, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test)
    assert runner.summarize(verbose=False).failed == 0


def test_the_first_agent_of_the_readme_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = [block for block in blocks(ROOT / "README.md", "python") if ">>>" not in block]
    (tmp_path / "readme_first.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = play_match(Match.of(Rules(players=3), [find_agent("readme_first:Mine")], 20, 1))
    assert result.error is None
    assert result.summary.mean > 10


def test_the_tutorial_has_code_to_run() -> None:
    assert sum(block.count(">>>") for block in blocks(ROOT / "docs/tutorial.md", "python")) > 15


COMMANDS = [
    line[2:] for page in PAGES for block in blocks(page, "console") for line in block.splitlines() if line[:2] == "$ "
]


@pytest.mark.skipif(JIT_OFF, reason="the commands play too many games for the interpreter")
@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("kagiya ") and "league" not in c])
def test_commands_on_the_pages_work(command: str) -> None:
    code, _, errors = finish(start(*shlex.split(command)[1:]))
    assert code == 0, errors


def test_the_pages_show_commands() -> None:
    assert len(COMMANDS) >= 4


SHOWN_FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
SHOWN_FILES = [(page, *found) for page in PAGES for found in SHOWN_FILE.findall(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(("page", "name", "text"), SHOWN_FILES, ids=[name for _, name, _ in SHOWN_FILES])
def test_a_file_shown_on_a_page_is_the_file_there_is(page: Path, name: str, text: str) -> None:
    assert (ROOT / name).read_text() == text, f"{page.name} shows an old {name}"


@pytest.mark.quick
def test_links_between_pages_lead_somewhere() -> None:
    links = [
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    ]
    assert len(links) > 5
    for page, target in links:
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_public_names_exist_and_are_listed_once() -> None:
    assert len(set(kagiya.__all__)) == len(kagiya.__all__)
    for name in kagiya.__all__:
        assert getattr(kagiya, name) is not None
    assert set(kagiya.__all__) == {"__version__", *kagiya._HOMES}
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kagiya.nothing  # noqa: B018
