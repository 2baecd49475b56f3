"""What is known of a game as a whole: exact where its tree fits, from random games otherwise."""

from __future__ import annotations

import pytest

import veil
from veil.interop.openspiel.facts import find_facts

ENDLESS = """\
(role white)
(init (at 1))
(legal white (go 1))
(legal white (go 2))
(<= (next (at ?n)) (does white (go ?n)))
(<= terminal (true (at 3)))
(goal white 100)
"""


def test_a_small_game_is_known_exactly() -> None:
    facts = find_facts(veil.load("kuhn_poker"))
    assert facts.is_exact
    assert (facts.rounds, facts.decisions, facts.chance_nodes) == (5, 3, 2)
    assert (facts.low, facts.high, facts.kind, facts.total) == (-2.0, 2.0, "zero", 0.0)
    assert not facts.is_open


@pytest.mark.parametrize(
    ("name", "kind", "is_open"),
    [
        ("breakthrough(width=2, height=4)", "zero", True),
        ("frank_basin", "constant", False),
        ("cutting_wire", "identical", False),
        ("prisoners_dilemma", "general", False),
        ("monty_hall", "general", False),
    ],
)
def test_payoffs_and_what_is_hidden_say_what_kind_of_game_it_is(name: str, kind: str, is_open: bool) -> None:
    facts = find_facts(veil.load(name))
    assert (facts.kind, facts.is_open) == (kind, is_open)


def test_a_large_game_is_played_at_random_and_assumed_to_hide_something(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = find_facts(veil.load("kuhn_poker"))
    monkeypatch.setattr("veil.interop.openspiel.facts.MAX_NODES", 10)
    facts = find_facts(veil.load("kuhn_poker"))
    assert not facts.is_exact
    assert facts.rounds == 4 * exact.rounds
    assert (facts.kind, facts.total) == (exact.kind, exact.total)
    assert facts.low <= exact.low
    assert facts.high >= exact.high
    assert find_facts(veil.load("kuhn_poker"), max_rounds=7).rounds == 7


@pytest.mark.compiled("slow as Python")
def test_a_game_without_end_is_refused_unless_somebody_says_how_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.interop.openspiel.facts.MAX_ROUNDS", 50)
    game = veil.load(ENDLESS)
    with pytest.raises(veil.VeilError, match="did not end within 50 rounds"):
        find_facts(game)
    assert find_facts(game, max_rounds=20).rounds == 20


def test_a_chain_that_somebody_may_leave_is_taken_at_its_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its tree grows by two nodes a round, so it is no large one; without a word it is refused as any endless game."""
    monkeypatch.setattr("veil.equilibrium.tree.MAX_ROUNDS", 100)
    chain = veil.load(ENDLESS.replace("(<= terminal (true (at 3)))", "(<= terminal (true (at 2)))"))
    with pytest.raises(veil.VeilError, match="not over after 100 rounds"):
        find_facts(chain)
    assert find_facts(chain, max_rounds=20).decisions == 20


def test_a_game_without_players_is_refused() -> None:
    with pytest.raises(veil.VeilError, match="no role besides random"):
        find_facts(veil.load(ENDLESS.replace("white", "random")))
