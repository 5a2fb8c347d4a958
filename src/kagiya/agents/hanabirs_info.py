"""The information player of hanabi.rs: every hint answers questions about all other hands at once.

Source
    Jeff Wu, `WuTheFWasThat/hanabi.rs` on GitHub, strategy "info", commit ef77311 (2023).
Published
    README (hanabirs): seeds 0-19999, points kept after a bomb, empty hints illegal.
Where the source is silent
    Nothing that matters by its own rules: ties between hints that carry the same message, which it breaks by the order
    of a hash table, go to the lowest color, then rank. By other rules: where no hint carries the message (a hand of
    identical cards, or none), it discards, or with all tokens there plays the card least needed.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo
from kagiya.agents.hats import codes, public_table as table
from kagiya.agents.hats.decisions import REASONS
from kagiya.agents.hats.question_player import FrameParts, framed_agent
from kagiya.cards import Seat, Slots, each_seat
from kagiya.engine.game_kernels import may_discard
from kagiya.engine.layout import Lane, Memory, Params, States

ENOUGH_TOKENS = 4


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, useless: Slots) -> int:
    """If discarding is not allowed, a player needs to be told of a card that fits, or there is nothing better."""
    state = states[i]
    if not may_discard(states, i):
        return 1
    if state["tokens"] == 0:
        return 0
    someone_can_play = False
    for owner in each_seat(state["players"]):
        if owner != seat and table.held_kinds(states, i, owner) & state["playable"]:
            someone_can_play = True
            if not table.knows_play(states, i, seat, memory, owner):
                return 1
    if table.has_time(states, i) and useless:
        return 0
    return int(someone_can_play or state["tokens"] > ENOUGH_TOKENS)


AGENT = framed_agent(
    AgentInfo(
        id="hanabirs-info",
        summary="every hint answers questions about all other hands at once",
        family="hat players",
        paper="hanabi.rs",
        reasons=REASONS,
        memory_words=table.QUESTION_WORDS,
        convention=table.hat_convention(table.ASKS_BEST),
    ),
    FrameParts(
        wants_hint,
        codes.count_messages,
        codes.hint_with_message,
        codes.message_of_hint,
        table.converse,
        speaking_silence=True,
    ),
)
