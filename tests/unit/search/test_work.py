"""HyperPlay-II within a limit of work: counted in states, so that the same seed gives the same answer everywhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from veil.belief import make_sampler
from veil.engine import Record, load
from veil.search import Answer, HyperPlay2Config, SearchBudget, SearchQuestion, SearchTask


def searched(config: HyperPlay2Config, name: str = "krieg_tictactoe") -> Answer:
    """The first decision of a game."""
    board = load(name)
    role_id = next(number for number, role in enumerate(board.roles) if role != "random")
    belief = make_sampler("auto", board, board.roles[role_id])
    question = SearchQuestion(Record(board.roles[role_id]), belief, (0, 0))
    return config.searcher(SearchTask(board, role_id, 0)).search(question, SearchBudget(), np.random.default_rng(0))


SMALL = HyperPlay2Config(models=2, simulations=1, nested_models=2, nested_playouts=2)


@pytest.mark.compiled("slow as Python")
def test_work_that_suffices_changes_nothing() -> None:
    enough, more = (searched(replace(SMALL, work=work)) for work in (10**9, 10**12))
    assert (enough.values == more.values).all()
    assert enough.playouts == more.playouts > 0


def test_too_little_work_gives_the_values_of_hyperplay_and_says_so() -> None:
    answer = searched(replace(SMALL, work=1))
    assert answer.details == {"fallback": "playouts"}
    assert answer.playouts > 0


def test_with_less_work_some_worlds_are_simulated_one_after_the_other() -> None:
    board = load("kuhn_poker")
    config = HyperPlay2Config(models=6, simulations=50, nested_models=20, nested_playouts=20, work=10**12)
    all_of_it, some = (searched(replace(config, work=work), board.name).playouts for work in (10**12, 100_000))
    assert 0 < some < all_of_it
