"""The command as tests call it: inside this process, or as a process of its own."""

import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from kagiya.cli.app import app

PROJECT = Path(__file__).parents[2]
RUNNER = CliRunner()

# A shell that starts us in the background has told us to ignore Ctrl-C; the command under test must not.
LISTEN = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
RUN = "from kagiya.cli import main; main()"


def run(*words: str, typed: str = "") -> Result:
    """``kagiya`` with these words, and what a person types."""
    return RUNNER.invoke(app, list(words), input=typed, prog_name="kagiya")


def start(*words: str, before: str = "", stdin: int | None = None) -> subprocess.Popen[str]:
    """The same as a process, after some code of the test's own."""
    code = LISTEN + before + RUN
    return subprocess.Popen(
        [sys.executable, "-c", code, *words],
        cwd=PROJECT,
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def complaint(result: Result) -> str:
    """The one line on stderr of a command that failed as it should."""
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    lines = [line for line in result.stderr.splitlines() if line and not line.startswith("compiling")]
    assert len(lines) == 1, result.stderr
    assert lines[0].startswith("kagiya: ")
    return lines[0]
