"""Where matches and players run: processes of our own, a process per player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.match.executors.isolated import IsolatedDriver as IsolatedDriver
    from veil.match.executors.processes import (
        Pool as Pool,
        defer_ctrl_c as defer_ctrl_c,
        end_with_parent as end_with_parent,
    )
else:
    __getattr__, __dir__, __all__ = lazy_face(
        __name__,
        {
            "isolated": "IsolatedDriver",
            "processes": "Pool defer_ctrl_c end_with_parent",
        },
    )
