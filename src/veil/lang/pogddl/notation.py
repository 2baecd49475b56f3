"""POGDDL as a row of the table of notations: detection and parsing."""

from __future__ import annotations

import re
from math import inf

from veil.errors import fail
from veil.lang import prefix
from veil.lang.pogddl.conditions import Conditions
from veil.lang.pogddl.effects import Effects
from veil.lang.pogddl.gains import Gains
from veil.lang.pogddl.moves import Moves
from veil.lang.pogddl.numbers import Numbers
from veil.lang.pogddl.ranges import find_ranges
from veil.lang.pogddl.reader import read_forms
from veil.lang.pogddl.sections import find_sections
from veil.lang.pogddl.statements import Statements
from veil.lang.pogddl.world import read_world
from veil.lang.source import Source
from veil.lang.tree import Parsed

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


def _translate(source: Source, text: Parsed) -> Parsed:
    sections = find_sections(source, text.statements)
    world = read_world(source, sections)
    forms = read_forms(world, sections)
    ranges, changing = find_ranges(world, forms)
    statements = Statements(world, forms)
    conditions = Conditions(statements, Numbers(statements, ranges, changing))
    conditions.write_derived(forms.derived)
    moves = Moves(conditions, forms.actions)
    moves.write()
    statements.add_start()
    Effects(conditions, moves.played).write(forms.actions)
    scale = Gains(conditions, forms.gains).write(source.transfer)
    return Parsed(statements.nodes, text.spelling, tuple(world.problems), scale)
