"""The recommendation players: a hint tells every other seat what to do, and they do it if nothing has changed since."""

from collections.abc import Iterator

from kagiya._jit import kernel
from kagiya.agents.conventions.convention_reader import NO_NUMBER, SEEN_AFTER, ConventionReader, Fact, Scene
from kagiya.agents.hats.channel import ANY_HINT, KIND, TOUCH, Code, capacity, hint_for, message_of, most_messages
from kagiya.agents.hats.knowledge import held_kinds
from kagiya.agents.hats.recommendation import Source, last_resort, needed_copies, recommended
from kagiya.agents.tactics.discard import may_discard
from kagiya.agents.tactics.slots import first_slot, occupied_slots
from kagiya.cards import NO_CARD, Kinds, Seat, Slot, each_seat, each_slot
from kagiya.dice import Streams
from kagiya.engine.layout import REASON, Lane, Memory, Params, States
from kagiya.move_kernels import NO_SLOT, discard_move, is_hint, is_play, play_move, slot_of
from kagiya.moves import NO_MOVE, MoveNumber
from kagiya.rules import MAX_PLAYERS, Rules

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
SOURCE, ERRORS, FAILURES, SPARE = range(4)  # the row of parameters: see `advice_agents.py`


def too_few_hints(rules: Rules) -> str | None:
    """Why the recommendation players cannot play by these rules: each recommendation needs a hint of its own."""
    needed, available = 2 * rules.hand_size, most_messages(rules)
    if available >= needed:
        return None
    kind = "different hints" if rules.empty_hints else "hints that are legal for every hand"
    others = "" if rules.empty_hints else "; try rules with empty hints, like bouzy"
    return (
        f"tells apart {needed} recommendations with {rules.hand_size} cards a hand, but {rules.players} players have "
        f"only {available} {kind}{others}"
    )


@kernel
def code_of(states: States, i: Lane) -> Code:
    """The simplest code that has room for all recommendations; `too_few_hints` knows where none has."""
    if states[i]["empty_hints"]:
        return ANY_HINT
    return KIND if capacity(states, i, KIND) >= 2 * states[i]["hand_size"] else TOUCH


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
    return hint_for(states, i, seat, hat_sum(states, i, seat, source), code_of(states, i))


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
    """A hint tells everybody but its giver what to do; whoever moves has done with what it was told."""
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
    own = (message_of(states, i, move, code_of(states, i)) - others) % count_numbers(states, i)
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
    message = message_of(states, i, move, code_of(states, i))
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


ADVICE_READER = ConventionReader(numbers_read, advice_facts)
