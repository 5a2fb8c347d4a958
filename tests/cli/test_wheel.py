"""The package away from its clone, as a wheel installs it: the tables come along, and the first hour works."""

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from kagiya._jit import JIT_OFF
from kagiya.lab.papers.paper_tables import read_tables
from tests.children import PROJECT

RUN = "from kagiya.cli import main; main()"
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
RUN_PAGES = [
    page for page in PAGES if re.search("^```(console|python\n>>>)", page.read_text(encoding="utf-8"), re.MULTILINE)
]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that pyproject.toml puts into a wheel, and nothing else of the clone."""
    folder = tmp_path_factory.mktemp("site-packages")
    shutil.copytree(PROJECT / "src/kagiya", folder / "kagiya", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PROJECT / "results/league.json", folder / "kagiya")
    return folder


def away(installed: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """``kagiya`` from these files, in a folder that is not the clone."""
    environment = os.environ | {"PYTHONPATH": str(installed)}
    command = [sys.executable, "-c", RUN, *words]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


def test_all_tables_are_there_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    found = away(installed, tmp_path, "dev", "tables", "--json")
    assert found.returncode == 0, found.stderr
    assert [row["name"] for row in json.loads(found.stdout)["tables"]] == list(read_tables(PROJECT))


def test_a_table_is_measured_outside_the_clone(installed: Path, tmp_path: Path) -> None:
    found = away(installed, tmp_path, "reproduce", "osawa", "--games", "2", "--json")
    assert found.returncode == 0, found.stderr
    assert [table["name"] for table in json.loads(found.stdout)["tables"]] == ["osawa"]
    kept = json.loads((tmp_path / "results/reproductions/osawa.json").read_text())
    assert {entry["games"] for entry in kept["runs"]} == {2}


def test_all_tables_never_means_something_else(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "reproductions").mkdir()
    found = away(installed, tmp_path, "reproduce", "--tables", "--games", "2")
    assert found.returncode == 1
    assert "there is no table in reproductions" in found.stderr


def test_a_wheel_holds_every_table(tmp_path: Path) -> None:
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed here")
    options = ("--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--wheel-dir", str(tmp_path))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(PROJECT)], check=True, timeout=300)
    (wheel,) = tmp_path.glob("kagiya-*.whl")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("kagiya/")}
    assert {f"kagiya/reproductions/{name}.toml" for name in read_tables(PROJECT)} <= held
    assert "kagiya/league.json" in held
    package = PROJECT / "src"  # which `installed` copies
    assert {path.relative_to(package).as_posix() for path in package.rglob("*.py")} <= held


@pytest.mark.skipif(JIT_OFF, reason="the pages play too many games for the interpreter")
@pytest.mark.parametrize("page", RUN_PAGES, ids=lambda page: page.name)
def test_the_first_hour_works_outside_the_clone(page: Path, installed: Path, tmp_path: Path) -> None:
    own = {"KAGIYA_STORE": str(tmp_path / "store"), "XDG_DATA_HOME": str(tmp_path / "data")}
    environment = os.environ | {"PYTHONPATH": str(installed), **own}
    command = [sys.executable, "-W", "ignore", str(PROJECT / "tests/first_hour.py"), str(page)]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600)
    assert found.returncode == 0, found.stdout + found.stderr
