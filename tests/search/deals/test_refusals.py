"""What a search on an exact belief cannot think with is refused before the game, in one sentence."""

import pytest

from kagiya import Rules, find_agent
from kagiya.lab.table.table import Table
from kagiya.spec import SpecError


@pytest.mark.parametrize("name", ["sparta", "sparta-both"])
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("deals=0", "deals must be a number from 1"),
        ("threshold=-1", "threshold must be a number from 0"),
        ("cap=0", "cap must be a number from 1"),
        ("endings=-1", "endings must be a number from 0"),
        ("deals=10, time=1s", "choose one of them"),
        ("blueprint=depth-one", "is a search itself"),
        ("blueprint=careful-python", "is written in Python"),
        ("blueprint=cheatbot", "which no player may"),
        ("blueprint=nobody", "nobody"),
    ],
)
def test_bad_settings_are_refused(name: str, setting: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        find_agent(f"{name}({setting})")


@pytest.mark.parametrize("name", ["sparta", "sparta-both"])
def test_a_blueprint_that_rolls_dice_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="rolls dice"):
        Table(Rules(players=2), [find_agent(f"{name}(blueprint=random)")])
