"""All that a search thought before its last move, as bytes: what two searches must share to be the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kagiya.search.hands.hand_list import HandList
from kagiya.search.layout import SEARCH
from kagiya.search.workspace import Workspace

if TYPE_CHECKING:
    from kagiya.lab.table.table import Table

ELSEWHERE = ("started", "all_iterations")  # of a search's record: the clock, and what other searches did


def thoughts_of(table: Table, seat: int) -> bytes:
    """The whole tree and record of a search after its move: a leak shows there long before it changes the move."""
    workspace = table.workspaces[seat]
    if not isinstance(workspace, Workspace):
        return b""
    work, used = workspace.work, workspace.work["nodes_used"]
    names = [name for name in SEARCH.names or () if name not in ELSEWHERE and not name.endswith("_address")]
    record = [work[name].tobytes() for name in names]
    allies = b"" if workspace.allies is None else workspace.allies.record.tobytes()
    lists = b"".join(list_bytes(each) for each in (workspace.own_hand,) if each is not None)
    return b"".join((workspace.nodes[:used].tobytes(), workspace.draws[:used].tobytes(), allies, lists, *record))


def list_bytes(listed: HandList) -> bytes:
    """All that a list of hands holds: its hands, their weights and memories, and what the moves ruled out."""
    record, count = listed.record, max(int(listed.record["listed"]), 0)
    side = int(record["side"])
    rows = listed.memories[side, : int(record["rows_used"][side])]
    entries = (listed.hands[side, :count], listed.rows[side, :count], listed.weights[:count], rows)
    return b"".join(array.tobytes() for array in (*entries, record["skipped"]))
