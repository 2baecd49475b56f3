"""Every family at its small size, played by the naive evaluator: it goes on, ends well, and hides nothing it needs."""

from itertools import product

import pytest

import veil
from tests.support.archetypes import archetypes_of, nightly_but
from tests.support.games import naive
from tests.support.naive_play import play_at_random, record
from veil.engine.simulation import simulate
from veil.equilibrium.tree import expand
from veil.errors import Problem, VeilError
from veil.games import FAMILIES, Family, instantiate
from veil.games.family import COUNTED
from veil.review.playability import judge_soundness

COUNTABLE = 1_000_000  # nodes that a test may expand
SMALL = [family.sizes()["small"] for family in FAMILIES.values()]
LARGER = sorted({spec for family in FAMILIES.values() for spec in family.sizes().values()} - set(SMALL))
LARGE_IN_GATE = ["breakthrough(width=8, height=8)", "racko(slots=6, cards=30)"]
PERFECT = ["tic_tac_toe", "breakthrough(2, 4)", "breakthrough(3, 5)"]


def test_small_and_full_give_every_parameter_a_value_it_may_have() -> None:
    for family in FAMILIES.values():
        for values in (family.small, family.full):
            read = {entry.name: entry.read(str(values[entry.name])) for entry in family.parameters}
            assert read == values, family.name


def test_roles_stand_in_the_order_of_the_catalogue() -> None:
    for spec in SMALL:
        assert tuple(naive(spec).roles) == instantiate(spec).family.roles, spec


@pytest.mark.parametrize("spec", archetypes_of(SMALL))
def test_random_games_never_get_stuck_and_end_with_one_goal_per_role(spec: str) -> None:
    game = naive(spec)
    for seed in range(3):
        rounds = play_at_random(spec, seed)
        goals = game.goals(rounds[-1].after)
        assert all(len(values) == 1 for values in goals.values())
        assert goals.get("random", {"0"}) == {"0"}


@pytest.mark.parametrize("spec", archetypes_of(SMALL))
def test_moves_are_made_as_the_catalogue_says(spec: str) -> None:
    """In turn: never has more than one player a choice, chance aside. Simultaneous: at least once that happens."""
    choosers = [
        sum(len(moves) > 1 for role, moves in entry.legal.items() if role != "random")
        for seed in range(10)
        for entry in play_at_random(spec, seed)
    ]
    assert (max(choosers) > 1) == (instantiate(spec).family.moves == "simultaneous")


@pytest.mark.gate_cases(4)
@pytest.mark.slow
@pytest.mark.parametrize("spec", archetypes_of(SMALL))
def test_what_a_player_was_told_determines_its_legal_moves(spec: str) -> None:
    game = naive(spec)
    known: dict[tuple, object] = {}
    for seed in range(15):
        rounds = play_at_random(spec, seed)
        for length, role in product(range(len(rounds)), game.roles):
            if role != "random":
                legal = rounds[length].legal[role]
                assert known.setdefault((role, record(rounds[:length], role)), legal) == legal


@pytest.mark.parametrize("spec", PERFECT)
def test_with_perfect_information_what_a_role_was_told_determines_the_state(spec: str) -> None:
    game = naive(spec)
    known: dict[tuple, object] = {}
    for seed in range(10):
        rounds = play_at_random(spec, seed)
        for length, role in product(range(len(rounds)), game.roles):
            state = rounds[length].state
            assert known.setdefault((role, record(rounds[:length], role)), state) == state
        for entry, (role, other) in product(rounds, [game.roles, game.roles[::-1]]):
            assert entry.percepts[role] == {f"(played {other} {entry.joint[other]})"}


@pytest.mark.gate_cases(4)
@pytest.mark.slow
@pytest.mark.parametrize("family", archetypes_of(FAMILIES.values()), ids=lambda family: family.name)
def test_the_catalogue_says_how_large_the_whole_game_is(family: Family) -> None:
    game = veil.load(family.name)
    if family.nodes is not None and family.nodes <= COUNTABLE:
        assert expand(game).num_nodes == family.nodes
        return
    with pytest.raises(VeilError, match="the whole game has more than"):
        expand(game, max_nodes=COUNTABLE)
    assert family.nodes is None or COUNTABLE < family.nodes <= COUNTED


@pytest.mark.gate_cases(12)
@pytest.mark.compiled("slow as Python", only=("hold_em_mini", "racko", "tic_tac_toe", "tictactoe"))
@pytest.mark.parametrize("spec", SMALL)
def test_every_family_is_prepared_and_played_without_a_warning(spec: str) -> None:
    play_without_a_warning(spec)


@pytest.mark.gate_cases(1)
@pytest.mark.slow
@pytest.mark.parametrize("spec", nightly_but(LARGE_IN_GATE, LARGER))
def test_larger_games_are_prepared_and_played_without_a_warning(spec: str) -> None:
    play_without_a_warning(spec)


def play_without_a_warning(spec: str) -> None:
    game = veil.load(spec)
    flaws = judge_soundness(game).flaws
    assert [*game.warnings, *flaws] == [] or only_long(flaws)
    found = simulate(game.machine, 256, seed=1, max_rounds=5000)
    assert (found.stuck, found.cut) == (0, 0)


def only_long(flaws: list[Problem]) -> bool:
    """Random games may outlast the patience of the check, which is no flaw."""
    return {flaw.code for flaw in flaws} <= {"never-ends"}
