"""The commit beside a measurement is that of our code, whatever repository lies around it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from kagiya.lab.provenance import commit_of

if shutil.which("git") is None:
    pytest.skip("git is not installed here", allow_module_level=True)


def git(folder: Path, *words: str) -> str:
    who = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.org")
    return subprocess.run(["git", "-C", str(folder), *who, *words], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package in a repository that keeps it, beside a file of results."""
    folder = tmp_path / "clone/package"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder.parent / "results.json").write_text("{}")
    git(folder.parent, "init", "-q")
    git(folder.parent, "add", ".")
    git(folder.parent, "commit", "-qm", "first")
    return folder


def test_the_commit_is_named(package: Path) -> None:
    head = git(package, "rev-parse", "HEAD").strip()
    assert commit_of(package) == head[:12]


def test_only_edits_of_the_code_count(package: Path) -> None:
    clean = commit_of(package)
    (package.parent / "results.json").write_text('{"new": 1}')
    assert commit_of(package) == clean
    (package / "__init__.py").write_text("edited = True")
    assert commit_of(package) == f"{clean}+"


def test_the_repository_is_left_alone(package: Path) -> None:
    """A question that is killed half way must not leave a lock behind, so it takes none."""
    index = package.parent / ".git/index"
    os.utime(package / "__init__.py", (1, 1))  # which git would note in its index if it might
    before = index.read_bytes()
    assert commit_of(package)
    assert index.read_bytes() == before


def test_somebody_elses_repository_is_not_ours(package: Path) -> None:
    installed = package.parent / ".venv/package"
    shutil.copytree(package, installed)
    (package.parent / ".gitignore").write_text(".venv")
    assert commit_of(installed) is None


def test_without_a_repository_there_is_no_commit(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text("")
    assert commit_of(tmp_path) is None
