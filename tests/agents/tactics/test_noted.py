"""Tactics that read notes: a position, moves that all hear of, and what the list then does."""

import pytest

from kagiya.agents.api import CompiledAgent
from kagiya.agents.register import find_agent
from kagiya.agents.tactics.vocabulary import tactics
from kagiya.engine.layout import GAME
from kagiya.moves import move_name
from kagiya.spec import SpecError
from tests.agents.conventions import make, set_up

ELSE = "discard-oldest"
NOTED = sorted(name for name, tactic in tactics().items() if tactic.is_noted)

# Each: what is tried before the oldest card is discarded; a position; the moves before; what the seat to move does.
CASES = {
    "a card just hinted is played, though it may be too high": (
        "play-just-hinted(0.2)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob blue"],
        "play 3",
    ),
    "not if it is too unlikely": (
        "play-just-hinted(0.5)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob blue"],
        "discard 1",
    ),
    "a hint from before the last turn does not count": (
        "play-just-hinted(0.2)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob blue", "discard 1", "discard 1"],
        "discard 2",
    ),
    "of two cards touched the likelier; of equals the last": (
        "play-just-hinted(0)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob white"],
        "play 2",
    ),
    "two cards touched are not touched alone": (
        "play-just-hinted-alone(0)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob white"],
        "discard 1",
    ),
    "one is": (
        "play-just-hinted-alone(0)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob 2"],
        "play 2",
    ),
    "but it is not the newest": (
        "play-newest-just-hinted(0)",
        "alice R1 Y4 G4;  bob W3 W2 B1;  seat alice",
        ["hint bob 2"],
        "discard 1",
    ),
    "the newest was touched with another": (
        "play-newest-just-hinted(0)",
        "alice R1 Y4 G4;  bob W3 B2 B1;  seat alice",
        ["hint bob blue"],
        "play 3",
    ),
    "so it was not touched alone": (
        "play-newest-just-hinted-alone(0)",
        "alice R1 Y4 G4;  bob W3 B2 B1;  seat alice",
        ["hint bob blue"],
        "discard 1",
    ),
    "the newest alone": (
        "play-newest-just-hinted-alone(0)",
        "alice R1 Y4 G4;  bob W3 B2 B1;  seat alice",
        ["hint bob 1"],
        "play 3",
    ),
    "a promise is the hint after which the card looks likeliest": (
        "tell-promise(0)",
        "alice R4 Y4 G4;  bob W3 W1 B4;  cathy R3 R4 Y3;  seat alice",
        [],
        "hint bob 1",
    ),
    "none whose likeliest card would be the wrong one": (
        "tell-promise(0)",
        "fireworks R1 Y1 G1 W1;  alice R4 Y4 G4;  bob B2 W2(W!) W4;  cathy R3 R4 Y3;  seat alice",
        [],
        "hint bob 2",
    ),
    "a seat that was just hinted is left alone, and its card is not promised twice": (
        "tell-promise(0)",
        "alice R4 Y4 G4;  bob R4 R3 B4;  cathy R3 W1 Y3;  donald W3 W1 Y4;  seat alice",
        ["hint cathy 1"],
        "discard 1",
    ),
    "another card is": (
        "tell-promise(0)",
        "alice R4 Y4 G4;  bob R4 R3 B4;  cathy R3 W1 Y3;  donald W3 R1 Y4;  seat alice",
        ["hint cathy 1"],
        "hint donald 1",
    ),
    "a card that will fit once the one promised before is played": (
        "tell-promise(0)",
        "alice R4 Y4 G4;  bob R4 R3 B4;  cathy W3 R1 Y3;  donald W3 R2 Y4;  seat alice",
        ["hint cathy 1"],
        "hint donald red",
    ),
    "not if its turn comes first": (
        "tell-promise(0)",
        "alice R4 Y4 G4;  bob R4 R3 B4;  cathy W3 R2 Y3;  donald W3 R1 Y4;  seat alice",
        ["hint donald 1"],
        "discard 1",
    ),
    "the threshold is the receiver's chance": (
        "tell-promise(1)",
        "fireworks R1;  alice R4 Y4 G4;  bob W3 W1 B4;  cathy R3 R4 Y3;  seat alice",
        [],
        "discard 1",
    ),
}


@pytest.mark.parametrize("title", CASES)
def test_a_list_with_notes(title: str) -> None:
    tactic, position, story, move = CASES[title]
    table, kind = set_up(f"rules({tactic}, {ELSE})", f"{position};  tokens 4;  rules goodman(hand_size=3)")
    for each in story:
        make(table, kind, each)
    seat = table.states[GAME]["seat"]
    chosen = kind.act(table.states, GAME, seat, table.memory, table.params, table.rng)
    assert move_name(int(chosen), seat, table.rules.players) == move


def test_every_tactic_with_notes_has_a_position_here() -> None:
    assert sorted({tactic.partition("(")[0] for tactic, *_ in CASES.values()}) == NOTED


def test_only_lists_that_need_notes_keep_them() -> None:
    plain, noted = find_agent("rules(play-safe)").type, find_agent("rules(play-safe, play-just-hinted(0))").type
    assert isinstance(plain, CompiledAgent)
    assert isinstance(noted, CompiledAgent)
    assert plain.observe is None
    assert noted.observe is not None


@pytest.mark.parametrize("search", ["ris-mcts", "brooks-mcts"])
def test_the_rules_of_a_tree_cannot_read_notes(search: str) -> None:
    with pytest.raises(SpecError, match="play-just-hinted reads notes of hints, which a tree does not keep"):
        find_agent(f"{search}(rules=list(play-safe, play-just-hinted(0)))")
