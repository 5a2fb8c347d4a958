"""Seer: decides as the information players do, with its own hand in sight; tokens are respected.

Source
    Bouzy 2017, sections 4.1 and 6.2: the decision program of the information players as a player that sees its own
    cards and not the deck. A hint tells nothing and serves to spend a token.
Published
    Table 3 (bouzy-3): 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    The program itself. Settled by trying: useless cards, those cut off by a lost one included, go before a token is
    spent; a token is spent if another seat can play; of cards that fit the lowest is played; cards held elsewhere go
    first, then the highest that is not the last of its kind, then the highest of all. This comes within 0.2 of his
    cells but for two players with three and four cards, where his are 0.7 and 0.2 higher, and was the nearest found.
    Also tried: a token spent whenever there is one, cut-off cards kept, the oldest card instead of the lowest or
    highest, cards held elsewhere kept, useless cards thrown away early only while few are discarded.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.hanabirs_cheat import HIGHEST, LOWEST, OLDEST, own_slot
from kagiya.agents.hats.public_table import held_by_others
from kagiya.agents.hats.seer_fallback import PLAYS, REASONS, wait_or_discard
from kagiya.agents.tactics.discard import last_copies
from kagiya.cards import MoveNumber, Seat, Slot
from kagiya.engine.game_kernels import NO_SLOT, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams


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
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """Play the lowest card that fits, throw away what is useless, wait if a partner can play, or discard."""
    slot = own_slot(states, i, seat, states[i]["playable"], LOWEST)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    is_useless = own_slot(states, i, seat, states[i]["useless"], OLDEST) != NO_SLOT
    return wait_or_discard(states, i, seat, memory, least_needed(states, i, seat), is_useless)


AGENT = CompiledAgent(
    AgentInfo(
        id="seer-information",
        summary="sees its own hand and decides as the information players do",
        family="hat players",
        paper="Bouzy2017",
        reasons=REASONS,
        memory_words=1,
        sees_own_hand=True,
    ),
    act,
)
