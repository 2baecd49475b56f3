"""Variants of rules: which places of a text are changed, and what is refused."""

from functools import partial

from tests.support.planted_game import PLANTED
from tests.support.refusals import refused
from veil.lang import Source
from veil.review.variations import Variation, VariedGame, open_varied, read_variation


def varied(text, *entries):
    return VariedGame(Source("game.kif", text), [read_variation(entry) for entry in entries])


def test_values_are_ranges_steps_and_lists():
    assert read_variation("PRIZE=1..4").values == ("1", "2", "3", "4")
    assert read_variation("pay  win = 10..40..10") == Variation("pay win", ("10", "20", "30", "40"))
    assert read_variation("SIZE=3,5,5,low").values == ("3", "5", "low")
    assert read_variation("n=-2..0").values == ("-2", "-1", "0")


def test_wrong_variations_are_refused():
    for text in ("PRIZE", "=1..3", "PRIZE=", "PRIZE=3..1", "P=1..5..0", "P=1,,2", "P=(a)", "P=1..999999999"):
        refused("bad-vary", partial(read_variation, text))


def test_a_fact_with_one_number_is_a_named_constant():
    game = varied(PLANTED, "limit=3,6")
    assert list(game.settings()) == [("3",), ("6",)]
    changed = game.make_text(("6",))
    assert "(limit 6)" in changed
    assert changed.replace("(limit 6)", "(limit 0)") == PLANTED


def test_words_before_the_number_belong_to_the_name():
    text = "(pay win 5) (pay lose 5)"
    assert varied(text, "pay win=1..3").make_text(("2",)) == "(pay win 2) (pay lose 5)"


def test_a_constant_is_changed_wherever_it_stands_and_comments_are_not():
    text = "; PRIZE\n(role a) (<= (goal a PRIZE) (true (won prize)))"
    assert varied(text, "PRIZE=7").make_text(("7",)) == "; PRIZE\n(role a) (<= (goal a 7) (true (won 7)))"


def test_several_names_are_changed_at_once_and_the_last_changes_fastest():
    game = varied("(low 1) (high 10)", "low=1,200", "high=3,4")
    assert list(game.settings()) == [("1", "3"), ("1", "4"), ("200", "3"), ("200", "4")]
    assert game.make_text(("200", "4")) == "(low 200) (high 4)"


def test_a_family_is_varied_by_its_parameters():
    game = open_varied("ii_goofspiel(cards=3)", [read_variation("cards=3..5")])
    assert game.make_text(("4",)).startswith("ii_goofspiel(cards=4")
    refused("unknown-constant", lambda: open_varied("ii_goofspiel", [read_variation("prize=1..3")]))
    refused("bad-parameter", lambda: open_varied("ii_goofspiel", [read_variation("cards=-1..3")]))


def test_names_that_the_rules_do_not_have_are_refused_with_those_that_can_be_varied():
    problem = refused("unknown-constant", lambda: varied(PLANTED, "limits=1..3"))
    assert "limit" in str(problem)
    refused("bad-vary", lambda: varied("(limit 1) (limit 2)", "limit=1..3"))
    refused("bad-vary", lambda: varied(PLANTED, "limit=1..3", "LIMIT=1..3"))
    refused("bad-vary", lambda: varied(PLANTED, "limit=1..2000", "box 1=1..2000"))
