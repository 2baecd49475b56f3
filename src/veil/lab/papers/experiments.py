"""The papers' tables and figures by name: what `veil reproduce` runs."""

from __future__ import annotations

from collections.abc import Callable

from veil.errors import fail
from veil.lab.papers import hyperplay_players, hyperplay_sampling as hyperplay, hyperplay_scaling, its
from veil.report import Report

EXPERIMENTS: dict[str, Callable[[int, bool], Report]] = {  # (seed, quick) -> report
    "hyperplay-fig7": hyperplay.sampling_cost,
    "hyperplay-table1": hyperplay.bias,
    "hyperplay-table2": hyperplay.case_study,
    "hyperplay-monty": hyperplay_players.monty,
    "hyperplay-cheat": hyperplay_players.cheat,
    "hyperplay-scaling": hyperplay_scaling.scaling,
    "hyperplay2-bomb": hyperplay_players.bomb,
    "hyperplay2-games": hyperplay_players.lifted_games,
    "its-fig2": its.cutting_wire,
    "its-fig4": its.frank_basin,
    "its-fig5": its.penalty_kick,
    "its-table1": its.banker_and_thief,
}


def find_experiment(name: str) -> Callable[[int, bool], Report]:
    """The experiment of this name."""
    if name not in EXPERIMENTS:
        raise fail("unknown-experiment", name=name, names=", ".join(EXPERIMENTS))
    return EXPERIMENTS[name]
