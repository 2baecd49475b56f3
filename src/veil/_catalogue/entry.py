"""`Entry`: one message as data."""

from __future__ import annotations

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "note"]


class Entry(NamedTuple):
    """One message; `what` and `hint` are texts with names in braces."""

    severity: Severity
    what: str
    hint: str | None = None
