"""Single-point decisions and opponents that are read, found slowly: the oracle for `search/single_point.py` and
`search/read_opponents.py`.

Written from Richards & Amir, Information Set Generation in Partially Observable Games, AAAI 2012, section "Single-Point
Decisions" with figure 3. Histories, records and policies are those of `beliefs`. Where the text leaves something open:

1. S(ha) is one of several states where others move in the same round: Eval is the mean over their joint moves, all
   equally likely.
2. Eval by Monte Carlo is its expectation: the mean goal when everybody moves uniformly at random to the end.
3. An opponent's decision is analysed "from its perspective": the mean over its own infoset (others uniform) of the
   expectation in 2 after each of its moves; it takes move a with probability
   (1 - mix) * exp(v(a) / temperature) / sum + mix / number of moves. Here the temperature is in goals.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import exp

from tests.reference import beliefs
from tests.reference.naive import NaiveGame

Eval = Callable[[NaiveGame, str, beliefs.State], Fraction]


def goal(game: NaiveGame, role: str, state: beliefs.State) -> Fraction:
    """The goal that the rules give in the state itself, the highest of several; 0 without one."""
    return Fraction(max((int(value) for value in game.goals(state)[role]), default=0))


def successors(game: NaiveGame, state: beliefs.State, fixed: dict[str, str] | None = None) -> list[beliefs.State]:
    """The state after every joint move in which the roles of `fixed` make their fixed moves."""
    legal = game.legal(state)
    moves = [[fixed[role]] if fixed and role in fixed else sorted(legal[role]) for role in game.roles]
    return [game.next(state, dict(zip(game.roles, joint, strict=True))) for joint in product(*moves)]


def mean(values: list[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)


def expect(game: NaiveGame, role: str, state: beliefs.State) -> Fraction:
    """The mean goal when all move uniformly to the end."""
    if game.terminal(state):
        return goal(game, role, state)
    return mean([expect(game, role, after) for after in successors(game, state)])


def look_ahead(game: NaiveGame, role: str, state: beliefs.State, middle: Fraction) -> Fraction:
    """The mean goal of the ends that one joint move leads to; a state that goes on counts as `middle`."""
    if game.terminal(state):
        return goal(game, role, state)
    after = successors(game, state)
    return mean([goal(game, role, each) if game.terminal(each) else middle for each in after])


def choose_move(
    game: NaiveGame, role: str, record: beliefs.Record, evaluate: Eval, policy: beliefs.Policy | None = None
) -> dict[str, Fraction]:
    """Figure 3: V(a) = sum over the infoset of Eval(S(ha)) * P(h), for every own move a that is legal there."""
    values: dict[str, Fraction] = {}
    for history, probability in beliefs.infoset(game, role, record, policy=policy).items():
        state = game.initial()
        for joint in history:
            state = beliefs.play_round(game, state, joint)[1]
        for move in sorted(game.legal(state)[role]):
            worth = mean([evaluate(game, role, after) for after in successors(game, state, {role: move})])
            values[move] = values.get(move, Fraction(0)) + worth * probability
    return values


def read_policy(game: NaiveGame, temperature: float, mix: float) -> beliefs.Policy:
    """How an opponent plays who is read: its own infoset, its values, a soft choice."""

    def policy(role: str, record: beliefs.Record, legal: list[str]) -> dict[str, Fraction]:
        if len(legal) == 1:
            return {legal[0]: Fraction(1)}
        values = choose_move(game, role, record, expect)
        top = max(values.values())
        soft = {move: exp(float(values[move] - top) / temperature) for move in legal}
        total = sum(soft.values())
        return {move: Fraction((1 - mix) * soft[move] / total + mix / len(legal)) for move in legal}

    return policy
