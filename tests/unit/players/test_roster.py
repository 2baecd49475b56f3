"""The table of players, the texts that name one, and what holds for all of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import game
from tests.support.refusals import refused
from tests.support.seats import Spy, seat
from veil.equilibrium.policy import Policy
from veil.match.log import MatchLog
from veil.match.referee import run_match
from veil.players.contract import FILE, LEGAL_MOVES, NETWORK, PACKAGE, PERSON, TRUE_STATE, Player, find_needs
from veil.players.roster import PLAYERS, make_player
from veil.players.search_player import CheatPlayer, SearchPlayer
from veil.search import HyperPlay2Config, HyperPlayConfig

NAMES = [
    "random",
    "first",
    "human",
    "policy",
    "solve",
    "its",
    "montecarlo",
    "pimc",
    "hyperplay",
    "mmd",
    "single_point",
    "hyperplay2",
    "ismcts",
    "oos",
    "smooth_uct",
    "best",
    "resolve",
    "vector_minimax",
    "presumed_payoff",
    "norns",
    "own",
    "remote",
    "cheat",
    "hyperplay_mixed",  # entry points, by name
    "openspiel",
]
HYPERPLAY: dict[str, Any] = {
    "models": 7,
    "playouts": 3,
    "weights": "uniform",
    "playout": "decisive",
    "discount": 0.5,
    "threads": 2,
    "sampler": "particle",
    "opponents": "solve:lp",
}
OPTIONS: dict[str, dict[str, Any]] = {
    "random": {},
    "first": {},
    "human": {},
    "policy": {"file": "some/where.json"},
    "solve": {"method": "lp", "iterations": 12, "max_nodes": 99, "seed": 5, "checkpoint": "last"},
    "its": {"iterations": 34, "max_nodes": 98, "seed": 6, "checkpoint": "best"},
    "montecarlo": {"playouts": 56, "sampler": "exact", "opponents": "uniform"},
    "pimc": {"worlds": 7, "iterations": 8, "playout": "careful", "sampler": "hyperplay", "opponents": "hyperplay"},
    "hyperplay": HYPERPLAY,
    "mmd": {
        "models": 7,
        "playouts": 3,
        "weights": "uniform",
        "playout": "decisive",
        "discount": 0.5,
        "threads": 2,
        "alpha": 0.5,
        "eta": 2.5,
        "steps": 4,
        "sampler": "csp",
        "opponents": "hyperplay",
    },
    "single_point": {
        "worlds": 7,
        "evaluation": "goal",
        "playouts": 3,
        "weights": "uniform",
        "sampler": "dfs",
        "opponents": "hyperplay",
    },
    "hyperplay2": {
        "work": 1234,
        "models": 7,
        "simulations": 3,
        "nested_models": 4,
        "nested_playouts": 5,
        "playout": "decisive",
        "discount": 0.25,
        "cut_on_win": "90",
        "prune_on_depth": True,
        "sampler": "auto",
        "opponents": "hyperplay:mix=0.5",
        "nested_opponents": "hyperplay",
        "nested_sampler": "states",
        "memo": False,
    },
    "ismcts": {
        "iterations": 12,
        "states": 1300,
        "select": "rm",
        "constant": 0.5,
        "gamma": 0.25,
        "observer": "multiple",
        "starts": "memory",
        "grow": "history",
        "renew": True,
        "lost": "random",
        "prior_walks": 14,
        "ties": "first",
        "play": "mean",
        "max_nodes": 97,
        "worlds": 6,
        "sampler": "exact",
    },
    "oos": {
        "iterations": 12,
        "states": 1300,
        "delta": 0.5,
        "epsilon": 0.25,
        "gamma": 0.125,
        "target": "ist",
        "play": "current",
        "prune": 0.5,
        "prior_iterations": 7,
        "max_nodes": 96,
        "worlds": 6,
        "sampler": "exact",
    },
    "smooth_uct": {
        "iterations": 12,
        "states": 1300,
        "constant": 0.5,
        "gamma": 0.25,
        "eta": 0.75,
        "decay": 0.125,
        "starts": "posterior",
        "max_nodes": 95,
        "worlds": 6,
        "sampler": "exact",
    },
    "best": {
        "whole": 950,
        "nodes": 95,
        "iterations": 12,
        "playout": "decisive",
        "worlds": 6,
        "sampler": "exact",
    },
    "resolve": {
        "worlds": 6,
        "orders": 2,
        "records": 3,
        "nodes": 95,
        "start_nodes": 90,
        "iterations": 12,
        "playouts": 3,
        "playout": "decisive",
        "gadget": "none",
        "mix": 0.25,
        "sampler": "exact",
    },
    "vector_minimax": {
        "worlds": 6,
        "nodes": 95,
        "playouts": 3,
        "playout": "decisive",
        "seeing": "me",
        "sampler": "exact",
    },
    "presumed_payoff": {
        "worlds": 6,
        "nodes": 95,
        "playouts": 3,
        "playout": "decisive",
        "sampler": "exact",
    },
    "norns": {
        "iterations": 9,
        "states": 1000,
        "constant": 0.5,
        "max_nodes": 95,
        "worlds": 6,
        "sampler": "exact",
    },
    "own": {"file": __file__},
    "remote": {
        "host": "somewhere.else",
        "port": 80,
        "dialect": "B",
        "name": "Cluneplayer",
        "connect": 1.5,
        "start": 2.5,
        "play": 3.5,
    },
    "openspiel": {"bot": "mcts", "simulations": 9, "exploration": 1.5, "worlds": 3},
    "cheat": HYPERPLAY,
    "hyperplay_mixed": HYPERPLAY | {"mix": 0.25},
}


def spec_of(name: str, options: dict[str, Any]) -> str:
    return name + ":" + ",".join(f"{key}={value}" for key, value in options.items())


def test_the_names_of_the_players_are_pinned() -> None:
    assert list(PLAYERS) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_every_player_can_be_set_and_gets_its_type(name: str) -> None:
    assert set(OPTIONS[name]) == {entry.name for entry in dataclasses.fields(PLAYERS[name].config_class())}
    found, options = PLAYERS.split(spec_of(name, OPTIONS[name]))
    assert found == name
    assert options == OPTIONS[name]
    assert {key: type(value) for key, value in options.items()} == {
        key: type(value) for key, value in OPTIONS[name].items()
    }


def test_the_name_of_a_file_may_hold_commas_and_spaces() -> None:
    for name in ("my games/kuhn, solved,2.json", "a=b, c=d.json"):
        assert PLAYERS.split(f"policy:file={name}") == ("policy", {"file": name})


def test_options_reach_the_player() -> None:
    configs: list[object] = []
    for name in ("hyperplay", "hyperplay2"):
        player = make_player(spec_of(name, OPTIONS[name]))
        assert isinstance(player, SearchPlayer)
        configs.append(player.config)
    assert configs == [HyperPlayConfig(**HYPERPLAY), HyperPlay2Config(**OPTIONS["hyperplay2"])]


@pytest.mark.parametrize("spec", ["hyperplay", " hyperplay ", "hyperplay:", "hyperplay: "])
def test_without_options_there_are_the_defaults(spec: str) -> None:
    assert PLAYERS.split(spec) == ("hyperplay", {})
    player: Any = make_player(spec)
    assert player.config == HyperPlayConfig()


def test_spaces_around_options_do_not_matter() -> None:
    assert PLAYERS.split("hyperplay: models = 5 , playouts=2")[1] == {"models": 5, "playouts": 2}


BAD_SPECS = {
    "an unknown player": ("alphago", "unknown-player", "alphago"),
    "nothing": ("", "unknown-player", "(nothing)"),
    "options without a player": (":models=3", "unknown-player", "(nothing)"),
    "a name in capitals": ("Random", "unknown-player", "Random"),
    "an unknown option": ("hyperplay:depth=3", "bad-player", "depth=3"),
    "an option of another player": ("its:method=lp", "bad-player", "method=lp"),
    "an option where there are none": ("random:seed=3", "bad-player", "seed=3"),
    "an option without a value": ("hyperplay:models", "bad-player", "models"),
    "an empty option": ("hyperplay:models=3,", "bad-player", "is no option"),
    "an option twice": ("hyperplay:models=3,models=4", "bad-player", "models=4"),
    "a word for a number": ("hyperplay:models=many", "bad-player", "models cannot be many"),
    "a fraction for a whole number": ("hyperplay2:simulations=1.5", "bad-player", "simulations cannot be 1.5"),
    "nothing for a number": ("solve:iterations=", "bad-player", "iterations cannot be"),
    "a word for a fraction": ("hyperplay:discount=low", "bad-player", "discount cannot be low"),
    "a word where there may be nothing": ("its:seed=None", "bad-player", "seed cannot be None"),
    "a word that names no best score": ("hyperplay2:cut_on_win=all", "bad-option", "goals, solved or a number"),
    "no models": ("hyperplay:models=0", "bad-limit", "models"),
    "negative playouts": ("hyperplay:playouts=-1", "bad-limit", "playouts"),
    "no threads": ("hyperplay:threads=0", "bad-limit", "threads"),
    "more models than anybody can mean": (
        "hyperplay:models=9999999999",
        "bad-limit",
        "models must be a number from 1 to 1,000,000",
    ),
    "more playouts than that": ("montecarlo:playouts=99999999999999999999", "bad-limit", "playouts must be"),
    "a cut below zero": ("hyperplay2:cut_on_win=-5", "bad-limit", "cut_on_win"),
    "a discount of 0": ("hyperplay:discount=0", "bad-limit", "discount must be a number above 0"),
    "a discount beyond 1": ("hyperplay:discount=1.01", "bad-limit", "discount must be a number above 0"),
    "a discount that is no number": (
        "hyperplay:discount=nan",
        "bad-limit",
        "discount must be a number above 0",
    ),
    "unknown weights": ("hyperplay:weights=heavy", "bad-option", "weights must be posterior or uniform"),
    "no models of hyperplay2": ("hyperplay2:models=0", "bad-limit", "models"),
    "no simulations": ("hyperplay2:simulations=0", "bad-limit", "simulations"),
    "no nested models": ("hyperplay2:nested_models=0", "bad-limit", "nested_models"),
    "no nested playouts": ("hyperplay2:nested_playouts=0", "bad-limit", "nested_playouts"),
    "a bad discount of hyperplay2": (
        "hyperplay2:discount=2",
        "bad-limit",
        "discount must be a number above 0",
    ),
    "a depth where a yes or no is asked for": ("hyperplay2:prune_on_depth=6", "bad-player", "prune_on_depth cannot"),
    "no models of the cheat": ("cheat:models=0", "bad-limit", "models"),
    "a policy without a file": ("policy", "bad-option", "file"),
    "a policy with an empty file": ("policy:file=", "bad-option", "file"),
    "an unknown method": ("solve:method=magic", "unknown-method", "magic"),
    "no iterations": ("solve:iterations=0", "bad-limit", "iterations"),
    "no playouts of montecarlo": ("montecarlo:playouts=0", "bad-limit", "playouts"),
    "models where there is one": ("montecarlo:models=2", "bad-player", "models=2"),
    "no worlds": ("pimc:worlds=0", "bad-limit", "worlds"),
    "no iterations of pimc": ("pimc:iterations=-5", "bad-limit", "iterations"),
    "no iterations of ITS": ("its:iterations=0", "bad-limit", "iterations"),
}


@pytest.mark.parametrize("case", BAD_SPECS)
def test_a_bad_spec_is_refused_with_one_message(case: str) -> None:
    spec, code, part = BAD_SPECS[case]
    assert part in refused(code, lambda: make_player(spec))


def test_who_mistypes_an_option_is_shown_those_there_are() -> None:
    message = refused("bad-player", lambda: PLAYERS.split("its:depth=3"))
    assert "its:iterations=1000" in message


# All players, in games of several kinds. Whole games are not solved where they are too large.
LIGHT = {
    "random": "random",
    "first": "first",
    "human": "human",
    "policy": "policy",
    "solve": "solve:iterations=3",
    "its": "its:iterations=3",
    "montecarlo": "montecarlo:playouts=20",
    "pimc": "pimc:worlds=5,iterations=5",
    "hyperplay": "hyperplay:models=10,playouts=3",
    "hyperplay2": "hyperplay2:models=2,simulations=1,nested_models=2,nested_playouts=2",
}
GAMES = ["kuhn_poker", "leduc_poker", "monty_hall", "transit(width=3, height=3)", "ii_goofspiel(cards=3)"]
TABLES = [(name, spec) for name in LIGHT for spec in GAMES]
TABLES += [(name, "krieg_tictactoe") for name in LIGHT if name not in ("policy", "solve", "its")]


def make_ready(spec: str) -> Player:
    """A player; where it needs a person, there is one who plays the first legal move."""
    player: Any = make_player(spec)
    if PERSON in find_needs(player):
        player.meet(lambda request: request.legal[0])
    return player


def assert_legal(spec: str, record: MatchLog) -> None:
    """Every joint move, by the rules; the record is that of a whole game."""
    state = game(spec).initial_state()
    for entry in record.rounds:
        for role, move in entry.moves.items():
            assert move in state.legal(role)
        state, _ = state.play(entry.moves)
    assert state.is_terminal


@pytest.mark.compiled("slow as Python", only=("leduc_poker", "krieg_tictactoe"))
@pytest.mark.parametrize(("name", "spec"), TABLES, ids=lambda text: text)
def test_players_are_told_words_answer_legal_moves_and_need_nothing_else(name: str, spec: str, tmp_path: Path) -> None:
    """What a player answered is found again by another one that has nothing but the same seat and the same rounds."""
    text = LIGHT[name]
    if name == "policy":
        nothing = Policy(game=spec, rules=game(spec).fingerprint, table={})
        nothing.save(tmp_path / "nothing.json")
        text = f"policy:file={tmp_path}/nothing.json"
    roles = [role for role in game(spec).roles if role != "random"]
    spies = {role: Spy(make_ready(text)) for role in roles}
    record = run_match(game(spec), dict.fromkeys(roles, text), 5, players=spies)
    assert record.errors == dict.fromkeys(roles, 0)
    assert_legal(spec, record)
    for role, spy in spies.items():
        assert spy.answers == [entry.moves[role] for entry in record.rounds]
        twin = make_ready(text)
        assert spy.seat is not None
        twin.start(seat(spec, role, spy.seat.seed))
        assert [twin.play(told) for told in spy.told] == spy.answers


def test_rows_say_what_their_players_need_and_only_the_cheat_sees_the_state() -> None:
    method_of = {LEGAL_MOVES: "offer", TRUE_STATE: "peek", PERSON: "meet", NETWORK: "close"}
    for name, row in PLAYERS.rows.items():
        if name != "own":  # which parts a player of the user's own has stands in its file
            needs = {need for need, method in method_of.items() if hasattr(row.maker(), method)}
            assert needs == row.needs - {FILE, PACKAGE}, name
    assert [name for name, row in PLAYERS.rows.items() if TRUE_STATE in row.needs] == ["cheat"]
    assert hasattr(CheatPlayer, "peek")
    assert not hasattr(SearchPlayer, "peek")


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(
    "spec", ["hyperplay:sampler=hyperplay,reseed=false,budget=50", "pimc:sampler=hyperplay:reseed=false"]
)
def test_what_the_player_does_not_know_is_an_option_of_its_sampler(spec: str) -> None:
    """And the report says which sampler answered."""
    player = make_player(spec)
    assert isinstance(player, SearchPlayer)
    assert "hyperplay:reseed=false" in player.config.sampler
    player.start(seat("krieg_tictactoe", "xplayer"))
    player.play(None)
    assert player.report()["sampler"] == "hyperplay"
