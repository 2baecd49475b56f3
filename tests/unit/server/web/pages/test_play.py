"""The page on which a game is played."""

from __future__ import annotations

from veil.players import list_searchers
from veil.server.web.pages.play import THINKERS


def test_who_is_offered_for_hints_searches_and_needs_nothing_but_its_record() -> None:
    assert set(THINKERS) <= set(list_searchers())
    assert list_searchers()[:2] == ["montecarlo", "pimc"]
