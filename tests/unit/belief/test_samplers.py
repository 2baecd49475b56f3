"""`believe`: every sampler on the same records, and what is said about records that nothing explains."""

from __future__ import annotations

import re
from functools import cache, partial

import numpy as np
import pytest

from tests.reference import beliefs
from tests.support.belief_games import KRIEG, STOP, assert_sound, is_over, monty, played, weights
from tests.support.games import NOTHING, OVER_AT_THE_START, game, remembering_naive
from tests.support.refusals import refused
from veil.belief import rejection
from veil.belief.contract import SamplerContext
from veil.belief.exact import ExactBelief
from veil.belief.hyperplay.sampler import HyperPlayBelief
from veil.belief.rejection import RejectionSampler
from veil.belief.samplers import SAMPLERS, believe, make_sampler
from veil.engine.record import Record
from veil.engine.replay import record_of

QUIET = ("noop", NOTHING)
every_sampler = pytest.mark.parametrize("sampler", list(SAMPLERS))


@pytest.fixture
def poor_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random sampling that gives up sooner than it otherwise would."""

    def poor(config: rejection.RandomConfig, setting: SamplerContext) -> RejectionSampler:
        return RejectionSampler(setting.machine, setting.role_id, samples=setting.count, budget=30_000)

    monkeypatch.setattr(rejection, "make_random", poor)


def test_the_samplers_are_these() -> None:
    assert list(SAMPLERS) == ["exact", "random", "hyperplay", "particle", "dfs", "csp", "asp", "auto"]


# What can be


@pytest.mark.compiled("slow as Python", only=("-20",))
@pytest.mark.parametrize(
    ("sampler", "doors"),
    [(sampler, doors) for sampler in SAMPLERS for doors in (3, 20) if (sampler, doors) != ("random", 20)],
)
def test_the_chosen_door_keeps_its_chance(sampler: str, doors: int) -> None:
    """Samples of 4,000; 1/3 deviates by 0.0075 then, and 1/20 by less. At random 20 doors are hopeless: see below."""
    monty_hall = game(f"monty_hall(doors={doors})")
    bag = believe(monty_hall, Record("contestant", monty(doors)), sampler, count=4000)
    margin = 1e-12 if sampler in ("exact", "auto", "hyperplay", "dfs", "asp") else 0.035
    marginals = bag.marginals()
    assert marginals["(car 1)"] == pytest.approx(1 / doors, abs=margin)
    assert marginals["(car 2)"] == pytest.approx(1 - 1 / doors, abs=margin)
    assert bag.weights.sum() == pytest.approx(1)


@pytest.mark.usefixtures("poor_random")
def test_random_sampling_is_hopeless_where_the_record_is_unlikely() -> None:
    record = Record("contestant", monty(20))
    message = refused("belief-lost", lambda: believe(game("monty_hall(doors=20)"), record, "random"))
    assert "random found no history that explains round 19" in message
    assert "exact, hyperplay, particle, dfs, csp, asp, auto" in message


@every_sampler
def test_what_is_found_is_sound_and_repeatable(sampler: str) -> None:
    krieg, record = game("krieg_tictactoe"), Record("oplayer", KRIEG)
    one, two = (believe(krieg, record, sampler, count=60, seed=1) for _ in range(2))
    assert weights(krieg, one) == weights(krieg, two)
    assert_sound("krieg_tictactoe", "oplayer", KRIEG, one)
    if sampler in ("random", "particle", "hyperplay", "csp"):
        assert weights(krieg, believe(krieg, record, sampler, count=9, seed=1)) != weights(
            krieg, believe(krieg, record, sampler, count=9, seed=2)
        )


@every_sampler
def test_at_the_start_there_is_one_world(sampler: str) -> None:
    bag = believe(game("krieg_tictactoe"), Record("oplayer"), sampler)
    assert (len(bag), bag.histories.shape[1]) == (1, 0)
    assert bag.weights == pytest.approx([1.0], abs=1e-12)


@every_sampler
@pytest.mark.parametrize("spec", ["monty_hall", "kuhn_poker", STOP], ids=["monty_hall", "kuhn_poker", "stop"])
def test_finished_games_are_explained(sampler: str, spec: str) -> None:
    history = played(spec, 3)
    joints = [dict(zip(remembering_naive(spec).roles, joint, strict=True)) for joint in history]
    for role in set(remembering_naive(spec).roles) - {"random"}:
        record = record_of(game(spec), role, joints)
        assert record.over
        assert_sound(spec, role, record.rounds, believe(game(spec), record, sampler), over=True)


@every_sampler
def test_a_game_that_is_over_at_the_start_is_explained(sampler: str) -> None:
    record = record_of(game(OVER_AT_THE_START), "ann", [])
    assert len(believe(game(OVER_AT_THE_START), record, sampler)) == 1


def test_auto_exact_and_asp_give_all_worlds_and_the_others_as_many_as_asked_for() -> None:
    krieg, record = game("krieg_tictactoe"), Record("oplayer", KRIEG)
    for sampler in SAMPLERS:
        bag = believe(krieg, record, sampler, count=4)
        assert len(bag) == 14 if sampler in ("exact", "asp", "auto") else len(bag) <= 4


def test_a_role_may_be_spelled_otherwise() -> None:
    assert isinstance(make_sampler("exact", game("monty_hall"), " CONTESTANT "), ExactBelief)
    belief = make_sampler("hyperplay", game("monty_hall"), "contestant", count=7)
    assert isinstance(belief, HyperPlayBelief)
    assert (belief.role, len(belief.visited), belief.rounds) == (1, 7, 0)


@every_sampler
def test_a_record_without_rounds_may_spell_its_role_otherwise(sampler: str) -> None:
    assert len(believe(game("monty_hall"), Record(" CONTESTANT "), sampler)) == 1


# What cannot be


@cache
def first_unexplained_round(spec: str, role: str, record: beliefs.Record, over: bool) -> int | None:
    """What the oracle says."""
    return beliefs.first_unexplained_round(remembering_naive(spec), role, record, over)


@cache
def corrupted(spec: str, seed: int) -> list[tuple[str, beliefs.Record, bool, int]]:
    """(role, record, over, the first round that nothing explains): a game in which a percept was changed or lost."""
    history, found = played(spec, seed, 6), []
    rng = np.random.default_rng(seed)
    for role in sorted(set(remembering_naive(spec).roles) - {"random"}):
        record = beliefs.record_of(remembering_naive(spec), history, role)
        seen = sorted({tuple(sorted(percepts)) for _, percepts in record} | {()})
        for number in range(len(record)):
            percepts = frozenset(seen[int(rng.integers(len(seen)))])
            wrong = (*record[:number], (record[number][0], percepts), *record[number + 1 :])
            first = first_unexplained_round(spec, role, wrong, is_over(spec, history))
            if first is not None:
                found.append((role, wrong, is_over(spec, history), first))
        for over in (not is_over(spec, history),):
            first = first_unexplained_round(spec, role, record, over)
            if first is not None:
                found.append((role, record, over, first))
    return found


CORRUPT = ["monty_hall", "kuhn_poker", "krieg_tictactoe(size=3)", "transit(width=3, height=3)"]
CORRUPT += ["battleships_in_fog(size=2)", "mastermind(pegs=2, colours=3, guesses=2)"]


@pytest.mark.nightly
@pytest.mark.compiled("slow as Python", only=("tictactoe", "battleships", "mastermind"))
@pytest.mark.parametrize("spec", CORRUPT)
@pytest.mark.parametrize("sampler", ["exact", "hyperplay", "dfs", "csp", "csp:lanes=none", "asp", "auto"])
def test_a_corrupt_record_is_unexplained_from_the_round_on_that_the_oracle_names(spec: str, sampler: str) -> None:
    cases = [case for seed in range(3) for case in corrupted(spec, seed)]
    assert len(cases) >= 5
    for role, rounds, over, number in cases:
        record = Record(role, rounds, over)
        ends = not over and first_unexplained_round(spec, role, rounds, True) is None
        if ends:  # it is right as the record of a finished game, and the message says so
            refused("record-of-the-end", partial(believe, game(spec), record, sampler, count=20))
            continue
        message = refused("unexplained", partial(believe, game(spec), record, sampler, count=20))
        named = re.search(r"explains round (\d+)", message)
        assert named is not None
        assert int(named[1]) == number
        assert f"{role} cannot be told `{rounds[number - 1][0]}" in message


@pytest.mark.gate_cases(6)
@pytest.mark.compiled("slow as Python", only=("random-",))
@pytest.mark.parametrize("spec", CORRUPT)
@pytest.mark.parametrize("sampler", ["particle", "random"])
@pytest.mark.usefixtures("poor_random")
def test_a_sampler_that_cannot_prove_it_says_that_it_found_nothing(spec: str, sampler: str) -> None:
    for role, rounds, over, number in corrupted(spec, 0):
        record = Record(role, rounds, over)
        message = refused("belief-lost", partial(believe, game(spec), record, sampler, count=200))
        named = re.search(rf"{sampler} found no history that explains round (\d+)", message)
        assert named is not None
        lost = int(named[1])
        # Particles may die of bad luck before, and never later; random sampling looks at the whole record.
        assert lost <= number if sampler == "particle" else lost == len(rounds)


@pytest.mark.parametrize("sampler", ["exact", "hyperplay", "dfs", "csp", "asp", "auto", "particle"])
def test_own_moves_that_are_not_legal_are_not_explained(sampler: str) -> None:
    for rounds, number in [
        ((("switch", NOTHING),), 1),
        ((("(choose 1)", NOTHING), ("switch", frozenset({"3"}))), 2),
        ((*monty(3), ("(choose 1)", frozenset({"2"}))), 3),
    ]:
        code = "belief-lost" if sampler == "particle" else "unexplained"
        record = Record("contestant", rounds, over=len(rounds) == 3)
        message = refused(code, partial(believe, game("monty_hall"), record, sampler))
        assert f"round {number}" in message


@every_sampler
def test_what_the_rules_do_not_know_is_unexplained_before_anybody_searches(sampler: str) -> None:
    record = Record("contestant", (("(choose 1)", NOTHING), ("noop", frozenset({"goat"}))))
    assert "round 2" in refused("unexplained", lambda: believe(game("monty_hall"), record, sampler))


# Limits


def test_too_many_worlds_for_exact_are_said_with_the_budget_and_the_round() -> None:
    record = Record("oplayer", KRIEG)
    message = refused("infoset-too-large", lambda: believe(game("krieg_tictactoe"), record, "exact:max_worlds=20"))
    assert "more than 20 histories explain round 3" in message
    assert "--sampler auto" in message


@pytest.mark.parametrize("name", ["", "Exact", "psychic", "exact worlds"])
def test_unknown_samplers_are_refused(name: str) -> None:
    for call in (
        lambda: believe(game("monty_hall"), Record("contestant"), name),
        lambda: make_sampler(name, game("monty_hall"), "contestant"),
    ):
        assert "exact, random, hyperplay, particle, dfs, csp, asp, auto" in refused("unknown-sampler", call)


@every_sampler
@pytest.mark.parametrize("count", [0, -1])
def test_less_than_one_sample_is_refused(sampler: str, count: int) -> None:
    refused("bad-limit", lambda: believe(game("monty_hall"), Record("contestant"), sampler, count=count))


def test_unknown_roles_are_refused() -> None:
    refused("unknown-role", lambda: make_sampler("exact", game("monty_hall"), "nobody"))
    refused("unknown-role", lambda: believe(game("monty_hall"), Record("nobody")))


@every_sampler
def test_when_the_time_is_up_it_gives_up(sampler: str) -> None:
    record = Record("oplayer", KRIEG)
    message = refused("belief-lost", lambda: believe(game("krieg_tictactoe"), record, sampler, seconds=1e-9))
    assert "explains round 1" in message
    assert len(believe(game("krieg_tictactoe"), record, sampler, seconds=1000.0)) > 10
