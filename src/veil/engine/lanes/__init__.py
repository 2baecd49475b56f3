"""A ground program as native code in which every bit is a world: circuit, machine code, kernels, the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.engine.lanes.jit import kernel as kernel
    from veil.engine.lanes.kernels import (
        count_bits as count_bits,
        judge_rows as judge_rows,
        list_joint_moves as list_joint_moves,
        lowest_bit as lowest_bit,
        split_mix as split_mix,
        step_rows as step_rows,
    )
    from veil.engine.lanes.keys import (
        START_KEY as START_KEY,
        extend_keys as extend_keys,
        percept_keys as percept_keys,
        start_keys as start_keys,
    )
    from veil.engine.lanes.machine import (
        MAX_CANDIDATES as MAX_CANDIDATES,
        Judged as Judged,
        Machine as Machine,
        Playouts as Playouts,
        pack as pack,
        unpack as unpack,
    )
    from veil.engine.lanes.warm import (
        engine_kernels as engine_kernels,
        load_kernels as load_kernels,
        tiny_code as tiny_code,
    )
else:
    __getattr__, __dir__ = lazy_face(
        __name__,
        {
            "jit": "kernel",
            "kernels": "count_bits judge_rows list_joint_moves lowest_bit split_mix step_rows",
            "keys": "START_KEY extend_keys percept_keys start_keys",
            "machine": "Judged MAX_CANDIDATES Machine Playouts pack unpack",
            "warm": "engine_kernels load_kernels tiny_code",
        },
    )
