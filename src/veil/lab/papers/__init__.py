"""The papers' tables and figures, run again: theirs beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.lab.papers.experiments import (
        EXPERIMENTS as EXPERIMENTS,
        check_counted as check_counted,
        check_timed as check_timed,
        choose_experiments as choose_experiments,
        find_experiment as find_experiment,
    )
    from veil.lab.papers.not_reproduced import GAPS as GAPS, find_gaps as find_gaps
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "experiments": "EXPERIMENTS check_counted check_timed choose_experiments find_experiment",
            "not_reproduced": "GAPS find_gaps",
        },
    )
