from veil_lab.bench import BENCHMARKS as BENCHMARKS, ON_ANY_GAME as ON_ANY_GAME, find_benchmark as find_benchmark
from veil_lab.keeping import keep_pieces as keep_pieces
from veil_lab.papers import (
    EXPERIMENTS as EXPERIMENTS,
    check_counted as check_counted,
    check_timed as check_timed,
    choose_experiments as choose_experiments,
    find_experiment as find_experiment,
    find_gaps as find_gaps,
)
from veil_lab.series import give_workers as give_workers
