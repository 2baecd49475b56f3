from veil_lab.bench import BENCHMARKS as BENCHMARKS, ON_ANY_GAME as ON_ANY_GAME, find_benchmark as find_benchmark
from veil_lab.papers import (
    EXPERIMENTS as EXPERIMENTS,
    check_counted as check_counted,
    check_game as check_game,
    check_placed as check_placed,
    check_timed as check_timed,
    choose_experiments as choose_experiments,
    find_experiment as find_experiment,
)
from veil_lab.result_cache import keep_pieces as keep_pieces
from veil_lab.results import (
    ExperimentRun as ExperimentRun,
    RunFile as RunFile,
    find_kept as find_kept,
    judge_run as judge_run,
    list_experiments as list_experiments,
    perform as perform,
    read_runs as read_runs,
    show_list as show_list,
    show_verdicts as show_verdicts,
    spell_run as spell_run,
)
from veil_lab.series import give_workers as give_workers, limit_jobs as limit_jobs
