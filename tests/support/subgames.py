"""Decisions of small games with the slow subgame that is left, for players that are compared with a slow oracle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.reference.resolver import all_worlds, follow, subgame, worlds_of_orders
from tests.support.games import remembering_naive


def list_decisions(spec: str, rounds: int) -> Iterator[tuple[str, list[str], Any, Any]]:
    """Yield (role, roles, its rounds, the game that is left) for each role that has a choice after one history."""
    slow = remembering_naive(spec)
    roles = [role for role in slow.roles if role != "random"]
    histories = list(all_worlds(slow, rounds))
    for role in roles:
        state, records = follow(slow, histories[len(histories) // 2])
        if len(slow.legal(state)[role]) > 1:
            yield role, roles, records[role], subgame(slow, worlds_of_orders(slow, role, records[role], 1)[0])
