from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra `env`)")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from tests.support.archetypes import archetypes_of
from tests.support.games import game
from tests.support.odd_environments import ENDLESS
from veil.environments.pettingzoo import aec_env, parallel_env
from veil.errors import VeilError
from veil.games import FAMILIES


@pytest.mark.parametrize("name", archetypes_of(FAMILIES))
@pytest.mark.compiled("slow as Python")
def test_the_tests_of_pettingzoo_pass_on_every_family(name: str, capsys: Any) -> None:
    small = game(FAMILIES[name].sizes()["small"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about names like player_0, dictionaries, and observations that are all 0
        api_test(aec_env(small), num_cycles=20)
        parallel_api_test(parallel_env(small), num_cycles=20)
        seed_test(lambda: aec_env(small), num_cycles=5)
        parallel_seed_test(lambda: parallel_env(small, illegal="end"), num_cycles=5)


def play_parallel(env: Any, seed: int) -> tuple[list[str], dict[str, float]]:
    """A game with random legal moves: all observations, and the rewards at its end."""
    rng, shown = np.random.default_rng(seed), []
    observations, _ = env.reset(seed=seed)
    rewards: dict[str, float] = {}
    while env.agents:
        shown.append(repr(observations))
        actions = {agent: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observations.items()}
        observations, rewards, *_ = env.step(actions)
    return [*shown, repr(observations)], rewards


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    env = parallel_env("leduc_poker", observation="seen")
    once = play_parallel(env, 3)
    assert play_parallel(env, 3) == once
    assert any(play_parallel(env, seed)[0] != once[0] for seed in (4, 5, 6))


def test_both_kinds_of_environment_play_the_same_game() -> None:
    """Simultaneous moves: who acts later in turn does not see what others chose."""
    env, in_turn = parallel_env("biased_rock_paper_scissors"), aec_env("biased_rock_paper_scissors")
    for first in range(3):
        for second in range(3):
            env.reset(seed=1)
            _, rewards, *_ = env.step(dict(zip(env.possible_agents, (first, second), strict=True)))
            in_turn.reset(seed=1)
            before = in_turn.observe(in_turn.possible_agents[1])
            in_turn.step(first)
            assert in_turn.agent_selection == in_turn.possible_agents[1]
            assert repr(in_turn.last()[0]) == repr(before)
            in_turn.step(second)
            assert in_turn.rewards == rewards
            assert all(in_turn.terminations.values())


def test_chance_is_no_agent_and_a_deal_is_seen_at_once() -> None:
    env = aec_env("kuhn_poker")
    env.reset(seed=5)
    assert env.possible_agents == ["first", "second"]
    assert env.agent_selection == "first"
    assert env.last()[0]["observation"].sum() == 1  # the own card
    assert env.observe("second")["observation"].sum() == 1


def test_an_agent_without_a_choice_may_be_left_out() -> None:
    env = parallel_env("tic_tac_toe")
    env.reset()
    env.step({"xplayer": 0})
    with pytest.raises(VeilError, match="oplayer has a choice and no action"):
        env.step({"xplayer": 9})


def test_an_illegal_action_is_refused_or_loses_the_game() -> None:
    strict: Any
    for strict, action in ((parallel_env("tic_tac_toe"), {"xplayer": 9}), (aec_env("tic_tac_toe"), 9)):
        strict.reset()
        with pytest.raises(VeilError, match="xplayer cannot play action 9"):
            strict.step(action)
    env = parallel_env("tic_tac_toe", illegal="end")
    env.reset()
    _, rewards, terminations, *_ = env.step({"xplayer": 9, "oplayer": 9})
    assert rewards == {"xplayer": -1.0, "oplayer": 1.0}
    assert all(terminations.values())
    in_turn = aec_env("tic_tac_toe", illegal="end")
    in_turn.reset()
    in_turn.step(77)
    assert in_turn.rewards == {"xplayer": -1.0, "oplayer": 1.0}


def test_an_endless_game_is_truncated() -> None:
    env = parallel_env(ENDLESS, max_rounds=3)
    env.reset()
    for _ in range(3):
        assert env.agents
        _, rewards, terminations, truncations, _ = env.step({"ann": 1, "bob": 0})
    assert not env.agents
    assert not any(terminations.values())
    assert all(truncations.values())
    assert set(rewards) == {"ann", "bob"}
    with pytest.raises(VeilError, match="call reset"):
        env.step({"ann": 0, "bob": 0})


def test_a_state_is_drawn_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    env = parallel_env("tic_tac_toe", render_mode="ansi")
    env.reset()
    drawn = env.render()
    assert drawn is not None
    assert drawn.splitlines()[0] == "board"
    assert drawn.splitlines()[-1] == "to move: [X]"
    shown = parallel_env("tic_tac_toe", render_mode="human")
    shown.reset()
    assert shown.render() is None
    assert drawn in capsys.readouterr().out
    assert parallel_env("tic_tac_toe").render() is None


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(VeilError, match="no option sees; it has observation, rounds, max_rounds, illegal"):
        parallel_env("tic_tac_toe", sees="all")
    with pytest.raises(VeilError, match="illegal must be refuse or end"):
        aec_env("tic_tac_toe", illegal="ignore")
