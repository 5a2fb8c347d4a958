"""The information players: a hint tells every other seat a part of what its target card can be.

Their list of moves (Cox et al.): play a card that must fit; while few cards are discarded, throw away a useless one;
hint; then discard what is useless, held twice, or not the last of its kind. What must fit is judged with the other
hands in sight, what is useless by what everybody knows. A card cut off by a lost one does not count as useless here.
As agents they differ in a name and in what can be set.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter, encode_values
from kagiya.agents.convention_reader import NO_NUMBER, ConventionReader
from kagiya.agents.hats import codes, decisions, public_table as table
from kagiya.agents.tactics.vocabulary import first_slot, occupied_slots
from kagiya.cards import MAX_PLAYERS, NO_MOVE, Kinds, MoveNumber, Offset, Seat, Slot, each_seat, each_slot
from kagiya.engine import game_kernels as game
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import count_matching, within
from kagiya.view.view_kernels import last_copies, unseen_planes

SLOTS = codes.Code(3)  # hint slots, besides the other codes of `codes.py`
REASONS = (
    "plays {slot}, which must fit",
    "tells everybody about one card each",
    "discards {slot}, which is useless",
    "discards {slot}, which somebody else holds too",
    "discards {slot}, which is not the last of its kind",
    "discards {slot}, its first card",
    "has nothing better to do",
)
PLAYS, HINTS, DISCARDS_USELESS, DISCARDS_DOUBLE, DISCARDS_SPARE, DISCARDS_FIRST, AT_A_LOSS = range(7)
CUT, HINTS_USED, EAGER = range(3)  # the row of parameters
KINDS_ONLY = 0  # of HINTS_USED
TARGETS = table.KNOWLEDGE_WORDS  # by seat: its target while a hint is made or read
INFORMATION_WORDS = TARGETS + MAX_PLAYERS


@kernel
def code_of(states: States, i: Lane, seat: Seat, params: Params) -> codes.Code:
    """The code with most messages, or for five players with four cards Cox et al.'s own."""
    if states[i]["empty_hints"]:
        return codes.ANY_HINT
    is_coxs_table = states[i]["players"] == 5 and states[i]["hand_size"] == 4
    return codes.KIND if is_coxs_table and params[seat, HINTS_USED] == KINDS_ONLY else SLOTS


@kernel
def count_parts(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, giver: Seat) -> int:
    """How many messages a hint of the giver's can carry, and so into how many parts a target's kinds are cut."""
    code = code_of(states, i, seat, params)
    return (
        codes.count_messages(states, i, seat, memory, params, giver)
        if code == SLOTS
        else codes.capacity(states, i, code)
    )


@kernel
def choose_targets(states: States, i: Lane, seat: Seat, memory: Memory) -> None:
    """Write down the target of every hand."""
    low, high = decisions.unidentified_planes(states, i, seat, memory)
    for owner in each_seat(states[i]["players"]):
        memory[i, seat, TARGETS + owner] = decisions.target_slot(states, i, seat, memory, owner, low, high)


@kernel
def number_of(states: States, i: Lane, seat: Seat, memory: Memory, owner: Seat, parts: int, cut: decisions.Cut) -> int:
    """The number of a hand in sight: the part that its target belongs to."""
    slot = memory[i, seat, TARGETS + owner]
    card = states[i]["hands"][owner, slot]
    if card < 0:
        return 0
    return decisions.part_of(
        card, table.public_set(states, i, seat, memory, owner, slot), states[i]["played"], parts, cut
    )


@kernel
def sum_of_numbers(states: States, i: Lane, seat: Seat, memory: Memory, parts: int, cut: decisions.Cut) -> int:
    """The numbers of all hands but the giver's and the seat's own, added up."""
    total = 0
    for owner in each_seat(states[i]["players"]):
        if owner != states[i]["seat"] and owner != seat:
            total += number_of(states, i, seat, memory, owner, parts, cut)
    return total


@kernel
def coded_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params) -> MoveNumber:
    """The hint that carries the sum of all numbers; NO_MOVE if the receiver's hand has none for it."""
    choose_targets(states, i, seat, memory)
    parts, code = count_parts(states, i, seat, memory, params, seat), code_of(states, i, seat, params)
    message = sum_of_numbers(states, i, seat, memory, parts, decisions.Cut(int(params[seat, CUT]))) % parts
    if code == SLOTS:
        return codes.hint_with_message(states, i, seat, memory, params, message)
    if code == codes.KIND:
        return telling_hint(states, i, seat, memory, message)
    return codes.hint_for(states, i, seat, message, code)


@kernel
def telling_hint(states: States, i: Lane, seat: Seat, memory: Memory, message: int) -> MoveNumber:
    """A hint of code KIND that names the color or rank of the last card of which it is not known."""
    state = states[i]
    offset = Offset(message % (state["players"] - 1) + 1)
    receiver = (seat + offset) % state["players"]
    named = first_slot(occupied_slots(states, i, receiver))
    is_rank = message < state["players"] - 1
    for slot in each_slot(state["hand_size"]):
        kinds = table.public_set(states, i, seat, memory, receiver, slot)
        values = table.ranks_in(kinds) if is_rank else table.colors_in(kinds)
        if values & (values - 1):
            named = slot
    if named == game.NO_SLOT:
        return NO_MOVE
    card = state["hands"][receiver, named]
    return game.hint_rank_of(offset, card) if is_rank else game.hint_color_of(offset, card)


@kernel
def sure_slot(states: States, i: Lane, seat: Seat, memory: Memory, alive: Kinds, kinds: Kinds) -> Slot:
    """The first own card that can only be one of `kinds` if only those of `alive` have copies left; or NO_SLOT."""
    for slot in each_slot(states[i]["hand_size"]):
        if within(table.set_among(states, i, seat, memory, seat, slot, alive), kinds):
            return slot
    return game.NO_SLOT


@kernel
def publicly_sure_slot(states: States, i: Lane, seat: Seat, memory: Memory, kinds: Kinds) -> Slot:
    """The first own card of which everybody knows that it is one of these kinds; NO_SLOT if there is none."""
    return sure_slot(states, i, seat, memory, table.kinds_left(states, i), kinds)


@kernel
def spare_slot(states: States, i: Lane, seat: Seat, memory: Memory) -> Slot:
    """A card known not to be the last of its kind, or else one not known to be; NO_SLOT if there is none."""
    last = last_copies(states, i)
    slot = publicly_sure_slot(states, i, seat, memory, ~last)
    if slot != game.NO_SLOT:
        return slot
    for slot in each_slot(states[i]["hand_size"]):
        if table.public_set(states, i, seat, memory, seat, slot) & ~last:
            return slot
    return game.NO_SLOT


@kernel
def may_be_eager(states: States, i: Lane, limit: float) -> bool:
    """Whether a useless card may go before a hint is given: while so few cards are discarded or misplayed."""
    state = states[i]
    lost = count_matching(state["discard_low"], state["discard_high"], state["kinds"])
    return game.may_discard(states, i) and lost < limit


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first of the list of moves that is possible."""
    state = states[i]
    low, high = unseen_planes(states, i, seat, seat)
    slot = sure_slot(states, i, seat, memory, low | high, state["playable"])
    if slot != game.NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return game.play_move(slot)
    useless = publicly_sure_slot(states, i, seat, memory, state["played"])
    if useless != game.NO_SLOT and may_be_eager(states, i, params[seat, EAGER]):
        memory[i, seat, REASON] = DISCARDS_USELESS
        return game.discard_move(useless)
    hint = coded_hint(states, i, seat, memory, params) if state["tokens"] else NO_MOVE
    if hint != NO_MOVE:
        memory[i, seat, REASON] = HINTS
        return hint
    slot, reason = choose_discard(states, i, seat, memory, useless)
    memory[i, seat, REASON] = reason if game.may_discard(states, i) else AT_A_LOSS
    return game.discard_move(slot) if game.may_discard(states, i) else game.play_move(slot)


@kernel
def choose_discard(states: States, i: Lane, seat: Seat, memory: Memory, useless: Slot) -> tuple[Slot, int]:
    """What to throw away, and why."""
    if useless != game.NO_SLOT:
        return useless, DISCARDS_USELESS
    slot = publicly_sure_slot(states, i, seat, memory, table.held_by_others(states, i, seat))
    if slot != game.NO_SLOT:
        return slot, DISCARDS_DOUBLE
    slot = spare_slot(states, i, seat, memory)
    if slot != game.NO_SLOT:
        return slot, DISCARDS_SPARE
    return first_slot(occupied_slots(states, i, seat)), DISCARDS_FIRST


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """A hint says of every other hand's target to which part it belongs, and what it literally says."""
    if game.is_hint(move):
        hear(states, i, seat, memory, params, move)
        table.conclude_literally(states, i, seat, memory, move)
    decisions.settle(states, i, seat, memory)


@kernel
def decoded(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """The message that a hint carries."""
    code = code_of(states, i, seat, params)
    if code == SLOTS:
        return codes.message_of_hint(states, i, seat, memory, params, move)
    return codes.message_of(states, i, move, code)


@kernel
def hear(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> int:
    """Conclude what a hint says of every hand but the giver's; all targets are chosen before anything is concluded.

    Returns the seat's own part, which is what is left of the message.
    """
    state = states[i]
    parts, cut = count_parts(states, i, seat, memory, params, state["seat"]), decisions.Cut(int(params[seat, CUT]))
    choose_targets(states, i, seat, memory)
    others = sum_of_numbers(states, i, seat, memory, parts, cut)
    own_part = (decoded(states, i, seat, memory, params, move) - others) % parts
    for owner in each_seat(state["players"]):
        if owner == state["seat"]:
            continue
        part = own_part if owner == seat else number_of(states, i, seat, memory, owner, parts, cut)
        slot = memory[i, seat, TARGETS + owner]
        kinds = table.public_set(states, i, seat, memory, owner, slot)
        narrowed = decisions.kinds_of_part(part, kinds, state["played"], parts, cut)
        table.conclude(states, i, seat, memory, owner, slot, narrowed if narrowed else kinds)
    return own_part


@kernel
def numbers_read(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int, int]:
    """For explanations (`convention_reader.py`): what a hint carries, modulo what, and the seat's own part."""
    if not game.is_hint(move) or seat == states[i]["seat"]:
        return 0, 0, NO_NUMBER
    parts = count_parts(states, i, seat, memory, params, states[i]["seat"])
    message = decoded(states, i, seat, memory, params, move)
    return message, parts, hear(states, i, seat, memory, params, move)


def information_parameters(cut: str, hints: str) -> tuple[Parameter, ...]:
    """In the order of CUT and HINTS_USED."""
    return (
        Parameter("cut", cut, "how the kinds of a card are cut into messages", choices=("identities", "parts")),
        Parameter("hints", hints, "five players, four cards: 8 messages, or all there are", choices=("kinds", "all")),
    )


def information_agent(
    name: str, summary: str, told: str, paper: str, parameters: tuple[Parameter, ...], eager: int
) -> CompiledAgent:
    """An information player whose hints tell `told`; with fewer than `eager` discards useless cards go before hints."""
    info = AgentInfo(
        id=name,
        summary=summary,
        family="hat players",
        paper=paper,
        parameters=parameters,
        reasons=REASONS,
        memory_words=INFORMATION_WORDS,
        convention=table.hat_convention(f"tells each of the others {told}"),
    )
    hooks = Hooks(
        row=lambda values: [*encode_values(parameters, values), float(eager)],
        believe=table.believe,
        convention_reader=ConventionReader(numbers_read, table.knowledge_facts),
    )
    return CompiledAgent(info, act, observe, hooks=hooks)
