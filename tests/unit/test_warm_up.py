"""`warm_up` of every room, in a process of its own: afterwards nothing is left to be compiled or read from disk."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.support.archetypes import nightly_but
from tests.support.command import PATIENCE

pytestmark = pytest.mark.slow  # every test starts a process

# What a process does after the warm-up: other games, through all that the room offers.
ENGINE = """
from veil.engine import load
for name in ("exploding_bomb", "tic_tac_toe", "krieg_tictactoe"):
    machine = load(name).machine
    states = machine.initial_states(3)
    rows, joints = machine.joint_moves(states)
    machine.step(states[rows], joints)
    machine.playouts(states, 50, seed=1, threads=2, first_moves=joints[:3])
"""
BELIEF = """
from veil.engine import load, observe_history
from veil.belief import AutoConfig, HyperPlayBelief, ParticleBelief, SamplerContext, make_auto
game = load("krieg_tictactoe")
machine, history, states = game.machine, [], game.machine.initial_states()
for _ in range(3):
    history.append(machine.joint_moves(states)[1][-1])
    states = machine.step(states, history[-1][None, :]).states
record = observe_history(machine, np.array(history), 0)
for belief in (
    HyperPlayBelief(machine, 0, models=300, remedy="balance"),
    HyperPlayBelief(machine, 0, models=5, budget=3, reseed=False),
    ParticleBelief(machine, 0, particles=50),
    make_auto(AutoConfig(max_worlds=5, particles=50, hypergames=50), SamplerContext(machine, 0)),
):
    for entry in record:
        belief.observe(*entry)
    belief.worlds(None, np.random.default_rng(1))
"""
EQUILIBRIUM = """
from veil.engine import load
from veil.equilibrium import count_levels, expand, solve
for name in ("exploding_bomb", "leduc_poker", "ii_goofspiel(cards=3)"):
    for method in ("cfr", "cfr+", "dcfr", "pcfr+", "pdcfr+", "hs-pcfr+", "its", "xfp", "es-mccfr", "os-mccfr", "lp"):
        if method != "lp" or name != "exploding_bomb":
            solve(load(name), method, iterations=3)
    count_levels(expand(load(name)).flat)
"""
SEARCH = """
from veil.engine import load
from veil.search import BanditRule, IsmctsConfig, OosConfig, SearchTask, SmoothUctConfig, make_walker
rng = np.random.default_rng(0)
for name in ("exploding_bomb", "leduc_poker", "ii_goofspiel(cards=3)"):
    game = load(name)
    task = SearchTask(game, game.program.serial_order[-1], 0)
    configs = OosConfig(), OosConfig(target="ist"), IsmctsConfig(select="rm"), IsmctsConfig(observer="single")
    for config in (*configs, IsmctsConfig(starts="posterior"), SmoothUctConfig()):
        walker = make_walker(task, config)
        walker.run(20, rng)
        walker.walker.target_infoset(0)
        walker.run(20, rng)
from veil.belief import ExactBelief
from veil.engine import observe_history
from veil.search import SearchRoot, make_lane_walker
game = load("krieg_tictactoe")
machine = game.machine
history = machine.joint_moves(machine.initial_states())[1][-1:]
own_move, percepts, _ = observe_history(machine, history, 0)[0]
belief = ExactBelief(machine, 0)
belief.observe(own_move, percepts)
for config in (*configs, IsmctsConfig(starts="posterior"), SmoothUctConfig()):
    walker = make_lane_walker(SearchTask(game, 0, 0), config.rule)
    walker.run(3000, rng)
    walker.set_root(SearchRoot(0, 5, 1, belief), rng)
    walker.run(300, rng)
    assert len(list(walker.known())) > 100 and walker.infoset(0, 5) is None
"""
SCRIPT = """
import json, sys
import numpy as np
from veil.{room} import warm_up
warm_up()
from veil.engine.lanes.kernel_cache import called_kernels
from veil.engine.lanes.preparation import PREPARATION
names = "{modules}".split()
kernels = {{
    f"{{module}}.{{name}}": value
    for module in names
    for name, value in vars(sys.modules[module]).items()
    if hasattr(value, "py_func") and value.py_func.__module__ == module
}}
called = {{inner for kernel in kernels.values() for inner in called_kernels(kernel.py_func)}}
cold = [name for name, kernel in kernels.items() if kernel not in called and not kernel.overloads]
before = PREPARATION.seconds
{work}
late = PREPARATION.seconds - before
several = [name for name, kernel in kernels.items() if len(kernel.overloads) > 1]
print(json.dumps({{"kernels": len(kernels), "cold": cold, "late": late, "several": several}}))
"""
ROOMS = {
    "engine": ("row_kernels joint_move_kernels playout_kernels circuit_kernels", "veil.engine.lanes.", ENGINE),
    "belief": ("hyperplay.search_kernels", "veil.belief.", BELIEF),
    "equilibrium": (
        "expand_kernels sequence_kernels full_width_kernels sampling_kernels",
        "veil.equilibrium.",
        EQUILIBRIUM,
    ),
    "search": (
        "tree.oos_kernels tree.bandit_kernels tree.prior_kernels lanes.walk_kernels lanes.choice_kernels "
        "lanes.table_kernels lanes.target_kernels lanes.bandit_kernels lanes.learning_kernels",
        "veil.search.walks.",
        SEARCH,
    ),
}

# Searchers that walk in lanes, without any warm-up: what they need under a clock is ready when they are made.
WALKS = """
import json
import numpy as np
from veil.belief import ExactBelief
from veil.engine import load, observe_history
from veil.engine.lanes.preparation import PREPARATION
from veil.search import IsmctsConfig, OosConfig, SearchBudget, SearchQuestion, SearchTask
game, rng = load("krieg_tictactoe"), np.random.default_rng(0)
machine, names = game.machine, game.names
history = machine.joint_moves(machine.initial_states())[1][-1:]
own_move, percepts, _ = observe_history(machine, history, 0)[0]
belief = ExactBelief(machine, 0)
belief.observe(own_move, percepts)
belief.worlds(None, rng)
record = game.record(game.roles[0]).then(names.moves[0][own_move], names.percept_words(0, percepts))
late = []
for config in (OosConfig(iterations=3000, max_nodes=10), IsmctsConfig(iterations=3000, max_nodes=10)):
    searcher = config.searcher(SearchTask(game, 0, 0))
    before = PREPARATION.seconds
    searcher.search(SearchQuestion(record, belief, (0, 0)), SearchBudget(None), rng)
    late.append(PREPARATION.seconds - before)
print(json.dumps(late))
"""


def test_searchers_that_walk_in_lanes_wait_for_no_kernel_once_they_are_made() -> None:
    done = subprocess.run([sys.executable, "-c", WALKS], capture_output=True, timeout=3 * PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout) == [0.0, 0.0]


@pytest.fixture(scope="module", params=nightly_but(["search"], ROOMS))
def outcome(request: Any) -> dict[str, Any]:
    modules, prefix, work = ROOMS[request.param]
    names = " ".join(prefix + module for module in modules.split())
    script = SCRIPT.format(room=request.param, modules=names, work=work)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=3 * PATIENCE)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_warm_up_plays_a_game_through_every_kernel(outcome: dict[str, Any]) -> None:
    assert outcome["kernels"] >= 5
    assert outcome["cold"] == []


def test_after_a_warm_up_no_other_game_waits_for_a_kernel(outcome: dict[str, Any]) -> None:
    assert outcome["late"] == 0.0


def test_no_kernel_is_compiled_for_two_kinds_of_arguments(outcome: dict[str, Any]) -> None:
    """Read-only arrays, other integers or other memory layouts would compile it once more."""
    assert outcome["several"] == []
