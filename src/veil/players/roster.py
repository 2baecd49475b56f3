"""The table of players: `hyperplay:models=100,playouts=30` names one."""

from __future__ import annotations

from veil.players.protocol import LEGAL_MOVES, NOTHING, PERSON, TRUE_STATE, Player
from veil.registry import Registry, Row

SIMPLE, POLICY, SEARCH = "veil.players.simple", "veil.players.policy_player", "veil.players.search_player"

PLAYERS: Registry[Player] = Registry(
    "player",
    {
        "random": Row(SIMPLE, "NoConfig", "RandomPlayer", "a legal move, uniformly", frozenset({LEGAL_MOVES})),
        "first": Row(SIMPLE, "NoConfig", "FirstPlayer", "the first legal move", frozenset({LEGAL_MOVES})),
        "human": Row(SIMPLE, "NoConfig", "HumanPlayer", "a person", frozenset({LEGAL_MOVES, PERSON})),
        "policy": Row(POLICY, "PolicyConfig", "PolicyPlayer", "a saved policy"),
        "solve": Row(POLICY, "SolveConfig", "PolicyPlayer", "solves the whole game before the match"),
        "its": Row(POLICY, "ItsConfig", "PolicyPlayer", "Iterative Tree Search before the match"),
        "montecarlo": Row(
            SEARCH, "MonteCarloConfig", "SearchPlayer", "playouts from one world that is taken for the true one"
        ),
        "pimc": Row(SEARCH, "PimcConfig", "SearchPlayer", "perfect-information search in every world"),
        "hyperplay": Row(SEARCH, "HyperPlayConfig", "SearchPlayer", "playouts from models of the infoset"),
        "hyperplay2": Row(SEARCH, "HyperPlay2Config", "SearchPlayer", "simulations with a HyperPlayer in every role"),
        "own": Row(
            "veil.players.own",
            "OwnConfig",
            "load_own",
            "a player of your own, from a Python file",
            frozenset({LEGAL_MOVES}),
        ),
        "cheat": Row(
            SEARCH,
            "HyperPlayConfig",
            "CheatPlayer",
            "a HyperPlayer that is shown the true state; for measuring",
            frozenset({TRUE_STATE}),
        ),
    },
)


def make_player(spec: str) -> Player:
    """The player that a text like `hyperplay:models=20` names."""
    return PLAYERS.make(spec)


def needs_of(player: Player) -> frozenset[str]:
    """What a ready-made player needs beyond its record: its attribute `needs`."""
    return frozenset(getattr(player, "needs", NOTHING))
