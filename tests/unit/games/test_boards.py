"""Boards: how marks and pieces move, and what their owners are told."""

import random
from functools import cache
from itertools import product

import pytest

import veil
from tests.reference.naive import NaiveGame
from tests.support.games import naive
from tests.support.naive_play import Joint, State, numbers_of, play, play_at_random, record, told
from veil.games import instantiate


def most_rounds(spec: str) -> int:
    """An upper bound on the length of any game."""
    name, values = numbers_of(spec)
    if name == "krieg_tictactoe":
        return 2 * values["size"] ** 2  # each player tries each cell once
    if name in ("breakthrough", "blind_breakthrough"):
        pieces = values["width"] * (2 if values["height"] > 4 else 1)
        steps = 2 * pieces * (values["height"] - 1)
        return steps if name == "breakthrough" else steps * (1 + pieces)  # before a step, each piece fails at most once
    if name == "connect_four":
        return values["width"] * values["height"]
    if name == "dark_hex":
        return 2 * values["size"] ** 2 - 1  # each player tries each cell once, and the last one only one of them
    if name == "hidden_connect":
        return 2 + 2 * values["size"] ** 2  # the goals; then a mark in every round, on one board at least
    return {"tic_tac_toe": 9, "phantom_tictactoe": 29}[name]


@pytest.mark.gate_cases(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    [
        "krieg_tictactoe(5)",
        "blind_breakthrough(3, 5)",
        "breakthrough(5, 5)",
        "tic_tac_toe",
        "phantom_tictactoe",
        "connect_four(5, 4)",
        "dark_hex(4)",
        "hidden_connect(3, 3)",
    ],
)
def test_a_random_game_ends_within_the_bound_that_its_rules_give(spec: str) -> None:
    for seed in range(3):
        play_at_random(spec, seed, most_rounds(spec))


# Krieg-TicTacToe


def marks(*cells: str) -> list[Joint]:
    """Joint moves from texts like `x11`: xplayer tries column 1, row 1."""
    return [{f"{player}player": f"(mark {x} {y})"} for player, x, y in map(tuple, cells)]


def test_krieg_tictactoe_player_cannot_tell_where_the_opponent_marked() -> None:
    game = naive("krieg_tictactoe")
    replies = ["o" + x + y for x, y in product("123", repeat=2) if x + y != "11"]
    assert len({record(play(game, *marks("x11", reply)), "xplayer") for reply in replies}) == 1


def test_krieg_tictactoe_a_failed_try_is_told_to_the_mover_who_tries_again_elsewhere() -> None:
    game = naive("krieg_tictactoe")
    rounds = play(game, *marks("x11", "o11", "o22", "x33", "o31"))
    assert told(rounds, "oplayer") == ["your_turn", "taken", "marked", "your_turn", "marked"]
    assert told(rounds, "xplayer") == ["marked", "", "your_turn", "marked", "your_turn"]
    assert "(cell 1 1 oplayer)" not in rounds[-1].after
    assert "(mark 1 1)" in rounds[1].legal["oplayer"]
    assert "(mark 1 1)" not in rounds[2].legal["oplayer"] | rounds[4].legal["oplayer"]  # nor in a later turn


def test_krieg_tictactoe_waiting_player_cannot_tell_where_a_try_failed() -> None:
    game = naive("krieg_tictactoe")
    upper, lower = (play(game, *marks("x11", "o22", "x33", tried, "o12")) for tried in ("o11", "o33"))
    assert record(upper, "xplayer") == record(lower, "xplayer")


@pytest.mark.parametrize(("spec", "size"), [("krieg_tictactoe(3)", 3), ("krieg_tictactoe(4)", 4), ("tic_tac_toe", 3)])
def test_full_rows_columns_and_diagonals_win(spec: str, size: int) -> None:
    game, line = naive(spec), range(1, size + 1)
    lines = [[(x, y) for x in line] for y in line] + [[(x, y) for y in line] for x in line]
    lines += [[(x, x) for x in line], [(x, size + 1 - x) for x in line]]
    for places in lines:
        whole = {f"(cell {x} {y} oplayer)" for x, y in places} | {"(control xplayer)"}
        assert game.terminal(whole)
        assert game.goals(whole) == {"xplayer": {"0"}, "oplayer": {"100"}}
        assert not any(game.terminal(whole - {f"(cell {x} {y} oplayer)"}) for x, y in places)


def test_krieg_tictactoe_full_board_without_a_line_is_a_draw() -> None:
    game = naive("krieg_tictactoe")
    final = play(game, *marks("x11", "o22", "x33", "o21", "x23", "o13", "x31", "o32", "x12"))[-1].after
    assert game.terminal(final)
    assert game.goals(final) == {"xplayer": {"50"}, "oplayer": {"50"}}


def test_krieg_tictactoe_without_its_failed_tries_is_tic_tac_toe() -> None:
    assert_same_game_without_failures("krieg_tictactoe", "tic_tac_toe", failure="taken")


def assert_same_game_without_failures(blind: str, plain: str, failure: str) -> None:
    """Random games of `blind` without the tries that were refused are games of `plain` with the same end."""
    hidden, open_game = naive(blind), naive(plain)
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
    return [{{"w": "white", "b": "black"}[side]: f"(move {' '.join(numbers)})"} for side, *numbers in map(tuple, texts)]


def test_blind_breakthrough_player_cannot_tell_what_the_opponent_moved() -> None:
    game = naive("blind_breakthrough(5, 5)")
    replies = game.legal(play(game, *steps("w1213"))[-1].after)["black"]
    fails, captures = "(move 1 4 1 3)", "(move 2 4 1 3)"
    records = {move: record(play(game, *steps("w1213"), {"black": move}), "white") for move in replies}
    silent = {records[move] for move in replies - {fails, captures}}
    assert len(replies) == 13
    assert len(silent) == 1
    assert len({*silent, records[fails], records[captures]}) == 3


def test_blind_breakthrough_a_blocked_step_is_told_to_the_mover_and_not_tried_again_in_this_turn() -> None:
    game = naive("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b1413", "w1213", "w2122", "b2423", "w1223"))
    assert told(rounds, "white") == ["moved", "your_turn", "blocked", "moved", "your_turn", "captured"]
    assert "(move 1 2 1 3)" in rounds[2].legal["white"]
    assert rounds[3].legal["white"] == rounds[2].legal["white"] - {"(move 1 2 1 3)"}
    assert "(move 1 2 1 3)" in rounds[5].legal["white"]
    assert told(rounds, "black")[2] == ""


def test_blind_breakthrough_no_step_is_tried_twice_in_a_turn_however_many_fail() -> None:
    game = naive("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b1413", "w2122", "b2423", "w1213", "w2223", "w1223"))
    assert [entry.legal["white"] for entry in rounds[4:]] == [
        {"(move 1 2 1 3)", "(move 1 2 2 3)", "(move 2 2 1 3)", "(move 2 2 2 3)"},
        {"(move 1 2 2 3)", "(move 2 2 1 3)", "(move 2 2 2 3)"},
        {"(move 1 2 2 3)", "(move 2 2 1 3)"},
    ]
    assert not any("blocked" in fluent for fluent in rounds[-1].after)


def test_blind_breakthrough_a_capture_is_told_to_both() -> None:
    game = naive("blind_breakthrough(2, 4)")
    rounds = play(game, *steps("w1112", "b2423", "w1223"))
    assert rounds[-1].percepts == {"white": {"captured"}, "black": {"your_turn", "(lost 2 3)"}}
    assert cells(rounds[-1].after) == {"(cell 2 1 white)", "(cell 2 3 white)", "(cell 1 4 black)"}
    missed = play(game, *steps("w1112", "b1413", "w1223"))
    assert missed[-1].percepts == {"white": {"moved"}, "black": {"your_turn"}}


def test_blind_breakthrough_whoever_captures_the_last_piece_wins() -> None:
    game = naive("blind_breakthrough(2, 4)")
    before = frozenset({"(cell 1 2 white)", "(cell 2 3 black)", "(control white)"})
    final = game.next(before, {"white": "(move 1 2 2 3)", "black": "noop"})
    assert game.terminal(final)
    assert game.goals(final) == {"white": {"100"}, "black": {"0"}}


def test_blind_breakthrough_never_gets_stuck_in_any_reachable_state_of_the_smallest_board() -> None:
    game = naive("blind_breakthrough(2, 4)")
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
    game = naive(f"{name}({width}, {height})")
    front = 2 if height > 4 else 1
    expected = {
        f"(move {x} {front} {x + side} {front + 1})"
        for x, side in product(range(1, width + 1), (-1, 0, 1))
        if 1 <= x + side <= width
    }
    assert game.legal(game.initial())["white"] == expected


def test_breakthrough_pieces_step_diagonally_or_straight_and_capture_diagonally_only() -> None:
    game = naive("breakthrough(3, 5)")
    state = frozenset({"(cell 2 2 white)", "(cell 1 3 black)", "(cell 2 3 black)", "(control white)"})
    assert game.legal(state)["white"] == {"(move 2 2 1 3)", "(move 2 2 3 3)"}
    after = game.next(state, {"white": "(move 2 2 1 3)", "black": "noop"})
    assert cells(after) == {"(cell 1 3 white)", "(cell 2 3 black)"}
    assert game.legal(after)["black"] == {"(move 2 3 1 2)", "(move 2 3 2 2)", "(move 2 3 3 2)"}


@pytest.mark.parametrize("name", ["breakthrough", "blind_breakthrough"])
def test_breakthrough_has_22_first_moves_on_the_full_board(name: str) -> None:
    """Table 2 of Schofield & Thielscher (2019), first line."""
    game = naive(name)
    assert len(game.legal(game.initial())["white"]) == 22


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "winner"), [("breakthrough(2, 4)", "black"), ("breakthrough(3, 4)", "white")])
def test_breakthrough_on_small_boards_has_the_winner_the_header_names(spec: str, winner: str) -> None:
    game = naive(spec)

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
    game = naive("tic_tac_toe")
    level, counts = {game.initial()}, [1]
    for _ in range(3):
        level = {
            game.next(state, dict(zip(game.roles, moves, strict=True)))
            for state in level
            for moves in product(*(game.legal(state)[role] for role in game.roles))
        }
        counts.append(len(level))
    assert counts == [1, 9, 72, 252]


# Phantom Tic-Tac-Toe

TURN_STARTS = [0, 1, 3, 5, 8, 11, 15, 19, 24]  # turn t takes one round more than the opponent has marks


def phantom(*tries: str) -> list[Joint]:
    """Joint moves from texts like `x11`; a dot is a round in which nobody has a choice."""
    return [{} if text == "." else marks(text)[0] for text in tries]


def test_phantom_tictactoe_waiting_player_cannot_tell_where_or_how_often_a_try_failed() -> None:
    game = naive("phantom_tictactoe")
    opening = phantom("x11", "o22", ".", "x33", ".")
    tries = [["o21", ".", "."], ["o11", "o21", "."], ["o33", "o12", "."], ["o33", "o11", "o32"]]
    assert len({record(play(game, *opening, *phantom(*turn)), "xplayer") for turn in tries}) == 1
    assert len({record(play(game, *opening, *phantom(*turn)), "oplayer") for turn in tries}) == 4


def test_phantom_tictactoe_hides_the_failed_tries_that_a_waiting_krieg_player_counts() -> None:
    one_try, two_tries = ["x11", "o22", "x33"], ["x11", "o11", "o22", "x33"]
    krieg = naive("krieg_tictactoe")
    assert len({record(play(krieg, *marks(*tries)), "xplayer") for tries in (one_try, two_tries)}) == 2
    game = naive("phantom_tictactoe")
    one_try.insert(2, ".")
    assert len({record(play(game, *phantom(*tries)), "xplayer") for tries in (one_try, two_tries)}) == 1


def test_phantom_tictactoe_a_failed_try_is_told_to_the_mover_who_tries_again_elsewhere() -> None:
    game = naive("phantom_tictactoe")
    rounds = play(game, *phantom("x11", "o11", "o22", "x22", "x33", "o33", "o31"))
    assert told(rounds, "oplayer") == ["", "taken", "marked", "", "", "taken", "marked"]
    assert told(rounds, "xplayer") == ["marked", "", "", "taken", "marked", "", ""]
    assert "(cell 1 1 oplayer)" not in rounds[-1].after
    assert "(mark 1 1)" in rounds[1].legal["oplayer"]
    assert "(mark 1 1)" not in rounds[2].legal["oplayer"] | rounds[5].legal["oplayer"]  # nor in a later turn


def test_phantom_tictactoe_every_turn_starts_in_the_same_round_of_every_game() -> None:
    mover_at = {at: "xo"[turn % 2] + "player" for turn, at in enumerate(TURN_STARTS)}
    for seed in range(8):
        rounds = play_at_random("phantom_tictactoe", seed)
        movers = [fluent for entry in rounds for fluent in entry.state if fluent.startswith("(control ")]
        assert movers == [f"(control {mover_at[max(at for at in mover_at if at <= i)]})" for i in range(len(rounds))]
        for at in mover_at:
            if at < len(rounds):
                assert len(rounds[at].legal[mover_at[at]]) > 1 or at == TURN_STARTS[-1]


def test_phantom_tictactoe_without_its_failed_tries_and_waiting_is_tic_tac_toe() -> None:
    open_game, hidden = naive("tic_tac_toe"), naive("phantom_tictactoe")
    for seed in range(8):
        rounds, state = play_at_random("phantom_tictactoe", seed), open_game.initial()
        for entry in rounds:
            if "marked" in entry.percepts["xplayer"] | entry.percepts["oplayer"]:
                assert not open_game.terminal(state)
                assert all(move in open_game.legal(state)[role] for role, move in entry.joint.items())
                state = open_game.next(state, entry.joint)
            assert cells(state) == cells(entry.after)
            assert open_game.terminal(state) == hidden.terminal(entry.after)
        assert open_game.goals(state) == hidden.goals(rounds[-1].after)


# Connect Four


def drops(columns: str) -> list[Joint]:
    """The players drop in turn into these columns."""
    return [{"xo"[turn % 2] + "player": f"(drop {column})"} for turn, column in enumerate(columns)]


def test_connect_four_what_a_role_was_told_determines_the_state() -> None:
    game = naive("connect_four(4, 3)")
    known: dict[tuple, State] = {}
    for seed in range(20):
        rounds = play_at_random("connect_four(4, 3)", seed)
        for length, role in product(range(len(rounds)), game.roles):
            state = rounds[length].state
            assert known.setdefault((role, record(rounds[:length], role)), state) == state


def test_connect_four_marks_fall_on_each_other_until_the_column_is_full() -> None:
    rounds = play(naive("connect_four(4, 3)"), *drops("2221"))
    assert cells(rounds[-1].after) == {
        *("(cell 2 1 xplayer)", "(cell 2 2 oplayer)", "(cell 2 3 xplayer)"),
        "(cell 1 1 oplayer)",
    }
    assert rounds[2].legal["xplayer"] == {"(drop 1)", "(drop 2)", "(drop 3)", "(drop 4)"}
    assert rounds[3].legal["oplayer"] == {"(drop 1)", "(drop 3)", "(drop 4)"}


def test_connect_four_has_69_lines_of_four_on_the_full_board_and_each_wins() -> None:
    """24 across, 21 up, 12 on each diagonal."""
    game, places = naive("connect_four"), set(product(range(1, 8), range(1, 7)))
    lines = [
        [(x + i * dx, y + i * dy) for i in range(4)]
        for (x, y), (dx, dy) in product(places, [(1, 0), (0, 1), (1, 1), (1, -1)])
        if (x + 3 * dx, y + 3 * dy) in places
    ]
    assert len(lines) == 69
    for line in lines:
        whole = {f"(cell {x} {y} oplayer)" for x, y in line} | {"(control xplayer)"}
        assert game.terminal(whole)
        assert game.goals(whole) == {"xplayer": {"0"}, "oplayer": {"100"}}
        assert not game.terminal(whole - {f"(cell {line[1][0]} {line[1][1]} oplayer)"})


def test_connect_four_a_full_board_without_a_line_is_a_draw() -> None:
    game = naive("connect_four(4, 2)")
    final = play(game, *drops("1122334"))[-1].after
    assert game.goals(final) == {"xplayer": {"100"}, "oplayer": {"0"}}
    final = play(game, *drops("11223443"))[-1].after
    assert game.terminal(final)
    assert game.goals(final) == {"xplayer": {"50"}, "oplayer": {"50"}}


# Dark Hex


def stones(*texts: str) -> list[Joint]:
    """Joint moves from texts like `b12`: black tries column 1, row 2."""
    return [{{"b": "black", "w": "white"}[side]: f"(place {x} {y})"} for side, x, y in map(tuple, texts)]


def test_dark_hex_player_cannot_tell_where_the_opponent_placed_or_failed() -> None:
    game = naive("dark_hex(3)")
    replies = ["w" + x + y for x, y in product("123", repeat=2) if x + y != "11"]
    assert len({record(play(game, *stones("b11", reply)), "black") for reply in replies}) == 1
    failed = [play(game, *stones("b11", "w22", "b33", tried, "w12")) for tried in ("w11", "w33")]
    assert record(failed[0], "black") == record(failed[1], "black")
    assert record(failed[0], "white") != record(failed[1], "white")


def test_dark_hex_a_failed_try_is_told_to_the_mover_who_tries_again_elsewhere() -> None:
    rounds = play(naive("dark_hex(3)"), *stones("b11", "w11", "w22", "b33", "w31"))
    assert told(rounds, "white") == ["your_turn", "taken", "placed", "your_turn", "placed"]
    assert told(rounds, "black") == ["placed", "", "your_turn", "placed", "your_turn"]
    assert "(stone 1 1 white)" not in rounds[-1].after
    assert "(place 1 1)" not in rounds[2].legal["white"] | rounds[4].legal["white"]


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        (("b11", "w21", "b12"), "black"),
        (("b21", "w11", "b12"), "black"),  # the short diagonal touches
        (("b11", "w12", "b22", "w21"), "white"),  # the long one does not, and white's short one does
    ],
)
def test_dark_hex_black_connects_rows_and_white_columns(moves: tuple[str, ...], winner: str) -> None:
    game = naive("dark_hex(2)")
    rounds = play(game, *stones(*moves))
    assert game.terminal(rounds[-1].after)
    assert game.goals(rounds[-1].after) == {role: {"100" if role == winner else "0"} for role in game.roles}


def test_dark_hex_every_full_board_has_exactly_one_winner() -> None:
    game, rng = naive("dark_hex(4)"), random.Random(5)
    places, winners = [(x, y) for x in range(1, 5) for y in range(1, 5)], []
    for _ in range(60):
        black = set(rng.sample(places, 8))
        state = {f"(stone {x} {y} {'black' if (x, y) in black else 'white'})" for x, y in places}
        goals = game.goals(state)
        winners.append("black" if reaches_last_row(black, 4) else "white")
        assert goals == {role: {"100" if role == winners[-1] else "0"} for role in game.roles}
    assert set(winners) == {"black", "white"}


def reaches_last_row(own: set[tuple[int, int]], size: int) -> bool:
    waiting = [place for place in own if place[1] == 1]
    reached = set(waiting)
    while waiting:
        x, y = waiting.pop()
        around = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x - 1, y + 1), (x + 1, y - 1)}
        waiting += around & own - reached
        reached |= around & own
    return any(y == size for _, y in reached)


def test_dark_hex_never_gets_stuck_in_any_reachable_state_of_the_smallest_board() -> None:
    states, ends = reachable(naive("dark_hex(2)"))
    assert len(states) == 177
    assert ends


# Hidden Connect


def connect_moves(red_aim: str, blue_aim: str, *pairs: str) -> list[Joint]:
    """The goals, then rounds from texts like `12`: red drops into column 1, blue into 2, who has a dot waits."""
    rounds = [{"random": f"(secret red {red_aim})"}, {"random": f"(secret blue {blue_aim})"}]
    for turn, columns in enumerate(pairs):
        boards = (1, 2) if turn % 2 == 0 else (2, 1)
        chosen = zip(("red", "blue"), boards, columns, strict=True)
        rounds.append({role: f"(drop {board} {column})" for role, board, column in chosen if column != "."})
    return rounds


def test_hidden_connect_players_know_their_own_goal_only_and_see_every_move() -> None:
    game = naive("hidden_connect(4, 3)")
    records = {
        role: {
            aims: record(play(game, *connect_moves(*aims, "12", "34")), role)
            for aims in product(("win", "lose"), repeat=2)
        }
        for role in ("red", "blue")
    }
    for role, own in (("red", 0), ("blue", 1)):
        for one, other in product(records[role], repeat=2):
            assert (records[role][one] == records[role][other]) == (one[own] == other[own])
    moved, elsewhere = (play(game, *connect_moves("win", "win", pair)) for pair in ("12", "13"))
    assert record(moved, "red") != record(elsewhere, "red")


def test_hidden_connect_players_alternate_on_both_boards_and_begin_on_that_of_their_goal() -> None:
    rounds = play(naive("hidden_connect(4, 3)"), *connect_moves("win", "lose", "11", "11", "22"))
    assert [sorted(entry.legal["red"])[0] for entry in rounds[2:]] == ["(drop 1 1)", "(drop 2 1)", "(drop 1 1)"]
    assert [sorted(entry.legal["blue"])[0] for entry in rounds[2:]] == ["(drop 2 1)", "(drop 1 1)", "(drop 2 1)"]
    assert cells(rounds[-1].after) == {
        *("(cell 1 1 1 red)", "(cell 1 1 2 blue)", "(cell 1 2 1 red)"),
        *("(cell 2 1 1 blue)", "(cell 2 1 2 red)", "(cell 2 2 1 blue)"),
    }


@pytest.mark.parametrize(
    ("aims", "goals"),
    [
        (("win", "win"), ("100", "0")),
        (("win", "lose"), ("50", "50")),
        (("lose", "win"), ("50", "50")),
        (("lose", "lose"), ("0", "100")),
    ],
)
def test_hidden_connect_pays_who_alone_fulfils_the_goal(aims: tuple[str, str], goals: tuple[str, str]) -> None:
    """Red makes the line on both boards: the third mark on board 1, then one more on board 2."""
    game = naive("hidden_connect(4, 3)")
    rounds = play(game, *connect_moves(*aims, "11", "24", "21", "24", "34", "2."))
    assert game.terminal(rounds[-1].after)
    assert not game.terminal(rounds[-1].state)
    assert rounds[-1].legal["blue"] == {"noop"}  # its board is closed
    assert game.goals(rounds[-1].after) == {"random": {"0"}, "red": {goals[0]}, "blue": {goals[1]}}


def test_hidden_connect_without_lines_ends_with_full_boards_in_a_draw() -> None:
    game = naive("hidden_connect(2, 3)")
    for seed in range(3):
        rounds = play_at_random("hidden_connect(2, 3)", seed)
        assert len(rounds) == 6
        assert game.goals(rounds[-1].after) == {"random": {"0"}, "red": {"50"}, "blue": {"50"}}


@pytest.mark.parametrize("line", [2, 3, 4])
def test_hidden_connect_lines_run_across_up_and_diagonally(line: int) -> None:
    game, places = naive(f"hidden_connect(4, {line})"), set(product(range(1, 5), repeat=2))
    for (x, y), (dx, dy) in product(places, [(1, 0), (0, 1), (1, 1), (1, -1)]):
        if (x + (line - 1) * dx, y + (line - 1) * dy) in places:
            marks_in_line = [f"(cell 2 {x + i * dx} {y + i * dy} blue)" for i in range(line)]
            assert game.goals({"(aims blue win)", *marks_in_line})["blue"] == {"100"}
            assert game.goals({"(aims blue win)", *marks_in_line[1:]})["blue"] == {"50"}


def test_simultaneous_krieg_a_cell_that_both_try_stays_empty_and_is_closed_to_both_until_a_success() -> None:
    state = veil.load("simultaneous_krieg_tictactoe(size=3, line=3)").initial_state()
    state, seen = state.play({"xplayer": "(mark 1 1)", "oplayer": "(mark 1 1)"})
    assert seen == {"xplayer": ["failed"], "oplayer": ["failed"]}
    assert all("(mark 1 1)" not in state.legal(role) for role in ("xplayer", "oplayer"))
    state, seen = state.play({"xplayer": "(mark 2 2)", "oplayer": "(mark 3 3)"})
    assert seen == {"xplayer": ["marked"], "oplayer": ["marked"]}
    assert all("(mark 1 1)" in state.legal(role) for role in ("xplayer", "oplayer"))
    state, seen = state.play({"xplayer": "(mark 3 3)", "oplayer": "(mark 1 1)"})  # the first is held by oplayer
    assert seen == {"xplayer": ["failed"], "oplayer": ["marked"]}
    assert "(mark 3 3)" not in state.legal("xplayer")
    assert "(mark 2 2)" not in state.legal("xplayer")  # one's own


def test_simultaneous_krieg_two_lines_in_one_round_are_a_draw_and_a_diagonal_is_no_line() -> None:
    start = veil.load("simultaneous_krieg_tictactoe(size=3, line=3)").initial_state()
    state = start
    for x in (1, 2, 3):
        assert not state.is_terminal
        state, _ = state.play({"xplayer": f"(mark {x} 1)", "oplayer": f"(mark {x} 3)"})
    assert state.goals == {"xplayer": 50, "oplayer": 50}
    state = start
    for x, other in ((1, "(mark 1 3)"), (2, "(mark 2 3)"), (3, "(mark 3 1)")):
        state, _ = state.play({"xplayer": f"(mark {x} {x})", "oplayer": other})
    assert not state.is_terminal
