"""Van den Bergh's own player, with the six parameters over which he and his co-authors searched.

Source
    van den Bergh, Hommelberg, Kosters and Spieksma 2016, and van den Bergh's thesis of 2015. In order: play a card
    likely enough to fit; discard one likely enough to be useless; hint with some probability; else discard.
Published
    A table of 48 settings for three players, of which six cells are known to us (the table `van-den-bergh`): 10,000
    deals played ten times each. The default is the best setting, 15.4.
Where the source is silent
    Settled by chi-square over the six cells, 100,000 games each. Printed are 15.4, 14.4, 12.7, 14.5, 13.10, 12.85:

    ===============================================================  ==========  ===================================
    reading                                                          chi-square  means
    ===============================================================  ==========  ===================================
    all seats are told, in turn order; rules 3 and 4 tell ranks             3.9  15.40 14.36 12.74 14.54 13.10 12.88
    only; rule 2 counts the cards that the hint is news for; of
    equally useless cards the first goes (the default)
    the same, of equally useless cards the last goes                        0.1  15.41 14.37 12.75 14.55 13.10 12.86
    the same, of the cards that may be played the likeliest is              2.6  15.43 14.40 12.76 14.53 13.10 12.87
    a part is known by elimination too, not only when it was named           36  15.44 14.38 12.78 14.58 13.12 12.90
    of equally large hints a color instead of a rank                     19,000  15.87 13.71 13.08 15.12 13.72 13.63
    only the next seat is told (`receivers=next`)                       102,000  13.48 13.70 11.88 12.45 11.64 10.61
    rules 3 and 4 tell the color if the rank is known (`parts=both`)    851,000  17.37 14.36 17.13 17.15 16.34 16.55
    rule 2 counts every card that is touched (`counts=all`)           1,260,000  11.38 5.58 10.36 9.45 7.93 7.05
    the default, but finishing a color gives a token                      1,300  15.65 14.52 12.81 14.78 13.22 13.06
    the default, but the hand closes up and a drawn card comes last         407  15.54 14.43 12.80 14.68 13.10 12.99
    ===============================================================  ==========  ===================================

    The first three cannot be told apart by six cells. The fit that stood here before looked at the first cell only:
    the next seat alone, colors too, every card counted, a token for a finished color; it gave 15.4 6.9 15.4 14.8 14.5
    13.9, and the thesis (section 4.2) contradicts it: hints are sought in turn order.
    A card whose chance equals the threshold is played; of several such cards any. Within a hand the card of the lowest
    rank is told. If rule 2 finds no news, a card is discarded; when the rules forbid a discard, a hint is given
    whatever its probability.
"""

from kagiya._jit import kernel, lowest_bit
from kagiya.agents.api import AgentInfo, CompiledAgent, Parameter
from kagiya.agents.tactics import vocabulary
from kagiya.agents.tactics.tell import largest_hint
from kagiya.cards import NO_MOVE, Kinds, MoveNumber, Offset, Seat, Slot, Slots, each_offset
from kagiya.engine.dice import WORD, below, next_word
from kagiya.engine.game_kernels import discard_of, hint_move, legal_hints, may_discard, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import rank_of
from kagiya.view.view_kernels import critical_kinds

# Where the parameters stand in the row.
PLAY, SAFETY, DISCARD, HINT, HINT_RULE, DISCARD_RULE, RECEIVERS, PARTS, COUNTS = range(9)
RANDOM_HINT, MAX_HINT, PLAYABLE_HINT, USELESS_HINT = range(1, 5)
RANDOM_DISCARD, USELESS_DISCARD, OLDEST_DISCARD, SPARE_DISCARD = range(1, 5)
REASONS = (
    "plays {slot}, which fits",
    "discards {slot}, which is useless",
    "tells {receiver} that {touched}",
    "discards {slot} to get a token",
    vocabulary.NOTHING_APPLIED,
)
CERTAIN = 1.0


@kernel
def lowest_ranked(states: States, i: Lane, owner: Seat, slots: Slots) -> Slot:
    """Of these slots the one whose card has the lowest rank."""
    lowest = vocabulary.first_slot(slots)
    while slots:
        slot = lowest_bit(slots)
        if rank_of(states[i]["hands"][owner, slot]) < rank_of(states[i]["hands"][owner, lowest]):
            lowest = slot
        slots &= slots - 1
    return lowest


@kernel
def hint_about_lowest(states: States, i: Lane, seat: Seat, kinds: Kinds, params: Params) -> MoveNumber:
    """The rank, not told yet, of the first receiver's lowest card of `kinds`; if `parts` says so, else its color."""
    state = states[i]
    for offset in each_offset(1, vocabulary.count_receivers(states, i, mode_of(seat, params)) + 1):
        receiver = (seat + offset) % state["players"]
        colors, ranks = vocabulary.known_slots(states, i, receiver, vocabulary.NAMED)
        known = ranks & colors if params[seat, PARTS] else ranks
        slots = vocabulary.slots_of(states, i, receiver, kinds) & ~known
        if slots:
            slot = lowest_ranked(states, i, receiver, slots)
            card = state["hands"][receiver, slot]
            return vocabulary.missing_hint(offset, card, colors >> slot & 1, ranks >> slot & 1, vocabulary.NAMED)
    return NO_MOVE


@kernel
def random_hint(states: States, i: Lane, seat: Seat, params: Params, rng: Streams) -> MoveNumber:
    """Any hint that the rules allow to any receiver, or to the next seat, each receiver as likely."""
    state = states[i]
    offset = Offset(1 + below(rng, i, 1 + seat, vocabulary.count_receivers(states, i, mode_of(seat, params))))
    hints = legal_hints(states, i, (seat + offset) % state["players"])
    if hints == 0:
        return NO_MOVE
    return hint_move(offset, vocabulary.random_bit(hints, i, seat, rng))


@kernel
def mode_of(seat: Seat, params: Params) -> vocabulary.Mode:
    """How this seat reads its rules (see `Mode`)."""
    mode = vocabulary.NAMED
    if params[seat, RECEIVERS]:
        mode |= vocabulary.NEXT_ONLY
    return mode | vocabulary.REPEATS if params[seat, COUNTS] else mode


@kernel
def choose_hint(states: States, i: Lane, seat: Seat, params: Params, rng: Streams) -> MoveNumber:
    """A hint by one of the four hint rules; none without a token."""
    state = states[i]
    if state["tokens"] == 0:
        return NO_MOVE
    rule = int(params[seat, HINT_RULE])
    if rule == RANDOM_HINT:
        return random_hint(states, i, seat, params, rng)
    move = NO_MOVE
    if rule != MAX_HINT:
        move = hint_about_lowest(states, i, seat, state["playable"], params)
    if move == NO_MOVE and rule == USELESS_HINT:
        move = hint_about_lowest(states, i, seat, state["useless"], params)
    return largest_hint(states, i, seat, mode_of(seat, params)) if move == NO_MOVE else move


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, rule: int, rng: Streams) -> MoveNumber:
    """A discard by one of the four discard rules; none if the rules of the game forbid it now."""
    if not may_discard(states, i):
        return NO_MOVE
    if rule == OLDEST_DISCARD:
        return discard_of(states, i, vocabulary.oldest_slot(states, i, seat))
    slots = vocabulary.occupied_slots(states, i, seat)
    if rule == USELESS_DISCARD:
        slots = vocabulary.likeliest_slots(states, i, seat, states[i]["useless"], vocabulary.ANY_CHANCE)
    elif rule == SPARE_DISCARD:
        slots = vocabulary.likeliest_slots(
            states, i, seat, states[i]["kinds"] & ~critical_kinds(states, i), vocabulary.ANY_CHANCE
        )
    if rule == RANDOM_DISCARD:
        return discard_of(states, i, vocabulary.random_bit(slots, i, seat, rng))
    return discard_of(states, i, vocabulary.first_slot(slots))


@kernel
def wants_to_hint(states: States, i: Lane, seat: Seat, chance: float, rng: Streams) -> bool:
    """Whether the dice say so, or nothing else is allowed."""
    return next_word(rng, i, 1 + seat) < chance * (WORD + 1) or not may_discard(states, i)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play, discard, hint, discard: the first that has a move. Leaves its reason in the memory."""
    state = states[i]
    memory[i, seat, REASON] = 0
    is_last_life = state["lives"] == 1 and params[seat, SAFETY] > 0
    threshold = CERTAIN if is_last_life else params[seat, PLAY]
    move = play_move(
        vocabulary.random_bit(vocabulary.likely_slots(states, i, seat, state["playable"], threshold), i, seat, rng)
    )
    if move == NO_MOVE and may_discard(states, i):
        memory[i, seat, REASON] = 1
        useless = vocabulary.likely_slots(states, i, seat, state["useless"], params[seat, DISCARD])
        move = discard_of(states, i, vocabulary.first_slot(useless))
    if move == NO_MOVE and wants_to_hint(states, i, seat, params[seat, HINT], rng):
        memory[i, seat, REASON] = 2
        move = choose_hint(states, i, seat, params, rng)
    if move == NO_MOVE:
        memory[i, seat, REASON] = 3
        move = choose_discard(states, i, seat, int(params[seat, DISCARD_RULE]), rng)
    if move == NO_MOVE:
        memory[i, seat, REASON] = 4
        move = vocabulary.random_move(states, i, seat, rng)
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="vdbergh",
        summary="the original: plays what probably fits, tells ranks of what fits, discards what is likely useless",
        family="van den Bergh",
        paper="VanDenBergh2016",
        parameters=(
            Parameter("play", 0.6, "the least chance to fit of a card that is played"),
            Parameter("safety", 1, "1: on the last life play only what is certain", whole=True),
            Parameter("discard", 1.0, "the least chance to be useless of a card discarded before any hint"),
            Parameter("hint", 1.0, "the probability to hint when a hint is possible"),
            Parameter("hint_rule", 3, "1 any, 2 largest, 3 playable, 4 playable or useless", 1, 4, whole=True),
            Parameter("discard_rule", 2, "1 any, 2 useless, 3 oldest, 4 least likely the last copy", 1, 4, whole=True),
            Parameter("receivers", "all", "who is told: all seats in turn order, or the next", choices=("all", "next")),
            Parameter("parts", "rank", "what hint rules 3 and 4 tell: ranks, or colors too", choices=("rank", "both")),
            Parameter("counts", "news", "the cards that hint rule 2 counts", choices=("news", "all")),
        ),
        reasons=REASONS,
    ),
    act,
)
