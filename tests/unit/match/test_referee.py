"""The referee: who is told what, what takes the place of an error, who forfeits, and where chance comes from."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from tests.support.fake_clock import FakeClock
from tests.support.games import game
from tests.support.matches import DICE, Puppet, assert_played_by_the_rules, moves_of, roles_of
from tests.support.refusals import refused
from veil.errors import VeilError, fail
from veil.match import referee
from veil.match.config import MatchConfig
from veil.match.log import MatchLog
from veil.match.referee import run_match
from veil.match.seats import check_seats
from veil.players.contract import Observation, Request, Seat
from veil.players.roster import make_player

SEATS = {"ann": "x", "bob": "x"}


def dice(ann: Puppet, bob: Puppet | None = None, seed: int = 0, **options: Any) -> MatchLog:
    players = {"ann": ann, "bob": bob or Puppet("(throw 2)")}
    return run_match(game(DICE), SEATS, seed, MatchConfig(**options), players)


# What players are told


def test_each_player_is_told_its_own_moves_and_percepts_and_nothing_else() -> None:
    ann, bob = Puppet("(throw 1)", "(throw 2)", "(throw 3)"), Puppet("(throw 4)")
    dice(ann, bob)
    assert ann.told == [None, ("(throw 1)", {"(own 1)"}), ("(throw 2)", {"(own 2)"})]
    assert ann.stopped == [("(throw 3)", {"(own 3)"})]
    assert bob.told == [None, ("(throw 4)", {"(own 4)"}), ("(throw 4)", {"(own 4)"})]
    assert bob.stopped == [("(throw 4)", {"(own 4)"})]


@pytest.mark.compiled("slow as Python", only=("gops",))
@pytest.mark.parametrize("spec", ["kuhn_poker", "krieg_tictactoe", "monty_hall", "gops"])
def test_what_is_told_is_what_the_rules_say_and_what_the_log_keeps(spec: str) -> None:
    class Listener:
        """Passes on to a random player."""

        def __init__(self) -> None:
            self.inner = make_player("random")
            self.told: list[Observation | None] = []

        def start(self, seat: Seat) -> None:
            self.inner.start(seat)

        def play(self, observation: Observation | None) -> str:
            self.told.append(observation)
            return self.inner.play(observation)

        def stop(self, observation: Observation | None) -> None:
            self.told.append(observation)

        def report(self) -> dict[str, Any]:
            return {}

    listeners = {role: Listener() for role in roles_of(spec)}
    log = run_match(game(spec), dict.fromkeys(listeners, "x"), 3, players=listeners)
    assert_played_by_the_rules(spec, log)
    for role, listener in listeners.items():
        own = [(entry.moves[role], frozenset(entry.sees[role])) for entry in log.rounds]
        assert listener.told == [None, *own]
        assert all(told is not None and type(told.percepts) is frozenset for told in listener.told[1:])


def test_a_seat_says_game_role_seed_and_clocks() -> None:
    ann, bob = Puppet("(throw 1)"), Puppet("(throw 1)")
    dice(ann, bob, seed=7, start_seconds=9.0, play_seconds=8.0)
    assert (ann.seat.role, ann.seat.role_id, bob.seat.role, bob.seat.role_id) == ("ann", 0, "bob", 1)
    assert (ann.seat.start_seconds, ann.seat.play_seconds) == (9.0, 8.0)
    assert ann.seat.game is game(DICE)
    assert ann.seat.seed != bob.seat.seed


def test_the_seed_of_a_seat_comes_from_the_match_and_the_role() -> None:
    seeds = []
    for seed in (7, 7, 8):
        ann, bob = Puppet("(throw 1)"), Puppet("(throw 1)")
        dice(ann, bob, seed=seed)
        seeds.append((ann.seat.seed, bob.seat.seed))
    assert seeds[0] == seeds[1]
    assert len({*seeds[0], *seeds[2]}) == 4


def test_nobody_is_shown_the_state_who_was_not_granted_it() -> None:
    class Peeper(Puppet):
        def __init__(self) -> None:
            super().__init__("(throw 1)")
            self.states: list[Any] = []

        def peek(self, state: Any) -> None:
            self.states.append(state)

    honest, granted, other = Peeper(), Peeper(), Puppet("(throw 1)")
    refused("no-cheating", lambda: dice(honest))
    assert honest.states == []
    dice(granted, allow_cheat=True)
    assert len(granted.states) == 3
    assert dice(other, allow_cheat=True).errors["ann"] == 0  # it has not asked for it


def test_a_move_may_be_spelled_in_any_way() -> None:
    log = dice(Puppet("( THROW  3 )", "throw(3)"))
    assert moves_of(log, "ann") == ["(throw 3)"] * 3
    assert log.errors["ann"] == 0


# Errors

BAD_ANSWERS = {
    "None": (None, "NoneType is no move"),
    "a number": (5, "int is no move"),
    "a list": (["(throw 1)"], "list is no move"),
    "bytes": (b"(throw 1)", "bytes is no move"),
    "no move of the game": ("(throw 5)", "(throw 5) is not legal"),
    "nothing": ("", "is not legal"),
    "no term": ("((((", "(((( is not legal"),
    "a long text": ("(" * 50_000, "is not legal"),
    "an exception": (ValueError("no idea"), "ValueError: no idea"),
    "no memory left": (MemoryError(), "MemoryError"),
    "sys.exit": (SystemExit(0), "SystemExit"),
    "an error of the user": (fail("bad-option", what="oh"), "VeilError"),
}


@pytest.mark.parametrize("case", BAD_ANSWERS)
def test_a_bad_answer_is_replaced_counted_and_shown(case: str) -> None:
    answer, shown = BAD_ANSWERS[case]
    ann = Puppet("(throw 1)", answer, "(throw 3)")
    log = dice(ann)
    assert_played_by_the_rules(DICE, log)
    assert log.errors == {"ann": 1, "bob": 0}
    assert [set(entry.errors) for entry in log.rounds] == [set(), {"ann"}, set()]
    assert shown in log.rounds[1].errors["ann"]
    assert len(log.rounds[1].errors["ann"]) <= 200
    assert moves_of(log, "ann")[::2] == ["(throw 1)", "(throw 3)"]
    last = ann.told[2]
    assert last is not None
    assert last.own_move == log.rounds[1].moves["ann"]  # it is told what was played in its place
    assert log.forfeited == []


@pytest.mark.parametrize("move", ["(mark 1 1)", "(cut red)", "(arm red)"])
def test_moves_of_other_roles_and_other_rounds_are_not_legal(move: str) -> None:
    log = run_match(game("exploding_bomb"), {"agent": "x"}, 0, players={"agent": Puppet("noop", move, "(cut red)")})
    assert log.rounds[1].errors == {"agent": f"{move} is not legal"}
    assert log.rounds[1].moves["agent"] in ("ask", "wait")


@pytest.mark.compiled("slow as Python")
def test_what_takes_the_place_of_an_error_is_drawn_from_the_seed() -> None:
    """64 throws of four kinds: all there, and the same again for the same seed."""
    found = [moves_of(dice(Puppet(None), seed=seed, max_errors=99), "ann") for seed in range(64)]
    assert found == [moves_of(dice(Puppet("what"), seed=seed, max_errors=99), "ann") for seed in range(64)]
    assert {move for moves in found for move in moves} == {f"(throw {face})" for face in range(1, 5)}
    assert len({tuple(moves) for moves in found}) > 20  # of 64 that are possible


def test_ctrl_c_is_no_error_of_a_player() -> None:
    with pytest.raises(KeyboardInterrupt):
        dice(Puppet(KeyboardInterrupt()))


class Slow(Puppet):
    """Takes so many seconds for each of its answers, and to start."""

    def __init__(self, clock: FakeClock, *seconds: float, start: float = 0.0) -> None:
        super().__init__("(throw 4)")
        self.clock, self.seconds, self.to_start = clock, seconds, start

    def start(self, seat: Seat) -> None:
        super().start(seat)
        self.clock.now += self.to_start

    def play(self, observation: Observation | None) -> Any:
        self.clock.now += self.seconds[len(self.told) % len(self.seconds)]
        return super().play(observation)


def test_a_late_answer_is_replaced(fake_clock: FakeClock) -> None:
    slow = Slow(fake_clock, 0.99, 1.04, 1.06)  # 0.05 s of grace
    log = dice(slow, seed=1, play_seconds=1.0)
    assert [entry.errors for entry in log.rounds] == [{}, {}, {"ann": "late: 1.06 s"}]
    assert [entry.seconds["ann"] for entry in log.rounds] == [0.99, 1.04, 1.06]
    assert_played_by_the_rules(DICE, log)
    others = {dice(Slow(fake_clock, 9.0), seed=seed, play_seconds=1.0).rounds[0].moves["ann"] for seed in range(20)}
    assert others == {f"(throw {face})" for face in range(1, 5)}  # not its own answer


def test_while_a_clock_runs_no_garbage_is_looked_for_among_what_is_there(
    monkeypatch: pytest.MonkeyPatch, no_long_collections: Callable[[], AbstractContextManager[None]]
) -> None:
    class Watcher(Puppet):
        """Notes how many objects are left alone when it is asked."""

        def play(self, observation: Observation | None) -> str:
            frozen.append(gc.get_freeze_count())
            return super().play(observation)

    monkeypatch.setattr(referee, "_no_long_collections", no_long_collections)
    for seconds, alone in ((None, False), (100.0, True)):
        frozen: list[int] = []
        dice(Watcher("(throw 4)"), play_seconds=seconds)
        assert [count > 0 for count in frozen] == [alone] * 3
        assert gc.get_freeze_count() == 0


def test_without_a_clock_nobody_is_late(fake_clock: FakeClock) -> None:
    log = dice(Slow(fake_clock, 1e6, start=1e6))
    assert log.errors["ann"] == 0
    assert moves_of(log, "ann") == ["(throw 4)"] * 3


def test_who_starts_late_has_its_first_answer_replaced(fake_clock: FakeClock) -> None:
    slow = Slow(fake_clock, 0.0, start=2.1)
    log = dice(slow, start_seconds=2.0)
    assert log.rounds[0].errors == {"ann": "it started late, after 2.10 s"}
    assert log.errors["ann"] == 1
    assert len(slow.told) == 2  # it was not asked in the first round


def test_who_cannot_start_has_its_first_answer_replaced() -> None:
    class Broken(Puppet):
        def start(self, seat: Seat) -> None:
            raise OSError("no brain")

    log = dice(Broken("(throw 4)"))
    assert log.rounds[0].errors == {"ann": "it could not start: OSError: no brain"}
    assert moves_of(log, "ann")[1:] == ["(throw 4)"] * 2


def test_what_the_user_can_repair_ends_the_match_before_it_begins() -> None:
    seats = {"first": "policy:file=nowhere.json", "second": "random"}
    refused("unreadable-file", lambda: run_match(game("kuhn_poker"), seats))


def test_an_error_at_the_end_does_not_change_the_result() -> None:
    class BadLoser(Puppet):
        def stop(self, observation: Observation | None) -> None:
            raise RuntimeError("again!")

    log = dice(BadLoser("(throw 1)"))
    assert log.goals == {"ann": 20, "bob": 100}
    assert log.rounds[-1].errors == {"ann": "stop: RuntimeError"}
    assert log.errors["ann"] == 1


def test_reports_are_kept_where_they_are_wanted() -> None:
    assert [entry.reports for entry in dice(Puppet("(throw 1)")).rounds] == [{}, {}, {}]
    kept = dice(Puppet("(throw 1)"), reports=True)
    assert [entry.reports["ann"] for entry in kept.rounds] == [{"asked": 1}, {"asked": 2}, {"asked": 3}]


def test_who_cannot_explain_its_move_makes_an_error() -> None:
    class Speechless(Puppet):
        def report(self) -> dict[str, Any]:
            raise ValueError("well")

    log = dice(Speechless("(throw 1)"), reports=True)
    assert log.errors == {"ann": 3, "bob": 0}
    assert "ValueError: well" in log.rounds[0].errors["ann"]


# Forfeits


@pytest.mark.parametrize("allowed", [0, 1, 2])
def test_a_player_with_too_many_errors_forfeits_and_is_not_asked_again(allowed: int) -> None:
    ann = Puppet(None)
    log = dice(ann, Puppet("(throw 1)"), max_errors=allowed)
    assert_played_by_the_rules(DICE, log)
    assert len(ann.told) == allowed + 1
    assert log.errors == {"ann": allowed + 1, "bob": 0}
    assert log.forfeited == ["ann"]
    assert log.goals["ann"] == 0
    assert log.goals["bob"] in (20, 100)  # what the rules say
    assert ann.stopped == []


def test_as_many_errors_as_are_allowed_are_forgiven() -> None:
    ann = Puppet(None, None, "(throw 4)")
    log = dice(ann, max_errors=2)
    assert log.forfeited == []
    assert log.goals["ann"] == 100
    assert len(ann.stopped) == 1


def test_both_may_forfeit() -> None:
    log = dice(Puppet(None), Puppet(None), max_errors=0)
    assert log.goals == {"ann": 0, "bob": 0}
    assert log.forfeited == ["ann", "bob"]
    assert len(log.rounds) == 3


# Chance


def chance_moves(log: MatchLog) -> list[str]:
    return [move for move in moves_of(log, "random") if move != "noop"]


@pytest.mark.compiled("slow as Python")
def test_chance_is_the_same_whatever_the_players_do() -> None:
    """In GOPS the prizes come in the same order for all; errors use random numbers of their own."""
    differing = 0
    for seed in range(5):
        tables = [
            run_match(game("gops"), {"first": "random", "second": "random"}, seed),
            run_match(game("gops"), {"first": "first", "second": "hyperplay:models=3,playouts=2"}, seed),
            run_match(game("gops"), {"first": "x", "second": "random"}, seed, players={"first": Puppet(None)}),
        ]
        dealt = [chance_moves(log) for log in tables]
        assert dealt[0] == dealt[1] == dealt[2]
        differing += len({str([moves_of(log, role) for role in ("first", "second")]) for log in tables}) - 1
    assert differing >= 5


def test_the_table_card_of_leduc_is_the_same_however_long_the_first_betting_was() -> None:
    lengths = set()
    for seed in range(12):
        logs = [
            run_match(game("leduc_poker"), dict.fromkeys(("first", "second"), spec), seed)
            for spec in ("first", "random")
        ]
        dealt = sorted((chance_moves(log) for log in logs), key=len)
        assert dealt[1][: len(dealt[0])] == dealt[0]
        lengths |= {len(log.rounds) for log in logs}
    assert len(lengths) > 2


def test_another_seed_brings_another_chance() -> None:
    deals = {
        tuple(chance_moves(run_match(game("gops"), {"first": "first", "second": "first"}, seed))) for seed in range(6)
    }
    assert len(deals) > 1


# Limits, seats, settings


def test_a_match_that_is_too_long_ends_without_an_end() -> None:
    log = dice(Puppet("(throw 4)"), max_rounds=2)
    assert (len(log.rounds), log.finished) == (2, False)


def test_a_game_that_leaves_a_role_without_a_move_is_refused() -> None:
    stuck = """
    (role ann) (init start) (<= (legal ann go) (true start)) (<= (next lost) (does ann go))
    (<= terminal (true over)) (<= (next over) (true over)) (goal ann 0)
    """
    refused("stuck", lambda: run_match(game(stuck), {"ann": "x"}, 0, players={"ann": Puppet("go")}))


BAD_SEATS = {
    "nobody plays": ({"first": "random"}, "bad-seat", "nobody plays second"),
    "nobody at all": ({}, "bad-seat", "nobody plays first and second"),
    "an unknown role": ({"first": "random", "third": "random"}, "unknown-role", "third"),
    "random has a player": ({"first": "random", "second": "random", "random": "first"}, "bad-seat", "referee"),
    "an unknown player": ({"first": "random", "second": "who"}, "unknown-player", "who"),
    "a bad option": ({"first": "random", "second": "hyperplay:models=0"}, "bad-limit", "models"),
    "a cheat": ({"first": "random", "second": "cheat"}, "no-cheating", "true state"),
}


@pytest.mark.parametrize("case", BAD_SEATS)
def test_bad_seats_are_refused_before_anything_is_played(case: str) -> None:
    seats, code, part = BAD_SEATS[case]
    assert part in refused(code, lambda: check_seats(game("kuhn_poker"), seats, MatchConfig()))
    assert part in refused(code, lambda: run_match(game("kuhn_poker"), seats))


def test_seats_are_in_the_order_of_the_rules_and_in_their_spelling() -> None:
    found = check_seats(game("kuhn_poker"), {"SECOND": "random", " first": "first"}, MatchConfig())
    assert list(found.items()) == [("first", "first"), ("second", "random")]


def test_a_cheat_plays_where_it_is_allowed() -> None:
    seats = {"first": "cheat:playouts=5", "second": "random"}
    assert check_seats(game("kuhn_poker"), seats, MatchConfig(allow_cheat=True)) == seats
    assert run_match(game("kuhn_poker"), seats, 1, MatchConfig(allow_cheat=True)).errors["first"] == 0


@pytest.mark.parametrize("name", ["human", "cheat"])
def test_who_needs_the_referees_process_cannot_play_in_another(name: str) -> None:
    apart = MatchConfig(isolated=True, allow_cheat=True)
    assert name in refused("bad-seat", lambda: check_seats(game("exploding_bomb"), {"agent": name}, apart))


@pytest.mark.parametrize(
    "options",
    [
        {"play_seconds": 0},
        {"play_seconds": -1.0},
        {"start_seconds": float("nan")},
        {"start_seconds": float("inf")},
        {"max_rounds": 0},
        {"max_memory": 0},
    ],
)
def test_senseless_settings_are_refused(options: dict[str, Any]) -> None:
    assert next(iter(options)) in refused("bad-limit", lambda: MatchConfig(**options))


def test_a_person_who_has_left_ends_the_match() -> None:
    def leave(request: Request) -> str:
        raise fail("input-ended", role=request.role)

    with pytest.raises(VeilError, match="nobody answers for agent"):
        run_match(game("exploding_bomb"), {"agent": "human"}, person=leave)


def test_a_person_is_asked_in_the_words_of_the_role_and_is_never_late(fake_clock: FakeClock) -> None:
    asked = []

    def think(request: Request) -> str:
        fake_clock.now += 1000
        asked.append(request)
        assert request.legal is not None
        return request.legal[0]

    log = run_match(game("exploding_bomb"), {"agent": "human"}, 1, MatchConfig(play_seconds=1.0), person=think)
    assert log.errors == {"agent": 0}
    assert [request.legal for request in asked] == [("noop",), ("ask", "wait"), ("(cut blue)", "(cut red)")]
    assert asked[0].observation is None
    assert all(request.state is None for request in asked)


def test_who_needs_a_person_is_refused_where_there_is_none() -> None:
    message = refused("bad-seat", lambda: run_match(game("exploding_bomb"), {"agent": "human"}))
    assert "nobody is there to play agent" in message


def test_whoever_needs_them_is_offered_its_legal_moves() -> None:
    class Asker(Puppet):
        def offer(self, legal: list[str]) -> None:
            self.offered = [*getattr(self, "offered", []), legal]

    asker = Asker("(throw 1)")
    dice(asker)
    assert asker.offered == [[f"(throw {face})" for face in range(1, 5)]] * 3


@pytest.mark.parametrize("spec", ["random", "first"])
def test_who_needs_only_its_legal_moves_is_never_wrong(spec: str) -> None:
    """racko hides so much that a belief loses its way; these players need none."""
    racko = game("racko")
    log = run_match(racko, {"first": spec, "second": spec}, 1)
    assert log.errors == {"first": 0, "second": 0}


@pytest.mark.parametrize("report", [None, [1], {"values": {1, 2}}, {"state": object()}])
def test_what_cannot_be_written_down_is_no_report(report: Any) -> None:
    class Odd(Puppet):
        def report(self) -> Any:
            return report

    log = dice(Odd("(throw 1)"), reports=True)
    assert all(entry.errors["ann"].startswith("report: TypeError") for entry in log.rounds)
    assert "ann" not in log.rounds[0].reports


READY = {"ann": Puppet("(throw 1)"), "bob": Puppet("(throw 1)")}
ODD_SEATS: dict[str, tuple[dict[str, Any], str]] = {
    "nobody": ({"players": {"ann": READY["ann"]}}, "nobody plays bob"),
    "a ready player twice": ({"players": READY | {"ANN": READY["ann"]}}, "named twice"),
    "two spellings": ({"specs": {"ann": "random", "(ann)": "first", "bob": "random"}}, "ann is named twice"),
    "ready and elsewhere": ({"players": READY, "config": MatchConfig(isolated=True)}, "a process of its own"),
}


@pytest.mark.parametrize("case", ODD_SEATS)
def test_seats_are_checked_however_they_are_given(case: str) -> None:
    options, shown = ODD_SEATS[case]
    given: dict[str, Any] = {"specs": {}} | options
    assert shown in refused("bad-seat", lambda: run_match(game(DICE), **given))


def test_ready_players_need_no_spec_and_unknown_roles_are_refused() -> None:
    assert run_match(game(DICE), {}, players=READY).players == {"ann": "Puppet", "bob": "Puppet"}
    refused("unknown-role", lambda: run_match(game(DICE), {}, players=READY | {"zz": READY["ann"]}))
    refused("bad-limit", lambda: run_match(game(DICE), {}, -1, players=READY))
    refused("bad-limit", lambda: MatchConfig(max_memory=float("nan")))


def test_a_ready_cheat_needs_the_grant_as_well() -> None:
    refused("no-cheating", lambda: run_match(game(DICE), {}, players=READY | {"ann": make_player("cheat")}))
