"""Which view is found at which address."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from kagiya.web.getting_ready import GettingReady
from kagiya.web.server_state import ServerState
from kagiya.web.views import Address, NotHereError, View

# Opens the view at an address; named parts of the path are its keyword arguments.
Opener: TypeAlias = Callable[..., View]


class Rooms:
    """The addresses of this server: "/table/{table}/{secret}" and so on, each with what opens its view."""

    def __init__(self, house: ServerState, openers: dict[str, Opener]) -> None:
        self.house = house
        self._openers = [
            (re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path)), opener) for path, opener in openers.items()
        ]

    def open(self, address: Address, visitor: str) -> View:
        """The view at this address, as this visitor may see it."""
        for pattern, opener in self._openers:
            if found := pattern.fullmatch(address.path):
                return self._opened(partial(opener, self.house, address, visitor, **found.groupdict()), address)
        raise NotHereError(f"There is no page at {address.path!r:.80}.")

    def _opened(self, open_it: Callable[[], View], address: Address) -> View:
        house = self.house
        if house.preparing is None or house.preparing.is_over:
            return open_it()
        return GettingReady(house.preparing, house.getting_ready, address, open_it)
