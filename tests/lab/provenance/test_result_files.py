"""Where results come from: a command that can be typed again."""

import shlex
import sys

import pytest

from kagiya.lab.provenance.result_files import command_line


def test_the_command_can_be_typed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["reproduce", "strength", "--row", "SmartBot, 1 s", "vdb(threshold=0.7)"]
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/kagiya", *words])
    assert shlex.split(command_line()) == ["kagiya", *words]
