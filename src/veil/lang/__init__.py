"""Rule text -> checked `Rules`, or an error that points at the character.

The line: `source` (bytes to characters) -> `prefix` or `infix` (characters to syntax tree) -> `build` (tree to rules)
-> `check` and `repair` (well-formed and safe, or refused).
"""

from veil.lang.read import read_rules, read_term
from veil.lang.rules import Literal, Rule, Rules

__all__ = ["Literal", "Rule", "Rules", "read_rules", "read_term"]
