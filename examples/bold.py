"""An agent with a parameter: `bold:Bold(risk=0.4)`."""

from kagiya import Move


class Bold:
    """Plays the card that fits most likely, if that is likely enough, and else discards."""

    def __init__(self, risk=0.2):
        self.risk = risk

    def act(self, observation):
        mine = observation.mine
        best = max(mine.slots, key=mine.playable_chance)
        if mine.playable_chance(best) >= 1 - self.risk:
            return Move.play(best)
        if observation.tokens < observation.rules.discard_limit:
            return Move.discard(mine.oldest_slot)
        return observation.legal_moves[-1]
