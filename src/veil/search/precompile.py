"""The compilation of the kernels of searches before a clock runs: each searcher compiles its own, `warm_up` all."""

from __future__ import annotations

from functools import cache

import numpy as np

from veil.belief import ExactBelief
from veil.engine import observe_history, replay_keys, tiny_game
from veil.equilibrium import warm_up as warm_up_equilibrium
from veil.search.contract import SearchTask
from veil.search.hyperplay2.simulations import warm_up as warm_up_simulations
from veil.search.playouts.pimc import warm_up as warm_up_forest
from veil.search.resolve.search import warm_up as warm_up_resolve
from veil.search.walks.configs import MAX_NODES
from veil.search.walks.contract import BanditRule, OosRule, SearchRoot, WalkRule
from veil.search.walks.lanes.walker import make_lane_walker
from veil.search.walks.tree.walkers import make_tree_walker


def warm_up() -> None:
    """Compile the kernels of all searches, and of the packages below."""
    warm_up_walks()
    warm_up_simulations()
    warm_up_forest()
    warm_up_resolve()


@cache
def warm_up_walks() -> None:
    """Compile the kernels of walks, and of the packages below, once per process: each searches a tiny game."""
    warm_up_equilibrium()
    game, rng = tiny_game(), np.random.default_rng(0)
    task = SearchTask(game, game.program.serial_order[-1], 0)
    for rule in (OosRule(prior_iterations=1), BanditRule()):
        make_tree_walker(task, rule, MAX_NODES).run(1, rng)
        walk_in_lanes(task, rule, rng)


def walk_in_lanes(task: SearchTask, rule: WalkRule, rng: np.random.Generator) -> None:
    """Walk at the start of the game and after a round of it, and read the results."""
    game, walker = task.game, make_lane_walker(task, rule)
    walker.run(1, rng)
    history = game.machine.joint_moves(game.machine.initial_states())[1][:1]
    own_move, percepts, _ = observe_history(game.machine, history, task.role_id)[0]
    belief = ExactBelief(game.machine, task.role_id)
    belief.observe(own_move, percepts)
    key = int(replay_keys(game.machine, history[None])[0, task.role_id])
    walker.set_root(SearchRoot(task.role_id, key, 1, belief), rng)
    walker.run(1, rng)
    walker.table.make_room(len(walker.table.arrays.entries), 0)
    walker.infoset(task.role_id, key)
