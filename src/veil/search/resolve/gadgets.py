"""The gadget of safe resolving (Burch, Johanson & Bowling 2014): another role may take what it had before.

A subgame that is solved for a belief about the other role's play may be exploited by playing differently. So before the
subgame begins, the other role is told its record and chooses: to *follow*, or to *stop* with an alternative value, what
its best response to our last strategies gets after this record. A strategy that makes it stop everywhere gives away no
more than the last strategies did. This has a meaning for two roles with a constant sum.

Records count by our belief and evenly, half and half: what we hold impossible is guarded as well.
"""

from __future__ import annotations

import numpy as np

from veil.equilibrium import Crown, GrownNodes, NewInfosets, chance_nodes, find_constant_sum, root_nodes
from veil.search.resolve.subgame import Subgame
from veil.search.resolve.world_orders import CollectedWorlds

EVEN = 0.5  # part of the weights of records that does not depend on our belief
FOLLOW, STOP = 0, 1


def make_crown(worlds: CollectedWorlds, last: Subgame, role_id: int) -> Crown | None:
    """Return the nodes above the worlds in which the other role chooses between following and stopping.

    `last` is the subgame of the last search of this role. None if the gadget has no meaning here: there are not two
    roles with a constant sum, or the last search says nothing about the records.
    """
    players, total = last.growing.players, find_constant_sum(last.flat)
    if len(players) != 2 or total is None:
        return None
    other = next(role for role in players if role != role_id)
    records, best = last.find_best_values(other)
    keys, which = np.unique(worlds.keys[:, other], return_inverse=True)
    place = np.minimum(np.searchsorted(records, keys), len(records) - 1)
    is_known = records[place] == keys
    if not is_known.any():
        return None
    mass = np.bincount(which, worlds.weights)
    spread = worlds.weights / mass[which] * ((1.0 - EVEN) * mass + EVEN / len(keys))[which]
    choosing = np.flatnonzero(is_known[which])
    number = np.cumsum(is_known) - 1  # infosets of the gadget
    infoset = number[which[choosing]]
    count, first = len(worlds.weights), 1 + len(worlds.weights)
    parent = np.repeat(1 + choosing, 2).astype(np.int32)
    slot = (2 * np.repeat(infoset, 2) + np.tile([FOLLOW, STOP], len(choosing))).astype(np.int32)
    choices = GrownNodes(parent, slot, np.full(len(slot), -1, np.int32), np.ones(len(slot)))
    world_node = 1 + np.arange(count, dtype=np.int32)
    world_node[choosing] = first + 2 * np.arange(len(choosing)) + FOLLOW
    stops = first + 2 * np.arange(len(choosing)) + STOP
    utility = np.zeros((len(stops), 2))
    utility[:, players.index(other)] = best[place[which[choosing]]]
    utility[:, players.index(role_id)] = total - best[place[which[choosing]]]
    members = np.unique(infoset, return_index=True)[1]
    sizes, nobody = np.full(len(members), 2), np.zeros(len(members), np.int32)
    infosets = NewInfosets(sizes, (1 + choosing[members]).astype(np.int32), ~keys[is_known], nobody)
    layers = ((None, root_nodes()), (None, chance_nodes(np.zeros(count), spread)), (other, choices))
    return Crown(layers, {other: infosets}, world_node, (stops, utility))
