"""POGDDL as a row of the table of notations: detection and parsing."""

from __future__ import annotations

import re
from math import inf
from typing import NamedTuple

from veil.errors import fail, problem
from veil.lang import prefix
from veil.lang.pogddl.choices import ChoiceFinder, MoveChoice
from veil.lang.pogddl.conditions import Conditions
from veil.lang.pogddl.effects import Effects
from veil.lang.pogddl.gains import Gains
from veil.lang.pogddl.moves import Moves
from veil.lang.pogddl.numbers import Numbers, Ranges
from veil.lang.pogddl.percepts import Percepts, find_parted
from veil.lang.pogddl.ranges import find_ranges, measure_predicates
from veil.lang.pogddl.reader import read_forms
from veil.lang.pogddl.sections import find_sections
from veil.lang.pogddl.singles import Singles
from veil.lang.pogddl.statements import Key, Statements
from veil.lang.pogddl.syntax import GameForms
from veil.lang.pogddl.world import World, read_world
from veil.lang.source import Source
from veil.lang.tree import Node, Parsed

START = re.compile(r"\s*\(\s*(define|:\w+)\b", re.IGNORECASE)


def detect(bare: str) -> float:
    """Return infinity if a text without comments starts as a POGDDL text does, else 0."""
    return inf if START.match(bare) else 0.0


def parse(source: Source) -> Parsed:
    """Return the GDL-II statements of a game. Refuse errors with their place; doubtful parts become problems."""
    nodes, spelling = prefix.read_nodes(source)
    try:
        return _translate(source, Parsed(nodes, spelling))
    except RecursionError:
        raise fail("too-complex", name=source.name) from None


class Plan(NamedTuple):
    """What is known of a text before statements are written."""

    world: World
    forms: GameForms
    ranges: Ranges
    changing: set[str]  # functions that actions change
    choices: dict[str, MoveChoice]  # of wide actions, by name
    parted: set[Key]  # observations that are told word by word


def plan(source: Source, nodes: list[Node]) -> Plan:
    """Read a text and find how wide actions and observations are written."""
    sections = find_sections(source, nodes)
    world = read_world(source, sections)
    forms, ranges, changing = find_ranges(world, read_forms(world, sections))
    choices = ChoiceFinder(world, forms, ranges, Singles(world, forms, ranges, measure_predicates(world, forms)))
    planned = Plan(world, forms, ranges, changing, choices.choose_all(), find_parted(forms, choices))
    for code, names in (("pogddl-wide-moves", planned.choices), ("pogddl-wide-percepts", sorted(planned.parted))):
        if names:
            listed = ", ".join(name if isinstance(name, str) else name[0] for name in names)
            world.problems.append(problem(code, names=listed))
    return planned


def _translate(source: Source, text: Parsed) -> Parsed:
    world, forms, ranges, changing, choices, parted = plan(source, text.statements)
    statements = Statements(world, forms)
    conditions = Conditions(statements, Numbers(statements, ranges, changing))
    conditions.write_derived(forms.derived)
    moves = Moves(conditions, forms.actions, choices)
    moves.write()
    statements.add_start()
    Effects(moves).write(forms.actions)
    Percepts(moves, parted).write(forms.actions)
    gains = Gains(conditions, forms.gains)
    scale = gains.write(source.transfer)
    if source.end_on_gain:
        gains.write_end()
    return Parsed(statements.nodes, text.spelling, tuple(world.problems), scale)
