"""Translation of actions into roles, `legal` and `terminal`.

The role that `whoseturn` names acts, and all others wait with one move; nature is `random`. The game is over if no
action is applicable. If an action is applicable and it is no role's turn, or that of two roles at once, no role has a
move: the commands say that the game is stuck there.
"""

from __future__ import annotations

from veil.lang.pogddl.conditions import Conditions
from veil.lang.pogddl.statements import deny, make
from veil.lang.pogddl.syntax import ActionSchema, AllOf, AtomForm, AtomTest, Formula
from veil.lang.pogddl.world import CHANCE, TURN
from veil.lang.tree import Node
from veil.vocabulary import RANDOM

WAIT = "noop"


class Moves:
    """Writer of the legal moves."""

    def __init__(self, conditions: Conditions, actions: tuple[ActionSchema, ...]) -> None:
        self.conditions, self.statements = conditions, conditions.statements
        self.actions = actions
        names = {action.name for action in actions if not action.variables}
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
        at, move = action.offset, move_of(action)
        applicable = make(f"applicable {action.name}", *action.variables, at=at)
        self.statements.add_rule(applicable, body)
        self.statements.add_rule(make("some action", at=at), [applicable])
        if (TURN, 1) in self.statements.possible:
            turn = make("acts now", find_actor(action.precondition) or "? actor", "? seat", at=at)
            self.statements.add_rule(make("legal", "? seat", move, at=at), [turn, applicable])
            self.statements.add_rule(self.played(action), [make("does", "? seat", move, at=at)])
        return True

    def played(self, action: ActionSchema) -> Node:
        """Return the condition that an action is played."""
        return make(f"plays {action.name}", *action.variables, at=action.offset)


def move_of(action: ActionSchema) -> Node:
    """Return an action as a move."""
    return make(action.name, *action.variables, at=action.offset)


def find_actor(precondition: Formula) -> str | None:
    """Return the role or variable whose turn the precondition asks for; None if it does not say."""
    parts = precondition.parts if isinstance(precondition, AllOf) else (precondition,)
    for part in parts:
        if isinstance(part, AtomTest) and part.positive and part.atom.key == (TURN, 1):
            return part.atom.args[0]
        if isinstance(part, AllOf) and (inside := find_actor(part)):
            return inside
    return None
