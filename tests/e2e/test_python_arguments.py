"""Wrong arguments of public functions: one `VeilError` that is a `TypeError` too; the nearest name, if one is near."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import veil
from veil.errors import ArgumentError, did_you_mean

KUHN = veil.load("kuhn_poker")
RANDOM = {"first": "random", "second": "random"}
WRONG: dict[str, Callable[[], object]] = {
    "game": lambda: veil.solve(None),  # type: ignore[arg-type]
    "games": lambda: veil.load([3]),  # type: ignore[list-item]
    "iterations": lambda: veil.solve(KUHN, iterations="10"),  # type: ignore[arg-type]
    "whole": lambda: veil.solve(KUHN, iterations=2.5),  # type: ignore[arg-type]
    "truth": lambda: veil.solve(KUHN, seconds=True),
    "method": lambda: veil.solve(KUHN, 5),  # type: ignore[arg-type]
    "specs": lambda: veil.run_match(KUHN, ["random", "random"]),  # type: ignore[arg-type]
    "players": lambda: veil.run_match(KUHN, RANDOM, players=["random"]),  # type: ignore[arg-type]
    "spec": lambda: veil.run_match(KUHN, {"first": 3, "second": "random"}),  # type: ignore[dict-item]
    "one player": lambda: veil.run_tournament(KUHN, "random"),
    "record": lambda: veil.believe(KUHN, "noop"),  # type: ignore[arg-type]
    "chances": lambda: veil.fill_belief(veil.plan_views(KUHN), 3),  # type: ignore[arg-type]
    "plan": lambda: veil.plan_views(None),  # type: ignore[arg-type]
    "plan of a state": lambda: veil.fill_state(None, KUHN.initial_state()),  # type: ignore[arg-type]
    "state": lambda: veil.fill_state(veil.plan_views(KUHN), 3),  # type: ignore[arg-type]
    "moves to place": lambda: veil.place_moves(veil.plan_views(KUHN), "first", 3),  # type: ignore[arg-type]
    "board": lambda: veil.render_svg(3),  # type: ignore[arg-type]
    "scene": lambda: veil.render_scene_text(3),  # type: ignore[arg-type]
    "config": lambda: veil.run_match(KUHN, RANDOM, config=3),  # type: ignore[arg-type]
    "review": lambda: veil.review_game(KUHN, 3),  # type: ignore[arg-type]
    "no games": lambda: veil.run_tournament(None, ["random"]),  # type: ignore[arg-type]
    "no players": lambda: veil.run_tournament(KUHN, [3, 4]),  # type: ignore[list-item]
    "limits": lambda: veil.load("kuhn_poker", 3),  # type: ignore[arg-type]
    "joint move": lambda: KUHN.initial_state().play(3),  # type: ignore[arg-type]
    "move": lambda: KUHN.initial_state().play({"random": 3}),  # type: ignore[dict-item]
    "own move": lambda: KUHN.record("first").then(3),  # type: ignore[arg-type]
    "path": lambda: veil.Policy.load(3),  # type: ignore[arg-type]
    "policy": lambda: veil.evaluate(KUHN, 3),  # type: ignore[arg-type]
    "role": lambda: KUHN.record(3),  # type: ignore[arg-type]
    "text": lambda: KUHN.record("first", 3),  # type: ignore[arg-type]
    "infoset": lambda: veil.tree(KUHN).infoset("start"),  # type: ignore[arg-type]
    "seed": lambda: veil.solve(KUHN, "es-mccfr", seed="1"),  # type: ignore[arg-type]
    "policy of others": lambda: veil.best_response(KUHN, None, "first"),  # type: ignore[arg-type]
    "drawn policy": lambda: veil.draw(KUHN, 3),  # type: ignore[arg-type]
    "jobs": lambda: veil.run_tournament(KUHN, ["random", "first"], jobs="2"),  # type: ignore[arg-type]
    "policy.at": lambda: veil.solve(KUHN, "lp").policy.at("first"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_named_in_the_words_of_python(name: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        WRONG[name]()
    assert isinstance(caught.value, TypeError)
    assert " must be " in str(caught.value)
    assert "--" not in str(caught.value)


LIMITED: dict[str, Callable[[], object]] = {
    "jobs must be a number from 1": lambda: veil.run_tournament(KUHN, ["random", "first"], jobs=0),
    "turns is one of written, control": lambda: veil.load("kuhn_poker", turns="mine"),  # type: ignore[arg-type]
    "sees is one of written, moves": lambda: veil.load("kuhn_poker", sees="all"),  # type: ignore[arg-type]
    "a setting is one of player, host, port": lambda: veil.serve_player("random", prt=0),
}


@pytest.mark.parametrize("text", LIMITED)
def test_a_value_that_is_not_allowed_is_answered_with_those_that_are(text: str) -> None:
    with pytest.raises(veil.VeilError, match=text):
        LIMITED[text]()


def test_a_drawn_policy_may_be_a_table_as_for_evaluate() -> None:
    drawing = veil.draw(KUHN, {"first": {"noop: (card king); noop": {"bet": 1.0, "pass": 0.0}}})
    assert drawing.policy == "the policy"


NEAR: dict[str, tuple[Callable[[], object], str]] = {
    "game": (lambda: veil.load("kuhn-pokr"), "kuhn_poker"),
    "role": (lambda: KUHN.record("frist"), "first"),
    "seat": (lambda: veil.run_match(KUHN, {"first": "random", "secnd": "random"}), "second"),
    "player": (lambda: veil.run_match(KUHN, {"first": "hyperplya", "second": "random"}), "hyperplay"),
    "option": (lambda: veil.run_match(KUHN, {"first": "hyperplay:model=3", "second": "random"}), "models"),
    "method": (lambda: veil.solve(KUHN, "dfcr+"), "cfr+"),
    "sampler": (lambda: veil.believe(KUHN, KUHN.record("first"), "hyperpaly"), "hyperplay"),
    "policy role": (lambda: veil.solve(KUHN, "lp").policy.at("frst", "start"), "first"),
    "record": (lambda: veil.solve(KUHN, "lp").policy.at("first", "noop: (card kin); noop"), "(card king)"),
}


@pytest.mark.parametrize("name", NEAR)
def test_a_misspelt_name_is_answered_with_the_nearest(name: str) -> None:
    act, nearest = NEAR[name]
    with pytest.raises(veil.VeilError, match="did you mean") as caught:
        act()
    assert nearest in str(caught.value).partition("did you mean")[2]


def test_nothing_is_suggested_where_nothing_is_near() -> None:
    assert did_you_mean("zzz", ["hyperplay", "random"]) == ""


def test_numbers_of_numpy_are_numbers() -> None:
    assert veil.solve(KUHN, iterations=np.int64(3)).iterations == 3  # type: ignore[arg-type]
