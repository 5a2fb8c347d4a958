"""Arrays that a caller hands over to be written: checked once, so that compiled code may trust them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def check_given(name: str, given: object, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The caller's array in place of one like this; one that compiled code could not write is refused."""
    if not isinstance(given, np.ndarray):
        raise ValueError(f"{name}: a numpy array is written, not {type(given).__name__}")
    if given.shape != like.shape or given.dtype != like.dtype:
        expected, found = f"{like.dtype} of shape {like.shape}", f"{given.dtype} of shape {given.shape}"
        raise ValueError(f"{name}: the array must be {expected}, not {found}")
    if not given.flags.writeable:
        raise ValueError(f"{name}: the array is read-only")
    if not (given.flags.c_contiguous and given.flags.aligned):
        raise ValueError(f"{name}: the array must be contiguous (C order); this one skips or reorders entries")
    return given.view(np.ndarray)


def check_apart(arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Refuse arrays of which one would overwrite another."""
    names = list(arrays)
    for place, name in enumerate(names):
        for other in names[:place]:
            if np.may_share_memory(arrays[name], arrays[other]):
                raise ValueError(f"{other} and {name} lie in the same memory; each needs its own")
