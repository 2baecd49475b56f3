"""What a spec asks to be pruned, worked out for a game: the best score under optimal play, and what a win is."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.games import game
from tests.support.refusals import refused
from veil.search.hyperplay2.pruning_spec import NEAR, Pruning, PruningSpec, check_cut, find_best_score


@pytest.mark.parametrize(
    ("spec", "role", "text", "score"),
    [
        ("exploding_bomb", "agent", "goals", 100),
        ("exploding_bomb", "agent", "solved", 90),  # asking costs 10
        ("exploding_bomb", "agent", "95", 95),
        ("monty_hall", "contestant", "solved", 200 / 3),
        ("banker_and_thief(banks=2, notes=10)", "banker", "solved", 25),  # section 4.4 of the ITS paper
        ("kuhn_poker", "first", "solved", 50 - 1 / 18),  # in goals: 50 is nothing won, a chip is a point
    ],
)
def test_the_best_score_is_given_or_in_the_rules_or_worked_out(spec: str, role: str, text: str, score: float) -> None:
    found = find_best_score(game(spec), game(spec).roles.index(role), text)
    assert found == pytest.approx(score, abs=5 * NEAR)
    assert found <= score  # otherwise the best score would never be reached


def test_a_win_is_the_best_score_and_at_most_the_highest_goal() -> None:
    bomb = game("exploding_bomb")
    for wishes, pruning in (
        (PruningSpec(), Pruning()),
        (PruningSpec(prune_on_depth=True), Pruning(win_at=100)),
        (PruningSpec(prune_on_depth=True, cut_on_win="90"), Pruning(cut_at=90, win_at=90)),
        (PruningSpec(prune_on_depth=True, cut_on_win="120"), Pruning(cut_at=120, win_at=100)),
        (PruningSpec(cut_on_win="goals", discount=0.5), Pruning(cut_at=100, discount=0.5)),
    ):
        assert wishes.of_game(bomb, bomb.roles.index("agent")) == pruning


def test_moves_take_turns_only_where_something_is_pruned() -> None:
    assert not Pruning(discount=0.5).takes_turns
    assert Pruning(cut_at=1).takes_turns
    assert Pruning(win_at=1).takes_turns


def test_what_is_neither_a_number_nor_a_known_word_is_refused() -> None:
    assert "goals, solved or a number" in refused("bad-option", lambda: check_cut("always"))
    for text in ("-5", "0", "nan"):
        assert "cut_on_win" in refused("bad-limit", partial(check_cut, text))
    for known in (None, "goals", "solved", "90", "66.7"):
        check_cut(known)
