"""The loader: a data set's shards as numpy arrays, or as tensors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kagiya.interop.dataset.shards import need, read_card

Arrays = dict[str, npt.NDArray[Any]]


class Dataset:
    """A folder that `kagiya dataset` wrote. Iterating gives one shard after the other, a dict of arrays."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.card = read_card(self.folder)
        self.shards = sorted(self.folder.glob("games-*.parquet"))

    def __iter__(self) -> Iterator[Arrays]:
        return map(self.read, self.shards)

    def read(self, shard: Path) -> Arrays:
        """The rows of a shard; vectors and masks unpacked to a column for each entry and action."""
        need("pyarrow", "data")
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(shard)
        arrays = {name: _as_numpy(table[name]) for name in table.column_names if name not in ("vector", "mask")}
        packed = np.frombuffer(table["vector"].combine_chunks().buffers()[1], np.uint8).reshape(len(table), -1)
        if self.card["encoding"]["numbers"] == "packed":
            arrays["vector"] = np.unpackbits(packed, axis=1, count=self.card["entries"], bitorder="little")
        else:
            arrays["vector"] = packed.view(self.card["encoding"]["numbers"])
        arrays["mask"] = (table["mask"].to_numpy()[:, None] >> np.arange(self.card["actions"]) & 1).astype(np.bool_)
        return arrays

    def tensors(self) -> Iterator[dict[str, Any]]:
        """The same as PyTorch tensors."""
        need("torch", "train")
        import torch

        return ({name: torch.from_numpy(array) for name, array in arrays.items()} for arrays in self)


def _as_numpy(column: Any) -> npt.NDArray[Any]:
    chunk = column.combine_chunks()
    is_list = hasattr(chunk.type, "list_size")
    flat: npt.NDArray[Any] = (chunk.flatten() if is_list else chunk).to_numpy()
    return flat.reshape(-1, chunk.type.list_size) if is_list else flat
