"""Which values can a numeric fluent have? Found by playing the game on projections of its states.

1. A fluent that no action changes has the value it starts with.
2. For each other fluent, all states are explored of a smaller game in which a state is the value of that fluent and
   some of the atoms (`projection`). Every play of the game is a play of the projection, so no value is missed. Values
   of other fluents that an amount depends on are those found so far; all is repeated until nothing new is found.
3. First no atoms are looked at, then more and more, the predicates with the fewest atoms first: where the game stops
   counting because of a phase, a turn or a place on a track, the exploration ends as soon as these are looked at.

A fluent for which no projection ends within the limits is refused.
"""

from __future__ import annotations

from math import prod

from veil.errors import VeilError, fail, problem
from veil.lang.pogddl.kleene import View
from veil.lang.pogddl.numbers import Ranges
from veil.lang.pogddl.projection import explore
from veil.lang.pogddl.statements import Key
from veil.lang.pogddl.syntax import AtomChange, AtomForm, GameForms, GroundFluent, NumberChange
from veil.lang.pogddl.world import World

MAX_PASSES = 50


def find_ranges(world: World, forms: GameForms) -> tuple[Ranges, set[str]]:
    """All values of every fluent that can have one, and the names of the fluents that change."""
    changes = _list_changes(world, forms)
    _warn_unset(world, changes)
    ranges: Ranges = {ground: frozenset([value]) for ground, value in world.numbers.items()}
    ranges |= {ground: frozenset() for ground in changes if ground not in ranges}
    order = _order_predicates(world, forms)
    depth = dict.fromkeys(changes, 0)  # how many predicates are looked at
    for _ in range(MAX_PASSES):
        before = dict(ranges)
        for ground, change in changes.items():
            while (values := explore(world, forms, ranges, View(ground, frozenset(order[: depth[ground]])))) is None:
                depth[ground] += 1
                if depth[ground] > len(order):
                    raise _unbounded(world, change.fluent, ground)
            ranges[ground] = values | ranges[ground]
        if ranges == before:
            found = {ground: values for ground, values in ranges.items() if values}
            return found, {name for name, *_ in changes}
    ground, change = next(iter(changes.items()))
    raise _unbounded(world, change.fluent, ground)


def _list_changes(world: World, forms: GameForms) -> dict[GroundFluent, NumberChange]:
    """Every ground fluent that an action may change, with an effect that does, an assignment if there is one."""
    found: dict[GroundFluent, NumberChange] = {}
    for action in forms.actions:
        for effect in action.effects:
            if isinstance(effect.change, NumberChange):
                args = effect.change.fluent.args
                variables = tuple(dict.fromkeys(arg for arg in args if arg.startswith("?")))
                for binding in world.bindings(forms.kinds, variables):
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
        # Objects that no such fluent is ever used with are no slip: `chance` has no score.
        and not any(other[0] == ground[0] for other in world.numbers)
    }
    for fluent, ground in unset.values():
        place = world.source.place(fluent.offset)
        world.problems.append(problem("pogddl-no-value", place, fluent=f"({' '.join(ground)})"))


def _order_predicates(world: World, forms: GameForms) -> list[Key]:
    """The predicates that actions change, those with the fewest atoms first."""
    sizes: dict[Key, int] = {}
    for action in forms.actions:
        for effect in action.effects:
            if isinstance(effect.change, AtomChange):
                atom = effect.change.atom
                size = prod(len(world.members(forms.kinds[arg])) for arg in atom.args if arg.startswith("?"))
                sizes[atom.key] = max(size, sizes.get(atom.key, 0), len(world.facts.get(atom.key, ())))
    return sorted(sizes, key=lambda key: (sizes[key], key))


def _unbounded(world: World, fluent: AtomForm, ground: GroundFluent) -> VeilError:
    """The refusal of a fluent whose values have no end that could be found."""
    return fail("pogddl-unbounded", world.source.place(fluent.offset), fluent=f"({' '.join(ground)})")
