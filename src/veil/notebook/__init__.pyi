from veil.notebook.boards import show_match as show_match, show_state as show_state
from veil.notebook.pictures import (
    plot_as_svg as plot_as_svg,
    plot_bag as plot_bag,
    plot_solution as plot_solution,
    plot_tournament as plot_tournament,
    save_plot as save_plot,
)
from veil.notebook.tables import (
    show_bag as show_bag,
    show_game as show_game,
    show_log as show_log,
    show_policy as show_policy,
    show_record as show_record,
    show_solution as show_solution,
    show_tournament as show_tournament,
    show_tree as show_tree,
)
