"""What can be wrong with a store, each in one sentence for people."""

from __future__ import annotations

import re


class StoreError(RuntimeError):
    """The store cannot be used; says why."""


class MissingStoreError(StoreError):
    """There is nothing at the place of the store yet."""


class UnreadableStoreError(StoreError):
    """DuckDB could not read the games: a file is damaged, or was merged into another while the store was open."""

    def __init__(self, path: object, error: Exception) -> None:
        super().__init__(f"{path} cannot be read: {reason(error)}; `kagiya store check` says what is wrong")


class DamagedStoreError(StoreError):
    """A file of the store is missing or not as it was written; says which, and what to do."""

    def __init__(self, path: object, what: str) -> None:
        super().__init__(f"{path} {what}; `kagiya store repair` recovers what is complete")


def reason(error: Exception) -> str:
    """The reason of DuckDB or of the operating system, without its class and its advice."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    first = str(error).strip().splitlines()[0]
    return re.sub(r"^\w[\w ]* Error: ", "", first).rstrip(".")
