"""`tune`: find the values of named constants with which a game comes closest to an aim.

1. Every variant is checked, and solved if its tree fits; then its score is exact.
2. The others are played: `START` matches each, with common random numbers. The better half goes on, and is played
   twice as much, until `LEAST` are left or `matches` are played (successive halving, Jamieson and Talwalkar 2016).
   A variant that is better than the last one of the better half, or not certainly worse, is not dropped.
3. Exact variants compete with the others in every round, but need no matches.

Results are kept in a store as they arrive, so that a run can be continued, also with more values or another aim.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from time import perf_counter

from veil.limits import check_limit
from veil.match import Pool, run_tasks
from veil.players import PLAYERS
from veil.review.aims import TuningAim, TuningScore, find_noise
from veil.review.tuning_store import TuningStore
from veil.review.variant_play import VariantConfig, VariantFacts, VariantTask, judge_variant
from veil.review.variations import Setting, VariedGame

START, LEAST = 8, 4  # matches of the first round; variants at which dropping ends


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneConfig:
    """What is tuned for, and how much work it may be."""

    aim: TuningAim
    matches: int = 64  # of a variant that is not solved, at most
    seed: int = 0
    variant: VariantConfig = field(default_factory=VariantConfig)

    def __post_init__(self) -> None:
        check_limit("matches", self.matches, "matches")
        PLAYERS.parse(self.variant.player)


@dataclass(slots=True)
class RatedVariant:
    """One setting, what is known about it, and its score."""

    setting: Setting
    facts: VariantFacts | None = None
    score: TuningScore | None = None  # None: refused, or not judged yet
    dropped: bool = False  # before all matches were played

    @property
    def matches(self) -> int:
        return len(self.facts.played) if self.facts is not None else 0

    @property
    def basis(self) -> str:
        """What the score rests on."""
        if self.facts is None:
            return "not judged"
        if self.facts.refused:
            return self.facts.refused
        return "solved" if self.facts.exact else f"{self.matches} matches{', dropped' if self.dropped else ''}"


@dataclass(slots=True, kw_only=True)
class Tuning:
    """The result of tuning: all variants in the order of their values."""

    varied: VariedGame
    config: TuneConfig
    variants: list[RatedVariant]
    interrupted: bool = False
    seconds: float = 0.0

    def ranking(self) -> list[RatedVariant]:
        """Return the judged variants, best first; of equal ones, the first setting."""
        judged = [variant for variant in self.variants if variant.score is not None]
        return sorted(judged, key=_rank)

    @property
    def best(self) -> RatedVariant | None:
        """The best variant; None if none could be judged."""
        return next(iter(self.ranking()), None)


@dataclass(frozen=True, kw_only=True)
class TuneWorkers:
    """Who judges variants, and who is told how far it is."""

    jobs: int = 1
    executor: Executor | None = None
    progress: Callable[[int, int, str], None] = lambda done, total, note: None


def tune(
    varied: VariedGame, config: TuneConfig, store: TuningStore | None = None, workers: TuneWorkers | None = None
) -> Tuning:
    """Judge the variants of a game; Ctrl-C ends it with what is known by then."""
    run = _TuningRun(varied, config, store or TuningStore(), workers or TuneWorkers())
    start = perf_counter()
    try:
        run.judge_all()
    except KeyboardInterrupt:
        run.tuning.interrupted = True
    run.tuning.seconds = perf_counter() - start
    return run.tuning


class _TuningRun:
    """Tuning under way."""

    def __init__(self, varied: VariedGame, config: TuneConfig, store: TuningStore, workers: TuneWorkers) -> None:
        self.config, self.store, self.workers = config, store, workers
        self.aim = config.aim
        variants = [RatedVariant(setting) for setting in varied.settings()]
        self.tuning = Tuning(varied=varied, config=config, variants=variants)
        self.by_key = {self._key(variant): variant for variant in variants}

    def judge_all(self) -> None:
        """Check and solve all variants, then play those that are not solved, fewer in every round."""
        goal = min(START, self.config.matches)
        self._do(self.tuning.variants, goal, "all variants")
        while goal < self.config.matches:
            playing = self._drop()
            if not playing:
                return
            goal = min(2 * goal, self.config.matches)
            self._do(playing, goal, f"the best {len(playing)}")

    def _do(self, variants: Sequence[RatedVariant], goal: int, note: str) -> None:
        """Bring variants to a number of matches: with what the store has, and with workers."""
        tasks = [task for variant in variants if (task := self._make_task(variant, goal)) is not None]
        held = [(task, facts) for task in tasks if (facts := self.store.find(task)) is not None]
        for task, facts in held:
            self._take(task, facts)
        known = {id(task) for task, _ in held}
        done = len(variants) - len(tasks) + len(held)
        self.workers.progress(done, len(variants), note)
        for task, facts in self._work([task for task in tasks if id(task) not in known]):
            self.store.add_facts(task, facts)
            self._take(task, facts)
            done += 1
            self.workers.progress(done, len(variants), note)

    def _work(self, tasks: Iterable[VariantTask]) -> Iterable[tuple[VariantTask, VariantFacts]]:
        workers = self.workers
        pool = workers.executor if workers.executor is not None or workers.jobs == 1 else partial(Pool, workers.jobs)
        with closing(run_tasks(tasks, judge_variant, pool, workers=None if workers.executor else workers.jobs)) as done:
            yield from done

    def _make_task(self, variant: RatedVariant, goal: int) -> VariantTask | None:
        """Return the task that brings a variant to a number of matches; None if it needs none."""
        if variant.facts is not None and (variant.facts.refused or variant.facts.exact or variant.matches >= goal):
            return None
        varied = self.tuning.varied
        return VariantTask(
            key=self._key(variant),
            text=varied.make_text(variant.setting),
            is_rules=not isinstance(varied.source, str),
            first=variant.matches,
            last=goal,
            seed=self.config.seed,
            config=replace(self.config.variant, needs_skill=self.aim.needs_skill),
        )

    def _take(self, task: VariantTask, facts: VariantFacts) -> None:
        """Add what a task has found to its variant."""
        variant = self.by_key[task.key]
        if variant.facts is not None and not facts.refused:
            facts.played = [*variant.facts.played, *facts.played]
        variant.facts = facts
        variant.score = None if facts.refused else self.aim.judge(facts)

    def _drop(self) -> list[RatedVariant]:
        """Drop the worse half of the variants that are played; return those that go on."""
        ranking = [variant for variant in self.tuning.ranking() if not variant.dropped]
        kept = max(LEAST, len(ranking) // 2)
        last = ranking[min(kept, len(ranking)) - 1] if ranking else None
        going = []
        for place, variant in enumerate(ranking):
            if variant.facts is None or variant.facts.exact:
                continue
            if place < kept or (last is not None and not _is_worse(variant, last) and place < 2 * LEAST):
                going.append(variant)
            else:
                variant.dropped = True
        return going

    def _key(self, variant: RatedVariant) -> str:
        names = (entry.name for entry in self.tuning.varied.variations)
        return ", ".join(f"{name}={value}" for name, value in zip(names, variant.setting, strict=True))


def _rank(variant: RatedVariant) -> float:
    assert variant.score is not None
    return round(variant.score.value, 1)  # what is left is the precision of a solver


def _is_worse(variant: RatedVariant, other: RatedVariant) -> bool:
    """Return whether a variant is certainly worse than another one."""
    assert variant.score is not None
    assert other.score is not None
    return variant.score.value - other.score.value > find_noise(variant.score, other.score)
