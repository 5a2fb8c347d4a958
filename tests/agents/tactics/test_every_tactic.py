"""No tactic is forgotten: each stands in some position of these files."""

from kagiya.agents.tactics.vocabulary import tactics, use
from tests.agents.tactics import (
    test_discard,
    test_noted,
    test_play,
    test_tell,
    test_tell_clear,
    test_tell_most,
    test_unblock,
)
from tests.agents.tactics.cases import read_cases

MODULES = (test_discard, test_play, test_tell, test_tell_clear, test_tell_most, test_unblock)


def test_every_tactic_has_a_position_here() -> None:
    plain = {use(case.tactic).tactic.name for module in MODULES for case in read_cases(module.CASES)}
    assert plain | set(test_noted.NOTED) == set(tactics())
