"""The notations in which rules can be written: one module and one row of `NOTATIONS` each.

A notation has two functions. `detect` says how much a text looks like it; `parse` turns a text into statements with
their positions. Everything after that (building rules, checks, repairs) is the same for all notations. A game may be
written in several files, for example a domain and a problem: `veil.lang.source.join_sources` makes one source of them,
whose positions know their file, and `parse` finds all parts in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from veil.lang import efg, infix, pogddl, prefix
from veil.lang.source import Source
from veil.lang.tree import Parsed
from veil.plugins import Rows

COMMENTS = re.compile(r"(?m)^[ \t]*[;%#][^\n]*|//[^\n]*|;[^\n]*$")
GLANCE = 100_000  # characters that are read to detect the notation


class Notation(NamedTuple):
    """One way to write rules."""

    name: str
    summary: str
    # The text without comments -> how much it looks like this notation: usually the number of its signs, infinity
    # if no other notation starts in this way.
    detect: Callable[[str], float]
    parse: Callable[[Source], Parsed]
    marks_variables: bool  # a variable starts with `?`; a word with a capital is a constant, perhaps by mistake


# If two notations are equally likely, the first one is taken.
OWN = (
    Notation(
        name="infix",
        summary="legal(P, noop) :- role(P), not true(control(P)).",
        detect=infix.detect,
        parse=infix.parse,
        marks_variables=False,
    ),
    Notation(  # before prefix, because both start with a parenthesis
        name="pogddl",
        summary="(define (domain d) ... (:action bid :parameters (?p - role) ...)) (define (problem p) ...)",
        detect=pogddl.detect,
        parse=pogddl.parse,
        marks_variables=False,
    ),
    Notation(
        name="prefix",
        summary="(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
        detect=prefix.detect,
        parse=prefix.parse,
        marks_variables=True,
    ),
    Notation(
        name="efg",
        summary='EFG 2 R "title" { "Ann" "Bob" } p "" 1 1 "" { "bet" "pass" } 0 ...: a tree, as Gambit writes it',
        detect=efg.detect,
        parse=efg.parse,
        marks_variables=False,
    ),
)
NOTATIONS: Rows[Notation] = Rows("notation", {notation.name: notation for notation in OWN}, Notation)


def find_notation(text: str) -> Notation:
    """Return the notation of a text, judged by its characters and not by a file name."""
    bare = COMMENTS.sub("", text[:GLANCE])
    if not bare.strip():
        bare = COMMENTS.sub("", text)
    return max(NOTATIONS.values(), key=lambda notation: notation.detect(bare))  # the first of equals
