"""InfoBot: the older cousin of hanabi.rs's information player, known to the literature as WTFWThat.

Source
    A. O'Dwyer, `Quuxplusone/Hanabi` on GitHub, InfoBot, commit daef9de (2019): a port to C++ of what hanabi.rs did in
    2016.
Published
    README (quuxplusone): points kept after a bomb (it never bombs), empty hints illegal. Bard et al. 2019 quote it as
    WTFWThat (goodman-report-6).
Where the source is silent
    Nothing that matters by its own rules: of hints that carry the same message and say as much, the lowest color, then
    rank, is given. By other rules: where no hint carries the message (a hand of identical cards, or none), it
    discards, or with all tokens there plays the card least needed.
"""

from kagiya._jit import kernel
from kagiya.agents.api import AgentInfo
from kagiya.agents.hanabirs_cheat import has_time
from kagiya.agents.hats.codes import count_classes, hint_of_class, message_of_class
from kagiya.agents.hats.decisions import REASONS
from kagiya.agents.hats.fixed_questions import FIXED_WORDS, converse
from kagiya.agents.hats.message_meaning import hat_convention
from kagiya.agents.hats.public_table import held_by_others
from kagiya.agents.hats.question_player import FrameParts, framed_agent
from kagiya.agents.tactics.discard import may_discard
from kagiya.cards import Seat, Slots
from kagiya.engine.layout import Lane, Memory, Params, States


@kernel
def wants_hint(states: States, i: Lane, seat: Seat, memory: Memory, params: Params, useless: Slots) -> int:
    """If discarding is not allowed, or somebody can play and there is no time, or no use, for a discard."""
    if not may_discard(states, i):
        return 1
    if has_time(states, i) and useless:
        return 0
    return int(held_by_others(states, i, seat) & states[i]["playable"] != 0)


AGENT = framed_agent(
    AgentInfo(
        id="infobot",
        summary="every hint answers questions about all other hands, settled beforehand",
        family="hat players",
        paper="Quuxplusone",
        reasons=REASONS,
        memory_words=FIXED_WORDS,
        convention=hat_convention("answers, for each of the others, whether a card fits and then what it is"),
    ),
    FrameParts(wants_hint, count_classes, hint_of_class, message_of_class, converse),
)
