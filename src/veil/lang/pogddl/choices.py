"""The parameters of an action that a move names, if naming all of them would take too many moves.

`(swap ?p ?card ?top ?count)` with `(whoseturn ?p)`, `(top ?top)` and `(counter ?count)` in its precondition is a choice
of a card only: the state decides the rest. The moves of such a *wide* action name the chosen parameters.

1. An action is wide if the facts that never change allow more than `MAX_LISTED` bindings of its parameters.
2. A parameter is decided by the role that acts, if it is the role whose turn it is; by an atom of a single predicate
   (`singles`); or by a fact that never changes, if the decided parameters and constants in it leave one value.
3. A parameter that nothing decides is chosen. Of several that would do, the one that decides most others is taken.

Every state has as many legal moves as the action has applicable bindings, so that chances do not change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from veil.lang.pogddl.kleene import Binding, Kleene, Projected
from veil.lang.pogddl.numbers import Ranges
from veil.lang.pogddl.singles import Singles
from veil.lang.pogddl.syntax import ActionSchema, AtomForm, Formula, GameForms, list_required
from veil.lang.pogddl.world import TURN, World

MAX_LISTED = 1_000  # bindings of an action or an observation that are listed in full


class MoveChoice(NamedTuple):
    """How the parameters of a wide action get their objects."""

    chosen: tuple[str, ...]  # named by the move, in the order of the action
    actor: str | None  # the parameter that is the acting role
    decided: dict[str, AtomForm]  # every other parameter -> the condition that decides it

    def list_conditions(self, needed: Iterable[str]) -> list[AtomForm]:
        """Return the conditions that decide these parameters, and the parameters that they depend on."""
        conditions: dict[AtomForm, None] = {}
        waiting = list(needed)
        while waiting:
            atom = self.decided.get(waiting.pop())
            if atom is not None and atom not in conditions:
                conditions[atom] = None
                waiting += [arg for arg in atom.args if arg in self.decided]
        return list(conditions)


class ChoiceFinder:
    """Finder of choices for the actions of a game."""

    def __init__(self, world: World, forms: GameForms, ranges: Ranges, singles: Singles) -> None:
        self.world, self.forms, self.singles = world, forms, singles
        self.kleene = Kleene(world, forms, ranges, Projected(("",), frozenset()))

    def is_wide(self, precondition: Formula, variables: tuple[str, ...]) -> bool:
        """Return whether these variables have more than `MAX_LISTED` bindings that the fixed facts allow."""
        count = self.world.count_bindings(self.forms.kinds, variables)
        if count <= MAX_LISTED:
            return False
        return any(number >= MAX_LISTED for number, _ in enumerate(self._bind(precondition, variables, {})))

    def _bind(self, precondition: Formula, variables: tuple[str, ...], binding: Binding) -> Iterator[Binding]:
        if self.kleene.holds(precondition, binding, None) is False:
            return
        if not variables:
            yield binding
            return
        for value in self.world.members(self.forms.kinds[variables[0]]):
            yield from self._bind(precondition, variables[1:], {**binding, variables[0]: value})

    def differ(self, action: ActionSchema, left: str, right: str) -> bool:
        """Return whether two roles or parameters are never the same object when an action is played."""
        names = tuple(name for name in (left, right) if name.startswith("?"))
        bindings = self._bind(action.precondition, names, {})
        return left != right and all(each.get(left, left) != each.get(right, right) for each in bindings)

    def choose_all(self) -> dict[str, MoveChoice]:
        """Return the choices of all wide actions, by the names of the actions."""
        found = {action.name: self.choose(action) for action in self.forms.actions}
        return {name: choice for name, choice in found.items() if choice is not None}

    def choose(self, action: ActionSchema) -> MoveChoice | None:
        """Return what a move of the action names; None if it names all parameters, as a narrow action does."""
        if not self.is_wide(action.precondition, action.variables):
            return None
        chosen: list[str] = []
        while True:
            decided, actor = self._decide(action, chosen)
            open_names = [name for name in action.variables if name not in decided and name not in (actor, *chosen)]
            if not open_names:
                break
            chosen.append(min(open_names, key=lambda name: self._rank(action, [*chosen, name])))
        if len(chosen) == len(action.variables):
            return None
        return MoveChoice(tuple(name for name in action.variables if name in chosen), actor, decided)

    def _rank(self, action: ActionSchema, chosen: list[str]) -> tuple[int, int]:
        """Return a number that is low if many parameters are decided, and one that is low for few objects."""
        return -len(self._decide(action, chosen)[0]), len(self.world.members(self.forms.kinds[chosen[-1]]))

    def _decide(self, action: ActionSchema, chosen: list[str]) -> tuple[dict[str, AtomForm], str | None]:
        """Return the decided parameters with their conditions, and the acting role if it is a parameter (step 2)."""
        atoms = list(list_required(action.precondition))
        actor = next(
            (atom.args[0] for atom in atoms if atom.key == (TURN, 1) and atom.args[0] in action.variables), None
        )
        decided: dict[str, AtomForm] = {}
        is_growing = True
        while is_growing:
            is_growing = False
            for atom in atoms:
                known = {name for name in atom.args if name in decided or name in chosen or name == actor}
                names = [name for name in atom.args if name in action.variables and name not in known]
                if names and self._decides(atom, known):
                    decided |= dict.fromkeys(names, atom)
                    is_growing = True
        return decided, actor

    def _decides(self, atom: AtomForm, known: set[str]) -> bool:
        """Return whether an atom has one value for its other arguments, given the known ones."""
        if atom.key in self.kleene.derived:
            return False
        if atom.key in self.kleene.changed:
            return self.singles.is_single(atom.key)
        seen: dict[tuple[str, ...], tuple[str, ...]] = {}
        for fact in self.world.facts.get(atom.key, {}):
            pairs = list(zip(atom.args, fact, strict=True))
            if all(arg.startswith("?") or arg == value for arg, value in pairs):
                key = tuple(value for arg, value in pairs if arg in known)
                if seen.setdefault(key, fact) != fact:
                    return False
        return True
