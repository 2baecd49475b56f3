"""What people look at: tables, plots and progress, one of each for the command line, the laboratory and tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.report.experiment import Report as Report
    from veil.report.plots import (
        COLOURS as COLOURS,
        check_plot_file as check_plot_file,
        draw_cross_table as draw_cross_table,
        draw_lines as draw_lines,
        draw_online as draw_online,
        draw_panels as draw_panels,
        draw_solution as draw_solution,
        has_matplotlib as has_matplotlib,
        pyplot as pyplot,
        save as save,
    )
    from veil.report.progress import Progress as Progress
    from veil.report.review import Review as Review, ReviewConfig as ReviewConfig, review_game as review_game
    from veil.report.rules_header import read_header as read_header
    from veil.report.standings import (
        standings_as_csv as standings_as_csv,
        standings_as_json as standings_as_json,
        standings_as_text as standings_as_text,
        write_standings as write_standings,
    )
    from veil.report.tables import Table as Table, show_cell as show_cell, show_short as show_short
    from veil.report.text import (
        count_things as count_things,
        find_column as find_column,
        label_text as label_text,
        terminal_width as terminal_width,
    )
    from veil.report.views import (
        SVG_STYLE as SVG_STYLE,
        Badge as Badge,
        Board as Board,
        Cell as Cell,
        Choice as Choice,
        Piece as Piece,
        RecordLine as RecordLine,
        Scene as Scene,
        ViewConfig as ViewConfig,
        ViewPlan as ViewPlan,
        as_json as as_json,
        fill_belief as fill_belief,
        fill_state as fill_state,
        in_words as in_words,
        place_moves as place_moves,
        plan_views as plan_views,
        render_badges_svg as render_badges_svg,
        render_page as render_page,
        render_scene_text as render_scene_text,
        render_svg as render_svg,
        render_text as render_text,
        tell_record as tell_record,
    )
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "experiment": "Report",
            "plots": "COLOURS check_plot_file draw_cross_table draw_lines draw_online draw_panels draw_solution "
            "has_matplotlib pyplot save",
            "progress": "Progress",
            "review": "Review ReviewConfig review_game",
            "rules_header": "read_header",
            "standings": "standings_as_csv standings_as_json standings_as_text write_standings",
            "tables": "Table show_cell show_short",
            "text": "count_things find_column label_text terminal_width",
            "views": "Badge Board Cell Choice Piece RecordLine SVG_STYLE Scene ViewConfig ViewPlan as_json "
            "fill_belief fill_state in_words place_moves plan_views render_badges_svg render_page render_scene_text "
            "render_svg render_text tell_record",
        },
    )
