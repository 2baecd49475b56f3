"""Calls that must be refused, and what is said then."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from veil.errors import Problem, VeilError


def refused(code: str, call: Callable[[], object]) -> str:
    """Check that the call ends with one problem of this code; return what is said."""
    with pytest.raises(VeilError) as caught:
        call()
    assert [entry.code for entry in caught.value.problems] == [code]
    return str(caught.value)


def problem_of(call: Callable[[], object]) -> Problem:
    """Check that the call ends with one problem; return it."""
    with pytest.raises(VeilError) as caught:
        call()
    (problem,) = caught.value.problems
    return problem
