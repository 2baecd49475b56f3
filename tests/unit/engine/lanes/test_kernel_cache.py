from __future__ import annotations

import os
from collections import namedtuple
from pathlib import Path
from typing import Any

import numba
import pytest
from numba.core import config
from numba.core.caching import IndexDataCacheFile, NullCache

from tests.support.throwaway_kernels import INNER, import_as_process, was_compiled
from veil.engine.lanes import kernel_cache
from veil.engine.lanes.kernel_cache import called_kernels, choose_folder, make_cache

pytestmark = pytest.mark.compiled("it is about compilation")


def test_a_kernel_is_compiled_once_and_then_read_from_disk(kernel_folder: Path) -> None:
    for compiled in (True, False):
        module = import_as_process(kernel_folder)
        assert module.outer(5) == 11
        assert was_compiled(module.outer) is compiled
    assert len(list(kernel_folder.glob("*/*.nbc"))) == 2


def test_the_lock_of_whoever_compiles_a_kernel_lies_beside_it(kernel_folder: Path) -> None:
    module = import_as_process(kernel_folder)
    module.outer(5)
    locks = {module.inner._cache.lock_path, module.outer._cache.lock_path}
    assert set(kernel_folder.parent.rglob("*.lock")) == locks
    assert {path.with_suffix(".nbi") for path in locks} == set(kernel_folder.glob("*/*.nbi"))


def test_a_kernel_is_compiled_anew_when_one_that_it_calls_has_changed(kernel_folder: Path) -> None:
    assert import_as_process(kernel_folder).outer(5) == 11
    path = kernel_folder.parent / "inner.py"
    path.write_text(INNER.replace("2 *", "3 *"))
    os.utime(path, (1, 1))  # at another time, however coarse the clock
    assert import_as_process(kernel_folder).outer(5) == 16


def test_a_kernel_is_compiled_anew_when_a_number_from_elsewhere_has_changed(kernel_folder: Path) -> None:
    assert import_as_process(kernel_folder, extra=1).outer(5) == 11
    assert import_as_process(kernel_folder, extra=7).outer(5) == 17
    assert not was_compiled(import_as_process(kernel_folder, extra=7).inner)


def make_record(name: str, fields: tuple[str, ...], *values: Any) -> Any:
    make_kind: Any = namedtuple
    return make_kind(name, fields)(*values)


def test_the_order_of_a_records_fields_is_part_of_the_key() -> None:
    names = [("first", "second"), ("second", "first")]
    pairs = [make_record("Pair", fields, 1, 2) for fields in names]
    kinds = [numba.typeof(pair) for pair in pairs]
    assert [kernel_cache._field_names(kind) for kind in kinds] == [(fields, (), ()) for fields in names]
    outside = numba.typeof(make_record("Outside", ("pair", "n"), pairs[1], 3))
    assert names[1] in kernel_cache._field_names(outside)[1]


@pytest.mark.gate_cases(3)
@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [b"", b"nonsense", None])
def test_a_damaged_file_is_not_trusted_but_replaced(kernel_folder: Path, suffix: str, damage: bytes | None) -> None:
    import_as_process(kernel_folder).outer(5)
    for path in kernel_folder.glob(f"*/*.{suffix}"):
        path.write_bytes(path.read_bytes()[:-9] if damage is None else damage)
    module = import_as_process(kernel_folder)
    assert module.outer(5) == 11
    assert was_compiled(module.outer)
    module = import_as_process(kernel_folder)
    assert module.outer(5) == 11
    assert not was_compiled(module.outer)


def test_on_a_full_disk_kernels_are_compiled_in_memory(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(IndexDataCacheFile, "save", full)
    assert import_as_process(kernel_folder).outer(5) == 11
    assert "cannot keep compiled kernels (No space left on device)" in capsys.readouterr().err


def test_where_no_kernel_can_be_kept_they_are_compiled_in_memory(
    kernel_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def nowhere(_: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr(kernel_cache, "KernelCache", nowhere)
    module = import_as_process(kernel_folder)
    assert isinstance(module.outer._cache, NullCache)
    assert module.outer(5) == 11
    assert capsys.readouterr().err.count("cannot keep compiled kernels") == 1


def test_functions_of_others_keep_their_folder(kernel_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "theirs")
    make_cache(import_as_process(kernel_folder).outer.py_func)
    assert config.CACHE_DIR == "theirs"


def test_the_folder_is_ours_if_it_can_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "")
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path / "new"))
    assert choose_folder.__wrapped__() == str(tmp_path / "new" / "kernels")
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path / "file" / "below"))
    assert choose_folder.__wrapped__() == ""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "asked for"))
    assert choose_folder.__wrapped__() == str(tmp_path / "asked for")


def test_the_kernels_that_a_kernel_calls_are_found_through_others() -> None:
    from veil.engine.lanes.playout_kernels import play_blocks

    kernel: Any = play_blocks
    names = [called.py_func.__name__ for called in called_kernels(kernel.py_func)]
    assert len(names) == len(set(names))
    assert {"play_block", "tally_goals", "lowest_bit", "count_bits", "transpose"} <= set(names)


def test_what_a_killed_process_has_left_of_a_kernel_is_removed_after_a_while(kernel_folder: Path) -> None:
    module = import_as_process(kernel_folder)
    folder = Path(module.outer._cache.cache_path)
    folder.mkdir(parents=True, exist_ok=True)
    old, new = folder / "outer.nbc.tmp.0123", folder / "outer.nbc.tmp.4567"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    module.outer(5)
    assert (old.exists(), new.exists()) == (False, True)
