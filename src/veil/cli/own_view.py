"""What a role knows while it plays: its belief, drawn on boards, made from what the role was told and nothing else.

The belief is exact as long as few histories are possible, and a sample of them afterwards.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from veil.boards import fill_belief, render_scene_text
from veil.report import count_things, label_text, terminal_width

if TYPE_CHECKING:
    from veil.belief import Bag, Sampler
    from veil.boards import ViewPlan
    from veil.engine import Game
    from veil.players import Observation

SAMPLER = "auto:max_worlds=20000,particles=2000"
SECONDS = 3.0  # that a round of a belief may take
WORLDS = 2000  # of a sample
LOST = "no history was found in time that explains what you were told"
LEGEND = "what may be there has its probability beside it"
MAX_LISTED = 40  # fluents that `belief` lists
INDENT = 10


class OwnView:
    """The belief of a role, kept round by round; it is given up where no history explains the record in time."""

    def __init__(self, game: Game, role: str, plan: ViewPlan) -> None:
        from veil.belief import make_sampler

        self.game, self.role, self.plan = game, role, plan
        self.role_id, self.record = game.names.role_id(role), game.record(role)
        self._belief: Sampler | None = make_sampler(SAMPLER, game, role, WORLDS)
        self._explained = False  # what the probabilities on boards mean

    def hear(self, observation: Observation) -> None:
        """One round more, after which the game goes on."""
        from veil.belief import NothingExplains, TooManyWorlds

        names = self.game.names
        self.record = self.record.then(observation.own_move, observation.percepts)
        move = names.move_id(self.role_id, observation.own_move)
        row = names.pack_percepts(self.role_id, observation.percepts)
        if self._belief is None or move is None or row is None:
            return
        try:
            self._belief.observe(move, row, False, perf_counter() + SECONDS)
            self._belief.settle()
        except (TooManyWorlds, NothingExplains):
            self._belief = None

    def look(self) -> Bag | None:
        """The worlds that explain what the role was told; None where none is known."""
        import numpy as np

        from veil.belief import NothingExplains

        if self._belief is None:
            return None
        try:
            return self._belief.worlds(None, np.random.default_rng(0))
        except NothingExplains:
            return None

    def draw(self, *, colour: bool) -> str:
        """The boards as the role knows them, and how many histories are possible."""
        bag = self.look()
        if bag is None or not len(bag):
            return label_text("known", LOST, INDENT)
        chances = bag.marginals(self.game)
        boards = render_scene_text(fill_belief(self.plan, chances), colour=colour, width=terminal_width())
        note = describe_bag(bag)
        if not self._explained and any(chance < 1.0 for chance in chances.values()):
            note, self._explained = f"{note}; {LEGEND}", True
        return "\n".join([boards, label_text("known", note, INDENT)])

    def list_fluents(self) -> list[str]:
        """The fluents that may hold, with their probabilities: what is certain, and what is not, likeliest first."""
        bag = self.look()
        if bag is None or not len(bag):
            return [label_text("known", LOST, INDENT)]
        chances = bag.marginals(self.game)
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
