"""What people look at: tables, plots and progress, one of each for the command line, the laboratory and tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.report.experiment import Report as Report, table as table
    from veil.report.plots import (
        check_plot_file as check_plot_file,
        draw_cross_table as draw_cross_table,
        draw_lines as draw_lines,
        draw_solution as draw_solution,
        has_matplotlib as has_matplotlib,
        pyplot as pyplot,
        save as save,
    )

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "experiment": "Report table",
        "plots": "check_plot_file draw_cross_table draw_lines draw_solution has_matplotlib pyplot save",
    },
)
