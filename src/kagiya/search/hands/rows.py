"""Rows of memories: what the seats that see a hand remember, every distinct row stored once."""

from kagiya._jit import kernel
from kagiya.engine.layout import Lane
from kagiya.engine.memory_kernels import DECLARED
from kagiya.search.hands.layout import HandsRecord, memories_of, places_of
from kagiya.search.layout import SearchRecord, extents_of, memory_of

NO_ROW = -1
HASH_FACTOR = 0x2545F491  # small enough that nothing overflows
HASH_BITS = 0x7FFFFFFF


@kernel
def forget_rows(hands: HandsRecord, side: int) -> None:
    """Begin a side again."""
    hands["rows_used"][side] = 0
    places = places_of(hands)
    for place in range(hands["places"]):
        places[place] = NO_ROW


@kernel
def load_row(work: SearchRecord, hands: HandsRecord, side: int, row: int, lane: Lane) -> None:
    """Give the seats that see the hand the memories of a row."""
    memories, stored, extents = memory_of(work), memories_of(hands), extents_of(work)
    place = 0
    for seat in range(hands["players"]):
        if seat == hands["owner"]:
            continue
        for word in range(extents[seat, DECLARED]):
            memories[lane, seat, word] = stored[side, row, place]
            place += 1


@kernel
def keep_row(work: SearchRecord, hands: HandsRecord, side: int, lane: Lane) -> int:
    """The number of the row that holds what a lane remembers, a new one if need be; NO_ROW if there is no room."""
    row = hands["rows_used"][side]
    if row == hands["row_capacity"]:
        return NO_ROW
    hashed = write_row(work, hands, side, row, lane)
    places = places_of(hands)
    mask = hands["places"] - 1
    place = (hashed ^ hashed >> 15) & mask
    while places[place] != NO_ROW:
        if same_rows(hands, side, places[place], row):
            return places[place]
        place = (place + 1) & mask
    places[place] = row
    hands["rows_used"][side] = row + 1
    return row


@kernel
def write_row(work: SearchRecord, hands: HandsRecord, side: int, row: int, lane: Lane) -> int:
    """Write what a lane remembers into a row; returns a number that equal rows share."""
    memories, stored, extents = memory_of(work), memories_of(hands), extents_of(work)
    place, hashed = 0, 0
    for seat in range(hands["players"]):
        if seat == hands["owner"]:
            continue
        for word in range(extents[seat, DECLARED]):
            value = memories[lane, seat, word] if word or not hands["gives_reasons"] else 0
            stored[side, row, place] = value
            hashed = ((hashed ^ value ^ value >> 31) & HASH_BITS) * HASH_FACTOR >> 7 & HASH_BITS
            place += 1
    return hashed


@kernel
def same_rows(hands: HandsRecord, side: int, one: int, other: int) -> bool:
    """Whether two rows of a side are equal."""
    stored, differs = memories_of(hands), 0
    for place in range(hands["row_words"]):
        differs |= stored[side, one, place] ^ stored[side, other, place]
    return differs == 0
