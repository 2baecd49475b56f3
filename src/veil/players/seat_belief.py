"""The belief of a player at its seat: of a size that suits the worlds it asks for, in step with its play clock."""

from __future__ import annotations

from veil.belief import SAMPLERS, BeliefTracker, Opponents, RoundClock, SamplerContext, warm_up
from veil.players.contract import Seat

MIN_PARTICLES, MIN_MODELS = 200, 8  # fewer die out too soon, however few worlds are wanted
MIN_EXACT, EXACT_PER_WORLD = 1000, 4  # histories that are kept exactly, at least and per world that is wanted
MAX_STATES = 4_000_000  # that a belief visits in a round, where it searches back: about a second
SHARE, LONGEST_SHARE = 0.5, 0.8  # of the time for a move is what the belief may take, and as long as it has no world


def make_belief(seat: Seat, *, worlds: int, sampler: str = "auto", opponents: Opponents | None = None) -> BeliefTracker:
    """A belief of the seat's role before the first round. `worlds` is the largest number that will be asked for."""
    if seat.play_seconds is not None:
        warm_up()  # now, not when the clock runs
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
