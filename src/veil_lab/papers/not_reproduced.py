"""The parts of the papers that are not reproduced, and why; `veil reproduce` prints them after their experiments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Gap(NamedTuple):
    """A figure or claim of a paper that our run does not show."""

    experiment: str
    what: str
    why: str


GAPS = (
    Gap(
        "oos-fig3-aggregate",
        "regret matching that becomes more exploitable with more time in II-GS",
        "UCT does, from 100,000 iterations per move on; regret matching falls up to 300,000, where we have looked",
    ),
    Gap("oos-fig3-aggregate", "UCT less exploitable than OOS in poker", "regret matching is, UCT is not"),
    Gap(
        "oos-fig3-targeting",
        "full targeting in LD(1,1) that does not fall by the aggregate method",
        "unreached infosets make most of NashConv in few matches; asked at every infoset it does not fall either",
    ),
    Gap(
        "oos-fig4-small",
        "the first seat of II-GS(6) worth 63 to 73 % to ISMCTS against ISMCTS",
        "UCT has 64 % there, regret matching 53 %, and no 73 % in two other readings of it (docs/decisions.md)",
    ),
    Gap(
        "oos-fig4-large",
        "500 matches per cell",
        "about 90 hours of one core; --seconds and --matches play less, --store goes on",
    ),
)


def find_gaps(names: Iterable[str], reports: Iterable[Mapping[str, Any]] = ()) -> list[Gap]:
    """Return what these experiments do not show, in their order: what their reports, as data, say; then the rest."""
    told = [Gap(report["name"], gap["what"], gap["why"]) for report in reports for gap in report["gaps"]]
    return told + [gap for name in names for gap in GAPS if gap.experiment == name]
