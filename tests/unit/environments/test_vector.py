from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from tests.reference.vector_env import SlowEnv
from tests.support.games import OVER_AT_THE_START, game
from tests.support.odd_environments import CHANCE_ALONE, ENDLESS, FIVE_ROLES, SOON_OVER, STUCK
from veil.environments.vector import Batch, VectorEnv
from veil.environments.vector_layout import FORMS
from veil.errors import VeilError

GAMES = {
    "kuhn_poker": 60,
    "krieg_tictactoe": 30,
    "biased_rock_paper_scissors": 20,
    "monty_hall": 40,
    "blind_breakthrough(width=4, height=4)": 20,  # more than 64 bits in a field
    "endless": 20,
    "stuck": 40,
    "soon over": 60,
    "over at the start": 10,
    "five roles": 30,
}
TEXTS = {
    "endless": ENDLESS,
    "stuck": STUCK,
    "soon over": SOON_OVER,
    "over at the start": OVER_AT_THE_START,
    "five roles": FIVE_ROLES,
}
SIGNIFICANCE = 1e-6  # how often a statistical test below fails by chance; its seed is fixed


def spec(name: str) -> str:
    return TEXTS.get(name, name)


def check(batch: Batch, slow: SlowEnv, kind: str, rounds: int) -> None:
    """Everything a batch shows, game by game."""
    for number, one in enumerate(slow.games):
        for place, role in enumerate(slow.roles):
            words = slow.game.names.moves[slow.game.roles.index(role)]
            legal = slow.legal(one, role)
            assert batch.legal[place][number].tolist() == [word in legal for word in words], (number, role)
            assert batch.observation[place][number].tolist() == slow.observation(one, role, kind, rounds)


@pytest.mark.gate_cases(8)
@pytest.mark.parametrize("kind", ["percepts", "seen", "record"])
@pytest.mark.parametrize("name", GAMES)
def test_the_lanes_play_as_the_slow_environment_does(name: str, kind: Any) -> None:
    rounds, num_envs = 3, GAMES[name]
    options: Any = {"max_rounds": 7, "skip_forced": kind != "percepts"}
    env = VectorEnv(game(spec(name)), num_envs, seed=5, observation=kind, rounds=rounds, **options)
    slow = SlowEnv(game(spec(name)), num_envs, seed=5, **options)
    slow.reset()
    check(env.reset(), slow, kind, rounds)
    ended = False
    for _ in range(8):
        actions = env.sample()
        drawn = slow.sample()
        words = [{role: env.moves[i][row[i]] for i, role in enumerate(env.roles)} for row in actions.tolist()]
        assert words == drawn
        batch, results = env.step(actions), slow.step(drawn)
        check(batch, slow, kind, rounds)
        assert batch.done.tolist() == [result.done for result in results]
        assert batch.truncated.tolist() == [result.truncated for result in results]
        expected = [[result.reward[role] for role in env.roles] for result in results]
        assert batch.reward.tolist() == np.array(expected, np.float32).tolist()
        ended |= bool(batch.done.any())
    assert ended


def test_games_of_several_blocks_are_played_as_slowly_as_well() -> None:
    env, slow = VectorEnv(game("kuhn_poker"), 300, seed=9), SlowEnv(game("kuhn_poker"), 300, seed=9)
    slow.reset()
    check(env.reset(), slow, "percepts", 1)
    for _ in range(2):
        batch, results = env.step(env.sample()), slow.step(slow.sample())
        check(batch, slow, "percepts", 1)
        assert batch.done.tolist() == [result.done for result in results]


def test_the_three_forms_say_the_same() -> None:
    for kind in ("seen", "record"):
        shown = []
        for form in FORMS:
            env = VectorEnv(game("leduc_poker"), 300, 3, observation=kind, rounds=4, form=form, legal_form=form)  # type: ignore[arg-type]
            env.reset()
            for _ in range(6):
                batch = env.step(env.sample())
            shown.append(batch)
        packed, as_bool, as_float = shown
        for number in range(2):
            bits = env.layout.bits[number]
            for rows, pieces, size in (
                ("observation", 1 if kind == "seen" else 4, 2 * bits if kind == "seen" else bits),
                ("legal", 1, env.layout.moves[number]),
            ):
                exact = getattr(as_bool, rows)[number]
                assert exact.dtype == np.bool_
                assert exact.any()
                assert getattr(as_float, rows)[number].dtype == np.float32
                assert (getattr(as_float, rows)[number] == exact).all()
                split = getattr(packed, rows)[number].reshape(300, pieces, -1)
                unpacked = np.unpackbits(split, axis=2, bitorder="little")
                assert (unpacked[:, :, :size].reshape(300, -1) == exact).all()
                assert not unpacked[:, :, size:].any(), "bits beyond the last mean nothing and are 0"


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    def play(seed: int, env: VectorEnv) -> list[Any]:
        first = env.reset(seed)
        return [first.observation[1].tolist(), *(env.step(env.sample()).reward.tolist() for _ in range(4))]

    env = VectorEnv("kuhn_poker", 64)
    once = play(3, env)
    assert play(4, env) != once
    assert play(3, env) == once
    assert play(3, VectorEnv("kuhn_poker", 64, seed=77)) == once


def test_samples_are_uniform_and_do_not_touch_chance() -> None:
    env, other = VectorEnv("krieg_tictactoe", 4096, seed=1), VectorEnv("kuhn_poker", 4096, seed=1)
    batch = env.reset()
    drawn = np.concatenate([env.sample()[:, 0] for _ in range(5)])
    counts = np.bincount(drawn, minlength=10)
    legal = batch.legal[0][0]
    assert (counts[~legal] == 0).all()
    assert chisquare(counts[legal]).pvalue > SIGNIFICANCE
    alone = other.reset(seed=2).observation[0]
    other.reset(seed=2)
    actions = np.zeros((4096, 2), np.int64) - 1
    actions[:, 0] = other.sample()[:, 0]
    for _ in range(3):
        other.sample()
    assert (other.reset(seed=2).observation[0] == alone).all()


def test_chance_deals_every_pair_of_cards_equally_often() -> None:
    env = VectorEnv("kuhn_poker", 12_000, seed=6)
    batch = env.reset()
    cards = [[i for i, word in enumerate(words) if "card" in word] for words in env.meanings]
    held = [batch.observation[role][:, cards[role]].argmax(axis=1) for role in range(2)]
    assert all(batch.observation[role][:, cards[role]].sum(axis=1).tolist() == [1] * 12_000 for role in range(2))
    counts = np.bincount(3 * held[0] + held[1], minlength=9)
    assert (counts[[0, 4, 8]] == 0).all()
    assert chisquare(np.delete(counts, [0, 4, 8])).pvalue > SIGNIFICANCE


def test_states_leave_only_where_they_are_asked_for() -> None:
    assert VectorEnv("kuhn_poker", 5).reset().state is None
    env = VectorEnv("kuhn_poker", 300, reveal=True)
    batch = env.reset()
    assert batch.state is not None
    judged = env.game.machine.judge(batch.state)
    legal = env.game.machine.legal_bits(judged)
    assert (legal[1] == batch.legal[0]).all()
    assert (legal[2] == batch.legal[1]).all()
    held = [word for word in env.fluents(batch.state[7]) if word.startswith("(holds")]
    assert len(held) == 2


def test_a_record_is_read_back_in_words_from_every_form() -> None:
    for form in FORMS:
        env = VectorEnv("kuhn_poker", 8, seed=1, observation="record", form=form)  # type: ignore[arg-type]
        env.reset()
        batch = env.step(np.array([[env.moves[0].index("bet"), -1]] * 8))
        for number in range(8):
            record = env.record(1, batch.observation[1][number])
            assert str(record).startswith("noop; noop: (card ")
            assert str(record).endswith("; noop: (played first bet)")
    with pytest.raises(VeilError, match="holds no record"):
        VectorEnv("kuhn_poker", 8).record(0, np.zeros(9))


def test_an_only_move_may_be_left_out_and_a_choice_may_not() -> None:
    env = VectorEnv("kuhn_poker", 3, seed=1)
    env.reset()
    env.step(np.array([[0, -1], [2, -1], [0, env.moves[1].index("noop")]]))
    with pytest.raises(VeilError, match="game 2: second cannot play action -1; nothing was played"):
        env.step(np.array([[-1, 0], [-1, 2], [-1, -1]]))


def test_an_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = VectorEnv("tic_tac_toe", 300, seed=1, reveal=True)
    before = env.reset()
    actions = env.sample()
    noop = env.moves[0].index("noop")
    for wrong in (noop, 10, -2, 65_536, 65_536 + int(actions[299, 0]), -(2**40)):
        bad = actions.copy()
        bad[299, 0] = wrong
        with pytest.raises(VeilError, match=f"game 299: xplayer cannot play action {wrong};"):
            env.step(bad)
    after = env.step(actions)
    assert before.state is not None
    assert after.state is not None
    expected = env.game.machine.step(before.state, actions).states
    assert (after.state == expected).all()


@pytest.mark.parametrize("actions", [np.zeros((5, 3), int), np.zeros(5, int), np.zeros((5, 2)), "left"])
def test_actions_of_another_shape_or_kind_are_refused(actions: Any) -> None:
    env = VectorEnv("tic_tac_toe", 5)
    env.reset()
    with pytest.raises(VeilError, match="must be whole numbers of shape"):
        env.step(actions)


def test_an_environment_has_to_begin_first() -> None:
    env = VectorEnv("tic_tac_toe", 5)
    for ask in (env.sample, lambda: env.step(np.zeros((5, 2), int))):
        with pytest.raises(VeilError, match="call reset"):
            ask()


@pytest.mark.parametrize(
    "options",
    [{"observation": "all"}, {"form": "int"}, {"num_envs": 0}, {"seed": -1}, {"rounds": 0}, {"max_rounds": 0}],
)
def test_options_out_of_bounds_are_refused(options: Any) -> None:
    with pytest.raises(VeilError, match="must be"):
        VectorEnv("tic_tac_toe", **options)


def test_a_game_without_players_is_refused() -> None:
    with pytest.raises(VeilError, match="no role that plays"):
        VectorEnv(CHANCE_ALONE)


def test_a_batch_that_is_held_is_not_overwritten_and_memory_is_used_again() -> None:
    env = VectorEnv("krieg_tictactoe", 256, seed=4, observation="seen")
    batches = [env.reset(), *(env.step(env.sample()) for _ in range(7))]
    copies = [batch.observation[0].copy() for batch in batches]
    row = env.step(env.sample()).legal[1][3:5]  # a part of an array keeps all of it
    kept = row.copy()
    for _ in range(10):
        env.step(env.sample())
    assert all((batch.observation[0] == copy).all() for batch, copy in zip(batches, copies, strict=True))
    assert (row == kept).all()
    del batches, row
    places = {env.step(env.sample()).observation[0].ctypes.data for _ in range(20)}
    assert len(places) <= 2


def test_meanings_name_every_bit() -> None:
    for kind, last in (
        ("percepts", "sees (played second pass)"),
        ("seen", "sees (played second pass), so far"),
        ("record", "sees (played second pass), 8 rounds ago"),
    ):
        env = VectorEnv("kuhn_poker", 4, observation=kind)  # type: ignore[arg-type]
        batch = env.reset()
        for number in range(2):
            assert len(env.meanings[number]) == batch.observation[number].shape[1]
        assert last in env.meanings[0]
