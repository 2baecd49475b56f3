"""From what the grounder printed to a `GroundProgram`: constants settled, what is needed numbered, rules in strata."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest

from veil.engine.grounding.assemble import assemble
from veil.engine.grounding.program import FALSE, TRUE, GroundProgram
from veil.engine.grounding.translate import Translation
from veil.errors import VeilError
from veil.lang import Rules, read_rules

RULES = "(role r) (init p) (legal r go) (goal r 1) (<= (next p) (true p)) (<= terminal (true q))"
# The grounder's numbers: 1 and 2 are fluents, 3 the move, 4.. whatever rules make of them.
FLUENTS, MOVES = {"t(p)": 1, "t(q)": 2, "i(p)": 0}, {"d(r,go)": 3, "l(r,go)": 0, "r(r)": 0}


def program_of(ground: list[tuple[int, list[int]]], names: dict[str, int], rules: Rules | None = None) -> GroundProgram:
    """Assemble ground rules (head, signed body) with named atoms; words stand for themselves."""
    translation = Translation()
    for word in ("p", "q", "r", "go", "1", "00", "seen"):
        translation.term(word, {})
    every = {"g(r,1)": 0} | FLUENTS | MOVES | names
    spelled = {_with_numbers(name, translation): atom for name, atom in every.items()}
    result: dict[str, Any] = {
        "heads": array("i", [head for head, _ in ground]),
        "lengths": array("i", [len(body) for _, body in ground]),
        "bodies": array("i", [literal for _, body in ground for literal in body]),
        "names": list(spelled),
        "atoms": array("i", spelled.values()),
    }
    return assemble(rules or read_rules(RULES), translation, result)


def _with_numbers(name: str, translation: Translation) -> str:
    kind, _, inside = name.partition("(")
    words = [f"c{translation.words[word]}" for word in inside.rstrip(")").split(",") if word]
    return f"{kind}({','.join(words)})" if words else kind


def rules_in(program: GroundProgram) -> set[tuple[int, tuple[int, ...]]]:
    """(head, signed body) of every rule, in the program's numbers."""
    found = set()
    for rule in range(program.num_rules):
        body = program.body[program.body_start[rule] : program.body_start[rule + 1]]
        signed = tuple(sorted(int(-(literal >> 1) if literal & 1 else literal >> 1) for literal in body))
        found.add((int(program.rule_head[rule]), signed))
    return found


def test_base_atoms_come_first_and_facts_are_true() -> None:
    program = program_of([(4, [1, -2]), (5, [2])], {"n(p)": 4, "e": 5})
    assert program.fluents == ("p", "q")
    assert program.moves == (("go",),)
    assert [atoms.tolist() for atoms in program.move_atoms] == [[4]]
    assert [atoms.tolist() for atoms in program.legal_atoms] == [[TRUE]]
    assert [atoms.tolist() for atoms in program.goal_atoms] == [[TRUE]]
    assert program.next_atoms.tolist() == [5, FALSE]  # p may become true again, q never
    assert program.terminal_atom == 6
    assert program.initial.tolist() == [True, False]
    assert rules_in(program) == {(5, (-3, 2)), (6, (3,))}
    assert program.num_atoms == 7


def test_what_always_holds_disappears_from_bodies() -> None:
    program = program_of([(6, []), (4, [1, 6]), (5, [2, -7])], {"n(p)": 4, "e": 5})
    assert rules_in(program) == {(5, (2,)), (6, (3,))}  # 6 is a fact, 7 never holds


def test_rules_that_can_never_fire_are_dropped_and_with_them_what_they_alone_make() -> None:
    program = program_of([(6, []), (7, [1, -6]), (4, [7]), (4, [1]), (5, [8, 2])], {"n(p)": 4, "e": 5})
    assert rules_in(program) == {(5, (2,))}
    assert program.terminal_atom == FALSE


def test_what_follows_from_facts_alone_is_true() -> None:
    program = program_of([(6, []), (7, [6]), (4, [7]), (5, [2, 7])], {"n(p)": 4, "e": 5})
    assert program.next_atoms.tolist() == [TRUE, FALSE]
    assert rules_in(program) == {(5, (3,))}


def test_what_no_output_depends_on_is_left_out() -> None:
    program = program_of([(6, [1]), (7, [6]), (4, [1]), (5, [2])], {"n(p)": 4, "e": 5})
    assert program.num_rules == 2


def test_rules_are_ordered_by_levels_and_what_depends_on_moves_comes_last() -> None:
    ground = [(4, [6, 3]), (6, [7, 1]), (7, [2]), (5, [6, -1])]
    program = program_of(ground, {"n(p)": 4, "e": 5, "s(r,seen)": 6})
    heads = [
        program.rule_head[begin:end].tolist()
        for begin, end in zip(program.stratum_start, program.stratum_start[1:], strict=False)
    ]
    inner, middle, terminal = 8, 7, program.terminal_atom
    assert heads == [[inner], [middle], [terminal], [int(program.next_atoms[0])]]
    assert program.percept_atoms[0].tolist() == [middle]
    assert program.static_strata == 3
    assert not program.stratum_recursive.any()


def test_atoms_that_depend_on_each_other_share_a_stratum_that_is_repeated() -> None:
    program = program_of([(6, [7]), (7, [6]), (6, [1]), (4, [6]), (5, [2])], {"n(p)": 4, "e": 5})
    recursive = np.flatnonzero(program.stratum_recursive)
    assert len(recursive) == 1
    begin, end = program.stratum_start[recursive[0]], program.stratum_start[recursive[0] + 1]
    assert {7, 8} <= set(program.rule_head[begin:end].tolist())
    assert int(program.next_atoms[0]) not in program.rule_head[begin:end]


def test_goal_values_are_numbers_in_order_each_with_its_own_atom() -> None:
    program = program_of([(4, [1]), (5, [2]), (6, [1])], {"n(p)": 4, "e": 5, "g(r,00)": 6})
    assert program.goals == ((0, 1),)
    assert program.goal_atoms[0].tolist() == [7, TRUE]


def test_a_goal_that_is_no_number_is_refused() -> None:
    rules = read_rules("(role r) (init p) (legal r go) (<= (goal r ?x) (true ?x)) (next p) (<= terminal (true p))")
    with pytest.raises(VeilError, match="the goal value p is not a whole number"):
        program_of([], {"g(r,p)": 1, "e": 2}, rules)


def test_moves_and_percepts_of_others_than_roles_are_left_out() -> None:
    program = program_of([(4, [1]), (5, [2])], {"n(p)": 4, "e": 5, "d(q,go)": 9, "s(q,seen)": 8})
    assert program.moves == (("go",),)
    assert program.percepts == ((),)


def test_a_doubt_is_raised_only_where_the_ground_rules_confirm_it() -> None:
    text = "(role r) (init p) (legal r go) (<= (next p) (true p)) (goal r 1) (<= (sees r seen) (does r go))"
    rules = read_rules(text + "(<= terminal (sees r seen))")
    assert [doubt.code for doubt in rules.doubts] == ["depends-on-does"]
    assert program_of([(5, [2])], {"e": 5}, rules).terminal_atom == 5
    with pytest.raises(VeilError, match="`terminal` depends on `does`"):
        program_of([(6, [3]), (5, [6])], {"e": 5, "s(r,seen)": 6}, rules)


def test_arrays_are_read_only() -> None:
    program = program_of([(4, [1]), (5, [2])], {"n(p)": 4, "e": 5})
    arrays = [value for name in program.__slots__ if isinstance(value := getattr(program, name), np.ndarray)]
    assert len(arrays) == 7
    assert not any(values.flags.writeable for values in arrays)
