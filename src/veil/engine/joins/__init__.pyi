from veil.engine.joins.machine import RulesMachine as RulesMachine
from veil.engine.joins.reasoner import RulesReasoner as RulesReasoner
