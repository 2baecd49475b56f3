"""Small games of theory: payoffs, what is told, and the equilibria that the headers state."""

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from tests.support.games import naive
from tests.support.naive_play import Joint, Round, play, record, told, utility_of

Mix = dict[str, Fraction]


def mix(**parts: int) -> Mix:
    """Probabilities from parts of a whole: mix(left=2, right=3) is 2/5 and 3/5."""
    return {move: Fraction(part, sum(parts.values())) for move, part in parts.items()}


def goals(spec: str, rounds: list[Round]) -> tuple[int, ...]:
    """The goals of all roles but random at the end of a game."""
    game, final = naive(spec), rounds[-1].after
    assert game.terminal(final)
    values = game.goals(final)
    assert all(len(own) == 1 for own in values.values())
    return tuple(int(*own) for role, own in values.items() if role != "random")


# One step, both at once


ONE_STEP = {
    "matching_pennies": {
        ("heads", "heads"): (100, 0),
        ("heads", "tails"): (0, 100),
        ("tails", "heads"): (0, 100),
        ("tails", "tails"): (100, 0),
    },
    "biased_penalty_kick": {
        ("left", "left"): (0, 40),
        ("left", "right"): (40, 0),
        ("right", "left"): (60, 0),
        ("right", "right"): (0, 60),
    },
    "prisoners_dilemma": {
        ("cooperate", "cooperate"): (5, 5),
        ("cooperate", "defect"): (0, 10),
        ("defect", "cooperate"): (10, 0),
        ("defect", "defect"): (1, 1),
    },
    "biased_rock_paper_scissors": {
        ("rock", "rock"): (50, 50),
        ("rock", "paper"): (25, 75),
        ("rock", "scissors"): (100, 0),
        ("paper", "rock"): (75, 25),
        ("paper", "paper"): (50, 50),
        ("paper", "scissors"): (45, 55),
        ("scissors", "rock"): (0, 100),
        ("scissors", "paper"): (55, 45),
        ("scissors", "scissors"): (50, 50),
    },
}


def one_step_goals(spec: str, *moves: str) -> tuple[int, ...]:
    game = naive(spec)
    return goals(spec, play(game, dict(zip(game.roles, moves, strict=True))))


@pytest.mark.parametrize("spec", ONE_STEP)
def test_a_matrix_game_pays_what_its_matrix_says_after_one_round(spec: str) -> None:
    """The matrices are those of the article, and of OpenSpiel's matrix_mp, matrix_brps and matrix_pd."""
    game = naive(spec)
    legal = game.legal(game.initial())
    assert set(product(*(legal[role] for role in game.roles))) == set(ONE_STEP[spec])
    assert {moves: one_step_goals(spec, *moves) for moves in ONE_STEP[spec]} == ONE_STEP[spec]


@pytest.mark.parametrize("spec", ONE_STEP)
def test_nobody_is_told_anything_in_a_matrix_game(spec: str) -> None:
    game = naive(spec)
    for moves in ONE_STEP[spec]:
        (entry,) = play(game, dict(zip(game.roles, moves, strict=True)))
        assert entry.percepts == {role: set() for role in game.roles}


@pytest.mark.parametrize(
    ("spec", "first", "second", "values"),
    [
        ("matching_pennies", mix(heads=1, tails=1), mix(heads=1, tails=1), (50, 50)),
        ("biased_penalty_kick", mix(left=60, right=40), mix(left=40, right=60), (24, 24)),  # of the article
        ("prisoners_dilemma", mix(defect=1), mix(defect=1), (1, 1)),
        (
            "biased_rock_paper_scissors",
            mix(rock=1, paper=10, scissors=5),
            mix(rock=1, paper=10, scissors=5),
            (50, 50),
        ),
    ],
)
def test_the_equilibrium_of_a_matrix_game_leaves_no_role_a_better_move(
    spec: str, first: Mix, second: Mix, values: tuple[int, int]
) -> None:
    rows, columns = ({moves[role] for moves in ONE_STEP[spec]} for role in (0, 1))
    row_values = {m: sum(p * one_step_goals(spec, m, n)[0] for n, p in second.items()) for m in rows}
    column_values = {n: sum(p * one_step_goals(spec, m, n)[1] for m, p in first.items()) for n in columns}
    assert (max(row_values.values()), max(column_values.values())) == values
    assert {row_values[m] for m in first} == {values[0]}
    assert {column_values[n] for n in second} == {values[1]}


def test_utilities_of_the_zero_sum_matrix_games_are_those_of_open_spiel() -> None:
    assert [utility_of("matching_pennies", goal) for goal in (0, 100)] == [-1, 1]
    biased = "biased_rock_paper_scissors"
    goals_of_rock = [one_step_goals(biased, "rock", move)[0] for move in ("paper", "scissors")]
    assert [utility_of(biased, goal) for goal in goals_of_rock] == [
        -25,
        50,
    ]


# Non-locality


def non_locality_rounds(leaf: int, side: str, own: str, answer: str | None = None) -> list[Round]:
    joints: list[Joint] = [{"random": f"(go {side})", "max": own}]
    return play(naive(f"non_locality({leaf})"), *joints, *([{"min": answer}] if answer else []))


def test_non_locality_nobody_sees_where_chance_went_or_what_max_chose() -> None:
    cases = [non_locality_rounds(1, side, own) for side, own in product(("left", "right"), repeat=2)]
    assert {entry.percepts[role] == set() for (entry,) in cases for role in ("max", "min")} == {True}
    assert len({record(non_locality_rounds(1, "right", own), "min") for own in ("left", "right")}) == 1


def test_non_locality_min_answers_only_if_chance_went_right() -> None:
    game = naive("non_locality")
    left, right = (non_locality_rounds(1, side, "left")[-1].after for side in ("left", "right"))
    assert game.terminal(left)
    assert game.legal(right) == {"random": {"noop"}, "max": {"noop"}, "min": {"left", "right"}}


@pytest.mark.parametrize("leaf", [0, 1, 2, 3])
def test_non_locality_pays_the_leaf_or_three_for_equal_moves(leaf: int) -> None:
    paid = {own: worth(leaf, "left", own) for own in ("left", "right")}
    assert paid == {"left": leaf, "right": 0}
    for own, answer in product(("left", "right"), repeat=2):
        assert worth(leaf, "right", own, answer) == (3 if own == answer else 0)


def worth(leaf: int, side: str, own: str, answer: str | None = None) -> Fraction:
    """The utility of Max, which Min loses."""
    spec = f"non_locality({leaf})"
    won, lost = (utility_of(spec, goal) for goal in goals(spec, non_locality_rounds(leaf, side, own, answer)))
    assert won == -lost
    return Fraction(won)


@pytest.mark.parametrize(("leaf", "answers", "value"), [(1, mix(left=1, right=2), 1), (2, mix(left=1, right=5), 1.25)])
def test_non_locality_equilibrium_of_min_depends_on_the_leaf_out_of_its_reach(
    leaf: int, answers: Mix, value: float
) -> None:
    """Section 2.2 of the article: 1/3, 2/3 and 1/6, 5/6."""

    def expected(own: str, answer: str) -> Fraction:
        return (worth(leaf, "left", own) + worth(leaf, "right", own, answer)) / 2

    for own in ("left", "right"):
        assert sum(p * expected(own, answer) for answer, p in answers.items()) == value
    for answer in ("left", "right"):
        assert (expected("left", answer) + expected("right", answer)) / 2 == value


# Frank and Basin's tree


def frank_basin_rounds(world: int, *moves: str) -> list[Round]:
    """Moves at a, at b and at d or e."""
    joints: list[Joint] = [{role: move} for role, move in zip(("first", "second", "first"), moves, strict=False)]
    joints[0]["random"] = f"(world {world})"
    return play(naive("frank_basin"), *joints)


def test_frank_basin_only_the_second_player_sees_the_world() -> None:
    for moves in (("left",), ("left", "left"), ("left", "right")):
        assert len({record(frank_basin_rounds(world, *moves), "first") for world in (1, 2, 3)}) == 1
        assert len({record(frank_basin_rounds(world, *moves), "second") for world in (1, 2, 3)}) == 3


def test_frank_basin_moves_of_players_are_seen() -> None:
    rounds = frank_basin_rounds(2, "left", "right", "left")
    assert told(rounds, "first") == ["", "(played second right)", ""]
    assert told(rounds, "second") == ["(played first left) (world 2)", "", "(played first left)"]


def frank_basin_value(at_d: str, at_e: str) -> Fraction:
    """What the first player gets if it goes on at a and the second player does its best in each world."""
    choices = {"left": at_d, "right": at_e}
    worlds = [
        min(goals("frank_basin", frank_basin_rounds(world, "left", b, last))[0] for b, last in choices.items())
        for world in (1, 2, 3)
    ]
    return Fraction(sum(worlds), 3)


def test_frank_basin_left_is_best_at_d_though_it_pays_in_one_world_of_three() -> None:
    """Section 4.2 of the article: the first player plays left at d, and receives 1 in the first world."""
    at_d = {
        move: [goals("frank_basin", frank_basin_rounds(w, "left", "left", move))[0] for w in (1, 2, 3)]
        for move in SIDES
    }
    assert at_d == {"left": [100, 0, 0], "right": [0, 100, 100]}  # a strict trap: twice as much on average
    values = {(d, e): frank_basin_value(d, e) for d, e in product(SIDES, repeat=2)}
    assert values == {
        ("left", "left"): Fraction(100, 3),
        ("left", "right"): Fraction(50, 3),
        ("right", "left"): 0,
        ("right", "right"): 0,
    }


SIDES = ("left", "right")


def test_frank_basin_giving_up_loses_in_every_world_and_goals_add_up_to_100() -> None:
    assert [goals("frank_basin", frank_basin_rounds(world, "right")) for world in (1, 2, 3)] == [(0, 100)] * 3
    for world, b, last in product((1, 2, 3), SIDES, SIDES):
        assert sum(goals("frank_basin", frank_basin_rounds(world, "left", b, last))) == 100


# Cutting wire


@pytest.mark.parametrize("cost", [1, 10, 49])
@pytest.mark.parametrize("said", ["tell", "wait"])
def test_cutting_wire_pays_for_the_right_wire_less_the_cost_of_telling(cost: int, said: str) -> None:
    spec = f"cutting_wire(cost={cost})"
    for wire, cut in product(("red", "blue"), repeat=2):
        rounds = play(naive(spec), {"random": f"(arm {wire})"}, {"teller": said}, {"cutter": f"(cut {cut})"})
        own = (100 - cost * (said == "tell")) if wire == cut else 0
        assert goals(spec, rounds) == (own, own)
        assert told(rounds, "teller") == [wire, "", ""]
        assert told(rounds, "cutter") == ["", wire if said == "tell" else "", ""]


# Extended cutting wire


def wire_rounds(wire: str, then: str, later: str, cut: str) -> list[Round]:
    return play(
        naive("extended_cutting_wire"),
        {"random": f"(arm {wire})"},
        {"teller": then},
        {"teller": later},
        {"cutter": f"(cut {cut})"},
    )


@pytest.mark.parametrize(
    ("then", "later", "right"),
    [("wait", "wait", 100), ("wait", "tell", 90), ("tell", "wait", 80), ("tell", "tell", 70)],
)
def test_extended_cutting_wire_telling_costs_20_first_and_10_later(then: str, later: str, right: int) -> None:
    for wire, cut in product(("red", "blue"), repeat=2):
        own = right if wire == cut else 0
        assert goals("extended_cutting_wire", wire_rounds(wire, then, later, cut)) == (own, own)


def test_extended_cutting_wire_cutter_knows_the_wire_only_if_it_was_told() -> None:
    for then, later in product(("tell", "wait"), repeat=2):
        red, blue = (wire_rounds(wire, then, later, "red") for wire in ("red", "blue"))
        assert (record(red, "cutter") == record(blue, "cutter")) == (then == later == "wait")


def test_extended_cutting_wire_percepts_are_the_wire_for_the_teller_at_once_and_for_the_cutter_when_told() -> None:
    rounds = wire_rounds("red", "wait", "tell", "red")
    assert told(rounds, "teller") == ["red", "", "", ""]
    assert told(rounds, "cutter") == ["", "", "red", ""]
    assert told(wire_rounds("red", "tell", "tell", "red"), "cutter") == ["", "red", "red", ""]  # the article's example


def test_extended_cutting_wire_silence_that_means_a_wire_beats_telling() -> None:
    game = "extended_cutting_wire"
    assert goals(game, wire_rounds("red", "wait", "wait", "red"))[0] == 100
    assert goals(game, wire_rounds("blue", "wait", "tell", "blue"))[0] == 90  # together 95 on average


# Banker and thief


def bank_rounds(faulty: int, robbed: int, *split: int) -> list[Round]:
    return play(
        naive(f"banker_and_thief({len(split)}, {sum(split)})"),
        {"random": f"(break_alarm {faulty})"},
        {"banker": f"(split {' '.join(map(str, split))})"},
        {"thief": f"(rob {robbed})"},
    )


def bank_goals(faulty: int, robbed: int, *split: int) -> tuple[int, ...]:
    return goals(f"banker_and_thief({len(split)}, {sum(split)})", bank_rounds(faulty, robbed, *split))


def test_banker_and_thief_only_the_banker_sees_which_bank_is_faulty() -> None:
    one, other = (bank_rounds(faulty, 1, 3, 1) for faulty in (1, 2))
    assert record(one, "thief") == record(other, "thief")
    assert [told(rounds, "banker") for rounds in (one, other)] == [["(faulty 1)", "", ""], ["(faulty 2)", "", ""]]


def test_banker_and_thief_the_thief_sees_the_distribution_and_not_before_it_is_made() -> None:
    assert told(bank_rounds(1, 1, 3, 0, 1), "thief") == ["", "(split 3 0 1)", ""]


@pytest.mark.parametrize(("banks", "notes"), [(2, 10), (3, 4), (4, 10)])
def test_banker_and_thief_every_distribution_of_the_notes_is_a_move(banks: int, notes: int) -> None:
    """286 for 4 banks and 10 notes: three bars among thirteen places."""
    rounds = bank_rounds(1, 1, notes, *([0] * (banks - 1)))
    moves = [tuple(map(int, move.strip("()").split()[1:])) for move in rounds[1].legal["banker"]]
    assert len(moves) == len(set(moves)) == comb(notes + banks - 1, banks - 1)
    assert {(len(split), sum(split)) for split in moves} == {(banks, notes)}


def test_banker_and_thief_what_is_in_the_faulty_bank_goes_to_the_thief_if_robbed_and_else_to_the_banker() -> None:
    split = (5, 3, 2)
    for faulty, robbed in product((1, 2, 3), repeat=2):
        stake = 10 * split[faulty - 1]
        assert bank_goals(faulty, robbed, *split) == ((0, stake) if faulty == robbed else (stake, 0))


@pytest.mark.parametrize(("share", "value"), [(5, 25), (4, 24)])
def test_banker_and_thief_halves_are_worth_25_and_forty_to_sixty_24(share: int, value: int) -> None:
    """Section 4.4 of the article: the thief robs so that it does not matter which of the two banks is faulty."""
    split = (share, 10 - share)
    robs = {1: Fraction(share, 10), 2: Fraction(10 - share, 10)}
    assert [sum(p * bank_goals(faulty, bank, *split)[0] for bank, p in robs.items()) for faulty in (1, 2)] == [
        value
    ] * 2
