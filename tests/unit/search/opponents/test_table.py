"""The table of opponents: what a spec names, and what is refused."""

from __future__ import annotations

import pytest

from tests.support.games import game
from tests.support.refusals import problem_of
from veil.search import OPPONENTS, file_of_opponents, make_opponents
from veil.search.opponents.modelled import ModelledOpponents
from veil.search.opponents.policy import PolicyOpponents


def test_the_names_of_the_table_are_pinned() -> None:
    assert list(OPPONENTS) == ["uniform", "hyperplay", "best", "policy", "solve"]


def test_a_spec_makes_opponents_and_uniform_is_none_at_all() -> None:
    kuhn = game("kuhn_poker")
    assert make_opponents("uniform", kuhn) is None
    read = make_opponents("hyperplay:temperature=2,mix=0.5", kuhn, 3)
    assert isinstance(read, ModelledOpponents)
    assert (read.config.temperature, read.mix, read.seed) == (2, 0.5, 3)
    assert isinstance(make_opponents("solve:dcfr,alpha=2", kuhn), PolicyOpponents)


def test_a_file_is_read_by_whoever_makes_the_opponents() -> None:
    asked = []

    def read(name: str) -> bytes:
        asked.append(name)
        return b"{}"

    assert problem_of(lambda: make_opponents("policy:a.json", game("kuhn_poker"), read=read)).code == "bad-policy"
    assert asked == ["a.json"]
    assert file_of_opponents("policy:a.json") == "a.json"
    assert file_of_opponents("hyperplay") is None


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("nobody", "unknown-opponent"),
        ("", "unknown-opponent"),
        ("uniform:mix=1", "bad-opponent"),
        ("hyperplay:temperature=0", "bad-limit"),
        ("hyperplay:mix=0", "bad-limit"),
        ("hyperplay:mix=1.5", "bad-limit"),
        ("hyperplay:models=0", "bad-limit"),
        ("policy", "bad-option"),
        ("solve:nobody", "unknown-method"),
    ],
)
def test_what_is_no_spec_is_refused(spec: str, code: str) -> None:
    assert problem_of(lambda: make_opponents(spec, game("kuhn_poker"))).code == code
