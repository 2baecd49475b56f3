"""The compilation of the kernels of beliefs before a clock runs."""

from __future__ import annotations

from functools import cache

from veil.belief.configs import CspConfig
from veil.belief.contract import SamplerContext
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.engine import observe_history, tiny_game, warm_up as warm_up_engine


@cache
def warm_up() -> None:
    """Compile the kernels of beliefs and of the engine, once per process, with the record of a tiny game."""
    from veil.belief.csp.sampler import CspBelief  # imports numba

    warm_up_engine()
    machine = tiny_game().machine
    joint_moves = machine.joint_moves(machine.initial_states())[1][:1]
    role_id = machine.program.serial_order[-1]
    belief = HyperPlayBelief(machine, role_id, models=2)
    choosing = CspBelief(CspConfig(conflict="all"), SamplerContext(machine, role_id))
    for entry in observe_history(machine, joint_moves, role_id):
        belief.observe(*entry)
        choosing.observe(*entry)
    choosing.drop_ended()
    choosing.graph.sample(1)
