"""The tools that check the code are pinned, and another version is told from a defect."""

from pathlib import Path

import pytest

from kagiya.dev import pins
from kagiya.dev.pins import StalePin, stale_pins, write_pins
from tests.children import PROJECT
from tests.cli.command import run


def test_every_tool_of_dev_is_pinned(tmp_path: Path) -> None:
    file = tmp_path / "constraints.txt"
    write_pins(file)
    assert stale_pins(file) == []
    written, kept = (pins.PIN.findall(path.read_text()) for path in (file, PROJECT / "constraints.txt"))
    assert [tool for tool, _ in written] == [tool for tool, _ in kept]
    assert {"mypy", "pytest", "ruff"} < {tool for tool, _ in kept}


def test_another_version_is_named_and_is_no_failure(tmp_path: Path) -> None:
    file = tmp_path / "constraints.txt"
    file.write_text("# a comment\nruff==0.0.1\nno-such-tool==1.0\n")
    found = stale_pins(file)
    assert [(each.tool, each.pinned) for each in found] == [("ruff", "0.0.1"), ("no-such-tool", "1.0")]
    assert found[1] == StalePin("no-such-tool", "1.0", None)
    result = run("dev", "pins", "--file", str(file))
    assert result.exit_code == 0
    assert "instead of 0.0.1, no-such-tool (not installed) instead of 1.0" in result.stdout
    assert "not a defect of the code" in result.stdout


def test_what_is_not_installed_is_not_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pins, "installed", lambda tool: None if tool == "ruff" else "1")
    with pytest.raises(ValueError, match="nothing to pin: ruff"):
        write_pins(tmp_path / "constraints.txt")
