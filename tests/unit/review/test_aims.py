"""Scores of variants from their facts, by hand."""

from functools import partial

import pytest

from tests.support.refusals import refused
from veil.review.aims import find_noise, read_aim
from veil.review.variant_play import VariantFacts, VariantMatch

EXACT = VariantFacts(
    roles=["a", "b"], exact=True, goals=[52.5, 47.5], length=3.5, luck=0.4, strong=[[70.0, 30.0], [35.0, 65.0]]
)
PLAYED = VariantFacts(
    roles=["a", "b"],
    played=[
        VariantMatch(0, [100.0, 0.0], 2, [[100.0, 0.0], [0.0, 100.0]]),
        VariantMatch(1, [0.0, 100.0], 4, [[100.0, 0.0], [100.0, 0.0]]),
        VariantMatch(2, [100.0, 0.0], 6, [[50.0, 50.0], [50.0, 50.0]]),
    ],
)


def test_scores_of_a_solved_variant_are_exact():
    assert read_aim("fair").judge(EXACT).value == 5.0
    assert read_aim("fair").judge(EXACT).meaning == "52.5 : 47.5"
    assert read_aim("length=3").judge(EXACT).value == 0.5
    assert read_aim("luck=30").judge(EXACT).value == pytest.approx(10.0)
    assert read_aim("skill").judge(EXACT).value == pytest.approx(100 - 35)  # a: 70 - 35, b: 65 - 30
    assert read_aim("fair").judge(EXACT).half is None


def test_scores_of_matches_are_means_with_intervals():
    fair = read_aim("fair").judge(PLAYED)
    assert fair.value == pytest.approx(100 / 3)
    assert fair.half == pytest.approx(286.8, abs=0.1)  # Student, 2 degrees of freedom: 4.3027 * 115.47 / sqrt(3)
    assert read_aim("length=4").judge(PLAYED).value == 0.0
    assert read_aim("skill").judge(PLAYED).value == pytest.approx(100 - (100 + 0 + 0) / 3)
    assert read_aim("luck=30").judge(PLAYED).meaning.startswith("not solved")


def test_noise_of_a_difference():
    one, other = read_aim("fair").judge(PLAYED), read_aim("fair").judge(EXACT)
    assert find_noise(one, other) == one.half


def test_wrong_aims_are_refused():
    for text in ("", "unfair", "fair=3", "length", "length=", "length=x", "length=nan", "luck=-1"):
        refused("bad-aim", partial(read_aim, text))
