"""Basic: the agent that the course at the University of Western Australia gave its students to start from.

Source
    Rallabhandi 2018 names it as the partner of his `model` and says that it is much like Osawa's internal strategy.
    It is BasicAgent of `drtnf/hanabAI` on GitHub (Tim French, 2018), which we read and describe in our own code.
Published
    Nothing for itself. With one `model` among basic agents the report has 11.116, 10.540, 9.754, 8.765 for 2-5
    players (deviations 6.405, 6.052, 5.283, 4.411), and with `model(risk=no)` 12.635, 11.098, 9.702, 8.597
    (3.763, 4.152, 4.069, 3.498).
Where the source is silent
    The report says that it hints at random; the program prefers a card that fits and leaves rank or color to a coin.
    It knows a card only by both its parts being named, and discards no card of a finished color. Where the program
    would choose an empty slot and crash, another is chosen. If nothing applies, a random legal move.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent
from kagiya.agents.tactics.play_or_discard import discard_random, finished_kinds, hle_play_known, known_slot
from kagiya.agents.tactics.tell import hle_tell_playable_at_random, tell_next_at_random
from kagiya.agents.tactics.vocabulary import NAMED, NOTHING_APPLIED, occupied_slots, random_bit, random_move
from kagiya.cards import NO_MOVE, MoveNumber, Seat
from kagiya.engine.dice import below
from kagiya.engine.game_kernels import discard_of
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams

ONE_IN = 20  # for each life that is left, a card is played blindly in one turn of this many
REASONS = (
    "plays {slot}, known to fit",
    "discards {slot}, known to be played already",
    "tells {receiver} that {playable}",
    "plays {slot}, on a whim",
    "discards {slot}, as good as any",
    "tells {receiver} that {touched}, for want of anything better",
    NOTHING_APPLIED,
)
PLAYS, DISCARDS_PLAYED, TELLS_PLAYABLE, GAMBLES, DISCARDS, TELLS_ANYTHING, AT_A_LOSS = range(7)


@kernel
def gamble(states: States, i: Lane, seat: Seat, rng: Streams) -> MoveNumber:
    """Any card is played, with a chance for each life that is left."""
    for _ in range(states[i]["lives"]):
        if below(rng, i, 1 + seat, ONE_IN) == 0:
            return random_bit(occupied_slots(states, i, seat), i, seat, rng)
    return NO_MOVE


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The first rule that has a move."""
    move, reason = hle_play_known(states, i, seat, rng, 0.0), PLAYS
    if move == NO_MOVE:
        passed = states[i]["played"] & ~finished_kinds(states, i)
        move, reason = discard_of(states, i, known_slot(states, i, seat, passed, NAMED)), DISCARDS_PLAYED
    if move == NO_MOVE:
        move, reason = hle_tell_playable_at_random(states, i, seat, rng, 0.0), TELLS_PLAYABLE
    if move == NO_MOVE:
        move, reason = gamble(states, i, seat, rng), GAMBLES
    if move == NO_MOVE:
        move, reason = discard_random(states, i, seat, rng, 0.0), DISCARDS
    if move == NO_MOVE:
        move, reason = tell_next_at_random(states, i, seat, rng, 0.0), TELLS_ANYTHING
    if move == NO_MOVE:
        move, reason = random_move(states, i, seat, rng), AT_A_LOSS
    memory[i, seat, REASON] = reason
    return move


AGENT = CompiledAgent(
    AgentInfo(
        id="basic",
        summary="plays what it knows in full, tells what fits, gambles now and then",
        family="Rallabhandi",
        paper="Rallabhandi2018",
        reasons=REASONS,
    ),
    act,
)
