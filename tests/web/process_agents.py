"""Agents of a user who makes mistakes, and one who rolls dice and keeps notes."""

import os
import random
import sys
import time

from kagiya.cards import Seat
from kagiya.moves import Move
from kagiya.rules import Rules
from kagiya.view.observation import Observation


class Noted:
    """Chooses at random, and says how often it was asked."""

    def start(self, rules: Rules, seat: Seat, dice: random.Random) -> None:
        self.dice, self.asked = dice, dice.randrange(100)

    def act(self, observation: Observation) -> Move:
        self.asked += 1
        self.reason = f"asked {self.asked}"
        return self.dice.choice(observation.legal_moves)


class Hangs:
    def act(self, observation: Observation) -> Move:
        while True:
            time.sleep(0.01)


class Raises:
    def act(self, observation: Observation) -> Move:
        raise ZeroDivisionError("oh <b>no</b>")


class Dies:
    def act(self, observation: Observation) -> Move:
        os._exit(3)


class Prints:
    def act(self, observation: Observation) -> Move:
        sys.stdout.write('{"move": 49, "reason": "", "dice": null}\n')
        os.write(1, b"not an answer\n")
        return observation.legal_moves[0]


class Nonsense:
    def act(self, observation: Observation) -> str:
        return "play 1"


class Forgets:
    def act(self, observation: Observation) -> None:
        return None
