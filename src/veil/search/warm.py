"""Kernels of walks made ready before a clock runs."""

from __future__ import annotations

from functools import cache

import numpy as np

from veil.engine import tiny_game
from veil.equilibrium import warm_up as warm_up_equilibrium
from veil.search.online import MAX_NODES
from veil.search.protocol import SearchTask
from veil.search.tree_walks import make_tree_walker
from veil.search.walker import BanditRule, OosRule


@cache
def warm_up() -> None:
    """Make the kernels of walks, and of the rooms below, ready, once per process: a tiny game is searched by each."""
    warm_up_equilibrium()
    game, rng = tiny_game(), np.random.default_rng(0)
    task = SearchTask(game, game.program.serial_order[-1], 0)
    for rule in (OosRule(), BanditRule()):
        make_tree_walker(task, rule, MAX_NODES).run(1, rng)
