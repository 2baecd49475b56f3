"""Which fluents ever hold together: every reachable state of a small game, one after the other."""

from __future__ import annotations

from itertools import combinations, product

from veil.engine import Game


def find_companions(game: Game) -> set[frozenset[str]]:
    """All pairs of fluents that hold together in some reachable state."""
    waiting, seen, pairs = [game.initial_state()], set(), set()
    while waiting:
        state = waiting.pop()
        if state.terms in seen:
            continue
        seen.add(state.terms)
        pairs |= {frozenset(pair) for pair in combinations(state.fluents, 2)}
        if not state.is_terminal:
            choices = [[(role, move) for move in state.legal(role)] for role in game.roles]
            waiting += [state.play(dict(joint))[0] for joint in product(*choices)]
    return pairs
