"""The same chunks on a Dask cluster. Agents travel by their texts: every worker compiles its own machine code."""

from __future__ import annotations

from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Self

from kagiya.lab.match.chunk import Chunk, PlayedChunk, play_chunk
from kagiya.lab.match.workers import Codes

if TYPE_CHECKING:
    from distributed import Client

RETRIES = 5  # of a chunk whose worker died
CONNECT_SECONDS = 10


class ClusterError(RuntimeError):
    """The cluster cannot be used; says why."""


class ClusterWorkers:
    """A cluster as a place to play chunks, by its interface of `concurrent.futures`."""

    chunk_seconds = 0.25

    def __init__(self, address: str, client: Client | None = None) -> None:
        self.client = client or connect(address)
        threads = sum(self.client.nthreads().values())
        if not threads:
            raise ClusterError(f"the cluster at {address} has no workers")
        self.capacity = threads
        self.codes = Codes()
        self.executor = self.client.get_executor(pure=False, retries=RETRIES)

    def submit(self, chunk: Chunk) -> Future[PlayedChunk]:
        return self.executor.submit(play_chunk, self.codes.stamped(chunk))  # type: ignore[no-any-return]

    def stop(self) -> None:
        """Break off what is in hand, at once; nothing can be played afterwards."""
        self.executor.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """There is nothing more to play."""
        self.executor.shutdown(wait=False)
        self.client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect(address: str) -> Client:
    """A client of the cluster at this address, with one sentence for each way it can fail."""
    try:
        from distributed import Client
    except ImportError:
        raise ClusterError("a cluster needs dask: pip install 'kagiya[cluster]'") from None
    try:
        return Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise ClusterError(f"there is no Dask scheduler at {address}: {error}") from None
