"""Soundness of a game: flaws of the rules that show in play, and not in the text.

1. Play a few random games, one state after the other: ends without a goal, or with several; roles that cannot move.
2. If one of them did not end, play many more in lanes, for many more rounds.
3. Search for records that do not tell a role its legal moves, within a budget (`record_search`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from veil.clock import has_passed
from veil.engine import Game, State, Timetable, play_in_time
from veil.errors import Problem, phrase, problem
from veil.review.record_search import BUDGET, Witness, search_records
from veil.vocabulary import RANDOM

GAMES, ROUNDS = 5, 200  # maximal number of random games, and of rounds of each
WORK = 20_000_000  # ground rules evaluated in total: large programs are tried less
LONG_GAMES, LONG_ROUNDS = 256, 10_000  # if some of them did not end
FEW_LONG_GAMES = 16  # of a game that is played from its rules

Flaws = dict[tuple[str, str], Problem]  # (code, role) -> the first such flaw


class Soundness(NamedTuple):
    """The flaws of a game, and the extent of the search."""

    flaws: list[Problem]  # warnings and errors; empty if no flaw was found
    infosets: int  # number of compared infosets
    complete: bool  # whether those are all infosets

    @property
    def is_sound(self) -> bool:
        """Whether no flaw was found."""
        return not self.flaws


def judge_soundness(game: Game, seed: int = 0, budget: int = BUDGET, deadline: float | None = None) -> Soundness:
    """Play a game in all ways within a budget of joint moves, and return the flaws of the rules.

    Equal seeds find equal flaws. With a deadline (of `perf_counter`) less is tried if time is short.
    """
    flaws = _play_a_few(game, seed, deadline)
    search = search_records(game, seed, budget, deadline)
    for (code, role), witness in search.witnesses.items():
        if (code, role) not in flaws and ("stuck", role) not in flaws:
            flaws[code, role] = _describe(witness)
    return Soundness(list(flaws.values()), search.infosets, search.complete)


def _play_a_few(game: Game, seed: int, deadline: float | None) -> Flaws:
    """Return the flaws that random games show."""
    program = game.program
    flaws: Flaws = {}
    for role, values in zip(game.roles, program.goals, strict=True):
        if not values and role != RANDOM:  # chance has no goal
            flaws["no-goal", role] = problem("no-goal", role=role)
    rng = np.random.default_rng(seed)
    budget = max(ROUNDS, min(GAMES * ROUNDS, WORK // max(1, program.num_rules)))
    unfinished = 0
    for _ in range(GAMES):
        if budget <= 0 or has_passed(deadline):
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
        _play_long(game, seed, flaws, deadline)
    return flaws


def _play_long(game: Game, seed: int, flaws: Flaws, deadline: float | None) -> None:
    """Play many games, long enough to end if they do (`flaws` is changed in place)."""
    machine, games = game.machine, LONG_GAMES if game.program.is_ground else FEW_LONG_GAMES
    played, rounds = play_in_time(machine, machine.initial_states(), games, seed, Timetable(LONG_ROUNDS, deadline))
    if played.cut:
        flaws["never-ends", ""] = problem("never-ends", count=played.cut, total=games, rounds=rounds)


def _describe(witness: Witness) -> Problem:
    """Return a witness as a warning: the game can be played in spite of it."""
    if witness.code == "stuck-later":
        code = "stuck" if witness.round == 1 else "stuck-later"
        return problem(code, where=phrase("at-the-start"), role=witness.role, round=witness.round)
    one, other = (", ".join(" ".join(joint.values()) for joint in history) for history in witness.histories)
    return replace(problem("infoset-moves", role=witness.role, one=one, other=other), severity="warning")


def play_random(game: Game, rng: np.random.Generator, max_rounds: int) -> tuple[State, int, str]:
    """Play a random game; return its last state, the number of rounds, and the role that is stuck ("" if none)."""
    state = game.initial_state()
    for done in range(max_rounds):
        if state.is_terminal:
            return state, done, ""
        stuck = [role for role in game.roles if not state.legal(role)]
        if stuck:
            return state, done + 1, stuck[0]
        state, _ = state.play(state.random_joint_move(rng))
    return state, max_rounds, ""


def _judge_end(state: State, flaws: Flaws) -> None:
    """Check that every role has exactly one goal value at the end (`flaws` is changed in place)."""
    for role, values in state.goal_values.items():
        if not values and role != RANDOM and ("no-goal", role) not in flaws:
            flaws.setdefault(("goal-missing", role), problem("goal-missing", role=role))
        if len(values) > 1:
            values_in_words = " and ".join(map(str, values))
            flaws.setdefault(("goal-ambiguous", role), problem("goal-ambiguous", role=role, values=values_in_words))
