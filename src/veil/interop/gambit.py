"""Gambit: a game as an .efg text, with a policy as a profile. `veil.load("game.efg")` reads such texts.

The tree is that of the solvers: the joint move of a round is made by one role after the other, without forced moves.
Payoffs and probabilities of chance are exact fractions. Infosets are numbered per player in the order of the text, and
labelled with their records; outcomes are numbered by their payoffs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from veil.engine import Game, as_game
from veil.equilibrium import GameTree, Policy, TreeBounds, check_rules, expand, records_in_words, slot_moves, slots_of
from veil.errors import fail
from veil.interop.efg_lines import chance_line, choice_line, end_line, header_line, quote

MAX_NODES = 5_000_000  # of a text; a node takes about a hundred characters
PARTS = 10**9  # probabilities of a profile are multiples of 1 / PARTS


def write_efg(
    game: Game | str | os.PathLike[str],
    policy: Policy | None = None,
    *,
    max_nodes: int = MAX_NODES,
    option: str = "max_nodes",
    policy_name: str = "the policy",
) -> str:
    """Return the whole game as an .efg text.

    The game is a `Game`, its name, path or rules text. Raises `VeilError` for a game of more than `max_nodes` nodes;
    the message calls the limit `option`. A policy becomes the comment of the text, as a profile in Gambit's form: `NE`,
    then the probability of every action, infoset by infoset; these are exact fractions that add up to 1. Missing
    infosets are played uniformly. A policy that does not fit the game is refused; the message calls it `policy_name`.
    """
    game = as_game(game)
    if policy is not None:
        check_rules(game, policy, policy_name)
    tree = expand(game, max_nodes, bounds=TreeBounds(option=option))
    if not tree.roles:
        raise fail("no-players", game=game.name)
    writer = _EfgWriter(tree)
    nodes = list(writer.nodes())
    lines = [header_line(game.name, tree.roles), *nodes]
    if policy is not None:
        slots, _ = slots_of(tree, policy, policy_name)
        lines.insert(1, quote(writer.profile(slots)))
    return "\n".join(lines) + "\n"


class _EfgWriter:
    """Writer of one tree, node by node."""

    def __init__(self, tree: GameTree) -> None:
        self.tree, self.flat = tree, tree.flat
        self.records, self.moves = records_in_words(tree), slot_moves(tree)
        self.names = tree.game.names
        self.chance = tree.game.program.chance
        self.children = self.flat.num_children
        self.first_child = np.zeros(len(self.children), np.int64)
        self.first_child[self.flat.parent[:0:-1]] = np.arange(len(self.children) - 1, 0, -1)  # siblings are neighbours
        self.owner = np.repeat(np.arange(len(tree.roles)), np.diff(self.flat.role_start))  # [I]
        self.of_slot = np.repeat(np.arange(len(self.owner)), np.diff(self.flat.slot_start))  # [S]
        self.number_of: dict[int, int] = {}  # infoset -> number of its player's
        self.numbered: list[list[int]] = [[] for _ in tree.roles]
        self.outcomes: dict[tuple[Fraction, ...], int] = {}
        self.chance_nodes = 0

    def profile(self, slots: np.ndarray) -> str:
        """Return probabilities [S] in the order of the text; the nodes must be written before."""
        numbers = ["NE"]
        for infoset in (infoset for own in self.numbered for infoset in own):
            numbers += map(str, round_probabilities(slots[self.tree.slots_in(infoset)]))
        return ", ".join(numbers)  # with blanks, so that printed lines can be broken

    def nodes(self) -> Iterator[str]:
        """Yield a line per node, depth first."""
        waiting = [0]
        while waiting:
            node = waiting.pop()
            first, count = int(self.first_child[node]), int(self.children[node])
            waiting.extend(range(first + count - 1, first - 1, -1))
            yield self._line(node, first, count)

    def _line(self, node: int, first: int, count: int) -> str:
        if not count:
            return self._end(node)
        slot = int(self.flat.slot[first])
        return self._chance(first, count) if slot < 0 else self._choice(int(self.of_slot[slot]))

    def _end(self, node: int) -> str:
        scale = self.tree.game.utility.scale
        payoffs = tuple(Fraction(round(value * scale), scale) for value in self.flat.utility[node].tolist())
        number = self.outcomes.setdefault(payoffs, len(self.outcomes) + 1)
        return end_line(number, payoffs)

    def _chance(self, first: int, count: int) -> str:
        self.chance_nodes += 1
        words = self.names.moves[self.chance or 0]
        moves = [words[int(move)] for move in self.flat.move[first : first + count]]
        return chance_line(self.chance_nodes, moves, [Fraction(1, count)] * count)

    def _choice(self, infoset: int) -> str:
        owner = int(self.owner[infoset])
        if infoset not in self.number_of:
            self.numbered[owner].append(infoset)
            self.number_of[infoset] = len(self.numbered[owner])
        actions = [self.moves[slot] for slot in self.tree.slots_in(infoset)]
        return choice_line(owner + 1, self.number_of[infoset], self.records[infoset], actions)


def round_probabilities(probabilities: np.ndarray) -> list[Fraction]:
    """Return probabilities as fractions that add up to 1: multiples of 1 / PARTS; the largest gets the rest."""
    parts = [round(value * PARTS) for value in probabilities.tolist()]
    parts[int(np.argmax(parts))] += PARTS - sum(parts)
    return [Fraction(part, PARTS) for part in parts]
