"""The exploitability of players for experiments: evaluated once, and stored with the pieces."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import asdict
from typing import NamedTuple

from veil.equilibrium import PreparedGame
from veil.match import ExploitConfig, SearchStore, Workers, exploit_prepared
from veil_lab.keeping import find_or_recall
from veil_lab.ran import note_player


class JudgedPlayer(NamedTuple):
    """The exploitability of a player in a game, and its thinking time."""

    nash_conv: float
    seconds: float


def judge_player(game: PreparedGame, config: ExploitConfig, executor: Executor | None = None) -> JudgedPlayer:
    """Return what `veil exploit` says about a player."""

    def find() -> JudgedPlayer:
        with SearchStore() as store:
            judged = exploit_prepared(game, config, store, Workers(executor=executor))
        return JudgedPlayer(judged.nash_conv, judged.seconds)

    note_player(game.game.name, config.player, method=config.method, matches_per_role=config.matches)
    piece = {"judged": asdict(config), "game": game.game.name, "rules": game.game.fingerprint}
    return find_or_recall(piece, JudgedPlayer, find)
