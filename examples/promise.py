"""The last agent of the ladder, compiled: a hint promises that the newest card it touches fits now."""

from kagiya import AgentInfo, CompiledAgent
from kagiya.kernels import (
    NO_MOVE,
    critical_kinds,
    discard_move,
    hint_kinds,
    hint_move,
    hint_offset,
    hint_receiver,
    is_hint,
    is_legal,
    kernel,
    last_slot,
    play_move,
    play_safe,
    possible_kinds,
    slot_chance,
    told_part,
    touched_slots,
    unseen_planes,
    within,
)

REASONS = (
    "plays a card that was promised to fit",
    "plays a card that surely fits",
    "promises a card",
    "tells of a last copy",
    "discards the card that it can best spare",
    "spends a token, having nothing to tell",
)
PLAYS_PROMISED, PLAYS_SURE, PROMISES, SAVES, DISCARDS, SPENDS = range(6)
REASON = 0  # the word of memory that says which of these it was
PROMISED = 1  # words 1 to 5: for each seat, the slot promised since its last move plus 1, or 0


@kernel
def observe(states, i, seat, memory, params, move):
    """Every seat hears every move, before it takes effect."""
    memory[i, seat, PROMISED + states[i]["seat"]] = 0
    if is_hint(move):
        newest = last_slot(touched_slots(states, i, move))
        memory[i, seat, PROMISED + hint_receiver(states, i, move)] = newest + 1


@kernel
def is_expected(states, i, seat, memory, card):
    """Whether another seat is going to play this card in any case."""
    state = states[i]
    for other in range(state["players"]):
        for slot in range(state["hand_size"]):
            if other != seat and state["hands"][other, slot] == card:
                is_promised = memory[i, seat, PROMISED + other] == slot + 1
                if is_promised or within(possible_kinds(states, i, seat, other, slot), state["playable"]):
                    return True
    return False


@kernel
def is_promise(states, i, seat, memory, hint):
    """Whether the newest card that a hint touches fits, and nobody is going to play it yet."""
    state = states[i]
    receiver = hint_receiver(states, i, hint)
    card = state["hands"][receiver, last_slot(touched_slots(states, i, hint))]
    if not state["playable"] >> card & 1 or memory[i, seat, PROMISED + receiver]:
        return False
    return not is_expected(states, i, seat, memory, card)


@kernel
def is_misleading(states, i, seat, hint):
    """Whether a hint promises a card that does not fit, and its receiver cannot know better."""
    state = states[i]
    receiver = hint_receiver(states, i, hint)
    newest = last_slot(touched_slots(states, i, hint))
    if state["playable"] >> state["hands"][receiver, newest] & 1:
        return False
    left = possible_kinds(states, i, seat, receiver, newest) & hint_kinds(states, i, hint)
    return left & state["playable"] != 0


@kernel
def count_news(states, i, hint, kinds):
    """How many cards of these kinds a hint tells something new about."""
    state = states[i]
    receiver, part, touched = hint_receiver(states, i, hint), told_part(hint), touched_slots(states, i, hint)
    count = 0
    for slot in range(state["hand_size"]):
        if touched >> slot & 1 and not state["told"][receiver, slot] & part:
            count += kinds >> state["hands"][receiver, slot] & 1
    return count


@kernel
def hint_worth(states, i, seat, memory, hint, is_saving):
    """How good a promise, or how good at saving last copies, a hint is; below -8 if it is neither."""
    state = states[i]
    if is_saving:
        saved = count_news(states, i, hint, critical_kinds(states, i))
        return saved if saved and not is_misleading(states, i, seat, hint) else -9.0
    if not is_promise(states, i, seat, memory, hint):
        return -9.0
    fitting = count_news(states, i, hint, state["playable"])
    useful = count_news(states, i, hint, ~state["useless"])
    return 0.7 * fitting + 0.3 * useful - 0.5 * hint_offset(hint)


@kernel
def best_hint(states, i, seat, memory, is_saving):
    best, most = NO_MOVE, -8.0
    for offset in range(1, states[i]["players"]):
        for value in range(11):  # six colors, five ranks
            hint = hint_move(offset, value)
            if is_legal(states, i, hint):
                worth = hint_worth(states, i, seat, memory, hint, is_saving)
                if worth > most:
                    best, most = hint, worth
    return best


@kernel
def play_promised(states, i, seat, memory):
    state = states[i]
    slot = memory[i, seat, PROMISED + seat] - 1
    if slot < 0 or state["lives"] == 1:
        return NO_MOVE
    can_fit = possible_kinds(states, i, seat, seat, slot) & state["playable"] != 0
    return play_move(slot) if can_fit else NO_MOVE


@kernel
def discard_spare(states, i, seat):
    """Discard the card that is least likely to be a last copy."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    critical, best, least = critical_kinds(states, i), 0, 9.0
    for slot in range(state["hand_size"]):
        possible = state["possible"][seat, slot]
        loss = slot_chance(low, high, possible, critical) - slot_chance(low, high, possible, state["useless"])
        if state["told"][seat, slot]:
            loss += 0.2
        if loss < least:  # never true for an empty slot, whose chance is not a number
            best, least = slot, loss
    return discard_move(best)


@kernel
def spend_token(states, i):
    """Any hint: all tokens are there, so no card may be discarded."""
    for offset in range(1, states[i]["players"]):
        for value in range(11):
            if is_legal(states, i, hint_move(offset, value)):
                return hint_move(offset, value)
    return play_move(0)


@kernel
def act(states, i, seat, memory, params, rng):
    move, reason = play_promised(states, i, seat, memory), PLAYS_PROMISED
    if move == NO_MOVE:
        move, reason = play_safe(states, i, seat, rng, 0.0), PLAYS_SURE
    if move == NO_MOVE:
        move, reason = best_hint(states, i, seat, memory, False), PROMISES
    if move == NO_MOVE:
        move, reason = best_hint(states, i, seat, memory, True), SAVES
    if move == NO_MOVE:
        move, reason = discard_spare(states, i, seat), DISCARDS
    if not is_legal(states, i, move):
        move, reason = spend_token(states, i), SPENDS
    memory[i, seat, REASON] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="promise",
        summary="a hint promises that the newest card it touches fits now",
        family="examples",
        paper="the tutorial",
        memory_words=6,
        reasons=REASONS,
    ),
    act,
    observe,
)
