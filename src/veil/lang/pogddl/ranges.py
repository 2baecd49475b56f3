"""The values that a numeric fluent can have, found by playing the game on projections of its states.

1. A fluent that no action changes has the value it starts with.
2. For each other fluent, all states of a smaller game are explored, in which a state is the value of that fluent and
   some of the atoms (`projection`). Every play of the game is a play of the projection, so no value is missed. Values
   of other fluents that an amount depends on are those found so far; all is repeated until nothing new is found.
3. The first projection has no atoms. If actions could then change the fluent for ever, one more predicate is added: of
   those that these actions ask for, the one with the fewest atoms. If the game stops counting because of a phase, a
   turn or a place on a track, the exploration ends as soon as these predicates are added.

A fluent for which no projection ends within the limits is refused.
"""

from __future__ import annotations

from math import prod

from veil.errors import VeilError, fail, problem
from veil.lang.depends import reachable
from veil.lang.pogddl.conditions import find_atoms, find_comparisons
from veil.lang.pogddl.kleene import Projected
from veil.lang.pogddl.numbers import Ranges, find_fluents
from veil.lang.pogddl.projection import explore
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
)
from veil.lang.pogddl.world import World

MAX_PASSES = 50


def find_ranges(world: World, forms: GameForms) -> tuple[Ranges, set[str]]:
    """Return all values of every fluent that can have one, and the names of the fluents that change."""
    changes = _list_changes(world, forms)
    _warn_unset(world, changes)
    ranges: Ranges = {ground: frozenset([value]) for ground, value in world.numbers.items()}
    ranges |= {ground: frozenset() for ground in changes if ground not in ranges}
    views = {ground: Projected(ground, frozenset()) for ground in changes}
    sizes, asked = _measure_predicates(world, forms), _find_asked(forms)
    for _ in range(MAX_PASSES):
        before = dict(ranges)
        for ground, change in changes.items():
            while (explored := explore(world, forms, ranges, views[ground])).values is None:
                added = _choose_predicate(forms, explored.endless, views[ground], sizes)
                if added is None:
                    raise _unbounded(world, change.fluent, ground)
                views[ground] = Projected(ground, views[ground].predicates | {added})
            ranges[ground] |= explored.values
        if all(ranges[ground] == before[ground] for ground in changes if ground[0] in asked):
            found = {ground: values for ground, values in ranges.items() if values}
            return found, {name for name, *_ in changes}
    ground, change = next(iter(changes.items()))
    raise _unbounded(world, change.fluent, ground)


def _find_asked(forms: GameForms) -> set[str]:
    """Return the functions in conditions or amounts: only new values of these can lead to new values of others."""
    formulas: list[Formula] = [rule.body for rule in forms.derived]
    amounts: list[Expression] = []
    for action in forms.actions:
        formulas += [action.precondition, *(part for effect in action.effects for part in effect.conditions)]
        amounts += [effect.change.amount for effect in action.effects if isinstance(effect.change, NumberChange)]
    for formula in formulas:
        for comparison in find_comparisons(formula):
            amounts += [comparison.left, comparison.right]
    return {fluent.name for amount in amounts for fluent in find_fluents(amount)}


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


def _measure_predicates(world: World, forms: GameForms) -> dict[Key, int]:
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
