"""Players that misbehave, each in its own way; written on the command line as ``tests.cli.players:Raises``."""

import ctypes
import itertools
import os
import signal
import sys
import time
from typing import Any

from kagiya.moves import Move
from kagiya.view.observation import Observation

FIRST_BAD_SEED = 4  # the late ones play well before


class Raises:
    """Fails in its second turn."""

    def act(self, observation: Observation) -> Move:
        if observation.turn >= observation.rules.players:
            raise ZeroDivisionError("division by zero")
        return observation.legal_moves[-1]


class Late:
    """Fails in its fourth game."""

    def __init__(self) -> None:
        self.games = 0

    def start(self, *_: Any) -> None:
        self.games += 1

    def act(self, observation: Observation) -> Move:
        if self.games == FIRST_BAD_SEED:
            raise KeyError("lost")
        return observation.legal_moves[0]


class Particular:
    """Cannot be made without being told more."""

    def __init__(self, taste: int) -> None:
        self.taste = taste

    def act(self, observation: Observation) -> Move:
        return observation.legal_moves[self.taste]


class Nonsense:
    """Returns what is not a move."""

    def act(self, observation: Observation) -> Any:
        return "hello"


class Illegal:
    """Discards while all tokens are there."""

    def act(self, observation: Observation) -> Move:
        return Move.discard(0)


class Unmakeable:
    """Cannot even be built."""

    def __init__(self) -> None:
        raise TypeError("no such luck")

    def act(self, observation: Observation) -> Move:
        raise NotImplementedError


class Waits:
    """Says that it has begun, and thinks for ever."""

    def act(self, observation: Observation) -> Move:
        sys.stderr.write("thinking\n")
        sys.stderr.flush()
        while True:
            pass


class NoPlayer:
    """Has no act."""


class Sleeps:
    """Says that it has begun, and waits where no exception of Python's reaches it."""

    def act(self, observation: Observation) -> Move:
        sys.stderr.write("thinking\n")
        sys.stderr.flush()
        time.sleep(3000)
        raise AssertionError("nobody waits for so long")


class Holds:
    """Says that it has begun, and holds Python's lock for ever: from then on no line of Python is run."""

    def act(self, observation: Observation) -> Move:
        said = map(os.write, [2], [b"thinking\n"])
        sum(itertools.chain(said, itertools.repeat(0)))
        raise AssertionError("nobody waits for so long")


class Exits:
    """Prints, and in its third game ends its process."""

    def __init__(self) -> None:
        self.games = 0

    def start(self, *_: Any) -> None:
        self.games += 1

    def act(self, observation: Observation) -> Move:
        print("a move of mine")  # noqa: T201
        os.write(1, b"another\n")
        if self.games == 3:
            self.end()
        return observation.legal_moves[0]

    def end(self) -> None:
        os._exit(3)


class Crashes(Exits):
    """The same by a wild pointer."""

    def end(self) -> None:
        ctypes.string_at(0)


class Killed(Exits):
    """The same by a signal that nobody can catch."""

    def end(self) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Tells(Exits):
    """Says in its third game that it has played, and plays on."""

    def end(self) -> None:
        sys.stderr.write("played\n")
        sys.stderr.flush()


class Ends:
    """Ends its process when it is first asked."""

    def act(self, observation: Observation) -> Move:
        os._exit(3)
