"""Drivers: what players are given, what becomes of what they do, and that it does not matter who runs them."""

from __future__ import annotations

import threading
from math import inf, nan
from typing import Any

import pytest

from tests.support.games import game
from tests.support.matches import DICE, Puppet
from tests.support.refusals import refused
from veil.match.config import MatchConfig
from veil.match.drivers import LocalDriver, ThreadDriver, make_local_driver, plain_report
from veil.match.log import MatchLog
from veil.match.referee import run_match
from veil.match.seats import Lineup
from veil.players.contract import LEGAL_MOVES, TRUE_STATE, Observation, Request

THREADS = MatchConfig(threads=True)
SEATS = {
    "kuhn_poker": {"first": "hyperplay:models=5,playouts=3", "second": "random"},
    "ii_goofspiel(cards=3)": {"first": "montecarlo:playouts=20", "second": "pimc:worlds=5,iterations=5"},
}


@pytest.mark.parametrize("spec", SEATS)
def test_threads_play_the_match_that_one_thread_plays(spec: str) -> None:
    for seed in range(4):
        logs = [run_match(game(spec), SEATS[spec], seed, MatchConfig(threads=threads)) for threads in (False, True)]
        assert logs[0] == logs[1]


def test_in_threads_all_players_of_a_round_are_asked_at_the_same_time() -> None:
    meeting = threading.Barrier(2, timeout=100)

    class Meeting(Puppet):
        def play(self, observation: Observation | None) -> Any:
            meeting.wait()  # breaks where the other one does not come
            return super().play(observation)

    players = {"ann": Meeting("(throw 1)"), "bob": Meeting("(throw 2)")}
    log = run_match(game(DICE), {}, 0, THREADS, players)
    assert log.errors == {"ann": 0, "bob": 0}


def test_persons_are_asked_in_the_thread_of_the_match() -> None:
    asked: list[threading.Thread] = []

    def person(request: Request) -> str:
        asked.append(threading.current_thread())
        return "(throw 4)"

    class Thread(Puppet):
        def play(self, observation: Observation | None) -> Any:
            self.thread = threading.current_thread()
            return super().play(observation)

    other = Thread("(throw 1)")
    log = run_match(game(DICE), {"ann": "human"}, 0, THREADS, {"bob": other}, person=person)
    assert log.goals == {"ann": 100, "bob": 20}
    assert set(asked) == {threading.current_thread()} != {other.thread}


@pytest.mark.parametrize("config", [MatchConfig(), THREADS], ids=["one thread", "threads"])
def test_ctrl_c_is_no_error_of_a_player(config: MatchConfig) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_match(game(DICE), {}, 0, config, {"ann": Puppet(KeyboardInterrupt()), "bob": Puppet("(throw 1)")})


def test_a_players_needs_are_those_of_its_row_and_those_of_its_parts(tmp_path: Any) -> None:
    file = tmp_path / "own.py"
    file.write_text(
        "class Player:\n"
        "    def start(self, seat): pass\n"
        "    def peek(self, state): self.state = state\n"
        "    def play(self, observation): return '(throw 3)' if len(self.state) else 'nothing'\n"
        "    def stop(self, observation): pass\n"
        "    def report(self): return {}\n"
    )
    lineup = Lineup(specs={"ann": f"own:file={file}", "bob": "hyperplay"})
    refused("no-cheating", lambda: make_local_driver(lineup, MatchConfig()))
    driver = make_local_driver(lineup, MatchConfig(allow_cheat=True))
    assert driver.needs["ann"] >= {LEGAL_MOVES, TRUE_STATE}
    assert driver.needs["bob"] == frozenset()
    log = run_match(game(DICE), {**lineup.specs, "bob": "random"}, 0, MatchConfig(allow_cheat=True))
    assert [entry.moves["ann"] for entry in log.rounds] == ["(throw 3)"] * 3


def test_the_config_says_which_driver() -> None:
    lineup = Lineup(specs={"ann": "random", "bob": "random"})
    assert type(make_local_driver(lineup, MatchConfig())) is LocalDriver
    driver = make_local_driver(lineup, THREADS)
    assert type(driver) is ThreadDriver
    driver.close()


def test_a_ready_made_player_may_have_met_its_person_already() -> None:
    class Guest(Puppet):
        def meet(self, person: Any) -> None:
            raise AssertionError("there is nobody")

    log = run_match(game(DICE), {}, 0, players={"ann": Guest("(throw 1)"), "bob": Puppet("(throw 2)")})
    assert log.errors == {"ann": 0, "bob": 0}


def test_a_report_is_plain_data_that_can_be_read_again() -> None:
    assert plain_report({"values": {"go": 1.5}, 3: (nan, inf, -inf, True)}) == {
        "values": {"go": 1.5},
        "3": [None, None, None, True],
    }
    for odd in (None, [1], {"values": {1, 2}}):
        with pytest.raises(TypeError):
            plain_report(odd)


def test_numbers_without_a_value_in_a_report_do_not_spoil_the_log(tmp_path: Any) -> None:
    from veil.match.log import LogWriter, read_logs

    class Odd(Puppet):
        def report(self) -> dict[str, Any]:
            return {"values": {"go": nan}}

    players = {"ann": Odd("(throw 1)"), "bob": Puppet("(throw 1)")}
    log: MatchLog = run_match(game(DICE), {}, 0, MatchConfig(reports=True), players)
    with LogWriter(tmp_path / "log.jsonl") as out:
        out.add(log)
    assert read_logs(tmp_path / "log.jsonl") == [log]
