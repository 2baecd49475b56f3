"""The same seed gives the same log, whatever the process has played before, also with clocks that cut work short."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.command import PATIENCE

# Plays one match after the other, given as `spec` or `spec@seconds of the start clock`, and prints the log of the last.
PLAY = """
import sys
from veil.match import MatchConfig, run_match

for words in sys.argv[1:]:
    spec, _, clock = words.partition("@")
    config = MatchConfig(reports=True, start_seconds=float(clock) if clock else None)
    log = run_match("kuhn_poker", {"first": spec, "second": spec}, seed=5, config=config)
print(log.as_lines())
"""
NO_TIME = "@1e-6"  # a start clock that has run out before any work has begun

LANES = "oos:iterations=200,max_nodes=10"  # the tree does not fit, so that public classes come from the rules
TREE = "oos:iterations=200"
WARM = "oos:iterations=200,prior_iterations=300"
SOLVE = "solve:iterations=300"


def play(matches: list[str]) -> str:
    """The log of the last of these matches, played by a new process. It may have to compile all kernels first."""
    command = [sys.executable, "-c", PLAY, *matches]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=3 * PATIENCE).stdout


@pytest.mark.parametrize(
    ("before", "match"),
    [
        ([LANES + NO_TIME], LANES),  # public classes
        pytest.param(
            [TREE, WARM + NO_TIME], WARM, marks=pytest.mark.nightly
        ),  # the first match expands the tree, so that the clock cuts only the warm start
        ([SOLVE + NO_TIME], SOLVE),
    ],
    ids=["public classes", "warm start", "solver"],
)
def test_a_match_without_a_clock_is_the_same_in_a_new_process_and_after_hurried_ones(
    before: list[str], match: str
) -> None:
    with ThreadPoolExecutor() as threads:
        alone, afterwards = threads.map(play, [[match], [*before, match]])
    assert '"strategy"' in alone or '"policy"' in alone  # reports tell more than moves, which may be equal by chance
    assert afterwards == alone
