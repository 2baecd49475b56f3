"""States, beliefs and matches as boards, for notebooks. A plan for drawing a game is made once per game."""

from __future__ import annotations

from collections.abc import Mapping

from veil.boards import Scene, ViewConfig, ViewPlan, fill_belief, fill_state, plan_views, render_badges_svg, render_svg
from veil.caches import BoundedCache
from veil.engine import Game, State
from veil.errors import VeilError
from veil.match import Match
from veil.notebook.html import clean, paragraph, side_by_side

LOOKING_SECONDS = 1.0  # for a plan

_plans: BoundedCache[str, ViewPlan] = BoundedCache(16)  # by fingerprint of the rules


def show_state(state: State) -> str | None:
    """Return the boards of a state; None for a game that is too large to be drawn."""
    try:
        scene = fill_state(find_plan(state.game), state)
    except VeilError:  # beyond the limits of grounding
        return None
    goals = ", ".join(f"{clean(role)} {goal}" for role, goal in state.goals.items())
    return draw_scene(scene) + (paragraph("the game is over", goals) if state.is_terminal else "")


def show_match(match: Match) -> str | None:
    """Return the boards of the present state, the number of rounds, and whose choice it is."""
    board = show_state(match.state)
    if board is None:
        return None
    turn = "" if match.is_over else f"to choose: {clean(' and '.join(match.turn) or 'chance alone')}"
    return board + paragraph(f"<b>{clean(match.game.name)}</b>", f"{match.round} rounds played", turn)


def draw_belief(game: Game, chances: Mapping[str, float]) -> str:
    """Return the boards of a belief, where pieces are as solid as they are likely; nothing if the game has no board."""
    try:
        return draw_scene(fill_belief(find_plan(game), chances))
    except VeilError:  # beyond the limits of grounding
        return ""


def draw_scene(scene: Scene) -> str:
    """Return all boards and badges of a scene side by side, each with its own style."""
    parts = [render_svg(board, style=True) for board in scene.boards]
    if scene.badges:
        parts.append(render_badges_svg(scene.badges, style=True))
    return side_by_side(parts)


def find_plan(game: Game) -> ViewPlan:
    """Return the plan for drawing a game. The first time it is made from random games, for at most a second."""
    known = _plans.find(game.fingerprint)
    if known is not None:
        return known
    return _plans.keep(game.fingerprint, plan_views(game, ViewConfig(seconds=LOOKING_SECONDS)))
