"""The bundled games. A family is a file in `rules/` plus the facts that its parameters make; `FAMILIES` lists them
all. `instantiate("blind_breakthrough(width=5, height=5)")` gives the complete rules of one game, `parse_spec` only
reads the name and the parameters. What the user got wrong is a `VeilError`."""

from __future__ import annotations

from veil.games.catalogue import FAMILIES, instantiate, parse_spec
from veil.games.family import POINTS, Family, Instance, Parameter, Utility, Value

__all__ = ["FAMILIES", "POINTS", "Family", "Instance", "Parameter", "Utility", "Value", "instantiate", "parse_spec"]
