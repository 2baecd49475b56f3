"""Translation of effects into `next`.

An action depends on the state before it, and all its effects happen together. An atom that is both deleted and added is
true afterwards. Increases of one fluent add up: if an action can increase a fluent in several ways at once, the sum is
computed step by step.
"""

from __future__ import annotations

from veil.lang.pogddl.conditions import bind, bind_atom, bind_expression
from veil.lang.pogddl.moves import Moves
from veil.lang.pogddl.numbers import Values, find_fluents
from veil.lang.pogddl.statements import Key, deny, make
from veil.lang.pogddl.syntax import ActionSchema, AtomChange, AtomForm, Conditional, NumberChange
from veil.lang.pogddl.world import show_number
from veil.lang.tree import Node

RecordStep = tuple[str, Values]  # a relation of a fluent's arguments and an amount; the amounts


class Effects:
    """Writer of what actions change."""

    def __init__(self, moves: Moves) -> None:
        self.moves, self.conditions = moves, moves.conditions
        self.statements, self.numbers = self.conditions.statements, self.conditions.numbers
        self.deleted: set[Key] = set()
        self.assigned: set[Key] = set()
        self.growths: dict[Key, list[RecordStep]] = {}

    def write(self, actions: tuple[ActionSchema, ...]) -> None:
        """Write the changes of all actions, and what stays as it is."""
        for action in actions:
            for effect in action.effects:
                if isinstance(effect.change, AtomChange):
                    self._write_atom(action, effect, effect.change)
            self._write_numbers(action)
        for key in sorted(self.statements.changed & self.statements.possible):
            self._keep_atoms(key)
        arities = {(name, len(args)) for name, *args in self.numbers.ranges if name in self.numbers.changing}
        for key in sorted(arities):
            self._keep_numbers(key)

    # Atoms

    def _write_atom(self, action: ActionSchema, effect: Conditional, change: AtomChange) -> None:
        body = self.moves.happens(action, effect, change.atom.args)
        if body is None or change.atom.key not in self.statements.possible:
            return
        atom, at = change.atom, effect.offset
        if change.adds:
            self.statements.add_rule(make("next", make(atom.name, *atom.args, at=at), at=at), body, action.variables)
        else:
            self.deleted.add(atom.key)
            self.statements.add_rule(make(f"deletes {atom.name}", *atom.args, at=at), body, action.variables)

    def _keep_atoms(self, key: Key) -> None:
        """Write that an atom stays true if nothing deletes it."""
        name, arity = key
        args = [f"? x{i}" for i in range(arity)]
        body = [make("true", make(name, *args, at=0), at=0)]
        if key in self.deleted:
            body.append(deny(make(f"deletes {name}", *args, at=0)))
        self.statements.add_rule(make("next", make(name, *args, at=0), at=0), body)

    # Numbers

    def _write_numbers(self, action: ActionSchema) -> None:
        increases: dict[Key, list[Conditional]] = {}
        for effect in action.effects:
            if isinstance(effect.change, NumberChange):
                if effect.change.assigns:
                    self._write_assignment(action, effect, effect.change)
                else:
                    increases.setdefault(effect.change.fluent.key, []).extend(self._write_out(effect, effect.change))
        for key, effects in increases.items():
            steps = [step for effect in effects if (step := self._write_increase(action, effect)) is not None]
            if steps:
                self.growths.setdefault(key, []).append(self._add_up(key, steps))

    def _happens(self, action: ActionSchema, effect: Conditional, change: NumberChange) -> list[Node] | None:
        """Return the conditions under which a fluent changes; None if it never does."""
        amounts = (arg for fluent in find_fluents(change.amount) for arg in fluent.args)
        return self.moves.happens(action, effect, (*change.fluent.args, *amounts))

    def _write_out(self, effect: Conditional, change: NumberChange) -> list[Conditional]:
        """Return one increase per fluent: `forall` is written out if several objects increase the same fluent."""
        inner = tuple(name for name in effect.variables if name not in change.fluent.args)
        if not inner:
            return [effect]
        copies = []
        for binding in self.statements.world.bindings(self.statements.kinds, inner, effect.offset):
            amount = bind_expression(change.amount, binding)
            copies.append(
                effect._replace(
                    variables=tuple(name for name in effect.variables if name not in inner),
                    conditions=tuple(bind(condition, binding) for condition in effect.conditions),
                    change=change._replace(fluent=bind_atom(change.fluent, binding), amount=amount),
                )
            )
        return copies

    def _write_assignment(self, action: ActionSchema, effect: Conditional, change: NumberChange) -> None:
        body, valued = self._happens(action, effect, change), self.numbers.express(change.amount)
        if body is None or valued is None:
            return
        fluent, at = change.fluent, effect.offset
        body += valued.conditions
        value = make("=", make(fluent.name, *fluent.args, at=at), valued.word, at=at)
        self.statements.add_rule(make("next", value, at=at), body, action.variables)
        self.statements.add_rule(make(f"assigns {fluent.name}", *fluent.args, at=at), body, action.variables)
        self.assigned.add(fluent.key)

    def _write_increase(self, action: ActionSchema, effect: Conditional) -> RecordStep | None:
        assert isinstance(effect.change, NumberChange)
        body, valued = self._happens(action, effect, effect.change), self.numbers.express(effect.change.amount)
        if body is None or valued is None:
            return None
        fluent, name = effect.change.fluent, self.statements.name(f"adds to {effect.change.fluent.name}")
        head = make(name, *fluent.args, valued.word, at=effect.offset)
        self.statements.add_rule(head, [*body, *valued.conditions], action.variables)
        return name, valued.values

    def _add_up(self, key: Key, steps: list[RecordStep]) -> RecordStep:
        """Write the sum of all increases of one action: the sum of the first ones, plus the next if it adds any."""
        (total, values), *others = steps
        args = [f"? x{i}" for i in range(key[1])]
        for name, amounts in others:
            result, touched, added = (self.statements.name(word) for word in ("sum", "touched", "added"))
            rest, amount = make(total, *args, "? s", at=0), make(name, *args, "? d", at=0)
            self.statements.add_rule(make(touched, *args, at=0), [rest])
            self.statements.add_rule(make(added, *args, at=0), [amount])
            self.statements.add_rule(
                make(result, *args, "? t", at=0), [rest, amount, self._sum("? s", "? d", "? t", values, amounts)]
            )
            self.statements.add_rule(make(result, *args, "? s", at=0), [rest, deny(make(added, *args, at=0))])
            self.statements.add_rule(make(result, *args, "? d", at=0), [amount, deny(make(touched, *args, at=0))])
            values = values | amounts | {a + b for a in values for b in amounts}
            total = result
        return total, values

    def _sum(self, left: str, right: str, result: str, lefts: Values, rights: Values) -> Node:
        """Return the condition that two values have a sum, and write the rows of its table."""
        for a in lefts:
            for b in rights:
                self.numbers.add_sum("+", a, b, a + b)
        return make("number +", left, right, result, at=0)

    def _keep_numbers(self, key: Key) -> None:
        """Write that a fluent grows by what is added, stays if nothing is, and starts with its value."""
        name, arity = key
        args = [f"? x{i}" for i in range(arity)]
        fluent = AtomForm(name, tuple(args), 0)
        before = self.numbers.value_of(fluent, "? v")
        values, unchanged = self.numbers.values_of(fluent), [before]
        for growth, amounts in self.growths.get(key, []):
            self._add_rows(values, amounts)
            added = make(growth, *args, "? d", at=0)
            after = make("=", make(name, *args, at=0), "? w", at=0)
            table = make("number +", "? v", "? d", "? w", at=0)
            self.statements.add_rule(make("next", after, at=0), [before, added, table])
            grows = self.statements.name("grows")
            self.statements.add_rule(make(grows, *args, at=0), [added])
            unchanged.append(deny(make(grows, *args, at=0)))
        if key in self.assigned:
            unchanged.append(deny(make(f"assigns {name}", *args, at=0)))
        same = make("=", make(name, *args, at=0), "? v", at=0)
        self.statements.add_rule(make("next", same, at=0), unchanged)
        for ground, value in self.statements.world.numbers.items():
            if ground[0] == name and len(ground) == arity + 1:
                start = make("=", make(name, *ground[1:], at=0), show_number(value), at=0)
                self.statements.nodes.append(make("init", start, at=0))

    def _add_rows(self, values: Values, amounts: Values) -> None:
        """Write the sums that stay among the values of a fluent."""
        for value in values:
            for amount in amounts:
                if value + amount in values:
                    self.numbers.add_sum("+", value, amount, value + amount)
