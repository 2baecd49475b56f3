"""The players by name, and the text that names one: `hyperplay:models=100,playouts=30`."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from typing import Any, NamedTuple, get_args, get_type_hints

from veil.errors import VeilError, fail
from veil.players.own import OwnConfig, load_own
from veil.players.policy_player import ItsConfig, ItsPlayer, PolicyConfig, PolicyPlayer, SolveConfig, SolvePlayer
from veil.players.protocol import Player
from veil.players.search_player import (
    CheatPlayer,
    HyperPlay2Config,
    HyperPlayConfig,
    HyperPlayer,
    HyperPlayer2,
    MonteCarloConfig,
    MonteCarloPlayer,
    PimcConfig,
    PimcPlayer,
)
from veil.players.simple import FirstPlayer, HumanPlayer, NoConfig, RandomPlayer


class Entry(NamedTuple):
    """A kind of player."""

    config: type[Any]
    make: Callable[[Any], Player]
    summary: str


PLAYERS: dict[str, Entry] = {
    "random": Entry(NoConfig, RandomPlayer, "a legal move, uniformly"),
    "first": Entry(NoConfig, FirstPlayer, "the first legal move"),
    "human": Entry(NoConfig, HumanPlayer, "whoever sits at the terminal"),
    "policy": Entry(PolicyConfig, PolicyPlayer, "a saved policy"),
    "solve": Entry(SolveConfig, SolvePlayer, "solves the whole game before the match"),
    "its": Entry(ItsConfig, ItsPlayer, "Iterative Tree Search before the match"),
    "montecarlo": Entry(MonteCarloConfig, MonteCarloPlayer, "playouts from one world that is taken for the true one"),
    "pimc": Entry(PimcConfig, PimcPlayer, "perfect-information search in every world"),
    "hyperplay": Entry(HyperPlayConfig, HyperPlayer, "playouts from models of the infoset"),
    "hyperplay2": Entry(HyperPlay2Config, HyperPlayer2, "simulations with a HyperPlayer in every role"),
    "own": Entry(OwnConfig, load_own, "a player of your own, from a Python file"),
    "cheat": Entry(HyperPlayConfig, CheatPlayer, "a HyperPlayer that is shown the true state; for measuring"),
}


def make_player(spec: str) -> Player:
    """The player that a text like `hyperplay:models=20` names."""
    name, options = parse_player(spec)
    entry = PLAYERS[name]
    return entry.make(entry.config(**options))


def parse_player(spec: str) -> tuple[str, dict[str, Any]]:
    """The name and the options that are given, with their types."""
    name, _, rest = spec.strip().partition(":")
    if name not in PLAYERS:
        raise fail("unknown-player", name=name or "(nothing)", names=", ".join(PLAYERS))
    hints = get_type_hints(PLAYERS[name].config)
    options: dict[str, Any] = {}
    if not rest.strip():
        return name, options
    for part in [rest] if list(hints) == ["file"] else rest.split(","):  # a file's name may hold anything
        key, equals, text = (piece.strip() for piece in part.partition("="))
        if key in options:
            raise bad_option(spec, f"{key} is given twice", name)
        if key not in hints or not equals:
            raise bad_option(spec, f"`{part.strip()}` is no option", name)
        options[key] = _value(spec, name, key, text, hints[key])
    return name, options


def bad_option(spec: str, what: str, name: str) -> VeilError:
    """An option that the player does not take; the hint lists those it does."""
    known = dataclasses.fields(PLAYERS[name].config)
    fields = [f"{entry.name}={'...' if entry.default in (None, '') else entry.default}" for entry in known]
    return fail("bad-player", spec=spec, what=what, usage=f"{name}:{','.join(fields)}" if fields else name)


def _value(spec: str, name: str, key: str, text: str, kind: Any) -> Any:
    kinds = (
        [kind] if not isinstance(kind, types.UnionType) else [part for part in get_args(kind) if part is not type(None)]
    )
    try:
        return kinds[0](text)
    except ValueError:
        raise bad_option(spec, f"{key} cannot be {text}", name) from None
