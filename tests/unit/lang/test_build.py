"""From the tree to rules: connectives are multiplied out, equations solved, shapes checked."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, strategies as st

from tests.reference.naive import NaiveGame
from tests.support.rule_texts import GAME, builder_of, built, errors_in
from veil import load
from veil.errors import VeilError
from veil.lang.build import MAX_ALTERNATIVES, resolve, unify
from veil.vocabulary import Term, Var

# Statements


def test_a_fact_is_a_rule_without_a_body() -> None:
    assert built("(role x) (p (f a) 1) over") == ["(role x)", "(p (f a) 1)", "over"]


def test_a_rule_may_have_an_empty_body() -> None:
    assert built("(<= (p a)) (<= over)") == ["(p a)", "over"]


def test_a_term_without_arguments_may_stand_in_parentheses() -> None:
    assert built("(over) (<= (end) (over) (not (stopped)) (p (f (a))))") == [
        "over",
        "end <= over, not stopped, (p (f a))",
    ]


def test_one_name_may_have_several_numbers_of_arguments() -> None:
    text = "(p) (p a) (p a b) (<= q p (p a) (p (p a) (p a b)))"
    assert built(text) == ["p", "(p a)", "(p a b)", "q <= p, (p a), (p (p a) (p a b))"]


def test_words_that_differ_only_in_case_are_the_same() -> None:
    assert built("(P ?X) (<= (Q A) (NOT (p a)) (Or (R ?x) (r ?X)))") == [
        "(p ?0)",
        "(q a) <= not (p a), (r ?0)",
        "(q a) <= not (p a), (r ?0)",
    ]


def test_rules_about_displays_are_left_out_and_the_first_is_remembered() -> None:
    builder = builder_of("(p a)\n(<= (sees_xml x (b ?y)) (p ?y))\n(sees_xml x c)")
    assert len(builder.rules) == 1
    assert builder.ignored is not None
    assert builder.source.place(builder.ignored.offset).line == 2


def test_base_and_input_are_read_with_any_number_of_arguments() -> None:
    assert len(built("(base (cell 1)) (<= (input ?r noop) (role ?r)) (base cell 1) (input noop)")) == 4


# Connectives


@pytest.mark.parametrize(
    ("body", "alternatives"),
    [
        ("(and a b c)", ["a, b, c"]),
        ("(and a (and b (and c)))", ["a, b, c"]),
        ("(and)", [""]),
        ("(or a b c)", ["a", "b", "c"]),
        ("(or a)", ["a"]),
        ("(or)", []),
        ("(or a (or b (or c d)))", ["a", "b", "c", "d"]),
        ("a (or b c)", ["a, b", "a, c"]),
        ("(or a b) (or c d)", ["a, c", "a, d", "b, c", "b, d"]),
        ("(or (and a b) (and c d))", ["a, b", "c, d"]),
        ("(and (or a b) c)", ["a, c", "b, c"]),
        ("(not a)", ["not a"]),
        ("(not (not a))", ["a"]),
        ("(not (not (not a)))", ["not a"]),
        ("(not (or a b))", ["not a, not b"]),
        ("(not (and a b))", ["not a", "not b"]),
        ("(not (or (and a b) (not c)))", ["not a, c", "not b, c"]),
        ("(not (and a (not b)))", ["not a", "b"]),
    ],
)
def test_a_body_is_multiplied_out_into_one_rule_per_alternative(body: str, alternatives: list[str]) -> None:
    assert built(f"(<= h {body})") == [f"h <= {text}" if text else "h" for text in alternatives]


Formula = tuple[str, ...] | str
FORMULAS: st.SearchStrategy = st.recursive(
    st.sampled_from("pqrs"),
    lambda inner: (
        st.tuples(st.just("not"), inner)
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: ("and", *parts))
        | st.lists(inner, min_size=1, max_size=3).map(lambda parts: ("or", *parts))
    ),
    max_leaves=9,
)


def holds(formula: Formula, true: frozenset[str]) -> bool:
    """The truth of a formula, by the book."""
    if isinstance(formula, str):
        return formula in true
    connective, *parts = formula
    values = [holds(part, true) for part in parts]
    return {"not": not values[0], "and": all(values), "or": any(values)}[connective]


def as_prefix(formula: Formula) -> str:
    return formula if isinstance(formula, str) else f"({formula[0]} {' '.join(map(as_prefix, formula[1:]))})"


def as_infix(formula: Formula) -> str:
    if isinstance(formula, str):
        return formula
    connective, *parts = formula
    if connective == "not":
        return f"~{as_infix(parts[0])}"
    return "(" + {"and": " & ", "or": " | "}[connective].join(map(as_infix, parts)) + ")"


def worlds() -> Iterator[frozenset[str]]:
    for bits in product([False, True], repeat=4):
        yield frozenset(name for name, bit in zip("pqrs", bits, strict=True) if bit)


@given(FORMULAS)
def test_multiplying_out_any_nesting_keeps_the_truth_table_in_both_notations(formula: Formula) -> None:
    for text, infix in ((f"(<= h {as_prefix(formula)})", False), (f"h :- {as_infix(formula)}.", True)):
        rules = builder_of(text, infix).rules
        for true in worlds():
            fires = any(all((lit.atom in true) == lit.positive for lit in rule.body) for rule in rules)
            assert fires == holds(formula, true)


def test_the_negation_of_a_conjunction_with_variables_of_its_own_says_there_is_none() -> None:
    assert built("(<= (h ?x) (p ?x) (not (and (q ?x ?y) (r ?y))))") == [
        "(all 1 ?0) <= (q ?0 ?1), (r ?1)",
        "(h ?0) <= (p ?0), not (all 1 ?0)",
    ]


def test_the_negation_of_a_conjunction_of_alternatives_has_a_rule_for_each() -> None:
    assert built("(<= h (not (and (p ?x) (or (q ?x) (not (r ?x))))))") == [
        "all 1 <= (p ?0), (q ?0)",
        "all 1 <= (p ?0), not (r ?0)",
        "h <= not all 1",
    ]


def test_negated_conjunctions_nest() -> None:
    assert built("(<= (h ?x) (p ?x) (not (and (q ?x ?y) (not (and (r ?y ?z) (s ?z))))))") == [
        "(all 2 ?0) <= (r ?0 ?1), (s ?1)",
        "(all 1 ?0) <= (q ?0 ?1), not (all 2 ?1)",
        "(h ?0) <= (p ?0), not (all 1 ?0)",
    ]


def test_alternatives_have_a_limit() -> None:
    assert len(built(f"(<= h {'(or a b) ' * 12})")) == 2**12 == MAX_ALTERNATIVES
    with pytest.raises(VeilError, match=r"multiplying out `or` gives more than 4,096 rules"):
        built(f"(<= h {'(or a b) ' * 13})")


# Equations


@pytest.mark.parametrize(
    ("rule", "results"),
    [
        ("(<= (h ?x) (p ?x ?y) (not (distinct ?x ?y)))", ["(h ?0) <= (p ?0 ?0)"]),
        ("(<= (h ?x) (not (distinct ?x a)))", ["(h a)"]),
        ("(<= (h ?x) (p ?y) (not (distinct ?x (f ?y))))", ["(h (f ?0)) <= (p ?0)"]),
        ("(<= (h ?x ?y) (p ?z) (not (distinct (f ?x b) (f a ?y))))", ["(h a b) <= (p ?0)"]),
        ("(<= (h ?x) (p ?x) (not (distinct ?x ?y)) (not (distinct ?y a)))", ["(h a) <= (p a)"]),
        ("(<= h p (not (distinct a a)))", ["h <= p"]),
        ("(<= h p (not (distinct a b)))", []),
        ("(<= h p (not (distinct (f ?x) (g ?x))))", []),
        ("(<= h p (not (distinct (f ?x) (f ?x ?y))))", []),
        ("(<= h (p ?x) (not (distinct ?x (f ?x))))", []),  # no finite term holds itself
        ("(<= h (p ?x) (not (not (distinct ?x a))))", ["h <= (p ?0), (distinct ?0 a)"]),
        ("(<= h (p ?x) (distinct ?x a))", ["h <= (p ?0), (distinct ?0 a)"]),
        ("(<= h p (distinct a b))", ["h <= p"]),
        ("(<= h (p ?x) (distinct (f ?x) (g ?x)))", ["h <= (p ?0)"]),
        ("(<= h (p ?x) (distinct ?x ?x))", []),
        ("(<= h (p ?x) (distinct ?x a) (not (distinct ?x a)))", []),
        ("(<= h (p ?x ?y) (not (or (distinct ?x ?y) (q ?x))))", ["h <= (p ?0 ?0), not (q ?0)"]),
    ],
)
def test_not_distinct_is_an_equation_that_is_solved_or_makes_the_rule_void(rule: str, results: list[str]) -> None:
    assert built(rule) == results


TERMS: st.SearchStrategy = st.recursive(
    st.sampled_from(["a", "b", Var("x"), Var("y"), Var("z")]),
    lambda inner: st.tuples(st.just("f"), inner, inner) | st.tuples(st.just("g"), inner),
    max_leaves=5,
)


@given(TERMS, TERMS)
def test_terms_that_unify_become_equal_and_the_order_does_not_matter(left: Term, right: Term) -> None:
    values: dict[Var, Term] = {}
    possible = unify(left, right, values)
    assert possible == unify(right, left, {})
    if possible:
        assert resolve(left, values) == resolve(right, values)


@given(TERMS)
def test_a_term_unifies_with_itself_and_never_with_one_that_holds_it(term: Term) -> None:
    values: dict[Var, Term] = {}
    assert unify(term, term, values)
    assert values == {}
    assert not unify(term, ("g", term), {})


# Shapes


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        ("(<=)", "rule-without-head", 1),
        ("(<= (goal white 0) (<= a b))", "rule-in-body", 20),
        ("(<= (goal white 0) (not (<= a b)))", "rule-in-body", 25),
        ("(true (step 1))", "keyword-in-head", 1),
        ("(<= (does white noop) (true (step 1)))", "keyword-in-head", 5),
        ("(<= (distinct a b) (true (step 1)))", "keyword-in-head", 5),
        ("(<= (not (true (step 2))) (true (step 1)))", "keyword-in-head", 5),
        ("(<= (or a b) (true (step 1)))", "keyword-in-head", 5),
        ("(role black white)", "wrong-arity", 1),
        ("(<= (next step 1) (true (step 1)))", "wrong-arity", 5),
        ("(<= (legal white) (true (step 1)))", "wrong-arity", 5),
        ("(<= (terminal now) (true (step 1)))", "wrong-arity", 5),
        ("(goal white)", "wrong-arity", 1),
        ("(<= terminal (not))", "connective-arity", 14),
        ("(<= terminal (not a b))", "connective-arity", 14),
        ("(<= terminal a or b)", "connective-arity", 16),
        ("(<= terminal (or a and b))", "connective-arity", 20),
        ("(?x a)", "variable-functor", 1),
        ("(<= (?x a) (p a))", "variable-functor", 5),
        ("(<= terminal ?x)", "variable-functor", 14),
        ("(<= terminal (not (?x a)))", "variable-functor", 19),
        ("(init (p (?f a)))", "variable-functor", 10),
        ("(<= terminal (true (p (?f a))))", "variable-functor", 23),
        ("not", "stray-word", 1),
        ("?x", "stray-word", 1),
    ],
)
def test_a_wrong_shape_is_shown_where_it_is(line: str, code: str, column: int) -> None:
    assert errors_in(GAME + line) == [(code, 8, column)]


def test_all_wrong_statements_are_reported_together_up_to_a_screenful() -> None:
    found = errors_in("(role x)\n" + "(role)\n" * 3)
    assert found == [("wrong-arity", line, 1) for line in (2, 3, 4)]
    found = errors_in("(role x)\n" + "(role)\n" * 7)
    assert found == [*(("wrong-arity", line, 1) for line in range(2, 7)), ("more-errors", 0, 0)]


def test_what_another_alternative_names_is_no_business_of_a_negated_conjunction() -> None:
    """The ?y of the first alternative does not bind the ?y of the second."""
    text = """(role a) (init (e 0)) (legal a m) (goal a 1) (<= terminal (true (e 9)))
    (q 5) (p 1) (k 1 2) (b 3)
    (<= (next (hit ?x)) (p ?x) (or (q ?x) (and (p ?x) (not (and (k ?x ?y) (b ?y))))))
    (<= (next one) (or (q ?y) (and (p ?x) (not (and (k ?x ?y) (b ?y))))))
    (<= (next two) (or (b ?y) (and (p ?x) (not (and (k ?x ?y) (not (b ?y)))))))"""
    state = load(text).initial_state().play({})[0]
    naive = NaiveGame(text)
    assert set(state.fluents) == naive.next(naive.initial(), {"a": "m"})


def test_a_condition_around_a_negated_conjunction_binds_what_only_distinct_asks_for() -> None:
    text = """(role a) (init (e 0)) (legal a m) (goal a 1) (<= terminal (true (e 9))) (q 1) (q 2) (r 2)
    (<= (next (hit ?x)) (q ?x) (not (and (r ?y) (distinct ?x ?y))))"""
    game = load(text)
    assert game.warnings == []
    assert game.initial_state().play({})[0].fluents == ["(hit 2)"]
