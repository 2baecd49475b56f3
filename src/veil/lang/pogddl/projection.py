"""A game reduced to one numeric fluent and the atoms of some predicates, explored to the end.

A state is the true atoms of these predicates and a value of the fluent. Conditions are evaluated in Kleene logic: all
other atoms are unknown. An action may be played unless its precondition is false. Effects with an unknown condition may
happen or not, those with the same condition together. Only those variables of an action get objects that matter for the
view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from veil.lang.depends import components
from veil.lang.pogddl.conditions import find_atoms, find_comparisons
from veil.lang.pogddl.kleene import Atoms, Binding, Kleene, Projected, Situation, Truth
from veil.lang.pogddl.numbers import Ranges, Values, find_fluents
from veil.lang.pogddl.syntax import (
    ActionSchema,
    AllOf,
    AtomChange,
    Comparison,
    Conditional,
    Formula,
    GameForms,
    NumberChange,
    list_required,
)
from veil.lang.pogddl.world import World

MAX_VALUES = 4_000  # of the fluent
MAX_OPEN = 10  # number of unknown conditions at once that change atoms


class ExploreLimits(NamedTuple):
    """The limits of one exploration."""

    states: int = 20_000  # sets of atoms
    most: Fraction | None = None  # a value above this ends the exploration
    bounds: tuple[Fraction, Fraction] | None = None  # no play has a value outside; it is known from elsewhere


class TooManyStatesError(Exception):
    """A projection that does not end within the limits; `actions` are those that led beyond, if they are known."""

    def __init__(self, *actions: ActionSchema) -> None:
        super().__init__()
        self.actions = actions


class EffectGroup(NamedTuple):
    """Effects under the same conditions, with objects for their variables."""

    conditions: tuple[Formula, ...]
    binding: Binding
    atoms: list[tuple[tuple[str, ...], bool]]  # with whether they are added
    numbers: list[NumberChange]


class ProjectedAction(NamedTuple):
    """An action with objects for the variables that matter."""

    action: ActionSchema
    binding: Binding
    groups: list[EffectGroup]
    is_guarded: bool  # a condition or an amount depends on the value


class ProjectedStep(NamedTuple):
    """A result of an action: the atoms, and how the value changes."""

    instance: ProjectedAction
    atoms: Atoms
    growth: Values  # one of these is added, unless it is empty;
    assigned: Values  # or the value becomes one of these

    @property
    def can_grow(self) -> bool:
        """Whether the value may become a new one, however often this step happened before."""
        return self.growth != {Fraction(0)} and (bool(self.growth) or self.instance.is_guarded)


Index = dict[tuple[str, ...] | None, list[ProjectedAction]]


class Explored(NamedTuple):
    """The result of an exploration: all values, or actions that may change the value for ever."""

    values: Values | None
    endless: tuple[ActionSchema, ...] = ()
    is_too_large: bool = False  # a limit ended the exploration


def explore(world: World, forms: GameForms, ranges: Ranges, view: Projected, limits: ExploreLimits) -> Explored:
    """Return all values that the fluent has in the projection.

    1. Explore the sets of atoms, with the value unknown. If no circle among them changes the value, the values end.
    2. If one does, only conditions on the value can stop it: without such a condition it is endless.
    3. Explore the values, within the limits. With bounds, step 3 is the only one.
    """
    explorer = Explorer(world, forms, ranges, view, limits)
    try:
        endless = explorer.find_circles() if limits.bounds is None else []
        if endless and not any(outcome.instance.is_guarded for outcome in endless):
            return Explored(None, _actions_of(endless))
        return Explored(explorer.find_values())
    except TooManyStatesError:
        return Explored(None, _actions_of(explorer.circles), is_too_large=True)


def _actions_of(outcomes: list[ProjectedStep]) -> tuple[ActionSchema, ...]:
    return tuple({outcome.instance.action.name: outcome.instance.action for outcome in outcomes}.values())


class Explorer:
    """Explorer of the projection, action by action."""

    def __init__(
        self,
        world: World,
        forms: GameForms,
        ranges: Ranges,
        view: Projected,
        limits: ExploreLimits,
        value: Fraction | None = None,
    ) -> None:
        self.world, self.forms, self.view, self.limits = world, forms, view, limits
        self.value = world.numbers.get(view.fluent) if value is None else value  # at the start
        self.kleene = Kleene(world, forms, ranges, view)
        self.instances = [instance for action in forms.actions for instance in self._instances(action)]
        self.fixed = self._index([instance for instance in self.instances if not instance.is_guarded])
        self.guarded = self._index([instance for instance in self.instances if instance.is_guarded])
        self.start = frozenset((name, *args) for name, n in view.predicates for args in world.facts.get((name, n), {}))
        self.circles: list[ProjectedStep] = []  # steps on a circle that changes the value
        self._outcomes: dict[Atoms, list[ProjectedStep]] = {}  # of instances that are not guarded

    def find_circles(self) -> list[ProjectedStep]:
        """Return the steps on circles of sets of atoms that may change the value; none if all values have an end."""
        after = self.find_sets()
        edges = {atoms: {outcome.atoms: None for outcome in outcomes} for atoms, outcomes in after.items()}
        for circle in components(edges):
            members = set(circle)
            inside = [outcome for atoms in circle for outcome in after[atoms] if outcome.atoms in members]
            if any(outcome.can_grow for outcome in inside):
                self.circles += inside
        return self.circles

    def find_sets(self) -> dict[Atoms, list[ProjectedStep]]:
        """Return all sets of atoms, whatever the value is, with the steps from each."""
        after: dict[Atoms, list[ProjectedStep]] = {}
        waiting = [self.start]
        while waiting:
            atoms = waiting.pop()
            if atoms in after:
                continue
            if len(after) == self.limits.states:
                raise TooManyStatesError
            situation = Situation(atoms, None)
            self._outcomes[atoms] = list(self._play(self.fixed, situation))
            after[atoms] = [*self._outcomes[atoms], *self._play(self.guarded, situation)]
            waiting += [outcome.atoms for outcome in after[atoms]]
        return after

    def find_values(self) -> Values:
        """Play from the start, one set of atoms at a time with all its new values; return all values."""
        reached: dict[Atoms, set[Fraction | None]] = {}
        waiting: dict[Atoms, set[Fraction | None]] = {self.start: {self.value}}
        seen: set[Fraction | None] = set()
        while waiting:
            atoms, values = waiting.popitem()
            reached.setdefault(atoms, set()).update(values)
            seen |= values
            if len(seen) > MAX_VALUES or len(reached) > self.limits.states:
                raise TooManyStatesError
            for outcome, found in self._successors(atoms, values):
                new = self._keep_possible(outcome, found) - reached.get(outcome.atoms, set())
                if new:
                    waiting.setdefault(outcome.atoms, set()).update(new)
        return frozenset(value for value in seen if value is not None)

    def _keep_possible(self, outcome: ProjectedStep, values: set[Fraction | None]) -> set[Fraction | None]:
        """Return the values inside the bounds; a value above the limit ends the exploration."""
        _, most, bounds = self.limits
        if most is not None and any(value is not None and value > most for value in values):
            raise TooManyStatesError(outcome.instance.action)
        if bounds is None:
            return values
        return {value for value in values if value is None or bounds[0] <= value <= bounds[1]}

    def _successors(
        self, atoms: Atoms, values: set[Fraction | None]
    ) -> Iterator[tuple[ProjectedStep, set[Fraction | None]]]:
        if atoms not in self._outcomes:
            self._outcomes[atoms] = list(self._play(self.fixed, Situation(atoms, None)))
        for outcome in self._outcomes[atoms]:
            yield outcome, _change(outcome, values)
        for value in values if self.guarded else ():
            for outcome in self._play(self.guarded, Situation(atoms, value)):
                yield outcome, _change(outcome, {value})

    def _index(self, instances: list[ProjectedAction]) -> Index:
        """Return the instances by an atom that each asks for, the rarest one; None if it asks for none."""
        asked = [self._required(instance) for instance in instances]
        counts = Counter(atom for atoms in asked for atom in atoms)
        index: Index = {}
        for instance, atoms in zip(instances, asked, strict=True):
            index.setdefault(min(atoms, key=lambda atom: counts[atom], default=None), []).append(instance)
        return index

    def _required(self, instance: ProjectedAction) -> list[tuple[str, ...]]:
        """Return the atoms of the view without which an action cannot be played."""
        kept = [atom for atom in list_required(instance.action.precondition) if atom.key in self.view.predicates]
        return [(atom.name, *(instance.binding.get(arg, arg) for arg in atom.args)) for atom in kept]

    def _play(self, index: Index, situation: Situation) -> Iterator[ProjectedStep]:
        for instance in (instance for atom in (None, *situation.atoms) for instance in index.get(atom, ())):
            if self.kleene.holds(instance.action.precondition, instance.binding, situation) is not False:
                yield from self._happen(instance, situation)

    def _happen(self, instance: ProjectedAction, situation: Situation) -> Iterator[ProjectedStep]:
        """Yield all results of an action."""
        certain, open_groups = list[EffectGroup](), list[EffectGroup]()
        for group in instance.groups:
            truth = self._all_hold(group, situation)
            if truth is not False:
                (certain if truth else open_groups).append(group)
        branching = [group for group in open_groups if group.atoms]
        counting = [group for group in open_groups if not group.atoms]
        if len(branching) > MAX_OPEN:
            raise TooManyStatesError
        for chosen in product((False, True), repeat=len(branching)):
            groups = certain + [group for group, is_chosen in zip(branching, chosen, strict=True) if is_chosen]
            changes = [change for group in groups for change in group.atoms]
            deleted = {atom for atom, adds in changes if not adds}
            atoms = situation.atoms - deleted | {atom for atom, adds in changes if adds}
            yield ProjectedStep(instance, atoms, *self._count(groups, counting, situation))

    def _all_hold(self, group: EffectGroup, situation: Situation) -> Truth:
        return self.kleene.holds(AllOf(group.conditions), group.binding, situation)

    def _count(
        self, groups: list[EffectGroup], counting: list[EffectGroup], situation: Situation
    ) -> tuple[Values, Values]:
        """Return what may be added to the value, and what it may become; unknown increases are added or not."""
        growth, assigned, is_assigned = {Fraction(0)}, set[Fraction](), False
        for group in (*groups, *counting):
            for change in group.numbers:
                amounts = self.kleene.values(change.amount, group.binding, situation)
                if change.assigns:
                    assigned |= amounts
                    is_assigned = is_assigned or group in groups
                    continue
                grown = {old + amount for old in growth for amount in amounts}
                growth = grown if group in groups else growth | grown
                if len(growth) > MAX_VALUES:
                    raise TooManyStatesError
        return frozenset() if is_assigned else frozenset(growth), frozenset(assigned)

    # The actions

    def _instances(self, action: ActionSchema) -> Iterator[ProjectedAction]:
        """Yield the action with objects for the variables that matter, if the fixed facts allow it."""
        effects = [effect for effect in action.effects if self._matters(effect)]
        if not effects or any(not self.world.members(self.forms.kinds[name]) for name in action.variables):
            return
        formulas = [action.precondition, *(part for effect in effects for part in effect.conditions)]
        wanted = {name for formula in formulas for name in self._wanted(formula)}
        wanted.update(arg for effect in effects for arg in self._target(effect))
        names = [name for name in action.variables if name in wanted]
        depends = any(map(self.kleene.depends_on_value, formulas)) or self._amounts_depend(effects)
        for binding in self._bind(action.precondition, names, {}):
            groups = self._group(effects, binding)
            if groups:
                yield ProjectedAction(action, binding, groups, depends)

    def _matters(self, effect: Conditional) -> bool:
        change = effect.change
        if isinstance(change, AtomChange):
            return change.atom.key in self.view.predicates
        return isinstance(change, NumberChange) and change.fluent.name == self.view.fluent[0]

    def _target(self, effect: Conditional) -> tuple[str, ...]:
        """Return the arguments of what an effect changes."""
        if isinstance(effect.change, AtomChange):
            return effect.change.atom.args
        return effect.change.fluent.args if isinstance(effect.change, NumberChange) else ()

    def _wanted(self, formula: Formula) -> Iterator[str]:
        """Yield the arguments that decide whether a formula holds, as far as that can be known."""
        for atom, _ in find_atoms(formula):
            if atom.key in self.kleene.seen:
                yield from atom.args
        for comparison in find_comparisons(formula):
            for side in (comparison.left, comparison.right):
                for fluent in find_fluents(side):
                    if fluent.name == self.view.fluent[0]:
                        yield from fluent.args

    def _amounts_depend(self, effects: list[Conditional]) -> bool:
        amounts = [effect.change.amount for effect in effects if isinstance(effect.change, NumberChange)]
        return any(self.kleene.mentions_fluent(Comparison("=", amount, amount, 0)) for amount in amounts)

    def _bind(self, precondition: Formula, names: list[str], binding: Binding) -> Iterator[Binding]:
        """Yield every way to give objects to variables that the fixed facts do not rule out."""
        if self.kleene.holds(precondition, binding, None) is False:
            return
        if not names:
            yield binding
            return
        for value in self.world.members(self.forms.kinds[names[0]]):
            yield from self._bind(precondition, names[1:], {**binding, names[0]: value})

    def _group(self, effects: list[Conditional], binding: Binding) -> list[EffectGroup]:
        """Return the effects with objects for their own variables, those under the same conditions together."""
        groups: dict[object, EffectGroup] = {}
        for effect in effects:
            for added in self._bind(AllOf(effect.conditions), self._own_variables(effect), binding):
                key = effect.conditions, tuple(added.items())
                group = groups.setdefault(key, EffectGroup(effect.conditions, added, [], []))
                target = tuple(added.get(arg, arg) for arg in self._target(effect))
                if isinstance(effect.change, AtomChange):
                    group.atoms.append(((effect.change.atom.name, *target), effect.change.adds))
                elif isinstance(effect.change, NumberChange) and target == self.view.fluent[1:]:
                    group.numbers.append(effect.change)
        return [group for group in groups.values() if group.atoms or group.numbers]

    def _own_variables(self, effect: Conditional) -> list[str]:
        """Return the variables of its `forall` that get objects: all of them if it counts, else those that matter."""
        if isinstance(effect.change, NumberChange):
            return list(effect.variables)
        wanted = {name for condition in effect.conditions for name in self._wanted(condition)}
        wanted.update(self._target(effect))
        return [name for name in effect.variables if name in wanted]


def _change(outcome: ProjectedStep, values: set[Fraction | None]) -> set[Fraction | None]:
    """Return the values after a step; a fluent without a value stays without."""
    grown: set[Fraction | None] = {value + amount for value in values if value is not None for amount in outcome.growth}
    if None in values and outcome.growth:
        grown.add(None)
    return grown | outcome.assigned
