from veil.belief.many_records.hypergame_beliefs import HyperGameBeliefs as HyperGameBeliefs
from veil.belief.many_records.record_table import FIRST_ROOM as FIRST_ROOM, Records as Records
from veil.belief.many_records.records import (
    NUM_QUESTIONS as NUM_QUESTIONS,
    UNKNOWN as UNKNOWN,
    RecordTable as RecordTable,
    WorldPool as WorldPool,
)
from veil.belief.many_records.state_beliefs import RecordBeliefs as RecordBeliefs
from veil.belief.many_records.table_kernels import grow_record as grow_record
from veil.belief.many_records.thinning_kernels import (
    draw_by_record as draw_by_record,
    uniform_of_keys as uniform_of_keys,
)
from veil.belief.many_records.weighted_beliefs import WeightedBeliefs as WeightedBeliefs
