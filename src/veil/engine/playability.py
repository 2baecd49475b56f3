"""Flaws of the rules that show when random games are played, and not by looking at the text."""

from __future__ import annotations

import numpy as np

from veil.engine.game import Game, State
from veil.errors import Problem, phrase, problem
from veil.vocabulary import RANDOM

GAMES, ROUNDS = 5, 200  # at most so many random games, with so many rounds each
WORK = 20_000_000  # ground rules looked at, in all: large programs are tried less


def find_flaws(game: Game, seed: int = 0) -> list[Problem]:
    """Play a few random games and report what the rules leave open. The same seed finds the same."""
    program = game.program
    flaws: dict[tuple[str, str], Problem] = {}
    for role, values in zip(game.roles, program.goals, strict=True):
        if not values and role != RANDOM:  # chance wants nothing
            flaws["no-goal", role] = problem("no-goal", role=role)
    rng = np.random.default_rng(seed)
    budget = max(ROUNDS, min(GAMES * ROUNDS, WORK // max(1, program.num_rules)))
    unfinished = 0
    for _ in range(GAMES):
        if budget <= 0:
            break
        state, rounds, stuck = play_random(game, rng, min(ROUNDS, budget))
        budget -= rounds
        if stuck:
            code = "stuck" if rounds == 1 else "stuck-later"
            flaws.setdefault((code, stuck), problem(code, where=phrase("at-the-start"), role=stuck, round=rounds))
        elif state.is_terminal:
            _judge_end(state, flaws)
        else:
            unfinished += 1
    if unfinished:
        flaws["never-ends", ""] = problem("never-ends", count=unfinished, rounds=ROUNDS)
    return list(flaws.values())


def play_random(game: Game, rng: np.random.Generator, max_rounds: int) -> tuple[State, int, str]:
    """The last state, the rounds played, and the role that could not move ("" where all could)."""
    state = game.initial_state()
    for done in range(max_rounds):
        if state.is_terminal:
            return state, done, ""
        stuck = [role for role in game.roles if not state.legal(role)]
        if stuck:
            return state, done + 1, stuck[0]
        state, _ = state.play(state.random_joint_move(rng))
    return state, max_rounds, ""


def _judge_end(state: State, flaws: dict[tuple[str, str], Problem]) -> None:
    """Every role should have exactly one goal value at the end (`flaws` is changed in place)."""
    for role, values in state.goal_values.items():
        if not values and role != RANDOM and ("no-goal", role) not in flaws:
            flaws.setdefault(("goal-missing", role), problem("goal-missing", role=role))
        if len(values) > 1:
            values_in_words = " and ".join(map(str, values))
            flaws.setdefault(("goal-ambiguous", role), problem("goal-ambiguous", role=role, values=values_in_words))
