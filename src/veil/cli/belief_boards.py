"""What a role knows while it plays: its belief, drawn on boards, made from what the role was told and nothing else.

The belief is exact as long as few histories are possible, and a sample of them afterwards.
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
SECONDS = 3.0  # that a round of a belief may take
WORLDS = 2000  # of a sample
LOST = "no history was found in time that explains what you were told"
LEGEND = "what may be there has its probability beside it"
MAX_LISTED = 40  # fluents that `belief` lists
INDENT = 10


def track_belief(game: Game, role: str) -> BeliefTracker:
    """A belief of the role before the first round; it is lost where no history explains the record in time."""
    from veil.belief import BeliefTracker, RoundClock, make_sampler

    sampler = make_sampler(SAMPLER, game, role, WORLDS)
    return BeliefTracker(game, sampler, clock=RoundClock(seconds=SECONDS), gives_up=True)


class BeliefBoards:
    """Boards and lists of what a belief says."""

    def __init__(self, belief: BeliefTracker, plan: ViewPlan) -> None:
        self.belief, self.plan = belief, plan
        self._explained = False  # what the probabilities on boards mean

    def draw(self, *, colour: bool) -> str:
        """The boards as the role knows them, and how many histories are possible."""
        bag = self.belief.bag()
        if bag is None:
            return label_text("known", LOST, INDENT)
        chances = bag.marginals(self.belief.game)
        boards = render_scene_text(fill_belief(self.plan, chances), colour=colour, width=terminal_width())
        note = describe_bag(bag)
        if not self._explained and any(chance < 1.0 for chance in chances.values()):
            note, self._explained = f"{note}; {LEGEND}", True
        return "\n".join([boards, label_text("known", note, INDENT)])

    def list_fluents(self) -> list[str]:
        """The fluents that may hold, with their probabilities: what is certain, and what is not, likeliest first."""
        bag = self.belief.bag()
        if bag is None:
            return [label_text("known", LOST, INDENT)]
        chances = bag.marginals(self.belief.game)
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
    """How many histories are possible, or were found."""
    if bag.exact:
        return f"{count_things(len(bag), 'history', 'histories')} possible"
    return f"{count_things(len(bag), 'history', 'histories')} sampled; there are more"
