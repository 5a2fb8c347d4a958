"""Which code an agent is: edits that change its play change its version."""

from pathlib import Path

import pytest

from kagiya import Agent, AgentInfo, find_agent
from kagiya.agents._rule_list import rule_agent
from kagiya.lab.provenance.code_version import agent_files, code_version, file_version
from kagiya.search import options, workspace
from kagiya.search.agents import ismcts

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


@pytest.mark.parametrize("module", [options, workspace, ismcts])
def test_a_search_counts_by_its_settings_too(module: object) -> None:
    """No import leads from its kernels to the rules of its tree."""
    file = str(module.__file__)  # type: ignore[attr-defined]
    assert file in agent_files(find_agent("ris-mcts(rules=goodman)"))
    assert file not in agent_files(find_agent("vdb"))


def test_an_edit_of_the_rules_of_the_tree_is_an_edit_of_its_file(tmp_path: Path) -> None:
    text = Path(options.__file__).read_text()
    versions: list[str] = []
    for edit in (text, text + "\n# a remark\n", text.replace('"tell-dispensable",', "", 1)):
        file = tmp_path / f"options{len(versions)}.py"
        file.write_text(edit)
        versions.append(file_version(str(file)))
    assert versions[0] == versions[1] == file_version(str(options.__file__))
    assert versions[0] != versions[2]
