"""A thread that does one thing after the other."""

from __future__ import annotations

import threading

import pytest

from veil.server.ggp.worker import OrderedWorker


def test_things_are_done_in_their_order_by_one_thread() -> None:
    worker, done = OrderedWorker("test"), list[tuple[int, int]]()
    jobs = [worker.do(lambda number=number: done.append((number, threading.get_ident()))) for number in range(50)]  # type: ignore[misc]
    for job in jobs:
        job.result(20)
    assert [number for number, _ in done] == list(range(50))
    assert len({thread for _, thread in done} - {threading.get_ident()}) == 1


def test_a_fault_belongs_to_its_job_alone() -> None:
    worker = OrderedWorker("test")
    bad, good = worker.do(lambda: 1 / 0), worker.do(lambda: 1)
    assert good.result(20) == 1
    with pytest.raises(ZeroDivisionError):
        bad.result(20)


def test_it_ends_after_what_it_was_given() -> None:
    before = threading.active_count()
    worker = OrderedWorker("test that ends")
    last = worker.do(threading.current_thread)
    worker.end()
    last.result(20).join(20)
    assert threading.active_count() <= before
