"""The gadgets of safe resolving, which bound what a wrong belief about the other role's play costs.

The *alternative value* of a record of the other role is what its best response to our last strategies gets after it. A
strategy with which it gets no more after any record gives away no more than the last strategies did. This has a meaning
for two roles with a constant sum.

| gadget | before the subgame | source |
|---|---|---|
| `resolve` | chance draws a record; its role follows, or stops with the alternative value | Burch et al. 2014 |
| `maxmargin` | the other role chooses its record, and gets what it gains over that value | Moravcik et al. 2016 |
| `blend` | both are played; `maxmargin` gets the weight that `resolve` stops | after Zhang & Sandholm 2025 |

With `resolve`, records count by our belief and evenly, half and half: what we hold impossible is guarded as well. With
`maxmargin` the role chooses the record where it gains most; our strategy makes the largest gain small, also where
`resolve` would be content. `blend` is `resolve` where the role has something to gain, and becomes `maxmargin` as it
stops, so our strategy always matters; how the two are weighed is our own (`equilibrium.entered_cfr`).

Worlds are entered by chance if the last search does not know their record, or if more than half of the play after it
ended in playouts there: a best response makes the most of their errors, so its value is too high, the other role would
stop, and our strategy in these worlds would not matter.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from veil.equilibrium import (
    STOPPED,
    Crown,
    Entries,
    GrownNodes,
    NewInfosets,
    chance_nodes,
    find_constant_sum,
    root_nodes,
)
from veil.search.resolve.config import Gadget
from veil.search.resolve.subgame import Subgame
from veil.search.resolve.world_orders import CollectedWorlds

MOST_GUESSED = 0.5  # of the play after a record that has an alternative value, at most, ends in playouts
EVEN = 0.5  # part of the weights of records that does not depend on our belief
FOLLOW, STOP = 0, 1


class Alternatives(NamedTuple):
    """The records of the other role in the worlds, K of them, and what they were worth. W worlds."""

    other: int
    places: tuple[int, int]  # of the other role and of the own one among the roles that move
    total: float  # the constant sum
    keys: np.ndarray  # [K] records
    which: np.ndarray  # [W] the record in a world
    is_known: np.ndarray  # [K] whether the last search knows the record, and its value is not a guess
    values: np.ndarray  # [K] alternative values; of known records


def make_crown(worlds: CollectedWorlds, last: Subgame, role_id: int, gadget: Gadget = "resolve") -> Crown | None:
    """Return the nodes of a gadget above the worlds. `last` is the subgame of the last search of this role.

    None if the gadget is `none` or has no meaning here: there are not two roles with a constant sum, or the last search
    says nothing about the records, or only what playouts say.
    """
    alternatives = None if gadget == "none" else find_alternatives(worlds, last, role_id)
    if alternatives is None:
        return None
    if gadget == "blend":
        return make_entries(worlds, alternatives, STOPPED)
    return make_resolve(worlds, alternatives) if gadget == "resolve" else make_maxmargin(worlds, alternatives)


def find_alternatives(worlds: CollectedWorlds, last: Subgame, role_id: int) -> Alternatives | None:
    """Return the records of the other role and their values by the last search; None if no gadget has a meaning."""
    players, total = last.growing.players, find_constant_sum(last.flat)
    if len(players) != 2 or total is None:
        return None
    other = next(role for role in players if role != role_id)
    records, best, guessed = last.find_best_values(other)
    keys, which = np.unique(worlds.keys[:, other], return_inverse=True)
    place = np.minimum(np.searchsorted(records, keys), len(records) - 1)
    is_known = (records[place] == keys) & (guessed[place] <= MOST_GUESSED)
    if not is_known.any():
        return None
    places = players.index(other), players.index(role_id)
    return Alternatives(other, places, total, keys, which, is_known, best[place])


def spread_weights(worlds: CollectedWorlds, told: Alternatives) -> np.ndarray:
    """Return the weights of worlds [W] in which records of the other role count by our belief and evenly."""
    mass = np.bincount(told.which, worlds.weights)
    even = ((1.0 - EVEN) * mass + EVEN / len(told.keys))[told.which]
    spread: np.ndarray = worlds.weights / mass[told.which] * even
    return spread


def make_resolve(worlds: CollectedWorlds, told: Alternatives) -> Crown:
    """Return the nodes in which the other role chooses between following and stopping."""
    which, spread = told.which, spread_weights(worlds, told)
    choosing = np.flatnonzero(told.is_known[which])
    number = np.cumsum(told.is_known) - 1  # infosets of the gadget
    infoset = number[which[choosing]]
    count, first = len(worlds.weights), 1 + len(worlds.weights)
    parent = np.repeat(1 + choosing, 2).astype(np.int32)
    slot = (2 * np.repeat(infoset, 2) + np.tile([FOLLOW, STOP], len(choosing))).astype(np.int32)
    choices = GrownNodes(parent, slot, np.full(len(slot), -1, np.int32), np.ones(len(slot)))
    world_node = 1 + np.arange(count, dtype=np.int32)
    world_node[choosing] = first + 2 * np.arange(len(choosing)) + FOLLOW
    stops = first + 2 * np.arange(len(choosing)) + STOP
    utility = np.zeros((len(stops), 2))
    utility[:, told.places[0]] = told.values[which[choosing]]
    utility[:, told.places[1]] = told.total - told.values[which[choosing]]
    members = np.unique(infoset, return_index=True)[1]
    sizes, nobody = np.full(len(members), 2), np.zeros(len(members), np.int32)
    infosets = NewInfosets(sizes, (1 + choosing[members]).astype(np.int32), ~told.keys[told.is_known], nobody)
    layers = ((None, root_nodes()), (None, chance_nodes(np.zeros(count), spread)), (told.other, choices))
    return Crown(layers, {told.other: infosets}, world_node, (stops, utility))


def make_maxmargin(worlds: CollectedWorlds, told: Alternatives) -> Crown:
    """Return the nodes in which the other role chooses its record; ends count relative to alternative values.

    Chance comes first: it enters the worlds whose record is not known, or the node of the choice.
    """
    is_chosen = told.is_known[told.which]
    entered, chosen = np.flatnonzero(~is_chosen), np.flatnonzero(is_chosen)
    known = np.flatnonzero(told.is_known)
    number = np.cumsum(told.is_known) - 1  # of the move that chooses a record
    choice, first = 1 + len(entered), 2 + len(entered)
    drawn = np.append(worlds.weights[entered], worlds.weights[chosen].sum())
    moves = np.arange(len(known), dtype=np.int32)
    choices = GrownNodes(
        np.full(len(known), choice, np.int32), moves, np.full(len(known), -1, np.int32), np.ones(len(known))
    )
    record = told.which[chosen]
    mass = np.bincount(record, worlds.weights[chosen], len(told.keys))
    below = chance_nodes(first + number[record], worlds.weights[chosen] / mass[record])
    world_node = np.zeros(len(worlds.weights), np.int32)
    world_node[entered] = 1 + np.arange(len(entered))
    world_node[chosen] = first + len(known) + np.arange(len(chosen))
    bonus = np.zeros((len(worlds.weights), 2))
    bonus[chosen, told.places[0]] = -told.values[record]
    bonus[chosen, told.places[1]] = told.values[record]
    infosets = NewInfosets(
        np.array([len(known)]), np.array([choice], np.int32), ~told.keys[known[:1]], np.zeros(1, np.int32)
    )
    layers = (
        (None, root_nodes()),
        (None, chance_nodes(np.zeros(choice), drawn)),
        (told.other, choices),
        (None, below),
    )
    ends = np.zeros(0, np.int64), np.zeros((0, 2))
    return Crown(layers, {told.other: infosets}, world_node, ends, bonus)


def make_entries(worlds: CollectedWorlds, told: Alternatives, share: float) -> Crown:
    """Return the nodes in which the other role enters its records; its solver weighs them (`equilibrium.entered_cfr`).

    With a share of 1 this is `resolve`, with 0 `maxmargin` with the weights of `resolve`.
    """
    which, spread = told.which, spread_weights(worlds, told)
    entered = np.flatnonzero(told.is_known[which])
    number = np.cumsum(told.is_known) - 1
    record = number[which[entered]]
    count = len(worlds.weights)
    choices = GrownNodes(
        (1 + entered).astype(np.int32),
        record.astype(np.int32),
        np.full(len(entered), -1, np.int32),
        np.ones(len(entered)),
    )
    world_node = 1 + np.arange(count, dtype=np.int32)
    world_node[entered] = 1 + count + np.arange(len(entered))
    members = np.unique(record, return_index=True)[1]
    ones, nobody = np.ones(len(members), np.int64), np.zeros(len(members), np.int32)
    infosets = NewInfosets(ones, (1 + entered[members]).astype(np.int32), ~told.keys[told.is_known], nobody)
    layers = ((None, root_nodes()), (None, chance_nodes(np.zeros(count), spread)), (told.other, choices))
    entries = Entries(told.places[0], np.bincount(record, spread[entered]), told.values[told.is_known], share)
    ends = np.zeros(0, np.int64), np.zeros((0, 2))
    return Crown(layers, {told.other: infosets}, world_node, ends, None, entries)
