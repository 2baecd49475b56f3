"""How a player is served."""

from __future__ import annotations

from typing import Any

import pytest

from veil.errors import VeilError
from veil.server.ggp.config import ServerConfig


@pytest.mark.parametrize(
    "settings",
    [
        {"player": "nobody"},
        {"player": "hyperplay:models=x"},
        {"player": "human"},
        {"player": "cheat"},
        {"port": -1},
        {"port": 70_000},
        {"dialect": "D"},
        {"matches": 0},
        {"margin": -1.0},
        {"patience": 0.0},
        {"seed": -1},
    ],
    ids=str,
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(VeilError):
        ServerConfig(**({"player": "first"} | settings))


def test_a_margin_is_left_of_every_clock_and_half_of_it_at_most() -> None:
    config = ServerConfig(player="first", margin=0.5)
    assert [config.think(clock) for clock in (10, 2, 1, 0.5)] == [9.5, 1.5, 0.5, 0.25]


@pytest.mark.parametrize(
    ("host", "is_local"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("::", False), ("a.example", False)],
)
def test_who_can_ask_is_known_from_the_host(host: str, is_local: bool) -> None:
    assert ServerConfig(player="first", host=host).is_local == is_local


def test_the_name_is_one_word_whatever_is_given() -> None:
    assert ServerConfig(player="hyperplay:models=3").shown_name == "Veil-hyperplay"
    assert ServerConfig(player="first", name="a b)\x1b(é" + "x" * 99).shown_name == "a_b____" + "x" * 53
