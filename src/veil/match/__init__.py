"""Matches: the referee, records of what happened, tournaments and where their results are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.faces import lazy_face

if TYPE_CHECKING:
    from veil.match.log import (
        MatchLog as MatchLog,
        RecordWriter as RecordWriter,
        Round as Round,
        read_records as read_records,
    )
    from veil.match.referee import (
        MatchConfig as MatchConfig,
        check_seats as check_seats,
        derived_seed as derived_seed,
        run_match as run_match,
    )
    from veil.match.standings import (
        Mean as Mean,
        Standings as Standings,
        compute_standings as compute_standings,
        mean_of as mean_of,
    )
    from veil.match.store import Store as Store
    from veil.match.tournament import TournamentConfig as TournamentConfig, run_tournament as run_tournament

__getattr__, __dir__ = lazy_face(
    __name__,
    {
        "log": "MatchLog RecordWriter Round read_records",
        "referee": "MatchConfig check_seats derived_seed run_match",
        "standings": "Mean Standings compute_standings mean_of",
        "store": "Store",
        "tournament": "TournamentConfig run_tournament",
    },
)
