"""Plans: every bundled game gets its boards; tokens and marks lie on grids; cells that cannot be used do not exist."""

from __future__ import annotations

import pytest

from tests.support.archetypes import archetypes_of
from tests.support.games import load_in_words_of_rules
from veil.boards import ViewConfig, ViewPlan, fill_state, plan_views
from veil.games import FAMILIES

QUICK = ViewConfig(games=256)
# What somebody who knows the games expects to see: boards with rows x columns, and badges.
BUNDLED = {
    "matching_pennies": "laid: hand 2x1 | ",
    "biased_rock_paper_scissors": "showed: hand 2x1 | ",
    "biased_penalty_kick": "chose: hand 2x1 | ",
    "prisoners_dilemma": "chose: hand 2x1 | ",
    "non_locality": "chose: hand 2x1 | went start",
    "frank_basin": " | ended in_world node",
    "cutting_wire": " | armed round disarmed told",
    "extended_cutting_wire": " | armed round told disarmed",
    "banker_and_thief": " | faulty stake choosing_bank distributing over robbing stolen",
    "monty_hall": "closed: rack 1x3 | round",
    "exploding_bomb": " | armed round asked disarmed",
    "silos": " | guessed in round took",
    "cooperative_spies": " | armed round disarmed",
    "guess_who": "asked: rack 2x4, secret: hand 2x1 | control drawing winner",
    "mastermind": "code: rack 1x4, in code: rack 1x6, in guess: rack 1x6 | "
    "blacks common place turn failed hiding solved",
    "number_guessing": " | secret turn hiding over right",
    "tic_tac_toe": "cell: grid 3x3 | control",
    "krieg_tictactoe": "cell: grid 3x3 | control",
    "simultaneous_krieg_tictactoe": "cell: grid 4x4 | round",
    "breakthrough": "cell: grid 8x8 | control",
    "blind_breakthrough": "cell: grid 8x8 | control",
    "phantom_tictactoe": "cell: grid 3x3 | control rounds_left turn marked",
    "connect_four": "cell: grid 6x7 | control",
    "dark_hex": "stone: grid 3x3 | control",
    "hidden_connect": "cell 1: grid 4x4, cell 2: grid 4x4, aims: hand 2x1, turn: hand 2x1 | drawing",
    "battleships_in_fog": "ship: grid 5x5 | control placing turn winner",
    "border_protection": "at: grid 5x5 | round caught",
    "transit": "at: grid 5x5 | control turn",
    "battleship": "cell blue: grid 6x6, cell red: grid 6x6 | control phase",
    "ii_goofspiel": "hand: rack 2x4, won: rack 1x4 | round",
    "gops": "score: rack 2x7, hand: hand 2x1 | deck prize step",
    "racko": "rack: rack 2x6 | dealing deck drawn pile turn drawing",
    "kuhn_poker": "holds: hand 2x1 | bet control deal passed over",
    "leduc_poker": "holds: hand 3x1 | control deal folded paid raises round showdown",
    "simple_poker": " | bet control king dealing over",
    "generic_poker": "holds: hand 3x1 | control deal facing folded paid raises round showdown",
    "hold_em_mini": "holds: hand 3x1 | control deal folded paid raises round showdown",
    "liars_dice": "shows: rack 2x6 | control last_bid roll called",
}
MAZE = """(role ann) (role bob) (init (at ann 1 1)) (init (at bob 3 3)) (init (wall_east 2 2)) (init (step 1))
(init (cell 1 1 b)) (init (cell 2 2 gold)) (init (cell 3 3 b)) (init (cell 1 3 b))
(succ 1 2) (succ 2 3)
(<= (legal ?r stay) (role ?r)) (<= (legal ?r go) (role ?r))
(<= (next (at ?r ?x ?y)) (does ?r stay) (true (at ?r ?x ?y)))
(<= (next (at ?r ?x ?z)) (does ?r go) (true (at ?r ?x ?y)) (succ ?y ?z))
(<= (next (at ?r ?x 1)) (does ?r go) (true (at ?r ?x 3)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
(<= (next (wall_east ?x ?y)) (true (wall_east ?x ?y)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= terminal (true (step 3))) (goal ann 50) (goal bob 50)"""


def plan_of(name: str) -> ViewPlan:
    return plan_views(load_in_words_of_rules(name), QUICK)


def describe(plan: ViewPlan) -> str:
    boards = ", ".join(f"{b.title}: {b.kind} {len(b.rows)}x{len(b.columns)}" for b in plan.boards)
    return f"{boards} | {' '.join(badge.title.replace(' ', '_') for badge in plan.badges)}"


def test_every_bundled_game_is_expected_here() -> None:
    assert set(BUNDLED) == set(FAMILIES)


@pytest.mark.parametrize("name", archetypes_of(BUNDLED))
@pytest.mark.compiled("slow as Python")
def test_every_bundled_game_gets_the_boards_that_it_is_played_on(name: str) -> None:
    plan = plan_of(name)
    assert describe(plan) == BUNDLED[name]
    shown = set(plan.spots) | {fluent for badge in plan.badges for fluent in badge.fluents}
    assert shown == set(range(len(plan.game.program.fluents)))  # nothing is left out


def test_walls_tokens_and_pieces_share_one_board() -> None:
    plan = plan_of(MAZE)
    assert describe(plan) == "cell: grid 3x3 | step"
    board = fill_state(plan, plan.game.initial_state()).boards[0]
    pieces = {cell.label: [(piece.label, piece.form) for piece in cell.pieces] for cell in board.cells if cell.pieces}
    assert pieces == {
        "1 1": [("ann", "disc")],
        "2 2": [("gold", "text"), ("wall east", "east")],
        "3 3": [("bob", "disc")],
    }


def test_cells_in_which_nothing_can_be_do_not_exist() -> None:
    plan = plan_of("transit")
    assert int((~plan.boards[0].exists).sum()) == 4  # its obstacles


def test_a_hint_makes_hexagons_and_lays_rows() -> None:
    plan = plan_of("dark_hex")
    board = fill_state(plan, plan.game.initial_state()).boards[0]
    assert (board.shape, board.shift, board.rows) == ("hex", (0.0, 0.5, 1.0), ("1", "2", "3"))


def test_a_hint_hides_a_family_and_gives_signs() -> None:
    plan = plan_of(f"; view: hidden step wall_east\n; view: glyph gold $\n; view: rows cell 1 down\n{MAZE}")
    assert describe(plan) == "cell: grid 3x3 | "
    board = fill_state(plan, plan.game.initial_state()).boards[0]
    assert [piece.glyph for piece in board.cells[4].pieces] == ["$"]
    assert board.cells[2].label == "1 3"  # the first argument numbers the rows


def test_coordinates_that_play_never_reaches_are_left_out() -> None:
    rules = """(role ann) (init (at ann 1 1)) (init (n 0)) (<= (legal ann go) (true (n ?n))) (goal ann 1)
    (<= (next (at ann ?x 1)) (true (at ann ?y 1)) (true (n ?n)) (near ?y ?x))
    (<= (next (at ann 1 2)) (true (at ann 2 1)))
    (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m)) (<= terminal (true (n 3)))
    """ + "\n".join(f"(succ {n} {n + 1}) (near {n} {n + 1})" for n in range(60))
    plan = plan_of(rules)
    sizes = [len(place.values) for entry in plan.families if entry.family.name == "at" for place in entry.family.places]
    assert sizes[1] < 10
