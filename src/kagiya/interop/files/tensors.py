"""The container of safetensors: the length of a header, the header as JSON, then plain numbers. Nothing is executed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.engine.record import RecordError

Tensors = dict[str, npt.NDArray[Any]]
LENGTH_BYTES = 8
LARGEST_HEADER = 1 << 20
MOST_TENSORS = 100
MOST_DIMENSIONS = 8
ALIGNMENT = 8
KINDS = {
    **{"BOOL": "|b1", "U8": "|u1", "I8": "|i1", "U16": "<u2", "I16": "<i2", "U32": "<u4", "I32": "<i4"},
    **{"U64": "<u8", "I64": "<i8", "F32": "<f4", "F64": "<f8"},
}
NAMES = {np.dtype(text): name for name, text in KINDS.items()}


def is_tensors(content: bytes) -> bool:
    """Whether bytes begin like such a file: a sensible length, then JSON."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    return len(content) > LENGTH_BYTES and 0 < length <= LARGEST_HEADER and content[LENGTH_BYTES] == ord("{")


def read_tensors(content: bytes) -> Tensors:
    """All arrays of a file; a header that does not fit its data exactly is refused."""
    length = int.from_bytes(content[:LENGTH_BYTES], "little")
    if length > len(content) - LENGTH_BYTES:
        raise RecordError(f"tensors: it is cut short: a header of {length:,} bytes, and {len(content):,} in all")
    header = _header(content[LENGTH_BYTES : LENGTH_BYTES + length])
    data = memoryview(content)[LENGTH_BYTES + length :]
    extents = {name: _extent(name, entry, len(data)) for name, entry in header.items()}
    _check_whole(extents, len(data))
    return {name: _array(header[name], data[slice(*extents[name])]) for name in header}


def _header(text: bytes) -> dict[str, Any]:
    try:
        header: dict[str, Any] = json.loads(text.decode("utf-8"), object_pairs_hook=without_twins)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"tensors: its header is not readable JSON: {error}") from None
    header.pop("__metadata__", None)
    if len(header) > MOST_TENSORS:
        raise RecordError(f"tensors: {len(header)} arrays; at most {MOST_TENSORS} are read")
    return header


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; one with a name twice says two things, and is refused."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands in it twice")
    return found


def _extent(name: str, entry: Any, size: int) -> tuple[int, int]:
    """Where an array lies in the data, if its entry makes sense."""
    about = f"tensors: {name[:80]!r}"
    try:
        kind, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    except (KeyError, TypeError, ValueError):
        raise RecordError(f"{about} is not described by dtype, shape and data_offsets") from None
    if not isinstance(kind, str) or kind not in KINDS:
        raise RecordError(f"{about} has the dtype {str(kind)[:20]!r}; known are {', '.join(KINDS)}")
    if not isinstance(shape, list) or len(shape) > MOST_DIMENSIONS or not all(_is_size(each, size) for each in shape):
        raise RecordError(f"{about} has a shape that cannot be: {str(shape)[:80]}")
    if not _is_size(begin, size) or not _is_size(end, size):
        raise RecordError(f"{about} lies outside the data, of which there are {size:,} bytes")
    if end - begin != math.prod(shape) * np.dtype(KINDS[kind]).itemsize:
        raise RecordError(f"{about} has {end - begin:,} bytes, which do not fit its shape {str(shape)[:80]}")
    return begin, end


def _is_size(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _check_whole(extents: Mapping[str, tuple[int, int]], size: int) -> None:
    """The arrays lie side by side and fill the data: no gap, no overlap, nothing behind."""
    place = 0
    for name, (begin, end) in sorted(extents.items(), key=lambda item: item[1]):
        if begin != place:
            what = "overlaps another" if begin < place else "comes after a gap"
            raise RecordError(f"tensors: {name[:80]!r} {what}: it begins at byte {begin:,}, not at {place:,}")
        place = end
    if place != size:
        raise RecordError(f"tensors: the arrays end at byte {place:,}, and the data have {size:,}")


def _array(entry: Mapping[str, Any], data: memoryview) -> npt.NDArray[Any]:
    return np.frombuffer(data, KINDS[entry["dtype"]]).reshape(entry["shape"])


def write_tensors(tensors: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """The content of a file with these arrays."""
    header, place = {}, 0
    plain = {name: np.asarray(array, order="C") for name, array in tensors.items()}
    for name, array in plain.items():
        kind = NAMES[array.dtype.newbyteorder("<")]
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [place, place + array.nbytes]}
        place += array.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    data = b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in plain.values())
    return len(text).to_bytes(LENGTH_BYTES, "little") + text + data
