"""The shell completes commands, agents and rules, without importing an agent."""

import pytest

from kagiya.agents import register
from kagiya.agents.register import agent_types
from kagiya.cli import options
from kagiya.cli.command_line import app
from kagiya.cli.options import agent_names, rules_names
from tests.children import LONGEST, start_python
from tests.cli.command import RUNNER


def test_every_agent_and_all_rules_are_offered() -> None:
    assert agent_names("") == list(agent_types())
    assert agent_names("smart") == ["smartbot"]
    assert "goodman" in rules_names("")


@pytest.mark.parametrize(
    ("line", "offered"),
    [("kagiya mat", "match"), ("kagiya match vdb smar", "smartbot"), ("kagiya match vdb --rules goo", "goodman")],
)
def test_the_shell_is_told(line: str, offered: str) -> None:
    words = {"_KAGIYA_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    told = RUNNER.invoke(app, [], env=words, prog_name="kagiya")
    assert told.stdout.split() == [offered], told.output


def test_no_agent_is_imported_to_answer_again() -> None:
    agent_names("")
    code = "import kagiya.cli.command_line, sys; from kagiya.cli.options import agent_names; agent_names('r'); "
    asked = start_python(code + "print('numba' in sys.modules)")
    assert asked.communicate(timeout=LONGEST)[0].strip() == "False"


def test_agents_are_offered_anew_after_a_change_of_any_folder_that_holds_them() -> None:
    assert {f"kagiya.{folder}" for folder in options.FOLDERS} == set(register.FOLDERS)
