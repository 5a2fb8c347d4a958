"""Kagiya as its wheel installs it: in an environment of its own, to which this one lends all other packages.

`python -m tests.installed` builds the wheel, installs it there, runs every example of every page of help outside the
clone, and sees that nothing had to be compiled again: compiled code belongs to contents, not to a path.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tempfile
import venv
from pathlib import Path

PROJECT = Path(__file__).parents[1]
EXAMPLES = PROJECT / "tests/cli/test_examples.py"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def build_wheel(folder: Path) -> Path:
    """The wheel of this clone; what builds it must be installed, for nothing is fetched."""
    subprocess.run([*PIP, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, PROJECT], check=True)
    (wheel,) = folder.glob("kagiya-*.whl")
    return wheel


def environment(folder: Path, wheel: Path) -> Path:
    """An environment with this wheel; the folder of its commands.

    The packages that Kagiya needs are found where they are installed already. A line in a .pth file lends them without
    reading the .pth files there, one of which would lead back to the clone.
    """
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    (packages,) = folder.glob("lib/python*/site-packages")
    lent = dict.fromkeys(sysconfig.get_paths()[name] for name in ("purelib", "platlib"))
    (packages / "lent.pth").write_text("".join(f"{path}\n" for path in lent))
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", "--ignore-installed", str(wheel)], check=True)
    return python.parent


def run_examples(commands: Path, folder: Path) -> int:
    """Every example, in a folder that is not the clone; the exit code of the tests."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = ["-m", "pytest", "-n", "auto", "-q", "-p", "no:cacheprovider", "--rootdir", str(PROJECT)]
    command = [str(commands / "python"), *words, "-c", str(PROJECT / "pyproject.toml"), str(EXAMPLES)]
    package = {"KAGIYA_PACKAGE": str(commands.parent)}
    return subprocess.run(command, cwd=folder, env=outside | package).returncode


def warmed(command: Path, folder: Path) -> str:
    """What `kagiya warm` says, in one line."""
    outside = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    found = subprocess.run([command, "warm"], cwd=folder, env=outside, stdout=subprocess.PIPE, text=True, check=True)
    return found.stdout.splitlines()[0]


def main() -> None:
    """Install, run, and compare what is compiled."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = environment(folder / "environment", build_wheel(folder))
        failed = run_examples(commands, folder)
        in_clone = warmed(Path(sys.executable).parent / "kagiya", folder)
        from_wheel = warmed(commands / "kagiya", folder)
    sys.stdout.write(f"in the clone: {in_clone}\nfrom the wheel: {from_wheel}\n")
    if failed or not from_wheel.startswith("compiled 0 kernels"):
        sys.exit("the wheel is not what the clone is: see above")


if __name__ == "__main__":
    main()
