"""Opponent models: the worth of keeping a secret aim, and the gain of reading it.

Richards & Amir (2012) describe opponent models and leave their evaluation to future work; the HyperPlay article has
them in equations (5) to (7), with a policy that its experiments assume to be uniform. So there are no figures of
theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from veil.belief import ExactBelief
from veil.engine import Game, load, observe_history
from veil.match import MatchLog, Mean, mean_of
from veil.report import Report, draw_lines
from veil.search import make_opponents
from veil_lab.papers.article import SMALL_KRIEG, Variant, say_size
from veil_lab.papers.contests import AGAINST, Contest, compare
from veil_lab.papers.hyperplay_lifted import Resources, find_equal_playouts
from veil_lab.series import give_workers, open_workers, play_series

SOURCE = "Richards & Amir, AAAI 2012, section Single-Point Decisions; HyperPlay article, equations (5) to (7)"
PLAYER = "hyperplay:models=20,playouts=30"
READING = f"{PLAYER},opponents=hyperplay"
GAMES = {
    "hidden_connect": ("red", "blue"),
    SMALL_KRIEG: ("xplayer", "oplayer"),
    "leduc_poker": ("first", "second"),
}
CONNECT = Contest("hidden_connect(size=3, line=3)", ("red", "blue"), AGAINST)
LIFTED = {  # what is read: addition to the spec of HyperPlay-II
    "nobody is read": "",
    "its own belief reads": ",opponents=hyperplay",
    "the players inside read too": ",opponents=hyperplay,nested_opponents=hyperplay",
}
AIM_ROUND = {"red": 1, "blue": 0}  # the round in which `random` gives the opponent of this role its aim


def read_aims(seed: int = 0, quick: bool = False) -> Report:
    """Return the belief in the opponent's true aim in Hidden Connect, round by round, with and without reading."""
    matches, game = (6 if quick else 100), load("hidden_connect")
    with open_workers(alone=quick) as workers, give_workers(workers):
        curves = {
            name: _mean_curve(game, specs, opponents, matches, seed)
            for name, specs, opponents in (
                ("uniform", dict.fromkeys(("red", "blue"), PLAYER), "uniform"),
                ("read, a HyperPlayer", dict.fromkeys(("red", "blue"), PLAYER), "hyperplay"),
                ("read, a random player", dict.fromkeys(("red", "blue"), "random"), "hyperplay"),
            )
        }
        parts = [_worth(seed, quick), _lift(seed, quick)]
    rounds = range(max(map(len, curves.values())))
    rows = [
        (number + 1, *(str(curve[number]) if number < len(curve) else "-" for curve in curves.values()))
        for number in rounds
    ]
    lines = {name: [mean.known for mean in curve] for name, curve in curves.items()}
    shortest = min(map(len, lines.values()))
    return Report(
        name="opponents-read",
        title="probability of the opponent's true aim in hidden_connect after each round, %",
        source=SOURCE,
        settings={"matches": matches, "players": PLAYER, "seed": seed},
        columns=("round", *curves),
        rows=rows,
        remarks=[
            *say_size(quick, matches=(matches, 100)),
            "Both roles of every match are asked; the two views of a match count as one observation. Rounds 1 and 2 "
            "deal the aims. Matches that are over do not count any more.",
            "A random player's moves say nothing: what is concluded from them is wrong as often as right, which costs "
            "the less, the higher temperature and mix are.",
        ],
        figures={
            "opponents-read.png": lambda path: draw_lines(
                path,
                range(1, shortest + 1),
                {name: line[:shortest] for name, line in lines.items()},
                "round",
                "% on the true aim",
            )
        },
        parts=parts,
    )


def _mean_curve(game: Game, specs: dict[str, str], opponents: str, matches: int, seed: int) -> list[Mean]:
    """Return the mean belief in the true aim after each round, over matches that have that round."""
    found: dict[int, list[float]] = {}
    for log in play_series(game, specs, matches, seed).logs:
        views = [list(_trust(game, log, role, opponents)) for role in AIM_ROUND]
        for number, both in enumerate(zip(*views, strict=True)):
            found.setdefault(number, []).append(100 * float(np.mean(both)))
    return [mean_of(found[number]) for number in sorted(found)]


def _trust(game: Game, log: MatchLog, role: str, opponents: str) -> Iterator[float]:
    """Yield a role's belief in the opponent's true aim after each round that does not end the match."""
    role_id, aim_round, names = game.roles.index(role), AIM_ROUND[role], game.names
    history = np.array(
        [[names.move_id(who, entry.moves[name]) for who, name in enumerate(game.roles)] for entry in log.rounds]
    )
    belief = ExactBelief(game.machine, role_id, opponents=make_opponents(opponents, game, log.seed))
    for number, (own_move, percepts, over) in enumerate(observe_history(game.machine, history, role_id)):
        if over:
            return
        belief.observe(own_move, percepts)
        bag = belief.worlds(None, np.random.default_rng(0))
        if number < aim_round:
            yield 0.5  # nothing is dealt yet
        else:
            yield float(bag.weights[bag.histories[:, aim_round, 0] == history[aim_round, 0]].sum())


def _worth(seed: int, quick: bool) -> Report:
    """Return the gain of reading an opponent: mean goals, half of the matches in either seat."""
    matches, rows = (6 if quick else 200), list[tuple[Any, ...]]()
    for name, roles in GAMES.items():
        game = load(name)
        for against in (PLAYER, "random"):
            uniform, read = (_both_seats(game, roles, spec, against, matches, seed) for spec in (PLAYER, READING))
            means = [str(mean_of(goals.tolist())) for goals in (uniform, read, read - uniform)]
            rows.append((name, "HyperPlay" if against == PLAYER else against, *means))
    return Report(
        name="opponents-read-worth",
        title="mean goal of HyperPlay with uniform opponents and with opponents that are read",
        source="ours",
        settings={"matches": matches, "players": PLAYER, "seed": seed},
        columns=("game", "against", "uniform", "read", "difference"),
        rows=rows,
        remarks=[
            "Matches of one seed count as one observation, and differences are taken match by match: both share their "
            "seeds. Poker pays small goals around the middle.",
        ],
    )


def _lift(seed: int, quick: bool) -> Report:
    """Return HyperPlay-II with reading nested players, against HyperPlay at equal states and a random player."""
    matches, pilots, models, runs = (2, 1, 3, 3) if quick else (200, 10, 6, 6)
    rows, unread = list[tuple[Any, ...]](), dict[str, np.ndarray]()  # opponent -> goals without reading
    for name, more in LIFTED.items():
        resources = Resources(models, runs, Variant("", more))
        playouts = find_equal_playouts(CONNECT, resources, pilots, seed)
        for against, spec in (("HyperPlay", resources.hyperplay(playouts)), ("random", "random")):
            other, lifted = compare(CONNECT, spec, resources.hyperplay2(), matches, seed + 1)
            states = round(lifted.states / other.states, 2) if against == "HyperPlay" else "-"
            gain = lifted.goals - unread.setdefault(against, lifted.goals)
            rows.append((name, against, str(lifted.mean), str(mean_of(gain.tolist())), states))
    return Report(
        name="opponents-read-lifted",
        title=f"mean goal of HyperPlay-II in {CONNECT.game}, with opponents taken as uniform and read",
        source="HyperPlay article, equations (5) to (7) and section 6",
        settings={"matches": matches, "models": models, "simulations": runs, "seed": seed},
        columns=("HyperPlay-II", "against", "mean goal", "more than unread", "states HP-II/HP"),
        rows=rows,
        remarks=[
            "HyperPlay has as many playouts as make it visit as many states per decision, those of reading included. "
            "Reading concerns the weights of its own belief, and in the last two rows those of the players inside too.",
            "Who reads has more states, and so has its HyperPlay: differences are between matches of the same seeds, "
            "the opponent random or HyperPlay at equal states.",
        ],
    )


def _both_seats(game: Game, roles: tuple[str, str], spec: str, against: str, matches: int, seed: int) -> np.ndarray:
    """Return the goals of a player in `matches` matches, half of them in either seat.

    The result is the mean of both seats per number.
    """
    goals = []
    for role, other in (roles, roles[::-1]):
        series = play_series(game, {role: spec, other: against}, matches // 2, seed)
        goals.append([log.goals[role] for log in series.logs])
    both: np.ndarray = np.mean(goals, axis=0)
    return both
