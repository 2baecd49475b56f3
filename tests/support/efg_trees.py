"""Random game trees as .efg texts: players remember all they have done, but not how long it took.

Two nodes are in one infoset if their player has the same own past and was told the same, whatever the others did in
between; so infosets hold nodes of different depths, as those of rules never do.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction

from veil.interop.efg_lines import chance_line, choice_line, end_line, header_line


@dataclass
class RandomTree:
    """Grows one tree."""

    rng: random.Random
    players: int
    lines: list[str] = field(default_factory=list)
    numbers: dict[tuple[int, object], int] = field(default_factory=dict)
    outcomes: int = 0
    chances: int = 0

    def grow(self, depth: int, past: tuple[tuple[object, ...], ...]) -> None:
        """A node with all below it; `past` is what every player has done and was told."""
        if depth == 0 or (len(self.lines) > 1 and self.rng.random() < 0.15):
            self.outcomes += 1
            payoffs = [Fraction(self.rng.randint(-6, 6), self.rng.choice((1, 2, 3))) for _ in range(self.players)]
            self.lines.append(end_line(self.outcomes, payoffs))
        elif self.rng.random() < 0.25:
            self.grow_chance(depth, past)
        else:
            self.grow_choice(depth, past)

    def grow_chance(self, depth: int, past: tuple[tuple[object, ...], ...]) -> None:
        self.chances += 1
        chances = self.rng.choice(([Fraction(1, 2)] * 2, [Fraction(1, 4), Fraction(3, 4)], [Fraction(1, 3)] * 3))
        self.lines.append(chance_line(self.chances, [f"o{i}" for i in range(len(chances))], chances))
        for _ in chances:
            self.grow(depth - 1, past)

    def grow_choice(self, depth: int, past: tuple[tuple[object, ...], ...]) -> None:
        player = self.rng.randrange(self.players)
        told = (past[player], self.rng.randrange(2))
        own = sum(owner == player for owner, _ in self.numbers)
        number = self.numbers.setdefault((player, told), own + 1)
        actions = ["L", "R", "M"][: 2 + number % 2]
        self.lines.append(choice_line(player + 1, number, "", actions))
        for action in actions:
            after = (*past[:player], (*told, action), *past[player + 1 :])
            self.grow(depth - 1, after)


def random_efg(seed: int, players: int = 2, depth: int = 4) -> str:
    """The text of a random tree."""
    tree = RandomTree(random.Random(seed), players)
    tree.lines.append(header_line(f"tree {seed}", [f"P{player}" for player in range(1, players + 1)]))
    tree.grow(depth, ((),) * players)
    return "\n".join(tree.lines) + "\n"
