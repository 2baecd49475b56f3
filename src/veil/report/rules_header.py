"""The header of a rules file: the comment at its top, in sections if it has some.

The bundled files begin with a title and sections whose names stand in their own column:

    ;;; monty_hall(doors=3)
    ;;;
    ;;; Rules      There are three doors ...
    ;;;            and behind one of them a car.
    ;;; Hidden     The contestant is shown an empty door.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from veil.games import FACTS

NAMES_END = 11  # width of the column with the names of sections


class Section(NamedTuple):
    """A part of a header; a part without a name is a paragraph."""

    name: str
    text: str


def read_header(text: str) -> list[Section]:
    """Return the sections of the comment at the top of a rules text, without its title.

    A game of the catalogue begins with a comment and the facts of its parameters; a blank line ends them.
    """
    if text.startswith(FACTS):
        text = text.partition("\n\n")[2]
    lines = [line.strip() for line in takewhile(lambda line: line.startswith(";"), text.lstrip().splitlines())]
    sections: list[Section] = []
    apart = True  # whether the next line begins a paragraph
    for line in (comment.lstrip(";").removeprefix(" ").rstrip() for comment in lines[1:]):
        name = line[:NAMES_END].strip()
        if name and " " not in name and line[NAMES_END - 1 : NAMES_END] == " ":
            sections.append(Section(name, line[NAMES_END:].strip()))
        elif line.strip() and sections and not apart:
            sections[-1] = Section(sections[-1].name, f"{sections[-1].text} {line.strip()}")
        elif line.strip():
            sections.append(Section("", line.strip()))
        apart = not line.strip()
    return sections
