"""Functions in memory from LLVM IR, through the disk cache.

An engine is freed when the next circuit is compiled, not when its last user becomes garbage. Garbage may be collected
anywhere, also deep inside a recursion, where LLVM's binding would run out of stack while it holds its lock. The lock
would never be released, and every other thread that needs LLVM would wait for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache as once
from typing import NamedTuple
from weakref import ref

import llvmlite
import llvmlite.binding as llvm

from veil._version import __version__
from veil.engine.lanes import cache
from veil.engine.lanes.code import Addresses
from veil.engine.lanes.codegen import generate
from veil.engine.lanes.lower import Circuit

OPTIMISATION = 1  # 2 takes twice as long and gives the same code: there are no loops to improve


class Lease:
    """Token that keeps an engine alive as long as someone holds it."""

    __slots__ = ("__weakref__",)


class Loaded(NamedTuple):
    """Machine code in memory."""

    engine: llvm.ExecutionEngine
    lease: Lease  # the code is in memory as long as someone holds it

    def address(self, name: str) -> int:
        """Return the address of a function."""
        return int(self.engine.get_function_address(name))


class Native(NamedTuple):
    """The functions of a circuit in memory."""

    addresses: Addresses  # valid while the lease is held
    lease: Lease


_engines: dict[ref[Lease], llvm.ExecutionEngine] = {}  # all living engines
_unused: list[ref[Lease]] = []  # engines whose leases are garbage


def compile_circuit(circuit: Circuit, moves_per_role: Sequence[int], width: int) -> Native:
    """Return the functions of a circuit for `width` words per slot."""
    text = generate(circuit, moves_per_role, width)
    name = cache.key(text, *_versions())
    code = cache.load(name)
    if code is None:
        code = _compile(text)
        cache.save(name, code)
    loaded = _load(code)
    return Native(Addresses(*(loaded.address(f"veil_{name}") for name in Addresses._fields)), loaded.lease)


def load_text(text: str) -> Loaded:
    """Return the machine code of a module of LLVM IR that names addresses of this process, so that it is not kept."""
    return _load(_compile(text))


def _compile(text: str) -> bytes:
    return bytes(_target().emit_object(llvm.parse_assembly(text)))


def _load(code: bytes) -> Loaded:
    """Put object code into memory."""
    free_unused()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    lease = Lease()
    _engines[ref(lease, _unused.append)] = engine
    return Loaded(engine, lease)


def free_unused() -> None:
    """Free the engines that are no longer used."""
    with suppress(IndexError):  # another thread may free them at the same time
        while True:
            del _engines[_unused.pop()]


@once
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _target() -> llvm.TargetMachine:
    """Return a machine of this processor. An engine owns its machine, so each engine gets a new one."""
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
