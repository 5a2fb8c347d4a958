"""The command as tests call it: inside this process, or as a process of its own."""

import subprocess
from collections.abc import Mapping

from typer.testing import CliRunner, Result

from kagiya.cli.command_line import app
from tests.children import INHERITED, start_python

RUNNER = CliRunner()
MAIN = "from kagiya.cli import main; main()"


def run(*words: str, typed: str = "") -> Result:
    """``kagiya`` with these words, and what a person types."""
    return RUNNER.invoke(app, list(words), input=typed, prog_name="kagiya")


def start(*words: str, before: str = "", environment: Mapping[str, str] = INHERITED) -> subprocess.Popen[str]:
    """The same as a process, after some code of the test's own."""
    return start_python(before + MAIN, *words, environment={"KAGIYA_STORE": "", **environment})


def complaint(result: Result) -> str:
    """The one line on stderr of a command that failed as it should."""
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    lines = [line for line in result.stderr.splitlines() if line and not line.startswith("compiling")]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("kagiya: ")
    return lines[0]
