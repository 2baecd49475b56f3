"""The papers' tables and figures by name, for `veil reproduce`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import import_module

from veil.errors import fail
from veil.report import Report

Experiment = Callable[..., Report]  # (seed, quick) -> report; see TIMED, COUNTED, PLACED and GAMES_OF for more
TIMED = (  # experiments with a time per position, or with the work of a time per move: `seconds=`
    "isg-table1",
    "oos-fig4-small",
    "oos-fig4-large",
    "oos-fig4-budgets",
    "oos-fig4-times",
    "oos-beyond",
    "oos-beyond-large",
    "strong-play",
    "rivals",
)
COUNTED = (  # experiments with a number of matches per player, or per cell: `matches=`
    "hyperplay-cheat",
    "hyperplay2-games",
    "oos-fig3-aggregate",
    "oos-fig3-program",
    "oos-fig3-targeting",
    "oos-fig4-small",
    "oos-fig4-large",
    "oos-fig4-budgets",
    "oos-fig4-times",
    "oos-beyond",
    "oos-beyond-large",
    "strong-play",
    "rivals",
)
GAMES_OF = {  # experiments of which some games can be run: `game=`
    "isg-table1": ("racko", "battleship", "gops"),
    "solver-curves-walked": ("phantom_tictactoe", "dark_hex", "ii_goofspiel"),
}
PLACED = ("isg-table1",)  # experiments with random positions of every size: `positions=`
HOURS = (  # experiments that take hours; a run of all experiments leaves them out
    "isg-table1",
    "oos-fig3-aggregate",
    "oos-fig3-program",
    "oos-fig3-targeting",
    "oos-fig4-small",
    "oos-fig4-large",
    "oos-fig4-budgets",
    "oos-fig4-times",
    "oos-beyond",
    "oos-beyond-large",
    "exploit-table-large",
    "solver-curves-large",
    "solver-curves-walked",
    "strong-play",
)

EXPERIMENTS: dict[str, str] = {  # name -> module and function
    "hyperplay-fig7": "hyperplay_fig7:sampling_cost",
    "hyperplay-table1": "hyperplay_table1:bias",
    "hyperplay-bias": "hyperplay_bias:trace_bias",
    "hyperplay-remedies": "hyperplay_remedies:remedies",
    "hyperplay-table2": "hyperplay_table2:case_study",
    "hyperplay-samplers": "hyperplay_samplers:samplers",
    "hyperplay-monty": "hyperplay_players:monty",
    "hyperplay-accuracy": "hyperplay_accuracy:accuracy",
    "hyperplay-cheat": "hyperplay_cheat:cheat",
    "hyperplay-scaling": "hyperplay_scaling:scaling",
    "hyperplay-pruning": "hyperplay_pruning:pruning",
    "hyperplay2-bomb": "hyperplay_players:bomb",
    "hyperplay2-games": "hyperplay_lifted:lifted_games",
    "opponents-read": "opponents_read:read_aims",
    "isg-table1": "isg_table1:sample_infosets",
    "its-fig2": "its:cutting_wire",
    "its-fig4": "its:frank_basin",
    "its-fig5": "its:penalty_kick",
    "its-table1": "its:banker_and_thief",
    "its-poker": "its:poker",
    "oos-fig3-root": "oos_root:converge_at_root",
    "oos-fig3-aggregate": "oos_aggregate:aggregate",
    "oos-fig3-program": "oos_program:follow_program",
    "oos-fig3-targeting": "oos_targeting:target",
    "oos-fig4-small": "oos_matches:play_small_games",
    "oos-fig4-large": "oos_matches:play_large_games",
    "oos-fig4-budgets": "oos_budgets:play_budgets",
    "oos-fig4-times": "oos_times:play_other_times",
    "oos-beyond": "oos_beyond:compare_with_ismcts",
    "oos-beyond-large": "oos_beyond:compare_in_large_goofspiel",
    "strong-play": "strong_play:compare_with_all",
    "rivals": "rivals:compare_rivals",
    "resolve-work": "resolve_work:compare_work",
    "resolve-gadgets": "resolve_work:compare_gadgets",
    "exploit-table": "exploit_table:judge_players",
    "exploit-table-large": "exploit_table:judge_in_large_games",
    "solver-curves": "solver_curves:compare_solvers",
    "solver-curves-large": "solver_curves:compare_in_large_game",
    "solver-curves-walked": "walked_curves:compare_without_tree",
}


def choose_experiments(quick: bool) -> tuple[list[str], list[str]]:
    """Return (the experiments that `all` stands for, those that it leaves out)."""
    left_out = [] if quick else list(HOURS)
    return [name for name in EXPERIMENTS if name not in left_out], left_out


def check_timed(names: Iterable[str]) -> None:
    """Refuse a time for experiments that have no clock."""
    for name in names:
        if name not in TIMED:
            raise fail("no-clock", name=name, names=", ".join(TIMED))


def check_counted(names: Iterable[str]) -> None:
    """Refuse a number of matches for experiments that have none of their own."""
    for name in names:
        if name not in COUNTED:
            raise fail("no-matches", name=name, names=", ".join(COUNTED))


def check_placed(names: Iterable[str]) -> None:
    """Refuse a number of positions for experiments that have none."""
    for name in names:
        if name not in PLACED:
            raise fail("no-positions", name=name, names=", ".join(PLACED))


def check_game(names: Iterable[str], given: str) -> None:
    """Refuse games that an experiment does not have, or that cannot be run without others."""
    for name in names:
        for game in split_games(given):
            if game not in GAMES_OF.get(name, ()):
                known = "; ".join(f"{one}: {', '.join(games)}" for one, games in GAMES_OF.items())
                raise fail("no-such-part", name=name, game=game, names=known)


def split_games(given: str) -> list[str]:
    """Return the games that the option `game` names."""
    return [game.strip() for game in given.split(",")]


def find_experiment(name: str) -> Experiment:
    """Return the experiment of this name; its module is imported now."""
    if name not in EXPERIMENTS:
        near = get_close_matches(name, EXPERIMENTS, n=3) or list(EXPERIMENTS)[:3]
        raise fail("unknown-experiment", name=name, names=", ".join(near))
    module, _, function = EXPERIMENTS[name].partition(":")
    experiment: Experiment = getattr(import_module(f"veil_lab.papers.{module}"), function)
    return experiment
