"""Compiled agents that see too much, or never answer: ``tests.lab.table.peekers:PEEK``."""

from kagiya import AgentInfo, CompiledAgent, kernel
from kagiya.agents.careful import act as careful_move


def label(name: str, **more: bool) -> AgentInfo:
    return AgentInfo(id=name, summary="for tests", family="tests", paper="none", memory_words=1, **more)  # type: ignore[arg-type]


@kernel
def play_what_fits(states, i, seat, memory, params, rng):
    for slot in range(states[i]["hand_size"]):
        card = states[i]["hands"][seat, slot]
        if card >= 0 and states[i]["playable"] >> card & 1:
            return slot
    return careful_move(states, i, seat, memory, params, rng)


@kernel
def wait_for_the_deck(states, i, seat, memory, params, rng):
    drawn = states[i]["drawn"]
    if drawn < states[i]["deck_size"] and states[i]["playable"] >> states[i]["deck"][drawn] & 1:
        return 0
    return careful_move(states, i, seat, memory, params, rng)


@kernel
def loop_in_the_third_turn(states, i, seat, memory, params, rng):
    turns = 0
    while states[i]["turn"] == 2:
        turns += 1
    return careful_move(states, i, seat, memory, params, rng)


PEEK = CompiledAgent(label("peek"), play_what_fits)
SEER = CompiledAgent(label("seer", sees_own_hand=True), play_what_fits)
DECK = CompiledAgent(label("deck", sees_own_hand=True), wait_for_the_deck)
ORACLE = CompiledAgent(label("oracle", sees_own_hand=True, sees_deck=True), wait_for_the_deck)
ENDLESS = CompiledAgent(label("endless"), loop_in_the_third_turn)
HONEST = CompiledAgent(label("honest"), careful_move)
