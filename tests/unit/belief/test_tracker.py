"""A record and a belief that follows it: what is known, what a clock allows, what happens where it is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.support.fake_clock import FakeClock
from tests.support.games import NOTHING, game
from tests.support.refusals import refused
from veil import clock
from veil.belief import tracker as tracker_module
from veil.belief.bag import Bag
from veil.belief.contract import NoConsistentHistory, TooManyWorlds
from veil.belief.samplers import make_sampler
from veil.belief.tracker import BeliefTracker, RoundClock
from veil.engine import Record, record_of

MARKED = ("(mark 1 1)", frozenset({"marked"}))
YOURS = ("noop", frozenset({"your_turn"}))
JACK = (("noop", frozenset({"(card jack)"})), ("noop", NOTHING))
NEVER = ("noop", NOTHING)  # as the first round of Kuhn poker: a card is always seen


def track(spec: str, role: str, sampler: str = "auto", worlds: int = 10, **options: Any) -> BeliefTracker:
    of = game(spec)
    return BeliefTracker(of, make_sampler(sampler, of, role, worlds), **options)


def test_before_the_first_round_nothing_is_observed() -> None:
    belief = track("kuhn_poker", "first")
    belief.observe(None)
    assert belief.record.rounds == ()
    assert belief.legal() == ["noop"]


def test_the_record_grows_with_every_round() -> None:
    belief = track("kuhn_poker", "first")
    for observation in JACK:
        belief.observe(observation)
    assert belief.record == Record("first", JACK)
    assert belief.rounds == belief.sampler.rounds == 2


def test_a_record_is_followed_from_where_it_was_left() -> None:
    """Round by round, all at once, or in two parts: the worlds are the same, and each round is observed once."""
    of = game("krieg_tictactoe")
    moves = [{"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 3 2)"}, {"xplayer": "(mark 2 2)"}, {"oplayer": "(mark 3 3)"}]
    record = record_of(of, "xplayer", moves)
    bags = []
    for parts in ([4], [1, 2, 3, 4], [3, 3, 4]):
        belief = track("krieg_tictactoe", "xplayer")
        for length in parts:
            belief.follow(Record("xplayer", record.rounds[:length]))
        assert belief.sampler.rounds == 4
        bags.append(belief.worlds(None, np.random.default_rng(0)))
    assert all(np.array_equal(bag.histories, bags[0].histories) for bag in bags[1:])


def test_the_last_round_of_a_record_that_is_over_ends_the_game() -> None:
    """Monty Hall ends with the third round: before, no world has ended; after it, all have."""
    of = game("monty_hall")
    moves = [
        {"random": "(hide_car 1)", "contestant": "(choose 1)"},
        {"random": "(open_door 3)"},
        {"contestant": "switch"},
    ]
    record = Record("contestant", record_of(of, "contestant", moves).rounds, over=True)
    belief = track("monty_hall", "contestant", "exact")
    belief.follow(record)
    assert belief.record == record
    bag = belief.bag()
    assert bag is not None
    assert of.machine.terminal(bag.states).all()
    going_on = track("monty_hall", "contestant", "exact")
    going_on.follow(Record("contestant", record.rounds))
    assert going_on.bag() is None


def test_legal_moves_are_those_of_the_true_state_sorted() -> None:
    belief = track("krieg_tictactoe", "xplayer", worlds=5)
    state = game("krieg_tictactoe").initial_state()
    for moves in ({"xplayer": "(mark 1 1)"}, {"oplayer": "(mark 3 2)"}):
        assert belief.legal() == state.legal("xplayer")
        state, percepts = state.play(moves)
        belief.observe((moves.get("xplayer", "noop"), frozenset(percepts["xplayer"])))
    assert belief.legal() == state.legal("xplayer")
    assert len(belief.legal()) == 8  # all but the own cell


def test_worlds_are_at_most_as_many_as_asked_for_and_a_bag_is_all_of_them() -> None:
    belief = track("krieg_tictactoe", "xplayer")
    belief.observe(MARKED)
    belief.observe(YOURS)
    assert 1 <= len(belief.worlds(3, np.random.default_rng(0))) <= 3
    bag = belief.bag()
    assert bag is not None
    assert (len(bag), bag.exact) == (8, True)
    assert bag.weights.sum() == pytest.approx(1.0)


def test_beyond_what_is_kept_exactly_another_stage_goes_on() -> None:
    belief = track("krieg_tictactoe", "xplayer", "auto:max_worlds=2", worlds=9)
    belief.observe(MARKED)
    belief.observe(YOURS)
    bag = belief.worlds(9, np.random.default_rng(0))
    assert not bag.exact
    assert bag.sampler != "exact"
    assert 1 <= len(bag) <= 9
    assert len(belief.legal()) == 8


def test_what_the_rules_never_tell_is_refused_with_its_round() -> None:
    belief = track("kuhn_poker", "first")
    belief.observe(JACK[0])
    message = refused("unexplained", lambda: belief.observe(("noop", frozenset({"(card ace)"}))))
    assert "round 2" in message
    assert belief.rounds == 1


def test_what_contradicts_the_rules_is_noticed() -> None:
    belief = track("kuhn_poker", "first")
    with pytest.raises(NoConsistentHistory):
        belief.observe(NEVER)


def test_a_belief_that_gives_up_is_lost_for_good_and_keeps_the_record() -> None:
    belief = track("kuhn_poker", "first", gives_up=True)
    belief.follow(Record("first", (NEVER,)))
    assert (belief.is_lost, belief.bag(), belief.rounds) == (True, None, 1)
    belief.observe(NEVER)
    assert (belief.is_lost, belief.bag(), belief.rounds) == (True, None, 2)


def test_too_many_worlds_are_given_up_or_raised() -> None:
    record = Record("xplayer", (MARKED, YOURS))
    with pytest.raises(TooManyWorlds):
        track("krieg_tictactoe", "xplayer", "exact:max_worlds=2").follow(record)
    belief = track("krieg_tictactoe", "xplayer", "exact:max_worlds=2", gives_up=True)
    belief.follow(record)
    assert belief.is_lost


def test_a_copy_that_observes_more_leaves_the_first_one_as_it_was() -> None:
    belief = track("krieg_tictactoe", "xplayer")
    belief.observe(MARKED)
    twin = belief.copy()
    twin.observe(YOURS)
    assert (belief.rounds, belief.sampler.rounds, len(belief.worlds(None, np.random.default_rng(0)))) == (1, 1, 1)
    assert (twin.rounds, twin.sampler.rounds, len(twin.worlds(None, np.random.default_rng(0)))) == (2, 2, 8)


def test_where_no_world_was_found_in_time_it_plays_on_from_an_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The guess has the own moves, and it is the right one's turn; what the other did is anybody's guess."""
    belief = track("krieg_tictactoe", "xplayer", worlds=5)
    rng = np.random.default_rng(0)
    assert belief.worlds(5, rng).sampler == "exact"

    def lost(count: int | None, rng: np.random.Generator) -> Bag:
        raise NoConsistentHistory(belief.rounds, proved=False)

    belief.observe(MARKED)
    monkeypatch.setattr(belief.sampler, "worlds", lost)
    assert belief.legal() == ["noop"]
    belief.observe(YOURS)
    assert "(mark 1 1)" not in belief.legal()
    assert "noop" not in belief.legal()
    guess = belief.worlds(5, rng)
    assert (guess.sampler, guess.exact) == ("guess", False)
    assert guess.histories.shape[1] == 2
    assert game("krieg_tictactoe").names.moves[0][guess.histories[0, 0, 0]] == "(mark 1 1)"
    assert belief.bag() is None  # a guess is nothing that the role knows


def test_what_cannot_be_is_not_guessed_at() -> None:
    belief = track("monty_hall", "contestant")
    belief.legal()
    with pytest.raises(NoConsistentHistory):
        belief.observe(("(choose 1)", frozenset({"1"})))


# Clocks


class Listening:
    """A sampler that notes the time it is given."""

    role, rounds = 1, 0

    def __init__(self) -> None:
        self.observed: list[float | None] = []
        self.searched: list[float] = []

    def observe(self, own_move: int, percepts: np.ndarray, over: bool = False, deadline: float | None = None) -> None:
        self.observed.append(deadline)

    def catch_up(self, deadline: float) -> None:
        self.searched.append(deadline)


@pytest.mark.parametrize(
    ("policy", "deadline", "observed", "searched"),
    [
        (RoundClock(), None, [None, None], []),
        (RoundClock(), 110.0, [110.0, 110.0], []),
        (RoundClock(share=0.5, longest_share=0.8), None, [None, None], []),
        (RoundClock(share=0.5, longest_share=0.8), 110.0, [105.0, 105.0], [108.0, 108.0]),
        (RoundClock(seconds=3.0), None, [103.0, 103.0], []),
        (RoundClock(seconds=2.0, share=0.5), None, [101.0, 101.0], [102.0, 102.0]),
    ],
)
def test_a_clock_says_when_the_sampler_stops(
    policy: RoundClock,
    deadline: float | None,
    observed: list[float | None],
    searched: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracker_module, "perf_counter", FakeClock())
    sampler: Any = Listening()
    BeliefTracker(game("kuhn_poker"), sampler, clock=policy).follow(Record("first", JACK), deadline)
    assert (sampler.observed, sampler.searched) == (observed, searched)


def test_under_a_strict_clock_no_round_begins_after_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    time = FakeClock()
    monkeypatch.setattr(tracker_module, "perf_counter", time)
    monkeypatch.setattr(clock, "perf_counter", time)
    belief = track("kuhn_poker", "first", clock=RoundClock(is_strict=True))
    belief.observe(JACK[0], 101.0)
    time.now = 102.0
    with pytest.raises(NoConsistentHistory) as caught:
        belief.observe(JACK[1], 101.0)
    assert (caught.value.round_number, caught.value.proved) == (2, False)
    lenient = track("kuhn_poker", "first")
    lenient.follow(Record("first", JACK), 101.0)
    assert lenient.sampler.rounds == 2


class Working:
    """Opponents who take time: they note until when they may work."""

    def __init__(self) -> None:
        self.allowed: list[float | None] = []

    def __call__(self, role_id: int, keys: np.ndarray, legal: np.ndarray) -> np.ndarray:
        return legal / legal.sum(axis=1, keepdims=True)

    def allow(self, deadline: float | None) -> None:
        self.allowed.append(deadline)


def test_opponents_may_work_once_for_all_rounds_that_are_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracker_module, "perf_counter", FakeClock())
    opponents = Working()
    belief = track("kuhn_poker", "first", clock=RoundClock(share=0.5), opponents=opponents)
    belief.follow(Record("first", JACK), 110.0)
    belief.follow(Record("first", (*JACK, ("pass", frozenset()))))
    assert opponents.allowed == [105.0, None]
