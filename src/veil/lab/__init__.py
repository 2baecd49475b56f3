"""Measurements that stand beside other people's: benchmarks now, the papers' tables and figures later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.lab.papers import EXPERIMENTS as EXPERIMENTS, find_experiment as find_experiment

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "papers": "EXPERIMENTS find_experiment",
    },
)
