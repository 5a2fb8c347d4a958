"""The page of kernels lists all that an agent may call, and nothing may be public without saying what it does."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kagiya
from kagiya import kernels
from kagiya._jit import kernels as registered
from kagiya.dev.reference_pages import (
    HEADINGS,
    SENTINELS,
    api_page,
    call,
    kernel_row,
    kernels_page,
    member_rows,
    module_list,
)
from kagiya.lab.papers.paper_pages import StaleError


def public_kernels() -> dict[str, Callable[..., Any]]:
    return {name: getattr(kernels, name) for name in kernels.__all__ if getattr(kernels, name) in registered.values()}


def test_every_public_kernel_is_on_the_page_once() -> None:
    page = kernels_page()
    assert len(public_kernels()) > 100
    for name, function in public_kernels().items():
        assert function.__module__ in HEADINGS, f"{function.__module__} needs a heading"
        assert page.count(f"| `{name}(") == 1, name


def test_every_public_name_exists_and_comes_from_one_place() -> None:
    assert len(set(kernels.__all__)) == len(kernels.__all__)
    assert set(SENTINELS) <= set(kernels.__all__)
    for name in kernels.__all__:
        assert getattr(kernels, name) is not None


def test_the_page_shows_types_but_for_those_that_never_differ() -> None:
    page = kernels_page()
    assert "| `hint_rank_of(offset: Offset, card: Card)` | `MoveNumber` | The hint that names this card's rank" in page
    assert "| `slots_of(states, i, owner: Seat, kinds: Kinds)` | `Slots` |" in page
    assert "| `play_safe(states, i, seat, rng, value)` | `MoveNumber` |" in page
    assert "| `possible[seat, slot]` | mask of kinds that the hints given leave open |" in page
    assert "| `NO_SLOT` | -1 |" in page


@pytest.mark.parametrize("source", ["def act(states, i) -> int: ...", 'def act(states, i):\n    """A move."""'])
def test_a_kernel_that_says_nothing_of_itself_is_refused(source: str) -> None:
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    with pytest.raises(StaleError, match="act is public: it needs a docstring"):
        kernel_row(node)


def test_every_public_name_has_its_section() -> None:
    page = api_page(kagiya)
    for name in kagiya.__all__:
        assert name.startswith("_") or f"\n## {name}\n" in page


class Silent:
    """A class with a member that says nothing of itself."""

    def says(self) -> str:
        """What it says."""
        return ""

    @property
    def nothing(self) -> str:
        return ""


def test_a_public_member_without_a_docstring_is_refused() -> None:
    with pytest.raises(StaleError, match=r"Silent\.nothing is public: it needs a docstring"):
        list(member_rows(Silent))


def test_the_agents_that_the_page_writes_exist() -> None:
    written = re.findall(r"`(([a-z-]+)\([a-z]+=[^`]*\))`", api_page(kagiya))
    agents = [text for text, name in written if name in kagiya.agent_types()]
    assert [kagiya.find_agent(text).text for text in agents] == ["risky(threshold=0.7)"]


def test_types_stand_without_quotes_and_self_is_not_shown() -> None:
    assert call("undo", kagiya.Game.undo) == "undo() -> Move"
    assert call("ask", kagiya.ask).endswith("seed: int = 0) -> Move")


def test_the_page_is_the_same_in_every_process() -> None:
    assert " at 0x" not in api_page(kagiya)


def test_the_list_of_modules_has_a_sentence_for_each() -> None:
    found = module_list(Path(kagiya.__file__).parent)
    assert found["agents"]["api"].endswith(".")
    assert {folder for folder, names in found.items() for sentence in names.values() if len(sentence) < 10} <= {"."}
