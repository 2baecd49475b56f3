"""How accurate the models of an infoset are ("can be very accurate", the slides of HyperPlay), round by round.

A game between HyperPlayers is followed from one role's side, and the role's models after each round are compared with
the truth:

1. found: the share of games in which the true history is among the models.
2. share: the share of the models, which are different histories, that are the true one; over all games.
3. weight: the probability that the models give to it.
4. fluents: of the fluents that hold in a model or in the true state, the share that hold in both, weighted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from veil.belief import SAMPLERS, Bag, NoConsistentHistory, SamplerContext, TooManyWorlds
from veil.engine import Machine, observe_history
from veil.engine.lanes import unpack
from veil.match import Mean, mean_of
from veil.report import Report
from veil_lab.papers.article import ARTICLE, OURS, SETTINGS_REMARK, THEIRS, say_size
from veil_lab.views import GAMES, RECORDED_BY, RECORDER, View

SIZES = (20, 100), (4, 50)  # games and models: full, quick
SPECS = {THEIRS: "hyperplay:reseed=false,remedy=none", OURS: "auto"}
MAX_WORLDS, MAX_STATES, MIN_PARTICLES = 1000, 4_000_000, 200  # of a belief, as players have it
WHEN = {"early": 0.25, "halfway": 0.5, "late": 1.0}  # of the rounds of a game
QUICK = ("mastermind", "simultaneous_krieg")


class Accuracy(NamedTuple):
    """The models of a role compared with the truth after a round."""

    found: float
    share: float
    weight: float
    fluents: float


def accuracy(seed: int = 0, quick: bool = False) -> Report:
    """Return a report with a row per game, setting and part of the game."""
    games, models = SIZES[quick]
    rows: list[tuple[Any, ...]] = []
    series: dict[str, Any] = {"game": [], "setting": [], "round": [], "games": []}
    for name, role in GAMES.items():
        if quick and not name.startswith(QUICK):
            continue
        view = View.of(name, role)
        for setting, spec in SPECS.items():
            courses = [list(follow(view, spec, models, seed * 1000 + number)) for number in range(games)]
            for when, part in WHEN.items():
                seen = [course[max(0, round(part * len(course)) - 1)] for course in courses if course]
                rows.append((name, setting, when, *_show(seen)))
            _add_series(series, name, setting, courses)
    return Report(
        name="hyperplay-accuracy",
        title="models of an infoset beside the truth, in per cent",
        source=f"{ARTICLE}; the slides: the collection of models can be very accurate",
        settings={"games": games, "models": models, "seed": seed, "players": RECORDER},
        columns=("game", "setting", "when", *Accuracy._fields),
        rows=rows,
        remarks=[
            *say_size(quick, games=(games, SIZES[0][0]), models=(models, SIZES[0][1])),
            "found: games in which the true history is among the models; share: models that are the true history; "
            "weight: the probability that the models give to it; fluents: of what holds in a model or in truth, how "
            "much holds in both. Early is after a quarter of the rounds, late before the last one. The slides have no "
            "figures.",
            f"{SETTINGS_REMARK} {RECORDED_BY}",
        ],
        gaps=[("how accurate the models are", "the slides say `very`, and give no figures")],
        series=series,
    )


def follow(view: View, spec: str, models: int, seed: int) -> Iterator[Accuracy]:
    """Yield the accuracy of the models after each round that does not end the game; nothing after they are lost."""
    machine, joints = view.game.machine, view.play(seed)
    setting = SamplerContext(
        machine,
        view.role,
        count=models,
        seed=seed,
        max_worlds=MAX_WORLDS,
        max_states=MAX_STATES,
        min_particles=MIN_PARTICLES,
    )
    belief, rng, state = SAMPLERS.make(spec, setting), np.random.default_rng(seed), machine.initial_states()
    for number, entry in enumerate(observe_history(machine, joints, view.role)[:-1]):
        state = machine.step(state, joints[number][None, :]).states
        try:
            belief.observe(*entry)
            bag = belief.worlds(models, rng)
        except (NoConsistentHistory, TooManyWorlds):
            return
        yield compare_with_truth(machine, bag, joints[: number + 1], state)


def compare_with_truth(machine: Machine, bag: Bag, history: np.ndarray, state: np.ndarray) -> Accuracy:
    """Compare a bag with the true history [T, R] and the state [1, words] after it."""
    is_true = (bag.histories == history).all(axis=(1, 2))
    size = len(machine.program.fluents)
    models, truth = unpack(bag.states, size), unpack(state, size)
    both, either = (models & truth).sum(axis=1), (models | truth).sum(axis=1)
    return Accuracy(
        found=float(is_true.any()),
        share=float(is_true.mean()),
        weight=float(bag.weights[is_true].sum()),
        fluents=float(bag.weights @ (both / np.maximum(1, either))),
    )


def _show(seen: list[Accuracy]) -> tuple[str, ...]:
    """Return the means over games, with intervals."""
    return tuple(str(_mean(column)) for column in zip(*seen, strict=True)) or ("-",) * len(Accuracy._fields)


def _mean(values: tuple[float, ...]) -> Mean:
    return mean_of([100 * value for value in values])


def _add_series(series: dict[str, Any], name: str, setting: str, courses: list[list[Accuracy]]) -> None:
    """Add the means after each round, over the games that have that round (changed in place)."""
    for number in range(max(map(len, courses))):
        seen = [course[number] for course in courses if number < len(course)]
        for column, value in (("game", name), ("setting", setting), ("round", number + 1), ("games", len(seen))):
            series[column].append(value)
        for field, values in zip(Accuracy._fields, zip(*seen, strict=True), strict=True):
            series.setdefault(field, []).append(float(np.mean(values)))
