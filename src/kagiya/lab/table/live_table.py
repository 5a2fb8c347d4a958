"""Tables at which hanab.live's decks are played: the seed decides the deal as there, the agents' dice as here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy.typing as npt

from kagiya.engine.game import LANE
from kagiya.engine.layout import GAME
from kagiya.engine.log import Log
from kagiya.engine.record import GameRecord
from kagiya.lab.deals.live_deals import LIVE, dealt_game, seed_text
from kagiya.lab.table.clock import TimedTable
from kagiya.lab.table.table import Results, Table


class LiveTable(Table):
    """Games are dealt one by one, in Python; how they are played is not changed."""

    def start_game(self, seed: int) -> Log:
        """Deal as hanab.live deals the game of this number."""
        log = super().start_game(seed)
        self.beginning = dealt_game(self.rules, seed, LIVE)
        self.states[GAME] = self.beginning.states[LANE]
        return log

    def _play_compiled(self, seed: int, results: Results, moves: npt.NDArray[Any]) -> int:
        return 0

    def record(self) -> GameRecord:
        """The game as plain data, with the name that the deal has on the site."""
        record = super().record()
        return replace(record, source={**record.source, "seed": seed_text(self.rules, self.seed)})


class TimedLiveTable(LiveTable, TimedTable):
    """The same with a clock."""
