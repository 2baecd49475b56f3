"""Reading of rules: text becomes checked `Rules`, or an error that points at the character.

The steps: `source` (bytes to characters) -> a notation of the table `notations`, such as `prefix` or `infix`
(characters to syntax tree) -> `build` (tree to rules) -> `check` and `repair` (well-formed and safe, or refused).
`Rules` carries the analysis of its rules, their dependencies and domains, for all later steps.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
