"""How long players think by default: what is measured, and that their default work does not grow with the game."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.archetypes import archetypes_of
from veil.engine import load
from veil.games import FAMILIES
from veil.players import Observation, Seat, make_player
from veil.search import HyperPlay2Config, HyperPlayConfig, PimcConfig
from veil_lab.bench import decisions
from veil_lab.weak_play import weak_game

ROUNDS = 6  # that a player is led along


def test_all_players_that_need_nothing_are_measured() -> None:
    assert decisions.players_that_decide() == [
        *("solve", "its", "montecarlo", "pimc", "hyperplay", "mmd", "single_point", "hyperplay2"),
        *("ismcts", "oos", "smooth_uct", "best", "resolve", "vector_minimax", "presumed_payoff", "norns"),
    ]


def test_a_row_says_who_was_measured_and_what_was_refused() -> None:
    row = decisions.measure(load("monty_hall"), "hyperplay", 0.1)
    assert row["role"] == "contestant"
    assert row["moves"] >= 1
    assert row["refused"] is None
    refused = decisions.measure(load("krieg_tictactoe"), "solve", 0.1)
    assert (refused["moves"], "more than" in refused["refused"]) == (0, True)


def test_slow_moves_are_listed_below_the_table() -> None:
    def row(player: str, seconds: float, refused: str | None = None) -> dict[str, Any]:
        return {"game": "chess", "player": player, "slowest_seconds": seconds, "refused": refused}

    text = decisions.as_table({"moves": [row("fast", 0.5), row("slow", 7.25), row("solve", 0.0, "too large")]})
    assert "refused" in text
    assert text.endswith("slow in chess: 7.2 s for a move")


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize("name", archetypes_of(sorted(FAMILIES)))
def test_by_default_a_move_of_hyperplay2_takes_a_bounded_amount_of_work_in_every_bundled_game(name: str) -> None:
    """Work is counted, not timed: the same on every machine. One decision inside may go beyond the limit, no more."""
    game = load(FAMILIES[name].sizes()["small"])
    role_id = next(number for number, role in enumerate(game.roles) if role != "random")
    player = make_player("hyperplay2:work=3000000")
    player.start(Seat(game=game, role=game.roles[role_id], seed=0))
    nested = player.searcher.nested  # type: ignore[attr-defined]
    state, observation = game.machine.initial_states(), None
    for joint_move in weak_game(game, 0, max_rounds=ROUNDS):
        before = nested.work
        player.play(observation)
        assert nested.work - before < 3_000_000 + 20_000_000
        stepped = game.machine.step(state, joint_move[None, :])
        state = stepped.states
        percepts = game.names.percept_words(role_id, stepped.percepts[role_id][0])
        observation = Observation(game.names.moves[role_id][int(joint_move[role_id])], percepts)


def test_default_budgets_are_those_that_the_table_was_made_with() -> None:
    """Whoever changes one looks at `veil bench decisions` again."""
    assert HyperPlay2Config().work == 50_000_000
    assert (PimcConfig().worlds, PimcConfig().iterations) == (20, 100)
    assert (HyperPlayConfig().models, HyperPlayConfig().playouts) == (100, 30)
