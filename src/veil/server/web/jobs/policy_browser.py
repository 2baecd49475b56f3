"""A policy, infoset by infoset: probabilities of moves, reach, values, value of information.

The values of moves are those of the session's policy: the expected utility of the role that decides, if the infoset is
reached and all roles go on with the policy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from veil.engine import parse_record
from veil.equilibrium import (
    CHANCE,
    find_best_response,
    find_counterfactual_values,
    find_information_values,
    find_reach,
    records_in_words,
    slot_moves,
)
from veil.errors import fail
from veil.server.web.host.workers import Say
from veil.server.web.jobs.analysis import AnalysisSession, check_role, find_session

PAGE = 25  # infosets on one page
MOST_SEARCHED = 20_000  # infosets whose records are searched
MOST_INFORMATION = 300_000  # nodes of the largest tree for which the value of information is computed
LEAST_GAIN = 1e-6  # of the range of payoffs; a smaller gain counts as none
LEAST_REACH = 1e-9
NOOP = "noop"  # the usual move of a role that has nothing to choose
MOST_DEVIATIONS = 12


class PolicyView:
    """The policy on a session, with the data that is shown. I infosets, S slots."""

    def __init__(self, session: AnalysisSession) -> None:
        self.prepared, self.policy = session.expanded(), session.slots()
        self.tree, self.flat = self.prepared.tree, self.prepared.tree.flat
        self.moves = slot_moves(self.tree)
        self.wording = session.scenery.wording
        self.reach = self.find_infoset_reach(self.policy)  # [I]
        self.values = self._find_values()  # [S] the value of a move at its infoset

    def find_edges(self, policy: np.ndarray) -> np.ndarray:
        """Return [N] the probability that a profile [S], or chance, goes from the node above to a node."""
        return np.where(self.flat.slot == CHANCE, self.flat.chance_prob, policy[self.flat.slot])

    def find_infoset_reach(self, policy: np.ndarray) -> np.ndarray:
        """Return [I] how often a profile [S] reaches every infoset: the sum over its nodes."""
        reach, node_reach = np.zeros(len(self.flat.infoset_node)), find_reach(self.flat, self.find_edges(policy))
        first_of = np.full(self.flat.num_slots + 1, -1)
        first_of[self.flat.slot_start[:-1]] = np.arange(len(reach))
        infoset = np.where(self.flat.slot >= 0, first_of[self.flat.slot], -1)  # of first moves
        nodes = np.flatnonzero(infoset >= 0)
        np.add.at(reach, infoset[nodes], node_reach[self.flat.parent[nodes]])
        return reach

    def _find_values(self) -> np.ndarray:
        """Return [S] the values of moves; NaN for infosets that the others and chance never reach."""
        form, edges = self.prepared.form, self.find_edges(self.policy)
        counterfactual = find_counterfactual_values(form, self.policy)
        others = np.zeros(form.num_slots)
        for role in range(form.num_roles):
            low, high = int(form.role_slots[role]), int(form.role_slots[role + 1])
            own = (self.flat.slot >= low) & (self.flat.slot < high)
            reach = find_reach(self.flat, np.where(own, 1.0, edges))
            np.add.at(others, self.flat.slot[own], reach[self.flat.parent[own]])
        with np.errstate(divide="ignore", invalid="ignore"):
            values: np.ndarray = np.where(others > 0.0, counterfactual / others, np.nan)
        return values

    def find_least_gain(self) -> float:
        """Return the smallest difference that counts as a gain, relative to the range of payoffs."""
        ends = self.flat.utility[self.flat.num_children == 0]
        return LEAST_GAIN * float((ends.max(axis=0) - ends.min(axis=0)).max(initial=0.0))

    def show(self, infoset: int, record: str) -> dict[str, Any]:
        """Return one infoset: its record and its moves, likeliest first."""
        slots = sorted(self.tree.slots_in(infoset), key=lambda slot: (-self.policy[slot], slot))
        return {
            "infoset": infoset,
            "record": record,
            "words": self.show_record(record),
            "round": int(self.flat.infoset_round[infoset]) + 1,
            "reach": float(self.reach[infoset]),
            "moves": [
                {
                    "move": self.moves[slot],
                    "words": self.wording.move(self.moves[slot]),
                    "chance": float(self.policy[slot]),
                    "value": None if np.isnan(self.values[slot]) else float(self.values[slot]),
                }
                for slot in slots
            ],
        }

    def show_record(self, record: str) -> list[dict[str, str]]:
        """Return a record in words: moves and percepts, round by round; a move that does nothing is empty."""
        rounds = parse_record("", record).rounds
        told = [
            {"move": self.wording.move(move), "sees": ", ".join(self.wording.percepts(seen))} for move, seen in rounds
        ]
        return [entry | ({"move": ""} if move == NOOP else {}) for entry, (move, _) in zip(told, rounds, strict=True)]


# The functions that a worker is asked to call


def browse(say: Say, source: dict[str, Any], role: str, text: str, page: int) -> dict[str, Any]:
    """Return a page of a role's infosets whose records have all words of `text`, most often reached first."""
    session = find_session(source)
    view, place = PolicyView(session), check_role(session, role)
    infosets = np.array(view.tree.infosets_of(place), np.int64)
    words = text.lower().split()
    if words:
        infosets = infosets[np.argsort(-view.reach[infosets], kind="stable")][:MOST_SEARCHED]
        records = dict(zip(infosets.tolist(), records_in_words(view.tree, infosets), strict=True))
        infosets = np.array(
            [i for i in infosets.tolist() if all(word in records[i].lower() for word in words)], np.int64
        )
    order = infosets[np.lexsort((infosets, -view.reach[infosets].round(12)))]
    shown = order[page * PAGE : (page + 1) * PAGE]
    return {
        "count": len(order),
        "page": page,
        "pages": max(1, -(-len(order) // PAGE)),
        "infosets": [
            view.show(int(number), record)
            for number, record in zip(shown, records_in_words(view.tree, shown), strict=True)
        ],
    }


def inform(say: Say, source: dict[str, Any], infoset: int) -> dict[str, Any]:
    """Return the value of information of every move of an infoset, against the session's policy."""
    session = find_session(source)
    prepared = session.expanded()
    if not 0 <= infoset < len(prepared.tree.flat.infoset_node):
        raise fail("studio-bad-request", what="there is no such infoset")
    if prepared.tree.num_nodes > MOST_INFORMATION:
        raise fail("studio-tree-too-large", nodes=prepared.tree.num_nodes, most=MOST_INFORMATION)
    found = find_information_values(prepared, session.slots(), infoset)
    return {
        "moves": None
        if found is None
        else [
            {
                "words": session.scenery.wording.move(entry.move),
                "with": entry.with_percepts,
                "without": entry.without_percepts,
                "value": entry.value,
            }
            for entry in found
        ]
    }


def respond(say: Say, source: dict[str, Any], role: str) -> dict[str, Any]:
    """Return a best response of a role to the session's policy: its gain, and where it differs."""
    session = find_session(source)
    view, place = PolicyView(session), check_role(session, role)
    response, best = find_best_response(view.prepared.form, view.policy, place)
    deviations = _find_deviations(view, place, response)
    value = float(session.judge().value[place])
    shown = deviations[:MOST_DEVIATIONS]
    records = records_in_words(view.tree, np.array([infoset for _, infoset, _ in shown], np.int64)) if shown else []
    return {
        "role": role,
        "value": value,
        "best": best,
        "gains": best - value > view.find_least_gain(),
        "count": len(deviations),
        "deviations": [
            {
                "words": view.show_record(record),
                "gain": gain,
                "move": view.wording.move(view.moves[slot]),
                "played": float(view.policy[slot]),
            }
            for (gain, _, slot), record in zip(shown, records, strict=True)
        ],
    }


def _find_deviations(view: PolicyView, place: int, response: np.ndarray) -> list[tuple[float, int, int]]:
    """Return where a response [S] differs from the policy: (gain, infoset, slot), largest gain first."""
    form = view.prepared.form
    mixed, own = view.policy.copy(), form.role_range(place)
    mixed[own] = response[own]
    reach, after = view.find_infoset_reach(mixed), find_counterfactual_values(form, mixed)
    found, least = [], view.find_least_gain()
    for infoset in view.tree.infosets_of(place):
        slots = np.array(view.tree.slots_in(infoset))
        if reach[infoset] > LEAST_REACH:
            gain = float((response[slots] - view.policy[slots]) @ after[slots])
            if gain > least:
                found.append((gain, infoset, int(slots[np.argmax(response[slots])])))
    return sorted(found, key=lambda entry: (-entry[0], entry[1]))
