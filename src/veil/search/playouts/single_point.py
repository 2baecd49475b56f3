"""Single-point decisions: the values of successor states, weighted by the histories (Richards & Amir 2012, figure 3).

ChooseMove, after Parker, Nau & Subrahmanian (2005):

1. I = the infoset of the own record, or a sample of it; L = the own legal moves (lines 2 and 3).
2. P(h) for every history h of I (line 5): its probability given the record, where the others play as the opponent
   model says (`opponents`), or the same for all (`weights=uniform`).
3. V(a) = sum over h of Eval(S(ha)) * P(h) (line 7); the move with the highest V is played (line 8).

In our games others may move in the same round, `random` too. Then S(ha) is one of several states, and Eval(S(ha)) the
mean over their joint moves, all equally likely. `EVALUATIONS` is the table of Eval:

- `playouts`: the mean goal of random games from the state.
- `goal`: the goal that the rules give the role in the state, whether the game is over or not; 0 if they give none.
- `one_step`: of all joint moves in the state, the mean of the goals in the states that end the game; every other state
  counts as half of the highest goal. At the end of the game it is the goal.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal, NamedTuple

import numpy as np

from veil.belief import Bag
from veil.engine import Machine
from veil.registry import check_options, option
from veil.search.contract import Answer, SearchBudget, SearchQuestion, SearchTask, answer_by_values
from veil.search.playouts.montecarlo import expected_values, paced_batches
from veil.search.playouts.playout_clock import FEW_ROUNDS, MAX_ROUNDS, PlayoutClock

MAX_CANDIDATES = 1024  # joint moves of a state; if there are more, some are drawn at random
AT_ONCE = 256  # worlds that are evaluated between two looks at the clock


@dataclass(frozen=True, slots=True, kw_only=True)
class SinglePointConfig:
    """The number of worlds, and how the states after a move are valued."""

    worlds: int = option(200, "histories of the infoset", limit="worlds")
    evaluation: Literal["playouts", "goal", "one_step"] = option("playouts", "of the states that a move leads to")
    playouts: int = option(10, "per state, where they are played", limit="playouts")
    weights: Literal["posterior", "uniform"] = option("posterior", "of the histories")
    sampler: str = option("auto", "how worlds are found: a row of `veil samplers`", table="veil.belief:SAMPLERS")
    opponents: str = option("uniform", "how the others play: a row of `veil opponents`", table="veil.search:OPPONENTS")

    def __post_init__(self) -> None:
        check_options(self)

    def searcher(self, task: SearchTask) -> SinglePointSearch:
        """Return a searcher for one role of one match."""
        return SinglePointSearch(task, self)


class StateEvaluator:
    """The values of states for one role; it counts the states it visits."""

    def __init__(self, machine: Machine, role_id: int, playouts: int, seed: tuple[int, ...]) -> None:
        self.machine, self.role_id, self.per_state, self.seed = machine, role_id, playouts, seed
        self.states_visited = self.playouts = self._calls = 0
        self.clock, self.max_rounds = PlayoutClock(), MAX_ROUNDS
        self.middle = max(machine.program.goals[role_id], default=0) / 2

    def play_out(self, states: np.ndarray) -> np.ndarray:
        """Return the mean goals [B] of random games from states [B, words]."""
        self._calls += 1
        seed, begin = (*self.seed, self._calls), perf_counter()
        played = self.machine.playouts(states, self.per_state, seed, max_rounds=self.max_rounds)
        self.clock.learn(played.steps, perf_counter() - begin)
        self.states_visited += played.steps
        self.playouts += len(states) * self.per_state
        means: np.ndarray = played.goal_sum[:, self.role_id] / self.per_state
        return means

    def look_up_goal(self, states: np.ndarray) -> np.ndarray:
        """Return the goals [B] that the rules give in the states themselves."""
        return self.machine.goals(states)[:, self.role_id].astype(float)

    def look_ahead(self, states: np.ndarray) -> np.ndarray:
        """Return the mean goals [B] of the ends after one joint move; other states count as half of the highest."""
        judged = self.machine.judge(states)
        worth = judged.goals[:, self.role_id].astype(float)
        going = np.flatnonzero(~judged.terminal)
        reached = step_all(self.machine, Asked(states[going], judged.rows(going).legal), -1, self.seed)
        after = self.machine.judge(reached.states)
        ends = np.where(after.terminal, after.goals[:, self.role_id], self.middle)
        worth[going] = np.bincount(reached.row, ends * reached.share, minlength=len(going))
        self.states_visited += len(reached.row)
        return worth


EVALUATIONS: dict[str, Callable[[StateEvaluator, np.ndarray], np.ndarray]] = {
    "playouts": StateEvaluator.play_out,
    "goal": StateEvaluator.look_up_goal,
    "one_step": StateEvaluator.look_ahead,
}


class SinglePointSearch:
    """The search of figure 3."""

    def __init__(self, task: SearchTask, config: SinglePointConfig) -> None:
        self.task, self.config = task, config

    def search(self, question: SearchQuestion, budget: SearchBudget, rng: np.random.Generator) -> Answer:
        """Return the moves with the highest value; with a deadline, by as many histories and playouts as it allows."""
        bag = question.belief.worlds(self.config.worlds, rng)
        if self.config.weights == "uniform":
            bag = replace(bag, weights=np.full(len(bag), 1 / len(bag)))
        machine, role_id = self.task.game.machine, self.task.role_id
        evaluator = StateEvaluator(machine, role_id, self.config.playouts, question.seed)
        values = SuccessorValues(evaluator, bag, self.config.evaluation)
        if budget.deadline is None:
            for first in range(0, len(bag), AT_ONCE):
                values.add(np.arange(first, min(first + AT_ONCE, len(bag))))
        else:
            order = rng.permutation(len(bag))
            evaluator.max_rounds = evaluator.clock.rounds(budget.deadline, 0)
            for worlds, times in paced_batches(len(bag), budget.deadline):
                for _ in range(times):
                    values.add(order[worlds])
                if evaluator.max_rounds == FEW_ROUNDS:
                    evaluator.max_rounds = evaluator.clock.rounds(budget.deadline, evaluator.playouts)
                if self.config.evaluation != "playouts" and values.counts.all():
                    break  # another evaluation would give the same
        return replace(values.answer(), bag=bag, details={"evaluation": self.config.evaluation})


class SuccessorValues:
    """Eval(S(ha)) for histories h and own moves a, of which there are P pairs."""

    def __init__(self, evaluator: StateEvaluator, bag: Bag, evaluation: str) -> None:
        self.evaluator, self.bag, self.evaluate = evaluator, bag, EVALUATIONS[evaluation]
        self.judged = evaluator.machine.judge(bag.states)
        legal = evaluator.machine.legal_bits(self.judged)[evaluator.role_id]
        self.world, self.move = np.nonzero(legal)
        self.sums, self.counts = np.zeros(len(self.world)), np.zeros(len(self.world))

    def add(self, worlds: np.ndarray) -> None:
        """Evaluate all pairs of these worlds once more."""
        evaluator, pairs = self.evaluator, np.flatnonzero(np.isin(self.world, worlds))
        world = self.world[pairs]
        asked = Asked(self.bag.states[world], tuple(part[world] for part in self.judged.legal), self.move[pairs])
        reached = step_all(evaluator.machine, asked, evaluator.role_id, evaluator.seed)
        evaluator.states_visited += len(reached.row)
        worth = self.evaluate(evaluator, reached.states) * reached.share
        self.sums[pairs] += np.bincount(reached.row, worth, minlength=len(pairs))
        self.counts[pairs] += 1

    def answer(self) -> Answer:
        """Return V(a) = sum over h of Eval(S(ha)) * P(h); the best moves are played."""
        moves, values = expected_values(self.move, self.bag.weights[self.world], self.sums, self.counts)
        visits = np.bincount(self.move, self.counts)[moves]
        return answer_by_values(moves, values, visits, self.evaluator.playouts, self.evaluator.states_visited)


class Asked(NamedTuple):
    """B states whose successors are wanted."""

    states: np.ndarray  # [B, words]
    legal: tuple[np.ndarray, ...]  # [R][B, words] packed moves
    own_moves: np.ndarray | None = None  # [B] of the role that is named


class Reached(NamedTuple):
    """N successors."""

    row: np.ndarray  # [N] of the state they follow
    states: np.ndarray  # [N, words]
    share: np.ndarray  # [N] the sum for every row is 1


def step_all(machine: Machine, asked: Asked, role_id: int, seed: tuple[int, ...]) -> Reached:
    """Play all joint moves in the states, equally likely; a role that is named plays its own moves (-1: none is)."""
    rows = len(asked.states)
    words = np.random.default_rng(seed).integers(0, 2**64, rows, np.uint64, endpoint=False)
    every = np.ones(rows, np.bool_)
    listed = machine.candidates(asked.legal, every, role_id, asked.own_moves, MAX_CANDIDATES, words)
    stepped = machine.step_from(asked.states, listed.rows, listed.joints)
    count = np.bincount(listed.rows, minlength=rows)
    return Reached(listed.rows, stepped.states, 1.0 / count[listed.rows])
