"""Runs an unmodified program on the drop-in: `python -m kagiya.interop.hle SCRIPT [ARGUMENT]...`, or `-m MODULE`."""

import runpy
import sys
from pathlib import Path

from kagiya.interop.hle import replace_hle

USAGE = """usage: python -m kagiya.interop.hle SCRIPT [ARGUMENT]...
       python -m kagiya.interop.hle -m MODULE [ARGUMENT]...

Runs a program that was written for the Hanabi Learning Environment, as python would, on Kagiya's drop-in."""


def main() -> None:
    """Run what is named, as `python` would."""
    arguments = sys.argv[1:]
    is_module = arguments[:1] == ["-m"]
    if len(arguments) <= is_module or arguments[0] in ("-h", "--help"):
        raise SystemExit(USAGE)
    program, *sys.argv[1:] = arguments[is_module:]
    replace_hle()
    if is_module:
        runpy.run_module(program, run_name="__main__", alter_sys=True)
        return
    if not Path(program).is_file():
        raise SystemExit(f"there is no file {program}")
    sys.argv[0] = program
    sys.path[0] = str(Path(program).resolve().parent)
    runpy.run_path(program, run_name="__main__")


main()
