"""What a page does to people who see little, do not see, or use no mouse: a check in the browser, without a library.

`find_barriers` returns one line per fault: names, roles and their references, headings, contrast (WCAG 2.2, AA), focus
inside of what is hidden, and the size of what is clicked.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

CHECK = (Path(__file__).parent / "barriers.js").read_text("utf-8")


def find_barriers(page: Any) -> list[str]:
    """Return the faults of a page as it stands, in light and in dark."""
    faults = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        faults += [f"{scheme}: {fault}" for fault in page.evaluate(CHECK)]
    page.emulate_media(color_scheme="light")
    return faults
