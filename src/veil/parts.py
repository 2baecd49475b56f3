"""Optional parts of contracts: what a player, a sampler or opponents can do beside what all of their kind do.

A part is a class that declares methods. A class has the part if it has all of them, whether it names the part among its
bases or not: `isinstance(player, ObservesRounds)`. Protocols of `typing` that are checked at run time do the same and
take many times as long; matches ask at every move.
"""

from __future__ import annotations

from abc import ABCMeta
from typing import Any


class OptionalPart(metaclass=ABCMeta):  # noqa: B024 - those below it have abstract methods
    """The base of all parts. What a part declares are its public names."""

    @classmethod
    def __subclasshook__(cls, other: type[Any]) -> Any:
        """Return whether a class has the part; asked once for each class."""
        if OptionalPart not in cls.__bases__:  # a class that is made from a part
            return NotImplemented
        declared = [name for name in vars(cls) if not name.startswith("_")]
        names = {name for base in other.__mro__ for name in vars(base)}
        return names.issuperset(declared)
