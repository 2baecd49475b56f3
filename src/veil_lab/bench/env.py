"""Steps per second of the vector environment, beside pgx and beside loops over PettingZoo, on one core and in one run.

A step is one decision of one player, with random legal moves: drawn, played, and shown (observations and legal moves
are written; pgx shows those of the player whose turn it is, Veil those of all roles). Batches have 4,096 games. Seconds
are processor time, so that other programs on the machine matter less; competitors take turns.

Veil writes observations of kind `seen` in three forms: packed bits, bytes (as pgx does), and floats.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Game, load
from veil.environments.vector import VectorEnv
from veil.errors import VeilError
from veil.report import Table, show_short
from veil_lab.bench.machine import about

BATCH = 4096
TURNS = 3  # portions of the time of each competitor
FORMS = ("packed", "bool", "float")

Act = Callable[[], int]  # does some steps, and returns their number


class Peers(NamedTuple):
    """The names of a game in other libraries; None if they do not have it."""

    pgx: str | None
    pettingzoo: str | None


GAMES: dict[str, Peers] = {
    "tic_tac_toe": Peers("tic_tac_toe", "tictactoe_v3"),
    "connect_four": Peers("connect_four", "connect_four_v3"),
    "kuhn_poker": Peers("kuhn_poker", None),
    "leduc_poker": Peers("leduc_holdem", "leduc_holdem_v4"),
    "liars_dice": Peers(None, None),
    "blind_breakthrough(width=8, height=8)": Peers(None, None),
}


def measure_all(seconds: float, say: Callable[[str], None] = lambda _: None) -> dict[str, Any]:
    """Measure every game, for about `seconds` seconds per competitor."""
    rows, missing = [], list[str]()
    with one_core():
        for name, peers in GAMES.items():
            say(f"measuring {name}")
            rows.append(measure(name, peers, seconds, missing))
    return {"batch": BATCH, "games": rows, "missing": sorted(set(missing))} | about()


def measure(name: str, peers: Peers, seconds: float, missing: list[str]) -> dict[str, Any]:
    """Measure the steps per second of each competitor in one game; `missing` gets the reasons for absent ones."""
    game = load(name)
    competitors: dict[str, Act] = {form: veil_act(game, form) for form in FORMS}
    makers: tuple[tuple[str, Callable[[], Act | None]], ...] = (
        ("pgx", lambda: pgx_act(peers.pgx) if peers.pgx else None),
        ("pettingzoo", lambda: pettingzoo_act(peers.pettingzoo) if peers.pettingzoo else None),
        ("pettingzoo_veil", lambda: own_pettingzoo_act(game)),
    )
    for label, make in makers:
        try:
            act = make()
        except (ImportError, VeilError) as error:
            missing.append(f"{label.replace('_veil', '')} is not installed ({error})".replace("error: ", ""))
            continue
        if act is not None:
            competitors[label] = act
    speeds = take_turns(competitors, seconds)
    loop = speeds.get("pettingzoo") or speeds.get("pettingzoo_veil")
    return {
        "game": name,
        "steps_per_second": speeds,
        "ratio_pgx": {form: speeds[form] / speeds["pgx"] for form in FORMS} if "pgx" in speeds else None,
        "ratio_pettingzoo": {form: speeds[form] / loop for form in FORMS} if loop else None,
        "bytes_per_step": {form: shown_bytes(game, form) for form in FORMS},
    }


def take_turns(competitors: dict[str, Act], seconds: float) -> dict[str, float]:
    """Return steps per second of processor time of each competitor, measured in turns."""
    steps, spent = dict.fromkeys(competitors, 0), dict.fromkeys(competitors, 0.0)
    for act in competitors.values():
        act()  # compile before the clock starts
    for _ in range(TURNS):
        for label, act in competitors.items():
            start = process_time()
            while process_time() - start < seconds / TURNS:
                steps[label] += act()
            spent[label] += process_time() - start
    return {label: steps[label] / spent[label] for label in competitors}


def veil_act(game: Game, form: str) -> Act:
    """Return a function that makes ten steps of a batch of the vector environment."""
    env = make_env(game, form)
    env.reset(seed=1)

    def act() -> int:
        for _ in range(10):
            env.step(env.sample())
        return 10 * BATCH

    return act


def make_env(game: Game, form: Any) -> VectorEnv:
    """Return the environment that is measured: observations `seen`, and legal moves in bytes, or packed as well."""
    legal_form: Any = "packed" if form == "packed" else "bool"
    return VectorEnv(game, BATCH, observation="seen", form=form, legal_form=legal_form)


def shown_bytes(game: Game, form: str) -> float:
    """Return the bytes of observations, legal moves, rewards and ends that a step writes for one game."""
    batch = make_env(game, form).reset()
    arrays = (*batch.observation, *batch.legal, batch.reward, batch.done, batch.truncated)
    return sum(array.nbytes for array in arrays) / BATCH


def pgx_act(name: str) -> Act:
    """Return a function that makes ten steps of a batch of pgx, compiled as its users do, with automatic reset."""
    import jax  # an optional package
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def play(state: Any, key: Any) -> tuple[Any, Any]:
        key, for_actions, for_steps = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(for_actions, logits, axis=-1)
        return step(state, actions, jax.random.split(for_steps, BATCH)), key

    key = jax.random.PRNGKey(1)
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(key, BATCH)), key]

    def act() -> int:
        for _ in range(10):
            now[:] = play(*now)
        jax.block_until_ready(now[0])
        return 10 * BATCH

    return act


def pettingzoo_act(name: str) -> Act:
    """Return a function that plays a game of PettingZoo in its loop over agents."""
    return loop_act(import_module(f"pettingzoo.classic.{name}").env())


def own_pettingzoo_act(game: Game) -> Act:
    """Return a function that plays Veil's game in PettingZoo's loop over agents."""
    from veil.environments.pettingzoo import aec_env  # an optional package

    return loop_act(aec_env(game, observation="seen"))


def loop_act(env: Any) -> Act:
    """Return a function that plays one game with random legal moves."""
    rng, number = np.random.default_rng(1), [0]

    def act() -> int:
        number[0] += 1
        env.reset(seed=number[0])
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))
            steps += 1
        return steps

    return act


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process on one of its cores inside the block, so that no competitor uses several."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def as_table(result: dict[str, Any]) -> str:
    """Return the measurements as a table for people."""
    columns = ("game", "Veil packed", "bytes", "floats", "pgx", "ratio", "PettingZoo", "Veil in its loop", "ratio")
    rows = []
    for row in result["games"]:
        speeds, pgx, loop = row["steps_per_second"], row["ratio_pgx"], row["ratio_pettingzoo"]
        rows.append(
            (
                row["game"],
                *(show_short(speeds[form]) for form in FORMS),
                show_short(speeds.get("pgx")),
                f"{pgx['bool']:.1f}x" if pgx else None,
                show_short(speeds.get("pettingzoo")),
                show_short(speeds.get("pettingzoo_veil")),
                f"{loop['bool']:.0f}x" if loop else None,
            )
        )
    lines = [f"steps per second on one core, batches of {result['batch']:,} games", *Table(columns, rows).as_lines()]
    lines.append("ratios are those of bytes; PettingZoo's own game where it has one, else Veil's in its loop")
    return "\n".join([*lines, *result["missing"]])
