"""Seers: play by the programs of hat players with their own hand in sight; tokens are respected.

Source
    Bouzy 2017, sections 4.1 and 6.2: a program that sees its own cards and not the deck. `seer-recommendation` is
    RECOMPROG, the recommendation program of Cox et al. 2015; `seer-information` the decision program of the
    information players. A hint tells nothing and serves to spend a token.
Published
    Table 3 (bouzy-3): 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    When a token is spent instead of discarding. `seer-recommendation` does when another seat holds a card that fits;
    that gives all twelve cells within 0.05. It follows that a finished color gives a token back (without it five
    players with five cards fall to 24.72), and that cards cut off by a lost one do not count as useless.
    The program of `seer-information`. Settled by trying: useless cards, those cut off by a lost one included, go
    before a token is spent; a token is spent if another seat can play; of cards that fit the lowest is played; cards
    held elsewhere go first, then the highest that is not the last of its kind, then the highest of all. This comes
    within 0.2 of his cells but for two players with three and four cards, where his are 0.7 and 0.2 higher, and was
    the nearest found. The limit of seven tokens for a discard (rules bouzy) brings five players right: with eight they
    are 0.05 and 0.18 too low with four and five cards. Also tried: a token spent whenever there is one, cut-off cards
    kept, the oldest card instead of the lowest or highest, cards held elsewhere kept, useless cards thrown away early
    only while few are discarded.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent, Kernel
from kagiya.agents.hanabirs_cheat import HIGHEST, LOWEST, OLDEST, own_slot, temporize
from kagiya.agents.hats.public_table import held_by_others
from kagiya.agents.hats.recommendation_player import PAPER, slot_to_discard, slot_to_play
from kagiya.cards import NO_MOVE, MoveNumber, Seat, Slot
from kagiya.engine.game_kernels import NO_SLOT, discard_move, may_discard, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams
from kagiya.view.view_kernels import last_copies

REASONS = (
    "plays {slot}, which fits",
    "spends a token, for a partner can play",
    "discards {slot}, the card least needed",
    "spends a token, for nothing may be discarded",
    "has nothing better to do",
    "discards {slot}, which is useless",
)
PLAYS, WAITS, DISCARDS, PASSES, AT_A_LOSS, DISCARDS_USELESS = range(6)


@kernel
def wait_or_discard(states: States, i: Lane, seat: Seat, memory: Memory, slot: Slot, is_useless: bool) -> MoveNumber:
    """Discard this slot, unless it may not be or can wait; a useless card does not wait for a partner."""
    idle = temporize(states, i, seat)
    if not may_discard(states, i):
        memory[i, seat, REASON] = PASSES if idle != NO_MOVE else AT_A_LOSS
        return idle if idle != NO_MOVE else play_move(slot)
    if is_useless:
        memory[i, seat, REASON] = DISCARDS_USELESS
        return discard_move(slot)
    if idle != NO_MOVE and held_by_others(states, i, seat) & states[i]["playable"]:
        memory[i, seat, REASON] = WAITS
        return idle
    memory[i, seat, REASON] = DISCARDS
    return discard_move(slot)


@kernel
def least_needed(states: States, i: Lane, seat: Seat) -> Slot:
    """A useless card, one that is held twice, the highest that is not the last of its kind, the highest of all."""
    state = states[i]
    slot = own_slot(states, i, seat, state["useless"], OLDEST)
    if slot == NO_SLOT:
        slot = own_slot(states, i, seat, state["hand_high"][seat] | held_by_others(states, i, seat), OLDEST)
    if slot == NO_SLOT:
        slot = own_slot(states, i, seat, ~last_copies(states, i), HIGHEST)
    return slot if slot != NO_SLOT else own_slot(states, i, seat, state["kinds"], HIGHEST)


@kernel
def act_by_information(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play the lowest card that fits, throw away what is useless, wait if a partner can play, or discard."""
    slot = own_slot(states, i, seat, states[i]["playable"], LOWEST)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    is_useless = own_slot(states, i, seat, states[i]["useless"], OLDEST) != NO_SLOT
    return wait_or_discard(states, i, seat, memory, least_needed(states, i, seat), is_useless)


@kernel
def act_by_recommendation(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams
) -> MoveNumber:
    """The move recommended, unless it is a discard that can wait or is not allowed."""
    slot = slot_to_play(states, i, seat, PAPER)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    return wait_or_discard(states, i, seat, memory, slot_to_discard(states, i, seat, PAPER), False)


def seer(name: str, summary: str, act: Kernel) -> CompiledAgent:
    """The seer of this name."""
    label = AgentInfo(name, summary, "hat players", "Bouzy2017", reasons=REASONS, sees_own_hand=True)
    return CompiledAgent(label, act)


INFORMATION = seer(
    "seer-information", "sees its own hand and decides as the information players do", act_by_information
)
RECOMMENDATION = seer(
    "seer-recommendation", "sees its own hand and does what hat players would be told to do", act_by_recommendation
)
