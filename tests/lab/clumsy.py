"""Python agents that break a promise, each in its own way: ``tests.lab.clumsy:Careless``."""

import random

from kagiya import Move, Observation, PythonAgent


class Sound:
    """Makes its last legal move."""

    def act(self, observation: Observation) -> Move:
        return observation.legal_moves[-1]


class Careless:
    """Hints although no token is left."""

    def act(self, observation: Observation) -> Move:
        return Move.hint_rank(1, observation.hand(1).known_rank(0) or 0)  # type: ignore[arg-type]


class Unseeded:
    """Rolls dice of its own."""

    def act(self, observation: Observation) -> Move:
        return random.SystemRandom().choice(observation.legal_moves)


class Sharing(PythonAgent):
    """Copies of it count together."""

    count: list[int] = [0]  # noqa: RUF012

    def start(self, *words: object) -> None:
        self.count[0] = 0

    def act(self, observation: Observation) -> Move:
        self.count[0] += 1
        return observation.legal_moves[self.count[0] % len(observation.legal_moves)]


class Uncopied:
    """Cannot be pickled in a game."""

    def __init__(self) -> None:
        self.choose = lambda moves: moves[0]

    def act(self, observation: Observation) -> Move:
        return self.choose(observation.legal_moves)  # type: ignore[no-any-return]
