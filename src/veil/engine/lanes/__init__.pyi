from veil.engine.lanes.bit_kernels import (
    count_bits as count_bits,
    count_ones as count_ones,
    find_one as find_one,
    list_lanes as list_lanes,
    list_ones as list_ones,
    lowest_bit as lowest_bit,
    remove_lane as remove_lane,
    split_mix as split_mix,
)
from veil.engine.lanes.block_kernels import (
    advance_block as advance_block,
    change_starts as change_starts,
    find_choices as find_choices,
    judge_block as judge_block,
    open_block as open_block,
    put_moves as put_moves,
    read_goals as read_goals,
    read_legal as read_legal,
    read_only_moves as read_only_moves,
    read_percepts as read_percepts,
    step_block as step_block,
)
from veil.engine.lanes.cache import cache_folder as cache_folder, say_once as say_once
from veil.engine.lanes.circuit_kernels import (
    address as address,
    call_address as call_address,
    new_values as new_values,
)
from veil.engine.lanes.code import (
    FLUENTS as FLUENTS,
    GOALS as GOALS,
    LEGAL as LEGAL,
    MOVES as MOVES,
    NEXT as NEXT,
    PERCEPTS as PERCEPTS,
    TERMINAL as TERMINAL,
    Addresses as Addresses,
    Code as Code,
    make_code as make_code,
    make_image as make_image,
)
from veil.engine.lanes.draw_kernels import (
    draw_index as draw_index,
    draw_unit as draw_unit,
    draw_weighted as draw_weighted,
    to_unit as to_unit,
)
from veil.engine.lanes.exclusion_kernels import watch_block as watch_block
from veil.engine.lanes.flat_circuit import Wiring as Wiring, wire_circuit as wire_circuit
from veil.engine.lanes.gate_kernels import function_addresses as function_addresses
from veil.engine.lanes.hash_kernels import (
    begin_hash as begin_hash,
    extend_hash as extend_hash,
    table_size as table_size,
)
from veil.engine.lanes.jit import (
    Int as Int,
    borrowing as borrowing,
    inlined as inlined,
    intrinsic as intrinsic,
    kernel as kernel,
)
from veil.engine.lanes.joint_move_kernels import list_joint_moves as list_joint_moves
from veil.engine.lanes.key_kernels import (
    extend_key as extend_key,
    mix_word as mix_word,
    row_key as row_key,
)
from veil.engine.lanes.keys import (
    START_KEY as START_KEY,
    extend_keys as extend_keys,
    percept_keys as percept_keys,
    start_keys as start_keys,
)
from veil.engine.lanes.lower import Circuit as Circuit, find_layout as find_layout
from veil.engine.lanes.machine import (
    LANES as LANES,
    MAX_CANDIDATES as MAX_CANDIDATES,
    Judged as Judged,
    Machine as Machine,
    RowLayout as RowLayout,
    Stepped as Stepped,
    column_starts as column_starts,
    pack as pack,
    unpack as unpack,
)
from veil.engine.lanes.memory_kernels import prefetch_rows as prefetch_rows
from veil.engine.lanes.native import load_text as load_text
from veil.engine.lanes.playout_kernels import play_blocks as play_blocks, seed_block as seed_block
from veil.engine.lanes.playouts import (
    SPLIT as SPLIT,
    Playouts as Playouts,
    PlayoutTally as PlayoutTally,
    empty_tally as empty_tally,
)
from veil.engine.lanes.preparation import Stopwatch as Stopwatch
from veil.engine.lanes.raw_memory import array_at as array_at
from veil.engine.lanes.regret_kernels import match_regrets as match_regrets, mix_regrets as mix_regrets
from veil.engine.lanes.row_kernels import judge_rows as judge_rows, step_rows as step_rows
