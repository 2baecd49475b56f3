"""Evaluation of the rules themselves, state by state, without grounding: slow, small, and independent of clingo.

Relations that depend neither on the state nor on moves are computed once, the others for every question. Large
relations are computed only where they are asked for (`demand`): a rule about one list of 25 elements need not list all
lists.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Mapping

from veil.engine.datalog.demand import restrict_for_state
from veil.engine.datalog.fixpoint import (
    MAX_FIXED_ROWS,
    Component,
    Relations,
    compile_components,
    complete_fixed_relations,
    compute_fixed_relations,
    fill_or_fail,
    shorten,
)
from veil.engine.datalog.relation import Relation
from veil.engine.datalog.sizes import Sizes
from veil.engine.reasoner import Fluents, Judgement
from veil.errors import VeilError, fail
from veil.lang import Rules
from veil.vocabulary import GIVEN, Signature, Term, find_goal_fault, goal_value, show

MAX_ROWS = 3_000_000  # of one relation in one state; more means terms that grow without end
EXPENSIVE = 20_000.0  # rows of a join; above, only what is asked for is computed
JUDGED: tuple[Signature, ...] = (("legal", 2), ("terminal", 0), ("goal", 2))
STEPPED: tuple[Signature, ...] = (("next", 1), ("sees", 2))


class RuleReasoner:
    """Evaluator of states by the rules. A state is a set of fluents."""

    kind = "interpreter"

    def __init__(self, rules: Rules, max_rows: int = MAX_ROWS) -> None:
        """Take rules; questions about states in which a relation has more than `max_rows` rows are refused."""
        errors = [doubt for doubt in rules.doubts if doubt.code == "unstratified"]
        if errors:
            raise VeilError(*errors)
        self.rules, self._max_rows = rules, max_rows
        short = shorten(rules.rule_set)
        fixed = compute_fixed_relations(short, MAX_FIXED_ROWS)
        sizes = Sizes(short, fixed)
        restricted = restrict_for_state(
            short, lambda rule: rule.signature not in fixed and sizes.join(rule.body) > EXPENSIVE
        )
        graph = restricted.dependencies
        moving = graph.dependents(GIVEN)
        self._fixed = complete_fixed_relations(restricted, fixed, max_rows)
        judged, stepped = graph.reachable(JUDGED), graph.reachable(STEPPED)
        self._to_judge, self._to_step = list[Component](), list[Component]()
        for component in compile_components(restricted, moving, self._fixed):
            if judged.intersection(component.predicates):
                self._to_judge.append(component)
            if stepped.intersection(component.predicates):
                self._to_step.append(component)
        known = dict.fromkeys([*graph.component, *JUDGED, *STEPPED])
        self._changing = [predicate for predicate in known if predicate not in self._fixed]

    def initial(self) -> Fluents:
        return frozenset(row[0] for row in self._fixed.get(("init", 1), Relation()).rows)

    def judge(self, state: Fluents) -> Judgement:
        relations = self._run(self._to_judge, state, {})
        legal = self._by_role(relations[("legal", 2)])
        values = self._by_role(relations[("goal", 2)])
        goals = {role: tuple(sorted({self._goal(term) for term in terms})) for role, terms in values.items()}
        return Judgement(legal, bool(relations[("terminal", 0)].rows), goals)

    def step(self, state: Fluents, joint_move: Mapping[Term, Term]) -> tuple[Fluents, dict[Term, tuple[Term, ...]]]:
        relations = self._run(self._to_step, state, joint_move)
        return frozenset(row[0] for row in relations[("next", 1)].rows), self._by_role(relations[("sees", 2)])

    def _goal(self, value: Term) -> int:
        number = goal_value(value)
        if number is None:
            raise fail(find_goal_fault(value), self.rules.goal_place(), value=self.rules.show(value))
        return number

    def _by_role(self, relation: Relation) -> dict[Term, tuple[Term, ...]]:
        """Return the second arguments by role, sorted as they print."""
        by_role: dict[Term, list[Term]] = {role: [] for role in self.rules.roles}
        for role, term in relation.rows:
            if role in by_role:
                by_role[role].append(term)
        return {role: tuple(sorted(terms, key=show)) for role, terms in by_role.items()}

    def _run(self, components: list[Component], state: Iterable[Term], joint_move: Mapping[Term, Term]) -> Relations:
        """Return all relations in a state, filled by these components."""
        changing = {predicate: Relation() for predicate in self._changing}
        changing["true", 1] = Relation((fluent,) for fluent in state)
        changing["does", 2] = Relation(joint_move.items())
        relations: Relations = ChainMap(changing, self._fixed)
        for component in components:
            fill_or_fail(component, relations, self._max_rows)
        return relations
