"""Conclusions without search: what holds in every answer set of a small program, and nothing else."""

from __future__ import annotations

import random
from itertools import product

import pytest

from veil.belief.asp.atom_definitions import FALSE, TRUE, AtomDefinitions, Bodies


def bodies(*terms: tuple[int, ...]) -> Bodies:
    return frozenset(frozenset(term) for term in terms)


def test_constants_and_single_literals_need_no_atom() -> None:
    program = AtomDefinitions()
    one, two, three = program.add_choice(3)
    assert program.define(bodies()) == FALSE
    assert program.define(bodies((), (one,))) == TRUE
    assert program.define(bodies((-one,))) == -one
    assert program.define(bodies((one,), (-one,))) == TRUE
    assert program.define(bodies((one,), (two,), (three,))) == TRUE  # one of them holds
    assert program.num_atoms == 3


def test_the_same_definition_is_the_same_atom() -> None:
    program = AtomDefinitions()
    one, two, _ = program.add_choice(3)
    assert program.define(bodies((one,), (two,))) == program.define(bodies((two,), (one,))) == 4
    assert len(program.rules) == 2


def test_atoms_of_a_choice_exclude_each_other() -> None:
    program = AtomDefinitions()
    one, two, _ = program.add_choice(3)
    other, _ = program.add_choice(2)
    assert not program.is_possible(frozenset({one, two}))
    assert not program.is_possible(frozenset({other, -other}))
    assert program.is_possible(frozenset({one, other}))
    assert program.is_possible(frozenset({-one, -two}))


def test_the_last_of_a_choice_holds() -> None:
    program = AtomDefinitions()
    one, two, three = program.add_choice(3)
    assert program.assert_literal(-one) == [-one]
    assert program.assert_literal(-three) == [-three, two]
    assert program.open_choices == []


def test_what_contradicts_is_refuted() -> None:
    program = AtomDefinitions()
    one, two = program.add_choice(2)
    program.assert_literal(one)
    program.assert_literal(-two)
    assert [program.is_refuted, *program.assert_literal(two), program.is_refuted] == [False, True]
    program = AtomDefinitions()
    program.assert_literal(FALSE)
    assert program.is_refuted


def test_what_excludes_something_that_holds_is_false() -> None:
    program = AtomDefinitions()
    one, two = program.add_choice(2)
    other, left, right = program.add_choice(3)
    program.forbid(one, other)
    assert set(program.assert_literal(other)) == {other, -left, -right, -one, two}


def answer_sets(choices: list[tuple[int, ...]], defined: dict[int, Bodies]) -> list[dict[int, bool]]:
    """Every way to choose, and what follows, by trying them all. Definitions refer only to atoms before them."""
    found = []
    for chosen in product(*choices):
        holds = {atom: atom in chosen for choice in choices for atom in choice}
        for atom, terms in defined.items():
            holds[atom] = any(all(holds[abs(part)] == (part > 0) for part in term) for term in terms)
        found.append(holds)
    return found


@pytest.mark.parametrize("seed", range(60))
def test_all_that_is_concluded_holds_in_every_answer_set(seed: int) -> None:
    rng, program, defined = random.Random(seed), AtomDefinitions(), dict[int, Bodies]()
    choices = [program.add_choice(rng.randint(2, 4)) for _ in range(3)]
    literals = [atom for choice in choices for atom in choice]
    for _ in range(12):
        terms = [
            frozenset(rng.choice([1, -1]) * part for part in rng.sample(literals, rng.randint(1, 3)))
            for _ in range(rng.randint(1, 3))
        ]
        wanted = frozenset(term for term in terms if program.is_possible(term))
        literal = program.define(wanted)
        if literal == program.num_atoms and literal not in literals:
            defined[literal] = wanted
            literals.append(literal)
        elif abs(literal) != TRUE:
            literals.append(abs(literal))
        else:  # it is the same in all of them
            every = answer_sets(choices, defined | {0: wanted})
            assert {holds[0] for holds in every} == {literal == TRUE}
    left = answer_sets(choices, defined)
    for _ in range(3):
        pair = [rng.choice([1, -1]) * part for part in rng.sample(literals, 2)]
        program.forbid(*pair)
        left = [holds for holds in left if not all(holds[abs(part)] == (part > 0) for part in pair)]
    for _ in range(4):
        asserted = rng.choice([1, -1]) * rng.choice(literals)
        left = [holds for holds in left if holds[abs(asserted)] == (asserted > 0)]
        concluded = program.assert_literal(asserted)
        if program.is_refuted:
            assert left == []
            return
        assert all(holds[abs(literal)] == (literal > 0) for holds in left for literal in concluded)
