"""Round numbers for the axis of a chart."""

from __future__ import annotations

from math import ceil, floor, log10

STEPS = (1, 2, 5, 10)
MOST_TICKS = 6


def find_ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Return a few round values from `low` to `high`; with `whole`, whole numbers only."""
    if high <= low:
        return [low]
    step = 10.0 ** floor(log10((high - low) / 3))
    step *= next(factor for factor in STEPS if (high - low) / (step * factor) <= MOST_TICKS)
    if whole:
        step = max(1.0, step)
    return [number * step for number in range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)]


def show_tick(value: float) -> str:
    """Return the number beside a tick: 0.01, 40, 3k, 2M."""
    for limit, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= 10 * limit:
            return f"{value / limit:g}{unit}"
    return f"{value:.6g}"


def show_share(share: float) -> str:
    """Return a share as a percentage: 87.5 %, 40 %. It has a decimal only where that says more."""
    return f"{show_cell_number(100 * share)} %"


def show_cell_number(value: float) -> str:
    """Return a number for the cell of a heat map, with one decimal where there is one: 12.5, 40."""
    return f"{value:.1f}".removesuffix(".0")
