"""Every object that has a form for notebooks shows it: escaped, with its figures; and in one line elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import veil
from tests.support.refusals import refused
from veil.boards.svg_style import SVG_STYLE
from veil.display import HOME, HTML, PLOT


@cache
def things() -> dict[str, Any]:
    game = veil.load("kuhn_poker")
    match = veil.Match(game, seed=1)
    match.skip()
    solution = veil.solve(game, "cfr+", iterations=20)
    return {
        "Game": game,
        "State": match.state,
        "Match": match,
        "Record": match.observe("first"),
        "GameBag": match.believe("first"),
        "Policy": solution.policy,
        "Solution": solution,
        "GameTree": solution.tree,
        "MatchLog": veil.run_match(game, {"first": "random", "second": "random"}),
        "TournamentResult": veil.run_tournament(game, ["random", "first"], matches=2),
    }


class TagCounter(HTMLParser):
    """Checks that tags close in order; `text` is what is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f" {data}"


def read(html: str) -> str:
    parser = TagCounter()
    parser.feed(html)
    assert parser.open == []
    return parser.text


def test_the_tables_name_what_exists() -> None:
    room = import_module(HOME)
    assert all(callable(getattr(room, name)) for name in (*HTML.values(), *PLOT.values()))
    assert set(HTML) == set(things())


def test_drawings_and_plans_of_boards_have_one_short_line() -> None:
    for thing in (veil.draw("kuhn_poker"), veil.plan_views("kuhn_poker")):
        assert "kuhn_poker" in repr(thing)
        assert len(repr(thing)) < 100


@pytest.mark.compiled("solves and plays")
@pytest.mark.parametrize("name", HTML)
def test_a_thing_shows_itself_in_a_notebook_and_in_one_line(name: str) -> None:
    thing = things()[name]
    assert "kuhn_poker" in repr(thing) or name in ("Record", "GameBag")
    assert "\n" not in repr(thing)
    assert len(repr(thing)) < 300
    text = read(thing._repr_html_())
    shown: dict[str, Callable[[], str]] = {
        "Record": lambda: "(card queen)",
        "GameBag": lambda: "0.5",
        "Solution": lambda: "cfr+",
        "GameTree": lambda: "58 nodes",
        "Policy": lambda: "noop: (card king); noop",
        "MatchLog": lambda: "goals: first",
        "TournamentResult": lambda: "against random",
        "Match": lambda: "to choose: first",
    }
    assert shown.get(name, lambda: "")() in text


def test_a_game_with_parameters_shows_its_rules_too() -> None:
    assert "where nobody sees the opponent" in (veil.load("krieg_tictactoe")._repr_html_() or "")


@pytest.mark.compiled("believes")
def test_a_belief_without_a_doubt_has_no_empty_table() -> None:
    bag = veil.believe("krieg_tictactoe", veil.load("krieg_tictactoe").record("xplayer"))
    text = bag._repr_html_() or ""
    assert "1 world ·" in text
    assert "may hold" not in text


def test_pieces_have_no_thick_line_in_the_dark() -> None:
    """One that is wider than in the light covers a cross."""
    dark = SVG_STYLE.partition("@media")[2]
    assert ".wall{" in dark
    assert ".piece{" not in dark.replace(",", "{")


def test_what_rules_say_is_escaped() -> None:
    log = veil.MatchLog(
        game="<script>", rules="", roles=["<b>"], players={"<b>": "<i>"}, seed=0, settings={}, goals={"<b>": 1}
    )
    html = log._repr_html_()
    assert html is not None
    assert "<script>" not in html
    assert "<i>" not in html


def test_a_long_policy_is_cut_and_says_so() -> None:
    rows = {f"round {number}": {"a": 1.0} for number in range(40)}
    html = veil.Policy(game="g", rules="", table={"a": rows})._repr_html_()
    assert html is not None
    assert "and 28 more" in read(html)


@pytest.mark.compiled("solves and plays")
@pytest.mark.parametrize("name", PLOT)
def test_a_thing_draws_itself(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    plot = things()[name].plot()
    assert plot._repr_svg_().startswith("<svg")
    plot.save(tmp_path / "picture.png")
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    refused("bad-plot", lambda: plot.save(tmp_path / "picture.txt"))
