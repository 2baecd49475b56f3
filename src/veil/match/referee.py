"""The referee: alone with the true state, it asks, checks, plays on, and writes the record.

Per round each player is asked with its own last move and percepts only. An answer that is late, illegal or an exception
is an error: a legal move drawn from the match's seed takes its place, and the match goes on. A player with too many
errors forfeits: it is not asked again, and its goal is 0.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from veil.engine import Game
from veil.errors import VeilError, fail
from veil.match.executors import IsolatedPlayer
from veil.match.log import MatchLog, Round
from veil.players import PERSON, PLAYERS, TRUE_STATE, Observation, Player, Seat, make_player, needs_of
from veil.vocabulary import RANDOM

GRACE = 0.05  # seconds that an answer may be late without being so


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchConfig:
    """How a match is held."""

    start_seconds: float | None = None
    play_seconds: float | None = None
    max_errors: int = 3  # more, and the player forfeits
    max_rounds: int = 10_000
    allow_cheat: bool = False
    isolated: bool = False  # players in processes of their own
    max_memory: float = 4.0  # GB of such a process
    reports: bool = False  # keep what players say about their moves

    def __post_init__(self) -> None:
        for name in ("start_seconds", "play_seconds"):
            value = getattr(self, name)
            if value is not None and not 0 < value < 1e6:
                raise fail("bad-limit", name=name, value=value)
        if self.max_errors < 0:
            raise fail("bad-limit", name="max_errors", value=self.max_errors)
        for name in ("max_rounds", "max_memory"):
            if not 0 < getattr(self, name) < 1e9:
                raise fail("bad-limit", name=name, value=getattr(self, name))

    def settings(self) -> dict[str, Any]:
        """What belongs into a record."""
        return {
            "start_seconds": self.start_seconds,
            "play_seconds": self.play_seconds,
            "max_errors": self.max_errors,
            "isolated": self.isolated,
        }


def check_seats(
    game: Game, specs: Mapping[str, str], config: MatchConfig, ready: Mapping[str, Player] | None = None
) -> dict[str, str]:
    """A player for every role but `random`, in the order of the rules; what is missing or too much is refused.

    Those who are `ready` need no spec, and if they have one, it is a name.
    """
    ready = ready or {}
    spelled: dict[str, str] = {}
    for role, spec in ({role: type(player).__name__ for role, player in ready.items()} | dict(specs)).items():
        name = game.rules.show(game.role_term(role))
        if name in spelled:
            raise fail("bad-seat", what=f"{name} is named twice")
        spelled[name] = spec
    if RANDOM in spelled:
        raise fail("bad-seat", what="random is played by the referee")
    missing = [role for role in game.roles if role != RANDOM and role not in spelled]
    if missing:
        raise fail("bad-seat", what=f"nobody plays {' and '.join(missing)}")
    if ready and config.isolated:
        raise fail("bad-seat", what="a player that is made already cannot move into a process of its own")
    for role, spec in spelled.items():
        if role in ready:
            continue
        name = PLAYERS.parse(spec).name
        if name == "cheat" and not config.allow_cheat:
            raise fail("no-cheating")
        if name in ("human", "cheat") and config.isolated:
            raise fail("bad-seat", what=f"{name} cannot play in a process of its own")
    if not config.allow_cheat and any(TRUE_STATE in needs_of(player) for player in ready.values()):
        raise fail("no-cheating")
    return {role: spelled[role] for role in game.roles if role in spelled}


def derived_seed(seed: int, number: int) -> int:
    """The seed of a match of a series, or of a player of a match: the same for the same number, whoever plays."""
    return int(np.random.SeedSequence((seed, number)).generate_state(1)[0])


def run_match(
    game: Game,
    specs: Mapping[str, str],
    seed: int = 0,
    config: MatchConfig | None = None,
    players: Mapping[str, Player] | None = None,
) -> MatchLog:
    """One match. `players` may hold ready-made ones for some roles; their specs are then only written down."""
    config = config or MatchConfig()
    if not 0 <= seed < 2**63:
        raise fail("bad-option", what=f"the seed of a match is a whole number from 0 on, not {seed}")
    players = players or {}
    ready = {game.rules.show(game.role_term(role)): player for role, player in players.items()}
    if len(ready) < len(players):
        raise fail("bad-seat", what="a role is named twice")
    specs = check_seats(game, specs, config, ready)
    referee = _Referee(game, specs, seed, config)
    try:
        referee.seat(ready)
        with _no_long_collections() if config.play_seconds is not None else nullcontext():
            return referee.play()
    finally:
        referee.dismiss()


@contextmanager
def _no_long_collections() -> Iterator[None]:
    """While a clock runs, Python's garbage collector leaves alone what is there already: that takes it 0.05 s."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _plain(report: Any) -> dict[str, Any]:
    """What a player says about its move, if it can be written down and read again."""
    if not isinstance(report, dict):
        raise TypeError(f"{type(report).__name__} is no dict")
    found: dict[str, Any] = json.loads(json.dumps(report))
    return found


class _Referee:
    def __init__(self, game: Game, specs: Mapping[str, str], seed: int, config: MatchConfig) -> None:
        self.game, self.config, self.seed = game, config, seed
        self.machine, self.names = game.machine, game.names
        self.rng = np.random.default_rng((seed, 0))  # chance
        self.repair = np.random.default_rng((seed, 1))  # moves in place of errors
        self.players: dict[str, Player] = {}
        self.told: dict[str, Observation | None] = dict.fromkeys(specs)
        self.out: set[str] = set()
        self.errors = dict.fromkeys(specs, 0)
        self.record = MatchLog(
            game=game.name,
            rules=game.fingerprint,
            roles=game.roles,
            players=dict(specs),
            seed=seed,
            settings=config.settings(),
        )
        self._late: dict[str, str] = {}  # errors of the start, told with the first round

    def seat(self, ready: Mapping[str, Player]) -> None:
        """Make the players and let them start."""
        for at, (role, spec) in enumerate(self.record.players.items()):
            seat = Seat(
                game=self.game,
                role=role,
                seed=derived_seed(self.seed, 2 + at),
                start_seconds=self.config.start_seconds,
                play_seconds=self.config.play_seconds,
            )
            if role in ready:
                self.players[role] = ready[role]
            elif self.config.isolated:
                self.players[role] = elsewhere = IsolatedPlayer(spec, self.config.max_memory)
                elsewhere.prepare(seat)
            else:
                self.players[role] = make_player(spec)
            clock = perf_counter()
            try:
                self.players[role].start(seat)
            except VeilError:
                if role not in ready:
                    raise  # the user can repair it: a policy for other rules, a tree that is too large
                self._late[role] = "it could not start"
            except (Exception, SystemExit) as error:
                self._late[role] = f"it could not start: {type(error).__name__}: {error}"[:200]
            spent = perf_counter() - clock
            if self.config.start_seconds is not None and spent > self.config.start_seconds + GRACE:
                self._late[role] = f"it started late, after {spent:.2f} s"

    def play(self) -> MatchLog:
        state = self.machine.initial_states()
        while True:
            judged = self.machine.judge(state)
            if judged.terminal[0] or len(self.record.rounds) >= self.config.max_rounds:
                break
            legal = [np.flatnonzero(bits[0]) for bits in self.machine.legal_bits(judged)]
            entry = Round(moves={}, sees={})
            joint = np.array(
                [self._move(at, role, legal[at], state[0], entry) for at, role in enumerate(self.game.roles)]
            )
            stepped = self.machine.step(state, joint[None, :])
            state = stepped.states
            self._tell(joint, stepped.percepts, entry)
            self.record.rounds.append(entry)
        self.record.finished = bool(judged.terminal[0])
        goals = dict(zip(self.game.roles, judged.goals[0].tolist(), strict=True))
        self.record.goals = {role: 0 if role in self.out else goals[role] for role in self.record.players}
        self.record.forfeited = [role for role in self.record.players if role in self.out]
        for role, player in self.players.items():
            if role not in self.out:
                try:
                    player.stop(self.told[role])
                except (Exception, SystemExit) as error:
                    if self.record.rounds:
                        self.record.rounds[-1].errors.setdefault(role, f"stop: {type(error).__name__}"[:200])
        return self.record

    def dismiss(self) -> None:
        """Processes end with the match."""
        for player in self.players.values():
            if isinstance(player, IsolatedPlayer):
                player.close()

    def _move(self, at: int, role: str, legal: np.ndarray, state: np.ndarray, entry: Round) -> int:
        """The move of a role, whatever its player answers."""
        if not len(legal):
            raise fail("stuck", where=f"round {len(self.record.rounds) + 1}: ", role=role)
        if role == RANDOM:
            return int(legal[self.rng.integers(len(legal))])
        error = self._late.pop(role, None)
        if error is None and role not in self.out:
            answer, error = self._ask(role, legal, state, entry)
            if error is None:
                number = self.names.move_id(at, answer)
                if number is not None and number in legal:
                    return number
                error = f"{answer[:80]} is not legal"
        if error is not None:
            entry.errors[role] = error
            self.errors[role] += 1
            if self.errors[role] > self.config.max_errors:
                self.out.add(role)
        return int(legal[self.repair.integers(len(legal))])

    def _ask(self, role: str, legal: np.ndarray, state: np.ndarray, entry: Round) -> tuple[str, str | None]:
        """(the answer, what is wrong with it)."""
        player, clock = self.players[role], perf_counter()
        limit = self.config.play_seconds
        try:
            peek, offer = getattr(player, "peek", None), getattr(player, "offer", None)
            if peek is not None and self.config.allow_cheat:
                peek(state)
            if offer is not None:
                offer(sorted(self.names.moves[self.game.roles.index(role)][move] for move in legal))
            answer = player.play(self.told[role])
        except (Exception, SystemExit) as error:
            if PERSON in needs_of(player) and isinstance(error, VeilError):
                raise  # nobody is at the terminal any more
            return "", f"{type(error).__name__}: {error}"[:200]
        finally:
            if limit is not None:
                entry.seconds[role] = round(perf_counter() - clock, 4)
        if limit is not None and entry.seconds[role] > limit + GRACE and PERSON not in needs_of(player):
            return "", f"late: {entry.seconds[role]:.2f} s"
        if self.config.reports:
            try:
                entry.reports[role] = _plain(player.report())
            except (Exception, SystemExit) as error:
                return "", f"report: {type(error).__name__}: {error}"[:200]
        return (answer, None) if isinstance(answer, str) else ("", f"{type(answer).__name__} is no move")

    def _tell(self, joint: np.ndarray, percepts: tuple[np.ndarray, ...], entry: Round) -> None:
        for at, role in enumerate(self.game.roles):
            entry.moves[role] = self.names.moves[at][int(joint[at])]
            seen = self.names.percept_words(at, percepts[at][0])
            if role != RANDOM:
                entry.sees[role] = sorted(seen)
                self.told[role] = Observation(entry.moves[role], seen)
