from veil_lab.papers.experiments import (
    EXPERIMENTS as EXPERIMENTS,
    HOURS as HOURS,
    check_counted as check_counted,
    check_game as check_game,
    check_placed as check_placed,
    check_timed as check_timed,
    choose_experiments as choose_experiments,
    find_experiment as find_experiment,
)
