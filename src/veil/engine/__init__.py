"""`Rules` -> ground program -> answers about states; nothing above this room knows about logic.

The line: `shrink` (rules with smaller ground programs) -> `translate` and `ground` (clingo, in a process that can be
stopped) -> `assemble` (flat arrays: `GroundProgram`) -> `evaluate`; beside it `interpreter`, which needs no grounding.
`game` is the face: `load`, `Game`, `State`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.engine.game import Game as Game, State as State
    from veil.engine.grounding import GroundLimits as GroundLimits
    from veil.engine.lanes import (
        MAX_CANDIDATES as MAX_CANDIDATES,
        START_KEY as START_KEY,
        Code as Code,
        Int as Int,
        Judged as Judged,
        Machine as Machine,
        Stopwatch as Stopwatch,
        count_bits as count_bits,
        extend_keys as extend_keys,
        judge_rows as judge_rows,
        kernel as kernel,
        list_joint_moves as list_joint_moves,
        lowest_bit as lowest_bit,
        percept_keys as percept_keys,
        split_mix as split_mix,
        start_keys as start_keys,
        step_rows as step_rows,
        unpack as unpack,
    )
    from veil.engine.loading import load as load
    from veil.engine.names import Names as Names
    from veil.engine.playability import find_flaws as find_flaws
    from veil.engine.record import (
        EMPTY_RECORD as EMPTY_RECORD,
        Record as Record,
        bad_record as bad_record,
        encode as encode,
        read_record as read_record,
        record_of as record_of,
        round_in_words as round_in_words,
        unexplained as unexplained,
    )
    from veil.engine.replay import (
        EncodedObservation as EncodedObservation,
        ReplayedRound as ReplayedRound,
        grow_keys as grow_keys,
        observe_history as observe_history,
        replay_histories as replay_histories,
        replay_keys as replay_keys,
        root_keys as root_keys,
    )
    from veil.engine.simulation import Simulation as Simulation, simulate as simulate
    from veil.engine.warm import tiny_game as tiny_game, warm_up as warm_up

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "game": "Game State",
        "grounding": "GroundLimits",
        "lanes": "Code Int Judged MAX_CANDIDATES Machine START_KEY Stopwatch count_bits extend_keys judge_rows kernel "
        "list_joint_moves lowest_bit percept_keys split_mix start_keys step_rows unpack",
        "loading": "load",
        "names": "Names",
        "playability": "find_flaws",
        "record": "EMPTY_RECORD Record bad_record encode read_record record_of round_in_words unexplained",
        "replay": "EncodedObservation ReplayedRound grow_keys observe_history replay_histories replay_keys root_keys",
        "simulation": "Simulation simulate",
        "warm": "tiny_game warm_up",
    },
)
