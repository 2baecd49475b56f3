"""Iterations of CFR in several threads, for games of ten million entries and more.

Four fifths of an iteration are `add_payoffs`, where every row of the sequence form is a sum of its own. Threads share
the rows; each row is added up in the same order by whichever thread has it. So the result has the same bytes for any
number of threads. What is left, `learn`, is one loop from the last infoset to the first, and runs alone.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np

from veil.equilibrium.form import Form
from veil.equilibrium.full_width_kernels import learn
from veil.equilibrium.records import Memory, Scheme
from veil.equilibrium.sequence_kernels import add_payoffs_of_rows

WORTH_THREADS = 10_000_000  # entries; in smaller games an iteration takes milliseconds, and waking threads costs more


def count_threads(form: Form) -> int:
    """Return how many threads are of use in this game."""
    return len(os.sched_getaffinity(0)) if len(form.weight) >= WORTH_THREADS else 1


def run_cfr_in_threads(form: Form, scheme: Scheme, memory: Memory, first: int, count: int, threads: int) -> None:
    """Do what `full_width_kernels.run_cfr` does (memory changed in place)."""
    roles = range(form.num_roles)
    shares = [share_rows(form, role, threads) for role in roles]
    with ThreadPoolExecutor(threads) as pool:

        def add_payoffs(role: int) -> None:
            x, q = memory.realization, memory.cf_value
            parts = [pool.submit(add_payoffs_of_rows, form, role, x, q, begin, end) for begin, end in shares[role]]
            for part in parts:
                part.result()

        for t in range(first, first + count):
            if scheme.alternating:
                for role in roles:
                    add_payoffs(role)
                    learn(form, scheme, memory, role, t)
            else:
                for role in roles:
                    add_payoffs(role)
                for role in roles:
                    learn(form, scheme, memory, role, t)


def share_rows(form: Form, role: int, threads: int) -> list[tuple[int, int]]:
    """Return the rows of a role in as many ranges as there are threads, with about equally many entries each."""
    own = form.role_range(role)
    ends = form.row_start[own.start : own.stop + 1]
    bounds = np.searchsorted(ends, np.linspace(ends[0], ends[-1], threads + 1)[1:-1]).tolist()
    limits = [0, *bounds, own.stop - own.start + 1]
    return [(begin, end) for begin, end in pairwise(limits) if begin < end]
