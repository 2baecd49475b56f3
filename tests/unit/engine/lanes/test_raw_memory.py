from __future__ import annotations

import numpy as np
import pytest
from numba import carray

from veil.engine.lanes.raw_memory import address_of, array_at, call_at, pointer_at


def test_an_array_at_an_address_is_the_memory_itself() -> None:
    numbers = np.arange(6, dtype=np.uint16)
    seen = array_at(numbers.ctypes.data + 2, (2, 2), np.uint16)
    assert seen.tolist() == [[1, 2], [3, 4]]
    seen[1, 0] = 9
    assert numbers.tolist() == [0, 1, 2, 9, 4, 5]


def test_memory_may_be_read_at_any_byte() -> None:
    data = np.arange(10, dtype=np.uint8)
    assert int(array_at(np.uint64(data.ctypes.data + 1), 1, np.uint64)[0]) == int.from_bytes(
        bytes(range(1, 9)), "little"
    )


@pytest.mark.parametrize("dtype", [np.int64, np.uint64])
def test_a_pointer_knows_the_type_of_its_numbers(dtype: type) -> None:
    numbers: np.ndarray = np.array([[1, 2], [3, 4]], dtype)
    seen = carray(pointer_at(np.uint64(numbers.ctypes.data), dtype), (2, 2))
    assert seen.dtype == dtype
    assert seen.tolist() == [[1, 2], [3, 4]]


def test_a_python_function_can_be_called_by_its_address_with_whole_words() -> None:
    heard: list[tuple[int, int, int]] = []

    def note(first: int, second: int, third: int) -> None:
        heard.append((first, second, third))

    place = address_of(note)
    call_at(np.uint64(place), np.uint64(2**64 - 1), np.uint64(2**63), np.uint64(0))
    assert heard == [(2**64 - 1, 2**63, 0)]
    assert address_of(note) == place
