"""The same seed gives the same log, whatever the process has played before, also with clocks that cut work short."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.command import PATIENCE
from tests.support.games import game
from tests.support.wire import say, serving
from veil.engine import write_statements
from veil.server.ggp import PlayerServer

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


def find_served_policy(server: PlayerServer, name: str, rules: str, start_clock: float) -> str:
    """The policy of the served player in a match with this start clock, which is then given up."""
    assert say(server.address, f"(START {name} first ({rules}) {start_clock} 60)") == "ready"
    session = server.sessions[name]
    session._starting.result(PATIENCE)
    player: Any = session._player and session._player._driver.players["first"]
    assert say(server.address, f"(ABORT {name})") == "aborted"
    return str(player.policy.as_text())


def test_a_served_player_is_as_good_after_a_match_with_a_short_start_clock() -> None:
    """Two games that differ in a fact that nothing uses: no result of one is taken for the other."""
    rules = " ".join(write_statements(game("kuhn_poker")))
    with serving("solve:iterations=300,seed=1") as server:
        hurried = find_served_policy(server, "m1", f"{rules} (unused 1)", 1e-3)
        afterwards = find_served_policy(server, "m2", f"{rules} (unused 1)", 60)
        alone = find_served_policy(server, "m3", f"{rules} (unused 2)", 60)
    assert hurried != alone  # its clock has cut the solver
    assert afterwards == alone
