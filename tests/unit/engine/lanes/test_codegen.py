from __future__ import annotations

import re

import llvmlite.binding as llvm
import pytest

from tests.support.circuits import circuit, yes
from veil.engine.lanes import codegen
from veil.engine.lanes.codegen import PRECISION, generate
from veil.engine.lanes.lower import Block, Gate

FUNCTIONS = ["veil_static", "veil_dynamic", "veil_percepts", "veil_choose", "veil_advance"]


def functions(text: str) -> dict[str, str]:
    """Name -> body of every function."""
    return dict(re.findall(r"define \w* ?void @(\w+)\([^)]*\) \{\n(.*?)\n\}", text, re.DOTALL))


@pytest.mark.parametrize("width", [1, 2, 4])
def test_the_text_is_a_module_of_llvm_with_five_functions_of_three_parameters(width: int) -> None:
    module = llvm.parse_assembly(generate(circuit(), [2], width))
    module.verify()
    public = [function for function in module.functions if function.linkage == llvm.Linkage.external]
    assert sorted(function.name for function in public) == sorted(FUNCTIONS)
    for function in public:
        assert [str(argument.type) for argument in function.arguments] == ["i64"] * 3


def test_the_width_is_the_number_of_words_per_slot() -> None:
    assert "<4 x i64>" in generate(circuit(), [2], 4)
    assert " x i64>" not in generate(circuit(), [2], 1)


def test_a_slot_is_loaded_once_per_function() -> None:
    text = generate(circuit(), [2], 1)
    read = []
    for name, body in functions(text).items():
        if name.startswith(("static_", "dynamic_")) and "%again" not in body:
            addresses = re.findall(r"(%t\d+) = getelementptr i64, ptr %base, i64 (\d+)", body)
            loaded = [slot for address, slot in addresses if f"load i64, ptr {address}," in body]
            assert len(loaded) == len(set(loaded)), name
            read += loaded
    assert read.count("2") == 3  # once in each of three functions; four gates read it


def test_long_blocks_are_cut_and_recursive_ones_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    small = circuit()
    monkeypatch.setattr(codegen, "GATES_PER_FUNCTION", 2)
    pieces = [name for name in functions(generate(small, [2], 1)) if name.startswith("static_")]
    assert len(pieces) == 5  # one gate; the loop; nothing; four gates in two pieces and nothing
    long_loop = Block(tuple(Gate(16 + i % 2, ((yes(16),),)) for i in range(7)), True)
    cut = functions(generate(small._replace(static=(long_loop,)), [2], 1))
    assert sum("br label %again" in body for body in cut.values()) == 1


def test_a_recursive_block_is_a_loop_that_ends_when_nothing_changes() -> None:
    bodies = functions(generate(circuit(), [2], 4))
    (loop,) = [body for body in bodies.values() if "%again" in body]
    assert re.search(r"br i1 %t\d+, label %again, label %done", loop)
    assert "icmp ne i256" in loop


def test_a_role_draws_as_many_random_words_as_its_moves_have_digits_and_more() -> None:
    bodies = functions(generate(circuit(), [2], 1))
    assert f", {2 + PRECISION}\n" in bodies["choose_0"]  # two moves: a count of two digits


def test_a_role_without_a_choice_draws_nothing() -> None:
    one = circuit()
    bodies = functions(generate(one, [1, 1], 1))
    assert "br label" not in bodies["choose_0"] + bodies["choose_1"]
    assert "choose_0" not in functions(generate(one, [0, 2], 1))
