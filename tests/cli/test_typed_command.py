"""Where results come from: a command that can be typed again."""

import shlex
import sys

import pytest

from kagiya.cli.console import typed_command


def test_the_command_can_be_typed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["reproduce", "strength", "--row", "SmartBot, 1 s", "vdb(threshold=0.7)"]
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/kagiya", *words])
    assert shlex.split(typed_command()) == ["kagiya", *words]


def test_where_a_folder_lies_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    words = [
        "match",
        "vdb",
        "--store",
        "/home/somebody/games",
        "--cluster=/somewhere/address",
        "evalfn(model=/a/b.npz)",
    ]
    monkeypatch.setattr(sys, "argv", ["kagiya", *words])
    assert shlex.split(typed_command())[3:] == ["--store", "games", "--cluster=address", "evalfn(model=b.npz)"]
