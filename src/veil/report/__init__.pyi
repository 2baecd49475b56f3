from veil.report.experiment import Report as Report
from veil.report.plots import (
    COLOURS as COLOURS,
    check_plot_file as check_plot_file,
    draw_lines as draw_lines,
    draw_online as draw_online,
    draw_panels as draw_panels,
    draw_solution as draw_solution,
    has_matplotlib as has_matplotlib,
    pyplot as pyplot,
    save as save,
)
from veil.report.progress import Progress as Progress
from veil.report.rules_header import read_header as read_header
from veil.report.standings import (
    standings_as_csv as standings_as_csv,
    standings_as_json as standings_as_json,
    standings_as_text as standings_as_text,
    write_standings as write_standings,
)
from veil.report.tables import Table as Table, show_short as show_short
from veil.report.text import (
    count_things as count_things,
    find_column as find_column,
    label_text as label_text,
    terminal_width as terminal_width,
)
