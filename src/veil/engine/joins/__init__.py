"""Games played from their rules, without grounding: machine code that answers questions about one state at a time.

`RulesMachine` has the contract of `lanes.Machine`. `flatten` takes terms apart, `plans` decides what is asked and in
which order, `relations` and `fluent_store` hold the data, `runtime`, `codegen` and `entries` write the code.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
