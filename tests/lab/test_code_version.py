"""Which code an agent is: edits that change its play change its version."""

from pathlib import Path

import pytest

from kagiya import Agent, AgentInfo, find_agent
from kagiya.agents import rule_list
from kagiya.agents.rule_list import rule_agent
from kagiya.lab.provenance import agent_files, code_version, file_version
from kagiya.search import ismcts, search_options, workspace
from tests.children import finish, start_python

LABEL = AgentInfo(id="listed", summary="x", family="tests", paper="none")


def version(text: str) -> str:
    return code_version([find_agent(text)])


def listed(*tactics: str) -> Agent:
    """An agent whose module was edited to this list; the text stays the same."""
    return Agent("listed", rule_agent(LABEL, *tactics))


def test_the_version_is_of_what_plays() -> None:
    assert version("vdb") == version("vdb")
    assert len({version(text) for text in ("vdb", "iggi", "careful", "ris-mcts", "ris-mcts(rollout=iggi)")}) == 5


def test_editing_a_list_of_tactics_changes_the_version() -> None:
    before = code_version([listed("play-safe", "tell-playable", "discard-oldest")])
    assert code_version([listed("play-safe", "tell-playable", "discard-oldest")]) == before
    assert code_version([listed("play-safe", "discard-oldest", "tell-playable")]) != before
    assert code_version([listed("play-safe", "tell-playable")]) != before


@pytest.mark.parametrize("module", [search_options, workspace, ismcts])
def test_a_search_counts_by_its_settings_too(module: object) -> None:
    """No import leads from its kernels to the rules of its tree."""
    file = str(module.__file__)  # type: ignore[attr-defined]
    assert file in agent_files(find_agent("ris-mcts(rules=goodman)"))
    assert file not in agent_files(find_agent("vdb"))


def test_an_edit_of_the_rules_of_the_tree_is_an_edit_of_its_file(tmp_path: Path) -> None:
    text = Path(rule_list.__file__).read_text()
    versions: list[str] = []
    for edit in (text, text + "\n# a remark\n", text.replace('"tell-dispensable",', "", 1)):
        file = tmp_path / f"candidates{len(versions)}.py"
        file.write_text(edit)
        versions.append(file_version(str(file)))
    assert versions[0] == versions[1] == file_version(str(rule_list.__file__))
    assert versions[0] != versions[2]


def test_what_was_typed_at_a_prompt_is_new_in_every_session() -> None:
    code = "from kagiya import *\nfrom kagiya.lab.provenance import code_version\n"
    code += "class Bot:\n    def act(self, observation): return observation.legal_moves[0]\n"
    code += "print(code_version([as_agent(Bot)]), code_version([as_agent(Bot)]), code_version([as_agent(Bot())]))\n"
    answers = [finish(start_python(code)) for _ in range(2)]
    assert [code for code, _, _ in answers] == [0, 0], answers
    first, second = (output.split() for _, output, _ in answers)
    assert first[0] == first[1] == first[2]
    assert set(first).isdisjoint(second)


def test_an_object_counts_by_its_class_and_by_the_module_that_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "shop_of_bots.py").write_text("class Bot:\n    def act(self, observation): ...\n")
    (tmp_path / "named_bots.py").write_text("from shop_of_bots import Bot\nsharp = Bot()\n")
    monkeypatch.syspath_prepend(tmp_path)
    files = agent_files(find_agent("named_bots:sharp"))
    assert {Path(file).name for file in files} == {"shop_of_bots.py", "named_bots.py"}


def test_the_record_of_a_package_counts_without_how_it_was_installed(tmp_path: Path) -> None:
    record = tmp_path / "RECORD"
    lines = ["bots/__init__.py,sha256=abc,10", "bots/_fast.so,sha256=def,20"]
    how = ["bots/__pycache__/__init__.cpython-311.pyc,,", "bots-1.dist-info/INSTALLER,sha256=x,4", "../../bin/bots,,"]
    versions = []
    for content in (lines, lines[::-1] + how, [lines[0], lines[1].replace("def", "xyz")]):
        record.write_text("\n".join(content))
        file_version.cache_clear()
        versions.append(file_version(str(record)))
    assert versions[0] == versions[1] != versions[2]


def test_thousands_of_matches_of_the_same_agents_look_at_their_files_once(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = [find_agent("careful"), find_agent("vdb")]
    first = code_version(agents)
    monkeypatch.setattr("kagiya.lab.provenance.import_closure", None)  # nobody asks for it again
    assert code_version(agents) == first


def test_no_agent_depends_on_a_drawing() -> None:
    """A new shade of red would compile everything again and make every stored game one of older code."""
    for name in ("smartbot", "ris-mcts", "careful-python"):
        files = agent_files(find_agent(name))
        assert [file for file in files if "/engine/game.py" in file], "the files are found"
        assert not [file for file in files if "/kagiya/drawing/" in file]
