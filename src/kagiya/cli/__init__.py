"""The command `kagiya`: the outermost skin. It reads words, calls the laboratory and draws what comes back."""

import sys
from io import TextIOWrapper

from kagiya.runtime.interrupts import interruption_code, treat_sigterm_as_ctrl_c


def main() -> None:
    """What the console script runs."""
    treat_sigterm_as_ctrl_c()
    try:
        from kagiya.cli.console import SUBSTITUTE

        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors=SUBSTITUTE)
        from kagiya.cli.command_line import app

        app(prog_name="kagiya")
    except KeyboardInterrupt:  # before the commands are loaded; afterwards the app itself answers for it
        sys.exit(interruption_code())
