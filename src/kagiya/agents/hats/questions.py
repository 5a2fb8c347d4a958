"""Questions about a hand whose answers make one number: asked by a public rule, answered by whoever sees the cards.

Answers are packed with the first as the lowest digit. How many answers the next question may have depends on the number
so far, so that no number below the modulus is wasted (hanabi.rs). The owner unpacks with the same questions.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents.hats.public_table import (
    ASKED,
    ASKED_WORDS,
    UNKNOWN_NUMBER,
    block_of,
    count_blocks,
    kinds_of_block,
    narrow,
    share,
)
from kagiya.cards import MAX_HAND, Kinds, Seat, Slot, Slots, each_slot
from kagiya.engine.game_kernels import NO_SLOT
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.kinds import count_matching, is_single, within
from kagiya.view.view_kernels import public_planes

# Words of a seat's memory: the question itself, behind the sets of the hand that it is about.
QUESTION = ASKED_WORDS  # what is asked
ANSWERS = QUESTION + 1  # how many there are
PROBES = ANSWERS + 1  # of FIRST_YES: in order, slot + MAX_HAND * (whether it asks for useless)
ASKED_SLOT = PROBES  # of IS_PLAYABLE and WHICH_BLOCK
QUESTION_WORDS = PROBES + 2 * MAX_HAND

NO_QUESTION, FIRST_YES, IS_PLAYABLE, WHICH_BLOCK = range(4)
MIN_CHANCE, BEST_CHANCE, MAX_CHANCE = 0.5, 0.7, 0.9  # of a card worth the question whether it fits


@kernel
def converse(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, owner: Seat, modulus: int, number: int
) -> int:
    """Ask and answer until the number is used up; returns it, found from the cards if it was UNKNOWN_NUMBER."""
    room, total, base, left = modulus, 0, 1, number
    while room > 1:
        ask(states, i, seat, memory, room)
        answers = memory[i, seat, ANSWERS]
        if answers < 2:
            break
        if number == UNKNOWN_NUMBER:
            answer = true_answer(states, i, seat, memory, owner)
        else:
            answer = left % answers
            left //= answers
        take_answer(states, i, seat, memory, answer)
        total += base * answer
        base *= answers
        room = (room - answer - 1) // answers + 1
    return total


@kernel
def ask(states: States, i: Lane, seat: Seat, memory: Memory, room: int) -> None:
    """Choose the next question with at most `room` answers; ANSWERS is 0 if there is none."""
    state = states[i]
    memory[i, seat, QUESTION], memory[i, seat, ANSWERS] = NO_QUESTION, 0
    candidates, sure_play, sure_useless = Slots(0), False, False
    for slot in each_slot(state["hand_size"]):
        kinds = memory[i, seat, ASKED + slot]
        is_useless = within(kinds, state["useless"])
        sure_play |= within(kinds, state["playable"])
        sure_useless |= is_useless
        candidates |= (not is_single(kinds) and not is_useless) << slot
    if not sure_play and ask_first_yes(states, i, seat, memory, candidates, sure_useless, room):
        return
    if not ask_playable(states, i, seat, memory, candidates):
        ask_block(states, i, seat, memory, candidates, room)


@kernel
def ask_first_yes(
    states: States, i: Lane, seat: Seat, memory: Memory, candidates: Slots, sure_useless: bool, room: int
) -> bool:
    """Ask for the first of a list of yes-or-no probes that is true: whether a card fits, or is useless.

    Kept are the `room` - 1 best: those for cards that fit before the others, the likelier first. They are then asked
    the likelier last, which leaves most to be learned from a no.
    """
    count = 0
    for useless in range(1 if sure_useless else 2):
        wanted = states[i]["useless"] if useless else states[i]["playable"]
        kept, space = may_be(states, i, seat, memory, candidates, wanted), max(room - 1 - count, 0)
        while popcount(kept) > space:
            kept &= ~(1 << least_likely(states, i, seat, memory, kept, wanted, True))
        while kept:
            slot = least_likely(states, i, seat, memory, kept, wanted, False)
            memory[i, seat, PROBES + count] = slot + MAX_HAND * useless
            kept &= ~(1 << slot)
            count += 1
    if count:
        memory[i, seat, QUESTION], memory[i, seat, ANSWERS] = FIRST_YES, count + 1
    return count > 0


@kernel
def may_be(states: States, i: Lane, seat: Seat, memory: Memory, slots: Slots, wanted: Kinds) -> Slots:
    """Those of some slots that can be one of the kinds wanted."""
    found = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        found |= (memory[i, seat, ASKED + slot] & wanted != 0) << slot
    return found & slots


@kernel
def least_likely(
    states: States, i: Lane, seat: Seat, memory: Memory, slots: Slots, wanted: Kinds, last_of_equals: bool
) -> Slot:
    """Of some slots the one least likely to be wanted, ties to the first or the last; NO_SLOT if there is none."""
    low, high = public_planes(states, i)
    best, lowest, of = NO_SLOT, 2, 1  # the lowest chance so far as a fraction, which is compared without dividing
    for slot in each_slot(states[i]["hand_size"]):
        if slots >> slot & 1:
            kinds = memory[i, seat, ASKED + slot]
            count, total = count_matching(low, high, kinds & wanted), max(count_matching(low, high, kinds), 1)
            if count * of < lowest * total + last_of_equals:
                best, lowest, of = slot, count, total
    return best


@kernel
def ask_playable(states: States, i: Lane, seat: Seat, memory: Memory, candidates: Slots) -> bool:
    """Ask whether the card fits whose chance is nearest to the best, if any is near."""
    low, high = public_planes(states, i)
    best, distance = NO_SLOT, 1.0
    for slot in each_slot(states[i]["hand_size"]):
        chance = share(low, high, memory[i, seat, ASKED + slot], states[i]["playable"])
        if not candidates >> slot & 1 or not MIN_CHANCE <= chance <= MAX_CHANCE:
            continue
        if abs(chance - BEST_CHANCE) < distance:
            best, distance = slot, abs(chance - BEST_CHANCE)
    if best == NO_SLOT:
        return False
    memory[i, seat, QUESTION], memory[i, seat, ANSWERS], memory[i, seat, ASKED_SLOT] = IS_PLAYABLE, 2, best
    return True


@kernel
def ask_block(states: States, i: Lane, seat: Seat, memory: Memory, candidates: Slots, room: int) -> None:
    """Ask in which block of its kinds the card lies that is least likely useless."""
    useless = states[i]["useless"]
    slot = least_likely(states, i, seat, memory, candidates, useless, False)
    if slot != NO_SLOT:
        memory[i, seat, QUESTION], memory[i, seat, ASKED_SLOT] = WHICH_BLOCK, slot
        memory[i, seat, ANSWERS] = count_blocks(memory[i, seat, ASKED + slot], useless, room)


@kernel
def true_answer(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> int:
    """The answer that the cards in sight give."""
    state = states[i]
    answers = memory[i, seat, ANSWERS]
    if memory[i, seat, QUESTION] == FIRST_YES:
        for place in range(answers - 1):
            slot = memory[i, seat, PROBES + place] % MAX_HAND
            if probed_kinds(states, i, seat, memory, place) >> state["hands"][owner, slot] & 1:
                return place + 1
        return 0
    slot = memory[i, seat, ASKED_SLOT]
    card = state["hands"][owner, slot]
    if memory[i, seat, QUESTION] == IS_PLAYABLE:
        return state["playable"] >> card & 1
    return block_of(card, memory[i, seat, ASKED + slot], state["useless"], answers)


@kernel
def probed_kinds(states: States, i: Lane, seat: Seat, memory: Memory, place: int) -> Kinds:
    """What a probe of FIRST_YES asks for."""
    return states[i]["useless"] if memory[i, seat, PROBES + place] >= MAX_HAND else states[i]["playable"]


@kernel
def take_answer(states: States, i: Lane, seat: Seat, memory: Memory, answer: int) -> None:
    """Narrow the sets of the hand in question by an answer."""
    state = states[i]
    answers = memory[i, seat, ANSWERS]
    if memory[i, seat, QUESTION] == FIRST_YES:
        for place in range(answers - 1 if answer == 0 else answer):
            wanted = probed_kinds(states, i, seat, memory, place)
            slot = memory[i, seat, PROBES + place] % MAX_HAND
            narrow(memory, i, seat, slot, wanted if place == answer - 1 else ~wanted)
        return
    slot = memory[i, seat, ASKED_SLOT]
    if memory[i, seat, QUESTION] == IS_PLAYABLE:
        narrow(memory, i, seat, slot, state["playable"] if answer else ~state["playable"])
    else:
        kinds = memory[i, seat, ASKED + slot]
        narrow(memory, i, seat, slot, kinds_of_block(answer, kinds, state["useless"], answers))
