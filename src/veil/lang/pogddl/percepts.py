"""Translation of `observe` into `sees`.

An observation is one percept, `(bid ?c ?s)`. If there are too many of a kind, it is told word by word: `(bid c7 _)` and
`(bid _ s2)`. The words of a round give the observation back, because no round has two observations of that kind for one
role. Where this is not certain, observations stay whole.
"""

from __future__ import annotations

from itertools import combinations

from veil.lang.pogddl.choices import ChoiceFinder
from veil.lang.pogddl.moves import Moves
from veil.lang.pogddl.reader import EVERYONE, THE_OTHERS
from veil.lang.pogddl.statements import Key, make
from veil.lang.pogddl.syntax import ActionSchema, Conditional, GameForms, Telling
from veil.lang.tree import Node

BLANK = "_"  # in the place of a word that another percept tells


def find_parted(forms: GameForms, choices: ChoiceFinder) -> set[Key]:
    """Return the kinds of observations that are told word by word."""
    wide: set[Key] = set()
    whole: set[Key] = set()
    for action in forms.actions:
        tellings: dict[Key, list[tuple[Conditional, Telling]]] = {}
        for effect in action.effects:
            if isinstance(effect.change, Telling):
                tellings.setdefault(effect.change.what.key, []).append((effect, effect.change))
        for key, several in tellings.items():
            if any(choices.is_wide(action.precondition, _words(action, telling)) for _, telling in several):
                wide.add(key)
            heard = [telling for _, telling in several]
            if any(effect.variables for effect, _ in several) or not _are_apart(heard, action, choices):
                whole.add(key)
    blank = {key for key in wide if any(BLANK in telling.what.args for telling in list_tellings(forms, key))}
    return {key for key in wide - whole - blank if key[1] > 1}


def list_tellings(forms: GameForms, key: Key) -> list[Telling]:
    """Return all observations of a kind."""
    changes = [effect.change for action in forms.actions for effect in action.effects]
    return [change for change in changes if isinstance(change, Telling) and change.what.key == key]


def _words(action: ActionSchema, telling: Telling) -> tuple[str, ...]:
    """Return the parameters of the action that an observation tells."""
    return tuple(name for name in action.variables if name in telling.what.args)


def _are_apart(tellings: list[Telling], action: ActionSchema, choices: ChoiceFinder) -> bool:
    """Return whether no role hears two of these: one alone, or named players and the others of one `observe`."""
    if len(tellings) == 1:
        return True
    named = [telling.who for telling in tellings if telling.who not in (EVERYONE, THE_OTHERS)]
    others = [telling.who for telling in tellings if telling.who in (EVERYONE, THE_OTHERS)]
    if len({telling.named for telling in tellings}) > 1 or others not in ([], [THE_OTHERS]):
        return False
    return all(choices.differ(action, left, right) for left, right in combinations(named, 2))


class Percepts:
    """Writer of what actions tell. Observations of the kinds in `parted` are told word by word."""

    def __init__(self, moves: Moves, parted: set[Key]) -> None:
        self.moves, self.statements, self.parted = moves, moves.statements, parted

    def write(self, actions: tuple[ActionSchema, ...]) -> None:
        """Write the percepts of all actions."""
        for action in actions:
            for effect in action.effects:
                if isinstance(effect.change, Telling):
                    self._write_telling(action, effect, effect.change)

    def _write_telling(self, action: ActionSchema, effect: Conditional, telling: Telling) -> None:
        if telling.who not in (EVERYONE, THE_OTHERS) and self._is_nobody(telling.who):
            return
        name, args, at = telling.what.name, telling.what.args, effect.offset
        parts = [args]
        if telling.what.key in self.parted:
            parts = [tuple(arg if i == j else BLANK for j, arg in enumerate(args)) for i in range(len(args))]
        for part in parts:
            roles = telling.named if telling.who == THE_OTHERS else (telling.who,)
            body = self.moves.happens(action, effect, (*roles, name, *part))
            if body is not None:
                who, conditions = self._listener(telling, at)
                sees = make("sees", who, make(name, *part, at=at), at=at)
                self.statements.add_rule(sees, [*body, *conditions], action.variables)

    def _listener(self, telling: Telling, at: int) -> tuple[str, list[Node]]:
        """Return the role that hears, as a word, with its conditions."""
        who = telling.who
        if who in (EVERYONE, THE_OTHERS):
            who = "? " + self.statements.name("player")
        conditions = [make("a player", who, at=at)] if who.startswith("?") else []
        if telling.who == THE_OTHERS:
            conditions = [make("distinct", who, named, at=at) for named in telling.named] + conditions
        return who, conditions

    def _is_nobody(self, who: str) -> bool:
        """Return whether only nature is told."""
        return not who.startswith("?") and who not in self.statements.world.players
