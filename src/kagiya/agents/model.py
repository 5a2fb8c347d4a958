"""Model: Rallabhandi's agent, which keeps a list of what every card may be, and all the variants of his report.

Source
    Rallabhandi 2018, six steps: play a card deduced to fit; discard one deduced to be useless; play a card hinted at
    in part, unless a mistake would be the last; tell about the first card that fits, value before color; the same
    for useless cards; with more than four tokens hint at random, else discard the card it knows least about.
Published
    Means and deviations over 100,000 games, a bomb scoring 0, for the agent and six variants, which have ids of
    their own here. The course's program, `drtnf/hanabAI` on GitHub, puts a drawn card into
    the vacated slot and lets a hint touch no card.
Where the source is silent
    All but the six sentences. This reading is the nearest of some thousands: the agent itself and the variants that
    change steps 1 to 3 come within 0.1, `model-sure` and `model-blunt` within 0.2. Deduced to fit: whatever of
    fitting cards is left. Deduced to be useless: one card left, and it is played already. Left are the cards that
    hints, discards and fireworks leave; to count the cards in other hands too, as the report says he did, scores
    0.5 to 1.2 more. Hinted at in part: touched by a hint since the last own turn, any such card (to play all that
    were ever touched costs up to 1.4). Known of others: what hints have named. Told first: turn order, first slot.
    A random hint is any that is legal, also one that touches nothing (2 players: 0.3 better than without). Least
    known: most cards left, copies counted, ties go to the first.
    Tried as well: seats by number or backwards, last slots first, cards above a lost one useless, deduced to fit only
    if one card is left, negative hints left out, the game ending a turn earlier or later as in older versions of the
    program.
    The two variants of the discard do not come out as the report words them (`discard=random`, `least-useful`). What
    does: for the least likely to be useful, the card that may be the fewest kinds still of use, a count instead of a
    share (`fewest-useful`); for the random one, with two players, always the first slot (`first`), which is what a Java
    cast that truncates before it multiplies makes of a random slot. `model-random-discard` and
    `model-useful-discard` stay with the words. Which phases of the game the report tried for step 3 it does not
    say: `risk` can be confined to thirds of the deck.
"""

from kagiya._jit import kernel, popcount
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter, Values, encode_values
from kagiya.agents.tactics import vocabulary
from kagiya.cards import NO_MOVE, Kinds, MoveNumber, Seat, Slot, Slots, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import count_matching
from kagiya.moves import FIRST_HINT
from kagiya.view.view_kernels import public_planes

HINTED = 1  # the word that keeps the deck places of the cards touched since the last own turn
TELLS_PLAYABLE, TELLS_USELESS = 3, 4  # places of two reasons
MANY_TOKENS = 4
LEAST_KNOWN, ANY_CARD, LEAST_USEFUL, FIRST_CARD, FEWEST_USEFUL = range(5)
EARLY, MIDDLE, LATE = 1, 2, 4  # phases of the game, as bits
RISKY_PHASES = (0, EARLY | MIDDLE | LATE, EARLY, LATE, EARLY | LATE, MIDDLE)  # by the choices of `risk`


@kernel
def useless_slots(states: States, i: Lane, seat: Seat, alive: Kinds) -> Slots:
    """The slots deduced to hold one card that is played already, as a mask."""
    slots = Slots(0)
    for slot in each_slot(states[i]["hand_size"]):
        left = states[i]["possible"][seat, slot] & alive
        slots |= (popcount(left) == 1 and left & states[i]["played"] != 0) << slot
    return slots


@kernel
def take_risk(states: States, i: Lane, seat: Seat, memory: Memory, rng: Streams) -> MoveNumber:
    """Step 3: any card touched by a hint since the last own turn, if a life more would be left."""
    state = states[i]
    slots = Slots(0)
    for slot in each_slot(state["hand_size"]):
        if state["order"][seat, slot] >= 0:
            slots |= (memory[i, seat, HINTED] >> state["order"][seat, slot] & 1) << slot
    return vocabulary.random_bit(slots, i, seat, rng) if state["lives"] > 1 else NO_MOVE


@kernel
def phase_of(states: States, i: Lane) -> int:
    """The phase of the game: a third each of the cards that were in the deck after the deal."""
    state = states[i]
    dealt = state["players"] * state["hand_size"]
    stock, left = state["deck_size"] - dealt, state["deck_size"] - state["drawn"]
    if 3 * left > 2 * stock:
        return EARLY
    return MIDDLE if 3 * left > stock else LATE


@kernel
def hint_at_random(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Step 6: any legal hint if many tokens are left, or all of them are."""
    state = states[i]
    if state["tokens"] <= min(MANY_TOKENS, state["max_tokens"] - 1):
        return NO_MOVE
    hints = game.legal_moves(states, i) >> FIRST_HINT << FIRST_HINT
    return vocabulary.random_bit(hints, i, seat, rng)


@kernel
def doubt(states: States, i: Lane, seat: Seat, slot: Slot, policy: int) -> float:
    """How much a card is to be discarded: by the cards it may be, the share of useless ones, or the useful kinds."""
    low, high = public_planes(states, i)
    possible = states[i]["possible"][seat, slot]
    if policy == FEWEST_USEFUL:
        return 1.0 / (1 + popcount(possible & (low | high) & ~states[i]["played"]))
    cards = count_matching(low, high, possible)
    if policy != LEAST_USEFUL or cards == 0:
        return float(cards)
    return count_matching(low, high, possible & states[i]["played"]) / cards


@kernel
def slot_to_discard(states: States, i: Lane, seat: Seat, policy: int, rng: Streams) -> Slot:
    """Step 6: the card known least, any card, the first, or the one least likely to be useful; ties go to the first."""
    occupied = vocabulary.occupied_slots(states, i, seat)
    if policy == ANY_CARD:
        return vocabulary.random_bit(occupied, i, seat, rng)
    if policy == FIRST_CARD:
        return vocabulary.first_slot(occupied)
    best, most = game.NO_SLOT, -1.0
    for slot in each_slot(states[i]["hand_size"]):
        if occupied >> slot & 1 and doubt(states, i, seat, slot, policy) > most:
            best, most = slot, doubt(states, i, seat, slot, policy)
    return best


@kernel
def tell(states: States, i: Lane, seat: Seat, any_card: bool) -> tuple[MoveNumber, int]:
    """Steps 4 and 5: about the first card that fits, else the first useless one; or the first of either."""
    state = states[i]
    kinds = state["playable"] | state["played"] if any_card else state["playable"]
    move = vocabulary.hint_about(states, i, seat, kinds, vocabulary.NAMED)
    if move != NO_MOVE:
        return move, TELLS_PLAYABLE
    return vocabulary.hint_about(states, i, seat, state["played"], vocabulary.NAMED), TELLS_USELESS


RISK, SECOND, DISCARD, CERTAIN, TELL = range(5)  # where they stand in the row
PARAMETERS = (
    Parameter(
        "risk",
        "yes",
        "in which thirds of the deck step 3 plays cards hinted at in part",
        choices=("no", "yes", "early", "late", "early-late", "middle"),
    ),
    Parameter("second", "discard", "what step 2 does, leaving the other to step 3", choices=("discard", "risk")),
    Parameter(
        "discard",
        "least-known",
        "the card that step 6 discards",
        choices=("least-known", "random", "least-useful", "first", "fewest-useful"),
    ),
)
REASONS = (
    "plays {slot}, deduced to fit",
    "discards {slot}, deduced to be useless",
    "plays {slot}, just hinted at",
    "tells {receiver} that {playable}",
    "tells {receiver} that {useless}, which is useless",
    "tells {receiver} at random that {touched}, for there are tokens",
    "discards {slot}",
    vocabulary.NOTHING_APPLIED,
)
PLAYS, DISCARDS_USELESS, RISKS = range(3)
HINTS, DISCARDS, AT_A_LOSS = range(TELLS_USELESS + 1, len(REASONS))


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first step that has a move."""
    row = params[seat]
    risky = RISKY_PHASES[int(row[RISK])] & phase_of(states, i) != 0
    low, high = public_planes(states, i)
    plays = vocabulary.sure_slots_among(states, i, seat, states[i]["playable"], low | high)
    useless = useless_slots(states, i, seat, low | high)
    if row[CERTAIN] != 0.0 and useless and game.may_discard(states, i):
        plays &= (useless & -useless) - 1  # merged with step 2: only if no useless card comes before it
    move, reason = game.play_move(vocabulary.first_slot(plays)), PLAYS
    if move == NO_MOVE and row[SECOND] != 0.0 and risky:
        move, reason = take_risk(states, i, seat, memory, rng), RISKS
    if move == NO_MOVE:
        move, reason = game.discard_of(states, i, vocabulary.first_slot(useless)), DISCARDS_USELESS
    if move == NO_MOVE and row[SECOND] == 0.0 and risky:
        move, reason = take_risk(states, i, seat, memory, rng), RISKS
    if move == NO_MOVE:
        move, reason = tell(states, i, seat, row[TELL] != 0.0)
    if move == NO_MOVE:
        move, reason = hint_at_random(states, i, seat, rng), HINTS
    if move == NO_MOVE:
        move, reason = game.discard_of(states, i, slot_to_discard(states, i, seat, int(row[DISCARD]), rng)), DISCARDS
    if move == NO_MOVE:
        move, reason = vocabulary.random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Remember which of its cards were hinted at, until its next turn is over."""
    state = states[i]
    if state["seat"] == seat:
        memory[i, seat, HINTED] = 0
    elif game.is_hint(move) and game.hint_receiver(states, i, move) == seat:
        touched = game.touched_slots(states, i, move)
        for slot in each_slot(state["hand_size"]):
            if touched >> slot & 1:
                memory[i, seat, HINTED] |= 1 << state["order"][seat, slot]


def variant(name: str, summary: str, certain: bool = False, tell: bool = False, **settings: str) -> CompiledAgent:
    """The agent or a variant of it, with some parameters set for good.

    `certain`: step 1 also discards, whichever slot comes first; `tell`: step 4 is about useless cards too.
    """

    def row(values: Values) -> list[float]:
        return [*encode_values(PARAMETERS, settings | values), float(certain), float(tell)]

    info = AgentInfo(
        id=name,
        summary=summary,
        family="Rallabhandi",
        paper="Rallabhandi2018",
        parameters=PARAMETERS if name == "model" else (),
        memory_words=2,
        reasons=REASONS,
    )
    return CompiledAgent(info, act, observe, hooks=Hooks(row=row))


MODEL = variant("model", "plays what it deduces or was just told of, tells playable, then useless cards")
SURE = variant("model-sure", "model that takes no risk: without step 3", risk="no")
FIRST = variant("model-first", "model whose first step plays or discards, whichever slot comes first", certain=True)
BLUNT = variant("model-blunt", "model that tells of the first playable or useless card alike", tell=True)
DARING = variant("model-daring", "model that takes its risk before it discards useless cards", second="risk")
RANDOM_DISCARD = variant("model-random-discard", "model that discards any card in its last step", discard="random")
USEFUL_DISCARD = variant(
    "model-useful-discard",
    "model that discards the card least likely to be useful in its last step",
    discard="least-useful",
)
