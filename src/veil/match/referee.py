"""`run_match`: play one match from its first round to its log, with the driver that its config asks for."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext

from veil.engine import Game, as_game
from veil.errors import bad_argument, check_kind, phrase
from veil.match.config import MatchConfig
from veil.match.drivers import Driver, make_local_driver
from veil.match.keys import choose_match_key
from veil.match.log import MatchLog
from veil.match.seats import Lineup, check_seats, fit_game, name_roles
from veil.match.table import MatchTable
from veil.players import Person, Player
from veil.signals import check_signals


def run_match(
    game: Game | str | os.PathLike[str],
    specs: Mapping[str, str],
    seed: int = 0,
    config: MatchConfig | None = None,
    players: Mapping[str, Player] | None = None,
    *,
    person: Person | None = None,
    key: str | None = None,
) -> MatchLog:
    """Play one match and return its log: `rounds` says what happened, `goals` how it ended.

    `specs` maps each role to the spec of its player: `{"white": "hyperplay:models=50", "black": "random"}`. `players`
    may hold ready-made players for some roles; the specs of these roles are only names for the log. `person` answers
    for the players that need a person. Where a guest plays, everything random depends on `key` as well: that of an
    earlier log repeats its match; without one, it comes from the referee's key (`veil.match.keys`).
    """
    config, game = config or MatchConfig(), as_game(game)
    check_kind("config", config, MatchConfig)
    for name, value in (("specs", specs), ("players", players or {})):
        if not isinstance(value, Mapping):
            raise bad_argument(name, phrase("a-mapping-of-seats"), value)
    instances = name_roles(game, players or {})
    game = fit_game(game, [spec for role, spec in name_roles(game, specs).items() if role not in instances])
    lineup = Lineup(specs=check_seats(game, specs, config, instances), instances=instances, person=person)
    return play_lineup(game, lineup, seed, config, key)


def play_lineup(game: Game, lineup: Lineup, seed: int, config: MatchConfig, key: str | None = None) -> MatchLog:
    """Play one match with these players, whose seats are checked, and return its log; see `run_match`."""
    if key is None:
        seated = {role: spec for role, spec in lineup.specs.items() if role not in lineup.instances}
        key = choose_match_key(game, seated, seed)
    with closing(make_driver(lineup, config)) as driver:
        return hold_match(MatchTable(game, lineup.specs, seed, config, driver.needs, key), driver)


def make_driver(lineup: Lineup, config: MatchConfig) -> Driver:
    """Make a driver with the players of a lineup, in this process or each in a process of its own."""
    if not config.isolated:
        return make_local_driver(lineup, config)
    from veil.match.executors import IsolatedDriver  # few matches need processes

    return IsolatedDriver(lineup, config)


def hold_match(match: MatchTable, driver: Driver) -> MatchLog:
    """Play a match to its end with the players of a driver, and return its log."""
    match.note_start(driver.start(match.seats()))
    if driver.walls:
        match.log.settings["walls"] = dict(driver.walls)
    return finish_match(match, driver)


def finish_match(match: MatchTable, driver: Driver) -> MatchLog:
    """Play the rest of a match whose players have started, and return its log."""
    with _no_long_collections() if match.config.play_seconds is not None else nullcontext():
        while not match.is_over:
            check_signals()
            match.advance(driver.ask(match.requests()))
    match.note_stop(driver.stop(match.observations()))
    return match.log


@contextmanager
def _no_long_collections() -> Iterator[None]:
    """Keep Python's garbage collector from scanning the existing objects while a clock runs: that takes 0.05 s."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
