"""Boards of real rule files that nobody wrote for us, without any hint: is the board the one that is played on?

A picture counts as sensible where a grid has the size that the rules say, every fluent of the initial state is drawn,
and no cell of the grid ever holds more pieces than can be drawn in it. `python -m tests.differential.test_boards`
judges all of them and prints the figure; the test takes those that are quick.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.support.corpus import MISSING, ROOT
from tests.support.grid_games import GRID_GAMES
from veil.boards import Scene, ViewConfig, ViewPlan, fill_state, plan_views
from veil.engine import Game, GroundLimits, load
from veil.errors import VeilError

MAX_DRAWN = 4  # pieces in a cell
LEAST_SHARE = 0.9
QUICK = [
    "gdl1/dresden-minichess-evilconjuncts",
    "gdl1/dresden-quad_5x5",
    "gdl1/dresden-snake_2008",
    "gdl1/ggporg-eotcatcit",
    "gdl1/ggporg-connect4",
    "gdl1/ggporg-crisscross",
    "gdl1/ggporg-ghostMaze2p",
    "gdl2/ggporg-beatMania",
    "gdl2/mck-kriegtictactoe",
    "gdl2/ravoet-ii_transit",
    "gdl2/unsw-HiddenConnect",
    "infix/pyggp-phantom_connect_4_4_4_",
]


def load_game(name: str, seconds: float = 60.0) -> Game:
    (path,) = (path for path in ROOT.glob(f"{name}.*") if path.suffix in (".kif", ".gdl"))
    return load(path, GroundLimits(max_seconds=seconds))


def find_faults(name: str) -> list[str]:
    """What is wrong with the picture of a game; nothing where it is sensible."""
    try:
        game = load_game(name)
        plan = plan_views(game, ViewConfig(games=10_000))
    except VeilError as error:
        return [error.problems[0].code]
    sizes = {tuple(map(len, board.axes)) for board in plan.boards if board.kind == "grid"}
    faults = [] if GRID_GAMES[name] in sizes else [f"no grid of {GRID_GAMES[name]}, but {sizes or 'none'}"]
    scenes = [fill_state(plan, state.fluents) for state in random_states(game)]
    if count_drawn(scenes[0]) + count_blank(plan) < len(game.initial_state().fluents):
        faults.append("something of the initial state is not drawn")
    crowd = max((len(pieces_of(cell)) for scene in scenes for cell in cells_of(scene)), default=0)
    return faults + ([f"{crowd} pieces in a cell"] if crowd > MAX_DRAWN else [])


def random_states(game: Game, rounds: int = 12):
    """The states of a random game, the first ones."""
    rng, state = np.random.default_rng(1), game.initial_state()
    for _ in range(rounds):
        yield state
        if state.is_terminal or not all(state.legal(role) for role in game.roles):
            return
        state, _ = state.play(state.random_joint_move(rng))


def cells_of(scene: Scene):
    return [cell for board in scene.boards if board.kind == "grid" for cell in board.cells]


def pieces_of(cell):
    return [piece for piece in cell.pieces if not piece.is_small]


def count_drawn(scene: Scene) -> int:
    on_boards = sum(len(cell.pieces) for board in scene.boards for cell in board.cells)
    return on_boards + sum(len(badge.pieces) for badge in scene.badges)


def count_blank(plan: ViewPlan) -> int:
    return sum(bool(plan.game.program.initial[fluent]) for fluent in plan.blanks)


@pytest.mark.gate_cases(4)
@MISSING
@pytest.mark.parametrize("name", QUICK)
def test_a_game_of_others_is_drawn_on_the_board_it_is_played_on(name: str) -> None:
    assert find_faults(name) == []


def judge_all() -> float:
    """Print the faults of every game, and the share that has none."""
    faults = {}
    for name in GRID_GAMES:
        faults[name] = find_faults(name)
        print(name, ", ".join(faults[name]) or "ok", flush=True)
    good = sum(not found for found in faults.values())
    share = good / len(faults)
    print(f"{good} of {len(faults)} grid games have a sensible picture: {share:.0%}")
    return share


if __name__ == "__main__":
    sys.exit(judge_all() < LEAST_SHARE)
