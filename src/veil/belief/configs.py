"""The options of samplers whose modules import kernels: a table of samplers is listed without a compiler."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from veil.belief.hyperplay.sampler import BUDGET
from veil.registry import check_options, option

CHOICES = 1_000_000  # of `csp`, per round of the record
DECISIONS = 1_000_000  # of `asp`, per round of the record
FEW = 1000  # histories that `asp` lists first
MAX_WORLDS = 100_000  # that `auto` keeps exactly
CHOICES_IN_VAIN = 1000  # of `csp` per round, before HyperPlay takes over


@dataclass(frozen=True, slots=True, kw_only=True)
class CspConfig:
    """Options of `csp`; `order=random,draw=uniform,lanes=none,listing=false` is the article's algorithm."""

    samples: int | None = option(
        None, "histories, counted with repetitions; as many as are asked for by default", limit="worlds"
    )
    order: Literal["constrained", "random"] = option("constrained", "which round is chosen next: fewest moves, or any")
    conflict: Literal["restart", "backjump", "all"] = option("restart", "on a conflict; all: list every history")
    draw: Literal["guided", "uniform"] = option("guided", "as the record suggests, or any plausible move alike")
    lanes: Literal["none", "first", "always"] = option(
        "first", "test moves in lanes: never, once a round, every choice"
    )
    budget: int = option(CHOICES, "choices per round of the record, at most", limit="states")
    listing: bool = option(True, "list all histories where there seem to be few, instead of sampling on")
    resample: bool = option(False, "draw worlds by weight, so that all draws count the same")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class AspConfig:
    """Options of the sampler `asp`."""

    samples: int | None = option(
        None, "histories, counted with repetitions; as many as are asked for by default", limit="worlds"
    )
    models: Literal["draw", "list"] = option("draw", "where there are many: at random, or one after the other")
    few: int = option(FEW, "histories that are listed first; if these are all, the belief is exact", limit="worlds")
    budget: int = option(DECISIONS, "decisions of the solver per round of the record, at most", limit="states")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoConfig:
    """The sizes of the stages. Sizes that are not given follow from the number of worlds that are asked for."""

    max_worlds: int | None = option(None, f"histories kept exactly, {MAX_WORLDS:,} by default", limit="histories")
    particles: int | None = option(None, "of the filter that follows", limit="worlds")
    choices: int = option(
        CHOICES_IN_VAIN, "in vain per round, of constraint satisfaction after the particles", limit="states"
    )
    hypergames: int | None = option(None, "models of HyperPlay, which comes last", limit="worlds")
    budget: int | None = option(
        None, f"states that a model of HyperPlay may visit per round, {BUDGET:,} by default", limit="states"
    )

    def __post_init__(self) -> None:
        check_options(self)
