"""The command `kagiya`: the outermost skin. It reads words, calls the laboratory and draws what comes back."""

import sys


def main() -> None:
    """What the console script runs."""
    try:
        from kagiya.cli.app import app

        app(prog_name="kagiya")
    except KeyboardInterrupt:  # before the commands are loaded; afterwards the app itself answers for it
        sys.exit(130)
