"""Records and arrays found through addresses: the right field, the right shape, the same memory."""

from typing import Any

import numpy as np

from kagiya._jit import array_address, kernel, record_viewer, stored_array

OWNER = np.dtype(
    [
        ("before", np.int64),
        ("ratio", np.float64),
        ("table", np.int64, (3,)),
        ("grid_address", np.int64),
        ("columns", np.int64),
        ("after", np.int64),
    ],
    align=True,
)
owner_at = record_viewer(OWNER)
grid_of = stored_array(np.float64, "grid_address", 2, "columns")


@kernel
def fill(place: Any) -> Any:
    owner = owner_at(place)
    grid = grid_of(owner)
    for row in range(grid.shape[0]):
        for column in range(grid.shape[1]):
            grid[row, column] = 10 * row + column
    owner["table"][2] = grid.shape[1]
    owner["ratio"] = grid[1, 0] / 4
    return owner["after"]


def test_a_kernel_reaches_a_record_and_its_array_through_one_address() -> None:
    owners, grid = np.zeros(1, OWNER), np.zeros((2, 4))
    owner = owners[0]
    owner["grid_address"], owner["columns"], owner["after"] = array_address(grid), 4, 7
    assert fill(array_address(owners)) == 7
    assert grid.tolist() == [[0, 1, 2, 3], [10, 11, 12, 13]]
    assert owner["table"].tolist() == [0, 0, 4]
    assert (owner["before"], owner["ratio"], owner["after"]) == (0, 2.5, 7)
