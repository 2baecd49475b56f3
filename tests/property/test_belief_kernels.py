"""Conclusions in a stage graph against a truth table of the whole circuit."""

from __future__ import annotations

from itertools import accumulate, product

import numpy as np
from hypothesis import given, settings, strategies as st

from veil.belief.csp.propagation_kernels import assign, propagate, take_back
from veil.belief.csp.stage_records import FALSE, GIVEN, TRUE, UNKNOWN, Learned, Stages
from veil.engine.lanes.flat_circuit import Wiring, _find_uses

Terms = list[tuple[int, ...]]  # literals, 2 * slot + negated
NO_MOVES = np.zeros(0, np.int64)


@st.composite
def circuits(draw: st.DrawFn) -> tuple[int, list[Terms]]:
    """(inputs, terms of every gate): each gate a sum of products of what comes before it."""
    inputs, gates = draw(st.integers(1, 4)), []
    for before in range(inputs, inputs + draw(st.integers(1, 5))):
        slots = st.sets(st.integers(0, before - 1), min_size=1, max_size=3)
        term = slots.flatmap(
            lambda own: st.tuples(*(st.sampled_from([2 * slot, 2 * slot + 1]) for slot in sorted(own)))
        )
        gates.append(draw(st.lists(term, min_size=1, max_size=3)))
    return inputs, gates


def wire(inputs: int, gates: list[Terms]) -> Wiring:
    """The circuit as kernels take it; nobody moves, and there is one round."""
    terms = [(number, term) for number, gate in enumerate(gates) for term in gate]
    literals, size = np.array([literal for _, term in terms for literal in term], np.int32), inputs + len(gates)
    use_start, uses = _find_uses(terms, literals, size)
    return Wiring(
        num_slots=size,
        num_fluents=0,
        fluents=0,
        moves=size,
        legal=size,
        terminal=size,
        next=size,
        role_moves=np.zeros(1, np.int64),
        move_role=NO_MOVES,
        percepts=NO_MOVES,
        gate_slot=np.arange(inputs, size, dtype=np.int32),
        gate_start=np.array([0, *accumulate(map(len, gates))]),
        slot_gate=np.array([-1] * inputs + list(range(len(gates))), np.int32),
        term_gate=np.array([number for number, _ in terms], np.int32),
        term_start=np.array([0, *accumulate(len(term) for _, term in terms)]),
        literals=literals,
        use_start=use_start,
        uses=uses,
        block_start=np.array([0, len(gates)]),
        block_recursive=np.zeros(1, np.bool_),
    )


def open_stages(wiring: Wiring, gates: list[Terms]) -> Stages:
    """One row of which nothing is known."""
    size, terms = wiring.num_slots, len(wiring.term_gate)
    return Stages(
        state=np.zeros(7, np.int64),
        value=np.full((1, size), UNKNOWN, np.int8),
        reason=np.zeros((1, size), np.int32),
        place=np.zeros((1, size), np.int32),
        true_count=np.zeros((1, terms), np.int16),
        false_count=np.zeros((1, terms), np.int16),
        open_count=np.array([list(map(len, gates))], np.int32),
        plausible=np.zeros((1, 0), np.int32),
        touched=np.zeros(1, np.bool_),
        live=np.ones((1, size), np.bool_),
        trail=np.zeros(size, np.int32),
    )


def all_worlds(inputs: int, gates: list[Terms]) -> list[list[bool]]:
    """The truth table: what holds in every slot, for all values of the inputs."""
    worlds = []
    for given_values in product([False, True], repeat=inputs):
        world = list(given_values)
        for gate in gates:
            world.append(any(all(world[literal >> 1] != literal & 1 for literal in term) for term in gate))
        worlds.append(world)
    return worlds


@settings(max_examples=100)
@given(circuits(), st.data())
def test_what_is_concluded_holds_in_every_world_that_is_left(
    circuit: tuple[int, list[Terms]], data: st.DataObject
) -> None:
    wiring = wire(*circuit)
    stages, before = open_stages(wiring, circuit[1]), open_stages(wiring, circuit[1])
    learned = Learned(*(np.zeros(shape, kind) for shape, kind in ((1, int), ((1, 1), bool), (1, int), ((1, 1), int))))
    worlds, slots = all_worlds(*circuit), st.integers(0, wiring.num_slots - 1)
    assumed = data.draw(st.lists(st.tuples(slots, st.booleans()), min_size=1, max_size=6))
    if data.draw(st.booleans()):  # all inputs are known, and nothing else: then everything is
        assumed = [(slot, data.draw(st.booleans())) for slot in range(circuit[0])]
    agrees = True
    for slot, holds in assumed:
        agrees = agrees and assign(wiring, stages, 0, slot, TRUE if holds else FALSE, GIVEN)
        agrees = agrees and propagate(wiring, stages)
    left = [world for world in worlds if all(world[slot] == holds for slot, holds in assumed)]
    if not agrees:
        assert left == []
    else:
        for slot, value in enumerate(stages.value[0].tolist()):
            assert value == UNKNOWN or {world[slot] for world in left} <= {value == TRUE}
        if len(assumed) == circuit[0] and {slot for slot, _ in assumed} == set(range(circuit[0])):
            assert UNKNOWN not in stages.value
    take_back(wiring, stages, learned, 0)
    for name in ("value", "true_count", "false_count", "open_count"):
        assert (getattr(stages, name) == getattr(before, name)).all(), name
