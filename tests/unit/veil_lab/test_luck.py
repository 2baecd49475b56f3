"""The luck of matches: nothing on average, and what is left of goals without it varies less."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from tests.support.games import game
from veil.equilibrium import evaluate_profile, prepare
from veil.match import MatchConfig, MatchLog, Round
from veil_lab.luck import LuckGauge, find_values
from veil_lab.series import play_series

MATCHES = 150


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("spec", ["kuhn_poker", "biased_rock_paper_scissors"])
def test_luck_is_nothing_on_average_and_explains_most_of_what_varies(spec: str) -> None:
    """A mean of luck beyond 5 standard errors has a probability below 1e-6."""
    of = game(spec)
    gauge, roles = LuckGauge(of), [role for role in of.roles if role != "random"]
    series = play_series(of, dict.fromkeys(roles, "oos:iterations=20"), MATCHES, 3, MatchConfig(reports=True))
    for role in roles:
        goals = np.array([log.goals[role] for log in series.logs], float)
        luck = np.array([gauge.measure(log, role) for log in series.logs])
        assert abs(luck.mean()) < 5 * luck.std() / np.sqrt(MATCHES)
        assert (goals - luck).std() < 0.7 * goals.std()


def strategy_of(role: str, own_bids: tuple[str, ...], words: list[str]) -> dict[str, float]:
    """Some strategy that depends on the record of the role alone."""
    rng = np.random.default_rng(list(" ".join((role, *own_bids)).encode()))
    return dict(zip(words, rng.dirichlet(np.ones(len(words))).tolist(), strict=True))


def list_matches(reporting: tuple[str, ...]) -> list[tuple[float, MatchLog]]:
    """All matches of II-Goofspiel with three cards, each with its probability."""
    bids = [f"(bid {number})" for number in range(3)]
    orders = list(permutations(bids))
    matches = []
    for first, second in product(orders, orders):
        chance, rounds = 1.0, []
        for number in range(2):
            reports = {}
            for role, own in (("first", first), ("second", second)):
                told = strategy_of(role, own[:number], sorted(set(bids) - set(own[:number])))
                chance *= told[own[number]]
                reports[role] = {"strategy": told}
            shown = {role: report for role, report in reports.items() if role in reporting}
            rounds.append(Round(moves={"first": first[number], "second": second[number]}, sees={}, reports=shown))
        log = MatchLog(game="", rules="", roles=["first", "second"], players={}, seed=0, settings={}, rounds=rounds)
        matches.append((chance, log))
    return matches


@pytest.mark.parametrize("reporting", [("first", "second"), ("first",), ("second",), ()], ids=str)
def test_the_mean_of_luck_over_all_matches_is_nothing_to_the_last_digit(reporting: tuple[str, ...]) -> None:
    gauge = LuckGauge(game("ii_goofspiel(cards=3, lowest=0)"), iterations=3)
    matches = list_matches(reporting)
    assert sum(chance for chance, _ in matches) == pytest.approx(1.0)
    luck = np.array([gauge.measure(log, "first") for _, log in matches])
    assert abs(luck @ [chance for chance, _ in matches]) < 1e-9
    assert (np.abs(luck).max() > 1) == bool(reporting)


def test_of_moves_that_are_made_at_once_all_is_luck_whoever_is_asked_first() -> None:
    """What is left of the goals is the mean that both strategies have against each other."""
    of = game("biased_rock_paper_scissors")
    gauge, (first, second) = LuckGauge(of, iterations=3), [role for role in of.roles if role != "random"]
    machine, names = of.machine, of.names
    words = [sorted(names.moves[role_id]) for role_id in range(2)]
    told = {first: strategy_of("first", (), words[0]), second: strategy_of("second", (), words[1])}
    left = []
    for moves in product(*words):
        joint = np.array([[names.move_id(role_id, move) for role_id, move in enumerate(moves)]], np.int32)
        goals = machine.goals(machine.step(machine.initial_states(1), joint).states)[0]
        reports = {role: {"strategy": strategy} for role, strategy in told.items()}
        entry = Round(moves=dict(zip((first, second), moves, strict=True)), sees={}, reports=reports)
        log = MatchLog(game="", rules="", roles=[first, second], players={}, seed=0, settings={}, rounds=[entry])
        left.append(float(goals[0]) - gauge.measure(log, first))
    assert np.ptp(left) < 1e-9


def test_without_reports_only_the_cards_are_luck() -> None:
    of = game("kuhn_poker")
    gauge = LuckGauge(of)
    (log,) = play_series(of, {"first": "first", "second": "first"}, 1, 5).logs
    deal = gauge.measure(log, "first") / of.utility.scale
    assert deal == pytest.approx(-gauge.measure(log, "second") / of.utility.scale)
    value = gauge.values[0, 0]
    assert {round(float(entry - value), 9) for entry in gauge.values[1:60, 0]} >= {round(deal, 9)}


def test_values_of_the_root_are_those_of_the_policy() -> None:
    of = game("leduc_poker")
    gauge, prepared = LuckGauge(of, iterations=2), prepare(of)
    sizes = np.diff(gauge.flat.slot_start)
    policy = 1.0 / np.repeat(sizes, sizes)
    np.testing.assert_allclose(find_values(gauge, policy)[0], evaluate_profile(prepared.form, policy).value)
