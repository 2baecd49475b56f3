"""Rules that do not say what a role sees: told, and read as GDL-I, where every role sees all moves."""

from __future__ import annotations

import pytest

from tests.support.managers import STONES
from tests.support.refusals import refused
from veil import run_match
from veil.engine import load, write_statements
from veil.games import FAMILIES
from veil.match import MatchConfig

BLIND = """(role ann) (role bob) (<= (legal ?r (say ?n)) (role ?r) (number ?n)) (number 1) (number 2) (init start)
(<= (next (said ?r ?n)) (does ?r (say ?n))) (<= terminal (true (said ann ?n)))
(<= (goal ?r 100) (role ?r) (true (said ann ?n)) (true (said bob ?n)))"""
CHANCE = STONES.replace("ann", "random")
SEEING = STONES + "(<= (sees ?r (gone ?s)) (role ?r) (does ?q (take ?s)))"


def codes(rules: str, **options: str) -> list[str]:
    return [entry.code for entry in load(rules, **options).readings]  # type: ignore[arg-type]


def test_as_written_nobody_is_told_the_others_moves_and_a_note_says_so() -> None:
    assert codes(STONES) == ["moves-unseen"]
    _, percepts = load(STONES).initial_state().play({"ann": "(take 2)", "bob": "noop"})
    assert percepts == {"ann": [], "bob": []}


@pytest.mark.parametrize("rules", [BLIND, CHANCE, SEEING], ids=["no state", "a role random", "percepts"])
def test_rules_that_need_no_percepts_or_are_surely_gdl2_have_no_note(rules: str) -> None:
    assert codes(rules) == []


def test_no_bundled_game_has_the_note() -> None:
    for family in FAMILIES.values():
        assert "moves-unseen" not in codes(family.sizes()["small"])


def test_read_as_gdl1_every_role_sees_the_moves_of_the_others() -> None:
    assert codes(STONES, sees="moves") == ["moves-seen"]
    _, percepts = load(STONES, sees="moves").initial_state().play({"ann": "(take 2)", "bob": "noop"})
    assert percepts == {"ann": ["(played bob noop)"], "bob": ["(played ann (take 2))"]}
    again = load("\n".join(write_statements(load(STONES, sees="moves"))))
    assert (again.fingerprint, again.readings) == (load(STONES, sees="moves").fingerprint, [])


def test_rules_that_say_what_is_seen_are_not_read_otherwise() -> None:
    refused("bad-sees", lambda: load(SEEING, sees="moves"))
    refused("bad-sees", lambda: load("kuhn_poker", sees="moves"))


@pytest.mark.compiled("plays a match")
def test_a_match_read_as_gdl1_has_no_illegal_move() -> None:
    """As written, a stone that has been taken cannot be told from one that is there."""
    seats = {"ann": "hyperplay:models=20,playouts=20", "bob": "random"}
    seen = [run_match(load(STONES, sees="moves"), seats, seed, MatchConfig()).errors for seed in range(3)]
    assert seen == [{"ann": 0, "bob": 0}] * 3
