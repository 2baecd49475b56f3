"""`MatchTable`: a match as data. It holds the true state and returns requests for moves; the caller passes the answers.

    match = MatchTable(game, {"white": "ann", "black": "bob"}, seed=1)
    while not match.is_over:
        match.advance({role: Reply(ask(request)) for role, request in match.requests().items()})
    match.log

A match never waits, prints or starts anything, and holds no players. It implements the rules of the referee: each role
is told only its own last move and percepts. A late, illegal or missing answer is an error. A legal move, drawn with the
seed of the match, then replaces it, and the match continues. A role with too many errors forfeits: it is not asked
again, and its goal is 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from veil.engine import Game
from veil.errors import fail
from veil.limits import check_limit
from veil.match.config import MatchConfig
from veil.match.log import MatchLog, Round
from veil.match.seats import order_seats
from veil.players import LEGAL_MOVES, NOTHING, PERSON, TRUE_STATE, Observation, Request, Seat
from veil.streams import chance_of_match, player_seed, repairs_of_match, scramble_seed
from veil.vocabulary import RANDOM

MAX_TEXT = 200  # characters of an error that are kept
MAX_MOVE = 80  # characters of an illegal move that are shown


class Reply(NamedTuple):
    """The answer of a player to a request, or to the call to start or stop."""

    move: Any = None  # as text; anything else is an error of the player
    error: str | None = None  # what went wrong; None if nothing did
    seconds: float | None = None  # duration; None if it was not measured
    report: Any = None  # the report of the player about its move, as plain data


class MatchTable:
    """One match: `requests`, `advance`, `is_over`, `log`."""

    def __init__(
        self,
        game: Game,
        players: Mapping[str, str],
        seed: int = 0,
        config: MatchConfig | None = None,
        needs: Mapping[str, frozenset[str]] | None = None,
        key: str | None = None,
    ) -> None:
        """Begin a match. `players` are names for the log; `needs` says what a role gets beyond its observations.

        With a `key` (`veil.match.keys`), everything random in the match depends on it, and the log contains it at the
        end.
        """
        check_limit("seed", seed, "seed")
        self.game, self.config, self.seed, self._key = game, config or MatchConfig(), seed, key
        self.roles, self.is_over = game.roles, False
        self.log = MatchLog(
            game=game.name,
            rules=game.fingerprint,
            roles=list(self.roles),
            players=order_seats(game, players),
            seed=seed,
            settings=self.config.settings(),
        )
        self._needs = needs or {}
        self._chance, self._repairs = chance_of_match(seed, key), repairs_of_match(seed, key)
        self._observations: dict[str, Observation | None] = dict.fromkeys(self.log.players)
        self._start_errors: dict[str, str] = {}  # counted with the first round
        self._errors = dict.fromkeys(self.log.players, 0)
        self._forfeited: set[str] = set()
        self._state = game.machine.initial_states()  # [1, words]
        self._judge()

    # Called by drivers

    def seats(self) -> dict[str, Seat]:
        """Return the seat of each player: what it is told before the match."""
        return {
            role: Seat(
                game=self.game,
                role=role,
                seed=player_seed(self.seed, number, self._key),
                start_seconds=self.config.start_seconds,
                play_seconds=self.config.play_seconds,
                grace=self.config.grace,
                scramble=scramble_seed(self.seed, self._key) if self.config.scramble else None,
            )
            for number, role in enumerate(self.log.players)
        }

    def note_start(self, replies: Mapping[str, Reply]) -> None:
        """Take the replies to the start. A player that failed or was late is not asked in the first round."""
        limit = self.config.start_seconds
        for role, reply in replies.items():
            if limit is not None and reply.seconds is not None and reply.seconds > limit + self.config.grace:
                self._start_errors[role] = f"it started late, after {reply.seconds:.2f} s"
            elif reply.error is not None:
                self._start_errors[role] = reply.error

    def requests(self) -> dict[str, Request]:
        """Return the requests to all roles that the match waits for. Raise `VeilError` if a role has no legal move."""
        if self.is_over:
            return {}
        self._check_legal()
        return {role: self._request(role) for role in self._asked()}

    def advance(self, answers: Mapping[str, Reply]) -> None:
        """Play a round, with one answer for every role of `requests()`."""
        if self.is_over or set(answers) != set(self._asked()):
            raise ValueError(f"the match waits for {self._asked() or 'nobody'}, not for {list(answers)}")
        self._check_legal()
        entry = Round(moves={}, sees={})
        joint_move = np.array([self._choose(role_id, answers, entry) for role_id in range(len(self.roles))])
        stepped = self.game.machine.step(self._state, joint_move[None, :])
        self._state = stepped.states
        self._observe(joint_move, stepped.percepts, entry)
        self.log.rounds.append(entry)
        self._judge()

    def observations(self) -> dict[str, Observation | None]:
        """Return the last observation of every role that has not forfeited; None before the first round."""
        return {role: told for role, told in self._observations.items() if role not in self._forfeited}

    def note_stop(self, replies: Mapping[str, Reply]) -> None:
        """Take the replies to the end of the match. Errors are logged, and do not change the result."""
        for role, reply in replies.items():
            if reply.error is not None and self.log.rounds:
                self.log.rounds[-1].errors.setdefault(role, f"stop: {reply.error}"[:MAX_TEXT])

    # Internal

    def _judge(self) -> None:
        """Find out whether the match is over and which moves are legal. At the end, complete the log."""
        judged = self.game.machine.judge(self._state)
        finished = bool(judged.terminal[0])
        self.is_over = finished or len(self.log.rounds) >= self.config.max_rounds
        self._legal = [np.flatnonzero(bits[0]) for bits in self.game.machine.legal_bits(judged)]
        if self.is_over:
            goals = dict(zip(self.roles, judged.goals[0].tolist(), strict=True))
            self.log.finished, self.log.key = finished, self._key
            self.log.goals = {role: 0 if role in self._forfeited else goals[role] for role in self.log.players}
            self.log.forfeited = [role for role in self.log.players if role in self._forfeited]

    def _check_legal(self) -> None:
        for role, legal in zip(self.roles, self._legal, strict=True):
            if not len(legal):
                raise fail("stuck", where=f"round {len(self.log.rounds) + 1}: ", role=role)

    def _asked(self) -> list[str]:
        """Return the roles that the match waits for."""
        return [role for role in self.log.players if role not in self._forfeited and role not in self._start_errors]

    def _request(self, role: str) -> Request:
        needs, role_id = self._needs.get(role, NOTHING), self.roles.index(role)
        words = self.game.names.moves[role_id]
        return Request(
            role,
            self._observations[role],
            legal=tuple(sorted(words[move] for move in self._legal[role_id]))
            if needs & {LEGAL_MOVES, PERSON}
            else None,
            state=self._state[0].copy() if TRUE_STATE in needs and self.config.allow_cheat else None,
        )

    def _choose(self, role_id: int, answers: Mapping[str, Reply], entry: Round) -> int:
        """Return the move of a role: the answer of its player if it is legal, otherwise a random legal move."""
        role, legal = self.roles[role_id], self._legal[role_id]
        if role == RANDOM:
            return int(legal[self._chance.integers(len(legal))])
        error = self._start_errors.pop(role, None)
        if role in answers:
            error = self._find_error(role, answers[role], entry)
            if error is None:
                move = self.game.names.move_id(role_id, answers[role].move)
                if move is not None and move in legal:
                    return move
                error = f"{answers[role].move[:MAX_MOVE]} is not legal"
        if error is not None:
            self._count_error(role, error, entry)
        return int(legal[self._repairs.integers(len(legal))])

    def _find_error(self, role: str, reply: Reply, entry: Round) -> str | None:
        """Return the error of an answer, or None, and log its time and report. Legality is not checked here."""
        limit = self.config.play_seconds
        late = False
        if limit is not None and reply.seconds is not None:
            entry.seconds[role] = round(reply.seconds, 4)
            late = entry.seconds[role] > limit + self.config.grace and PERSON not in self._needs.get(role, NOTHING)
        if reply.error is not None:
            return reply.error
        if late:
            return f"late: {entry.seconds[role]:.2f} s"
        if self.config.reports and reply.report is not None:
            entry.reports[role] = reply.report
        return None if isinstance(reply.move, str) else f"{type(reply.move).__name__} is no move"

    def _count_error(self, role: str, error: str, entry: Round) -> None:
        entry.errors[role] = error[:MAX_TEXT]
        self._errors[role] += 1
        if self._errors[role] > self.config.max_errors:
            self._forfeited.add(role)

    def _observe(self, joint_move: np.ndarray, percepts: tuple[np.ndarray, ...], entry: Round) -> None:
        """Log the moves and percepts of a round. Players get them with their next request."""
        for role_id, role in enumerate(self.roles):
            entry.moves[role] = self.game.names.moves[role_id][int(joint_move[role_id])]
            if role != RANDOM:
                seen = self.game.names.percept_words(role_id, percepts[role_id][0])
                entry.sees[role] = sorted(seen)
                self._observations[role] = Observation(entry.moves[role], seen)
