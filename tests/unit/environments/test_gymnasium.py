from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra `env`)")

from gymnasium.utils.env_checker import check_env

from tests.support.games import game
from veil.environments.gymnasium import single_env
from veil.errors import VeilError
from veil.games import FAMILIES

ALONE = [name for name, family in FAMILIES.items() if sum(role != "random" for role in family.roles) == 1]


def test_there_are_families_for_one_player() -> None:
    assert {"monty_hall", "exploding_bomb", "mastermind", "number_guessing"} <= set(ALONE)


@pytest.mark.parametrize("name", ALONE)
@pytest.mark.filterwarnings("ignore")  # it recommends Box and more modes of drawing
def test_the_checker_of_gymnasium_passes_on_every_family_for_one_player(name: str) -> None:
    check_env(single_env(game(FAMILIES[name].sizes()["small"]), render_mode="ansi"))


@pytest.mark.compiled("slow as Python")
def test_switching_doors_wins_two_games_of_three() -> None:
    """Always switching wins 2/3; 900 games are within 5 standard errors but for one case in a million."""
    env, wins = single_env("monty_hall"), 0.0
    for number in range(900):
        _, info = env.reset(seed=number)
        reward, is_over, choices = 0.0, False, 0
        while not is_over:
            legal = np.flatnonzero(info["action_mask"])
            words = [env.play.moves[0][move] for move in legal]
            action = legal[words.index("switch")] if "switch" in words else legal[0]
            _, reward, is_over, _, info = env.step(action)
            choices += 1
        wins += reward / env.play.utility_range[1]
        assert choices == 2
    assert abs(wins / 900 - 2 / 3) < 5 * (2 / 9 / 900) ** 0.5


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    env = single_env("monty_hall")
    env.reset(seed=1)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert terminated
    assert reward == env.play.utility_range[0]
    assert not info["action_mask"].any()
    with pytest.raises(VeilError, match="call reset"):
        env.step(0)
    strict = single_env("monty_hall", illegal="refuse")
    strict.reset(seed=1)
    with pytest.raises(VeilError, match="contestant cannot play action"):
        strict.step(illegal)


def test_a_game_for_two_is_sent_to_other_environments() -> None:
    with pytest.raises(VeilError, match=r"for one player; this game has 2: xplayer, oplayer"):
        single_env("tic_tac_toe")
