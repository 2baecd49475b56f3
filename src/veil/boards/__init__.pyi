from veil.boards.exclusion import watch_exclusion as watch_exclusion
from veil.boards.fill import (
    fill_belief as fill_belief,
    fill_state as fill_state,
    tell_record as tell_record,
)
from veil.boards.looks import in_words as in_words
from veil.boards.move_places import place_moves as place_moves
from veil.boards.planner import ViewConfig as ViewConfig, plan_views as plan_views
from veil.boards.scene import (
    Badge as Badge,
    Board as Board,
    Cell as Cell,
    Choice as Choice,
    Piece as Piece,
    Scene as Scene,
    as_json as as_json,
)
from veil.boards.svg import (
    render_badges_svg as render_badges_svg,
    render_page as render_page,
    render_svg as render_svg,
)
from veil.boards.text_boards import render_scene_text as render_scene_text, render_text as render_text
from veil.boards.tree_drawing import (
    TreeDrawing as TreeDrawing,
    check_suffix as check_suffix,
    draw as draw,
    draw_tree as draw_tree,
    find_roots as find_roots,
)
from veil.boards.tree_svg import TREE_STYLE as TREE_STYLE, render_tree_svg as render_tree_svg
from veil.boards.view_plan import ViewPlan as ViewPlan
from veil.boards.wording import (
    NOOP as NOOP,
    WAIT as WAIT,
    Wording as Wording,
    read_wording as read_wording,
)
