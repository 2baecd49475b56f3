"""The belief of a player in its seat. Its size depends on the worlds that are wanted, its time on the play clock."""

from __future__ import annotations

from veil.belief import SAMPLERS, BeliefTracker, Opponents, RoundClock, SamplerContext, warm_up
from veil.players.contract import Seat

MIN_PARTICLES, MIN_MODELS = 200, 8  # at least, even if fewer worlds are wanted: fewer die out too soon
MIN_EXACT, EXACT_PER_WORLD = 1000, 4  # histories of an exact belief: at least, and per world that is wanted
MAX_STATES = 4_000_000  # visited in a round by a belief that searches backwards: about a second
SHARE, LONGEST_SHARE = 0.5, 0.8  # of the time for a move that the belief may use: usually, and without a world


def make_belief(seat: Seat, *, worlds: int, sampler: str = "auto", opponents: Opponents | None = None) -> BeliefTracker:
    """Make the belief of the seat's role before the first round. `worlds` is the most worlds that will be drawn."""
    if seat.play_seconds is not None:
        warm_up()  # before the clock runs
    setting = SamplerContext(
        seat.game.machine,
        seat.role_id,
        count=worlds,
        seed=seat.seed,
        opponents=opponents,
        max_worlds=max(MIN_EXACT, EXACT_PER_WORLD * worlds),
        max_states=MAX_STATES,
        min_particles=MIN_PARTICLES,
        min_models=MIN_MODELS,
    )
    clock = RoundClock(share=SHARE, longest_share=LONGEST_SHARE)
    return BeliefTracker(seat.game, SAMPLERS.make(sampler, setting), clock=clock, opponents=opponents, seed=seat.seed)
