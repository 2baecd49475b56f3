"""`Bag`: distinct histories with weights, and their statistics; `Lineage`: how histories are stored."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from veil.display import Displayed, Plot, plot
from veil.engine import Game
from veil.engine.lanes import extend_keys, start_keys, unpack


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Bag:
    """N worlds after T rounds: distinct histories that explain a record. R roles."""

    histories: np.ndarray  # [N, T, R] move numbers
    states: np.ndarray  # [N, words] the states they lead to
    weights: np.ndarray  # [N] their sum is 1
    sampler: str
    exact: bool = False  # whether these are all histories, with their true probabilities
    size: int | None = None  # of the infoset, if it is known
    states_visited: int = 0  # joint moves tested on the way here
    passes: int = 0  # calls of the machine

    def __len__(self) -> int:
        return len(self.weights)

    def __repr__(self) -> str:
        how = "all of them" if self.exact else f"effective size {self.effective:.1f}"
        return (
            f"{type(self).__name__}({len(self)} worlds after {self.histories.shape[1]} rounds, {self.sampler}, {how})"
        )

    @property
    def effective(self) -> float:
        """The effective sample size, 1 / sum of squared weights."""
        return float(1.0 / (self.weights**2).sum()) if len(self) else 0.0

    def with_game(self, game: Game) -> GameBag:
        """Return these worlds with the game that they belong to."""
        return GameBag(**{entry.name: getattr(self, entry.name) for entry in fields(Bag)}, game=game)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GameBag(Bag, Displayed):
    """A bag that knows its game, and can say in words what is in it."""

    game: Game

    def marginals(self) -> dict[str, float]:
        """Return the probability of every fluent that holds in some world, most likely first."""
        names = self.game.names
        bits = unpack(self.states, len(names.fluents))
        chance = self.weights @ bits
        everywhere, somewhere = bits.all(axis=0), bits.any(axis=0)
        chance = np.where(everywhere, 1.0, chance)
        order = sorted(np.flatnonzero(somewhere).tolist(), key=lambda fluent: (-chance[fluent], fluent))
        return {names.fluents[fluent]: float(chance[fluent]) for fluent in order}

    def plot(self) -> Plot:
        """Return a picture of the probabilities of all that is not certain: `bag.plot().save("belief.png")`."""
        return plot(self)

    def history(self, world: int) -> list[dict[str, str]]:
        """Return the history of a world as joint moves in words."""
        return [self.game.names.joint_words(joint) for joint in self.histories[world]]


class Lineage:
    """Histories that share their beginnings: per round, the parent in the round before and the joint move of each."""

    def __init__(self, num_roles: int) -> None:
        self.num_roles = num_roles
        self.rounds: list[tuple[np.ndarray, np.ndarray]] = []  # (parent [B], joint move [B, R])

    @property
    def nbytes(self) -> int:
        return sum(parent.nbytes + joint.nbytes for parent, joint in self.rounds)

    def copy(self) -> Lineage:
        """Return another lineage with the same past; growing one does not change the other."""
        twin = Lineage(self.num_roles)
        twin.rounds = list(self.rounds)
        return twin

    def grow(self, parent: np.ndarray, joint: np.ndarray) -> None:
        """Add one round."""
        self.rounds.append((parent.astype(np.int32), joint.astype(np.int32)))

    def keep(self, index: np.ndarray) -> None:
        """Keep only these histories of the last round, in this order; an index may occur more than once."""
        if self.rounds:
            parent, joint = self.rounds[-1]
            self.rounds[-1] = (parent[index], joint[index])

    def histories(self, index: np.ndarray) -> np.ndarray:
        """Return the histories [n, T, R] with these indices in the last round."""
        histories = np.zeros((len(index), len(self.rounds), self.num_roles), np.int32)
        for round_index in range(len(self.rounds) - 1, -1, -1):
            parent, joint = self.rounds[round_index]
            histories[:, round_index] = joint[index]
            index = parent[index]
        return histories


def normalise(log_weights: np.ndarray) -> np.ndarray:
    """Return exp of the logs, scaled to the sum 1. One of the logs, if there are any, must be above minus infinity."""
    if not len(log_weights):
        return np.zeros(0)
    if not np.isfinite(log_weights.max()):
        raise ValueError("no world has a probability above 0")
    weights: np.ndarray = np.exp(log_weights - log_weights.max())
    weights /= weights.sum()
    return weights


def history_keys(histories: np.ndarray) -> np.ndarray:
    """Return a 64-bit key [N] for every history [N, T, R]; equal histories have equal keys."""
    keys = start_keys(len(histories))
    for round_index in range(histories.shape[1]):
        for role in range(histories.shape[2]):
            keys = extend_keys(keys, histories[:, round_index, role], np.full(len(keys), round_index, np.uint64))
    return keys


def draw_systematic(weights: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return indices [count], each as often as its weight says: systematic sampling with one random number for all."""
    edges = np.cumsum(weights)
    points = (np.arange(count) + rng.random()) * (edges[-1] / count)
    drawn: np.ndarray = np.minimum(np.searchsorted(edges, points, side="right"), len(weights) - 1)
    return drawn
