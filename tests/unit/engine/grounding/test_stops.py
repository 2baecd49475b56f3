"""Grounding that another thread ends."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from veil.engine import GroundingEndedError, GroundingStop, check_stop, read_game, stoppable

# 120 ** 3 rules: the grounder is at work for many seconds.
DIGITS = " ".join(f"(d {number})" for number in range(120))
LARGE = f"""
(role a) {DIGITS} (init (n 0)) (<= (legal a (m ?x ?y ?z)) (d ?x) (d ?y) (d ?z)) (goal a 1) (<= terminal (true (n 7)))
"""
SMALL = "(role a) (init (n 0)) (legal a wait) (goal a 1) (<= terminal (true (n 0)))"


def test_games_are_grounded_side_by_side() -> None:
    """One game that takes long does not keep another one waiting."""
    slow, started = read_game(LARGE), threading.Event()
    stop = GroundingStop()

    def ground_slowly() -> None:
        with stoppable(stop):
            started.set()
            _ = slow.program

    with ThreadPoolExecutor(1) as pool:
        grounding = pool.submit(ground_slowly)
        assert started.wait(20)
        assert read_game(SMALL).program.roles
        assert not grounding.done()
        stop.end()
        assert isinstance(grounding.exception(20), GroundingEndedError)


def test_a_switch_that_is_set_ends_what_is_grounded_later() -> None:
    stop = GroundingStop()
    stop.end()
    with pytest.raises(GroundingEndedError), stoppable(stop):
        _ = read_game(SMALL).program


def test_a_thread_without_a_switch_goes_on() -> None:
    check_stop()
    with stoppable(GroundingStop()):
        check_stop()
    assert read_game(SMALL).program.roles
