"""LLVM IR -> functions in memory, by way of the disk cache."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache as once
from typing import NamedTuple

import llvmlite
import llvmlite.binding as llvm

from veil._version import __version__
from veil.engine.lanes import cache
from veil.engine.lanes.code import Addresses
from veil.engine.lanes.codegen import generate
from veil.engine.lanes.lower import Circuit

OPTIMISATION = 1  # 2 takes twice as long and gives the same code: there are no loops to improve


class Native(NamedTuple):
    """The functions of a circuit in memory."""

    addresses: Addresses  # valid as long as the engine lives
    engine: llvm.ExecutionEngine


def compile_circuit(circuit: Circuit, moves_per_role: Sequence[int], width: int) -> Native:
    """The functions of a circuit for `width` words per slot."""
    text = generate(circuit, moves_per_role, width)
    target = _target()
    name = cache.key(text, *_versions())
    code = cache.load(name)
    if code is None:
        code = target.emit_object(llvm.parse_assembly(text))
        cache.save(name, code)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return Native(Addresses(*(engine.get_function_address(f"veil_{name}") for name in Addresses._fields)), engine)


@once
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target() -> llvm.TargetMachine:
    """A machine of this processor; an engine owns its machine, so each gets a new one."""
    _initialise()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=_features(), opt=OPTIMISATION, jit=True
    )


@once
def _features() -> str:
    return str(llvm.get_host_cpu_features().flatten())


def _versions() -> tuple[str, ...]:
    _initialise()
    processor = (llvm.get_default_triple(), llvm.get_host_cpu_name(), _features())
    return (*processor, llvmlite.__version__, __version__, str(OPTIMISATION))
