"""A game seen from any seat, whoever is to move; between the engine and the drawing."""

from kagiya.cards import Seat
from kagiya.engine.game import LANE, Game
from kagiya.engine.layout import new_states
from kagiya.view.kernels import censor
from kagiya.view.observation import Observation

SEEN = LANE + 1


def observe(game: Game, seat: Seat) -> Observation:
    """What this seat may know of the position."""
    states = new_states(2)
    states[LANE] = game.states[LANE]
    censor(states, LANE, SEEN, seat)
    return Observation(states[SEEN:].copy().view("int64"), game.rules, seat, game.log)
