"""What a role knows while it plays: from its record alone, exact first, sampled where that is too much."""

from __future__ import annotations

import pytest

import veil
from veil.boards import ViewConfig, plan_views
from veil.cli.belief_boards import LOST, BeliefBoards
from veil.engine import record_of
from veil.players import Observation


def view_of(name: str, role: str, *observations: tuple[str, set[str]]) -> BeliefBoards:
    game = veil.load(name)
    view = BeliefBoards(game, role, plan_views(game, ViewConfig(games=256)), "random")
    for move, percepts in observations:
        view.belief.observe(Observation(move, frozenset(percepts)))
    return view


def test_what_is_certain_is_drawn_solid_and_the_rest_with_its_probability() -> None:
    view = view_of("kuhn_poker", "first", ("noop", {"(card king)"}), ("noop", set()))
    first = view.draw(colour=False).splitlines()
    assert first[:3] == ["the cards", " first  [king]", "second  [jack 50 %] [queen 50 %]"]
    known = "2 histories possible, if the others move at random"
    assert f"{known}; what may be there has its probability beside it" in " ".join(" ".join(first[3:]).split())
    assert view.draw(colour=False).splitlines()[-1].endswith(known)  # the legend is given once


def test_fluents_are_listed_with_their_probabilities() -> None:
    lines = view_of("kuhn_poker", "first", ("noop", {"(card king)"}), ("noop", set())).list_fluents()
    assert "(holds first king)" in lines[1]
    assert "(holds second jack) 50 %" in " ".join(lines[2].split())


def test_another_assumption_gives_other_probabilities_of_the_same_record() -> None:
    """Kuhn (1950): in equilibrium second bets every king and every third jack after a pass."""
    told: tuple[tuple[str, set[str]], ...] = (
        ("noop", {"(card queen)"}),
        ("noop", set()),
        ("pass", set()),
        ("noop", {"(played second bet)"}),
    )
    view = view_of("kuhn_poker", "first", *told)
    assert "(holds second king) 50 %" in " ".join(" ".join(view.list_fluents()).split())
    rational = " ".join(" ".join(view.assume("best").list_fluents()).split())
    assert "if the others play like `best`" in rational
    assert "(holds second king) 7" in rational


def test_a_belief_that_is_too_large_is_sampled_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("veil.cli.belief_boards.SAMPLER", "auto:max_worlds=2,particles=50")
    view = view_of("krieg_tictactoe", "oplayer", ("noop", {"your_turn"}), ("(mark 2 2)", {"marked"}))
    assert "sampled; there are more" in view.draw(colour=False)
    assert view.list_fluents()[1].startswith("  in all")


def test_what_the_rules_never_tell_is_said_to_have_no_explanation() -> None:
    view = view_of("kuhn_poker", "first", ("noop", set()))  # no card: that cannot be
    assert LOST in " ".join(view.draw(colour=False).split())
    assert LOST in " ".join(view.list_fluents()[0].split())


def test_the_view_is_that_of_the_record_whatever_is_true() -> None:
    """All histories of one infoset give one drawing: there is nothing else that it could be made from."""
    game = veil.load("kuhn_poker")
    drawings = set()
    for other in ("jack", "queen"):
        moves = [{"random": "(deal king)"}, {"random": f"(deal {other})"}]
        record = record_of(game, "first", moves)
        view = BeliefBoards(game, "first", plan_views(game, ViewConfig(games=256)), "random")
        for own_move, percepts in record.rounds:
            view.belief.observe(Observation(own_move, percepts))
        drawings.add(view.draw(colour=False))
    assert len(drawings) == 1
