from veil.engine.datalog.demand import restrict as restrict
from veil.engine.datalog.fixpoint import (
    MAX_FIXED_ROWS as MAX_FIXED_ROWS,
    compute_fixed_relations as compute_fixed_relations,
)
from veil.engine.datalog.interpreter import MAX_ROWS as MAX_ROWS, RuleReasoner as RuleReasoner
from veil.engine.datalog.sizes import Sizes as Sizes
