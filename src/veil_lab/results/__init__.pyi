from veil_lab.results.claims import Claim as Claim, judge_run as judge_run, show_verdicts as show_verdicts
from veil_lab.results.experiment_list import (
    find_kept as find_kept,
    list_experiments as list_experiments,
    show_list as show_list,
)
from veil_lab.results.pages import make_pages as make_pages
from veil_lab.results.performance import perform as perform
from veil_lab.results.run import ExperimentRun as ExperimentRun, RunFile as RunFile, read_runs as read_runs
from veil_lab.results.run_text import spell_run as spell_run
