"""Shards that an executor walks: the same bytes as here, whoever walks them and whatever a worker has forgotten."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import veil
from veil.engine import load
from veil.equilibrium import Budget, Walk, prepare_walk, solve_prepared
from veil.equilibrium.streaming import shard_crew
from veil.equilibrium.streaming.shard_crew import ShardCrew, divide
from veil.equilibrium.streaming.walk_evaluation import evaluate_on_walk

GAMES = ["leduc_poker", "simultaneous_krieg_tictactoe(2, 2)"]  # the second one has symmetries


class Forgetful(Executor):
    """A worker that forgets the pass after every second call; it counts workers as a cluster does."""

    def __init__(self) -> None:
        self.calls = 0

    def count_workers(self) -> int:
        return 3

    def submit(self, call: Callable[..., Any], /, *args: Any, **options: Any) -> Future[Any]:
        self.calls += 1
        if self.calls % 2:
            shard_crew._passes._values.clear()
        future: Future[Any] = Future()
        future.set_result(call(*args, **options))
        return future


@pytest.fixture(autouse=True)
def _many_shards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("veil.equilibrium.streaming.walk.SHARDS", 12)
    yield
    shard_crew._walks._values.clear()
    shard_crew._passes._values.clear()


def solve_here(walk: Walk) -> veil.Solution:
    return solve_prepared(walk, "pcfr+", Budget(iterations=20))


@pytest.mark.gate_cases(1)
@pytest.mark.parametrize("name", GAMES)
def test_an_executor_gives_the_same_bytes(name: str) -> None:
    walk = prepare_walk(load(name), threads=1, symmetries=True)
    expected = solve_here(walk)
    with ThreadPoolExecutor(1) as threads:
        for executor in (threads, Forgetful()):
            sent = replace(walk, crew=ShardCrew(executor))
            found = solve_here(sent)
            assert found.last_slots.tobytes() == expected.last_slots.tobytes()
            assert found.nash_conv == expected.nash_conv
            assert found.course[0].exploitability == expected.course[0].exploitability


def test_bytes_are_counted_and_a_policy_is_sent_again_where_it_is_missing() -> None:
    walk = prepare_walk(load("leduc_poker"), threads=1)
    policy = np.random.default_rng(1).random(walk.form.num_slots)
    policy = veil.equilibrium.to_behaviour(walk.form, policy)
    with ThreadPoolExecutor(1) as executor:
        kept = replace(walk, threads=1, crew=ShardCrew(executor))
        evaluate_on_walk(kept, policy)
    assert kept.crew is not None
    bits = 2 * -(-walk.form.num_slots // 8)
    assert kept.crew.sent == 8 * walk.form.num_slots + bits  # each role's policy once, to the one worker
    assert kept.crew.received >= 8 * walk.form.num_slots * 0.9  # slots before the first shards are not sent
    lost = replace(walk, crew=ShardCrew(Forgetful()))
    evaluate_on_walk(lost, policy)
    assert lost.crew is not None
    assert lost.crew.sent > 3 * kept.crew.sent
    assert lost.crew.received == kept.crew.received


def test_workers_prepare_a_game_while_the_caller_does() -> None:
    def uniform(role: str, observation: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return legal / legal.sum(axis=1, keepdims=True)

    workers = Forgetful()
    assert len(shard_crew._walks._values) == 0
    judged = veil.evaluate("leduc_poker", uniform, executor=workers)
    assert len(shard_crew._walks._values) == 1
    assert workers.calls > shard_crew.EARLY
    assert judged.nash_conv == pytest.approx(veil.evaluate("leduc_poker", "uniform").nash_conv, abs=1e-9)


def test_moves_that_are_never_played_are_not_sent() -> None:
    walk, policies = prepare_walk(load("leduc_poker"), threads=1), list[int]()
    for kept in (2, 1):  # moves of every infoset that are played
        ranks = np.arange(walk.form.num_slots) - np.repeat(walk.form.slot_start[:-1], np.diff(walk.form.slot_start))
        policy = veil.equilibrium.to_behaviour(walk.form, (ranks < kept).astype(np.float64))
        expected = evaluate_on_walk(walk, policy)
        with ThreadPoolExecutor(1) as executor:
            sent = replace(walk, crew=ShardCrew(executor))
            found = evaluate_on_walk(sent, policy)
        assert found.best_value.tobytes() == expected.best_value.tobytes()
        assert sent.crew is not None
        policies.append(sent.crew.sent)
    assert policies[1] < policies[0] / 3


def test_an_error_of_a_worker_reaches_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("out of order")

    monkeypatch.setattr(shard_crew, "walk_group", fail)
    walk = prepare_walk(load("leduc_poker"), threads=1)
    with ThreadPoolExecutor(1) as executor, pytest.raises(ValueError, match="out of order"):
        evaluate_on_walk(replace(walk, crew=ShardCrew(executor)), np.full(walk.form.num_slots, 0.5))


def test_groups_have_every_shard_once_and_about_equal_sizes() -> None:
    sizes = np.random.default_rng(4).random(200) ** 3
    numbers = np.arange(0, 200, 2)
    groups = divide(numbers, sizes, 7)
    assert sorted(np.concatenate(groups).tolist()) == numbers.tolist()
    loads = [sizes[group].sum() for group in groups]
    assert loads == sorted(loads, reverse=True)
    assert max(loads) - min(loads) < sizes.max()
    assert len(divide(numbers[:3], sizes, 7)) == 3
