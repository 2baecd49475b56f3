"""`Rules` -> a game that can be asked and played, one state at a time in words or many at once in lanes.

This room is the border between logic and numbers: nothing above it knows about rules. Three rooms do the work:

- `datalog`: the rules evaluated as they stand, for games that cannot be ground, and what grounding needs to know;
- `grounding`: rules -> `GroundProgram`, numbered atoms and ground rules in flat arrays;
- `lanes`: `GroundProgram` -> `Machine`, native code that steps many worlds at once.

On top of them: `game` (`Game` and `State`, in words), `loading` (from a name, a path or a text), `names` (numbers to
words and back), `record` and `replay` (what roles are told), `chance` (how `random` plays), `simulation` and
`playability` (random games), `random_games`, `exclusion` and `silent_rules` (what they show to a designer).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.engine.chance import (
        draw_rows_uniformly as draw_rows_uniformly,
        draw_uniformly as draw_uniformly,
        uniform_log_probability as uniform_log_probability,
        uniform_probabilities as uniform_probabilities,
    )
    from veil.engine.exclusion import Exclusion as Exclusion, watch_exclusion as watch_exclusion
    from veil.engine.game import Game as Game, State as State
    from veil.engine.grounding import GroundLimits as GroundLimits, GroundProgram as GroundProgram
    from veil.engine.lanes import (
        FLUENTS as FLUENTS,
        GOALS as GOALS,
        LANES as LANES,
        LEGAL as LEGAL,
        MAX_CANDIDATES as MAX_CANDIDATES,
        MOVES as MOVES,
        NEXT as NEXT,
        PERCEPTS as PERCEPTS,
        SPLIT as SPLIT,
        START_KEY as START_KEY,
        TERMINAL as TERMINAL,
        Code as Code,
        Int as Int,
        Judged as Judged,
        Machine as Machine,
        PlayoutTally as PlayoutTally,
        Stopwatch as Stopwatch,
        Wiring as Wiring,
        address as address,
        advance_block as advance_block,
        array_at as array_at,
        borrowing as borrowing,
        call_address as call_address,
        change_starts as change_starts,
        count_bits as count_bits,
        empty_tally as empty_tally,
        extend_key as extend_key,
        extend_keys as extend_keys,
        find_choices as find_choices,
        inlined as inlined,
        intrinsic as intrinsic,
        judge_block as judge_block,
        judge_rows as judge_rows,
        kernel as kernel,
        list_joint_moves as list_joint_moves,
        lowest_bit as lowest_bit,
        mix_word as mix_word,
        new_values as new_values,
        open_block as open_block,
        percept_keys as percept_keys,
        play_blocks as play_blocks,
        prefetch_rows as prefetch_rows,
        put_moves as put_moves,
        read_goals as read_goals,
        read_legal as read_legal,
        read_only_moves as read_only_moves,
        read_percepts as read_percepts,
        row_key as row_key,
        seed_block as seed_block,
        split_mix as split_mix,
        start_keys as start_keys,
        step_block as step_block,
        step_rows as step_rows,
        unpack as unpack,
        wire_circuit as wire_circuit,
    )
    from veil.engine.loading import as_game as as_game, load as load, read_game as read_game
    from veil.engine.names import Names as Names
    from veil.engine.playability import (
        Soundness as Soundness,
        find_flaws as find_flaws,
        judge_soundness as judge_soundness,
    )
    from veil.engine.random_games import RandomTally as RandomTally, tally_random_games as tally_random_games
    from veil.engine.record import (
        EMPTY_RECORD as EMPTY_RECORD,
        EncodedObservation as EncodedObservation,
        Record as Record,
        bad_record as bad_record,
        encode as encode,
        parse_record as parse_record,
        read_record as read_record,
        round_in_words as round_in_words,
        unexplained as unexplained,
    )
    from veil.engine.replay import (
        ReplayedRound as ReplayedRound,
        grow_keys as grow_keys,
        observe_history as observe_history,
        record_of as record_of,
        replay_histories as replay_histories,
        replay_keys as replay_keys,
        root_keys as root_keys,
    )
    from veil.engine.rules_text import (
        has_percepts as has_percepts,
        open_moves as open_moves,
        write_statements as write_statements,
    )
    from veil.engine.silent_rules import find_silent_rules as find_silent_rules, place_of_rule as place_of_rule
    from veil.engine.simulation import Simulation as Simulation, simulate as simulate
    from veil.engine.turn_markers import IdleMarker as IdleMarker, find_idle_markers as find_idle_markers
    from veil.engine.warm import tiny_game as tiny_game, warm_up as warm_up
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "chance": "draw_rows_uniformly draw_uniformly uniform_log_probability uniform_probabilities",
            "exclusion": "Exclusion watch_exclusion",
            "game": "Game State",
            "grounding": "GroundLimits GroundProgram",
            "lanes": "Code FLUENTS GOALS Int Judged LANES LEGAL MAX_CANDIDATES MOVES Machine NEXT PERCEPTS "
            "PlayoutTally SPLIT START_KEY Stopwatch TERMINAL Wiring address advance_block array_at borrowing "
            "call_address change_starts count_bits empty_tally extend_key extend_keys find_choices inlined intrinsic "
            "judge_block judge_rows kernel list_joint_moves lowest_bit mix_word new_values open_block percept_keys "
            "play_blocks prefetch_rows put_moves read_goals read_legal read_only_moves read_percepts row_key "
            "seed_block split_mix start_keys step_block step_rows unpack wire_circuit",
            "loading": "as_game load read_game",
            "names": "Names",
            "playability": "Soundness find_flaws judge_soundness",
            "random_games": "RandomTally tally_random_games",
            "record": "EMPTY_RECORD EncodedObservation Record bad_record encode parse_record read_record "
            "round_in_words unexplained",
            "replay": "ReplayedRound grow_keys observe_history record_of replay_histories replay_keys root_keys",
            "rules_text": "has_percepts open_moves write_statements",
            "silent_rules": "find_silent_rules place_of_rule",
            "simulation": "Simulation simulate",
            "turn_markers": "IdleMarker find_idle_markers",
            "warm": "tiny_game warm_up",
        },
    )
