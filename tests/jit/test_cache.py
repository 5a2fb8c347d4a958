"""Compiled code is never stale: after an edit anywhere below a kernel the answer changes at once."""

import ast
import importlib
import shutil
from pathlib import Path

import pytest

import kagiya
from kagiya._jit import JIT_OFF
from kagiya._jit.cache import import_closure, imported_names
from tests.children import run_python

PACKAGE = Path(kagiya.__file__).parent
SOURCES = sorted(PACKAGE.rglob("*.py"))
QUESTION = """
from kagiya import Match, Rules, find_agent, play_match
from kagiya._jit import kernels
result = play_match(Match.of(Rules(), [find_agent("careful")], 20, 1), workers=1)
print(int(result.results["turns"].sum()), int(result.results["score"].sum()))
"""


def ask(folder: Path, **environment: str) -> str:
    """Play a few games in a fresh process with the package in `folder` and the cache beside it."""
    variables = {"PYTHONPATH": str(folder), "KAGIYA_CACHE_DIR": str(folder / "cache"), **environment}
    return run_python(QUESTION, environment=variables).strip()


def ask_folder(folder: Path, checked: str) -> str:
    """Where the kernels of the engine would be kept, with bounds checked or not."""
    code = "from kagiya._jit import kernels; import kagiya.engine.game_kernels as k; print(k.deal.kagiya_folder)"
    return run_python(code, environment={"PYTHONPATH": str(folder), "NUMBA_BOUNDSCHECK": checked}).strip()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {file}"
    file.write_text(text.replace(old, new))


def copy_package(folder: Path) -> Path:
    shutil.copytree(PACKAGE, folder / "kagiya", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and beside it the cache that its first games have left."""
    if JIT_OFF:
        pytest.skip("nothing is compiled, so nothing is kept")
    folder = copy_package(tmp_path_factory.mktemp("compiled"))
    (folder / "answer").write_text(ask(folder))
    return folder


@pytest.fixture
def folder(compiled: Path, tmp_path: Path) -> Path:
    """The same, to be edited."""
    return shutil.copytree(compiled, tmp_path / "edited")


def cached_files(folder: Path) -> dict[str, int]:
    """The files of compiled code, and when each was written."""
    return {str(file.relative_to(folder)): file.stat().st_mtime_ns for file in (folder / "cache").rglob("*.nb*")}


def test_an_edit_to_a_constant_or_a_callee_in_another_file_is_never_missed(folder: Path) -> None:
    first = (folder / "answer").read_text()
    assert ask(folder) == first
    edit(folder / "kagiya/engine/dice.py", "WARM_UP = 12", "WARM_UP = 13")  # a constant, three imports below the match
    reshuffled = ask(folder)
    assert reshuffled != first
    hints = folder / "kagiya/agents/tactics/vocabulary.py"
    edit(hints, "if knows_rank or", "if not knows_rank or")  # a callee of one agent's tactic
    retold = ask(folder)
    assert retold not in (first, reshuffled)
    assert ask(folder, NUMBA_DISABLE_JIT="1") == retold  # and it is the true answer


def test_an_edit_to_one_agent_leaves_the_others_compiled(folder: Path) -> None:
    before = {place.name for place in (folder / "cache").iterdir()}
    edit(folder / "kagiya/agents/careful.py", "The first tactic that has a move,", "The first that has a move,")
    ask(folder)
    new = {place.name.rsplit("-", 1)[0] for place in (folder / "cache").iterdir() if place.name not in before}
    assert new == {"kagiya.agents.careful"}


def test_a_second_installation_reuses_what_the_first_one_compiled(compiled: Path, tmp_path: Path) -> None:
    before = cached_files(compiled)
    assert before
    second = copy_package(tmp_path)
    assert ask(second, KAGIYA_CACHE_DIR=str(compiled / "cache")) == (compiled / "answer").read_text()
    assert cached_files(compiled) == before


@pytest.mark.parametrize("line", ["from .consts import K", "try: from .consts import K\nexcept ImportError: pass"])
def test_relative_and_guarded_imports_of_a_user_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    package = f"pack_{abs(hash(line)) % 10**6}"
    folder = tmp_path / package
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "consts.py").write_text("K = 1\n")
    (folder / "agent.py").write_text(line + "\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module(f"{package}.agent")
    assert str((folder / "consts.py").resolve()) in import_closure(str(folder / "agent.py"))


CLOSURE = "import sys; from kagiya._jit.cache import import_closure; print(import_closure(sys.argv[1]))"


def test_what_is_imported_later_is_found_whatever_is_loaded(tmp_path: Path) -> None:
    """Else an agent's games would count or not, depending on what the process did before."""
    module = tmp_path / "later.py"
    module.write_text("def later():\n    from kagiya.search.depth_one import margin\n")
    bare = run_python(CLOSURE, str(module))
    assert "depth_one.py" in bare
    assert run_python("import kagiya.agents.register as all; all.agent_types()\n" + CLOSURE, str(module)) == bare


def test_an_installed_package_counts_by_the_record_of_its_files(tmp_path: Path) -> None:
    (tmp_path / "uses_pytest.py").write_text("def later():\n    import pytest\n")
    found = import_closure(str(tmp_path / "uses_pytest.py"))
    assert {Path(file).name for file in found} == {"RECORD", "uses_pytest.py"}


def test_a_package_lent_by_another_environment_counts_by_its_record_too(tmp_path: Path) -> None:
    lent = tmp_path / "lib" / "site-packages"
    for folder in ("somewhere", "somewhere-1.0.dist-info"):
        (lent / folder).mkdir(parents=True)
    (lent / "somewhere" / "__init__.py").write_text("import somewhere.inner\n")
    (lent / "somewhere" / "inner.py").write_text("")
    (lent / "somewhere-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: somewhere\nVersion: 1.0\n")
    (lent / "somewhere-1.0.dist-info" / "RECORD").write_text(
        "somewhere/__init__.py,,\nsomewhere-1.0.dist-info/RECORD,,\n"
    )
    (tmp_path / "agent.py").write_text("import somewhere\nfrom . import nothing\n")
    found = run_python(f"import sys; sys.path.insert(0, {str(lent)!r}); {CLOSURE}", str(tmp_path / "agent.py"))
    assert {Path(file).name for file in ast.literal_eval(found)} == {"RECORD", "agent.py"}


@pytest.mark.skipif(JIT_OFF, reason="nothing is compiled, so nothing is cached")
def test_bounds_checked_code_is_kept_apart(tmp_path: Path) -> None:
    copy_package(tmp_path)
    folders = {checked: ask_folder(tmp_path, checked) for checked in "01"}
    assert folders["0"] != folders["1"]
    assert folders["0"] == ask_folder(tmp_path, "0")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_are_found_as_the_parser_finds_them(path: Path) -> None:
    source = path.read_text()
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    assert found <= imported_names(source)
    assert "from ." not in source, "kernels' dependencies are found by absolute imports only"
