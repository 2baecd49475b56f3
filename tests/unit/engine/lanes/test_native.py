from __future__ import annotations

import gc
import inspect
import sys
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest

from tests.support.circuits import (
    LAYOUT,
    call_native,
    circuit,
    evaluate_slowly,
    no,
    random_worlds,
    to_values,
    to_worlds,
    yes,
)
from veil.engine.lanes import cache, codegen, native
from veil.engine.lanes.lower import Block, Gate
from veil.engine.lanes.native import compile_circuit


@pytest.mark.parametrize("width", [1, 4])
def test_compiled_parts_compute_what_their_gates_say_in_every_lane(width: int) -> None:
    code = compile_circuit(circuit(), [2], width)
    worlds = random_worlds(LAYOUT.num_slots, 64 * width, seed=3)
    values = to_values(worlds, width)
    for name in ("static", "dynamic", "percepts"):
        call_native(getattr(code.addresses, name), values)
        for world in worlds:
            evaluate_slowly(getattr(circuit(), name), world)
        assert (to_worlds(values) == worlds).all(), name


def test_a_gate_of_many_literals_is_computed_by_several_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = ((yes(2), no(3)), (no(4),), (yes(3), yes(4), yes(5)), (yes(6), no(2)))
    wide = circuit()._replace(static=(Block((Gate(16, terms), Gate(17, ((no(16),),))), False),))
    worlds = random_worlds(LAYOUT.num_slots, 64, seed=8)
    before = worlds.copy()
    for world in worlds:
        evaluate_slowly(wide.static, world)
    for most, functions in ((100, 1), (3, 4)):
        monkeypatch.setattr(codegen, "LITERALS_PER_FUNCTION", most)
        values = to_values(before, 1)
        code = compile_circuit(wide, [2], 1)
        call_native(code.addresses.static, values)
        assert (to_worlds(values) == worlds).all()
        text = codegen.generate(wide, [2], 1)
        assert sum(function.count("store") > 0 for function in text.split("define internal void @static_")) == functions


def test_advance_takes_the_next_state_or_begins_again() -> None:
    code = compile_circuit(circuit(), [2], 1)
    worlds = random_worlds(LAYOUT.num_slots, 64, seed=4)
    values, start = to_values(worlds, 1), np.random.default_rng(5).integers(0, 2**63, (4, 1)).astype(np.uint64)
    call_native(code.addresses.advance, values, start)
    after = to_worlds(values)
    for lane in range(64):
        fluents, ended = slice(LAYOUT.fluents, LAYOUT.moves), int(start[0, 0]) >> lane & 1
        begins = [bool(int(word) >> lane & 1) for word in start[1:, 0]]
        following = worlds[lane, LAYOUT.next : LAYOUT.percepts].tolist()
        assert after[lane, fluents].tolist() == (begins if ended else following)


def test_choose_marks_one_legal_move_per_lane_or_stuck() -> None:
    code = compile_circuit(circuit(), [2], 4)
    worlds = random_worlds(LAYOUT.num_slots, 256, seed=6)
    values = to_values(worlds, 4)
    rng = np.random.SeedSequence(7).generate_state(16, np.uint64).reshape(4, 4)
    call_native(code.addresses.choose, values, rng)
    after = to_worlds(values)
    legal, moves = worlds[:, LAYOUT.legal : LAYOUT.goals], after[:, LAYOUT.moves : LAYOUT.legal]
    assert (moves.sum(axis=1) == legal.any(axis=1)).all()
    assert not (moves & ~legal).any()
    assert (after[:, LAYOUT.stuck] == ~legal.any(axis=1)).all()
    both = legal.all(axis=1)
    assert 0 < moves[both, 0].sum() < both.sum()  # not always the same one


def test_a_circuit_is_compiled_once_and_then_read_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path))
    compile_circuit(circuit(), [2], 1)
    assert len(list(tmp_path.glob("*.o"))) == 1
    monkeypatch.setattr(cache, "save", None)  # compiling would save
    compile_circuit(circuit(), [2], 1)
    with pytest.raises(TypeError):
        compile_circuit(circuit(), [2], 2)


def test_an_object_of_another_processor_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VEIL_CACHE", str(tmp_path))
    compile_circuit(circuit(), [2], 1)
    versions = native._versions()
    monkeypatch.setattr(native, "_versions", lambda: (*versions, "another"))
    compile_circuit(circuit(), [2], 1)
    assert len(list(tmp_path.glob("*.o"))) == 2


def test_an_engine_is_freed_when_the_next_circuit_is_compiled() -> None:
    first = compile_circuit(circuit(), [2], 1)
    before = len(native._engines)
    kept = compile_circuit(circuit(), [2], 1)
    assert len(native._engines) == before + 1
    del first
    assert len(native._engines) == before + 1
    native.free_unused()
    assert len(native._engines) == before
    del kept


def test_garbage_that_is_collected_deep_inside_a_recursion_leaves_llvm_to_other_threads() -> None:
    """LLVM's binding holds a lock while it frees an engine; without stack it would never release it."""

    def collect_below(calls: int) -> None:
        if calls:
            collect_below(calls - 1)
        else:
            gc.collect()

    gc.disable()
    gc.freeze()  # what other tests have made is not looked through forty times
    try:
        for calls_left in range(40):
            holder = SimpleNamespace(native=compile_circuit(circuit(), [2], 1))
            holder.itself = holder
            del holder
            with suppress(RecursionError):
                collect_below(sys.getrecursionlimit() - len(inspect.stack(0)) - calls_left)
    finally:
        gc.unfreeze()
        gc.enable()
    thread = Thread(target=compile_circuit, args=(circuit(), [2], 1), daemon=True)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()
