"""Nobody gets hidden state before the game is over, in the browser or at the terminal, in any bundled game.

Two games in which the person was told the same must look the same, byte by byte, in every answer about them, whatever
is true in them: page, view, belief, worlds, the refusal of the truth and of the game as a file, hints, and all of that
again after a move was taken back. Answers have the same size then, and must take about as long to make.
Such pairs come from exact beliefs: two worlds of one infoset, in which different things are true.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

import veil
from tests.support.archetypes import archetypes_of, nightly_but
from tests.support.studio import StudioClient, games_loaded_once, open_studio
from veil.belief import ExactBelief, NoConsistentHistory, TooManyWorlds
from veil.cli.play_session import PlaySession
from veil.cli.terminal import make_plan
from veil.engine import Game, Record, draw_rows_uniformly
from veil.errors import VeilError
from veil.games import FAMILIES
from veil.match import MatchConfig, Round
from veil.players import Seat
from veil.server.web.host.sessions import SessionFolder, StudioSession
from veil.server.web.jobs.game_sources import GameSource
from veil.vocabulary import RANDOM

# A role that may choose something is told everything that happened before; some of them are over after one round.
NOTHING_TO_HIDE = {
    "matching_pennies",
    "biased_rock_paper_scissors",
    "biased_penalty_kick",
    "prisoners_dilemma",
    "tic_tac_toe",
    "breakthrough",
    "connect_four",
}
MAX_WORLDS = 3000
GAMES = 24  # random ones in which a pair is looked for
HINT = "hyperplay:models=8,playouts=8"
TYPED = f"belief\nhint {HINT}\nundo\nbelief\nhint {HINT}\nundo\nbelief\nquit\n"
MANY_TIMES, SOME_SECONDS = 4.0, 0.1  # of the processor: answers that differ by less are of one class


class Pair(NamedTuple):
    """Two histories [T, R] that a role cannot tell apart."""

    role: str
    first: np.ndarray
    second: np.ndarray


class ScriptedChance:
    """Deals the moves of `random` in a given history."""

    def __init__(self, game: Game, history: np.ndarray) -> None:
        self.choices = iter(list_chance(game, history))

    def integers(self, count: int) -> int:
        choice = next(self.choices, 0)
        assert choice < count
        return choice


def list_chance(game: Game, history: np.ndarray) -> list[int]:
    """The place of each move of `random` among those that were legal."""
    if RANDOM not in game.roles:
        return []
    role, states, found = game.roles.index(RANDOM), game.machine.initial_states(), []
    for joint in history:
        legal = np.flatnonzero(game.machine.legal_bits(game.machine.judge(states))[role][0])
        found.append(int(np.searchsorted(legal, joint[role])))
        states = game.machine.step(states, joint[None, :].astype(np.int64)).states
    return found


def find_pair(game: Game) -> Pair | None:
    """Two worlds of an infoset at which a role has a choice; None where no random game leads to one."""
    for role in game.roles:
        for seed in range(GAMES):
            pair = None if role == RANDOM else walk(game, role, seed)
            if pair is not None:
                return pair
    return None


def walk(game: Game, role: str, seed: int) -> Pair | None:
    machine, role_id, rng = game.machine, game.roles.index(role), np.random.default_rng(seed)
    belief, states = ExactBelief(machine, role_id, max_worlds=MAX_WORLDS), machine.initial_states()
    while True:
        legal = machine.legal_bits(machine.judge(states))
        joint = np.stack([draw_rows_uniformly(bits, rng) for bits in legal], axis=1)
        stepped = machine.step(states, joint)
        states = stepped.states
        if machine.terminal(states)[0]:
            return None
        try:
            belief.observe(int(joint[0, role_id]), stepped.percepts[role_id][0])
            belief.drop_ended()
        except (TooManyWorlds, NoConsistentHistory):
            return None
        bag = belief.worlds(None, rng)
        other = np.flatnonzero((bag.states != bag.states[0]).any(axis=1))
        if len(other) and machine.legal_bits(machine.judge(states))[role_id].sum() > 1:
            return Pair(role, bag.histories[0], bag.histories[other[-1]])


@pytest.fixture(scope="module")
def shared_studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioClient]:
    with games_loaded_once(), open_studio(tmp_path_factory.mktemp("studio")) as client:
        yield client


def remember(game: Game, record: Record, player: str, seconds: float) -> dict[str, Any]:
    """In place of a search, which takes its time: what it is given."""
    told = {"game": game.name, "record": str(record), "role": record.role, "player": player, "seconds": seconds}
    return told | {"moves": [], "reason": {}}


def deal(studio: StudioClient, game: Game, pair: Pair, history: np.ndarray, seed: int) -> str:
    """A game on disk in which this history was played; its address."""
    players = dict.fromkeys((role for role in game.roles if role != RANDOM), "random") | {pair.role: "human"}
    rounds = [Round(moves=game.names.joint_words(joint), sees={}) for joint in history]
    session = StudioSession(
        source=GameSource(name=game.name), role=pair.role, players=players, seed=seed, play_seconds=1.0, rounds=rounds
    )
    return f"/play/{SessionFolder(studio.folder / 'played', 100_000).add(session)}"


class Answer(NamedTuple):
    """An answer to a browser."""

    content: bytes  # with its head, without the name of the game
    seconds: float  # of the processor


def collect(studio: StudioClient, address: str) -> list[Answer]:
    """Everything that a browser can ask about a game that is being played, and again a choice earlier."""
    paths = ("", "/view", "/about", "/download", "/belief", "/world?number=0", "/world?number=1")
    questions = {
        "/reveal": {},
        "/hint": {"player": HINT},
        "/judge": {"player": HINT},
        "/move": {"round": 9999, "move": "x"},
    }
    everything: list[tuple[str, Any]] = [*((path, None) for path in paths), *questions.items()]
    return [ask(studio, address, path, question) for path, question in [*everything, ("/undo", {}), *everything]]


def ask(studio: StudioClient, address: str, path: str, question: Any) -> Answer:
    """The answer to one question; that of its job, where it starts one."""
    before = process_time()
    place = f"{address}{path}"
    answer = studio.get(place) if question is None else studio.post(place, question)
    if question is not None and "job" in answer.json():
        answer = studio.get(f"/jobs/{answer.json()['job']}")
    seconds = process_time() - before
    assert answer.status_code == (422 if path == "/download" else 200), answer.text
    name = address.rpartition("/")[2].encode()
    return Answer(repr(sorted(answer.headers.items())).encode() + answer.content.replace(name, b"?"), seconds)


def without_clock(**seat: Any) -> Seat:
    """A seat whose player thinks as long as its options say, which is the same on every machine."""
    return Seat(**(seat | {"play_seconds": None}))


def ask_everything(studio: StudioClient, game: Game, pair: Pair) -> list[list[Answer]]:
    """The answers in two games, in which one and the other history was played."""
    told = []
    for seed, history in enumerate((pair.first, pair.second)):
        address = deal(studio, game, pair, history, seed)
        with patch("veil.match.table.chance_of_match", lambda *_, dealt=history: ScriptedChance(game, dealt)):
            told.append(collect(studio, address))
    return told


@pytest.mark.parametrize("name", archetypes_of(FAMILIES))
def test_what_is_told_depends_on_nothing_but_what_the_role_was_told(name: str, shared_studio: StudioClient) -> None:
    game = veil.load(FAMILIES[name].sizes()["small"])
    pair = find_pair(game)
    assert (pair is None) == (name in NOTHING_TO_HIDE)
    if pair is None:
        return
    with patch("veil.server.web.jobs.hints.think", remember):
        one, other = ask_everything(shared_studio, game, pair)
    assert [answer.content for answer in one] == [answer.content for answer in other]


@pytest.mark.parametrize("name", nightly_but(["leduc_poker"], sorted(FAMILIES.keys() - NOTHING_TO_HIDE)))
def test_hints_and_the_time_that_answers_take_depend_on_nothing_else_either(
    name: str, shared_studio: StudioClient
) -> None:
    """Hints that are really thought of, and the shortest of three times for every answer."""
    game = veil.load(FAMILIES[name].sizes()["small"])
    pair = find_pair(game)
    assert pair is not None
    with patch("veil.server.web.jobs.hints.Seat", without_clock):
        tries = [ask_everything(shared_studio, game, pair) for _ in range(3)]
    for answers in zip(*(answers for told in tries for answers in told), strict=True):
        assert len({answer.content for answer in answers}) == 1
        one, other = (min(answer.seconds for answer in answers[first::2]) for first in range(2))
        assert max(one, other) < MANY_TIMES * min(one, other) + SOME_SECONDS


def sit_down(game: Game, pair: Pair, history: np.ndarray, seed: int) -> str:
    """What the terminal shows to somebody who asks for beliefs and hints, and takes moves back."""
    seats = dict.fromkeys((role for role in game.roles if role != RANDOM), "random") | {pair.role: "human"}
    session = PlaySession(game, pair.role, seats, seed, MatchConfig())
    session.played = [game.names.joint_words(joint) for joint in history]
    with (
        patch("veil.match.table.chance_of_match", lambda *_: ScriptedChance(game, history)),
        patch("sys.stdin", StringIO(TYPED)),
        redirect_stdout(StringIO()) as shown,
        pytest.raises(VeilError, match="has left the game"),
    ):
        session.run()
    return shown.getvalue()


@pytest.mark.parametrize("name", nightly_but(["leduc_poker"], sorted(FAMILIES.keys() - NOTHING_TO_HIDE)))
def test_the_terminal_tells_no_more_also_when_moves_are_taken_back(name: str) -> None:
    game = veil.load(FAMILIES[name].sizes()["small"])
    pair, plan = find_pair(game), make_plan(game)
    assert pair is not None
    with patch("veil.cli.play_session.make_plan", lambda _: plan):
        one, other = (sit_down(game, pair, history, seed) for seed, history in enumerate((pair.first, pair.second)))
    assert one.count("says hyperplay") == 2
    assert one == other
