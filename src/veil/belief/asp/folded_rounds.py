"""The rounds of a record as a logic program: the gates of the circuit, simplified by known values, one copy per round.

In every round a slot of the circuit has a literal: a constant, or an atom of the program or its negation.

1. A hidden role gets an atom for each of its moves that may be legal. Exactly one of them holds, and that move is
   legal.
2. Gates are folded in order: constants are removed, a gate that equals one literal becomes that literal, gates with
   the same terms share an atom. Only gates that read something new since the round before are visited. What no move
   touches keeps its literal, which is the frame rule.
3. The observed percepts and the end of the game are asserted, and so is the legality of known moves. Gates that decide
   about percepts are folded first, because percepts tell something about the moves and make the next state smaller.
4. The literals of the next state are those of the fluents in the next round.

A recursive block of gates is a least fixpoint, and so are the rules of a logic program. What the block must contain
and what it cannot contain are constants; its other gates become rules that may refer to each other.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from veil.belief.asp.atom_definitions import FALSE, TRUE, AtomDefinitions, Bodies
from veil.belief.csp.stage_graph import find_wiring
from veil.engine import Machine
from veil.engine.lanes import Wiring, unpack


class FoldedGate(NamedTuple):
    """A gate as lists."""

    slot: int
    terms: tuple[tuple[int, ...], ...]  # a literal of the circuit is 2 * slot + negated


class Units(NamedTuple):
    """One round of a circuit. A *unit* is a gate or a recursive block of gates; it follows all units it depends on."""

    wiring: Wiring
    gates: list[tuple[FoldedGate, ...]]  # of each unit
    is_recursive: list[bool]
    users: list[list[int]]  # per slot, the units that read it
    num_static: int  # units that decide legal moves and the end of the game; they come first
    num_seen: int  # those, and units that decide what is seen; units of the next state come last


class Variable(NamedTuple):
    """The moves of a hidden role in a round in which its move is not known without search."""

    round_index: int
    role: int
    moves: dict[int, int]  # atom -> move


class FoldedRounds:
    """The rounds of a record, and the program that they make."""

    def __init__(self, machine: Machine, role: int) -> None:
        self.role, self.rounds = role, 0
        self.program = AtomDefinitions()
        self.variables: list[Variable] = []
        self.known_moves: list[dict[int, int]] = []  # per round, role -> move, if it is known without search
        self._units = find_units(machine, role)
        self._literal = [FALSE, TRUE] + [FALSE] * (self._units.wiring.num_slots - 2)
        self._holders: dict[int, list[int]] = {}  # slots that have had an atom or its negation
        self._heap = list(range(len(self._units.gates)))  # units that have to be folded
        self._is_waiting = [True] * len(self._heap)
        self._begin_state([TRUE if holds else FALSE for holds in machine.program.initial.tolist()])

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False) -> None:
        """Observe one more round, with percepts [words]. `over`: the game has ended with this round."""
        wiring, literal = self._units.wiring, self._literal
        self.known_moves.append({})
        for role, (begin, end) in enumerate(pairwise(wiring.role_moves.tolist())):
            self._open_moves(role, range(begin, end), own_move if role == self.role else None)
        self._fold(self._units.num_seen)
        seen = unpack(percepts[None, :], len(wiring.percepts))[0].tolist()
        for slot, is_seen in zip(wiring.percepts.tolist(), seen, strict=True):
            self._assert(literal[slot] if is_seen else -literal[slot])
        self._fold(len(self._units.gates))
        self.rounds += 1
        self._begin_state(literal[wiring.next : wiring.next + wiring.num_fluents])
        self._assert(literal[wiring.terminal] if over else -literal[wiring.terminal])
        self._fold(self._units.num_static)

    def _begin_state(self, literals: list[int]) -> None:
        """Set the literals of a new state (step 4)."""
        for slot, literal in enumerate(literals, self._units.wiring.fluents):
            self._set(slot, literal)
        self._fold(self._units.num_static)

    def _open_moves(self, role: int, moves: range, own_move: int | None) -> None:
        """Do step 1 for a role; `own_move` is its move if that is known."""
        wiring, legal = self._units.wiring, self._literal[self._units.wiring.legal :]
        asked = moves if own_move is None else [moves.start + own_move]
        plausible = [move for move in asked if legal[move] != FALSE]
        literals = dict.fromkeys(moves, FALSE)
        if len(plausible) > 1:
            atoms = self.program.add_choice(len(plausible))
            by_atom = {atom: move - moves.start for atom, move in zip(atoms, plausible, strict=True)}
            self.variables.append(Variable(self.rounds, role, by_atom))
            literals |= zip(plausible, atoms, strict=True)
            for move, atom in zip(plausible, atoms, strict=True):
                self.program.forbid(atom, -legal[move])
        else:
            move = plausible[0] if plausible else asked[0]
            self.known_moves[-1][role] = move - moves.start
            literals[move] = TRUE
            self._assert(legal[move])
        for move, literal in literals.items():
            self._set(wiring.moves + move, literal)

    def _set(self, slot: int, literal: int) -> None:
        """Give a slot its literal, and queue the units that read it."""
        if self._literal[slot] == literal:
            return
        self._literal[slot] = literal
        if abs(literal) != TRUE:
            self._holders.setdefault(abs(literal), []).append(slot)
        for unit in self._units.users[slot]:
            if not self._is_waiting[unit]:
                self._is_waiting[unit] = True
                heappush(self._heap, unit)

    def _assert(self, literal: int) -> None:
        """Assert a literal (step 3); atoms whose value follows at once become constants."""
        for concluded in self.program.assert_literal(literal):
            for slot in self._holders.pop(abs(concluded), ()):
                if abs(self._literal[slot]) == abs(concluded):
                    self._set(slot, TRUE if self._literal[slot] == concluded else FALSE)

    def _fold(self, end: int) -> None:
        """Fold the queued units below `end` (step 2)."""
        while self._heap and self._heap[0] < end:
            unit = heappop(self._heap)
            self._is_waiting[unit] = False
            if self._units.is_recursive[unit]:
                self._fold_block(self._units.gates[unit])
            else:
                [gate] = self._units.gates[unit]
                self._set(gate.slot, self.program.define(self._fold_terms(gate)))

    def _fold_terms(self, gate: FoldedGate) -> Bodies:
        """Return the terms that may hold, in literals of the program."""
        bodies, known = set(), self._literal
        for term in gate.terms:
            body = [-known[literal >> 1] if literal & 1 else known[literal >> 1] for literal in term]
            if FALSE not in body:
                kept = frozenset(literal for literal in body if literal != TRUE)
                if self.program.is_possible(kept):
                    bodies.add(kept)
        return frozenset(bodies)

    def _read(self, literal: int) -> int:
        """Return the literal of the program for a literal of the circuit."""
        return -self._literal[literal >> 1] if literal & 1 else self._literal[literal >> 1]

    def _fold_block(self, gates: tuple[FoldedGate, ...]) -> None:
        """Fold a recursive block, whose gates are a least fixpoint."""
        must = self._find_fixpoint(gates, lambda literal: literal == TRUE)
        can = self._find_fixpoint(gates, lambda literal: literal != FALSE)
        for gate in gates:
            is_open = gate.slot in can and gate.slot not in must
            self._set(gate.slot, self.program.add_atom() if is_open else TRUE if gate.slot in must else FALSE)
        for gate in gates:
            if abs(self._literal[gate.slot]) != TRUE:
                self.program.add_rules(self._literal[gate.slot], self._fold_terms(gate))

    def _find_fixpoint(self, gates: tuple[FoldedGate, ...], counts: Callable[[int], bool]) -> set[int]:
        """Return the slots of a block that hold if exactly the outside literals hold for which `counts` is True."""
        inside, holding, size = {gate.slot for gate in gates}, set[int](), -1
        while size < len(holding):
            size = len(holding)
            for gate in gates:
                if gate.slot not in holding and any(
                    all(
                        literal >> 1 in holding if literal >> 1 in inside else counts(self._read(literal))
                        for literal in term
                    )
                    for term in gate.terms
                ):
                    holding.add(gate.slot)
        return holding


_UNITS: WeakKeyDictionary[Machine, dict[int, Units]] = WeakKeyDictionary()


def find_units(machine: Machine, role: int) -> Units:
    """Return the units of a game for the percepts of a role. They are cached as long as the machine exists."""
    units = _UNITS.setdefault(machine, {})
    if role not in units:
        units[role] = _list_units(find_wiring(machine, role))
    return units[role]


def _list_units(wiring: Wiring) -> Units:
    """Return the wiring as lists."""
    gates, is_recursive = list[tuple[FoldedGate, ...]](), list[bool]()
    each = [_list_gate(wiring, number) for number in range(len(wiring.gate_slot))]
    for (begin, end), recursive in zip(pairwise(wiring.block_start.tolist()), wiring.block_recursive, strict=True):
        parts = [tuple(each[begin:end])] if recursive else [(gate,) for gate in each[begin:end]]
        gates += parts
        is_recursive += [bool(recursive)] * len(parts)
    judging = _find_cone(gates, {*range(wiring.legal, wiring.legal + int(wiring.role_moves[-1])), wiring.terminal})
    seeing = _find_cone(gates, set(wiring.percepts.tolist())) - judging
    order = sorted(range(len(gates)), key=lambda unit: (unit not in judging, unit not in seeing))
    gates, is_recursive = [gates[unit] for unit in order], [is_recursive[unit] for unit in order]
    return Units(wiring, gates, is_recursive, _find_users(wiring, gates), len(judging), len(judging) + len(seeing))


def _find_cone(gates: list[tuple[FoldedGate, ...]], slots: set[int]) -> set[int]:
    """Return the units that some slots depend on, found from the top down."""
    cone, needed = set[int](), set(slots)
    for unit in reversed(range(len(gates))):
        if any(gate.slot in needed for gate in gates[unit]):
            cone.add(unit)
            needed.update(literal >> 1 for gate in gates[unit] for term in gate.terms for literal in term)
    return cone


def _find_users(wiring: Wiring, gates: list[tuple[FoldedGate, ...]]) -> list[list[int]]:
    """Return, per slot, the units that read it; a block does not read itself."""
    users: list[list[int]] = [[] for _ in range(wiring.num_slots)]
    for number, unit in enumerate(gates):
        read = {literal >> 1 for gate in unit for term in gate.terms for literal in term}
        for slot in read - {gate.slot for gate in unit}:
            users[slot].append(number)
    return users


def _list_gate(wiring: Wiring, number: int) -> FoldedGate:
    starts = wiring.term_start[wiring.gate_start[number] : wiring.gate_start[number + 1] + 1].tolist()
    terms = tuple(tuple(wiring.literals[begin:end].tolist()) for begin, end in pairwise(starts))
    return FoldedGate(int(wiring.gate_slot[number]), terms)
