"""`Sitting`: a match that can be left and taken up again, with players in this process.

A match is data, so it is taken up by playing its first rounds again: the same seed deals the same, players hear the
rounds (`hear`) without being asked for a move where they can, and the moves are those that were played then. A person
who takes a move back sits down to the same match with fewer rounds.

    sitting = Sitting(game, specs, seed, config, person=person, played=moves)
    log = sitting.run()         # raises what the person raises; `sitting.moves` are the rounds until then
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

from veil.engine import Game
from veil.errors import fail
from veil.match.config import MatchConfig
from veil.match.drivers import make_local_driver
from veil.match.log import MatchLog
from veil.match.referee import finish_match
from veil.match.seats import Lineup, check_seats
from veil.match.table import Match, Reply
from veil.players import Person


class Sitting:
    """A match from its first round, or from the rounds that were played before."""

    def __init__(
        self,
        game: Game,
        specs: Mapping[str, str],
        seed: int,
        config: MatchConfig,
        *,
        person: Person,
        played: Sequence[Mapping[str, str]] = (),
    ) -> None:
        """`specs` says who plays each role; `person` answers for players that need one; `played` are moves by role."""
        lineup = Lineup(specs=check_seats(game, specs, config), person=person)
        self.played = list(played)
        self.driver = make_local_driver(lineup, config)
        self.match = Match(game, lineup.specs, seed, config, self.driver.needs)

    @property
    def moves(self) -> list[dict[str, str]]:
        """What was played so far, by role, `random` included."""
        return [dict(entry.moves) for entry in self.match.log.rounds]

    def run(self) -> MatchLog:
        """Play the match to its end. Rounds that this match cannot have had are refused."""
        with closing(self.driver):
            self.match.note_start(self.driver.start(self.match.seats()))
            for number, moves in enumerate(self.played, 1):
                self._repeat(number, moves)
            return finish_match(self.match, self.driver)

    def _repeat(self, number: int, moves: Mapping[str, str]) -> None:
        """Play a round as it was played before."""
        requests = self.match.requests()
        for role, request in requests.items():
            self.driver.tell(role, request)
        if not self.match.is_over:
            self.match.advance({role: Reply(moves.get(role)) for role in requests})
        done = self.match.log.rounds[-1] if len(self.match.log.rounds) == number else None
        if done is None or done.errors or any(done.moves.get(role) != move for role, move in moves.items()):
            raise fail("saved-game-differs", number=number)
