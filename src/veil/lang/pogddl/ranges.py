"""The values that a numeric fluent can have, found by playing the game on projections of its states.

1. A fluent that no action changes has the value it starts with.
2. For each other fluent, all states of a smaller game are explored, in which a state is the value of that fluent and
   some of the atoms (`projection`). Every play of the game is a play of the projection, so no value is missed. Values
   of other fluents that an amount depends on are those found so far; all is repeated until nothing new is found.
3. The first projection has no atoms. If actions could then change the fluent for ever, one more predicate is added: of
   those that these actions ask for, the one with the fewest atoms. If the game stops counting because of a phase, a
   turn or a place on a track, the exploration ends as soon as these predicates are added.
4. If no small projection ends: a fluent that nothing reads is left out of the game; a counter is bounded by what its
   increases use up (`consumption`); and larger projections are tried.

A fluent for which nothing ends within the limits is refused.
"""

from __future__ import annotations

from math import prod

from veil.errors import VeilError, fail, problem
from veil.lang.depends import reachable
from veil.lang.pogddl.conditions import find_atoms, find_comparisons
from veil.lang.pogddl.consumption import bound_counter
from veil.lang.pogddl.kleene import Projected
from veil.lang.pogddl.numbers import Ranges, Values, find_fluents
from veil.lang.pogddl.projection import ExploreLimits, explore
from veil.lang.pogddl.statements import Key
from veil.lang.pogddl.syntax import (
    ActionSchema,
    AtomChange,
    AtomForm,
    Expression,
    Formula,
    GameForms,
    GroundFluent,
    NumberChange,
    list_changes,
)
from veil.lang.pogddl.world import World

MAX_PASSES = 50
FEW_STATES = 2_000  # of a small projection


def find_ranges(world: World, forms: GameForms) -> tuple[GameForms, Ranges, set[str]]:
    """Return all values of every fluent that can have one, and the names of the fluents that change.

    The forms come back without the fluents that are left out.
    """
    changes = _list_changes(world, forms)
    _warn_unset(world, changes)
    ranges: Ranges = {ground: frozenset([value]) for ground, value in world.numbers.items()}
    ranges |= {ground: frozenset() for ground in changes if ground not in ranges}
    finder = RangeFinder(world, forms, ranges)
    read = find_read(forms)
    for _ in range(MAX_PASSES):
        before = dict(ranges)
        for ground in list(changes):
            values = finder.find(ground, is_read=ground[0] in read)
            if values is None and ground[0] not in read:
                return find_ranges(world, _leave_out(world, forms, changes[ground].fluent))
            if values is None:
                raise _unbounded(world, changes[ground].fluent, ground)
            ranges[ground] |= values
        if all(ranges[ground] == before[ground] for ground in changes if ground[0] in finder.asked):
            found = {ground: values for ground, values in ranges.items() if values}
            return forms, found, {name for name, *_ in changes}
    ground, change = next(iter(changes.items()))
    raise _unbounded(world, change.fluent, ground)


class RangeFinder:
    """Finder of the values of single fluents, with the projection that ended last for each. `ranges` grows outside."""

    def __init__(self, world: World, forms: GameForms, ranges: Ranges) -> None:
        self.world, self.forms, self.ranges = world, forms, ranges
        self.sizes, self.asked = measure_predicates(world, forms), _find_asked(forms)
        self.views: dict[GroundFluent, Projected] = {}
        self.hopeless: set[GroundFluent] = set()  # no small projection ends for these

    def find(self, ground: GroundFluent, is_read: bool) -> Values | None:
        """Return the values of a fluent; None if no end was found. For one that nothing reads, little is tried."""
        values = None if ground in self.hopeless else self._refine(ground, ExploreLimits(states=FEW_STATES))
        if values is None:
            self.hopeless.add(ground)
        if values is None and is_read:
            bounds = bound_counter(self.world, self.forms, self.ranges, ground)
            if bounds is not None:
                limits = ExploreLimits(bounds=bounds)
                values = explore(self.world, self.forms, self.ranges, Projected(ground, frozenset()), limits).values
        return self._refine(ground, ExploreLimits()) if values is None and is_read else values

    def _refine(self, ground: GroundFluent, limits: ExploreLimits) -> Values | None:
        """Add predicates until the exploration ends; return None if there are no more, or if it grows too large."""
        view = self.views.get(ground, Projected(ground, frozenset()))
        while True:
            explored = explore(self.world, self.forms, self.ranges, view, limits)
            if explored.values is not None:
                self.views[ground] = view
                return explored.values
            added = _choose_predicate(self.forms, explored.endless, view, self.sizes)
            if added is None or (explored.is_too_large and limits.states == FEW_STATES):
                return None
            view = Projected(ground, view.predicates | {added})


def find_read(forms: GameForms) -> set[str]:
    """Return the functions that a condition or a gain reads, or an amount of another function that is read."""
    read = _find_compared(forms)
    for gain in forms.gains:
        sides = [
            side for comparison in find_comparisons(gain.condition) for side in (comparison.left, comparison.right)
        ]
        read.update(fluent.name for side in (gain.amount, *sides) for fluent in find_fluents(side))
    size = -1
    while size != len(read):
        size = len(read)
        for change in list_changes(forms, NumberChange):
            if change.fluent.name in read:
                read.update(fluent.name for fluent in find_fluents(change.amount))
    return read


def _leave_out(world: World, forms: GameForms, fluent: AtomForm) -> GameForms:
    """Return the forms without the changes of a function, with a note."""
    world.problems.append(problem("pogddl-unread", world.source.place(fluent.offset), name=fluent.name))
    return forms._replace(
        actions=tuple(
            action._replace(
                effects=tuple(
                    effect
                    for effect in action.effects
                    if not (isinstance(effect.change, NumberChange) and effect.change.fluent.name == fluent.name)
                )
            )
            for action in forms.actions
        )
    )


def _find_asked(forms: GameForms) -> set[str]:
    """Return the functions in conditions or amounts: only new values of these can lead to new values of others."""
    amounts = [change.amount for change in list_changes(forms, NumberChange)]
    return _find_compared(forms) | {fluent.name for amount in amounts for fluent in find_fluents(amount)}


def _find_compared(forms: GameForms) -> set[str]:
    """Return the functions in the conditions of actions and of derived predicates."""
    formulas: list[Formula] = [rule.body for rule in forms.derived]
    for action in forms.actions:
        formulas += [action.precondition, *(part for effect in action.effects for part in effect.conditions)]
    sides: list[Expression] = []
    for formula in formulas:
        for comparison in find_comparisons(formula):
            sides += [comparison.left, comparison.right]
    return {fluent.name for side in sides for fluent in find_fluents(side)}


def _choose_predicate(
    forms: GameForms, endless: tuple[ActionSchema, ...], view: Projected, sizes: dict[Key, int]
) -> Key | None:
    """Return the predicate with the fewest atoms that these actions ask for and the view does not have.

    The result is None if there is none.
    """
    below: dict[Key, list[Key]] = {}
    for rule in forms.derived:
        below.setdefault(rule.head.key, []).extend(atom.key for atom, _ in find_atoms(rule.body))
    formulas = [part for action in endless for effect in action.effects for part in effect.conditions]
    formulas += [action.precondition for action in endless]
    asked = reachable(below, (atom.key for formula in formulas for atom, _ in find_atoms(formula)))
    choices = [key for key in asked if key in sizes and key not in view.predicates]
    return min(choices, key=lambda key: (sizes[key], key), default=None)


def _list_changes(world: World, forms: GameForms) -> dict[GroundFluent, NumberChange]:
    """Return every ground fluent that an action may change, with an effect that does, an assignment if there is one."""
    found: dict[GroundFluent, NumberChange] = {}
    for action in forms.actions:
        for effect in action.effects:
            if isinstance(effect.change, NumberChange):
                args = effect.change.fluent.args
                variables = tuple(dict.fromkeys(arg for arg in args if arg.startswith("?")))
                for binding in world.bindings(forms.kinds, variables, effect.offset):
                    ground = (effect.change.fluent.name, *(binding.get(arg, arg) for arg in args))
                    if ground not in found or effect.change.assigns:
                        found[ground] = effect.change
    return found


def _warn_unset(world: World, changes: dict[GroundFluent, NumberChange]) -> None:
    """Warn of fluents that are increased but never have a value; one warning for each function."""
    unset = {
        ground[0]: (change.fluent, ground)
        for ground, change in changes.items()
        if not change.assigns
        and ground not in world.numbers
        # No warning for objects that are never used with the function: `chance` has no score.
        and not any(other[0] == ground[0] for other in world.numbers)
    }
    for fluent, ground in unset.values():
        place = world.source.place(fluent.offset)
        world.problems.append(problem("pogddl-no-value", place, fluent=f"({' '.join(ground)})"))


def measure_predicates(world: World, forms: GameForms) -> dict[Key, int]:
    """Return the number of atoms of each predicate that actions change."""
    sizes: dict[Key, int] = {}
    for action in forms.actions:
        for effect in action.effects:
            if isinstance(effect.change, AtomChange):
                atom = effect.change.atom
                size = prod(len(world.members(forms.kinds[arg])) for arg in atom.args if arg.startswith("?"))
                sizes[atom.key] = max(size, sizes.get(atom.key, 0), len(world.facts.get(atom.key, ())))
    return sizes


def _unbounded(world: World, fluent: AtomForm, ground: GroundFluent) -> VeilError:
    """Return the error for a fluent whose values have no known end."""
    return fail("pogddl-unbounded", world.source.place(fluent.offset), fluent=f"({' '.join(ground)})")
