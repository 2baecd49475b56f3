"""Gambit's .efg as a row of the table of notations: detection and parsing."""

from __future__ import annotations

import re
from math import inf

from veil.errors import problem
from veil.lang.efg.order import check_recall
from veil.lang.efg.reader import read_tree
from veil.lang.efg.translation import EfgTranslation
from veil.lang.source import Source
from veil.lang.tree import Parsed

START = re.compile(r"\s*EFG\s+\d")


def detect(bare: str) -> float:
    """Return infinity if a text starts as an .efg text does, else 0."""
    return inf if START.match(bare) else 0.0


def parse(source: Source) -> Parsed:
    """Return the GDL-II statements of a tree. Refuse a tree that cannot be read, or in which a player forgets."""
    tree = read_tree(source)
    check_recall(source, tree)
    translation = EfgTranslation(source, tree)
    statements, scale = translation.write(), translation.scale
    problems = (problem("pogddl-fractions", scale=scale),) if scale > 1 else ()
    return Parsed(statements, translation.words.spelling, problems, scale)
