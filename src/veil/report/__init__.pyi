from veil.report.axes import show_share as show_share
from veil.report.experiment import Report as Report
from veil.report.page_html import (
    page_as_fragment as page_as_fragment,
    page_as_html as page_as_html,
    page_style as page_style,
)
from veil.report.page_records import (
    Bars as Bars,
    Curves as Curves,
    Figure as Figure,
    HeatMap as HeatMap,
    Histogram as Histogram,
    KeyFact as KeyFact,
    PageSection as PageSection,
    Remark as Remark,
    ReportPage as ReportPage,
    Shares as Shares,
)
from veil.report.page_text import page_as_text as page_as_text
from veil.report.plots import (
    COLOURS as COLOURS,
    check_plot_file as check_plot_file,
    draw_lines as draw_lines,
    draw_online as draw_online,
    draw_panels as draw_panels,
    draw_solution as draw_solution,
    draw_standings as draw_standings,
    has_matplotlib as has_matplotlib,
    pyplot as pyplot,
    save as save,
)
from veil.report.progress import Progress as Progress
from veil.report.rules_header import read_header as read_header
from veil.report.standings import (
    ranking_as_json as ranking_as_json,
    standings_as_csv as standings_as_csv,
    standings_as_json as standings_as_json,
    standings_as_text as standings_as_text,
    write_standings as write_standings,
)
from veil.report.tables import Table as Table, show_short as show_short
from veil.report.text import (
    begin_sentence as begin_sentence,
    count_things as count_things,
    find_column as find_column,
    label_text as label_text,
    natural_key as natural_key,
    terminal_width as terminal_width,
)
