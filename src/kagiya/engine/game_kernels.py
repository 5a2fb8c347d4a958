"""The rules in compiled form: numbers of moves, deal, legal moves, apply, end, score.

Nothing here checks its arguments. `states` is an array of state records and `i` the lane meant, in every kernel. A lane
that holds the template of some rules (`kagiya.engine.batch`) is copied by `deal`.
"""

from kagiya._jit import kernel, popcount
from kagiya.cards import (
    MAX_COLORS,
    MAX_HAND,
    MAX_RANKS,
    NO_CARD,
    NO_MOVE,
    Card,
    Color,
    Kinds,
    MoveNumber,
    Offset,
    Rank,
    Seat,
    Slot,
    Slots,
    each_color,
    each_offset,
    each_seat,
    each_slot,
)
from kagiya.engine.dice import DECK_STREAM, below, seed_stream
from kagiya.engine.layout import TOLD_COLOR, TOLD_RANK, Lane, States, Streams
from kagiya.kinds import COLOR_KINDS, add_bit, color_kinds, color_of, rank_kinds, rank_of, remove_bit
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT, NUM_MOVES

NO_SLOT = Slot(-1)


@kernel
def play_move(slot: Slot) -> MoveNumber:
    """The move that plays this slot; NO_MOVE for NO_SLOT, which is the same number."""
    return MoveNumber(slot)


@kernel
def discard_move(slot: Slot) -> MoveNumber:
    """The move that discards this slot, whether the rules allow it now or not; NO_MOVE for NO_SLOT."""
    return MoveNumber(FIRST_DISCARD + slot) if slot != NO_SLOT else NO_MOVE


@kernel
def hint_move(offset: Offset, value: int) -> MoveNumber:
    """The hint of this value to the seat `offset` places on: colors are the values 0-5, ranks 6-10."""
    return MoveNumber(FIRST_HINT + (offset - 1) * HINTS_PER_SEAT + value)


@kernel
def hint_color(offset: Offset, color: Color) -> MoveNumber:
    """The hint that names a color to the seat `offset` places on."""
    return hint_move(offset, color)


@kernel
def hint_rank(offset: Offset, rank: Rank) -> MoveNumber:
    """The hint that names a rank to the seat `offset` places on."""
    return hint_move(offset, MAX_COLORS + rank)


@kernel
def hint_color_of(offset: Offset, card: Card) -> MoveNumber:
    """The hint that names this card's color to the seat `offset` places on."""
    return hint_move(offset, color_of(card))


@kernel
def hint_rank_of(offset: Offset, card: Card) -> MoveNumber:
    """The hint that names this card's rank to the seat `offset` places on."""
    return hint_move(offset, MAX_COLORS + rank_of(card))


@kernel
def is_play(move: MoveNumber) -> bool:
    """Whether a move plays a card; NO_MOVE does not."""
    return 0 <= move < FIRST_DISCARD


@kernel
def is_discard(move: MoveNumber) -> bool:
    """Whether a move discards a card."""
    return FIRST_DISCARD <= move < FIRST_HINT


@kernel
def is_hint(move: MoveNumber) -> bool:
    """Whether a move is a hint."""
    return move >= FIRST_HINT


@kernel
def slot_of(move: MoveNumber) -> Slot:
    """The slot that a play or a discard takes a card from."""
    return Slot(move % MAX_HAND)


@kernel
def hint_offset(move: MoveNumber) -> Offset:
    """How many seats on the receiver of a hint sits."""
    return Offset((move - FIRST_HINT) // HINTS_PER_SEAT + 1)


@kernel
def hint_value(move: MoveNumber) -> int:
    """What a hint names: a color as 0-5, a rank as 6-10."""
    return (move - FIRST_HINT) % HINTS_PER_SEAT


@kernel
def is_color_hint(move: MoveNumber) -> bool:
    """Whether a hint names a color; it names a rank if not."""
    return hint_value(move) < MAX_COLORS


@kernel
def named_color(move: MoveNumber) -> Color:
    """The color that a color hint names."""
    return Color(hint_value(move))


@kernel
def named_rank(move: MoveNumber) -> Rank:
    """The rank that a rank hint names."""
    return Rank(hint_value(move) - MAX_COLORS)


@kernel
def value_kinds(value: int) -> Kinds:
    """All kinds that a hint of this value names, in games of six colors and five ranks."""
    return color_kinds(Color(value)) if value < MAX_COLORS else rank_kinds(Rank(value - MAX_COLORS))


@kernel
def deal(states: States, template: Lane, i: Lane, rng: Streams, seed: int) -> None:
    """Start a game in lane `i`: shuffle by the seed, fill the hands seat by seat, start the seats' streams."""
    states[i] = states[template]
    seed_stream(rng, i, DECK_STREAM, seed)
    shuffle(states, i, rng)
    deal_hands(states, i)
    for seat in range(states[i]["players"]):
        seed_stream(rng, i, 1 + seat, seed)


@kernel
def shuffle(states: States, i: Lane, rng: Streams) -> None:
    """Fisher-Yates over the whole deck, with the lane's deck stream."""
    deck = states[i]["deck"]
    for last in range(states[i]["deck_size"] - 1, 0, -1):
        other = below(rng, i, DECK_STREAM, last + 1)
        deck[last], deck[other] = deck[other], deck[last]


@kernel
def deal_hands(states: States, i: Lane) -> None:
    """Seat 0 takes its whole hand from the top of the deck, then seat 1, and so on."""
    for seat in each_seat(states[i]["players"]):
        for slot in each_slot(states[i]["hand_size"]):
            draw_card(states, i, seat, slot)


@kernel
def draw_card(states: States, i: Lane, seat: Seat, slot: Slot) -> None:
    """The top card of the deck goes to an empty slot, and nothing is known of it."""
    state = states[i]
    place = state["drawn"]
    card = state["deck"][place]
    state["drawn"] = place + 1
    state["deck"][place] = NO_CARD
    state["hands"][seat, slot] = card
    state["possible"][seat, slot] = state["kinds"]
    state["told"][seat, slot] = 0
    state["order"][seat, slot] = place
    bit = 1 << card
    state["deck_low"], state["deck_high"] = remove_bit(state["deck_low"], state["deck_high"], bit)
    low, high = add_bit(state["hand_low"][seat], state["hand_high"][seat], bit)
    state["hand_low"][seat], state["hand_high"][seat] = low, high


@kernel
def take_card(states: States, i: Lane, seat: Seat, slot: Slot) -> Slot:
    """A card leaves the hand, the rest closing up if the rules say so; returns the slot left empty."""
    state = states[i]
    bit = 1 << state["hands"][seat, slot]
    low, high = remove_bit(state["hand_low"][seat], state["hand_high"][seat], bit)
    state["hand_low"][seat], state["hand_high"][seat] = low, high
    last = slot
    if not state["draw_into_vacated"]:
        while last + 1 < state["hand_size"] and state["hands"][seat, last + 1] != NO_CARD:
            state["hands"][seat, last] = state["hands"][seat, last + 1]
            state["possible"][seat, last] = state["possible"][seat, last + 1]
            state["told"][seat, last] = state["told"][seat, last + 1]
            state["order"][seat, last] = state["order"][seat, last + 1]
            last = Slot(last + 1)
    state["hands"][seat, last] = NO_CARD
    state["possible"][seat, last] = 0
    state["told"][seat, last] = 0
    state["order"][seat, last] = NO_CARD
    return last


@kernel
def is_over(states: States, i: Lane) -> bool:
    """No life left, all fireworks finished, or everyone has moved once since the deck ran out."""
    state = states[i]
    return state["lives"] == 0 or state["turns_left"] == 0 or state["played"] == state["kinds"]


@kernel
def points(states: States, i: Lane) -> int:
    """Cards on the fireworks, whatever became of the lives."""
    return popcount(states[i]["played"])


@kernel
def score(states: States, i: Lane) -> int:
    """The points, or what the bomb rule leaves of them."""
    state = states[i]
    if state["lives"] == 0 and not state["bomb_keeps_score"]:
        return 0
    return popcount(state["played"])


@kernel
def reachable_points(states: States, i: Lane) -> int:
    """The most points that the discards still allow, whatever the deck order and the turns left."""
    state = states[i]
    return popcount(state["played"]) + popcount(state["kinds"] & ~state["useless"])


@kernel
def hint_kinds(states: States, i: Lane, move: MoveNumber) -> Kinds:
    """The kinds that a hint names, as a mask; 0 for a color or rank not in this game."""
    return value_kinds(hint_value(move)) & states[i]["kinds"]


@kernel
def told_part(move: MoveNumber) -> int:
    """The part of a card that a hint names, as the state notes it in `told`: TOLD_COLOR or TOLD_RANK."""
    return TOLD_COLOR if is_color_hint(move) else TOLD_RANK


@kernel
def hint_receiver(states: States, i: Lane, move: MoveNumber) -> Seat:
    """The seat that a hint of the seat to move is for."""
    return (states[i]["seat"] + hint_offset(move)) % states[i]["players"]


@kernel
def touched_slots(states: States, i: Lane, move: MoveNumber) -> Slots:
    """The slots of the receiver that a hint points at, as a mask of slots; 0 for other moves."""
    if move < FIRST_HINT:
        return Slots(0)
    kinds = hint_kinds(states, i, move)
    receiver = hint_receiver(states, i, move)
    touched = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        card: Card = states[i]["hands"][receiver, slot]
        if card >= 0 and kinds >> card & 1:
            touched |= 1 << slot
    return touched


@kernel
def may_discard(states: States, i: Lane) -> bool:
    """Whether the rules allow a discard now."""
    state = states[i]
    return state["tokens"] < state["discard_limit"]


@kernel
def discard_of(states: States, i: Lane, slot: Slot) -> MoveNumber:
    """The move that discards this slot; NO_MOVE for NO_SLOT, or when the rules forbid a discard now."""
    return discard_move(slot) if may_discard(states, i) else NO_MOVE


@kernel
def is_legal(states: States, i: Lane, number: int) -> bool:
    """Whether the seat to move may make this move; any integer may be asked about."""
    state = states[i]
    if number < 0 or number >= NUM_MOVES or is_over(states, i):
        return False
    move = MoveNumber(number)
    if is_hint(move):
        if hint_offset(move) >= state["players"] or state["tokens"] == 0:
            return False
        kinds = hint_kinds(states, i, move)
        receiver = hint_receiver(states, i, move)
        held = state["hand_low"][receiver] | state["hand_high"][receiver]
        return kinds != 0 and (state["empty_hints"] != 0 or held & kinds != 0)
    if is_discard(move) and not may_discard(states, i):
        return False
    slot = slot_of(move)
    return slot < state["hand_size"] and state["hands"][state["seat"], slot] != NO_CARD


@kernel
def legal_moves(states: States, i: Lane) -> int:
    """Every legal move of the seat to move, as a mask of move numbers."""
    state = states[i]
    if is_over(states, i):
        return 0
    seat = state["seat"]
    slots = 0
    for slot in each_slot(state["hand_size"]):
        if state["hands"][seat, slot] != NO_CARD:
            slots |= 1 << slot
    legal = slots
    if may_discard(states, i):
        legal |= slots << FIRST_DISCARD
    if state["tokens"] > 0:
        for offset in each_offset(1, state["players"]):
            legal |= legal_hints(states, i, (seat + offset) % state["players"]) << hint_move(offset, 0)
    return legal


@kernel
def legal_hints(states: States, i: Lane, receiver: Seat) -> int:
    """The colors (bits 0-5) and ranks (bits 6-10) that may be named to this seat."""
    state = states[i]
    held = state["kinds"] if state["empty_hints"] else state["hand_low"][receiver] | state["hand_high"][receiver]
    ranks, hints = 0, 0
    for color in each_color(state["colors"]):
        of_color = held >> MAX_RANKS * color & COLOR_KINDS
        ranks |= of_color
        hints |= (of_color != 0) << color
    return hints | ranks << MAX_COLORS


@kernel
def apply_move(states: States, i: Lane, number: int) -> None:
    """The seat to move makes a legal move, draws if it should, and the turn passes on."""
    state, move = states[i], MoveNumber(number)
    deck_was_empty = state["drawn"] == state["deck_size"]
    if is_hint(move):
        give_hint(states, i, move)
    else:
        seat, slot = state["seat"], slot_of(move)
        card = state["hands"][seat, slot]
        empty = take_card(states, i, seat, slot)
        if move < FIRST_DISCARD:
            play_card(states, i, card)
        else:
            state["tokens"] = min(state["tokens"] + 1, state["max_tokens"])
            lose_card(states, i, card)
        if not deck_was_empty and not is_over(states, i):
            draw_card(states, i, seat, empty)
    if deck_was_empty:
        state["turns_left"] -= 1
    state["turn"] += 1
    seat = state["seat"] + 1
    state["seat"] = 0 if seat == state["players"] else seat


@kernel
def give_hint(states: States, i: Lane, move: MoveNumber) -> None:
    """Touched cards become one of the kinds named, the others none of them; a token is paid."""
    state = states[i]
    receiver = hint_receiver(states, i, move)
    kinds = hint_kinds(states, i, move)
    others = state["kinds"] & ~kinds
    told = told_part(move)
    state["tokens"] -= 1
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card == NO_CARD:
            continue
        if kinds >> card & 1:
            state["possible"][receiver, slot] &= kinds
            state["told"][receiver, slot] |= told
        else:
            state["possible"][receiver, slot] &= others


@kernel
def play_card(states: States, i: Lane, card: Card) -> None:
    """A card that has left the hand grows its firework, or costs a life and is lost."""
    state = states[i]
    bit = 1 << card
    if not state["playable"] & bit:
        state["lives"] -= 1
        lose_card(states, i, card)
        return
    state["played"] |= bit
    state["useless"] |= bit
    state["playable"] ^= bit
    state["fireworks"][color_of(card)] += 1
    if rank_of(card) + 1 < state["ranks"]:
        state["playable"] |= bit << 1
    elif state["token_for_five"] and state["tokens"] < state["max_tokens"]:
        state["tokens"] += 1


@kernel
def lose_card(states: States, i: Lane, card: Card) -> None:
    """A card goes to the discards; if it was the last copy, all from it upwards become useless."""
    state = states[i]
    bit = Kinds(1 << card)
    low, high = add_bit(state["discard_low"], state["discard_high"], bit)
    state["discard_low"], state["discard_high"] = low, high
    copies_left = (low ^ state["copies_low"]) | (high ^ state["copies_high"])
    if not copies_left & bit:
        state["useless"] |= color_kinds(color_of(card)) & state["kinds"] & ~(bit - 1)
