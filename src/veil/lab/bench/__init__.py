"""Our own measurements, beside other people's programs where they are installed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.lab.bench.benchmarks import (
        BENCHMARKS as BENCHMARKS,
        ON_ANY_GAME as ON_ANY_GAME,
        find_benchmark as find_benchmark,
    )
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "benchmarks": "BENCHMARKS ON_ANY_GAME find_benchmark",
        },
    )
