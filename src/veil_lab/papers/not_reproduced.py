"""The parts of the papers that are not reproduced, and why; `veil reproduce` prints them after their experiments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

NO_APPENDIX = "the figures are in an appendix that is not among our papers; the text gives no numbers"


class Gap(NamedTuple):
    """A figure or claim of a paper that our run does not show."""

    experiment: str
    what: str
    why: str


GAPS = (
    Gap("hyperplay-remedies", "the table of appendix E.6", NO_APPENDIX),
    Gap("hyperplay-cheat", "mean goals against the Cheat", NO_APPENDIX),
    Gap(
        "hyperplay-cheat",
        "competitive against a Cheat with random playouts",
        "more of them are worse in blind_breakthrough, and no better in krieg_tictactoe; with decisive ones HyperPlay "
        "is as good as the Cheat there, and still behind in blind_breakthrough: see hyperplay-cheat-why",
    ),
    Gap(
        "hyperplay-scaling",
        "the growth in krieg_tictactoe",
        "four sizes would be 3 to 6, and from 5 on a match of HyperPlay-II takes longer than all others together",
    ),
    Gap("hyperplay-pruning", "pruning helps in one game of five", NO_APPENDIX),
    Gap(
        "hyperplay2-games",
        "HyperPlay-II better than an equally resourced HyperPlayer in all experiments",
        "at equal states it is worse in krieg_tictactoe, unclear where the intervals meet: see the column `HP-II is`",
    ),
    Gap("hyperplay2-games", "mean goals of appendices F and H", NO_APPENDIX),
    Gap(
        "its-fig2",
        "90 points for both",
        "the paper expects a tie to last; Algorithm 1 as printed leaves it at once, silence comes to mean a wire: 95",
    ),
    Gap(
        "its-fig4", "99 % left at d", "a strict trap costs one iteration: 98.5 % after a hundred, whatever the payoffs"
    ),
    Gap("its-table1", "287 distributions", "there are C(13, 3) = 286 ways to put ten notes into four banks"),
    Gap(
        "its-poker",
        "that ITS fails in poker",
        "the paper names neither a game nor a figure; in leduc_poker its exploitability falls, if far behind cfr+",
    ),
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
