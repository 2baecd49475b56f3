from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ctypes import CFUNCTYPE, c_int64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import jit, types
from numba.core.errors import NumbaError

from tests.support.throwaway_kernels import import_as_process
from veil.engine.lanes import borrowing, inlined, kernel
from veil.engine.lanes.jit import kernel_address
from veil.engine.lanes.kernel_cache import called_kernels
from veil.engine.lanes.preparation import PREPARATION


@kernel
def add(x: int, y: int) -> int:
    """The sum."""
    return x + y


@inlined
def halve(x: int) -> int:
    """Half of an even number, 0 for an odd one."""
    if x % 2:
        return 0
    return x // 2


@kernel
def add_halves(x: int, y: int) -> int:
    return halve(x) + halve(y)


@pytest.mark.compiled("it is about compilation")
def test_an_inlined_part_is_copied_into_its_callers_and_counts_for_their_cache() -> None:
    compiled, part = add_halves, halve
    assert compiled(6, 4) == 5
    assert compiled(6, 3) == 3
    assert part.overloads == {}  # type: ignore[attr-defined]
    assert part in list(called_kernels(compiled.py_func))  # type: ignore[attr-defined]


@borrowing
def add_up(numbers: np.ndarray) -> float:
    """The sum of all but the first."""
    total = 0.0
    for number in numbers[1:]:
        total += number
    return total


@borrowing
def make_zeros(count: int) -> float:
    zeros: float = np.zeros(count)[0]
    return zeros


@kernel
def add_up_twice(numbers: np.ndarray) -> float:
    return add_up(numbers) + add_up(numbers)


@pytest.mark.compiled("it is about compilation")
def test_a_borrowing_kernel_counts_no_references_and_leaves_its_arrays_alive() -> None:
    compiled: Any = add_up
    numbers = np.arange(4.0)
    assert compiled(numbers) == 6.0
    assert add_up_twice(numbers) == 12.0
    assert numbers.tolist() == [0.0, 1.0, 2.0, 3.0]
    anew = jit(**compiled.targetoptions)(compiled.py_func)  # what comes from the disk cannot be looked at
    anew(numbers)
    assert ["NRT_decref" in text for text in anew.inspect_llvm().values()] == [False]


@pytest.mark.compiled("it is about compilation")
def test_a_borrowing_kernel_cannot_make_an_array() -> None:
    with pytest.raises(NumbaError, match="returning of array"):
        make_zeros(3)


@pytest.mark.compiled("it is about compilation")
def test_a_kernel_keeps_the_name_and_the_words_of_its_function() -> None:
    assert (add.__name__, add.__doc__) == ("add", "The sum.")
    compiled: Any = add
    assert compiled.py_func(2, 3) == compiled(2, 3) == 5


@pytest.mark.compiled("it is about compilation")
def test_a_kernel_can_be_called_by_its_address() -> None:
    address = kernel_address(add, (types.int64, types.int64))
    assert CFUNCTYPE(c_int64, c_int64, c_int64)(address)(40, 2) == 42


@pytest.mark.compiled("it is about compilation")
def test_what_takes_time_is_counted_as_preparation(kernel_folder: Path) -> None:
    before = PREPARATION.seconds
    module = import_as_process(kernel_folder)
    module.outer(1)
    middle = PREPARATION.seconds
    assert middle > before
    module.outer(1)
    assert PREPARATION.seconds == middle


def test_threads_that_need_the_same_kernel_at_once_all_get_it(kernel_folder: Path) -> None:
    module = import_as_process(kernel_folder)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(module.outer, range(32))) == [2 * x + 1 for x in range(32)]


@pytest.mark.parametrize("word", ["1", "0"])
def test_without_numbas_compiler_a_kernel_is_its_function(word: str) -> None:
    script = "from veil.engine.lanes import kernel; print(hasattr(kernel(lambda x: x), 'py_func'))"
    done = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | {"NUMBA_DISABLE_JIT": word}, capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == str(word == "0")
