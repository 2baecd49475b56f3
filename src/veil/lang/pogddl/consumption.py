"""A bound on a counter by what each increase uses up for good.

A shot marks its cell, and no action removes a mark: there are at most as many shots, and as many hits, as cells. In
general, let the *places* be the numbers of true and of false atoms of each predicate, also of those with an object of
the counter in one argument. Weights w >= 0 of the places are sought such that every action lowers the weighted sum by
at least what it adds to the counter. The sum is never negative, so the counter cannot grow by more than the sum at the
start:

    minimise  sum of w[p] * start[p],  such that for every action a   sum of w[p] * change[a, p]  <=  -increase[a].

`change` is an upper bound: an addition adds one true atom, and takes a false one away if the precondition asks for it
to be false; a deletion adds one false atom, and takes a true one away if the precondition asks for it. The linear
program is solved in floating point; its weights are rounded to fractions and checked exactly.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from veil.lang.pogddl.kleene import Binding, Kleene, Projected
from veil.lang.pogddl.numbers import Ranges
from veil.lang.pogddl.statements import Key
from veil.lang.pogddl.syntax import (
    ActionSchema,
    AllOf,
    AtomChange,
    AtomTest,
    Conditional,
    Formula,
    GameForms,
    GroundFluent,
    NumberChange,
    list_changes,
)
from veil.lang.pogddl.world import World

MAX_DENOMINATOR = 1_000  # of a weight


class TokenPlace(NamedTuple):
    """The number of true or of false atoms of a predicate, perhaps of those with an object in one argument only."""

    key: Key
    truth: bool
    position: int | None = None
    value: str = ""

    def holds(self, args: tuple[str, ...]) -> bool:
        """Return whether an atom with these arguments is counted."""
        return self.position is None or args[self.position] == self.value


class Consumption:
    """The places of one counter, and the changes of every action to them."""

    def __init__(self, world: World, forms: GameForms, ranges: Ranges, counter: GroundFluent) -> None:
        self.world, self.forms, self.counter = world, forms, counter
        self.kleene = Kleene(world, forms, ranges, Projected(("",), frozenset()))
        self.atoms = self._list_atoms()
        self.places = self._list_places()

    def _list_atoms(self) -> dict[Key, list[tuple[str, ...]]]:
        """Return for each predicate that an action adds to the objects of each argument that it may add."""
        objects: dict[Key, list[tuple[str, ...]]] = {}
        for change in list_changes(self.forms, AtomChange):
            if change.adds:
                args = [
                    self.world.members(self.forms.kinds[arg]) if arg.startswith("?") else (arg,)
                    for arg in change.atom.args
                ]
                known = objects.get(change.atom.key, [()] * len(args))
                objects[change.atom.key] = [
                    tuple(dict.fromkeys(old + new)) for old, new in zip(known, args, strict=True)
                ]
        return objects

    def _list_places(self) -> list[TokenPlace]:
        keys = dict.fromkeys(change.atom.key for change in list_changes(self.forms, AtomChange))
        places = []
        for key, truth in product(keys, (True, False)):
            places.append(TokenPlace(key, truth))
            for position, value in product(range(key[1]), dict.fromkeys(self.counter[1:])):
                places.append(TokenPlace(key, truth, position, value))
        return places

    def count_start(self, place: TokenPlace) -> int:
        """Return the number of atoms of a place at the start. Only atoms that can be added count as false."""
        facts = [args for args in self.world.facts.get(place.key, {}) if place.holds(args)]
        if place.truth:
            return len(facts)
        objects = self.atoms.get(place.key)
        if objects is None:
            return 0
        counted = [
            [value for value in values if position != place.position or value == place.value]
            for position, values in enumerate(objects)
        ]
        inside = sum(all(arg in values for arg, values in zip(args, counted, strict=True)) for args in facts)
        return prod(map(len, counted)) - inside

    def list_steps(self, sign: int) -> list[tuple[list[int], Fraction]]:
        """Return for every action, with objects for the parameters that matter, the changes and the increase.

        `sign` is 1 for increases of the counter, and -1 for decreases. Equal steps are listed once.
        """
        steps: dict[tuple[tuple[int, ...], Fraction], None] = {}
        for action in self.forms.actions:
            for binding in self._bind(action):
                changes = tuple(self._change(action, binding, place) for place in self.places)
                steps[changes, self._increase(action, binding, sign)] = None
        return [(list(changes), increase) for changes, increase in steps]

    def _bind(self, action: ActionSchema) -> list[Binding]:
        """Return the ways to give objects to the parameters that can be objects of the counter."""
        kinds, objects = self.forms.kinds, set(self.counter[1:])
        names = tuple(name for name in action.variables if objects.intersection(self.world.members(kinds[name])))
        bindings = self.world.bindings(kinds, names, action.offset)
        return [each for each in bindings if self.kleene.holds(action.precondition, each, None) is not False]

    def _increase(self, action: ActionSchema, binding: Binding, sign: int) -> Fraction:
        """Return the most that an action adds to the counter (or takes from it)."""
        total = Fraction(0)
        for effect in action.effects:
            change = effect.change
            if not isinstance(change, NumberChange) or change.fluent.name != self.counter[0]:
                continue
            args = tuple(binding.get(arg, arg) for arg in change.fluent.args)
            if all(arg in (value, *effect.variables) for arg, value in zip(args, self.counter[1:], strict=True)):
                amounts = self.kleene.values(change.amount, binding, None)
                most = max((sign * amount for amount in amounts), default=Fraction(0))
                total += max(most, Fraction(0)) * self._repeat(effect)
        return total

    def _repeat(self, effect: Conditional) -> int:
        return self.world.count_bindings(self.forms.kinds, effect.variables)

    def _change(self, action: ActionSchema, binding: Binding, place: TokenPlace) -> int:
        """Return an upper bound on what an action adds to a place."""
        asked = {truth: _asked(action.precondition, place.key, truth) for truth in (True, False)}
        raised, taken = 0, False
        for effect in action.effects:
            change = effect.change
            if not isinstance(change, AtomChange) or change.atom.key != place.key:
                continue
            args = change.atom.args
            may_count = place.position is None or _may_be(args[place.position], place.value, binding, effect)
            if not may_count:
                continue
            if change.adds == place.truth:
                raised += 0 if args in asked[place.truth] and not effect.variables else self._repeat(effect)
            elif args in asked[place.truth] and not effect.conditions and not effect.variables:
                taken = True  # once: another change may be of the same atom
        stays = any(
            isinstance(effect.change, AtomChange)
            and effect.change.adds == place.truth
            and effect.change.atom.key == place.key
            and effect.change.atom.args in asked[place.truth]
            for effect in action.effects
        )
        return raised - (1 if taken and not stays else 0)


def _may_be(arg: str, value: str, binding: Binding, effect: Conditional) -> bool:
    """Return whether an argument can be an object; parameters that can be one have objects."""
    bound = binding.get(arg, arg)
    return bound == value or bound in effect.variables


def _asked(formula: Formula, key: Key, truth: bool) -> set[tuple[str, ...]]:
    """Return the arguments of atoms of a predicate that a precondition asks to be true, or to be false."""
    if isinstance(formula, AllOf):
        return set[tuple[str, ...]]().union(*(_asked(part, key, truth) for part in formula.parts))
    if isinstance(formula, AtomTest) and formula.positive == truth and formula.atom.key == key:
        return {formula.atom.args}
    return set()


def bound_counter(
    world: World, forms: GameForms, ranges: Ranges, counter: GroundFluent
) -> tuple[Fraction, Fraction] | None:
    """Return the lowest and the highest value that a counter can have; None if no bound was found."""
    start = world.numbers.get(counter)
    changes = [change for change in list_changes(forms, NumberChange) if change.fluent.name == counter[0]]
    if start is None or any(change.assigns for change in changes):
        return None
    found = Consumption(world, forms, ranges, counter)
    least, most = _bound(found, -1), _bound(found, 1)
    return None if least is None or most is None else (start - least, start + most)


def _bound(found: Consumption, sign: int) -> Fraction | None:
    """Return the most that a counter can grow (or fall) in all; None if the linear program has no solution."""
    from scipy.optimize import linprog  # slow to import, and few games need it

    steps = found.list_steps(sign)
    starts = [found.count_start(place) for place in found.places]
    if not any(increase for _, increase in steps):
        return Fraction(0)
    if not found.places:
        return None
    solved = linprog(
        starts, A_ub=[changes for changes, _ in steps], b_ub=[-float(increase) for _, increase in steps], method="highs"
    )
    if solved.x is None:
        return None
    weights = [Fraction(float(weight)).limit_denominator(MAX_DENOMINATOR) for weight in solved.x]
    for changes, increase in steps:
        if sum(weight * change for weight, change in zip(weights, changes, strict=True)) > -increase:
            return None
    return sum((weight * count for weight, count in zip(weights, starts, strict=True)), Fraction(0))
