"""A picture of a game for its card: the knowledge of its first player in the middle of a random game."""

from __future__ import annotations

import hashlib
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from veil._version import __version__
from veil.engine import Game, State
from veil.files import read_bytes, write_bytes
from veil.server.web.host.workers import Say, as_json
from veil.server.web.jobs.belief_view import find_worlds, track_belief
from veil.server.web.jobs.game_sources import GameSource, open_game
from veil.server.web.jobs.scenery import Scenery
from veil.vocabulary import RANDOM

SEED = 3
MAX_ROUNDS, MAX_SHOWN = 200, 10  # rounds of the game, and the last round at which the picture is taken
SECONDS = 4.0  # for following the belief; if that is too little, the truth is drawn
MAX_BYTES = 1 << 20
FORMAT = 2  # of a picture; a new number draws all of them again


class Pictures:
    """Pictures in files. The name of a file is a hash of all that the picture depends on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, source: GameSource) -> bytes | None:
        """Return the picture of a game as JSON; None if it was not drawn yet."""
        path = self._path(source)
        return read_bytes(path, MAX_BYTES) if path.is_file() else None

    def keep(self, source: GameSource, picture: bytes) -> None:
        """Store the picture of a game."""
        if len(picture) <= MAX_BYTES:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_bytes(self._path(source), picture)

    def _path(self, source: GameSource) -> Path:
        identity = as_json([FORMAT, __version__, source.name if source.text is None else "", source.text])
        return self.folder / f"{hashlib.sha256(identity).hexdigest()[:32]}.json"


def draw_picture(say: Say, source: dict[str, Any]) -> dict[str, Any]:
    """Return the scene of a game's card."""
    game = open_game(source)
    scenery = Scenery(game)
    joints = _play_half(game)
    role = next((role for role in game.roles if role != RANDOM), game.roles[0])
    belief, record, state = track_belief(game, role), game.record(role), game.initial_state()
    clock = perf_counter()
    for joint in joints:
        state, percepts = state.play(joint)
        record = record.then(joint[role], percepts[role])
        if perf_counter() - clock < SECONDS:
            belief.follow(record)
    bag = find_worlds(belief) if belief.rounds == len(joints) else None
    if bag is None:
        return {"scene": scenery.show_state(state.fluents), "caption": "the truth"}
    return {"scene": scenery.show_belief(bag.marginals()), "caption": f"what {role} knows"}


def _play_half(game: Game) -> list[dict[str, str]]:
    """Return the joint moves of the first half of a random game."""
    rng, state = np.random.default_rng(SEED), game.initial_state()
    joints: list[dict[str, str]] = []
    while not state.is_terminal and len(joints) < MAX_ROUNDS and _can_move(state):
        joints.append(state.random_joint_move(rng))
        state, _ = state.play(joints[-1])
    return joints[: min(MAX_SHOWN, (len(joints) + 1) // 2)]


def _can_move(state: State) -> bool:
    return all(state.judgement.legal.values())
