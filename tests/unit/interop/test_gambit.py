"""Games as .efg texts: exact numbers, infosets in the order of the text, policies as profiles."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import veil
from veil.equilibrium import uniform_policy
from veil.interop.gambit import round_probabilities, write_efg
from veil.lang.efg.reader import read_tree
from veil.lang.source import Source

PEN = """EFG 2 R "matching_pennies" { "even" "odd" }
p "" 1 1 "start" { "heads" "tails" } 0
p "" 2 1 "start" { "heads" "tails" } 0
t "" 1 "" { 1, -1 }
t "" 2 "" { -1, 1 }
p "" 2 1 "start" { "heads" "tails" } 0
t "" 2 "" { -1, 1 }
t "" 1 "" { 1, -1 }
"""


def test_a_small_game_is_written_as_one_would_by_hand() -> None:
    assert write_efg("matching_pennies") == PEN


def test_chance_is_written_in_fractions_and_infosets_with_their_records() -> None:
    text = write_efg("kuhn_poker")
    assert 'c "" 1 "" { "(deal jack)" 1/3 "(deal king)" 1/3 "(deal queen)" 1/3 } 0' in text
    assert 'p "" 1 1 "noop: (card jack); noop" { "bet" "pass" } 0' in text


def test_payoffs_are_exact_fractions_of_the_utility() -> None:
    text = 'EFG 2 R "" { "A" } p "" 1 1 "" { "x" "y" } 0 t "" 1 "" { 1/3 } t "" 2 "" { -1/7 }'
    assert "{ 1/3 }" in write_efg(veil.load(text))
    assert "{ -1/7 }" in write_efg(veil.load(text))


def test_infosets_are_numbered_per_player_in_the_order_of_the_text() -> None:
    tree = read_tree(Source("game.efg", write_efg("leduc_poker")))
    for player in (1, 2):
        own = [infoset.number for infoset in tree.infosets if infoset.player == player]
        assert own == list(range(1, len(own) + 1))


def test_a_policy_is_a_profile_in_the_comment() -> None:
    solution = veil.solve("kuhn_poker", iterations=100)
    comment = write_efg("kuhn_poker", solution.policy).splitlines()[1]
    numbers = [Fraction(part) for part in comment.strip('"').split(", ")[1:]]
    assert len(numbers) == 24
    assert all(one + two == 1 for one, two in zip(numbers[::2], numbers[1::2], strict=True))
    first = solution.policy.at("first", "noop: (card jack); noop")
    assert first is not None
    assert float(numbers[0]) == pytest.approx(first["bet"], abs=1e-8)


def test_probabilities_add_up_however_they_are_rounded() -> None:
    rows = np.random.default_rng(1).dirichlet(np.ones(7), size=50)
    assert all(sum(round_probabilities(row)) == 1 for row in rows)


def test_a_policy_for_other_rules_is_refused() -> None:
    policy = veil.solve("matching_pennies", iterations=1).policy
    with pytest.raises(veil.VeilError, match="other rules"):
        write_efg("kuhn_poker", policy)


def test_a_game_that_is_too_large_is_refused_with_the_name_of_the_limit() -> None:
    with pytest.raises(veil.VeilError, match="raise --max-nodes"):
        write_efg("leduc_poker", max_nodes=1000, option="--max-nodes")


def test_gambit_finds_the_same_values() -> None:
    gambit = pytest.importorskip("pygambit", reason="pygambit is not installed: only betas of it have wheels")
    solution = veil.solve("kuhn_poker", method="lp")
    game = gambit.read_efg(_file(write_efg("kuhn_poker", solution.policy)))
    assert game.is_perfect_recall
    uniform = game.mixed_behavior_profile(rational=True).payoffs
    assert Fraction(str(uniform["first"])) == Fraction(1, 8)  # by Veil: what uniform play is worth
    form = solution.prepared.form
    assert veil.equilibrium.evaluate_profile(form, uniform_policy(form)).value[0] == pytest.approx(1 / 8)
    numbers = [gambit.Rational(part.strip()) for part in game.description.split(",")[1:]]
    pairs = [list(pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    profile = game.mixed_behavior_profile(data=[pairs[:6], pairs[6:]], rational=True)
    assert float(profile.payoffs["first"]) == pytest.approx(-1 / 18, abs=1e-6)
    assert float(profile.max_regret()) == pytest.approx(0.0, abs=1e-6)


def _file(text: str):
    from io import StringIO

    return StringIO(text)
