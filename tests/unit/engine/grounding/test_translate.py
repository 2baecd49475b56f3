"""Rules as clingo reads them, and its symbols as terms again."""

from __future__ import annotations

from hypothesis import given, strategies as st

from tests.support.datalog_texts import rule_of, rules_of
from veil.engine.grounding.translate import CHOICES, SHOWN, Translation
from veil.vocabulary import Term

WORDS = st.text(st.sampled_from("ab(),:-. '\"_9é"), min_size=1, max_size=4)  # clingo must not see any of them
TERMS: st.SearchStrategy[Term] = st.recursive(
    WORDS, lambda inner: st.builds(lambda name, parts: (name, *parts), WORDS, st.lists(inner, min_size=1, max_size=3))
)


def test_a_rule_is_one_rule_with_numbers_for_names() -> None:
    translation = Translation()
    rule = rule_of("(<= (legal ?p (Mark ?x)) (true (cell ?x b)) (not (taken ?x)) (distinct ?x 7) (role ?p))")
    assert translation.rule(rule) == "l(V0,c3(V1)) :- t(c0(V1,c1)), not p9(V1), V1 != c2, r(V0)."
    assert translation.word_list == ["cell", "b", "7", "mark"]


def test_facts_have_no_body_and_atoms_without_arguments_no_parentheses() -> None:
    translation = Translation()
    assert translation.rule(rule_of("(role x)")) == "r(c0)."
    assert translation.rule(rule_of("(<= terminal over (not (over)))")) == "e :- p9, not p9."


def test_one_name_with_different_numbers_of_arguments_is_several_predicates() -> None:
    translation = Translation()
    assert translation.rule(rule_of("(<= (p ?x) (p ?x ?x) p)")) == "p11(V0) :- p9(V0,V0), p10."


def test_the_interface_keeps_its_names() -> None:
    text = """(<= (next ?f) (true ?f)) (<= (sees ?r ?m) (does ?r ?m)) (<= (goal ?r ?v) (worth ?r ?v)) (init f)
    (<= (legal ?r ?m) (move ?r ?m)) (role x) (<= terminal (true f))"""
    names = [Translation().rule(rule).split("(")[0].split(" ")[0] for rule in rules_of(text)]
    assert names == ["n", "s", "g", "i", "l", "r", "e"]


def test_a_program_ends_with_choices_and_with_what_is_shown() -> None:
    lines = Translation().program(rules_of("(role x) (init f)")).splitlines()
    assert lines == ["r(c0).", "i(c1).", CHOICES, SHOWN]
    assert all(f"#show {name}." in SHOWN for name in ("t/1", "d/2", "i/1", "n/1", "l/2", "s/2", "g/2", "e/0", "r/1"))


@given(st.lists(TERMS, min_size=1, max_size=3))
def test_symbols_read_back_as_the_terms_they_were_made_of(terms: list[Term]) -> None:
    translation = Translation()
    symbol = f"l({','.join(translation.term(term, {}) for term in terms)})"
    assert translation.read(symbol) == ("l", tuple(terms))


def test_a_symbol_without_arguments_is_its_name() -> None:
    assert Translation().read("e") == ("e", ())


def test_a_symbol_may_be_very_deep() -> None:
    translation = Translation()
    translation.term(("s", "0"), {})
    _, (term,) = translation.read("t(" + "c0(" * 5000 + "c1" + ")" * 5001)
    depth = 0
    while term != "0":
        assert isinstance(term, tuple)
        (_, term), depth = term, depth + 1
    assert depth == 5000
