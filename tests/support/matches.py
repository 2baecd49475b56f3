"""A game of dice, players that answer what a test wants, and logs that are checked against the rules."""

from __future__ import annotations

from typing import Any

from tests.support.games import game
from veil.match.log import MatchLog
from veil.players.contract import Observation, Seat

# Both roles throw a die that the other does not see, three times; who has thrown higher last wins.
DICE = """
(role ann) (role bob) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (face 1) (face 2) (face 3) (face 4)
(less 1 2) (less 2 3) (less 3 4) (less 1 3) (less 2 4) (less 1 4)
(<= (legal ?p (throw ?n)) (role ?p) (face ?n))
(<= (sees ?p (own ?n)) (does ?p (throw ?n)))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= (next (last ?p ?n)) (does ?p (throw ?n)))
(<= terminal (true (round 4)))
(<= (beaten ?p) (true (last ?p ?m)) (true (last ?q ?n)) (less ?m ?n))
(<= (goal ?p 100) (role ?p) (not (beaten ?p)))
(<= (goal ?p 20) (beaten ?p))
"""


class Puppet:
    """Answers what it is told to, in turn and from the beginning again; an exception is raised."""

    seat: Seat  # where it was told to sit down

    def __init__(self, *answers: object) -> None:
        self.answers = answers
        self.told: list[Observation | None] = []
        self.stopped: list[Observation | None] = []

    def start(self, seat: Seat) -> None:
        self.seat = seat

    def play(self, observation: Observation | None) -> Any:
        self.told.append(observation)
        answer = self.answers[(len(self.told) - 1) % len(self.answers)]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def stop(self, observation: Observation | None) -> None:
        self.stopped.append(observation)

    def report(self) -> dict[str, Any]:
        return {"asked": len(self.told)}


def moves_of(log: MatchLog, role: str) -> list[str]:
    return [entry.moves[role] for entry in log.rounds]


def roles_of(spec: str) -> list[str]:
    return [role for role in game(spec).roles if role != "random"]


def assert_played_by_the_rules(spec: str, log: MatchLog) -> None:
    """Moves are legal, percepts are what the rules say, and so are the goals of who has not forfeited."""
    state = game(spec).initial_state()
    for entry in log.rounds:
        assert all(move in state.legal(role) for role, move in entry.moves.items())
        state, percepts = state.play(entry.moves)
        assert entry.sees == {role: sorted(percepts[role]) for role in log.players}
    assert state.is_terminal == log.finished
    goals = {role: state.goals[role] for role in log.players}
    assert log.goals == goals | dict.fromkeys(log.forfeited, 0)
