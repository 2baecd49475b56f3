"""The article's Update procedure beside other samplers: play strength and cost, which its section 8 leaves open.

1. Play: HyperPlay with each sampler against HyperPlay with our default, equal models and playouts, both seats.
2. Cost of play: states visited by the belief per decision.
3. Cost of a belief: processor time per round and the share of rounds after which the sampler has a world, on the
   records of games between HyperPlayers, each sampler on the same ones.
"""

from __future__ import annotations

from time import process_time
from typing import Any, NamedTuple

import numpy as np

from veil.belief import SAMPLERS, NoConsistentHistory, SamplerContext, TooManyWorlds, warm_up
from veil.report import Report
from veil_lab.papers.article import ARTICLE, HP, KRIEG, say_size
from veil_lab.papers.contests import AGAINST, Contest, compare
from veil_lab.views import RECORDED_BY, View

CONTESTS = (
    Contest(KRIEG, ("xplayer", "oplayer"), AGAINST),
    Contest("battleships_in_fog(size=4)", ("red", "blue"), AGAINST),
    Contest("blind_breakthrough(width=5, height=5)", ("white", "black"), AGAINST),
)
CANDIDATES = {  # name in the table: addition to the spec of the player
    "exact, then auto": "sampler=auto",
    "particle": "sampler=particle",
    "hyperplay, the article's": "sampler=hyperplay,reseed=false",
    "hyperplay, re-seeded": "sampler=hyperplay",
    "csp": "sampler=csp",
    "random": "sampler=random,budget=20000",
}
SIZES = (100, 10, 30, 4), (4, 2, 10, 2)  # matches, games, models, playouts: full, quick
MAX_STATES = 4_000_000  # per round, if a sampler searches back; as players have it


class BeliefCost(NamedTuple):
    """The cost of a sampler for the records of some games."""

    milliseconds: float  # of processor time per round
    found: float  # share of rounds after which there is a world


def samplers(seed: int = 0, quick: bool = False) -> Report:
    """Return a report with a row per game and sampler."""
    matches, games, models, playouts = SIZES[quick]
    base = HP.format(models, playouts)
    warm_up()
    rows: list[tuple[Any, ...]] = []
    for contest in CONTESTS[:1] if quick else CONTESTS:
        view = View.of(contest.game, contest.roles[1])
        for name, option in CANDIDATES.items():
            _, side = compare(contest, base, f"{base},{option}", matches, seed)
            cost = measure_belief(view, option.removeprefix("sampler=").replace(",", ":", 1), models, games, seed)
            believed = float(np.mean([series.belief_states(role) for series, role in side.seats]))
            shown = f"{100 * cost.found:.0f} %"
            rows.append((contest.game, name, str(side.mean), round(believed), cost.milliseconds, shown, side.samplers))
    return Report(
        name="hyperplay-samplers",
        title="a HyperPlayer with each sampler against one with our default, and what the belief costs",
        source=f"{ARTICLE}, section 8: Update compared to another sampling method has not been explored",
        settings={"matches": matches, "games": games, "models": models, "playouts": playouts, "seed": seed},
        columns=(
            "game",
            "sampler",
            "mean goal",
            "belief states per decision",
            "ms per round",
            "has a world",
            "worlds from",
        ),
        rows=rows,
        remarks=[
            *say_size(quick, matches=(matches, SIZES[0][0]), games=(games, SIZES[0][1]), models=(models, SIZES[0][2])),
            "50 is as good as our default: exact as long as the infoset fits, then particles, csp, hyperplay. States, "
            "ms and rounds with a world are of the belief alone; ms are of processor time on records, with as "
            f"many models as in play. A player whose sampler has no world guesses. {RECORDED_BY}",
        ],
        gaps=[("a comparison of Update with other samplers", "the article leaves it open: ours is new")],
    )


def measure_belief(view: View, spec: str, count: int, games: int, seed: int) -> BeliefCost:
    """Return the cost of a sampler on records of `games` games, and how often it has a world."""
    machine, spent, rounds, found = view.game.machine, 0.0, 0, 0
    for number in range(games):
        record = view.make_record(seed * 1000 + number)
        setting = SamplerContext(machine, view.role, count=count, seed=number, max_states=MAX_STATES, min_particles=200)
        belief, rng = SAMPLERS.make(spec, setting), np.random.default_rng(number)
        rounds += len(record) - 1
        clock = process_time()
        try:
            for entry in record[:-1]:
                belief.observe(*entry)
                found += len(belief.worlds(count, rng)) > 0
        except (NoConsistentHistory, TooManyWorlds):
            pass  # it has no world for the rest of the game
        spent += process_time() - clock
    return BeliefCost(round(1000 * spent / max(1, rounds), 2), found / max(1, rounds))
