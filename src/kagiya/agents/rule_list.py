"""Agents that are a list of tactics: the first that has a move makes it. One kernel plays them all.

The list travels in the agent's row of parameters, so a new list compiles nothing, not even one written on the
command line. A tree search and a learned evaluation choose among the moves that the rules of such a list propose,
without hints that the convention forbids: the candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from kagiya._jit import address, kernel, stack_array
from kagiya.agents import playable_now
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.tactics.vocabulary import ALWAYS, NOTHING_APPLIED, TacticUse, random_move, use
from kagiya.cards import MAX_HAND, NO_MOVE, MoveNumber, Seat
from kagiya.engine.batch import TACTIC, call_tactic
from kagiya.engine.game_kernels import is_hint, legal_moves, slot_of
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.kinds import add_bit, add_planes, kind_bit

# A list as a row of numbers: how many tactics, then for each its address, its number and its limits.
WORDS_PER_USE = 5
ADDRESS, VALUE, LIVES, TOKENS, DECK = range(1, 1 + WORDS_PER_USE)  # of the first


@kernel
def list_length(rows: Params, row: int) -> int:
    """How many tactics the list in a row of numbers has."""
    return int(rows[row, 0])


@kernel
def may_use(rows: Params, row: int, word: int, lives: int, tokens: int, deck_left: int) -> bool:
    """Whether lives, tokens and cards left are within the limits of the tactic whose numbers begin after this word.

    They are handed over, not read from the state: a caller reads them once for all tactics.
    """
    if lives < rows[row, word + LIVES] or tokens > rows[row, word + TOKENS]:
        return False
    return deck_left <= rows[row, word + DECK]


@kernel
def tactic_at(rows: Params, row: int, word: int) -> tuple[int, float]:
    """The address and the number of that tactic."""
    return int(rows[row, word + ADDRESS]), rows[row, word + VALUE]


@kernel
def act_by_list(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first tactic of the list that may be used and has a move; a random legal move if none has."""
    state = states[i]
    lives, tokens, deck_left = state["lives"], state["tokens"], state["deck_size"] - state["drawn"]
    count = list_length(params, seat)
    for place in range(count):
        if not may_use(params, seat, WORDS_PER_USE * place, lives, tokens, deck_left):
            continue
        tactic, value = tactic_at(params, seat, WORDS_PER_USE * place)
        move = call_tactic(tactic, states, i, seat, rng, value)
        if move != NO_MOVE:
            memory[i, seat, REASON] = place
            return move
    memory[i, seat, REASON] = count
    return random_move(states, i, seat, rng)


def list_row(uses: Sequence[TacticUse]) -> list[float]:
    """The row of parameters that stands for a list of tactics; compiles those not compiled yet."""
    row = [float(len(uses))]
    for item in uses:
        number = item.tactic.stand_in or address(item.tactic.kernel, TACTIC)
        row += [float(number), item.value, item.lives, item.tokens, item.deck]
    return row


def parts_of(uses: Sequence[TacticUse]) -> list[Callable[..., Any]]:
    """The kernels of a list of tactics; those that read notes have theirs in the kernel that plays the list."""
    return [item.tactic.kernel for item in uses if not item.tactic.is_noted]


def rule_agent(info: AgentInfo, *texts: str) -> CompiledAgent:
    """An agent that follows a fixed list of tactics, written as on the command line."""
    uses = [use(text) for text in texts]
    label = replace(info, reasons=(*map(str, uses), NOTHING_APPLIED))
    hooks = Hooks(row=lambda values: list_row(uses), parts=lambda values: parts_of(uses))
    return CompiledAgent(label, act_by_list, hooks=hooks)


# Rule agents of the Java competition framework, as it is and as it was in January 2017. In that first program an agent
# took a card from those it had not seen when another seat drew it, but never when it played or discarded its own: what
# it had held itself stayed possible for the rest of the game. `forgets_own=yes` counts so. It costs the others nothing:
# only then is a move observed.
# The words in memory are planes that count the player's own cards that are gone.
COMPETITION_FRAMEWORK = "competition framework"
OWN_LOW, OWN_HIGH, OWN_WORDS = range(REASON + 1, REASON + 4)
FORGETS_OWN = Parameter(
    "forgets_own", "no", "yes: own cards that are gone stay among the unseen, as in January 2017", choices=("no", "yes")
)


@kernel
def observe_own(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Note the card that this seat is about to play or discard."""
    if not is_hint(move) and states[i]["seat"] == seat:
        bit = kind_bit(states[i]["hands"][seat, slot_of(move)])
        low, high = add_bit(memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH], bit)
        memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH] = low, high


@kernel
def act_forgetting_own(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The list's move with its own cards that are gone counted to the deck; the state is left as it was."""
    state = states[i]
    low, high = state["deck_low"], state["deck_high"]
    own_low, own_high = memory[i, seat, OWN_LOW], memory[i, seat, OWN_HIGH]
    state["deck_low"], state["deck_high"] = add_planes(low, high, own_low, own_high)
    move = act_by_list(states, i, seat, memory, params, rng)
    state["deck_low"], state["deck_high"] = low, high
    return move


def framework_agent(name: str, summary: str, *texts: str, paper: str = "WaltonRivers2017") -> CompiledAgent:
    """An agent of the framework that follows a fixed list of tactics."""
    return _with_option(rule_agent(AgentInfo(name, summary, COMPETITION_FRAMEWORK, paper), *texts))


def adjustable_framework_agent(info: AgentInfo, uses_of: Callable[[dict[str, Any]], list[str]]) -> CompiledAgent:
    """The same where the list depends on the agent's parameters; `uses_of` gets all values, defaults included."""
    defaults = {parameter.name: parameter.default for parameter in info.parameters}

    def uses(values: dict[str, Any]) -> list[TacticUse]:
        return [use(text) for text in uses_of(defaults | values)]

    def reasons(values: dict[str, Any]) -> tuple[str, ...]:
        return (*uses_of(defaults | values), NOTHING_APPLIED)

    label = replace(info, reasons=reasons({}))
    hooks = Hooks(row=lambda values: list_row(uses(values)), parts=lambda values: parts_of(uses(values)))
    return _with_option(CompiledAgent(label, act_by_list, reasons=reasons, hooks=hooks))


def _with_option(agent: CompiledAgent) -> CompiledAgent:
    info = replace(agent.info, parameters=(*agent.info.parameters, FORGETS_OWN))
    usual = replace(agent, info=info)
    label = replace(info, memory_words=OWN_WORDS)
    forgetful = replace(usual, info=label, act=act_forgetting_own, observe=observe_own)
    return usual.with_hooks(variant=lambda values: forgetful if values.get(FORGETS_OWN.name) == "yes" else None)


# In the place of a tactic's address: rules that need to know what the convention has said.
SINGLE_PLAYABLE, MAX_ALLOWED, SINGLE_PLAYED = -1, -2, -3

# The lists by name. Goodman 2019, Table II (the report's Table II as well), and Brooks 2020, Table I: the same nine
# rules, read by the two lineages. Late play begins with 5 cards in the deck, as both print; Goodman's program counts
# the player's own hand to them.
RULE_LISTS: dict[str, tuple[str, ...]] = {
    "goodman": (
        "tell-most-new-in-turn",
        "tell-playable",
        "tell-dispensable",
        "tell-rest-of-playable",
        "tell-rest-of-played",
        "tell-rest-of-unplayable",
        "play-probably-safe(0.7)",
        "play-probably-safe(0.4, deck=5)",
        "discard-probably-useless(0)",
    ),
    "brooks": (
        "hle-tell-most-new",
        "hle-tell-playable",
        "hle-tell-dispensable(tokens=7)",
        "hle-tell-rest-of-playable",
        "hle-tell-rest-of-useless",
        "hle-tell-rest-of-unplayable",
        "hle-play-probably-safe(0.7)",
        "hle-play-probably-safe(0.4, deck=5)",
        "hle-discard-most-confident",
    ),
}

_saved_hand = stack_array("int64", MAX_HAND)


@kernel
def rule_move(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    place: int,
    rng: Streams,
    masks: playable_now.Masks,
    convention: playable_now.Convention,
    forbidden: int,
) -> int:
    """What the rule at this place of the list proposes, not checked for legality; NO_MOVE if it may not be used."""
    state = states[i]
    deck_left = state["deck_size"] - state["drawn"]
    if not may_use(rows, row, WORDS_PER_USE * place, state["lives"], state["tokens"], deck_left):
        return NO_MOVE
    tactic, value = tactic_at(rows, row, WORDS_PER_USE * place)
    if tactic == SINGLE_PLAYABLE:
        return playable_now.single_playable_hint(states, i, seat, masks, convention)
    if tactic == SINGLE_PLAYED:
        return playable_now.single_played_hint(states, i, seat, masks)
    if tactic == MAX_ALLOWED:
        return playable_now.tell_most_allowed(states, i, seat, forbidden)
    return call_tactic(tactic, states, i, seat, rng, value)


@kernel
def proposed_moves(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    rng: Streams,
    masks: playable_now.Masks,
    convention: playable_now.Convention,
    forbidden: int,
) -> int:
    """What the rules propose, each at most one move, as a mask; the seat's hand must be narrowed to its beliefs."""
    moves = 0
    for place in range(list_length(rows, row)):
        move = rule_move(states, i, seat, rows, row, place, rng, masks, convention, forbidden)
        if move != NO_MOVE:
            moves |= 1 << move
    return moves


@kernel
def candidate_moves(
    states: States,
    i: Lane,
    seat: Seat,
    rows: Params,
    row: int,
    rng: Streams,
    masks: playable_now.Masks,
    convention: playable_now.Convention,
) -> int:
    """The legal moves that the rules propose and the convention allows, as a mask; all legal ones if there are none.

    The possible kinds of the seat's cards are narrowed while the rules are asked, and left as they were.
    """
    saved = _saved_hand()
    forbidden = 0
    if convention != playable_now.GROUNDED:
        forbidden = playable_now.misleading_hints(states, i, seat, convention)
        playable_now.narrow_hand(states, i, seat, masks, saved)
    moves = proposed_moves(states, i, seat, rows, row, rng, masks, convention, forbidden)
    if convention != playable_now.GROUNDED:
        playable_now.restore_hand(states, i, seat, saved)
    legal = legal_moves(states, i)
    allowed = moves & legal & ~forbidden
    return allowed if allowed else legal


def rule_uses(rules: str | Sequence[TacticUse]) -> list[TacticUse]:
    """The tactics of a list of rules; none for all moves."""
    return [use(text) for text in RULE_LISTS.get(rules, ())] if isinstance(rules, str) else list(rules)


def candidate_row(uses: Sequence[TacticUse], convention: str) -> list[float]:
    """The list as a row of numbers; under a convention some of the rules know what hints mean."""
    row = list_row(uses)
    if convention == "none" or not uses:
        return row
    for place, item in enumerate(uses):
        if item.tactic.name == "tell-most-new-in-turn":
            row[WORDS_PER_USE * place + ADDRESS] = float(MAX_ALLOWED)
    singles = (SINGLE_PLAYABLE, SINGLE_PLAYED) if convention == "discardable" else (SINGLE_PLAYABLE,)
    row[0] += len(singles)
    return row + [number for single in singles for number in (float(single), 0.0, 0.0, ALWAYS, ALWAYS)]
