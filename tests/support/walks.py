"""Walks of the kernels and of the slow oracles, step by step on the same random numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.reference.gametree import Infoset, Terminal, Tree, nodes
from tests.reference.online_search import ChooseIndex, Number
from tests.support.flat_trees import Flat, flatten
from veil.search.walks.tree.records import WalkTables
from veil.search.walks.tree.search_tree import SearchTree

MASK, STEP = 2**64 - 1, 0x9E3779B97F4A7C15


def choose_like_kernels(seed: int) -> ChooseIndex:
    """A `choose` for oracles that makes the same choices as kernels with this seed: one SplitMix64 number each."""
    state = seed

    def choose(probabilities: Sequence[Number]) -> int:
        nonlocal state
        state = (state + STEP) & MASK
        word = state
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & MASK
        left = ((word ^ (word >> 31)) >> 11) * 2.0**-53
        last = 0
        for index, probability in enumerate(probabilities):
            if probability > 0:
                last = index
                left -= float(probability)
                if left < 0:
                    return index
        return last

    return choose


def fixed_seed(seed: int) -> Any:
    """In place of a generator: whoever seeds a kernel from it gets this seed."""
    return SimpleNamespace(integers=lambda low, high, count: np.array([seed]))


def centre(reference: Tree, tree: SearchTree) -> None:
    """Shift the payoffs of a reference tree as the search tree has shifted them (changed in place)."""
    for node in nodes(reference):
        if isinstance(node, Terminal):
            for role, shift in zip(reference.roles, tree.scale.centre.tolist(), strict=True):
                node.utility[role] = float(node.utility[role]) - shift


def both_trees(reference: Tree) -> tuple[Flat, SearchTree]:
    """A reference tree as flat arrays and for walks; its payoffs are shifted to be those of the walks."""
    flat = flatten(reference)
    tree = SearchTree(flat.tree, tuple(range(len(reference.roles))), [], None)
    centre(reference, tree)
    return flat, tree


def infoset_number(flat: Flat, infoset: Infoset) -> int:
    """The number of an infoset in the flat tree."""
    first = min(slot for (other, _), slot in flat.slots.items() if other == infoset)
    return int(np.searchsorted(flat.tree.slot_start, first))


def oracle_columns(flat: Flat, memory: Mapping[Infoset, Any], *fields: str) -> np.ndarray:
    """[S, fields] what an oracle has in memory; 0 where it has nothing."""
    columns = [flat.policy({infoset: getattr(entry, name) for infoset, entry in memory.items()}) for name in fields]
    return np.stack(columns, axis=1)


def known_infosets(flat: Flat, tables: WalkTables) -> set[Infoset]:
    """The infosets that the kernels have in their table."""
    return {infoset for (infoset, _), slot in flat.slots.items() if tables.is_known[slot]}
