from veil.engine.chance import (
    draw_rows_uniformly as draw_rows_uniformly,
    draw_uniformly as draw_uniformly,
    uniform_log_probability as uniform_log_probability,
    uniform_probabilities as uniform_probabilities,
)
from veil.engine.game import Game as Game, State as State
from veil.engine.grounding import (
    GroundingEndedError as GroundingEndedError,
    GroundingStop as GroundingStop,
    GroundLimits as GroundLimits,
    GroundProgram as GroundProgram,
    check_stop as check_stop,
    stoppable as stoppable,
)
from veil.engine.lanes import Judged as Judged, Machine as Machine, Stopwatch as Stopwatch
from veil.engine.loader import (
    SUFFIXES as SUFFIXES,
    as_game as as_game,
    list_rules as list_rules,
    load as load,
    read_game as read_game,
)
from veil.engine.names import Names as Names
from veil.engine.precompile import tiny_game as tiny_game, warm_up as warm_up
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
from veil.engine.simulation import (
    Simulation as Simulation,
    Timetable as Timetable,
    play_in_time as play_in_time,
    simulate as simulate,
)
