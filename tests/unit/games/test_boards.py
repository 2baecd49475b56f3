"""Boards: how marks and pieces move, and what their owners are told."""

from functools import cache
from itertools import product

import pytest

from tests.reference.naive import NaiveGame
from tests.unit.games.playing import Joint, State, load, play, play_at_random, record, told
from veil.games import instantiate, parse_spec


def most_rounds(spec: str) -> int:
    """An upper bound on the length of any game."""
    name, values = parse_spec(spec)
    if name == "krieg_tictactoe":
        return 2 * values["size"] ** 2  # each player tries each cell once
    if name in ("breakthrough", "blind_breakthrough"):
        pieces = values["width"] * (2 if values["height"] > 4 else 1)
        steps = 2 * pieces * (values["height"] - 1)
        return steps if name == "breakthrough" else steps * (1 + pieces)  # before a step, each piece fails at most once
    return {"tic_tac_toe": 9}[name]


@pytest.mark.parametrize(
    "spec", ["krieg_tictactoe(5)", "blind_breakthrough(3, 5)", "breakthrough(5, 5)", "tic_tac_toe"]
)
def test_a_random_game_ends_within_the_bound_that_its_rules_give(spec: str) -> None:
    for seed in range(3):
        play_at_random(spec, seed, most_rounds(spec))


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
