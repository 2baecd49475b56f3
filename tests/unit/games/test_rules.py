"""The bundled rules, played by the naive evaluator: they always go on, end well, and hide what they should."""

import random
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import pytest

from tests.reference.naive import NaiveGame
from veil.games import FAMILIES, instantiate, parse_spec

# Smallest, default, one larger.
SPECS = {
    "monty_hall": ("monty_hall(3)", "monty_hall(7)"),
    "exploding_bomb": ("exploding_bomb",),
    "krieg_tictactoe": ("krieg_tictactoe(3)", "krieg_tictactoe(5)"),
    "blind_breakthrough": ("blind_breakthrough(2, 4)", "blind_breakthrough(8, 8)", "blind_breakthrough(9, 8)"),
    "tic_tac_toe": ("tic_tac_toe",),
    "breakthrough": ("breakthrough(2, 4)", "breakthrough(8, 8)", "breakthrough(9, 8)"),
}
ALL_SPECS = [spec for specs in SPECS.values() for spec in specs]
HIDDEN_SPECS = ["monty_hall(4)", "exploding_bomb", "krieg_tictactoe", "blind_breakthrough(2, 4)"]
PERFECT_SPECS = ["tic_tac_toe", "breakthrough(2, 4)", "breakthrough(3, 5)"]

Joint = dict[str, str]
State = frozenset[str]


class Round(NamedTuple):
    state: State
    legal: dict[str, set[str]]
    joint: Joint
    percepts: dict[str, set[str]]
    after: State


@cache
def load(spec: str) -> NaiveGame:
    return NaiveGame(instantiate(spec).text)


def play_at_random(spec: str, seed: int) -> list[Round]:
    """The rounds of one game, every move drawn uniformly. No role gets stuck, and the game ends in time."""
    game, rng, rounds = load(spec), random.Random(seed), []
    state = game.initial()
    while not game.terminal(state):
        legal = game.legal(state)
        assert all(legal.values())
        joint = {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
        rounds.append(Round(state, legal, joint, game.sees(state, joint), game.next(state, joint)))
        assert len(rounds) <= most_rounds(spec)
        state = rounds[-1].after
    return rounds


def play(game: NaiveGame, *joints: Joint) -> list[Round]:
    """The rounds of these joint moves from the start; a role that is left out plays noop."""
    rounds, state = [], game.initial()
    for moves in joints:
        joint = {role: moves.get(role, "noop") for role in game.roles}
        legal = game.legal(state)
        assert not game.terminal(state)
        assert all(joint[role] in legal[role] for role in game.roles), (joint, legal)
        rounds.append(Round(state, legal, joint, game.sees(state, joint), game.next(state, joint)))
        state = rounds[-1].after
    return rounds


def record(rounds: list[Round], role: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """What the role was told: its own moves and percepts."""
    return tuple((entry.joint[role], frozenset(entry.percepts[role])) for entry in rounds)


def told(rounds: list[Round], role: str) -> list[str]:
    """The percepts of a role, each round's as one text."""
    return [" ".join(sorted(entry.percepts[role])) for entry in rounds]


def most_rounds(spec: str) -> int:
    """An upper bound on the length of any game."""
    name, values = parse_spec(spec)
    if name == "krieg_tictactoe":
        return 2 * values["size"] ** 2  # each player tries each cell once
    if name in ("breakthrough", "blind_breakthrough"):
        pieces = values["width"] * (2 if values["height"] > 4 else 1)
        steps = 2 * pieces * (values["height"] - 1)
        return steps if name == "breakthrough" else steps * (1 + pieces)  # before a step, each piece fails at most once
    return {"monty_hall": values.get("doors", 0), "exploding_bomb": 3, "tic_tac_toe": 9}[name]


# Every family


def test_every_family_is_played_here_at_its_smallest_and_default_size() -> None:
    assert set(SPECS) == set(FAMILIES)
    for name, family in FAMILIES.items():
        played = [parse_spec(spec)[1] for spec in SPECS[name]]
        assert family.defaults() in played
        assert {entry.name: entry.low for entry in family.parameters} in played


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_roles_stand_in_the_order_of_the_catalogue(spec: str) -> None:
    assert tuple(load(spec).roles) == instantiate(spec).family.roles


@pytest.mark.parametrize("spec", ALL_SPECS)
def test_random_games_never_get_stuck_and_end_with_one_goal_per_role(spec: str) -> None:
    game = load(spec)
    for seed in range(2 if most_rounds(spec) > 100 else 5):
        rounds = play_at_random(spec, seed)
        goals = game.goals(rounds[-1].after)
        assert all(len(values) == 1 for values in goals.values())
        assert goals.get("random", {"0"}) == {"0"}


@pytest.mark.parametrize("spec", [spec for spec in ALL_SPECS if "random" not in load(spec).roles])
def test_two_players_share_a_hundred_points_and_take_turns(spec: str) -> None:
    game = load(spec)
    rounds = play_at_random(spec, seed=7)
    assert sum(int(value) for values in game.goals(rounds[-1].after).values() for value in values) == 100
    for entry in rounds:
        assert sum(moves == {"noop"} for moves in entry.legal.values()) == 1


@pytest.mark.parametrize("spec", HIDDEN_SPECS + PERFECT_SPECS)
def test_what_a_player_was_told_determines_its_legal_moves(spec: str) -> None:
    game, known = load(spec), {}
    for seed in range(30):
        rounds = play_at_random(spec, seed)
        for length, role in product(range(len(rounds)), game.roles):
            if role != "random":
                legal = rounds[length].legal[role]
                assert known.setdefault((role, record(rounds[:length], role)), legal) == legal


@pytest.mark.parametrize("spec", PERFECT_SPECS)
def test_with_perfect_information_what_a_role_was_told_determines_the_state(spec: str) -> None:
    game, known = load(spec), {}
    for seed in range(10):
        rounds = play_at_random(spec, seed)
        for length, role in product(range(len(rounds)), game.roles):
            state = rounds[length].state
            assert known.setdefault((role, record(rounds[:length], role)), state) == state
        for entry, (role, other) in product(rounds, [game.roles, game.roles[::-1]]):
            assert entry.percepts[role] == {f"(played {other} {entry.joint[other]})"}


# Monty Hall


def monty_hall_rounds(doors: int, car: int, opened: list[int], last: str = "noop") -> list[Round]:
    """The contestant takes door 1."""
    return play(
        load(f"monty_hall({doors})"),
        {"random": f"(hide_car {car})", "contestant": "(choose 1)"},
        *({"random": f"(open_door {door})"} for door in opened),
        {"contestant": last},
    )


def test_monty_hall_has_the_moves_of_the_article() -> None:
    rounds = monty_hall_rounds(3, car=3, opened=[2])
    assert [entry.legal for entry in rounds] == [
        {
            "random": {"(hide_car 1)", "(hide_car 2)", "(hide_car 3)"},
            "contestant": {"(choose 1)", "(choose 2)", "(choose 3)"},
        },
        {"random": {"(open_door 2)"}, "contestant": {"noop"}},
        {"random": {"noop"}, "contestant": {"noop", "switch"}},
    ]


def test_monty_hall_contestant_cannot_tell_where_the_car_is_before_the_end() -> None:
    behind_other, behind_chosen = (monty_hall_rounds(3, car, opened=[2]) for car in (3, 1))
    assert record(behind_other[:2], "contestant") == record(behind_chosen[:2], "contestant")
    assert told(behind_other, "contestant") == ["", "2", "3"]
    assert told(behind_chosen, "contestant") == ["", "2", "1"]


def test_monty_hall_contestant_sees_which_door_opens() -> None:
    opened_2, opened_3 = (monty_hall_rounds(3, car=1, opened=[door]) for door in (2, 3))
    assert record(opened_2[:1], "contestant") == record(opened_3[:1], "contestant")
    assert record(opened_2[:2], "contestant") != record(opened_3[:2], "contestant")


def test_monty_hall_opened_doors_stay_open_and_switching_takes_the_one_other_door() -> None:
    rounds = monty_hall_rounds(4, car=1, opened=[2, 4], last="switch")
    assert [entry.legal["random"] for entry in rounds[1:3]] == [
        {"(open_door 2)", "(open_door 3)", "(open_door 4)"},
        {"(open_door 3)", "(open_door 4)"},
    ]
    assert rounds[-1].after == {"(car 1)", "(chosen 3)", "(closed 1)", "(closed 3)", "(round 5)"}


@pytest.mark.parametrize("last", ["noop", "switch"])
@pytest.mark.parametrize("doors", [3, 4, 5])
def test_monty_hall_switching_wins_unless_the_first_choice_was_right(doors: int, last: str) -> None:
    game = load(f"monty_hall({doors})")

    def value(state: State) -> Fraction:
        """The contestant's expected goal if door 1 is chosen first and `last` is played last."""
        if game.terminal(state):
            return Fraction(*map(int, game.goals(state)["contestant"]))
        legal = game.legal(state)
        own = next(move for move in (last, "(choose 1)", "noop") if move in legal["contestant"])
        nexts = [value(game.next(state, {"random": move, "contestant": own})) for move in legal["random"]]
        return sum(nexts, Fraction(0)) / len(nexts)

    assert value(game.initial()) == Fraction(100 * (doors - 1 if last == "switch" else 1), doors)


# Exploding Bomb


def bomb_rounds(wire: str, question: str, cut: str) -> list[Round]:
    return play(load("exploding_bomb"), {"random": f"(arm {wire})"}, {"agent": question}, {"agent": f"(cut {cut})"})


def test_exploding_bomb_is_armed_then_asked_about_then_cut() -> None:
    assert [entry.legal for entry in bomb_rounds("red", "ask", "red")] == [
        {"random": {"(arm red)", "(arm blue)"}, "agent": {"noop"}},
        {"random": {"noop"}, "agent": {"ask", "wait"}},
        {"random": {"noop"}, "agent": {"(cut red)", "(cut blue)"}},
    ]


@pytest.mark.parametrize(("question", "right"), [("ask", "90"), ("wait", "100")])
def test_exploding_bomb_pays_for_the_armed_wire_less_the_price_of_asking(question: str, right: str) -> None:
    for wire, cut in product(("red", "blue"), repeat=2):
        final = bomb_rounds(wire, question, cut)[-1].after
        assert load("exploding_bomb").terminal(final)
        assert load("exploding_bomb").goals(final) == {"random": {"0"}, "agent": {right if wire == cut else "0"}}


def test_exploding_bomb_agent_cannot_tell_the_wires_apart_unless_it_asks() -> None:
    red, blue = (bomb_rounds(wire, "wait", "red") for wire in ("red", "blue"))
    assert record(red, "agent") == record(blue, "agent")
    red, blue = (bomb_rounds(wire, "ask", "red") for wire in ("red", "blue"))
    assert record(red[:1], "agent") == record(blue[:1], "agent")
    assert [told(rounds, "agent") for rounds in (red, blue)] == [["", "red", ""], ["", "blue", ""]]


# Krieg-TicTacToe


def marks(*cells: str) -> list[Joint]:
    """Joint moves from texts like `x11`: xplayer tries column 1, row 1."""
    return [{f"{player}player": f"(mark {x} {y})"} for player, x, y in cells]


def test_krieg_tictactoe_player_cannot_tell_where_the_opponent_marked() -> None:
    game = load("krieg_tictactoe")
    replies = ["o" + x + y for x, y in product("123", repeat=2) if x + y != "11"]
    assert len({record(play(game, *marks("x11", reply)), "xplayer") for reply in replies}) == 1


def test_krieg_tictactoe_a_failed_try_is_told_to_the_mover_who_tries_again_elsewhere() -> None:
    game = load("krieg_tictactoe")
    rounds = play(game, *marks("x11", "o11", "o22", "x33", "o31"))
    assert told(rounds, "oplayer") == ["your_turn", "taken", "marked", "your_turn", "marked"]
    assert told(rounds, "xplayer") == ["marked", "", "your_turn", "marked", "your_turn"]
    assert "(cell 1 1 oplayer)" not in rounds[-1].after
    assert "(mark 1 1)" in rounds[1].legal["oplayer"]
    assert "(mark 1 1)" not in rounds[2].legal["oplayer"] | rounds[4].legal["oplayer"]  # nor in a later turn


def test_krieg_tictactoe_waiting_player_cannot_tell_where_a_try_failed() -> None:
    game = load("krieg_tictactoe")
    upper, lower = (play(game, *marks("x11", "o22", "x33", tried, "o12")) for tried in ("o11", "o33"))
    assert record(upper, "xplayer") == record(lower, "xplayer")


@pytest.mark.parametrize(("spec", "size"), [("krieg_tictactoe(3)", 3), ("krieg_tictactoe(4)", 4), ("tic_tac_toe", 3)])
def test_full_rows_columns_and_diagonals_win(spec: str, size: int) -> None:
    game, line = load(spec), range(1, size + 1)
    lines = [[(x, y) for x in line] for y in line] + [[(x, y) for y in line] for x in line]
    lines += [[(x, x) for x in line], [(x, size + 1 - x) for x in line]]
    for places in lines:
        whole = {f"(cell {x} {y} oplayer)" for x, y in places} | {"(control xplayer)"}
        assert game.terminal(whole)
        assert game.goals(whole) == {"xplayer": {"0"}, "oplayer": {"100"}}
        assert not any(game.terminal(whole - {f"(cell {x} {y} oplayer)"}) for x, y in places)


def test_krieg_tictactoe_full_board_without_a_line_is_a_draw() -> None:
    game = load("krieg_tictactoe")
    final = play(game, *marks("x11", "o22", "x33", "o21", "x23", "o13", "x31", "o32", "x12"))[-1].after
    assert game.terminal(final)
    assert game.goals(final) == {"xplayer": {"50"}, "oplayer": {"50"}}


def test_krieg_tictactoe_without_its_failed_tries_is_tic_tac_toe() -> None:
    assert_same_game_without_failures("krieg_tictactoe", "tic_tac_toe", failure="taken")


def assert_same_game_without_failures(blind: str, plain: str, failure: str) -> None:
    """Random games of `blind` without the tries that were refused are games of `plain` with the same end."""
    hidden, open_game = load(blind), load(plain)
    for seed in range(5):
        rounds, state = play_at_random(blind, seed), open_game.initial()
        for entry in rounds:
            mover = next(role for role, moves in entry.legal.items() if moves != {"noop"})
            possible = entry.joint[mover] in open_game.legal(state)[mover]
            assert possible != (failure in entry.percepts[mover])
            state = open_game.next(state, entry.joint) if possible else state
            assert cells(state) == cells(entry.after)
            assert open_game.terminal(state) == hidden.terminal(entry.after)
        assert open_game.goals(state) == hidden.goals(rounds[-1].after)


def cells(state: State) -> set[str]:
    return {fluent for fluent in state if fluent.startswith("(cell ")}


# Blind Breakthrough


def steps(*texts: str) -> list[Joint]:
    """Joint moves from texts like `w1112`: white steps from column 1, row 1 to column 1, row 2."""
    return [{{"w": "white", "b": "black"}[side]: f"(move {' '.join(numbers)})"} for side, *numbers in texts]


def test_blind_breakthrough_player_cannot_tell_what_the_opponent_moved() -> None:
    game = load("blind_breakthrough(5, 5)")
    replies = game.legal(play(game, *steps("w1213"))[-1].after)["black"]
    fails, captures = "(move 1 4 1 3)", "(move 2 4 1 3)"
    records = {move: record(play(game, *steps("w1213"), {"black": move}), "white") for move in replies}
    silent = {records[move] for move in replies - {fails, captures}}
    assert len(replies) == 13
    assert len(silent) == 1
    assert len({*silent, records[fails], records[captures]}) == 3


def test_blind_breakthrough_a_blocked_step_is_told_to_the_mover_and_not_tried_again_in_this_turn() -> None:
    game = load("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b1413", "w1213", "w2122", "b2423", "w1223"))
    assert told(rounds, "white") == ["moved", "your_turn", "blocked", "moved", "your_turn", "captured"]
    assert "(move 1 2 1 3)" in rounds[2].legal["white"]
    assert rounds[3].legal["white"] == rounds[2].legal["white"] - {"(move 1 2 1 3)"}
    assert "(move 1 2 1 3)" in rounds[5].legal["white"]
    assert told(rounds, "black")[2] == ""


def test_blind_breakthrough_no_step_is_tried_twice_in_a_turn_however_many_fail() -> None:
    game = load("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b1413", "w2122", "b2423", "w1213", "w2223", "w1223"))
    assert [entry.legal["white"] for entry in rounds[4:]] == [
        {"(move 1 2 1 3)", "(move 1 2 2 3)", "(move 2 2 1 3)", "(move 2 2 2 3)"},
        {"(move 1 2 2 3)", "(move 2 2 1 3)", "(move 2 2 2 3)"},
        {"(move 1 2 2 3)", "(move 2 2 1 3)"},
    ]
    assert not any("blocked" in fluent for fluent in rounds[-1].after)


def test_blind_breakthrough_a_capture_is_told_to_both() -> None:
    game = load("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b2423", "w1223"))
    assert rounds[-1].percepts == {"white": {"captured"}, "black": {"your_turn", "(lost 2 3)"}}
    assert cells(rounds[-1].after) == {"(cell 2 1 white)", "(cell 2 3 white)", "(cell 1 4 black)"}
    missed = play(game, *steps("w1112", "b1413", "w1223"))
    assert missed[-1].percepts == {"white": {"moved"}, "black": {"your_turn"}}


def test_blind_breakthrough_whoever_captures_the_last_piece_wins() -> None:
    game = load("blind_breakthrough(2, 4)")
    before = frozenset({"(cell 1 2 white)", "(cell 2 3 black)", "(control white)"})
    final = game.next(before, {"white": "(move 1 2 2 3)", "black": "noop"})
    assert game.terminal(final)
    assert game.goals(final) == {"white": {"100"}, "black": {"0"}}


def test_blind_breakthrough_never_gets_stuck_in_any_reachable_state_of_the_smallest_board() -> None:
    game = load("blind_breakthrough(2, 4)")
    states, ends = reachable(game)
    assert len(states) > 300
    assert len(ends) > 50


def test_blind_breakthrough_without_its_blocked_steps_is_breakthrough() -> None:
    assert_same_game_without_failures("blind_breakthrough(4, 5)", "breakthrough(4, 5)", failure="blocked")


def reachable(game: NaiveGame) -> tuple[set[State], set[State]]:
    """All states and those that end the game, each checked for moves and goals."""
    states, ends, waiting = {game.initial()}, set(), [game.initial()]
    while waiting:
        state = waiting.pop()
        if game.terminal(state):
            assert all(len(values) == 1 for values in game.goals(state).values())
            ends.add(state)
            continue
        legal = game.legal(state)
        assert all(legal.values())
        for moves in product(*legal.values()):
            after = game.next(state, dict(zip(legal, moves, strict=True)))
            if after not in states:
                states.add(after)
                waiting.append(after)
    return states, ends


# Breakthrough, Tic-Tac-Toe


@pytest.mark.parametrize(("width", "height"), [(2, 4), (3, 7), (7, 4), (5, 5), (8, 8)])
@pytest.mark.parametrize("name", ["breakthrough", "blind_breakthrough"])
def test_breakthrough_first_moves_stay_on_the_board(name: str, width: int, height: int) -> None:
    game = load(f"{name}({width}, {height})")
    front = 2 if height > 4 else 1
    expected = {
        f"(move {x} {front} {x + side} {front + 1})"
        for x, side in product(range(1, width + 1), (-1, 0, 1))
        if 1 <= x + side <= width
    }
    assert game.legal(game.initial())["white"] == expected


def test_breakthrough_pieces_step_diagonally_or_straight_and_capture_diagonally_only() -> None:
    game = load("breakthrough(3, 5)")
    state = frozenset({"(cell 2 2 white)", "(cell 1 3 black)", "(cell 2 3 black)", "(control white)"})
    assert game.legal(state)["white"] == {"(move 2 2 1 3)", "(move 2 2 3 3)"}
    after = game.next(state, {"white": "(move 2 2 1 3)", "black": "noop"})
    assert cells(after) == {"(cell 1 3 white)", "(cell 2 3 black)"}
    assert game.legal(after)["black"] == {"(move 2 3 1 2)", "(move 2 3 2 2)", "(move 2 3 3 2)"}


@pytest.mark.parametrize("name", ["breakthrough", "blind_breakthrough"])
def test_breakthrough_has_22_first_moves_on_the_full_board(name: str) -> None:
    """Table 2 of Schofield & Thielscher (2019), first line."""
    game = load(name)
    assert len(game.legal(game.initial())["white"]) == 22


@pytest.mark.parametrize(("spec", "winner"), [("breakthrough(2, 4)", "black"), ("breakthrough(3, 4)", "white")])
def test_breakthrough_on_small_boards_has_the_winner_the_header_names(spec: str, winner: str) -> None:
    game = load(spec)

    @cache
    def winner_of(state: State) -> str:
        if game.terminal(state):
            return next(role for role, values in game.goals(state).items() if values == {"100"})
        legal = game.legal(state)
        mover, other = ("white", "black") if legal["black"] == {"noop"} else ("black", "white")
        afters = (game.next(state, {mover: move, other: "noop"}) for move in sorted(legal[mover]))
        return mover if any(winner_of(after) == mover for after in afters) else other

    assert winner_of(game.initial()) == winner
    assert f"{spec[13]}x{spec[16]}" in instantiate(spec).text.split(f"{winner} wins")[1].split("(role")[0]


def test_tic_tac_toe_has_the_known_number_of_states_after_each_of_three_moves() -> None:
    """1, 9, 72, 252 positions: placements of marks in turn, 9!/(x! o! empty!)."""
    game = load("tic_tac_toe")
    level, counts = {game.initial()}, [1]
    for _ in range(3):
        level = {
            game.next(state, dict(zip(game.roles, moves, strict=True)))
            for state in level
            for moves in product(*(game.legal(state)[role] for role in game.roles))
        }
        counts.append(len(level))
    assert counts == [1, 9, 72, 252]
