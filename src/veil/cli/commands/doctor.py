"""`veil doctor`: is this installation in order? Versions, what is optional, the cache, and a test of some seconds."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import veil
from veil._version import find_commit
from veil.cli.call import Call, command
from veil.errors import fail
from veil.handbook import find_site
from veil.report import label_text

COLUMN = 14
BASE = ("clingo", "llvmlite", "msgspec", "numba", "numpy", "scipy", "typer", "rich")
EXTRAS = {  # extra -> a module that it brings
    "web": "starlette",
    "lsp": "pygls",
    "plots": "matplotlib",
    "env": "pettingzoo",
    "cluster": "distributed",
    "peers": "pyspiel",
}
TOLERANCE = 1e-6


@command
def doctor(call: Call) -> None:
    """Test this installation: versions, extras, compiled code, known values of two games."""
    facts = describe_installation()
    start = perf_counter()
    found = measure_known_values()
    seconds = perf_counter() - start
    wrong = [name for name, (ours, known) in found.items() if abs(ours - known) > TOLERANCE]
    values = {name: {"ours": ours, "known": known} for name, (ours, known) in found.items()}
    lines = [label_text(name, str(fact), COLUMN) for name, fact in facts.items()]
    for name, (ours, known) in found.items():
        lines.append(label_text("test", f"{name}: {ours:.6f} (known: {known:.6f})", COLUMN))
    lines.append(label_text("seconds", f"{seconds:.1f} for the test", COLUMN))
    if wrong:
        call.attempt(lambda: _refuse(wrong))
    call.answer(lambda: {**facts, "values": values, "seconds": seconds, "sound": not wrong}, lambda: "\n".join(lines))


def describe_installation() -> dict[str, str]:
    """Return what this installation is made of, in words."""
    from veil.engine.lanes import cache_folder  # imports numba

    extras = {name: find_spec(module) is not None for name, module in EXTRAS.items()}
    kernels = _count_files(cache_folder())
    return {
        "veil": f"{veil.__version__}{find_commit()} in {Path(veil.__file__).parent}",
        "python": f"{platform.python_version()} on {platform.system()} {platform.machine()}",
        "processor": f"{_name_processor()}, {os.cpu_count()} cores",
        "libraries": ", ".join(f"{name} {_find_version(name)}" for name in BASE),
        "extras": ", ".join(f"{name} {'yes' if there else 'no'}" for name, there in extras.items()),
        "compiled": f"{kernels:,} files in {cache_folder()}" if kernels else "nothing yet: the first commands are slow",
        "handbook": str(find_site() or "not built: `make docs` builds it"),
    }


def measure_known_values() -> dict[str, tuple[float, float]]:
    """Return name -> (our value, the known one) for two games: one is solved, of the other a belief is worked out."""
    kuhn = veil.solve("kuhn_poker", "lp").value["first"]
    monty = veil.load("monty_hall")
    belief = veil.believe(monty, monty.record("contestant", "(choose 1); noop: 2")).marginals()["(car 3)"]
    return {"Kuhn poker, first player": (kuhn, -1 / 18), "Monty Hall, the other door": (belief, 2 / 3)}


def _refuse(wrong: list[str]) -> None:
    raise fail("doctor-wrong", names=" and ".join(wrong))


def _find_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _count_files(folder: Path) -> int:
    return sum(1 for _, _, files in os.walk(folder) for _ in files)


def _name_processor() -> str:
    """Return the name of the processor, as far as the system says it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            names = (line.partition(":")[2].strip() for line in file if line.startswith("model name"))
            return next(names, platform.machine())
    except OSError:
        return platform.processor() or platform.machine()
