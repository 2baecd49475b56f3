"""Information sets by depth-first search and as constraint satisfaction, slowly: the oracle of samplers.

Numbers of figures and lines are those of Richards & Amir, Information Set Generation in Partially Observable Games
(2012). The conventions:

1. A game says what moves every role has in a state, and what state and percepts follow a joint move. A *joint move* is
   a tuple of moves in the order of `game.roles`, a *history* a tuple of joint moves. A *record* is a tuple of (own
   move, frozenset of percepts), one pair per round. Unlike in the text, a role knows its own moves.
2. Everybody knows whether the game is over: after all rounds but the last it is not, after the last it is as `over`
   says. The text also wants the role to be the next to move; here a record says nothing about the next round.
3. The *weight* of a sampled history is its probability times the number of plausible moves at each choice that led to
   it; a sample that fails weighs 0. Opponents and nature choose uniformly, the role's own moves are certain.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, NamedTuple, Protocol

from tests.reference import pogddl
from tests.reference.naive import NaiveGame

Move = Any  # a term of the game: text in GDL-II, a tuple in POGDDL
Joint = tuple[Move, ...]
History = tuple[Joint, ...]
State = frozenset  # of the fluents that are true
Percepts = dict[str, frozenset]
Record = tuple[tuple[Move, frozenset], ...]


# Games


class PlainGame(Protocol):
    """A game of which nothing is known but what happens. Moves come in an order that never changes."""

    roles: tuple[str, ...]

    def initial(self) -> State: ...
    def moves(self, state: State) -> dict[str, list[Move]]: ...
    def step(self, state: State, joint: Joint) -> tuple[State, Percepts]: ...
    def is_over(self, state: State) -> bool: ...


class PogddlGame:
    """A POGDDL game: the role whose turn it is acts, the others wait. A numeric fluent is `("=", fluent, value)`."""

    WAIT = ("noop",)

    def __init__(self, game: pogddl.Game) -> None:
        self.game = game
        self.roles = game.roles
        self.moves = cache(self._moves)
        self.step = cache(self._step)

    def initial(self) -> State:
        return self._pack(pogddl.initial(self.game))

    def is_over(self, state: State) -> bool:
        return not any(self.moves(state).values())

    def _moves(self, state: State) -> dict[str, list[Move]]:
        actions = pogddl.applicable(self.game, self._unpack(state))
        return {role: actions.get(role, [self.WAIT] if actions else []) for role in self.roles}

    def _step(self, state: State, joint: Joint) -> tuple[State, Percepts]:
        [action] = [move for move in joint if move != self.WAIT]
        after, told = pogddl.apply(self.game, self._unpack(state), action)
        return self._pack(after), {role: frozenset(told.get(role, ())) for role in self.roles}

    def _pack(self, state: pogddl.State) -> State:
        return state.atoms | {("=", fluent, value) for fluent, value in state.numbers.items()}

    def _unpack(self, state: State) -> pogddl.State:
        numbers = {fluent[1]: fluent[2] for fluent in state if fluent[0] == "="}
        return pogddl.State(frozenset(fluent for fluent in state if fluent[0] != "="), numbers)


class GdlGame:
    """A GDL-II game."""

    def __init__(self, game: NaiveGame) -> None:
        self.game = game
        self.roles = tuple(game.roles)
        self.moves = cache(self._moves)
        self.step = cache(self._step)
        self.is_over = cache(game.terminal)

    def initial(self) -> State:
        return self.game.initial()

    def _moves(self, state: State) -> dict[str, list[Move]]:
        if self.is_over(state):
            return {role: [] for role in self.roles}
        return {role: sorted(moves) for role, moves in self.game.legal(state).items()}

    def _step(self, state: State, joint: Joint) -> tuple[State, Percepts]:
        does = dict(zip(self.roles, joint, strict=True))
        told = {role: frozenset(seen) for role, seen in self.game.sees(state, does).items()}
        return self.game.next(state, does), told


def joint_moves(game: PlainGame, state: State) -> list[Joint]:
    """Return all joint moves of a state, none if the game is over."""
    return [] if game.is_over(state) else list(product(*(game.moves(state)[role] for role in game.roles)))


def replay(game: PlainGame, history: Iterable[Joint]) -> list[State] | None:
    """Return the states that a history goes through, the first one included; None if a move in it is not legal."""
    states = [game.initial()]
    for joint in history:
        if joint not in joint_moves(game, states[-1]):
            return None
        states.append(game.step(states[-1], joint)[0])
    return states


def record_of(game: PlainGame, history: History, role: str) -> Record:
    """Return what a role is told by a legal history."""
    own_index, states = game.roles.index(role), replay(game, history)
    assert states is not None
    rounds = zip(states, history, strict=False)  # the last state has no round
    return tuple((joint[own_index], game.step(state, joint)[1][role]) for state, joint in rounds)


def explains(game: PlainGame, role: str, record: Record, history: History, over: bool = False) -> bool:
    """Return whether a history is legal, has this record, and is over or not as told."""
    states = replay(game, history)
    return states is not None and record_of(game, history, role) == record and game.is_over(states[-1]) == over


def probability(game: PlainGame, role: str, history: History) -> Fraction:
    """Return how likely the others' moves of a legal history are, if all choose uniformly."""
    states, result = replay(game, history), Fraction(1)
    assert states is not None
    for state in states[: len(history)]:
        for who, moves in game.moves(state).items():
            if who != role:
                result /= len(moves)
    return result


# The whole information set


def all_histories(game: PlainGame, rounds: int) -> Iterator[History]:
    """Yield all legal histories of so many rounds."""

    def extend(state: State, history: History) -> Iterator[History]:
        if len(history) == rounds:
            yield history
            return
        for joint in joint_moves(game, state):
            yield from extend(game.step(state, joint)[0], (*history, joint))

    return extend(game.initial(), ())


def infoset(game: PlainGame, role: str, record: Record, over: bool = False) -> dict[History, Fraction]:
    """Return all histories that explain a record with their probability: play everything, keep what fits.

    The probabilities sum to that of the record, given the role's own moves.
    """
    return {
        history: probability(game, role, history)
        for history in all_histories(game, len(record))
        if explains(game, role, record, history, over)
    }


class Search(NamedTuple):
    histories: list[History]
    visited: int  # states that were generated


def dfs_infoset(
    game: PlainGame, role: str, record: Record, over: bool = False, limit: int | None = None, budget: int | None = None
) -> Search:
    """Return the histories that explain a record, in the order in which depth-first search finds them (figure 4).

    Moves are tried in the order of the game, and the first percepts that differ prune. The search ends after so many
    histories (limit) or so many states (budget). Departures from the figure: line 2 says t > T, which with t = 0 at the
    start is one round too late; the role's own moves are those of the record, others are not looked at; and the last
    state is over or not as told.
    """
    own_index, histories, visited = game.roles.index(role), [], 0

    def extend(state: State, history: History) -> bool:
        """Return whether the search goes on."""
        nonlocal visited
        if len(history) == len(record):
            if game.is_over(state) == over:
                histories.append(history)
            return len(histories) != limit
        own_move, percepts = record[len(history)]
        for joint in joint_moves(game, state):
            if joint[own_index] != own_move:
                continue
            if visited == budget:
                return False
            visited += 1
            after, told = game.step(state, joint)
            if told[role] == percepts and not extend(after, (*history, joint)):
                return False
        return True

    extend(game.initial(), ())
    return Search(histories, visited)


# The stage graph


class Stage(NamedTuple):
    """What is known about the state after a round. Fluents in neither set are unknown."""

    true: frozenset = frozenset()
    false: frozenset = frozenset()

    def fits(self, state: State) -> bool:
        return self.true <= state and not self.false & state

    def learn(self, true: frozenset, false: frozenset) -> "Stage":
        return Stage(self.true | true, self.false | false)


class Edge(NamedTuple):
    """One way a round can go: preconditions, effects and percepts of a joint move are read off its edges."""

    before: State
    joint: Joint
    after: State

    @property
    def touched(self) -> frozenset:
        return self.before ^ self.after


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A record to be explained. Round t, counted from 1, leads from stage t - 1 to stage t.

    Its edges are all joint moves in all states that some history of t - 1 rounds reaches, whatever the percepts of its
    rounds, of which this one round agrees with the record. They are the explicit set that takes the place of formulas.
    """

    game: PlainGame
    role: str
    record: Record
    over: bool = False
    frame: bool = True  # whether Reevaluate has the frame rule, which the figure does not print
    edges: list[list[Edge]] = field(init=False)  # of round t at index t; index 0 is empty
    fluents: frozenset = field(init=False)

    def __post_init__(self) -> None:
        layer, fluents = {self.game.initial()}, set(self.game.initial())
        edges: list[list[Edge]] = [[]]
        for number, told in enumerate(self.record, start=1):
            steps = [
                (state, joint, *self.game.step(state, joint))
                for state in layer
                for joint in joint_moves(self.game, state)
            ]
            edges.append(
                [
                    Edge(before, joint, after)
                    for before, joint, after, percepts in steps
                    if (joint[self.game.roles.index(self.role)], percepts[self.role]) == told
                    and self.game.is_over(after) == (self.over and number == len(self.record))
                ]
            )
            layer = {after for _, _, after, _ in steps}
            fluents = fluents.union(*layer)
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "fluents", frozenset(fluents))


Variable = tuple[int, str]  # the move of a role in a round


@dataclass(frozen=True)
class StageGraph:
    stages: tuple[Stage, ...]  # T + 1 of them
    plausible: dict[Variable, frozenset[Move]]

    @property
    def is_inconsistent(self) -> bool:
        return not all(self.plausible.values())

    @property
    def unset(self) -> list[Variable]:
        """The variables that still have a choice. Fixing one that has none left would change nothing."""
        return [variable for variable, moves in self.plausible.items() if len(moves) > 1]


class Info(NamedTuple):
    """What PlausibleActionInfo returns for a round; touched are the possible effects and the definite ones."""

    moves: dict[Variable, frozenset[Move]]
    pre: Stage  # definite preconditions
    effects: Stage  # definite effects
    touched: frozenset


def plausible_action_info(puzzle: Puzzle, graph: StageGraph, number: int) -> Info | None:
    """Return what can be said about a round from its two stages and its plausible moves; None if nothing is plausible.

    A joint move is plausible if one of its edges fits the stages before and after. Its preconditions are what all its
    edges that fit the stage before have in common there; its effects are the fluents that some of these edges change.
    """
    before, after = graph.stages[number - 1], graph.stages[number]
    edges = [
        edge
        for edge in puzzle.edges[number]
        if before.fits(edge.before)
        and all(move in graph.plausible[number, role] for role, move in zip(puzzle.game.roles, edge.joint, strict=True))
    ]
    joints = {edge.joint for edge in edges if after.fits(edge.after)}
    if not joints:
        return None
    edges = [edge for edge in edges if edge.joint in joints]
    moves = {(number, role): frozenset(joint[i] for joint in joints) for i, role in enumerate(puzzle.game.roles)}
    touched = frozenset().union(*(edge.touched for edge in edges))
    effects = find_common(puzzle, (edge.after for edge in edges))
    return Info(
        moves=moves,
        pre=find_common(puzzle, (edge.before for edge in edges)),
        effects=Stage(effects.true & touched, effects.false & touched),
        touched=touched,
    )


def find_common(puzzle: Puzzle, states: Iterable[State]) -> Stage:
    """Return what holds in all states."""
    states = list(states)
    return Stage(frozenset.intersection(*states), puzzle.fluents - frozenset().union(*states))


def init_graph(puzzle: Puzzle) -> StageGraph:
    """Return the stage graph before any choice (figure 6, lines 22-37)."""
    start, rounds = puzzle.game.initial(), range(1, len(puzzle.record) + 1)
    plausible = {
        (number, role): frozenset(edge.joint[i] for edge in puzzle.edges[number])
        for number in rounds
        for i, role in enumerate(puzzle.game.roles)
    }
    graph = StageGraph((Stage(start, puzzle.fluents - start), *(Stage() for _ in rounds)), plausible)
    if not puzzle.record and puzzle.game.is_over(start) != puzzle.over:
        return replace(graph, plausible={(0, puzzle.role): frozenset()})
    for number in rounds:
        info = plausible_action_info(puzzle, graph, number)
        if info is None:
            return fail(graph)
        graph = learn(graph, number, info)
        stages, untouched = list(graph.stages), puzzle.fluents - info.touched
        stages[number] = stages[number].learn(stages[number - 1].true & untouched, stages[number - 1].false & untouched)
        graph = replace(graph, stages=tuple(stages))
    return reevaluate(puzzle, graph)


def reevaluate(puzzle: Puzzle, graph: StageGraph) -> StageGraph:
    """Look at all rounds until nothing new is learned (figure 6, lines 8-20). The flags `Redo` would only save time."""
    while True:
        old = graph
        for number in range(1, len(puzzle.record) + 1):
            info = plausible_action_info(puzzle, graph, number)
            if info is None:
                return fail(graph)
            graph = learn(graph, number, info)
            if puzzle.frame:
                graph = keep_untouched(puzzle, graph, number, info)
        if graph == old:
            return graph


def learn(graph: StageGraph, number: int, info: Info) -> StageGraph:
    """Add the definite preconditions and effects of a round, and leave it only its plausible moves."""
    stages = list(graph.stages)
    stages[number - 1] = stages[number - 1].learn(*info.pre)
    stages[number] = stages[number].learn(*info.effects)
    return StageGraph(tuple(stages), graph.plausible | info.moves)


def keep_untouched(puzzle: Puzzle, graph: StageGraph, number: int, info: Info) -> StageGraph:
    """The frame rule: what no plausible move touches is the same before and after, so each stage learns from both."""
    stages, untouched = list(graph.stages), puzzle.fluents - info.touched
    both = stages[number - 1].learn(*stages[number])
    for index in (number - 1, number):
        stages[index] = stages[index].learn(both.true & untouched, both.false & untouched)
    return replace(graph, stages=tuple(stages))


def fail(graph: StageGraph) -> StageGraph:
    return replace(graph, plausible=dict.fromkeys(graph.plausible, frozenset()))


def propagate(puzzle: Puzzle, graph: StageGraph, variable: Variable, move: Move) -> StageGraph:
    """Return the graph after a variable got its move (figure 6, lines 1-6)."""
    return reevaluate(puzzle, replace(graph, plausible=graph.plausible | {variable: frozenset({move})}))


# The sampler


class Sample(NamedTuple):
    history: History | None  # None if the choices led to a conflict
    weight: Fraction
    choices: int  # product of the numbers of plausible moves


Order = Callable[[StageGraph, random.Random], Variable]


def random_variable(graph: StageGraph, rng: random.Random) -> Variable:
    """Choose any variable that is not set (figure 5, line 7)."""
    return rng.choice(graph.unset)


def most_constrained(graph: StageGraph, rng: random.Random) -> Variable:
    """Choose among the variables with the fewest plausible moves (footnote 2)."""
    fewest = min(len(graph.plausible[variable]) for variable in graph.unset)
    return rng.choice([variable for variable in graph.unset if len(graph.plausible[variable]) == fewest])


def csp_sample(puzzle: Puzzle, graph: StageGraph, rng: random.Random, order: Order = random_variable) -> Sample:
    """Return one sample from an initialised graph (figure 5). It is replayed, and fails if it does not explain.

    With simultaneous moves there is a variable for each role of a round, so that the moves of a round are chosen one
    after the other.
    """
    choices = 1
    while not graph.is_inconsistent and graph.unset:
        variable = order(graph, rng)
        moves = sorted(graph.plausible[variable], key=repr)
        choices *= len(moves)
        graph = propagate(puzzle, graph, variable, rng.choice(moves))
    history = None if graph.is_inconsistent else read_history(puzzle, graph)
    if history is None or not explains(puzzle.game, puzzle.role, puzzle.record, history, puzzle.over):
        return Sample(None, Fraction(0), choices)
    return Sample(history, probability(puzzle.game, puzzle.role, history) * choices, choices)


def read_history(puzzle: Puzzle, graph: StageGraph) -> History:
    """Return the history of a graph in which every variable has one move left."""
    return tuple(
        tuple(next(iter(graph.plausible[number, role])) for role in puzzle.game.roles)
        for number in range(1, len(puzzle.record) + 1)
    )


def csp_samples(puzzle: Puzzle, rng: random.Random, tries: int, order: Order = random_variable) -> list[Sample]:
    """Return so many samples, the failed ones included: a conflict starts all over."""
    graph = init_graph(puzzle)
    return [csp_sample(puzzle, graph, rng, order) for _ in range(tries)]


def csp_infoset(puzzle: Puzzle) -> set[History]:
    """Return the whole information set by trying all plausible moves of one variable after the other (footnote 1)."""

    def extend(graph: StageGraph) -> Iterator[History]:
        if graph.is_inconsistent:
            return
        if not graph.unset:
            yield read_history(puzzle, graph)
            return
        variable = graph.unset[0]
        for move in graph.plausible[variable]:
            yield from extend(propagate(puzzle, graph, variable, move))

    histories = set(extend(init_graph(puzzle)))
    return {history for history in histories if explains(puzzle.game, puzzle.role, puzzle.record, history, puzzle.over)}


# Weights, exactly


class Script(random.Random):
    """An rng of which every choice takes the outcome that the script says, the first one after the script's end."""

    def __init__(self, script: tuple[int, ...]) -> None:
        super().__init__(0)
        self.script = script
        self.sizes: list[int] = []  # how many outcomes each choice had

    def choice(self, items):
        self.sizes.append(len(items))
        return items[self.script[len(self.sizes) - 1] if len(self.sizes) <= len(self.script) else 0]


def all_samples(puzzle: Puzzle, order: Order = random_variable) -> Iterator[tuple[Sample, Fraction]]:
    """Yield what the sampler returns, and how likely, for every way in which its random choices can fall."""
    graph = init_graph(puzzle)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        script, share = waiting.pop()
        rng = Script(script)
        sample = csp_sample(puzzle, graph, rng, order)
        if len(rng.sizes) == len(script):
            yield sample, share
        else:
            size = rng.sizes[len(script)]
            waiting += [((*script, outcome), share / size) for outcome in range(size)]


class Expectation(NamedTuple):
    weights: dict[History, Fraction]  # of each history, the expected weight with which one call returns it
    size: Fraction  # the expected weight of one call if every history has probability 1


def expectation(puzzle: Puzzle, order: Order = random_variable) -> Expectation:
    """Return what the sampler returns on average. Failures count as 0."""
    weights: dict[History, Fraction] = {}
    size = Fraction(0)
    for sample, share in all_samples(puzzle, order):
        if sample.history is not None:
            weights[sample.history] = weights.get(sample.history, Fraction(0)) + share * sample.weight
            size += share * sample.choices
    return Expectation(weights, size)


def check_weights(puzzle: Puzzle, order: Order = random_variable) -> None:
    """Raise AssertionError unless the weights are unbiased.

    Each history must be expected with its probability, so that the expectation of all weights is the probability of the
    record; and with every probability 1, the expectation must be the size of the information set.
    """
    exact = infoset(puzzle.game, puzzle.role, puzzle.record, puzzle.over)
    weights, size = expectation(puzzle, order)
    assert weights == exact, f"expected weights {weights}, probabilities {exact}"
    assert size == len(exact), f"expected size {size}, true size {len(exact)}"
