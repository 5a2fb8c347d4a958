"""The Kagiya hat player: hanabi.rs's information player with more messages, safer discards and a look ahead.

Source
    Our own design on top of `hanabirs_info.py`, whose questions and packing it uses as they are.
Published
    Nothing by others. The table `kagiya-hat` in docs/hats.md sets it beside hanabirs-info on the same decks.
Where the source is silent
    What is new stands in `hats/book.py`, `hats/own_hand.py`, `hats/four_messages.py` and `hats/ending.py`.

What each change gains in points, on common decks that are not reported on (from seed 5,000,000), on top of those above
it; +- is the standard error of the difference. Of the four messages only means were compared, not all on equal decks.

    3 players         4 players         5 players         games
    +0.006 +- 0.003   +0.006 +- 0.002   +0.002 +- 0.001   20,000  a sharper public table, its own hand as a whole
    +0.095 +- 0.005   +0.011 +- 0.002   +0.001 +- 0.000   10,000  no possible last copy discarded with a token left
    +0.002 +- 0.002   +0.005 +- 0.002   not measured      10,000  risks from a chance of 0.65, not 0.75
    about +0.02       -0.001            about 0            8,000  four messages for each receiver
    +0.019 +- 0.002   +0.016 +- 0.002   +0.033 +- 0.002    8,000  the look ahead with six cards left in the deck

At 4,000 to 20,000 games a setting these did not help, or not enough for their cost: public weights less the cards
identified elsewhere (0.000), expected points instead of last copies in the choice of a discard (+0.002 +- 0.001),
saving tokens while partners know what to play (-0.004 to -0.018), other limits for the question whether a card fits
(within 0.003), the switch `has_time` three discards earlier or later (-0.005 to -0.24), risky plays among the moves
looked ahead (0.000), and samples for the choice of a dangerous discard in the whole game (+0.003 +- 0.003 at half the
speed). More samples and an earlier look ahead help with five players and cost their time: twenty cards and 25 samples
had 24.971 +- 0.003 in 4,000 games at 90 games a second, where six cards and 10 samples had 24.960.
"""

from typing import Any

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo, CompiledAgent, Hooks, Parameter
from kagiya.agents.convention_reader import NO_NUMBER
from kagiya.agents.hats.decisions import REASONS, settle
from kagiya.agents.hats.lookahead import ENDING_WORDS, look_ahead
from kagiya.agents.hats.message_meaning import ANSWERS, hat_convention, knowledge_reader
from kagiya.agents.hats.policy import begin, book_move, hear, looks_ahead, number_carried
from kagiya.agents.hats.public_table import UNKNOWN_NUMBER, believe
from kagiya.agents.hats.questions import converse
from kagiya.cards import MoveNumber, Seat, each_seat
from kagiya.engine.game_kernels import is_discard, is_play
from kagiya.engine.layout import REASON, Lane, Memory, Params, States, Streams

LOOKS_AHEAD = len(REASONS)


@kernel
def act(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, rng: Streams) -> MoveNumber:
    """The book's move; near the end whichever scores most on samples of the hidden cards."""
    move = book_move(states, i, seat, memory, params)
    if not looks_ahead(states, i, seat, params):
        return move
    reason = memory[i, seat, REASON]
    best = look_ahead(states, i, seat, memory, params, rng, move)
    memory[i, seat, REASON] = reason if best == move else LOOKS_AHEAD
    return best


@kernel
def observe(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber) -> None:
    """Keep the public table."""
    settle(states, i, seat, memory)
    hear(states, i, seat, memory, params, seat, move)


@kernel
def numbers_read(
    states: States, i: Lane, seat: Seat, memory: Memory, params: Params, move: MoveNumber
) -> tuple[int, int, int]:
    """For explanations (`convention_reader.py`): what a move carries, modulo what, and the seat's own part."""
    mover = states[i]["seat"]
    if is_play(move) or seat == mover:
        return 0, 0, NO_NUMBER
    settle(states, i, seat, memory)
    message, modulus = number_carried(states, i, seat, memory, params, move)
    others = 0
    for owner in each_seat(states[i]["players"]):
        if owner not in (mover, seat):
            begin(states, i, seat, memory, params, owner, is_discard(move))
            others += converse(states, i, seat, memory, params, owner, modulus, UNKNOWN_NUMBER)
    return message, modulus, (message - others) % modulus


def parameter_row(values: dict[str, Any]) -> list[float]:
    """Without samples nobody ever looks ahead, and all know it."""
    deck, deals, *rest = (float(values.get(each.name, each.default)) for each in INFO.parameters)
    return [deck if deals else -1.0, deals, *rest]


INFO = AgentInfo(
    id="kagiya-hat",
    summary="as hanabirs-info, with a sharper table, safer discards and a look ahead near the end",
    family="hat players",
    paper="Kagiya",
    parameters=(
        Parameter("deck", 6, "cards left in the deck when it begins to look ahead", 0, 60, whole=True),
        Parameter("deals", 15, "samples of the hidden cards; 0 for no look ahead", 0, 100, whole=True),
        Parameter("first", 5, "samples for the book alone; if they go well its move is made", 0, 100, whole=True),
        Parameter("caution", 0.7, "standard errors by which another move must lead the book's", 0, 5),
    ),
    reasons=(*REASONS, "finds this best on samples of the hidden cards"),
    memory_words=ENDING_WORDS,
    convention=hat_convention(ANSWERS),
)
AGENT = CompiledAgent(
    INFO,
    act,
    observe,
    hooks=Hooks(row=parameter_row, believe=believe, convention_reader=knowledge_reader(numbers_read)),
)
