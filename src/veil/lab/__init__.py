"""Measurements that stand beside other people's: our benchmarks, and the papers' tables and figures run again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.lab.bench import BENCHMARKS as BENCHMARKS, ON_ANY_GAME as ON_ANY_GAME, find_benchmark as find_benchmark
    from veil.lab.keeping import keep_pieces as keep_pieces
    from veil.lab.papers import (
        EXPERIMENTS as EXPERIMENTS,
        check_counted as check_counted,
        check_timed as check_timed,
        choose_experiments as choose_experiments,
        find_experiment as find_experiment,
        find_gaps as find_gaps,
    )
    from veil.lab.series import give_workers as give_workers
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "bench": "BENCHMARKS ON_ANY_GAME find_benchmark",
            "keeping": "keep_pieces",
            "papers": "EXPERIMENTS check_counted check_timed choose_experiments find_experiment find_gaps",
            "series": "give_workers",
        },
    )
