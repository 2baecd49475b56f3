"""One test per use of what other libraries do not document: a failure says which part of which library has changed."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from ctypes import CFUNCTYPE, c_int64
from importlib.metadata import version
from multiprocessing import current_process
from multiprocessing.connection import Listener
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest
import typer
from numba.extending import intrinsic

from veil.compat import TESTED, intrinsics, numba as compat
from veil.compat.python import SpawnContext, SpawnProcess, find_socket_folder, list_processes, start_resource_tracker
from veil.compat.typer import UsageError

ROOT = Path(__file__).resolve().parents[2]
INT = (numba.types.int64,)
compiled = pytest.mark.compiled("it is about compilation")


def first_numbers(version_text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in version_text.split(".")[:2])


@pytest.mark.parametrize("library", sorted(TESTED))
def test_the_version_that_is_installed_is_one_that_the_package_allows(library: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (wanted,) = (line for line in project["dependencies"] if re.match(rf"{library}\b", line))
    least, most = (first_numbers(part) for part in re.findall(r"[\d.]+", wanted))
    assert least <= first_numbers(TESTED[library]) < most, "veil.compat.TESTED is outside of pyproject.toml"
    assert first_numbers(version(library)) < most, f"{library} is newer than what veil.compat was tested with"


# numba: options and dispatchers


def add_up(numbers: Any) -> float:
    total = 0.0
    for number in numbers[1:]:
        total += number
    return total


def double(x: int) -> int:
    return 2 * x


@compiled
def test_numba_counts_no_references_where_it_is_told_so() -> None:
    counts = {}
    for counts_references in (True, False):
        dispatcher = compat.make_dispatcher(add_up, counts_references=counts_references)
        assert dispatcher(np.arange(4.0)) == 6.0
        (text,) = dispatcher.inspect_llvm().values()
        counts[counts_references] = "NRT_decref" in text
    assert counts == {True: True, False: False}, "the option `_nrt` of numba has another meaning"


@compiled
def test_numba_compiles_through_the_method_that_is_replaced() -> None:
    entered = []

    @contextmanager
    def note() -> Iterator[None]:
        entered.append("in")
        yield
        entered.append("out")

    dispatcher = compat.make_dispatcher(double)
    assert not compat.is_surrounded(dispatcher)
    compat.surround_compile(dispatcher, note)
    assert compat.is_surrounded(dispatcher)
    assert (dispatcher(4), dispatcher(5)) == (8, 10)
    assert entered == ["in", "out"], "numba's dispatcher does not compile by its method `compile` any more"


@compiled
def test_numba_gives_the_address_of_machine_code() -> None:
    address = compat.find_address(compat.make_dispatcher(double), INT)
    assert CFUNCTYPE(c_int64, c_int64)(address)(21) == 42, "numba's `overloads`, `library` or `fndesc` has changed"


@compiled
def test_numba_tells_when_it_compiles() -> None:
    told = []
    compat.watch_compiler(lambda part: told.append(("start", part)), lambda part: told.append(("end", part)))
    dispatcher = compat.make_dispatcher(double)
    dispatcher(1)
    own = [word for word, part in told if part is dispatcher]
    assert own == ["start", "end"], "numba's event `numba:compile` has changed"


def test_numba_says_whether_it_compiles() -> None:
    assert compat.is_compiler_off() is (os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("0", ""))


# numba: files


class CacheWithKey(compat.DiskCache):
    part = "one"

    def extend_key(self, signature: Any) -> tuple[Any, ...]:
        return (self.part,)


def compile_with_cache(folder: Path, part: str) -> Any:
    with compat.use_folder(str(folder)):
        cache = CacheWithKey(double)
    cache.part = part
    dispatcher = compat.make_dispatcher(double)
    compat.set_cache(dispatcher, cache)
    assert dispatcher(3) == 6
    return dispatcher


@compiled
def test_numba_keeps_what_it_compiles_in_the_cache_it_is_given(tmp_path: Path) -> None:
    for part, is_compiled in (("one", 1), ("one", 0), ("two", 1), ("one", 0)):
        dispatcher = compile_with_cache(tmp_path, part)
        misses = sum(dispatcher.stats.cache_misses.values())
        assert misses == is_compiled, "numba's `_cache`, or `_index_key` of its FunctionCache, has changed"


@compiled
def test_numba_puts_its_files_into_the_folder_and_names_them_as_expected(tmp_path: Path) -> None:
    asked = compat.asked_folder()
    cache = compile_with_cache(tmp_path, "one")._cache
    assert compat.asked_folder() == asked
    assert cache.function is double
    files = {path.name for path in Path(cache.cache_path).iterdir()}
    assert tmp_path in Path(cache.cache_path).parents, "numba does not look at `config.CACHE_DIR` any more"
    assert f"{cache.file_stem}.nbi" in files, "`_impl.filename_base` of numba's FunctionCache has changed"


@compiled
def test_numba_has_a_cache_that_keeps_nothing() -> None:
    dispatcher = compat.make_dispatcher(double)
    compat.set_cache(dispatcher, compat.make_no_cache())
    assert dispatcher(4) == 8


# numba: machine code in kernels


class Pair(NamedTuple):
    """A record as kernels know it."""

    numbers: np.ndarray
    scale: int


PAIR = numba.types.NamedTuple((numba.types.Array(numba.types.int64, 1, "C"), numba.types.int64), Pair)


@intrinsic
def store(typing_context: Any, place: Any, word: Any) -> Any:
    from llvmlite import ir

    def write(builder: Any, place: Any, word: Any) -> None:
        builder.store(word, builder.inttoptr(place, ir.IntType(64).as_pointer()))

    return intrinsics.write_effect(2, write)


@intrinsic
def add_words(typing_context: Any, one: Any, other: Any) -> Any:
    kind = numba.types.uint64
    return intrinsics.write_value(kind, (kind, kind), lambda builder, one, other: builder.add(one, other))


@intrinsic
def hold(typing_context: Any, pair: Any, place: Any) -> Any:
    return intrinsics.write_record(PAIR, 8)


@intrinsic
def recall(typing_context: Any, place: Any) -> Any:
    return intrinsics.read_record(PAIR, 8)


@intrinsic
def borrow(typing_context: Any, array: Any) -> Any:
    return intrinsics.write_borrowed(array)


@compiled
def test_an_intrinsic_writes_instructions_with_and_without_a_result() -> None:
    room = np.zeros(1, np.uint64)
    function = numba.njit(lambda place, word: store(place, add_words(word, np.uint64(1))))
    function(np.uint64(room.ctypes.data), np.uint64(41))
    assert room.tolist() == [42], "what numba hands to intrinsics, or `get_dummy_value`, has changed"


@compiled
def test_a_record_comes_back_from_memory_and_owns_nothing() -> None:
    room, pair = np.zeros(32, np.uint64), Pair(np.arange(3), 7)
    put = numba.njit(lambda pair, place: hold(pair, place))
    get = numba.njit(lambda place: recall(place).numbers.sum() * recall(place).scale)
    put(pair, np.uint64(room.ctypes.data))
    assert get(np.uint64(room.ctypes.data)) == 21, "numba lays out tuples or arrays in another way"
    assert room[0] == 0
    assert room[1:3].tolist() == [0, 0], "an array's first words are not its owner any more"


@compiled
def test_a_borrowed_array_is_the_same_memory() -> None:
    numbers = np.arange(3.0)

    def change(array: Any) -> None:
        borrow(array)[1] = 5.0

    numba.njit(change)(numbers)
    assert numbers.tolist() == [0.0, 5.0, 2.0]


# typer


@pytest.mark.parametrize("words", [["--no-such-option"], ["--count", "many"], ["surplus"], ["--count"]], ids=" ".join)
def test_every_error_in_words_on_the_command_line_has_one_base(words: list[str]) -> None:
    app = typer.Typer()

    @app.command()
    def run(count: int = 1) -> None:
        raise AssertionError(count)

    with pytest.raises(UsageError):
        app(words, standalone_mode=False)


# Python


def test_python_says_where_its_sockets_are() -> None:
    with Listener(family="AF_UNIX") as listener:
        folder = find_socket_folder()
        assert folder is not None, "`_config` of multiprocessing's processes has changed"
        assert Path(str(listener.address)).parent == Path(folder)


def test_python_has_no_folder_for_sockets_before_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(current_process()._config, "tempdir", raising=False)  # type: ignore[attr-defined]
    assert find_socket_folder() is None


@pytest.mark.slow
def test_a_pool_knows_its_processes_and_starts_them_by_its_context() -> None:
    class Own(SpawnContext):
        Process = SpawnProcess

    start_resource_tracker()
    pool = ProcessPoolExecutor(1, Own())
    assert list_processes(pool) == []
    worker = pool.submit(os.getpid).result()
    (process,) = list_processes(pool)
    assert process.pid == worker, "`_processes` of a pool has changed"
    assert type(process) is SpawnProcess
    pool.shutdown()
