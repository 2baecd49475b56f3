"""`ResumableMatch`: a match that can be left and continued later, with players in this process.

A match is continued by playing its first rounds again with the same seed and the same moves. Players with `observe`
observe these rounds without being asked for moves. When a person takes a move back, the match is played again with
fewer rounds.

    match = ResumableMatch(game, specs, seed, config, person=person, played=rounds)
    log = match.run()           # raises what the person raises; `match.moves` are the rounds until then

If the caller chooses the moves of some roles (`outside`), it plays the match round by round:

    match = ResumableMatch(game, specs, seed, config, outside={"white"}, played=rounds)
    match.start()
    match.advance({"white": "(mark 1 1)"})
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing

from veil.engine import Game
from veil.errors import fail
from veil.match.config import MatchConfig
from veil.match.drivers import make_local_driver
from veil.match.keys import choose_match_key
from veil.match.log import MatchLog, Round
from veil.match.referee import finish_match
from veil.match.seats import Lineup, check_seats
from veil.match.table import MatchTable, Reply
from veil.players import Person, needs_of_spec


class ResumableMatch:
    """A match that begins at its first round, or after rounds that were played before."""

    def __init__(
        self,
        game: Game,
        specs: Mapping[str, str],
        seed: int,
        config: MatchConfig,
        *,
        person: Person | None = None,
        outside: Collection[str] = (),
        played: Sequence[Round] = (),
    ) -> None:
        """Make the players of all roles but those in `outside`.

        `specs` maps each role to the spec of its player. `person` answers for players that need a person. From the
        rounds in `played`, the moves, errors and reports are used.
        """
        specs = check_seats(game, specs, config)
        lineup = Lineup(specs={role: spec for role, spec in specs.items() if role not in outside}, person=person)
        self.played = list(played)
        self.driver = make_local_driver(lineup, config)
        needs = self.driver.needs | {role: needs_of_spec(specs[role]) for role in outside}
        self.match = MatchTable(game, specs, seed, config, needs, choose_match_key(game, specs, seed))

    @property
    def moves(self) -> list[dict[str, str]]:
        """The moves of all rounds so far, by role, including `random`."""
        return [dict(entry.moves) for entry in self.match.log.rounds]

    def run(self) -> MatchLog:
        """Play the match to its end and return its log. Refuse earlier rounds that are impossible in this match."""
        with closing(self.driver):
            number = self.start()
            if number is not None:
                raise fail("saved-game-differs", number=number)
            return finish_match(self.match, self.driver)

    def start(self) -> int | None:
        """Start the players, and play the earlier rounds again.

        Return the number of the first round, from 1, that is impossible in this match; None if all could be repeated.
        """
        seats = self.match.seats()
        self.match.note_start(self.driver.start({role: seats[role] for role in self.driver.needs}))
        return next((number for number, entry in enumerate(self.played, 1) if not self._repeat(entry)), None)

    def advance(self, moves: Mapping[str, str]) -> None:
        """Play a round with these moves of the outside roles. The players are asked for their moves."""
        requests = {role: request for role, request in self.match.requests().items() if role not in moves}
        self.match.advance(self.driver.ask(requests) | {role: Reply(move) for role, move in moves.items()})

    def _repeat(self, entry: Round) -> bool:
        """Play an earlier round again. Return whether that was possible."""
        if self.match.is_over:
            return False
        requests = self.match.requests()
        for role, request in requests.items():
            if role in self.driver.needs:
                self.driver.tell(role, request)
        self.match.advance({role: _find_reply(entry, role) for role in requests})
        done = self.match.log.rounds[-1]
        is_same = all(done.moves.get(role) == move for role, move in entry.moves.items())
        return is_same and done.errors.keys() <= entry.errors.keys()


def _find_reply(entry: Round, role: str) -> Reply:
    """Return the answer of a role in an earlier round."""
    if role in entry.errors and not entry.errors[role].startswith("stop:"):
        return Reply(error=entry.errors[role])
    return Reply(entry.moves.get(role), report=entry.reports.get(role))
