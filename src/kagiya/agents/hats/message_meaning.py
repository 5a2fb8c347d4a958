"""Hat players in words: what a seat that keeps the public table then knows of its cards, or what it was told to do."""

from collections.abc import Callable, Iterator
from typing import Any

from kagiya._jit import kernel
from kagiya.agents.convention_reader import (
    SEEN_AFTER,
    SEEN_BEFORE,
    SEEN_LITERALLY,
    ConventionReader,
    Fact,
    Scene,
    kinds_words,
)
from kagiya.agents.hats.public_table import set_among
from kagiya.cards import Kinds, Seat, Slot, each_slot
from kagiya.engine.layout import Lane, Memory, States
from kagiya.kinds import within
from kagiya.view.view_kernels import unseen_planes

ANSWERS = "answers the question about each hand that helps most; so do some discards"


def hat_convention(says: str) -> str:
    """What the hints of a hat player mean, for a person who plays with it."""
    return (
        f"A hint speaks to everybody at once, by a code over all hands that the giver sees. It {says}. It can hardly "
        "be decoded in the head: ask why to be told what the last hint means to you."
    )


@kernel
def own_set(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot) -> Kinds:
    """The kinds that an own card can be: what everybody knows, and the other hands in sight."""
    low, high = unseen_planes(states, i, seat, seat)
    return set_among(states, i, seat, memory, seat, slot, low | high)


def knowledge_facts(scene: Scene) -> Iterator[Fact]:
    """What is new about the seat's own cards and does not stand in the hint's own words, unless that settles a card."""
    state = scene.states[SEEN_BEFORE]
    playable, useless = Kinds(state["playable"]), Kinds(state["useless"])
    for slot in each_slot(int(state["hand_size"])):
        before, literal, after = (
            Kinds(own_set(scene.states, lane, scene.seat, scene.memory, slot))
            for lane in (SEEN_BEFORE, SEEN_LITERALLY, SEEN_AFTER)
        )
        is_settled = after.bit_count() == 1 or within(after, playable) or within(after, useless)
        if after != literal or (after != before and is_settled):
            yield Fact(slot, after, kinds_words(after, before, playable, useless))


def knowledge_reader(numbers: Callable[..., Any]) -> ConventionReader:
    """For players that conclude what they hear in the public table."""
    return ConventionReader(numbers, knowledge_facts)
