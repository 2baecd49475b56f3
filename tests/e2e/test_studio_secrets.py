"""The browser never gets hidden state before the game is over, in any bundled game.

Two games in which the person was told the same must look the same, byte by byte, in every answer that the studio gives
about them, whatever is true in them: page, view, belief, worlds, the refusal of the truth, what hints are made from.
Such pairs come from exact beliefs: two worlds of one infoset, in which different things are true.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

import veil
from tests.support.archetypes import archetypes_of
from tests.support.studio import StudioClient, games_loaded_once, open_studio
from veil.belief import ExactBelief, NoConsistentHistory, TooManyWorlds
from veil.engine import Game, Record, draw_rows_uniformly
from veil.games import FAMILIES
from veil.match import Round
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


def collect(studio: StudioClient, address: str) -> list[bytes]:
    """Everything that a browser can ask about a game that is being played, without the name of the game."""
    name = address.rpartition("/")[2].encode()
    paths = ("", "/view", "/belief", "/world?number=0", "/world?number=1")
    answers = [studio.get(f"{address}{path}") for path in paths]
    questions = {"/reveal": {}, "/hint": {}, "/judge": {}, "/move": {"round": 9999, "move": "x"}}
    for path, question in questions.items():
        answer = studio.post(f"{address}{path}", question)
        answers.append(studio.get(f"/jobs/{answer.json()['job']}") if "job" in answer.json() else answer)
    assert [answer.text for answer in answers if answer.status_code != 200] == []
    return [repr(sorted(answer.headers.items())).encode() + answer.content.replace(name, b"?") for answer in answers]


@pytest.mark.parametrize("name", archetypes_of(FAMILIES))
def test_what_is_told_depends_on_nothing_but_what_the_role_was_told(name: str, shared_studio: StudioClient) -> None:
    game = veil.load(FAMILIES[name].sizes()["small"])
    pair = find_pair(game)
    assert (pair is None) == (name in NOTHING_TO_HIDE)
    if pair is None:
        return
    told = []
    for seed, history in enumerate((pair.first, pair.second)):
        address = deal(shared_studio, game, pair, history, seed)
        with (
            patch("veil.match.table.chance_of_match", lambda *_, dealt=history: ScriptedChance(game, dealt)),
            patch("veil.server.web.jobs.hints.think", remember),
        ):
            told.append(collect(shared_studio, address))
    assert told[0] == told[1]
