"""A sketch, to prove that the interface carries hat players: Cox et al.'s recommendations, 5 players, 4 cards.

Every hint tells all four receivers something at once. Each seat remembers what it was told (word 0: the
recommendation plus 1) and how many cards were played since (word 1).
"""

from kagiya import AgentInfo, CompiledAgent, kernel
from kagiya.engine.game_kernels import hint_color_of, hint_rank_of
from kagiya.moves import FIRST_DISCARD, FIRST_HINT, HINTS_PER_SEAT
from kagiya.view.view_kernels import critical_kinds

TOLD, PLAYS = 0, 1
HAND = 4
CODES = 8


@kernel
def recommendation(states, i, seat):
    """0-3: play that slot; 4-7: discard that slot less 4."""
    state = states[i]
    best, best_rank = -1, 9
    for slot in range(HAND):
        card = state["hands"][seat, slot]
        if card >= 0 and state["playable"] >> card & 1:
            rank = -1 if card % 5 == 4 else card % 5
            if rank < best_rank:
                best, best_rank = slot, rank
    if best >= 0:
        return best
    for slot in range(HAND):
        card = state["hands"][seat, slot]
        if card >= 0 and state["played"] >> card & 1:
            return HAND + slot
    best, best_rank = 0, -1
    critical = critical_kinds(states, i)
    for slot in range(HAND):
        card = state["hands"][seat, slot]
        if card >= 0 and not critical >> card & 1 and card % 5 > best_rank:
            best, best_rank = slot, card % 5
    return HAND + best


@kernel
def seen_sum(states, i, seat, giver):
    """The recommendations of all hands that both the giver does not hold and `seat` can see."""
    total = 0
    for other in range(states[i]["players"]):
        if other != seat and other != giver:
            total += recommendation(states, i, other)
    return total


@kernel
def act(states, i, seat, memory, params, rng):
    state, mine = states[i], memory[i, seat]
    told = mine[TOLD] - 1
    errors = state["max_lives"] - state["lives"]
    if (
        0 <= told < HAND
        and state["hands"][seat, told] != -1
        and (mine[PLAYS] == 0 or (mine[PLAYS] == 1 and errors < 2))
    ):
        return told
    if state["tokens"] > 0:
        code = seen_sum(states, i, seat, seat) % CODES
        offset = code % 4 + 1
        receiver = (seat + offset) % state["players"]
        slot = 0
        while state["hands"][receiver, slot] < 0:
            slot += 1
        card = state["hands"][receiver, slot]
        return hint_rank_of(offset, card) if code < 4 else hint_color_of(offset, card)
    if told >= HAND and state["hands"][seat, told - HAND] != -1:
        return FIRST_DISCARD + told - HAND
    return FIRST_DISCARD


@kernel
def observe(states, i, seat, memory, params, move):
    state, mine = states[i], memory[i, seat]
    giver = state["seat"]
    if move < FIRST_DISCARD:
        mine[PLAYS] += 1
    if move < FIRST_HINT:
        if giver == seat:
            mine[TOLD] = 0
        return
    mine[PLAYS] = 0
    if giver == seat:
        mine[TOLD] = 0
        return
    code = (move - FIRST_HINT) // HINTS_PER_SEAT
    if (move - FIRST_HINT) % HINTS_PER_SEAT < 6:
        code += 4
    mine[TOLD] = 1 + (code - seen_sum(states, i, seat, giver)) % CODES


HAT = CompiledAgent(
    AgentInfo(
        id="sketch-hat",
        summary="hat recommendations, a sketch",
        family="sketches",
        paper="Cox2015",
        players=(5,),
        memory_words=2,
    ),
    act,
    observe,
)
