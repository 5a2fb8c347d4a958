"""InfoBot: the older cousin of hanabi.rs's information player, known to the literature as WTFWThat.

Source
    A. O'Dwyer, `Quuxplusone/Hanabi` on GitHub, InfoBot, commit daef9de (2019): a port to C++ of what hanabi.rs did in
    2016.
Published
    README (quuxplusone): points kept after a bomb (it never bombs), empty hints illegal. Bard et al. 2019 quote it as
    WTFWThat (goodman-report-6).
Where the source is silent
    Nothing that matters by its own rules: of hints that carry the same message and say as much, the lowest color, then
    rank, is given. By other rules: where no hint carries the message (a hand of identical cards, or none), it
    discards, or with all tokens there plays the card least needed.

Its questions about a hand are settled all at once from what is known before, the first answer the highest digit. If no
card is known to fit, whether cards fit that may, the likeliest first; then what cards are, the likeliest to fit first,
their kinds dealt into as many blocks as there is room for.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo
from kagiya.agents.hats import codes, public_table as table
from kagiya.agents.hats.decisions import REASONS
from kagiya.agents.hats.question_player import FrameParts, framed_agent
from kagiya.cards import MAX_HAND, Card, Seat, Slot, Slots, each_slot
from kagiya.engine.game_kernels import NO_SLOT, may_discard
from kagiya.engine.layout import Lane, Memory, Params, States
from kagiya.kinds import is_single, within
from kagiya.view.view_kernels import public_planes

# Words of a seat's memory: how many questions, then three words for each: its slot, its answers, whether it asks for a
# block of kinds rather than whether the card fits.
COUNT = table.OWN_WORDS
FIRST = COUNT + 1
SLOT, ANSWERS, ASKS_BLOCK = range(3)
WORDS_EACH = 3
BEFORE = FIRST + WORDS_EACH * 2 * MAX_HAND  # by slot: the kinds before the answers
FIXED_WORDS = BEFORE + MAX_HAND
MIN_CHANCE = 0.2  # of a card worth the question whether it fits


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, useless: Slots) -> int:
    """If discarding is not allowed, or a partner can play and there is no time, or no use, for a discard."""
    if not may_discard(states, i):
        return 1
    if table.has_time(states, i) and useless:
        return 0
    return int(table.held_by_others(states, i, seat) & states[i]["playable"] != 0)


@kernel
def converse(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, owner: Seat, modulus: int, number: int
) -> int:
    """Ask all questions and take their answers; returns the number, found from the cards if it was UNKNOWN_NUMBER."""
    settle_questions(states, i, seat, memory, modulus)
    found = number_from_cards(states, i, seat, memory, owner) if number == table.UNKNOWN_NUMBER else number
    take_answers(states, i, seat, memory, found)
    return found


@kernel
def settle_questions(states: States, i: Lane, seat: Seat, memory: Memory, room: int) -> None:
    """Write down the questions about a hand, whose answers make at most `room` numbers."""
    state = states[i]
    memory[i, seat, COUNT] = 0
    candidates, sure_play = Slots(0), False
    for slot in each_slot(state["hand_size"]):
        kinds = memory[i, seat, table.ASKED + slot]
        memory[i, seat, BEFORE + slot] = kinds
        sure_play |= within(kinds, state["playable"])
        candidates |= (not is_single(kinds) and not within(kinds, state["useless"])) << slot
    if not sure_play:
        room = settle_round(states, i, seat, memory, candidates, room, False)
    settle_round(states, i, seat, memory, candidates, room, True)


@kernel
def settle_round(
    states: States, i: Lane, seat: Seat, memory: Memory, candidates: Slots, room: int, asks_block: bool
) -> int:
    """Write down the questions of one sort; returns the room left."""
    while candidates and room > 1:
        slot, chance = likeliest(states, i, seat, memory, candidates)
        candidates &= ~(1 << slot)
        if not asks_block and chance < MIN_CHANCE:
            break
        answers = table.count_blocks(memory[i, seat, BEFORE + slot], states[i]["useless"], room) if asks_block else 2
        place = FIRST + WORDS_EACH * memory[i, seat, COUNT]
        memory[i, seat, place + SLOT], memory[i, seat, place + ANSWERS] = slot, answers
        memory[i, seat, place + ASKS_BLOCK] = asks_block
        memory[i, seat, COUNT] += 1
        room //= answers
    return room


@kernel
def likeliest(states: States, i: Lane, seat: Seat, memory: Memory, slots: Slots) -> tuple[Slot, float]:
    """Of some slots the one that most likely fits, ties to the first, and its chance."""
    low, high = public_planes(states, i)
    best, highest = NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        if slots >> slot & 1:
            chance = table.share(low, high, memory[i, seat, BEFORE + slot], states[i]["playable"])
            if chance > highest:
                best, highest = slot, chance
    return best, highest


@kernel
def number_from_cards(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat) -> int:
    """The number that the cards in sight give as answers."""
    number = 0
    for question in range(memory[i, seat, COUNT]):
        place = FIRST + WORDS_EACH * question
        card = states[i]["hands"][owner, memory[i, seat, place + SLOT]]
        number = number * memory[i, seat, place + ANSWERS] + answer_of(states, i, seat, memory, place, card)
    return number


@kernel
def answer_of(states: States, i: Lane, seat: Seat, memory: Memory, place: int, card: Card) -> int:
    """The answer to one question if this is the card."""
    if not memory[i, seat, place + ASKS_BLOCK]:
        return states[i]["playable"] >> card & 1
    kinds = memory[i, seat, BEFORE + memory[i, seat, place + SLOT]]
    return table.block_of(card, kinds, states[i]["useless"], memory[i, seat, place + ANSWERS])


@kernel
def take_answers(states: States, i: Lane, seat: Seat, memory: Memory, number: int) -> None:
    """Narrow the sets of the hand in question by the answers that make this number."""
    playable = states[i]["playable"]
    for question in range(memory[i, seat, COUNT] - 1, -1, -1):
        place = FIRST + WORDS_EACH * question
        slot, answers = memory[i, seat, place + SLOT], memory[i, seat, place + ANSWERS]
        answer = number % answers
        if memory[i, seat, place + ASKS_BLOCK]:
            kinds = memory[i, seat, BEFORE + slot]
            table.narrow(memory, i, seat, slot, table.kinds_of_block(answer, kinds, states[i]["useless"], answers))
        else:
            table.narrow(memory, i, seat, slot, playable if answer else ~playable)
        number //= answers


AGENT = framed_agent(
    AgentInfo(
        id="infobot",
        summary="every hint answers questions about all other hands, settled beforehand",
        family="hat players",
        paper="Quuxplusone",
        reasons=REASONS,
        memory_words=FIXED_WORDS,
        convention=table.hat_convention("answers, for each of the others, whether a card fits and then what it is"),
    ),
    FrameParts(wants_hint, codes.count_classes, codes.hint_of_class, codes.message_of_class, converse),
)
