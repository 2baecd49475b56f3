"""The table of players. A spec such as `hyperplay:models=100,playouts=30` names a player and its options."""

from __future__ import annotations

from collections.abc import Iterable

from veil.players.contract import FILE, LEGAL_MOVES, NETWORK, PERSON, TRUE_STATE, NamesOpponents, Player
from veil.players.files import NO_FILES, FileContents, Files, read_contents
from veil.registry import Registry, Row, Spec

SIMPLE, POLICY, SEARCH = "veil.players.simple", "veil.players.policy_player", "veil.players.search_player"

GUESTS = frozenset({"own", "remote"})  # players that other people have written


def make_search_row(config: str, summary: str) -> Row:
    """Return the row of a `SearchPlayer` with a config of `veil.search`."""
    return Row(SEARCH, f"veil.search:{config}", "SearchPlayer", summary)


PLAYERS: Registry[Player] = Registry(
    "player",
    {
        "random": Row(SIMPLE, "NoConfig", "RandomPlayer", "a legal move, uniformly", frozenset({LEGAL_MOVES})),
        "first": Row(SIMPLE, "NoConfig", "FirstPlayer", "the first legal move", frozenset({LEGAL_MOVES})),
        "human": Row(SIMPLE, "NoConfig", "HumanPlayer", "a person", frozenset({LEGAL_MOVES, PERSON})),
        "policy": Row(POLICY, "PolicyConfig", "make_file_player", "a saved policy", frozenset({FILE})),
        "solve": Row(POLICY, "SolveConfig", "PolicyPlayer", "solves the whole game before the match"),
        "its": Row(POLICY, "ItsConfig", "PolicyPlayer", "Iterative Tree Search before the match"),
        "montecarlo": make_search_row("MonteCarloConfig", "playouts from one world that is taken for the true one"),
        "pimc": make_search_row("PimcConfig", "perfect-information search in every world"),
        "hyperplay": make_search_row("HyperPlayConfig", "playouts from worlds: exact where they fit, else models"),
        "mmd": make_search_row("MmdConfig", "HyperPlay's values, played as a mixed strategy"),
        "single_point": make_search_row("SinglePointConfig", "values of the states after a move, over the infoset"),
        "hyperplay2": make_search_row("HyperPlay2Config", "simulations with a HyperPlayer in every role"),
        "ismcts": make_search_row("IsmctsConfig", "Information Set Monte Carlo Tree Search"),
        "oos": make_search_row("OosConfig", "Online Outcome Sampling, which converges to an equilibrium"),
        "smooth_uct": make_search_row("SmoothUctConfig", "Smooth UCT: tree search mixed with its own mean"),
        "best": make_search_row("BestConfig", "solves what fits, resolves what does not, and says which"),
        "resolve": make_search_row("ResolveConfig", "solves the part of the game that is left, at every decision"),
        "vector_minimax": make_search_row("VectorMinimaxConfig", "backward induction where the others see everything"),
        "presumed_payoff": make_search_row(
            "PresumedPayoffConfig", "perfect-information search where opponents may fail"
        ),
        "norns": make_search_row("NornsConfig", "one role: a tree search over its records, from its belief"),
        "own": Row(
            "veil.players.own",
            "OwnConfig",
            "load_own",
            "a player of your own, from a Python file",
            frozenset({LEGAL_MOVES, FILE}),
        ),
        "remote": Row(
            "veil.players.remote",
            "RemoteConfig",
            "RemotePlayer",
            "a player elsewhere, over HTTP by the GGP protocol",
            frozenset({NETWORK}),
        ),
        "cheat": Row(
            SEARCH,
            "veil.search:HyperPlayConfig",
            "CheatPlayer",
            "a HyperPlayer that is shown the true state; for measuring",
            frozenset({TRUE_STATE}),
        ),
    },
    group="veil.players",
)


def make_player(spec: str, files: Files = NO_FILES) -> Player:
    """Make the player that a spec such as `hyperplay:models=20` names.

    If the player is made from a file, its content is taken from `files`, or read from disk if `files` does not hold it.
    """
    parsed = PLAYERS.parse(spec)
    file = _find_file(parsed)
    content = () if file is None else (read_contents(file, files),)
    return PLAYERS.build(parsed, *content)


def file_of(spec: str) -> str | None:
    """Return the name of the file that this player, or its model of the opponents, is made from; None without one."""
    return _find_file(PLAYERS.parse(spec))


def _find_file(parsed: Spec) -> str | None:
    if FILE in PLAYERS[parsed.name].needs:
        return str(parsed.config.file)
    return find_opponents_file(parsed.config.opponents) if isinstance(parsed.config, NamesOpponents) else None


def find_opponents_file(opponents: str) -> str | None:
    """Return the name of the file that a spec of opponents names, or None. This imports `veil.search`."""
    from veil.search import file_of_opponents  # takes long to import

    return file_of_opponents(opponents)


def read_player_files(specs: Iterable[str]) -> dict[str, FileContents]:
    """Read the files that these players are made from. Return name -> content."""
    names = [name for name in map(file_of, specs) if name is not None]
    return {name: read_contents(name) for name in names}


def list_searchers() -> list[str]:
    """Return the names of all players of the table that search and need nothing but their record."""
    from veil.players.search_player import SearchPlayer  # takes long to import

    return [name for name, row in PLAYERS.rows.items() if not row.needs and row.maker() is SearchPlayer]


def is_guest(spec: str) -> bool:
    """Return whether somebody else decides what this player does: the author of a file, or a program elsewhere.

    A guest may try to compute what is hidden, so its matches have a key (`veil.match.keys`). Plug-ins are not guests:
    the referee itself runs their code.
    """
    return spec.strip().partition(":")[0] in GUESTS


def needs_of_spec(spec: str) -> frozenset[str]:
    """Return what the player of this spec needs beyond its record, according to its row of the table."""
    return PLAYERS.row_of(spec).needs
