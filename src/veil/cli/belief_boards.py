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


def track_belief(game: Game, role: str) -> BeliefTracker:
    """Return a belief of the role before the first round. It gives up if it finds no history for the record in time."""
    from veil.belief import BeliefTracker, RoundClock, make_sampler  # help needs none of it

    sampler = make_sampler(SAMPLER, game, role, WORLDS)
    return BeliefTracker(game, sampler, clock=RoundClock(seconds=SECONDS), gives_up=True)


class BeliefBoards:
    """Boards and lists that show a belief."""

    def __init__(self, belief: BeliefTracker, plan: ViewPlan) -> None:
        self.belief, self.plan = belief, plan
        self._explained = False  # whether the meaning of probabilities was printed

    def draw(self, *, colour: bool) -> str:
        """Return the boards as the role knows them, and the number of possible histories, as a text."""
        bag = self.belief.bag()
        if bag is None:
            return label_text("known", LOST, INDENT)
        chances = bag.marginals()
        boards = render_scene_text(fill_belief(self.plan, chances), colour=colour, width=terminal_width())
        note = describe_bag(bag)
        if not self._explained and any(chance < 1.0 for chance in chances.values()):
            note, self._explained = f"{note}; {LEGEND}", True
        return "\n".join([boards, label_text("known", note, INDENT)])

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
            label_text("known", describe_bag(bag), INDENT),
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
