"""`kagiya dev report --check` notices a figure that nobody measured: typed into a page, or changed in the data."""

import re
import shutil
from pathlib import Path

import pytest

from tests.children import PROJECT
from tests.cli.command import complaint, run

BLOCK = re.compile(r"<!-- begin (.*?): written.*?-->\n(.*?)<!-- end", re.DOTALL)
WHOLE_PAGES = (
    "docs/agents.md",
    "docs/findings.md",
    "docs/papers/README.md",
    "docs/papers/brooks.md",
    "docs/kernels.md",
)  # generated as a whole


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copy(PROJECT / "README.md", tmp_path)
    for folder in ("docs", "results"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    return tmp_path


def blocks() -> list[tuple[str, str]]:
    pages = ("README.md", "docs/search.md", "docs/hats.md")
    return [(page, name) for page in pages for name, _ in BLOCK.findall((PROJECT / page).read_text())]


def change_last_digit(text: str) -> str:
    place = max(place for place, letter in enumerate(text) if letter.isdigit())
    return f"{text[:place]}{(int(text[place]) + 1) % 10}{text[place + 1 :]}"


def check(project: Path) -> str:
    return complaint(run("dev", "report", "--check", "--folder", str(project)))


@pytest.mark.quick
def test_the_documents_are_up_to_date(project: Path) -> None:
    result = run("dev", "report", "--check", "--folder", str(project))
    assert result.exit_code == 0, result.output


def test_blocks_are_found() -> None:
    assert {"league", "speed", "search speed", "kagiya-hat"} < {name for _, name in blocks()}


@pytest.mark.parametrize(("page", "name"), blocks())
def test_a_figure_typed_into_a_block_is_noticed(project: Path, page: str, name: str) -> None:
    file = project / page
    text = file.read_text()
    (inside,) = [found for key, found in BLOCK.findall(text) if key == name]
    file.write_text(text.replace(inside, change_last_digit(inside)))
    assert f"the block {name!r} is stale; run `kagiya dev report`" in check(project)


@pytest.mark.parametrize("page", WHOLE_PAGES)
def test_a_figure_typed_into_a_generated_page_is_noticed(project: Path, page: str) -> None:
    file = project / page
    file.write_text(change_last_digit(file.read_text()))
    assert f"{file} is stale; run `kagiya dev report`" in check(project)


def test_a_new_agent_makes_nothing_stale(project: Path) -> None:
    """The page is as if it was written before `careful` came."""
    file = project / "docs/agents.md"
    text = file.read_text()
    file.write_text(re.sub(r"### `careful`\n.*?\n(?=##)", "", text, flags=re.DOTALL))
    result = run("dev", "report", "--check", "--folder", str(project))
    assert result.exit_code == 0, result.output
    assert "docs/agents.md lacks careful; `kagiya dev report` adds them" in result.stdout


def test_data_measured_anew_makes_the_page_stale(project: Path) -> None:
    file = project / "results/league.json"
    text = file.read_text()
    (mean, *_) = re.findall(r'"mean": ([0-9.]+)', text)
    file.write_text(text.replace(f'"mean": {mean}', f'"mean": {float(mean) + 1}', 1))
    assert re.search(r"league\.md is stale|the block 'league' is stale", check(project))
