"""NashConv of `resolve` over its work, beside other online players: `veil exploit --method brute` over small games.

1. `resolve` gets trees of a share of the game's nodes, always below the whole tree.
2. OOS, ISMCTS and HyperPlay-II get more and more walks or simulations.
3. Every player is asked at every infoset of the game, once; its strategies are evaluated by exact best responses.

A second experiment, `resolve-gadgets`, compares gadgets in a larger game. Budgets are work, not time, so that a seed
gives one table on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from veil.equilibrium import PreparedGame, prepare
from veil.match import ExploitConfig, mean_of
from veil.report import Report
from veil_lab.exploitability import judge_player
from veil_lab.papers.oos_settings import PAPER, UCT
from veil_lab.series import open_workers

GAMES = (
    "generic_poker(types=2, copies=2, raises=1, bets=1)",
    "liars_dice(dice1=1, dice2=1, faces=3)",
    "ii_goofspiel(cards=4, order=ascending, lowest=1)",
)
SHARES = (0.1, 0.3, 0.6, 0.9)  # of the nodes of the game
WALKS = (100, 1000, 10_000)
SIMULATIONS = (1, 4, 16)
QUICK_GAMES, QUICK = ("kuhn_poker",), 1  # steps of each budget
GADGETS = {  # a larger game -> what `resolve` is given
    "leduc_poker": tuple(f"nodes=4700,gadget={gadget}" for gadget in ("resolve", "blend", "maxmargin", "none")),
}
QUICK_GADGETS = {"kuhn_poker": ("nodes=20", "nodes=20,gadget=none")}
SEEDS, QUICK_SEEDS = 3, 2  # of every player: playouts and worlds are samples
HALF = "Exploitability is half of NashConv in these games."


def compare_work(seed: int = 0, quick: bool = False) -> Report:
    """Return NashConv of `resolve` and of other online players over their work."""
    prepared = [prepare(game) for game in (QUICK_GAMES if quick else GAMES)]
    rows: list[tuple[Any, ...]] = []
    with open_workers(alone=quick) as executor:
        for game in prepared:
            for player, work, spec in list_specs(game, quick=quick):
                judged = judge_player(game, ExploitConfig(player=spec, seed=seed), executor)
                rows.append((_shorten(game.game.name), player, work, f"{judged.nash_conv:.3g}"))
    sizes = "; ".join(f"{_shorten(game.game.name)}: {len(game.tree.flat.parent):,}" for game in prepared)
    return Report(
        name="resolve-work",
        title="NashConv of resolve over its work, beside other online players, in utilities",
        source=f"ours; the method: {PAPER}, section 4.2",
        settings={"seed": seed},
        columns=("game", "player", "work for a decision", "NashConv"),
        rows=rows,
        remarks=[f"Nodes of the games: {sizes}.", HALF],
    )


def compare_gadgets(seed: int = 0, quick: bool = False) -> Report:
    """Return NashConv of `resolve` with every gadget in a larger game, below the whole tree, with several seeds."""
    rows: list[tuple[Any, ...]] = []
    seeds = range(seed, seed + (QUICK_SEEDS if quick else SEEDS))
    with open_workers(alone=quick) as executor:
        for name, options in (QUICK_GADGETS if quick else GADGETS).items():
            game = prepare(name)
            for option in options:
                spec = f"resolve:{option}"
                judged = [judge_player(game, ExploitConfig(player=spec, seed=each), executor) for each in seeds]
                values = [player.nash_conv for player in judged]
                each = ", ".join(f"{value:.3g}" for value in values)
                size = len(game.tree.flat.parent)
                rows.append((_shorten(name), size, f"`{spec}`", mean_of(values).show(digits=2), each))
    return Report(
        name="resolve-gadgets",
        title="NashConv of resolve with every gadget in a larger game, in utilities",
        source=f"ours; the method: {PAPER}, section 4.2",
        settings={"seeds": f"{seeds[0]} to {seeds[-1]}"},
        columns=("game", "nodes of the game", "player", "NashConv", "by seed"),
        rows=rows,
        remarks=[HALF],
    )


def list_specs(game: PreparedGame, *, quick: bool) -> Iterator[tuple[str, str, str]]:
    """Yield (player in words, work in words, spec) of all players with all budgets."""
    steps = QUICK if quick else None
    for share in SHARES[:steps]:
        nodes = max(8, round(share * len(game.tree.flat.parent)))
        yield "resolve", f"{100 * share:.0f} % of the nodes", f"resolve:nodes={nodes}"
    for walks in WALKS[:steps]:
        yield "OOS", f"{walks:,} walks", f"oos:target=ist,iterations={walks}"
        yield "ISMCTS", f"{walks:,} walks", f"{UCT},iterations={walks}"
    for simulations in SIMULATIONS[:steps]:
        spec = f"hyperplay2:models=5,simulations={simulations},nested_models=5,nested_playouts=5"
        yield "HyperPlay-II", f"{simulations} simulations of 5 models", spec


def _shorten(name: str) -> str:
    return name.replace(", order=ascending", "")
