"""Drawings of what a role knows during a game: boards of its belief, which follows from its record alone.

The belief is exact while few histories are possible; afterwards it is a sample of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from veil.boards import fill_belief, render_scene_text
from veil.report import count_things, label_text, terminal_width

if TYPE_CHECKING:
    from veil.belief import Bag, BeliefTracker
    from veil.boards import ViewPlan
    from veil.engine import Game

SAMPLER = "auto:max_worlds=20000,particles=2000"
SECONDS = 3.0  # most time of a belief per round
WORLDS = 2000  # of a sample
LOST = "no history was found in time that explains what you were told"
LEGEND = "what may be there has its probability beside it"
MAX_LISTED = 40  # most fluents that `belief` lists
INDENT = 10


def track_belief(game: Game, role: str, assumption: str) -> BeliefTracker:
    """Return a belief of the role before the first round, under an assumption of `veil.search.ASSUMPTIONS`.

    It gives up if it finds no history for the record in time.
    """
    from veil.belief import BeliefTracker, RoundClock, make_sampler  # help needs none of it
    from veil.search import assume_opponents  # help needs none of it

    opponents = assume_opponents(assumption, game)
    sampler = make_sampler(SAMPLER, game, role, WORLDS, opponents=opponents)
    return BeliefTracker(game, sampler, clock=RoundClock(seconds=SECONDS), opponents=opponents, gives_up=True)


class BeliefBoards:
    """Boards and lists that show the belief of a role, and the assumption about the others under which it holds."""

    def __init__(self, game: Game, role: str, plan: ViewPlan, assumption: str = "") -> None:
        """Without an assumption, the usual one for the game is taken."""
        from veil.search import choose_assumption  # help needs none of it

        self.game, self.role, self.plan = game, role, plan
        self.assumption = assumption or choose_assumption(game)
        self.belief = track_belief(game, role, self.assumption)
        self._explained = False  # whether the meaning of probabilities was printed

    def draw(self, *, colour: bool) -> str:
        """Return the boards as the role knows them, and the number of possible histories, as a text."""
        bag = self.belief.bag()
        if bag is None:
            return label_text("known", LOST, INDENT)
        chances = bag.marginals()
        boards = render_scene_text(fill_belief(self.plan, chances), colour=colour, width=terminal_width())
        note = self._describe(bag)
        if not self._explained and any(chance < 1.0 for chance in chances.values()):
            note, self._explained = f"{note}; {LEGEND}", True
        return "\n".join([boards, label_text("known", note, INDENT)])

    def assume(self, assumption: str) -> BeliefBoards:
        """Return boards for the same record under another assumption. Raises `VeilError` for an unknown one."""
        boards = BeliefBoards(self.game, self.role, self.plan, assumption)
        boards.belief.follow(self.belief.record)
        return boards

    def _describe(self, bag: Bag) -> str:
        """Return the number of histories and, if there are several, under which assumption they are weighted."""
        from veil.search import describe_assumption  # help needs none of it

        known = describe_bag(bag)
        return known if len(bag) == 1 else f"{known}, {describe_assumption(self.assumption)}"

    def list_fluents(self) -> list[str]:
        """Return lines with the certain fluents, and the possible ones with their probabilities, most likely first."""
        bag = self.belief.bag()
        if bag is None:
            return [label_text("known", LOST, INDENT)]
        chances = bag.marginals()
        certain = sorted(fluent for fluent, chance in chances.items() if chance == 1.0)
        open_ones = [f"{fluent} {100 * chance:.3g} %" for fluent, chance in chances.items() if chance < 1.0]
        more = len(open_ones) - MAX_LISTED
        return [
            label_text("known", self._describe(bag), INDENT),
            label_text("certain" if bag.exact else "in all", " ".join(certain), INDENT),
            label_text(
                "possible", ", ".join(open_ones[:MAX_LISTED]) + (f" and {more} more" if more > 0 else ""), INDENT
            ),
        ]


def describe_bag(bag: Bag) -> str:
    """Return a text with the number of histories that are possible, or that were sampled."""
    if bag.exact:
        return f"{count_things(len(bag), 'history', 'histories')} possible"
    return f"{count_things(len(bag), 'history', 'histories')} sampled; there are more"
