"""`Rules` -> ground program -> answers about states; nothing above this room knows about logic.

The line: `shrink` (rules with smaller ground programs) -> `translate` and `ground` (clingo, in a process that can be
stopped) -> `assemble` (flat arrays: `GroundProgram`) -> `evaluate`; beside it `interpreter`, which needs no grounding.
`game` is the face: `load`, `Game`, `State`.
"""
