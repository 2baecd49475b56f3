from veil_lab.papers.experiments import (
    EXPERIMENTS as EXPERIMENTS,
    check_counted as check_counted,
    check_timed as check_timed,
    choose_experiments as choose_experiments,
    find_experiment as find_experiment,
)
from veil_lab.papers.not_reproduced import GAPS as GAPS, Gap as Gap, find_gaps as find_gaps
