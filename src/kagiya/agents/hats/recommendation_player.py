"""The recommendation players: a hint tells every other seat what to do, and they do it if nothing has changed since.

The number of a hand is what its holder should do, play a slot or discard one.
PAPER is Cox et al.'s list as other programs quote it: a five that fits, then the lowest card that fits, are to be
played; a card that is played already, then the highest that is not the last of its kind, are to be discarded; else the
first.
PROGRAM is what the authors' own simulator does: ties go to the earlier color, of cards played already the highest goes,
a card counts as the last of its kind as soon as any copy is discarded, and the last resort is the newest card.
"""

from collections.abc import Iterator
from typing import NewType

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter, encode_values
from kagiya.agents.convention_reader import NO_NUMBER, SEEN_AFTER, ConventionReader, Fact, Scene
from kagiya.agents.hats import codes
from kagiya.agents.hats.public_table import hat_convention, held_kinds, ranks_in
from kagiya.agents.tactics.vocabulary import first_slot, last_slot, occupied_slots, slots_of
from kagiya.cards import MAX_PLAYERS, NO_CARD, NO_MOVE, Kinds, MoveNumber, Seat, Slot, each_seat, each_slot
from kagiya.engine.game_kernels import NO_SLOT, discard_move, is_hint, is_play, may_discard, play_move, slot_of
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import rank_kinds
from kagiya.rules import Rules
from kagiya.view.view_kernels import last_copies

Source = NewType("Source", int)

PAPER, PROGRAM = Source(0), Source(1)


@kernel
def recommended(states: States, i: Lane, owner: Seat, source: Source) -> int:
    """0 to hand size - 1: play that slot; from hand size on: discard that slot."""
    state = states[i]
    slot = slot_to_play(states, i, owner, source)
    if slot != NO_SLOT:
        return slot
    return state["hand_size"] + slot_to_discard(states, i, owner, source)


@kernel
def slot_to_play(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """A card of the highest rank that fits, then the lowest that does; NO_SLOT if none fits."""
    fitting = held_kinds(states, i, owner) & states[i]["playable"]
    if fitting == 0:
        return NO_SLOT
    last_cards = fitting & rank_kinds(states[i]["ranks"] - 1)
    return slot_of_best(states, i, owner, last_cards if last_cards else lowest_ranked(fitting), source)


@kernel
def slot_of_best(states: States, i: Lane, owner: Seat, kinds: Kinds, source: Source) -> Slot:
    """The first card of one of these kinds, all of one rank; in the program the earliest color goes first."""
    return first_slot(slots_of(states, i, owner, kinds if source == PAPER else kinds & -kinds))


@kernel
def lowest_ranked(kinds: Kinds) -> Kinds:
    """Those of some kinds that have the lowest rank; there must be some."""
    return kinds & rank_kinds(lowest_bit(ranks_in(kinds)))


@kernel
def highest_ranked(kinds: Kinds) -> Kinds:
    """Those of some kinds that have the highest rank; there must be some."""
    ranks = ranks_in(kinds)
    below = ranks >> 1 | ranks >> 2 | ranks >> 3 | ranks >> 4
    return kinds & rank_kinds(lowest_bit(ranks & ~below))


@kernel
def slot_to_discard(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """A card that is played already, then one that is not needed, then the last resort."""
    state = states[i]
    if held_kinds(states, i, owner) & state["played"]:
        if source == PAPER:
            return first_slot(slots_of(states, i, owner, state["played"]))
        return highest_slot(states, i, owner, state["played"], source)
    slot = highest_slot(states, i, owner, ~needed_copies(states, i, source), source)
    return last_resort(states, i, owner, source) if slot == NO_SLOT else slot


@kernel
def last_resort(states: States, i: Lane, owner: Seat, source: Source) -> Slot:
    """The card to discard if all are needed."""
    return Slot(max(last_slot(occupied_slots(states, i, owner)), 0)) if source == PROGRAM else Slot(0)


@kernel
def highest_slot(states: States, i: Lane, owner: Seat, kinds: Kinds, source: Source) -> Slot:
    """Of a hand's cards of these kinds the highest; NO_SLOT if there is none."""
    chosen = held_kinds(states, i, owner) & kinds
    return slot_of_best(states, i, owner, highest_ranked(chosen), source) if chosen else NO_SLOT


@kernel
def needed_copies(states: States, i: Lane, source: Source) -> Kinds:
    """The kinds that must not be discarded: the last of their kind, or of which any copy is gone."""
    if source == PAPER:
        return last_copies(states, i)
    state = states[i]
    return (state["discard_low"] | state["discard_high"] | (state["copies_low"] & ~state["copies_high"])) & state[
        "kinds"
    ]


REASONS = (
    "plays {slot}, as it was told",
    "tells everybody what to do",
    "discards {slot}, as it was told",
    "discards {slot}, its first card",
    "has nothing better to do",
)
PLAYS, HINTS, DISCARDS_TOLD, DISCARDS_FIRST, AT_A_LOSS = range(5)

# Words of a seat's memory: its reason, what each seat was told by the last hint (1 + the recommendation), and how many
# cards were played since.
TOLD = REASON + 1
PLAYS_SINCE = TOLD + MAX_PLAYERS
ADVICE_WORDS = PLAYS_SINCE + 1
NOTHING_TOLD = 0
SOURCE, ERRORS, FAILURES, SPARE = range(4)  # the row of parameters


def too_few_hints(rules: Rules) -> str | None:
    """Why the recommendation players cannot play by these rules: each recommendation needs a hint of its own."""
    needed, available = 2 * rules.hand_size, codes.most_messages(rules)
    if available >= needed:
        return None
    kind = "different hints" if rules.empty_hints else "hints that are legal for every hand"
    others = "" if rules.empty_hints else "; try rules with empty hints, like bouzy"
    return (
        f"tells apart {needed} recommendations with {rules.hand_size} cards a hand, but {rules.players} players have "
        f"only {available} {kind}{others}"
    )


@kernel
def code_of(states: States, i: Lane) -> codes.Code:
    """The simplest code that has room for all recommendations; `too_few_hints` knows where none has."""
    if states[i]["empty_hints"]:
        return codes.ANY_HINT
    return codes.KIND if codes.capacity(states, i, codes.KIND) >= 2 * states[i]["hand_size"] else codes.TOUCH


@kernel
def count_numbers(states: States, i: Lane) -> int:
    """How many recommendations there are, the modulus of the hats: to play each slot, or to discard it."""
    return 2 * states[i]["hand_size"]


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, source: Source) -> int:
    """The numbers of all other hands, added up."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat:
            total += recommended(states, i, owner, source)
    return total % count_numbers(states, i)


@kernel
def told_play(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, owner: Seat) -> Slot:
    """The slot that `owner` was told to play and can still trust; NO_SLOT if there is none."""
    state = states[i]
    slot = Slot(memory[i, seat, TOLD + owner] - 1)
    if not 0 <= slot < state["hand_size"] or state["hands"][owner, slot] == NO_CARD:
        return NO_SLOT
    since, errors = memory[i, seat, PLAYS_SINCE], state["max_lives"] - state["lives"]
    return slot if since == 0 or (since == 1 and errors < params[seat, ERRORS]) else NO_SLOT


@kernel
def told_discard(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """The slot that this seat was told to discard; NO_SLOT if there is none."""
    state = states[i]
    slot = Slot(memory[i, seat, TOLD + seat] - 1 - state["hand_size"])
    if slot < 0 or state["hands"][seat, slot] == NO_CARD:
        return NO_SLOT
    return slot


@kernel
def has_news(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> bool:
    """Whether some other seat should play a card and was not told so."""
    for owner in each_seat(states[i]["players"]):
        if owner == seat or told_play(states, i, seat, memory, params, owner) != NO_SLOT:
            continue
        if held_kinds(states, i, owner) & states[i]["playable"]:
            return True
    return False


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, source: Source) -> MoveNumber:
    """The hint that carries the sum of all numbers; NO_MOVE without a token, or if the hand has none for it."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    return codes.hint_for(states, i, seat, hat_sum(states, i, seat, source), code_of(states, i))


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play as told, tell the others, discard as told: the first that is possible."""
    slot = told_play(states, i, seat, memory, params, seat)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    slot = told_discard(states, i, seat, memory)
    spares = params[seat, SPARE] != 0 and slot != NO_SLOT and may_discard(states, i)
    if not spares or has_news(states, i, seat, memory, params):
        hint = coded_hint(states, i, seat, Source(int(params[seat, SOURCE])))
        if hint != NO_MOVE:
            memory[i, seat, REASON] = HINTS
            return hint
    first = first_slot(occupied_slots(states, i, seat))
    if not may_discard(states, i):
        memory[i, seat, REASON] = AT_A_LOSS
        return play_move(first)
    memory[i, seat, REASON] = DISCARDS_FIRST if slot == NO_SLOT else DISCARDS_TOLD
    return discard_move(first if slot == NO_SLOT else slot)


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """A hint tells everybody but its giver what to do; the seat that moves has done with what it was told."""
    state = states[i]
    if is_hint(move):
        hear(states, i, seat, memory, move, Source(int(params[seat, SOURCE])))
    elif is_play(move):
        card = state["hands"][state["seat"], slot_of(move)]
        if params[seat, FAILURES] != 0 or state["playable"] >> card & 1:
            memory[i, seat, PLAYS_SINCE] += 1
    memory[i, seat, TOLD + state["seat"]] = NOTHING_TOLD


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, move: MoveNumber, source: Source) -> None:
    """Write down what a hint tells each seat; what it tells this one is left when the other hands are subtracted."""
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner != seat and owner != states[i]["seat"]:
            number = recommended(states, i, owner, source)
            memory[i, seat, TOLD + owner] = 1 + number
            others += number
    own = (codes.message_of(states, i, move, code_of(states, i)) - others) % count_numbers(states, i)
    memory[i, seat, TOLD + seat] = 1 + own
    memory[i, seat, PLAYS_SINCE] = 0


@kernel
def believe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """A hint says of a seat's own cards that one fits, or that none does and which can be spared."""
    state = states[i]
    if not is_hint(move) or state["seat"] == seat:
        return
    told = memory[i, seat, TOLD + seat] - 1
    source = Source(int(params[seat, SOURCE]))
    if told >= state["hand_size"]:
        for slot in each_slot(state["hand_size"]):
            believe_kinds(states, i, seat, slot, ~state["playable"])
        slot = Slot(told - state["hand_size"])
        if slot != last_resort(states, i, seat, source):
            believe_kinds(states, i, seat, slot, state["played"] | ~needed_copies(states, i, source))
    elif told >= 0:
        believe_kinds(states, i, seat, Slot(told), state["playable"])


@kernel
def believe_kinds(states: States, i: Lane, seat: Seat, slot: Slot, kinds: Kinds) -> None:
    """An own card is one of these kinds, unless that contradicts the hints."""
    if states[i]["possible"][seat, slot] & kinds:
        states[i]["possible"][seat, slot] &= kinds


@kernel
def numbers_read(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int, int]:
    """For explanations (`convention_reader.py`): what a hint carries, modulo what, and the seat's own part."""
    if not is_hint(move) or seat == states[i]["seat"]:
        return 0, 0, NO_NUMBER
    numbers = count_numbers(states, i)
    hear(states, i, seat, memory, move, Source(int(params[seat, SOURCE])))
    message = codes.message_of(states, i, move, code_of(states, i))
    return message % numbers, numbers, memory[i, seat, TOLD + seat] - 1


def advice_facts(scene: Scene) -> Iterator[Fact]:
    """Which slot the seat was told to play or to discard."""
    states, seat, state = scene.states, scene.seat, scene.states[SEEN_AFTER]
    play = told_play(states, SEEN_AFTER, seat, scene.memory, scene.params, seat)
    if play != NO_SLOT:
        yield Fact(play, Kinds(state["playable"]), "to be played")
    discard = told_discard(states, SEEN_AFTER, seat, scene.memory)
    if discard != NO_SLOT:
        yield Fact(discard, Kinds(state["kinds"]), "to be discarded")


# In the order of SOURCE, ERRORS and FAILURES.
PARAMETERS = (
    Parameter("source", "paper", "whose list of recommendations", choices=("paper", "program")),
    Parameter("errors", 2, "errors below which a recommendation is followed after another play", 0, 20, whole=True),
    Parameter("failures", "yes", "whether plays that fail count as plays", choices=("no", "yes")),
)


def advice_agent(name: str, summary: str, paper: str, spare: bool) -> CompiledAgent:
    """A recommendation player under this name; `spare`: it discards as told when no one needs telling."""
    info = AgentInfo(
        id=name,
        summary=summary,
        family="hat players",
        paper=paper,
        parameters=PARAMETERS,
        reasons=REASONS,
        memory_words=ADVICE_WORDS,
        convention=hat_convention("tells each of the others which card to play or to discard"),
    )
    hooks = Hooks(
        row=lambda values: [*encode_values(PARAMETERS, values), float(spare)],
        believe=believe,
        convention_reader=ConventionReader(numbers_read, advice_facts),
        why_not=too_few_hints,
    )
    return CompiledAgent(info, act, observe, hooks=hooks)
