"""`Rules` -> a game that can be asked and played, one state at a time in words or many at once in lanes.

This room is the border between logic and numbers: nothing above it knows about rules. Three rooms do the work:

- `datalog`: the rules evaluated as they stand, for games that cannot be ground, and what grounding needs to know;
- `grounding`: rules -> `GroundProgram`, numbered atoms and ground rules in flat arrays;
- `lanes`: `GroundProgram` -> `Machine`, native code that steps many worlds at once.

On top of them: `game` (`Game` and `State`, in words), `loading` (from a name, a path or a text), `names` (numbers to
words and back), `record` and `replay` (what roles are told), `chance` (how `random` plays), `simulation` and
`playability` (random games), `random_games`, `exclusion` and `silent_rules` (what they show to a designer).
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
