"""Confidence: a hint says that the cards it touches can be played or thrown away now, and is believed.

Source
    Bouzy 2017, section 5.2 and slides: a card that was hinted at is discarded if its holder can conclude so, else
    played with confidence; when tokens are missing the oldest card goes.
Published
    Table 1, 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    Which hints are allowed, and which is given. Here every card touched either fits now, and no other copy of it is
    touched or was hinted at before, or is played already and its holder will see that it cannot fit. The nearest
    seat that can be told of a new card to play is told, its ranks tried before its colors; if there is none, the
    nearest seat that can be told of a useless card. Holders reason by the hints alone and play first what they are
    sure of, then the oldest card hinted at. Only cards already played count as useless: with lost cards as well the
    scores fall by 1.6. With all tokens there and nothing to tell, one is spent on a hint that touches no new card;
    where empty hints are illegal there may be none, and the one is taken that costs least if it is believed.
    Tried as well, all nearly as close to the table and none clearly nearer by the limit of seven tokens: the newest or
    the last hinted card first, the hint with most cards to play, colors before ranks, seats by number, counting the
    cards seen, sparing the last life. To discard before playing costs up to 1.2, to spend tokens rather than discard
    up to 2.1.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks
from kagiya.agents.tactics import vocabulary
from kagiya.cards import MAX_COLORS, NO_MOVE, Kinds, MoveNumber, Seat, Slot, each_offset, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import color_kinds, color_of, rank_kinds, rank_of
from kagiya.moves import HINTS_PER_SEAT
from kagiya.view.view_kernels import critical_kinds, unseen_planes

REASONS = (
    "plays {slot}, which can only fit",
    "plays {slot}, hinted at, with confidence",
    "discards {slot}, which is useless, or was hinted at and cannot fit",
    "tells {receiver} that {playable}",
    "tells {receiver} that {useless}, which is useless",
    "discards {slot}, its oldest card",
    "spends a token, for nothing may be discarded",
    vocabulary.NOTHING_APPLIED,
)
CARD, LAST_COPY, LIFE, NO_HINT = 1, 10, 100, 1000  # what a hint may cost that is taken for more than it says
PLAYS_SURE, PLAYS_HINTED, DISCARDS_SURE, TELLS_PLAY, TELLS_USELESS, DISCARDS, PASSES, AT_A_LOSS = range(8)
ONE_PART = 1  # color or rank


@kernel
def promises(states: States, i: Lane, receiver: Seat, hinted: Kinds) -> tuple[int, int, int]:
    """The values, as masks: whose hint tells of a new card to play, of a useless one, and whose hint misleads."""
    state = states[i]
    plays, useless, misleads = 0, 0, 0
    fits, twice = state["playable"], state["hand_high"][receiver]
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card < 0:
            continue
        told, possible = state["told"][receiver, slot], state["possible"][receiver, slot]
        color, rank = 1 << color_of(card), 1 << MAX_COLORS + rank_of(card)
        if fits >> card & 1:
            if (twice >> card & 1) or (hinted >> card & 1 and not told):
                misleads |= color | rank
            elif not told:
                plays |= color | rank
        elif state["played"] >> card & 1:
            news = not told or possible & fits != 0
            if possible & fits & color_kinds(color_of(card)):
                misleads |= color
            elif news:
                useless |= color
            if possible & fits & rank_kinds(rank_of(card)):
                misleads |= rank
            elif news:
                useless |= rank
        else:
            misleads |= color | rank
    return plays, useless, misleads


@kernel
def first_value(values: int) -> int:
    """The first value of a mask, ranks before colors."""
    ranks = values >> MAX_COLORS
    return MAX_COLORS + lowest_bit(ranks) if ranks else lowest_bit(values)


@kernel
def tell(states: States, i: Lane, seat: Seat) -> tuple[MoveNumber, int]:
    """The first hint that tells of a card to play, else the first that tells of a useless card, and which it is."""
    state = states[i]
    if state["tokens"] == 0:
        return NO_MOVE, TELLS_PLAY
    hinted, spare = vocabulary.told_kinds(states, i, seat, ONE_PART), NO_MOVE
    for offset in each_offset(1, state["players"]):
        receiver = (seat + offset) % state["players"]
        plays, useless, misleads = promises(states, i, receiver, hinted)
        if plays & ~misleads:
            return game.hint_move(offset, first_value(plays & ~misleads)), TELLS_PLAY
        if useless & ~misleads and spare == NO_MOVE:
            spare = game.hint_move(offset, first_value(useless & ~misleads))
    return spare, TELLS_USELESS


@kernel
def harm(states: States, i: Lane, receiver: Seat, kinds: Kinds, critical: Kinds) -> int:
    """What a hint of these kinds costs if it is taken for a promise: a life, a last copy or a card, of each touched."""
    state = states[i]
    cost = 0
    for slot in each_slot(state["hand_size"]):
        card = state["hands"][receiver, slot]
        if card < 0 or not kinds >> card & 1 or state["told"][receiver, slot] or state["playable"] >> card & 1:
            continue
        if state["possible"][receiver, slot] & kinds & state["playable"]:
            cost += LIFE
        else:
            cost += LAST_COPY if critical >> card & 1 else CARD
    return cost


@kernel
def pass_turn(states: States, i: Lane, seat: Seat) -> MoveNumber:
    """The hint that does least harm: none if it touches only cards hinted at before, or no card at all."""
    state = states[i]
    best, least = NO_MOVE, NO_HINT
    if state["tokens"] == 0:
        return best
    critical = critical_kinds(states, i)
    for offset in each_offset(1, state["players"]):
        receiver = (seat + offset) % state["players"]
        held = game.legal_hints(states, i, receiver)
        for value in range(HINTS_PER_SEAT):
            if held >> value & 1:
                cost = harm(states, i, receiver, game.value_kinds(value), critical)
                if cost < least:
                    best, least = game.hint_move(offset, value), cost
    return best


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    state = states[i]
    colors, ranks = vocabulary.known_slots(states, i, seat, vocabulary.NAMED)
    hinted = (colors | ranks) & vocabulary.occupied_slots(states, i, seat)
    hopeless = vocabulary.sure_slots_by_hints(states, i, seat, ~state["playable"])
    sure = vocabulary.sure_slots_by_hints(states, i, seat, state["playable"])
    move, reason = game.play_move(vocabulary.first_slot(sure)), PLAYS_SURE
    if move == NO_MOVE:
        move, reason = game.play_move(vocabulary.oldest_of(states, i, seat, hinted & ~hopeless)), PLAYS_HINTED
    if move == NO_MOVE:
        useless = vocabulary.sure_slots_by_hints(states, i, seat, state["played"]) | hinted & hopeless
        move, reason = game.discard_of(states, i, vocabulary.first_slot(useless)), DISCARDS_SURE
    if move == NO_MOVE:
        move, reason = tell(states, i, seat)
    if move == NO_MOVE:
        move, reason = game.discard_of(states, i, vocabulary.oldest_slot(states, i, seat)), DISCARDS
    if move == NO_MOVE:
        move, reason = pass_turn(states, i, seat), PASSES
    if move == NO_MOVE:
        move, reason = vocabulary.random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


@kernel
def believe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """A hint says that the cards it touches fit now, or if they cannot, are played already; nothing is told twice."""
    if game.is_play(move):
        believe_no_copy(states, i, seat, game.slot_of(move))
    if not game.is_hint(move) or game.hint_receiver(states, i, move) != seat:
        return
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    touched = game.touched_slots(states, i, move)
    for slot in each_slot(state["hand_size"]):
        if touched >> slot & 1:
            possible = state["possible"][seat, slot] & game.hint_kinds(states, i, move) & (low | high)
            kinds = state["playable"] if possible & state["playable"] else state["played"]
            if possible & kinds:
                state["possible"][seat, slot] &= kinds


@kernel
def believe_no_copy(states: States, i: Lane, seat: Seat, slot: Slot) -> None:
    """Own cards that were called fitting are no copies of the card that is being played, if they can be others."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    others = (low | high) & ~(1 << state["hands"][state["seat"], slot])
    for own in range(state["hand_size"]):
        possible = state["possible"][seat, own]
        is_called = state["told"][seat, own] != 0 and possible & ~state["playable"] == 0
        if is_called and possible & others and not (state["seat"] == seat and own == slot):
            state["possible"][seat, own] = possible & others


AGENT = CompiledAgent(
    AgentInfo(
        id="confidence",
        summary="plays or discards at once what a hint touches",
        family="Bouzy",
        paper="Bouzy2017",
        reasons=REASONS,
    ),
    act,
    hooks=Hooks(believe=believe),
)
