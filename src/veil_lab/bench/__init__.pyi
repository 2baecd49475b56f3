from veil_lab.bench.benchmarks import (
    BENCHMARKS as BENCHMARKS,
    ON_ANY_GAME as ON_ANY_GAME,
    find_benchmark as find_benchmark,
)
