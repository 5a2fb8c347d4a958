"""The page of kernels lists all that an agent may call, and nothing may be public without saying what it does."""

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kagiya
from kagiya import kernels
from kagiya._jit import kernels as registered
from kagiya.dev.reference_pages import HEADINGS, SENTINELS, api_page, call, kernel_row, kernels_page, module_list
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


def test_types_stand_without_quotes_and_self_is_not_shown() -> None:
    assert call("undo", kagiya.Game.undo) == "undo() -> Move"
    assert call("ask", kagiya.ask).endswith("seed: int = 0) -> Move")


def test_the_page_is_the_same_in_every_process() -> None:
    assert " at 0x" not in api_page(kagiya)


def test_the_list_of_modules_has_a_sentence_for_each() -> None:
    found = module_list(Path(kagiya.__file__).parent)
    assert found["agents"]["api"].endswith(".")
    assert {folder for folder, names in found.items() for sentence in names.values() if len(sentence) < 10} <= {"."}
