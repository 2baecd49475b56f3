"""The bundled games, as data: rules files and the families that complete them.

A family is a file in `rules/` plus the facts that its parameters make; `FAMILIES` lists them all.
`instantiate("blind_breakthrough(width=5, height=5)")` returns the complete rules of one game; `parse_spec` only reads
the name and the parameters. A wrong name or parameter raises `VeilError`. A new game is a rules file and a row in a
module of `families/`. Some games also have a version in POGDDL, with a domain in `domains/`: `write_pogddl` completes
it.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
