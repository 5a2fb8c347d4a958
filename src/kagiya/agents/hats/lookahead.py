"""Looking ahead near the end: moves that the code allows are tried on samples of the hidden cards, the book playing on.

No move breaks the code: a hint, or a discard of one of several cards known to be useless, is the one that carries the
true message, so that partners who decode it literally stay right. All seats of a simulated game share this seat's copy
of the public table, which is put back afterwards.
"""

from kagiya._jit import kernel
from kagiya.agents.hats.decisions import OWN, OWN_WORDS, best_discard, settle, useless_slots
from kagiya.agents.hats.policy import DECK, NO_SEAT, book_move, choose_discard, coded_hint, hear
from kagiya.agents.hats.public_table import SETS
from kagiya.cards import MAX_HAND, MoveNumber, Seat, each_slot
from kagiya.engine.game_kernels import apply_move, discard_move, is_legal, is_over, play_move, reachable_points, score
from kagiya.engine.layout import STATE, STATE_WORDS, Lane, Memory, Params, States, Streams
from kagiya.kinds import within
from kagiya.rules import MAX_DECK
from kagiya.view.hand_sampling import DEALT_ALL, fill_hand, give_hand, shuffle_deck, try_hand

# The row of parameters goes on: samples for all moves, samples for the book before, and the standard errors by which
# another move must lead the book's.
DEALS, FIRST, CAUTION = DECK + 1, DECK + 2, DECK + 3

# Words of a seat's memory: the moves tried, by how much each leads the book's in all samples together and the squares
# of these leads, what the simulated games overwrite, and two states: the game simulated, and the deal it starts from.
MAX_MOVES = MAX_HAND + 4
MOVES = OWN_WORDS
LEADS = MOVES + MAX_MOVES
SQUARES = LEADS + MAX_MOVES
KEPT_SETS = SQUARES + MAX_MOVES
KEPT_OWN = KEPT_SETS + MAX_DECK
SCRATCH_STATES = KEPT_OWN + MAX_HAND
ENDING_WORDS = SCRATCH_STATES + 2 * STATE_WORDS

MAX_CLASHES = 30  # after which slots are filled one after another, which always ends but is not uniform


@kernel
def look_ahead(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams, book: MoveNumber
) -> MoveNumber:
    """The move that scores best on some samples; the hand must have been studied.

    Before that the book alone plays a few: if it gets all that can be had in each, its move it is.
    """
    count = list_moves(states, i, seat, memory, params, book)
    if count == 1:
        return book
    first = int(params[seat, FIRST])
    remember(memory, i, seat)
    if try_moves(states, i, seat, memory, params, rng, 1, first) == first * reachable_points(states, i) and first > 0:
        return book
    try_moves(states, i, seat, memory, params, rng, count, int(params[seat, DEALS]))
    return MoveNumber(memory[i, seat, MOVES + choose(memory, i, seat, count, params[seat, CAUTION])])


@kernel
def remember(memory: Memory, i: Lane, seat: Seat) -> None:
    """Keep what simulated games overwrite."""
    copy_words(memory, i, seat, SETS, KEPT_SETS, MAX_DECK)
    copy_words(memory, i, seat, OWN, KEPT_OWN, MAX_HAND)


@kernel
def choose(memory: Memory, i: Lane, seat: Seat, count: int, caution: float) -> int:
    """The move with the highest total of those whose lead over the book's is so many times its standard error."""
    best, lead = 0, 0
    for number in range(1, count):
        found = memory[i, seat, LEADS + number]
        if found > lead and found * found > caution * caution * memory[i, seat, SQUARES + number]:
            best, lead = number, found
    return best


@kernel
def list_moves(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, book: MoveNumber) -> int:
    """The moves worth trying, the book's first: cards that must fit, the hint, discards; returns their number."""
    count = add_move(states, i, seat, memory, 0, book)
    for slot in each_slot(states[i]["hand_size"]):
        if within(memory[i, seat, OWN + slot], states[i]["playable"]):
            count = add_move(states, i, seat, memory, count, play_move(slot))
    count = add_move(states, i, seat, memory, count, coded_hint(states, i, seat, memory, params))
    count = add_move(states, i, seat, memory, count, discard_move(choose_discard(states, i, seat, memory, params)))
    slot = best_discard(states, i, seat, memory)
    if useless_slots(states, i, seat, memory, seat, True) >> slot & 1:  # then it would carry a message
        return count
    return add_move(states, i, seat, memory, count, discard_move(slot))


@kernel
def add_move(states: States, i: Lane, seat: Seat, memory: Memory, count: int, move: MoveNumber) -> int:
    """Note one more move to try, if it is legal and new; returns how many there are."""
    if not is_legal(states, i, move):
        return count
    for number in range(count):
        if memory[i, seat, MOVES + number] == move:
            return count
    memory[i, seat, MOVES + count], memory[i, seat, LEADS + count], memory[i, seat, SQUARES + count] = move, 0, 0
    return count + 1


@kernel
def try_moves(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams, count: int, deals: int
) -> int:
    """Add up by how much the moves lead the book's, all on the same samples; returns what the book's score together."""
    scratch = memory[i, seat, SCRATCH_STATES:ENDING_WORDS].view(STATE)
    lane, total = memory[i : i + 1], 0
    for _ in range(deals):
        copy_words(memory, i, seat, KEPT_OWN, OWN, MAX_HAND)
        deal_hidden_cards(states, i, seat, memory, rng, scratch)
        book = 0
        for number in range(count):
            found = play_on(scratch, seat, lane, params, memory[i, seat, MOVES + number])
            copy_words(memory, i, seat, KEPT_SETS, SETS, MAX_DECK)
            book = found if number == 0 else book
            memory[i, seat, LEADS + number] += found - book
            memory[i, seat, SQUARES + number] += (found - book) * (found - book)
        total += book
    return total


@kernel
def deal_hidden_cards(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams, dealt: States) -> None:
    """Write into `dealt[1]` the position with another hand of this seat's, which is to move, and another deck.

    Uniform over all deals that fit the hand as studied.
    """
    dealt[1] = states[i]
    kinds, hand = memory[i, seat, OWN : OWN + MAX_HAND], dealt[1]["hands"][seat]
    clashes = 0
    while clashes < MAX_CLASHES and try_hand(states, i, seat, kinds, hand, rng, i, 1 + seat) != DEALT_ALL:
        clashes += 1
    if clashes == MAX_CLASHES:
        fill_hand(states, i, seat, kinds, hand, rng, i, 1 + seat)
    give_hand(dealt, 1, seat, hand)
    shuffle_deck(dealt, 1, rng, i, 1 + seat)


@kernel
def play_on(scratch: States, seat: Seat, memory: Memory, params: Params, first: MoveNumber) -> int:
    """The score of a move in the deal `scratch[1]`, everybody then playing by the book."""
    scratch[0] = scratch[1]
    settle(scratch, 0, seat, memory)
    move = first
    while True:
        hear(scratch, 0, seat, memory, params, NO_SEAT, move)
        apply_move(scratch, 0, move)
        if is_over(scratch, 0):
            return score(scratch, 0)
        move = book_move(scratch, 0, seat, memory, params)


@kernel
def copy_words(memory: Memory, i: Lane, seat: Seat, source: int, target: int, count: int) -> None:
    """Copy some words of a seat's memory to another place in it."""
    for word in range(count):
        memory[i, seat, target + word] = memory[i, seat, source + word]
