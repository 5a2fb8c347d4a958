"""The public table: for each card the set of kinds it can be, kept alike by every seat from public events alone.

A set stands in the seat's memory under the card's `order`, so nothing moves when a hand closes up; an empty one means
that nothing but the hints' own words is known. So it also heals: when a partner breaks the convention and the
conclusions contradict each other, a card falls back on what the hints have literally said.

Questions about a hand narrow a copy of its sets, one answer after another. The kinds that a card can be are dealt into
blocks in turn, so that the number of its block narrows the card; all useless kinds are one block, the last. `converse`
asks by hanabi.rs's public rule: the answers make one number, the first as the lowest digit. How many answers the next
question may have depends on the number so far, so that no number below the modulus is wasted. Who sees the cards packs
the answers; the owner unpacks them with the same questions.
"""

from collections.abc import Iterator

from kagiya._jit import kernel, lowest_bit, popcount
from kagiya.agents import convention_reader as reader
from kagiya.cards import (
    MAX_COLORS,
    MAX_HAND,
    MAX_RANKS,
    Card,
    Kinds,
    MoveNumber,
    Seat,
    Slot,
    Slots,
    each_color,
    each_seat,
    each_slot,
)
from kagiya.engine.game_kernels import NO_SLOT, hint_kinds, hint_receiver, touched_slots
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.kinds import COLOR_KINDS, RANK_KINDS, color_kinds, count_matching, is_single, kind_bit, within
from kagiya.rules import MAX_DECK
from kagiya.view.view_kernels import public_planes, unseen_planes

SETS = REASON + 1  # words of a seat's memory: its reason, then the sets
KNOWLEDGE_WORDS = SETS + MAX_DECK


@kernel
def public_set(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot) -> Kinds:
    """The kinds that a card can be as far as everybody knows, by this seat's copy of the table; 0 for an empty slot."""
    return set_among(states, i, seat, memory, owner, slot, kinds_left(states, i))


@kernel
def kinds_left(states: States, i: Lane) -> Kinds:
    """The kinds of which not every copy is played or discarded; for `set_among`, once for many cards."""
    low, high = public_planes(states, i)
    return low | high


@kernel
def set_among(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot, alive: Kinds) -> Kinds:
    """The kinds that a card can be if only those of `alive` have copies left; never none, but for an empty slot."""
    order = states[i]["order"][owner, slot]
    if order < 0:
        return Kinds(0)
    literal = states[i]["possible"][owner, slot] & alive
    kinds = memory[i, seat, SETS + order] & literal
    return kinds if kinds else literal


@kernel
def conclude(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, slot: Slot, kinds: Kinds) -> None:
    """From now on everybody knows that a card is one of these kinds."""
    order = states[i]["order"][owner, slot]
    if order >= 0:
        memory[i, seat, SETS + order] = kinds


@kernel
def conclude_literally(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber) -> None:
    """What a hint says: cards it touches are of the kinds named, the others are not."""
    receiver, touched = hint_receiver(states, i, move), touched_slots(states, i, move)
    kinds = hint_kinds(states, i, move)
    for slot in each_slot(states[i]["hand_size"]):
        order = states[i]["order"][receiver, slot]
        if order >= 0:
            memory[i, seat, SETS + order] &= kinds if touched >> slot & 1 else ~kinds


@kernel
def believe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """The `believe` of players that keep this table: a seat's own cards are what everybody knows of them."""
    for slot in each_slot(states[i]["hand_size"]):
        order = states[i]["order"][seat, slot]
        kinds = memory[i, seat, SETS + order] & states[i]["possible"][seat, slot] if order >= 0 else Kinds(0)
        if kinds:
            states[i]["possible"][seat, slot] = kinds


@kernel
def knows_play(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> bool:
    """Whether everybody knows of a card of the owner's that it fits."""
    alive = kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        if within(set_among(states, i, seat, memory, owner, slot, alive), states[i]["playable"]):
            return True
    return False


@kernel
def colors_in(kinds: Kinds) -> int:
    """The colors that a set of kinds has, as a mask."""
    colors = 0
    for color in each_color(MAX_COLORS):
        colors |= (kinds & color_kinds(color) != 0) << color
    return colors


@kernel
def color_bits(kinds: Kinds) -> Kinds:
    """The same as the colors' lowest kinds, which is faster where it matters only how many and which are shared."""
    pairs = kinds | kinds >> 1
    return (pairs | pairs >> 2 | kinds >> 4) & RANK_KINDS


@kernel
def ranks_in(kinds: Kinds) -> int:
    """The ranks that a set of kinds has, as a mask."""
    ranks = kinds | kinds >> 3 * MAX_RANKS
    return (ranks | ranks >> MAX_RANKS | ranks >> 2 * MAX_RANKS) & COLOR_KINDS


@kernel
def share(low: Kinds, high: Kinds, kinds: Kinds, wanted: Kinds) -> float:
    """The share of the cards of these kinds, every copy counted, that are among those wanted."""
    return count_matching(low, high, kinds & wanted) / max(count_matching(low, high, kinds), 1)


@kernel
def held_kinds(states: States, i: Lane, owner: Seat) -> Kinds:
    """The kinds of the cards in a hand in sight."""
    return states[i]["hand_low"][owner] | states[i]["hand_high"][owner]


@kernel
def held_by_others(states: States, i: Lane, seat: Seat) -> Kinds:
    """The kinds of the cards in all other hands."""
    held = Kinds(0)
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            held |= held_kinds(states, i, owner)
    return held


@kernel
def has_time(states: States, i: Lane) -> bool:
    """Whether so few cards are discarded that every needed card can still be drawn and played."""
    state = states[i]
    discarded = count_matching(state["discard_low"], state["discard_high"], state["kinds"])
    spare = state["deck_size"] - popcount(state["kinds"]) - state["players"] * state["hand_size"]
    return discarded <= spare


ASKED = KNOWLEDGE_WORDS  # words of a seat's memory, by slot: the kinds that the card can be
# Of the player to move: the kinds of each card, and the planes of the cards that those not identified can be.
OWN = ASKED + MAX_HAND
OWN_LOW = OWN + MAX_HAND
OWN_HIGH = OWN_LOW + 1
OWN_WORDS = OWN_HIGH + 1
UNKNOWN_NUMBER = -1  # of a hand in sight: to be found from its cards


@kernel
def narrow(memory: Memory, i: Lane, seat: Seat, slot: Slot, kinds: Kinds) -> None:
    """A card of the hand in question is one of these kinds, unless that contradicts what is known."""
    if memory[i, seat, ASKED + slot] & kinds:
        memory[i, seat, ASKED + slot] &= kinds


@kernel
def begin_hand(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, speaking_silence: bool) -> None:
    """Begin with what everybody knows of a hand; that its owner got no hint may say that it holds no card that fits.

    It says nothing if there was no token for a hint, or if the owner knows of a card that fits.
    """
    excluded = Kinds(0)
    if speaking_silence and states[i]["tokens"] > 0 and not knows_play(states, i, seat, memory, owner):
        excluded = states[i]["playable"]
    alive = kinds_left(states, i)
    for slot in each_slot(states[i]["hand_size"]):
        memory[i, seat, ASKED + slot] = set_among(states, i, seat, memory, owner, slot, alive)
        narrow(memory, i, seat, slot, ~excluded)


@kernel
def keep_conclusions(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> None:
    """What was found out about the hand in question becomes known to everybody."""
    for slot in each_slot(states[i]["hand_size"]):
        conclude(states, i, seat, memory, owner, slot, memory[i, seat, ASKED + slot])


@kernel
def count_blocks(kinds: Kinds, useless: Kinds, room: int) -> int:
    """How many blocks there are if at most `room` can be told apart."""
    has_useless = int(kinds & useless != 0)
    return min(popcount(kinds & ~useless), room - has_useless) + has_useless


@kernel
def block_of(card: Card, kinds: Kinds, useless: Kinds, blocks: int) -> int:
    """The block of a card, which should be one of these kinds."""
    if useless >> card & 1:
        return blocks - 1
    dealt = blocks - int(kinds & useless != 0)
    return popcount(kinds & ~useless & (kind_bit(card) - 1)) % dealt


@kernel
def kinds_of_block(block: int, kinds: Kinds, useless: Kinds, blocks: int) -> Kinds:
    """The kinds of one block."""
    found, left = Kinds(0), kinds
    while left:
        card = lowest_bit(left)
        if block_of(card, kinds, useless, blocks) == block:
            found |= kind_bit(card)
        left &= left - 1
    return found


# Words of a seat's memory: the question itself, behind the sets of the hand that it is about.
QUESTION = OWN_WORDS  # what is asked
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


ASKS_BEST = "answers the question about each hand that helps most; so do some discards"


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


def knowledge_facts(scene: reader.Scene) -> Iterator[reader.Fact]:
    """What is new about the seat's own cards and does not stand in the hint's own words, unless that settles a card."""
    state = scene.states[reader.SEEN_BEFORE]
    playable, useless = Kinds(state["playable"]), Kinds(state["useless"])
    for slot in each_slot(int(state["hand_size"])):
        before, literal, after = (
            Kinds(own_set(scene.states, lane, scene.seat, scene.memory, slot))
            for lane in (reader.SEEN_BEFORE, reader.SEEN_LITERALLY, reader.SEEN_AFTER)
        )
        is_settled = after.bit_count() == 1 or within(after, playable) or within(after, useless)
        if after != literal or (after != before and is_settled):
            yield reader.Fact(slot, after, reader.kinds_words(after, before, playable, useless))
