"""POGDDL: PDDL 2.2 with `observe` and `:gain` (Richards & Amir 2012), read into the statements of GDL-II.

1. `sections`: one domain and one problem, in one text or two; `world`: objects, roles and the start.
2. `reader`: actions, derived predicates and gains as the records of `syntax`.
3. `ranges`: the values that numeric fluents can have, found by exploring `projection`s in `kleene` logic.
4. `moves`, `effects`, `gains`: GDL-II statements; `conditions` and `numbers` write the bodies of their rules, and
   `statements` collects them.
"""

from __future__ import annotations

from veil.lang.pogddl.notation import detect as detect, parse as parse
