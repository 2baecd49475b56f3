"""The person at the terminal: is shown a request, and answers with a move."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from veil.errors import fail

if TYPE_CHECKING:
    from veil.players import Request


def ask_person(request: Request) -> str:
    """Print what the role was told and its legal moves, and read the choice; a single legal move is played at once."""
    legal = request.legal or ()
    if request.observation is not None and request.observation.percepts:
        print(f"{request.role} sees {' '.join(sorted(request.observation.percepts))}")
    if len(legal) == 1:
        return legal[0]
    for number, move in enumerate(legal, 1):
        print(f"  {number:3} {move}")
    while True:
        print(f"{request.role}> ", end="", flush=True)
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise fail("input-ended", role=request.role)
        word = line.strip()
        if word.isdecimal() and len(word) < 10 and 1 <= int(word) <= len(legal):
            return legal[int(word) - 1]
        if word in legal:
            return word
        print("a number from the list, or the move as it is written there")
