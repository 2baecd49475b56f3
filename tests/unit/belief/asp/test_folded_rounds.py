"""Rounds as a logic program: what a late percept fixes, the frame rule, recursion, and how small the program is."""

from __future__ import annotations

from tests.support.belief_games import KRIEG, PICK
from tests.support.games import NOTHING, game
from veil.belief.asp.folded_rounds import FoldedRounds, find_units
from veil.engine.record import Record, encode

QUIET = ("noop", NOTHING)


def fold(spec: str, role: str, record: tuple, over: bool = False) -> FoldedRounds:
    """The record, folded."""
    told = encode(game(spec), Record(role, record))
    folding = FoldedRounds(game(spec).machine, game(spec).roles.index(role))
    for number, entry in enumerate(told, 1):
        folding.observe(*entry, over and number == len(told))
    return folding


def test_a_late_percept_fixes_an_early_move() -> None:
    """The example of the text: a card that is dealt face down and shown later is known, without any search."""
    early = fold(PICK, "ann", (QUIET,))
    assert [len(choice) for choice in early.program.open_choices] == [3]
    late = fold(PICK, "ann", (QUIET, ("noop", frozenset({"found"}))))
    assert late.program.open_choices == []
    assert not late.program.is_refuted


def test_a_percept_that_did_not_come_excludes_a_move() -> None:
    folding = fold(PICK, "ann", (QUIET, QUIET))
    assert [len(choice) for choice in folding.program.open_choices] == [2]


def test_rounds_in_which_nothing_changes_add_nothing() -> None:
    """The frame rule: what no move touches keeps its literal."""
    short, long = fold(PICK, "ann", (QUIET, QUIET)), fold(PICK, "ann", (QUIET, QUIET, QUIET))
    assert short.program.num_atoms == long.program.num_atoms
    assert short.program.rules == long.program.rules


def test_a_contradiction_at_sight_is_refuted() -> None:
    assert fold(PICK, "ann", (("noop", frozenset({"found"})),)).program.is_refuted


def test_hidden_moves_are_variables_and_known_ones_are_not() -> None:
    folding = fold("krieg_tictactoe", "oplayer", KRIEG[:3])
    assert [(variable.round_index, variable.role) for variable in folding.variables] == [(0, 0), (2, 0)]
    assert [sorted(known) for known in folding.known_moves] == [[1], [0, 1], [1]]


def test_units_that_judge_a_state_come_before_those_that_need_moves() -> None:
    units = find_units(game("krieg_tictactoe").machine, 1)
    wiring, moves = units.wiring, range(units.wiring.moves, units.wiring.legal)
    for unit in units.gates[: units.num_static]:
        assert all(literal >> 1 not in moves for gate in unit for term in gate.terms for literal in term)
    static = {gate.slot for unit in units.gates[: units.num_static] for gate in unit}
    assert set(range(wiring.legal, wiring.legal + int(wiring.role_moves[-1]))) | {wiring.terminal} <= static
