"""The battery catches agents that look at hidden cards, however seldom and wherever they hide what they saw."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kagiya import Agent, AgentInfo, CompiledAgent, Rules, find_agent, kernel
from kagiya._jit import JIT_OFF
from kagiya.search.ismcts import RIS_MCTS
from tests.blindness import check_blindness
from tests.searches import quick
from tests.sketches.hat import HAT

LABEL = AgentInfo(id="cheat", summary="looks at hidden cards", family="tests", paper="none", memory_words=1)


@kernel
def honest_act(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    return 0


@kernel
def plays_what_fits(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    for slot in range(states[i]["hand_size"]):
        card = states[i]["hands"][seat, slot]
        if card >= 0 and states[i]["playable"] >> card & 1:
            return slot
    return 0


@kernel
def looks_late(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """Only with the last life, at its last card."""
    card = states[i]["hands"][seat, 4]
    return 4 if states[i]["lives"] == 1 and card >= 0 and states[i]["playable"] >> card & 1 else 0


@kernel
def looks_at_the_deck(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    drawn = states[i]["drawn"]
    card = states[i]["deck"][drawn] if drawn < states[i]["deck_size"] else -1
    return 1 if card >= 0 and states[i]["playable"] >> card & 1 else 0


@kernel
def writes_it_down(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    memory[i, seat, 0] = states[i]["hands"][seat, 0]
    return 0


@kernel
def observes_its_own_card(states, i, seat, memory, params, move):  # type: ignore[no-untyped-def]
    memory[i, seat, 0] = states[i]["hands"][seat, 0]


CHEATS = {
    "acts": CompiledAgent(LABEL, plays_what_fits),
    "acts late": CompiledAgent(LABEL, looks_late),
    "looks at the deck": CompiledAgent(LABEL, looks_at_the_deck),
    "writes it down": CompiledAgent(LABEL, writes_it_down),
    "observes": CompiledAgent(LABEL, honest_act, observes_its_own_card),
}


@pytest.mark.parametrize("cheat", CHEATS.values(), ids=CHEATS)
def test_the_battery_catches_a_cheat(cheat: CompiledAgent) -> None:
    with pytest.raises(AssertionError):
        check_blindness(Agent("cheat", cheat), Rules(players=3), 20)


search_move = RIS_MCTS.act


@kernel
def believes_the_truth(states, i, seat, memory, params, rng):  # type: ignore[no-untyped-def]
    """A search that deals itself the hand that it really has; it still chooses by what it finds."""
    for slot in range(states[i]["hand_size"]):
        card = states[i]["hands"][seat, slot]
        if card >= 0:
            states[i]["possible"][seat, slot] = 1 << card
    return search_move(states, i, seat, memory, params, rng)


@pytest.mark.skipif(JIT_OFF, reason="whole games of searches take minutes without the compiler")
def test_the_battery_catches_a_search_whose_deals_know_too_much() -> None:
    honest = quick("ris-mcts(rules=all)")
    cheat = replace(honest, type=replace(RIS_MCTS, act=believes_the_truth))
    check_blindness(honest, Rules(players=2), 1)
    with pytest.raises(AssertionError):
        check_blindness(cheat, Rules(players=2), 1)


def test_an_agent_that_says_what_it_sees_is_caught_if_it_does_not_say_so() -> None:
    seer = find_agent("cheatbot")
    assert isinstance(seer.type, CompiledAgent)
    check_blindness(seer, Rules(players=3), 2)  # it does not see the deck, which is dealt again
    silent = replace(seer, type=replace(seer.type, info=replace(seer.info, sees_own_hand=False)))
    with pytest.raises(AssertionError, match="cards that its seat cannot see"):
        check_blindness(silent, Rules(players=3), 5)


def test_the_battery_accepts_an_honest_agent_with_memory(games: Callable[[int], int]) -> None:
    check_blindness(Agent("hat", HAT), Rules(players=5), max(games(10), 1))
