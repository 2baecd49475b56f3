"""Which players a browser may name: none that reads files, runs code of others, asks other machines or sees all.

Plug-in files that the studio was started with (`--load`) are not code of others.
"""

from __future__ import annotations

from veil.errors import fail, phrase
from veil.players import FILE, NETWORK, PERSON, PLAYERS, TRUE_STATE, file_of
from veil.plugins import is_plugin

OUR_PLAYERS = "veil.players."  # the players in these modules import nothing that their options name
REFUSED_NEEDS = {
    FILE: "studio-needs-file",
    TRUE_STATE: "studio-sees-all",
    NETWORK: "studio-needs-network",
    PERSON: "studio-needs-person",
}


def check_players(players: dict[str, str]) -> None:
    """Raise `VeilError` for players that a browser must not name; the values are specs. Imports the searchers."""
    for spec in players.values():
        refusal = find_refusal(spec)
        if refusal is None and file_of(spec) is not None:  # a file of its opponents
            refusal = "studio-needs-file"
        if refusal is not None:
            raise fail("studio-no-player", spec=spec, what=phrase(refusal))


def list_players() -> list[tuple[str, str]]:
    """Return the players that a browser may name, with their summaries."""
    return [(name, row.summary) for name, row in PLAYERS.rows.items() if find_refusal(name) is None]


def find_refusal(spec: str) -> str | None:
    """Return the phrase that says why a spec must not be named; None if it may be."""
    row = PLAYERS.row_of(spec)
    if not row.home.startswith(OUR_PLAYERS) and not is_plugin(row.home):
        return "studio-foreign"
    return next((name for need, name in REFUSED_NEEDS.items() if need in row.needs), None)
