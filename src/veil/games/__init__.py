"""The bundled games, as data: rules files and the families that complete them.

A family is a file in `rules/` plus the facts that its parameters make; `FAMILIES` lists them all.
`instantiate("blind_breakthrough(width=5, height=5)")` gives the complete rules of one game, `parse_spec` only reads the
name and the parameters. A wrong name or parameter is a `VeilError`. A new game is a rules file and a row in a module of
`families/`. Some are there in POGDDL as well, as a domain in `domains/`: `write_pogddl` completes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.games.catalogue import (
        FAMILIES as FAMILIES,
        find_family as find_family,
        instantiate as instantiate,
        parse_spec as parse_spec,
    )
    from veil.games.family import (
        POINTS as POINTS,
        Family as Family,
        Instance as Instance,
        Parameter as Parameter,
        Utility as Utility,
        Value as Value,
    )
    from veil.games.problems import write_pogddl as write_pogddl
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "catalogue": "FAMILIES find_family instantiate parse_spec",
            "family": "Family Instance POINTS Parameter Utility Value",
            "problems": "write_pogddl",
        },
    )
