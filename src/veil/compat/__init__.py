"""Everything that touches parts of other libraries which they do not document, one module per library.

A new version of a library may change such a part without notice. `pyproject.toml` therefore allows no version beyond
the next one, and `tests/unit/test_compat.py` has a test per use, which says what broke. Nothing here imports Veil.
"""

from __future__ import annotations

TESTED = {"numba": "0.68.1", "llvmlite": "0.50.0", "typer": "0.29.1"}  # and Python 3.11: what all of it was tested with
