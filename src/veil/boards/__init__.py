"""Boards for any game, from its rules: the place of every fluent, filled with a state or a belief, as data.

    plan = plan_views(game)                            # once per game: which families of fluents are grids, racks, ...
    scene = fill_state(plan, state)                    # the truth: a `State`, or its fluents as texts
    scene = fill_belief(plan, bag.marginals())         # what a role knows: the probability of every fluent
    choices = place_moves(plan, role, legal)           # legal moves as texts -> cells to click, or buttons
    lines = tell_record(game, record)                  # what a role did and saw, in words, round by round

A `Scene` has `boards` (grids, racks, hands) and `badges` (whose turn it is, counters, flags). A `Board` has rows,
columns and cells, a `Cell` has pieces, a `Piece` has a sign, a colour and a probability. A `Choice` has the move, words
for it, and the names of its cells: none (a button), one (click), two (from and to). All are frozen records; `as_json`
makes plain data of them. A scene shows what it is filled with: fill a role's scene from that role's belief.

Renderers: `render_svg(board, choices)` and `render_badges_svg(badges)` for a browser (`SVG_STYLE` once per page),
`render_text(board, colour=...)` and `render_scene_text(scene, colour=...)` for a terminal.

`orders`, `fluent_families` <- `keys` <- `arrangement` (grid, token, rack, hand, badge) <- `view_plan` (the plan) <-
`grid_placement`, `row_placement` <- `planner`; `fill`, `move_places` (a plan with a state, a belief, moves) -> `scene`
(the records) <- `svg`, `text_boards`. `hints` are optional comments in the rules.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
