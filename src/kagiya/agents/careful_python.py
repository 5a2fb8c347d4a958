"""Careful in plain Python: the same moves as `careful`, written against `Observation`. A model of style.

Source
    Ours; see `kagiya.agents.careful`. A test holds the two together, move by move.
Published
    Nothing.
Where the source is silent
    As in `kagiya.agents.careful`.
"""

from kagiya.agents.api import AgentInfo, PythonAgent
from kagiya.cards import SEAT_NAMES, card_color, card_name, card_rank
from kagiya.moves import Move
from kagiya.view.observation import Observation


class CarefulPython(PythonAgent):
    """Plays what surely fits, tells what fits, discards what is surely useless, or the oldest card."""

    info = AgentInfo(
        id="careful-python",
        summary="the same player as careful, in plain Python",
        family="house",
        paper="Kagiya",
    )

    def act(self, observation: Observation) -> Move:
        """The first of play, tell, discard that applies, and why."""
        mine, rules = observation.mine, observation.rules
        self.reason = "nothing else applies"
        if playable := mine.playable_slots:
            self.reason = f"slot {playable[0] + 1} surely fits"
            return Move.play(playable[0])
        if observation.tokens and (hint := self.playable_hint(observation)):
            return hint
        if observation.tokens >= rules.discard_limit:
            self.reason = "for want of anything better"
            next_hand = observation.hand(1)
            if not next_hand.slots:
                return observation.legal_moves[0]
            return Move.hint_rank(1, card_rank(next_hand.cards[next_hand.slots[0]]))
        if not mine.slots:
            return observation.legal_moves[0]
        useless = mine.useless_slots
        self.reason = f"slot {useless[0] + 1} is surely useless" if useless else "discards its oldest card"
        return Move.discard(useless[0] if useless else mine.oldest_slot)

    def playable_hint(self, observation: Observation) -> Move | None:
        """Rank first, then color, of the first card that fits and is not fully told."""
        for hand in observation.others:
            for slot in hand.playable_slots:
                self.reason = f"tells {SEAT_NAMES[hand.seat]} that slot {slot + 1} is {card_name(hand.cards[slot])}"
                if not hand.is_rank_told(slot):
                    return Move.hint_rank(hand.offset, card_rank(hand.cards[slot]))
                if not hand.is_color_told(slot):
                    return Move.hint_color(hand.offset, card_color(hand.cards[slot]))
        return None
