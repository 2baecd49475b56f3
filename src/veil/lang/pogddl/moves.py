"""Translation of actions into roles, `legal` and `terminal`.

The role that `whoseturn` names acts, and all others wait with one move; nature is `random`. The game is over if no
action is applicable. If an action is applicable and it is no role's turn, or that of two roles at once, no role has a
move: the commands say that the game is stuck there.

A move is the action with its parameters; that of a wide action has the chosen ones only (`choices`).
"""

from __future__ import annotations

from collections.abc import Iterable

from veil.lang.pogddl.choices import MoveChoice
from veil.lang.pogddl.conditions import Conditions, find_variables
from veil.lang.pogddl.statements import deny, make
from veil.lang.pogddl.syntax import ActionSchema, AllOf, AtomForm, Conditional, list_required
from veil.lang.pogddl.world import CHANCE, TURN
from veil.lang.tree import Node
from veil.vocabulary import RANDOM

WAIT = "noop"


class Moves:
    """Writer of the legal moves. `choices` has the wide actions by their names."""

    def __init__(
        self, conditions: Conditions, actions: tuple[ActionSchema, ...], choices: dict[str, MoveChoice] | None = None
    ) -> None:
        self.conditions, self.statements = conditions, conditions.statements
        self.actions, self.choices = actions, choices or {}
        names = {action.name for action in actions if not self._named(action)}
        waits = (WAIT, *(f"{WAIT}-{i}" for i in range(len(names))))
        self.wait = next(name for name in waits if name not in names)

    def write(self) -> None:
        """Write roles, turns, legal moves and the end."""
        add_fact = self.statements.add_fact
        for role in self.statements.world.roles:
            seat = RANDOM if role == CHANCE else role
            add_fact("role", seat)
            add_fact("seat of", role, seat)
            if role != CHANCE:
                add_fact("a player", role)
        self._write_turns()
        written = [self._write_action(action) for action in self.actions]
        end = make("terminal", at=0)
        self.statements.add_rule(end, [deny(make("some action", at=0))] if any(written) else [])

    def _write_turns(self) -> None:
        """Write `acts who seat`: the only role whose turn it is, and its name in GDL; the others wait."""
        turn, other = (AtomForm(TURN, (name,), 0) for name in ("? a", "? b"))
        if turn.key not in self.statements.possible:
            return
        held, also = (self.statements.atom(atom) for atom in (turn, other))
        seats = [make("seat of", name, f"{name}s", at=0) for name in ("? a", "? b")]
        apart = make("distinct", "? a", "? b", at=0)
        crowd = make("two turns", at=0)
        self.statements.add_rule(crowd, [held, also, *seats, apart])
        self.statements.add_rule(make("acts now", "? a", "? as", at=0), [held, seats[0], deny(crowd)])
        waits = [make("acts now", "? a", "? as", at=0), seats[1], apart]
        self.statements.add_rule(make("legal", "? bs", self.wait, at=0), waits)

    def _write_action(self, action: ActionSchema) -> bool:
        """Write an action that may be played; return False if it never is."""
        body = None if self.statements.is_empty(action.variables) else self.conditions.write(action.precondition)
        if body is None:
            return False
        at, move, actor = action.offset, self._move(action), find_actor(action)
        asked = self._named(action)
        if action.name in self.choices and actor in action.variables:
            asked = (*asked, str(actor))
        applicable = make(f"applicable {action.name}", *asked, at=at)
        self.statements.add_rule(applicable, body)
        self.statements.add_rule(make("some action", at=at), [applicable], action.variables)
        if (TURN, 1) in self.statements.possible:
            turn = make("acts now", actor or "? actor", "? seat", at=at)
            self.statements.add_rule(make("legal", "? seat", move, at=at), [turn, applicable], action.variables)
            if action.name not in self.choices:
                self.statements.add_rule(self._played(action), [make("does", "? seat", move, at=at)], action.variables)
        return True

    def happens(self, action: ActionSchema, effect: Conditional, used: Iterable[str]) -> list[Node] | None:
        """Return the conditions under which an effect happens, with the parameters it uses; None if it never does."""
        if self.statements.is_empty((*action.variables, *effect.variables)):
            return None
        body = self.conditions.write_all(effect.conditions)
        if body is None:
            return None
        return [*self._play(action, [*used, *find_variables(AllOf(effect.conditions))]), *body]

    def _play(self, action: ActionSchema, used: list[str]) -> list[Node]:
        """Return the conditions that an action is played with these parameters."""
        choice = self.choices.get(action.name)
        if choice is None:
            return [self._played(action)]
        conditions = choice.list_conditions(used)
        nodes = [make("does", "? seat", self._move(action), at=action.offset), *map(self.statements.atom, conditions)]
        if choice.actor in {*used, *(arg for atom in conditions for arg in atom.args)}:
            nodes.append(make("seat of", str(choice.actor), "? seat", at=action.offset))
        return nodes

    def _named(self, action: ActionSchema) -> tuple[str, ...]:
        """Return the parameters that a move of the action names."""
        choice = self.choices.get(action.name)
        return action.variables if choice is None else choice.chosen

    def _move(self, action: ActionSchema) -> Node:
        """Return an action as a move."""
        return make(action.name, *self._named(action), at=action.offset)

    def _played(self, action: ActionSchema) -> Node:
        return make(f"plays {action.name}", *action.variables, at=action.offset)


def find_actor(action: ActionSchema) -> str | None:
    """Return the role or parameter whose turn the precondition asks for; None if it does not say."""
    return next((atom.args[0] for atom in list_required(action.precondition) if atom.key == (TURN, 1)), None)
