"""The Kagiya hat player: hanabi.rs's information player with more messages, safer discards and a look ahead.

Source
    Our own design on top of `hanabirs_info.py`, whose questions and packing it uses as they are.
Published
    Nothing by others. The table `kagiya-hat` in docs/hats.md sets it beside hanabirs-info on the same decks.
Where the source is silent
    The rules are those of hanabi.rs's information player, but
      - the public table strikes what other identified cards leave no copy of (`decisions.settle`);
      - so does the player to move with its own cards (`study_hand`);
      - a card that may be the last of its kind is discarded only if there is no token for a hint;
      - every receiver has four messages, though now and then the hand has no hint for one (`count_four`);
        then who owes a player a hint plays a card rather than mislead by a discard;
      - near the end, moves that the code allows are tried on samples of the hidden cards, all seats playing on by
        these rules, the book. A hint, or a discard of one of several cards known to be useless, is the one that
        carries the true message, so that partners who decode it literally stay right;
      - that a discard is no hint says nothing once players look ahead, for then they discard as they like.
    One copy of the public table serves all seats in a simulated game, and is put back afterwards: `seat` is the row of
    memory, the state says who moves.

What each change gains in points, on common decks that are not reported on (from seed 5,000,000), on top of those above
it; +- is the standard error of the difference. Of the four messages only means were compared, not all on equal decks.

    3 players         4 players         5 players         games
    +0.006 +- 0.003   +0.006 +- 0.002   +0.002 +- 0.001   20,000  a sharper public table, its own hand as a whole
    +0.095 +- 0.005   +0.011 +- 0.002   +0.001 +- 0.000   10,000  no possible last copy discarded with a token left
    +0.002 +- 0.002   +0.005 +- 0.002   not measured      10,000  risks from a chance of 0.65, not 0.75
    about +0.02       -0.001            about 0            8,000  four messages for each receiver
    +0.019 +- 0.002   +0.016 +- 0.002   +0.033 +- 0.002    8,000  the look ahead with six cards left in the deck

At 4,000 to 20,000 games a setting these did not help, or not enough for their cost: public weights less the cards
identified elsewhere (0.000), expected points instead of last copies in the choice of a discard (+0.002 +- 0.001),
saving tokens while partners know what to play (-0.004 to -0.018), other limits for the question whether a card fits
(within 0.003), the switch `has_time` three discards earlier or later (-0.005 to -0.24), risky plays among the moves
looked ahead (0.000), and samples for the choice of a dangerous discard in the whole game (+0.003 +- 0.003 at half the
speed). More samples and an earlier look ahead help with five players and cost their time: twenty cards and 25 samples
had 24.971 +- 0.003 in 4,000 games at 90 games a second, where six cards and 10 samples had 24.960.
"""

from typing import Any

from kagiya._jit import kernel, popcount
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.convention_reader import NO_NUMBER, ConventionReader
from kagiya.agents.hats import decisions, public_table as table
from kagiya.agents.hats.codes import count_four, hint_of_four, message_of_four
from kagiya.cards import MAX_HAND, NO_MOVE, MoveNumber, Seat, Slot, each_seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, STATE, STATE_WORDS, Lane, Memory, Params, States, Streams
from kagiya.kinds import within
from kagiya.rules import MAX_DECK
from kagiya.view.hand_sampling import DEALT_ALL, fill_hand, give_hand, shuffle_deck, try_hand

LOOKS_AHEAD = len(decisions.REASONS)
ENOUGH_TOKENS = 5
NO_SEAT = Seat(-1)
# The row of parameters: cards left in the deck from which on players look ahead, -1 for never; samples for all moves;
# samples for the book before; the standard errors by which another move must lead the book's.
DECK, DEALS, FIRST, CAUTION = range(4)

# Words of a seat's memory: the moves tried, by how much each leads the book's in all samples together and the squares
# of these leads, what the simulated games overwrite, and two states: the game simulated, and the deal it starts from.
MAX_MOVES = MAX_HAND + 4
MOVES = table.QUESTION_WORDS
LEADS = MOVES + MAX_MOVES
SQUARES = LEADS + MAX_MOVES
KEPT_SETS = SQUARES + MAX_MOVES
KEPT_OWN = KEPT_SETS + MAX_DECK
SCRATCH_STATES = KEPT_OWN + MAX_HAND
ENDING_WORDS = SCRATCH_STATES + 2 * STATE_WORDS

MAX_CLASHES = 30  # after which slots are filled one after another, which always ends but is not uniform


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The book's move; near the end whichever scores most on samples of the hidden cards."""
    move = book_move(states, i, seat, memory, params)
    if not looks_ahead(states, i, seat, params):
        return move
    reason = memory[i, seat, REASON]
    best = look_ahead(states, i, seat, memory, params, rng, move)
    memory[i, seat, REASON] = reason if best == move else LOOKS_AHEAD
    return best


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Keep the public table."""
    decisions.settle(states, i, seat, memory)
    hear(states, i, seat, memory, params, seat, move)


@kernel
def numbers_read(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int, int]:
    """For explanations (`convention_reader.py`): what a move carries, modulo what, and the seat's own part."""
    if game.is_play(move) or seat == states[i]["seat"]:
        return 0, 0, NO_NUMBER
    decisions.settle(states, i, seat, memory)
    message, modulus = number_carried(states, i, seat, memory, params, move)
    return message, modulus, hear(states, i, seat, memory, params, seat, move)


@kernel
def book_move(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """Play what must fit, risk what may, hint if a player needs it or no discard is safe, else discard."""
    decisions.settle(states, i, seat, memory)
    decisions.study_hand(states, i, seat, memory)
    slot, reason = decisions.best_sure_play(states, i, seat, memory), decisions.PLAYS
    if slot == game.NO_SLOT:
        slot, reason = decisions.best_risk(states, i, seat, memory, decisions.OWN_RISK), decisions.RISKS
    if slot != game.NO_SLOT:
        memory[i, seat, REASON] = reason
        return game.play_move(slot)
    if wants_hint(states, i, seat, memory):
        hint = coded_hint(states, i, seat, memory, params)
        if hint != NO_MOVE:
            memory[i, seat, REASON] = decisions.HINTS
            return hint
    misleads = silence_speaks(states, i, seat, params) and someone_needs_hint(states, i, seat, memory)
    if not game.may_discard(states, i) or (misleads and states[i]["lives"] > 1):
        memory[i, seat, REASON] = decisions.AT_A_LOSS
        return game.play_move(decisions.best_discard(states, i, seat, memory))
    return game.discard_move(choose_discard(states, i, seat, memory, params))


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory) -> bool:
    """Whether to hint rather than to discard."""
    state = states[i]
    if not game.may_discard(states, i):
        return True
    if state["tokens"] == 0:
        return False
    if someone_needs_hint(states, i, seat, memory):
        return True
    worthless = decisions.worthless_slots(states, i, seat, memory)
    if worthless and table.has_time(states, i):
        return False
    if state["tokens"] > ENOUGH_TOKENS or table.held_by_others(states, i, state["seat"]) & state["playable"]:
        return True
    return not worthless and decisions.may_be_last_copy(
        states, i, seat, memory, decisions.best_discard(states, i, seat, memory)
    )


@kernel
def someone_needs_hint(states: States, i: Lane, seat: Seat, memory: Memory) -> bool:
    """Whether another player holds a card that fits, and knows of none."""
    state = states[i]
    for owner in each_seat(state["players"]):
        can_play = owner != state["seat"] and table.held_kinds(states, i, owner) & state["playable"] != 0
        if can_play and not table.knows_play(states, i, seat, memory, owner):
            return True
    return False


@kernel
def silence_speaks(states: States, i: Lane, seat: Seat, params: Params) -> bool:
    """Whether a discard says that no one needed a hint: there was a token, and all go by the book."""
    return states[i]["tokens"] > 0 and not looks_ahead(states, i, seat, params)


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """The hint that answers everybody's questions; NO_MOVE without a token, or if the hand has none for it."""
    if states[i]["tokens"] == 0:
        return NO_MOVE
    modulus = count_four(states, i, seat, memory, params)
    return hint_of_four(states, i, seat, memory, params, hat_sum(states, i, seat, memory, params, modulus, False))


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> Slot:
    """Of several cards that everybody knows to be useless the one that carries the message; else the least needed."""
    public = decisions.useless_slots(states, i, seat, memory, states[i]["seat"])
    if public & (public - 1):
        memory[i, seat, REASON] = decisions.SIGNALS
        return decisions.nth_slot(public, hat_sum(states, i, seat, memory, params, popcount(public), True))
    worthless = decisions.worthless_slots(states, i, seat, memory)
    if worthless:
        memory[i, seat, REASON] = decisions.DISCARDS_USELESS
        return decisions.nth_slot(worthless, 0)
    memory[i, seat, REASON] = decisions.DISCARDS
    return decisions.best_discard(states, i, seat, memory)


@kernel
def looks_ahead(states: States, i: Lane, seat: Seat, params: Params) -> bool:
    """Whether so few cards are left in the deck that players no longer go by the book."""
    return states[i]["deck_size"] - states[i]["drawn"] <= params[seat, DECK]


@kernel
def begin(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, owner: Seat, by_discard: bool) -> None:
    """Take up a hand; a discard says that it holds no card that fits, if it could have been told of one."""
    table.begin_hand(states, i, seat, memory, owner, by_discard and silence_speaks(states, i, seat, params))


@kernel
def hat_sum(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, modulus: int, by_discard: bool) -> int:
    """The numbers of all hands but the mover's, added up; nothing is concluded."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != states[i]["seat"]:
            begin(states, i, seat, memory, params, owner, by_discard)
            total += table.converse(states, i, seat, memory, params, owner, modulus, table.UNKNOWN_NUMBER)
    return total % modulus


@kernel
def number_carried(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int]:
    """The message of a hint, or of discarding one of several useless cards, and how many messages there were."""
    mover = states[i]["seat"]
    if game.is_hint(move):
        modulus = count_four(states, i, seat, memory, params)
        return message_of_four(states, i, seat, memory, params, move), modulus
    return decisions.discard_message(decisions.useless_slots(states, i, seat, memory, mover), game.slot_of(move))


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, listener: Seat, move: MoveNumber) -> int:
    """Conclude what a move says of every hand but the mover's, before it is made; the table must be settled.

    Returns the listener's own number, what is left of the message; NO_SEAT, who knows all cards, has none.
    """
    if game.is_play(move):
        return NO_NUMBER
    mover = states[i]["seat"]
    message, modulus = number_carried(states, i, seat, memory, params, move)
    others, own = 0, NO_NUMBER
    for owner in each_seat(states[i]["players"]):
        if owner != mover and owner != listener:
            begin(states, i, seat, memory, params, owner, game.is_discard(move))
            others += table.converse(states, i, seat, memory, params, owner, modulus, table.UNKNOWN_NUMBER)
            table.keep_conclusions(states, i, seat, memory, owner)
    if listener not in (mover, NO_SEAT):
        begin(states, i, seat, memory, params, listener, game.is_discard(move))
        own = (message - others) % modulus
        table.converse(states, i, seat, memory, params, listener, modulus, own)
        table.keep_conclusions(states, i, seat, memory, listener)
    if game.is_hint(move):
        table.conclude_literally(states, i, seat, memory, move)
    return own


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
    copy_words(memory, i, seat, table.SETS, KEPT_SETS, MAX_DECK)
    copy_words(memory, i, seat, table.OWN, KEPT_OWN, MAX_HAND)
    total = try_moves(states, i, seat, memory, params, rng, 1, first)
    if first > 0 and total == first * game.reachable_points(states, i):
        return book
    try_moves(states, i, seat, memory, params, rng, count, int(params[seat, DEALS]))
    return MoveNumber(memory[i, seat, MOVES + choose(memory, i, seat, count, params[seat, CAUTION])])


@kernel
def choose(memory: Memory, i: Lane, seat: Seat, count: int, caution: float) -> int:
    """The move with the highest total of those whose lead over the book's is `caution` times its standard error."""
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
        if within(memory[i, seat, table.OWN + slot], states[i]["playable"]):
            count = add_move(states, i, seat, memory, count, game.play_move(slot))
    count = add_move(states, i, seat, memory, count, coded_hint(states, i, seat, memory, params))
    count = add_move(states, i, seat, memory, count, game.discard_move(choose_discard(states, i, seat, memory, params)))
    slot = decisions.best_discard(states, i, seat, memory)
    if decisions.useless_slots(states, i, seat, memory, seat) >> slot & 1:  # then it would carry a message
        return count
    return add_move(states, i, seat, memory, count, game.discard_move(slot))


@kernel
def add_move(states: States, i: Lane, seat: Seat, memory: Memory, count: int, move: MoveNumber) -> int:
    """Note one more move to try, if it is legal and new; returns how many there are."""
    if not game.is_legal(states, i, move):
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
        copy_words(memory, i, seat, KEPT_OWN, table.OWN, MAX_HAND)
        deal_hidden_cards(states, i, seat, memory, rng, scratch)
        book = 0
        for number in range(count):
            found = play_on(scratch, seat, lane, params, memory[i, seat, MOVES + number])
            copy_words(memory, i, seat, KEPT_SETS, table.SETS, MAX_DECK)
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
    kinds, hand = memory[i, seat, table.OWN : table.OWN + MAX_HAND], dealt[1]["hands"][seat]
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
    decisions.settle(scratch, 0, seat, memory)
    move = first
    while True:
        hear(scratch, 0, seat, memory, params, NO_SEAT, move)
        game.apply_move(scratch, 0, move)
        if game.is_over(scratch, 0):
            return game.score(scratch, 0)
        move = book_move(scratch, 0, seat, memory, params)


@kernel
def copy_words(memory: Memory, i: Lane, seat: Seat, source: int, target: int, count: int) -> None:
    """Copy some words of a seat's memory to another place in it."""
    for word in range(count):
        memory[i, seat, target + word] = memory[i, seat, source + word]


def parameter_row(values: dict[str, Any]) -> list[float]:
    """Without samples no player ever looks ahead, and all know it."""
    deck, deals, *rest = (float(values.get(each.name, each.default)) for each in INFO.parameters)
    return [deck if deals else -1.0, deals, *rest]


INFO = AgentInfo(
    id="kagiya-hat",
    summary="as hanabirs-info, with a sharper table, safer discards and a look ahead near the end",
    family="hat players",
    paper="Kagiya",
    parameters=(
        Parameter("deck", 6, "cards left in the deck when it begins to look ahead", 0, 60, whole=True),
        Parameter("deals", 15, "samples of the hidden cards; 0 for no look ahead", 0, 100, whole=True),
        Parameter("first", 5, "samples for the book alone; if they go well its move is made", 0, 100, whole=True),
        Parameter("caution", 0.7, "standard errors by which another move must lead the book's", 0, 5),
    ),
    reasons=(*decisions.REASONS, "finds this best on samples of the hidden cards"),
    memory_words=ENDING_WORDS,
    convention=table.hat_convention(table.ASKS_BEST),
)
AGENT = CompiledAgent(
    INFO,
    act,
    observe,
    hooks=Hooks(
        row=parameter_row,
        believe=table.believe,
        convention_reader=ConventionReader(numbers_read, table.knowledge_facts),
    ),
)
