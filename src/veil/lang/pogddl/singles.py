"""Predicates with at most one true atom in every state, like `top` of a pile or `current` of a track.

A predicate that starts with at most one true atom is *single* if no play gives it a second one. This is shown on
projections of the game, in two ways:

1. By counting. A fluent counts the true atoms: an addition adds one; a deletion takes one away if the precondition
   asks for that atom; an action that asks for an atom needs a count of at least one. The count is never too low.
2. By listing. The sets of true atoms of the predicate itself are explored.

Both begin without other predicates. If the count can reach two, one more predicate becomes known: the smallest one that
the actions ask for that raise the count, a phase or a turn. A predicate for which no projection ends well counts as not
single.
"""

from __future__ import annotations

from fractions import Fraction

from veil.lang.pogddl.conditions import find_atoms
from veil.lang.pogddl.kleene import Projected
from veil.lang.pogddl.numbers import Ranges
from veil.lang.pogddl.projection import ExploreLimits, Explorer, TooManyStatesError
from veil.lang.pogddl.statements import Key
from veil.lang.pogddl.syntax import (
    ActionSchema,
    AllOf,
    AtomChange,
    AtomForm,
    Comparison,
    Conditional,
    GameForms,
    NumberChange,
    list_required,
)
from veil.lang.pogddl.world import World

COUNT = "true atoms"  # the fluent that counts; a text cannot have this name
MAX_ADDED = 3  # predicates beside the one that is looked at
MAX_ATOMS = 400  # of a predicate whose sets are explored
LIMITS = ExploreLimits(states=1_000, most=Fraction(1))
ONE = Fraction(1)


class Singles:
    """Finder of single predicates; every predicate is looked at once, when it is asked for."""

    def __init__(self, world: World, forms: GameForms, ranges: Ranges, sizes: dict[Key, int]) -> None:
        self.world, self.forms, self.ranges, self.sizes = world, forms, ranges, sizes
        self._known: dict[Key, bool] = {}

    def is_single(self, key: Key) -> bool:
        """Return whether a predicate that actions change has at most one true atom in every state."""
        if key not in self._known:
            starts = len(self.world.facts.get(key, ()))
            self._known[key] = starts <= 1 and (self._is_counted(key) or self._is_listed(key))
        return self._known[key]

    def _is_counted(self, key: Key) -> bool:
        """Return whether the count stays at one, with a few other predicates known (step 1)."""
        counting = count_atoms(self.forms, key)
        start = Fraction(len(self.world.facts.get(key, ())))
        ranges: Ranges = {**self.ranges, (COUNT,): frozenset([start])}
        known: frozenset[Key] = frozenset()
        while True:
            explorer = Explorer(self.world, counting, ranges, Projected((COUNT,), known), LIMITS, start)
            try:
                explorer.find_values()
                return True
            except TooManyStatesError as error:
                added = self._choose(error.actions or self._adders(key), known | {key})
            if added is None or len(known) == MAX_ADDED:
                return False
            known |= {added}

    def _is_listed(self, key: Key) -> bool:
        """Return whether no explored set of atoms has two members (step 2)."""
        known = frozenset([key])
        while self.sizes.get(key, 0) <= MAX_ATOMS and len(known) <= MAX_ADDED:
            explorer = Explorer(self.world, self.forms, self.ranges, Projected((COUNT,), known), LIMITS)
            try:
                sets = explorer.find_sets()
            except TooManyStatesError:
                return False
            if all(sum(atom[0] == key[0] and len(atom) == key[1] + 1 for atom in atoms) <= 1 for atoms in sets):
                return True
            added = self._choose(self._adders(key), known)
            if added is None:
                return False
            known |= {added}
        return False

    def _adders(self, key: Key) -> tuple[ActionSchema, ...]:
        """Return the actions that may add an atom of a predicate."""
        return tuple(action for action in self.forms.actions if any(_adds(effect, key) for effect in action.effects))

    def _choose(self, actions: tuple[ActionSchema, ...], known: frozenset[Key]) -> Key | None:
        """Return the smallest predicate of the state that these actions ask for; None if all are known."""
        asked = {atom.key for action in actions for atom, _ in find_atoms(action.precondition)}
        choices = [key for key in asked if key in self.sizes and key not in known]
        return min(choices, key=lambda key: (self.sizes[key], key), default=None)


def _adds(effect: Conditional, key: Key) -> bool:
    return isinstance(effect.change, AtomChange) and effect.change.adds and effect.change.atom.key == key


def count_atoms(forms: GameForms, key: Key) -> GameForms:
    """Return the game with the fluent `COUNT`, which is never below the number of true atoms of a predicate."""
    return forms._replace(actions=tuple(_count_in(action, key) for action in forms.actions))


def _count_in(action: ActionSchema, key: Key) -> ActionSchema:
    """Return an action that counts; of several deletions one is counted, because they may be of the same atom."""
    counter = AtomForm(COUNT, (), action.offset)
    asked = {atom.args for atom in list_required(action.precondition) if atom.key == key}
    changes = [(effect, effect.change) for effect in action.effects if isinstance(effect.change, AtomChange)]
    changes = [(effect, change) for effect, change in changes if change.atom.key == key]
    added = {change.atom.args for _, change in changes if change.adds}
    effects = [
        _count_by(effect, counter, ONE) for effect, change in changes if change.adds and change.atom.args not in asked
    ]
    deletions = [
        effect for effect, change in changes if not change.adds and change.atom.args in asked and not effect.variables
    ]
    if deletions and not added & asked:  # an atom that is asked for, deleted and added stays true
        effects.append(_count_by(deletions[0], counter, -ONE))
    precondition = action.precondition
    if asked:
        precondition = AllOf((precondition, Comparison("<=", ONE, counter, action.offset)))
    return action._replace(precondition=precondition, effects=(*effects, *action.effects))


def _count_by(effect: Conditional, counter: AtomForm, amount: Fraction) -> Conditional:
    return effect._replace(change=NumberChange(counter, amount, False))
