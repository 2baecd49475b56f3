"""HyperPlay: models that search, go off line and come back; remedies; budgets."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.belief_games import (
    KRIEG,
    PICK,
    SILENT_CHOICE,
    SILOS,
    YOURS,
    assert_same,
    assert_sound,
    everything,
    in_oracle_words,
    infoset,
    is_over,
    monty,
    played,
    tell,
    weights,
)
from tests.support.games import NOTHING, game, remembering_naive
from tests.support.refusals import refused
from veil.belief.contract import NoConsistentHistory
from veil.belief.hyperplay import sampler
from veil.belief.hyperplay.sampler import REMEDIES, HyperPlayBelief
from veil.belief.samplers import make_sampler
from veil.engine.record import Record, encode

QUIET = ("noop", NOTHING)
FOUND = (QUIET, ("noop", frozenset({"found"})))
TAKEN = frozenset({"taken"})
# x has one mark only, and o is told that two cells are taken; by the oracle's test, 19 states are all there are.
IMPOSSIBLE = (YOURS, ("(mark 1 1)", TAKEN), ("(mark 2 2)", TAKEN))


def krieg(**options: Any) -> HyperPlayBelief:
    return HyperPlayBelief(game("krieg_tictactoe").machine, 1, **options)


def silos(models: int, remedy: str) -> HyperPlayBelief:
    belief = HyperPlayBelief(game(SILOS).machine, 1, models=models, remedy=remedy)
    tell(belief, game(SILOS), "ann", (QUIET,) * 2)
    return belief


# Weights


@pytest.mark.compiled("slow as Python", only=("-20",))
@pytest.mark.parametrize("doors", [3, 20])
@pytest.mark.parametrize("remedy", ["weight", "balance"])
def test_the_chosen_door_keeps_its_chance(doors: int, remedy: str) -> None:
    monty_hall = game(f"monty_hall(doors={doors})")
    belief = HyperPlayBelief(monty_hall.machine, 1, models=200, remedy=remedy)
    marginals = everything(tell(belief, monty_hall, "contestant", monty(doors))).with_game(monty_hall).marginals()
    assert marginals["(car 1)"] == pytest.approx(1 / doors, abs=1e-12)
    assert marginals["(car 2)"] == pytest.approx(1 - 1 / doors, abs=1e-12)


def test_models_alone_are_biased() -> None:
    """Half of the models find each door, as `tests/reference/test_beliefs.py` shows; the posterior is 1/3 and 2/3.

    4,000 models: false alarm below 1e-4 for another seed (4 deviations of 0.0079).
    """
    monty_hall = game("monty_hall")
    belief = HyperPlayBelief(monty_hall.machine, 1, models=4000, remedy="none", reseed=False)
    bag = everything(tell(belief, monty_hall, "contestant", monty(3)))
    found, times = belief.counts()
    assert times / times.sum() == pytest.approx([0.5, 0.5], abs=0.032)
    assert times.sum() == 4000
    share = dict(zip(in_oracle_words(monty_hall, found), times.tolist(), strict=True))
    posterior = infoset("monty_hall", "contestant", monty(3))
    total = sum(share[history] * float(posterior[history]) for history in share)
    assert weights(monty_hall, bag) == pytest.approx(
        {history: share[history] * float(posterior[history]) / total for history in share}
    )


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("exact", (1 / 3, 1 / 3, 1 / 3)),
        ("hyperplay:models=4000,reseed=false,remedy=none", (4 / 7, 2 / 7, 1 / 7)),  # the prior squared
        ("hyperplay:models=4000,reseed=false,remedy=weight", (1 / 3, 1 / 3, 1 / 3)),  # all seven are found
        ("particle:particles=4000", (1 / 3, 1 / 3, 1 / 3)),
    ],
)
def test_without_a_remedy_the_prior_counts_twice_even_where_nobody_searches_back(
    spec: str, expected: tuple[float, ...]
) -> None:
    """Seven histories: 1/3, twice 1/6, four times 1/12. Shares of 4,000 models, 5 deviations of at most 0.008."""
    belief = make_sampler(spec, game(SILENT_CHOICE), "ann", count=4000)
    tell(belief, game(SILENT_CHOICE), "ann", (("noop", NOTHING), ("noop", NOTHING)))
    bag = belief.worlds(None, np.random.default_rng(0))
    doors = [game(SILENT_CHOICE).names.move_id(0, f"(hide {door})") for door in (1, 2, 3)]
    shares = [float(bag.weights[bag.histories[:, 0, 0] == door].sum()) for door in doors]
    assert shares == pytest.approx(expected, abs=0.04)


def test_before_anything_is_told_all_models_are_one_world() -> None:
    belief = krieg(models=5)
    assert belief.on_line.all()
    bag = everything(belief)
    assert (len(bag), bag.histories.shape, bag.weights.tolist()) == (1, (1, 0, 2), [1.0])


def test_a_bag_of_fewer_worlds_has_so_many() -> None:
    belief = tell(krieg(models=400), game("krieg_tictactoe"), "oplayer", KRIEG)
    assert len(everything(belief)) == 14
    for count in (1, 5, 13):
        bag = belief.worlds(count, np.random.default_rng(count))
        assert len(bag) == count
        assert bag.weights.sum() == pytest.approx(1)
        assert_sound("krieg_tictactoe", "oplayer", KRIEG, bag)
    assert len(belief.worlds(14, np.random.default_rng(0))) == len(belief.worlds(99, np.random.default_rng(0))) == 14


def test_it_says_what_it_cost() -> None:
    belief = krieg(models=10, reseed=False)
    states = 0
    for told in encode(game("krieg_tictactoe"), Record("oplayer", KRIEG)):
        belief.observe(*told)
        assert (belief.visited >= 1).all()
        states += int(belief.visited.sum())
        bag = everything(belief)
        assert bag.states_visited == belief.states_visited == states
        assert bag.passes > 0
        assert (bag.sampler, bag.exact, bag.size) == ("hyperplay", False, None)


@pytest.mark.compiled("slow as Python")
def test_the_share_of_moves_that_agree_is_that_of_equation_16() -> None:
    """By hand: behind 1, 1 of 2 doors to open agrees; behind 2, 1 of 1; behind 3, 0 of 1.

    On average 4/3 doors per model and half of them agree; 20,000 models are within 4 deviations (false alarm 1e-4).
    """
    monty_hall = game("monty_hall")
    belief = HyperPlayBelief(monty_hall.machine, 1, models=20_000, reseed=False)
    first, second = encode(monty_hall, Record("contestant", monty(3)))
    belief.observe(*first)
    assert (belief.branching, belief.first_time) == (3.0, 1.0)
    belief.observe(*second)
    assert belief.branching == pytest.approx(4 / 3, abs=0.014)
    assert belief.first_time == pytest.approx(1 / 2, abs=0.014)


# Remedies


@pytest.mark.parametrize("remedy", ["none", "weight"])
def test_without_balance_the_short_silo_is_full(remedy: str) -> None:
    """Half of the models have gone left, where there is one history; the others share nine."""
    found, times = silos(1000, remedy).counts()
    assert len(found) == 10
    assert times.max() == pytest.approx(500, abs=65)  # 4 deviations of 16
    assert sorted(times.tolist())[-2] < 120


@pytest.mark.parametrize("models", [10, 20, 100, 1000])
def test_balance_gives_every_history_the_same_number_of_models(models: int) -> None:
    belief = silos(models, "balance")
    _, times = belief.counts()
    assert times.sum() == models
    assert times.max() - times.min() <= (0 if models % len(times) == 0 else 1)


@pytest.mark.parametrize("models", [91, 95])
def test_balance_is_even_when_the_models_do_not_go_round(models: int) -> None:
    _, times = silos(models, "balance").counts()
    assert times.max() - times.min() <= 1


def test_balanced_models_go_on_as_sound_as_before() -> None:
    spec = "krieg_tictactoe(size=3)"
    for seed in range(3):
        record = beliefs.record_of(remembering_naive(spec), played(spec, seed, 7), "oplayer")
        belief = HyperPlayBelief(game(spec).machine, 1, models=40, remedy="balance", seed=seed)
        for rounds, told in enumerate(encode(game(spec), Record("oplayer", record)), 1):
            belief.observe(*told)
            bag = everything(belief)
            assert_sound(spec, "oplayer", record[:rounds], bag)
            assert belief.counts()[1].max() <= -(-40 // len(bag))


def test_balanced_weights_are_the_posterior() -> None:
    assert_same(weights(game(SILOS), everything(silos(300, "balance"))), infoset(SILOS, "ann", (QUIET,) * 2))


# Budgets


def test_a_model_out_of_budget_goes_off_line_and_comes_back() -> None:
    pick = game(PICK)
    for reseed in (False, True):
        belief = HyperPlayBelief(pick.machine, 1, models=50, budget=1, reseed=reseed, seed=3)
        first, second, third = encode(pick, Record("ann", (*FOUND, QUIET)))
        belief.observe(*first)
        assert belief.on_line.all()
        belief.observe(*second)
        if not reseed:
            assert 0 < belief.on_line.sum() < 50  # those that had guessed a at once
        assert_sound(PICK, "ann", FOUND, everything(belief))
        belief.budget = 1000
        belief.observe(*third)
        assert belief.on_line.all()
        assert_sound(PICK, "ann", (*FOUND, QUIET), everything(belief))


def test_a_belief_without_models_on_line_is_lost_for_a_round_and_no_longer() -> None:
    pick = game(PICK)
    belief = HyperPlayBelief(pick.machine, 1, models=1, budget=1, seed=0)
    for seed in range(20):  # one that has not guessed a at once
        belief = HyperPlayBelief(pick.machine, 1, models=1, budget=1, seed=seed)
        tell(belief, pick, "ann", FOUND)
        if not belief.on_line.any():
            break
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert (caught.value.round_number, caught.value.proved) == (2, False)
    belief.budget = 1000
    belief.observe(*encode(pick, Record("ann", (QUIET,)))[0])
    assert_same(weights(pick, everything(belief)), infoset(PICK, "ann", (*FOUND, QUIET)))


@pytest.mark.parametrize("budget", [1, 2, 5, 10])
@pytest.mark.parametrize("reseed", [False, True])
def test_no_model_visits_many_more_states_than_its_budget(budget: int, reseed: bool) -> None:
    """A step is tested as a whole, so that it may be 9 states too late; a clone has its budget once more."""
    belief = krieg(models=50, budget=budget, reseed=reseed)
    record = (*KRIEG, ("(mark 1 2)", TAKEN), ("(mark 3 3)", frozenset({"marked"})))
    for told in encode(game("krieg_tictactoe"), Record("oplayer", record)):
        belief.observe(*told)
        assert belief.visited.max() < (budget + 9) * (1 + sampler.CLONINGS * reseed)


def test_models_that_are_lost_begin_anew_from_those_that_are_not() -> None:
    alone, together = krieg(models=50, budget=3, reseed=False), krieg(models=50, budget=3)
    for belief in (alone, together):
        tell(belief, game("krieg_tictactoe"), "oplayer", KRIEG)
    assert alone.on_line.sum() < 25
    assert together.on_line.sum() > 40
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, everything(together))


@pytest.mark.compiled("slow as Python")
@pytest.mark.slow
def test_a_belief_is_not_lost_while_there_is_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """All five models are clones and find nothing from where they were cut; each may still visit 99,000 states.

    These seeds of games and models, found by trying, are such cases.
    """
    monkeypatch.setattr(sampler, "PATIENCE", 2)
    spec = "krieg_tictactoe(size=3)"
    for game_seed, seed, rounds in [(3, 23, 7), (5, 16, 7), (5, 25, 7), (1, 1, 8)]:
        history = played(spec, game_seed, rounds)
        record, over = beliefs.record_of(remembering_naive(spec), history, "oplayer"), is_over(spec, history)
        belief = HyperPlayBelief(game(spec).machine, 1, models=5, seed=seed)
        assert_sound(spec, "oplayer", record, everything(tell(belief, game(spec), "oplayer", record, over)), over)


# Records that nothing explains


@pytest.mark.parametrize("models", [1, 7, 300])
@pytest.mark.parametrize("reseed", [False, True])
def test_a_record_that_nothing_explains_is_proved_to_be_so(models: int, reseed: bool) -> None:
    belief = krieg(models=models, reseed=reseed)
    with pytest.raises(NoConsistentHistory) as caught:
        tell(belief, game("krieg_tictactoe"), "oplayer", IMPOSSIBLE)
    assert (caught.value.round_number, caught.value.proved) == (3, True)
    assert belief.visited.max() <= 19


def test_clones_can_prove_that_nothing_explains_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampler, "PATIENCE", 2)
    belief = krieg(models=3, seed=4)
    proved = False
    try:
        tell(belief, game("krieg_tictactoe"), "oplayer", (*KRIEG, ("(mark 1 2)", TAKEN), ("(mark 1 3)", TAKEN)))
    except NoConsistentHistory as nothing:
        proved = nothing.proved
    assert proved


def test_a_small_budget_ends_the_search_and_proves_nothing() -> None:
    belief = krieg(models=20, budget=2, reseed=False)
    tell(belief, game("krieg_tictactoe"), "oplayer", IMPOSSIBLE)
    with pytest.raises(NoConsistentHistory) as caught:
        everything(belief)
    assert not caught.value.proved


def test_a_late_proof_names_the_round_that_nothing_explains() -> None:
    longer = (*IMPOSSIBLE, ("(mark 3 3)", TAKEN), ("(mark 1 3)", TAKEN))
    with pytest.raises(NoConsistentHistory) as caught:
        tell(krieg(models=1, budget=5), game("krieg_tictactoe"), "oplayer", longer)
    assert caught.value.proved
    expected = beliefs.first_unexplained_round(remembering_naive("krieg_tictactoe"), "oplayer", longer)
    assert caught.value.round_number == expected == 3


# Arrays


def test_stacks_grow_without_changing_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> tuple[dict[beliefs.History, float], list[int]]:
        belief = tell(krieg(models=30, seed=5), game("krieg_tictactoe"), "oplayer", KRIEG)
        return weights(game("krieg_tictactoe"), everything(belief)), belief.visited.tolist()

    roomy = run()
    monkeypatch.setattr(sampler, "ROOM", 1)
    assert run() == roomy


@pytest.mark.compiled("slow as Python")
def test_long_records_fit() -> None:
    """Longer than the paths are at first."""
    spec = "monty_hall(doors=20)"
    belief = HyperPlayBelief(game(spec).machine, 1, models=20)
    for rounds, told in enumerate(encode(game(spec), Record("contestant", monty(20))), 1):
        belief.observe(*told)
        assert everything(belief).histories.shape[1:] == (rounds, 2)


def test_a_model_does_not_depend_on_how_many_others_there_are() -> None:
    few, many = (krieg(models=models, seed=2, reseed=False) for models in (3, 700))
    for belief in (few, many):
        tell(belief, game("krieg_tictactoe"), "oplayer", KRIEG)
        assert belief.on_line.all()
    assert few.visited.tolist() == many.visited[:3].tolist()


# Options


@pytest.mark.parametrize("name", ["models", "budget"])
@pytest.mark.parametrize("value", [0, -5])
def test_limits_below_one_are_refused(name: str, value: int) -> None:
    assert name in refused("bad-limit", lambda: krieg(**{name: value}))


@pytest.mark.parametrize("remedy", ["", "Weight", "cure", "none "])
def test_unknown_remedies_are_refused(remedy: str) -> None:
    message = refused("unknown-remedy", lambda: krieg(remedy=remedy))
    assert "none, weight, balance" in message


def test_the_remedies_are_those_of_the_article() -> None:
    assert REMEDIES == ("none", "weight", "balance")
