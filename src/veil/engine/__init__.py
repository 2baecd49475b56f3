"""A game made of `Rules`: single states in words, or many states at once in lanes.

This room is the border between logic and numbers: no room above it works with rules. Three rooms do the work:

- `datalog` evaluates the rules as they stand, for games that cannot be ground. Grounding uses its estimates too;
- `grounding` turns rules into a `GroundProgram`: numbered atoms and ground rules in flat arrays;
- `lanes` turns a `GroundProgram` into a `Machine`: native code that steps many worlds at once.

On top of them: `game` (`Game` and `State`, in words), `loader` (from a name, a path or a text), `names` (numbers to
words and back), `record` and `replay` (what roles are told), `chance` (how `random` plays), `simulation` (random
games).
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
