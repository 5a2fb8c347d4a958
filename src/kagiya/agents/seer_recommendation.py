"""Seer: plays by the recommendations of hat players with its own hand in sight; tokens are respected.

Source
    Bouzy 2017, sections 4.1 and 6.2: RECOMPROG, the recommendation program of Cox et al. 2015, as a player that sees
    its own cards and not the deck. A hint tells nothing and serves to spend a token.
Published
    Table 3 (bouzy-3): 10,000 games a cell, points kept after a bomb, empty hints legal; 3, 4 and 5 cards a hand.
Where the source is silent
    When a token is spent instead of discarding. Here when another seat holds a card that fits; that gives all twelve
    cells within 0.05. It follows that a finished color gives a token back (without it five players with five cards
    fall to 24.72), and that cards cut off by a lost one do not count as useless.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.hats.recommendation_player import PAPER, slot_to_discard, slot_to_play
from kagiya.agents.hats.seer_fallback import PLAYS, REASONS, wait_or_discard
from kagiya.cards import MoveNumber, Seat
from kagiya.engine.game_kernels import NO_SLOT, play_move
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The move recommended, unless it is a discard that can wait or is not allowed."""
    slot = slot_to_play(states, i, seat, PAPER)
    if slot != NO_SLOT:
        memory[i, seat, REASON] = PLAYS
        return play_move(slot)
    return wait_or_discard(states, i, seat, memory, slot_to_discard(states, i, seat, PAPER), False)


AGENT = CompiledAgent(
    AgentInfo(
        id="seer-recommendation",
        summary="sees its own hand and does what hat players would be told to do",
        family="hat players",
        paper="Bouzy2017",
        reasons=REASONS,
        memory_words=1,
        sees_own_hand=True,
    ),
    act,
)
