"""The networks that come with Kagiya, and those in files of the user's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kagiya.agents.api import Parameter
from kagiya.learn.model_file import ENDING, ModelError, Network, read_network
from kagiya.spec import Spec, SpecError

FOLDER = Path(__file__).parent / "models"
SHIPPED = "shipped"


@dataclass(frozen=True, slots=True)
class NetworkParameter(Parameter):
    """A network in a file, or one that comes with Kagiya, by name."""

    kind: str = "value"

    def parse(self, value: Spec, agent: str) -> Any:
        if str(value) in self.choices:
            return str(value)
        try:
            load(str(value), self.kind)
        except ModelError as error:
            raise SpecError(f"{agent}: {self.name}: {error}") from None
        return str(value)

    def range_text(self) -> str:
        return " or ".join((*self.choices, "a file written by kagiya train fit"))


def network_file(name: str) -> Path:
    """Where a network that comes with Kagiya is."""
    return FOLDER / f"{name}{ENDING}"


def load(path: str, kind: str) -> Network:
    """The network in a file; read once as long as the file stays the same."""
    file = Path(path)
    try:
        stamp = file.stat().st_mtime_ns, file.stat().st_size
    except OSError as error:
        raise ModelError(f"{path} cannot be read: {error.strerror}") from None
    return _read(path, kind, stamp)


@cache
def _read(path: str, kind: str, stamp: tuple[int, int]) -> Network:
    return read_network(Path(path), kind)
