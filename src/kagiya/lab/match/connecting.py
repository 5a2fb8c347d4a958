"""Connects to a Dask scheduler, with one sentence, at once, for each way that can fail."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client

KNOCK_SECONDS = 5.0
PROTOCOLS = ("tcp", "tls")


class ClusterError(RuntimeError):
    """The cluster cannot be used; says why."""


def connect(address: str, seconds: float) -> Client:
    """A client of the cluster at this address, which waits so long for a scheduler that has stopped answering."""
    host, port = read_address(address)
    try:
        socket.create_connection((host, port), KNOCK_SECONDS).close()  # Dask would try for long, whatever the reason
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClusterError(f"there is no Dask scheduler at {address}: {reason}") from None
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("a cluster needs dask: pip install 'kagiya[cluster]'") from None
    try:
        return Client(address, timeout=seconds, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"there is no Dask scheduler at {address}: {error}") from None


def read_address(text: str) -> tuple[str, int]:
    """Host and port of an address like tcp://host:8786."""
    protocol, _, place = text.rpartition("://")
    host, _, port = place.rpartition(":")
    if (protocol and protocol not in PROTOCOLS) or not host or not port.isdecimal() or int(port) > 65535:
        raise ClusterError(
            f"a cluster is named by the address of its Dask scheduler, like tcp://host:8786; not {text!r}"
        )
    return host.strip("[]"), int(port)
