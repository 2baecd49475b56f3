"""The papers' tables and figures by name: what `veil reproduce` runs."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from veil.errors import fail
from veil.report import Report

Experiment = Callable[[int, bool], Report]  # (seed, quick) -> report

EXPERIMENTS: dict[str, str] = {  # name -> module and function
    "hyperplay-fig7": "hyperplay_fig7:sampling_cost",
    "hyperplay-table1": "hyperplay_table1:bias",
    "hyperplay-bias": "hyperplay_bias:trace_bias",
    "hyperplay-remedies": "hyperplay_remedies:remedies",
    "hyperplay-table2": "hyperplay_table2:case_study",
    "hyperplay-samplers": "hyperplay_samplers:samplers",
    "hyperplay-monty": "hyperplay_players:monty",
    "hyperplay-cheat": "hyperplay_players:cheat",
    "hyperplay-scaling": "hyperplay_scaling:scaling",
    "hyperplay-pruning": "hyperplay_pruning:pruning",
    "hyperplay2-bomb": "hyperplay_players:bomb",
    "hyperplay2-games": "hyperplay_lifted:lifted_games",
    "its-fig2": "its:cutting_wire",
    "its-fig4": "its:frank_basin",
    "its-fig5": "its:penalty_kick",
    "its-table1": "its:banker_and_thief",
    "its-poker": "its:poker",
}


def find_experiment(name: str) -> Experiment:
    """The experiment of this name; its module is imported now."""
    if name not in EXPERIMENTS:
        raise fail("unknown-experiment", name=name, names=", ".join(EXPERIMENTS))
    module, _, function = EXPERIMENTS[name].partition(":")
    experiment: Experiment = getattr(import_module(f"veil.lab.papers.{module}"), function)
    return experiment
