"""The referee's key: guests cannot compute what is hidden, and the same seed still gives the same match."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import numpy as np
import pytest

import veil
from veil import streams
from veil.errors import VeilError
from veil.match import LogWriter, MatchConfig, MatchLog, Store, read_logs, run_match, run_tournament
from veil.match.keys import choose_match_key, referee_key, served_seed
from veil.match.table import MatchTable, Reply
from veil.streams import KeyedStream, hash_with_key, is_key

# A guest that tries bases and numbers until they explain its seed, and then tells every move of chance.
SEARCHER = """
from veil.streams import chance_of_match, derive_seed, match_seed, player_seed

class Player:
    def start(self, seat):
        self.found = {{}}
        for number in range({numbers}):
            for base in range({bases}):
                seed = match_seed(base, number)
                for number_of_seat in range(2):
                    if player_seed(seed, number_of_seat) == seat.seed:
                        self.found = {{"seed": seed}}
    def offer(self, legal):
        self.legal = legal
    def play(self, observation):
        return self.legal[0]
    def stop(self, observation):
        pass
    def report(self):
        return self.found
"""
SIMPLE = SEARCHER.format(numbers=0, bases=0)


@pytest.fixture
def guest(tmp_path: Path) -> str:
    """The spec of a guest that plays its first legal move."""
    return write_guest(tmp_path, SIMPLE)


def write_guest(folder: Path, text: str) -> str:
    (folder / "guest.py").write_text(text)
    return f"own:file={folder / 'guest.py'}"


def seats_of(guest: str) -> dict[str, str]:
    return {"first": guest, "second": "random"}


def chance_moves(log: MatchLog) -> list[str]:
    return [entry.moves["random"] for entry in log.rounds]


def play_by_seed(seed: int) -> list[str]:
    """What chance would do if it followed from the seed alone; both roles play their first legal moves."""
    match = MatchTable(veil.load("kuhn_poker"), {"first": "a", "second": "b"}, seed)
    while not match.is_over:
        words = {role: sorted(match.game.names.moves[number]) for number, role in enumerate(match.game.roles)}
        match.advance({role: Reply(words[role][0]) for role in match.requests()})
    return chance_moves(match.log)


def search_in_vain(folder: Path, bases: int) -> None:
    """Let a guest try this many bases in each of two matches. It must not find the seed of either."""
    guest = write_guest(folder, SEARCHER.format(numbers=2, bases=bases))
    config = MatchConfig(reports=True)
    logs = [run_match("kuhn_poker", seats_of(guest), streams.match_seed(0, number), config) for number in range(2)]
    assert [entry.reports.get("first") for log in logs for entry in log.rounds] == [{}] * sum(
        len(log.rounds) for log in logs
    )


def test_a_guest_that_tries_bases_learns_nothing(tmp_path: Path) -> None:
    search_in_vain(tmp_path, 200)


@pytest.mark.nightly
def test_a_guest_that_tries_a_million_bases_learns_nothing(tmp_path: Path) -> None:
    guest = write_guest(tmp_path, SEARCHER.format(numbers=1, bases=1_000_000))
    log = run_match("kuhn_poker", seats_of(guest), streams.match_seed(0, 0), MatchConfig(reports=True))
    assert all(entry.reports.get("first") == {} for entry in log.rounds)


def test_chance_against_a_guest_does_not_follow_from_the_seed(guest: str) -> None:
    """By chance alone the deals agree with probability 6**-12."""
    seeds = range(12)
    played = [chance_moves(run_match("kuhn_poker", seats_of(guest), seed))[0] for seed in seeds]
    assert played != [play_by_seed(seed)[0] for seed in seeds]
    assert len(set(played)) > 1


def test_the_same_seed_and_the_same_players_give_the_same_log(guest: str) -> None:
    first, again, other = (run_match("kuhn_poker", seats_of(guest), seed).as_lines() for seed in (3, 3, 4))
    assert first == again != other


def test_the_key_of_a_log_repeats_its_match_where_the_referee_has_another_key(
    guest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs = [run_match("kuhn_poker", seats_of(guest), seed) for seed in range(12)]
    monkeypatch.setenv("VEIL_KEY", str(tmp_path / "other.key"))
    assert [log.as_lines() for log in logs] == [
        run_match("kuhn_poker", seats_of(guest), log.seed, key=log.key).as_lines() for log in logs
    ]
    assert [log.as_lines() for log in logs] != [
        run_match("kuhn_poker", seats_of(guest), log.seed).as_lines() for log in logs
    ]


def test_players_of_veil_need_no_key_and_seeds_mean_what_they_meant() -> None:
    log = run_match("kuhn_poker", {"first": "random", "second": "random"}, 5)
    assert log.key is None
    assert "key" not in log.as_lines()


def test_the_log_holds_the_key_of_its_match_only_at_its_end(guest: str, tmp_path: Path) -> None:
    game = veil.load("kuhn_poker")
    key = choose_match_key(game, seats_of(guest), 1)
    assert key is not None
    match = MatchTable(game, seats_of(guest), 1, key=key)
    assert key not in repr(match.log) + match.log.as_lines() + repr(match.seats()) + repr(match.requests())
    log = run_match(game, seats_of(guest), 1)
    *before, last = log.as_lines().splitlines()
    assert key in last
    assert key not in "".join(before)
    assert referee_key() not in log.as_lines()
    with LogWriter(tmp_path / "log.jsonl") as writer:
        writer.add(log)
    assert read_logs(tmp_path / "log.jsonl")[0].key == key


def test_other_seats_and_other_seeds_have_other_keys_and_other_chance(guest: str) -> None:
    game = veil.load("kuhn_poker")
    swapped = {"first": "random", "second": guest}
    keys = {choose_match_key(game, seats, seed) for seats in (seats_of(guest), swapped) for seed in (0, 1)}
    assert len(keys) == 4


def test_what_a_seat_is_told_does_not_tell_the_other_seat_or_chance(guest: str) -> None:
    """Seeds of seats are hashes of their own: all differ, and have more bits than anybody can try."""
    match = MatchTable(veil.load("kuhn_poker"), seats_of(guest), 1, MatchConfig(scramble=True), key="0" * 32)
    told = [seat.seed for seat in match.seats().values()] + [seat.scramble or 0 for seat in match.seats().values()][:1]
    assert len(set(told)) == 3
    assert all(2**40 < seed < 2**63 for seed in told)


def test_a_tournament_with_a_guest_is_the_same_again_and_its_store_holds_no_key(guest: str, tmp_path: Path) -> None:
    def play(store: Path | None) -> list[tuple[int, ...]]:
        return [
            entry.goals for entry in run_tournament("kuhn_poker", [guest, "random"], matches=3, store=store).results
        ]

    assert play(None) == play(tmp_path / "store.sqlite")
    assert referee_key().encode() not in (tmp_path / "store.sqlite").read_bytes()
    with Store(str(tmp_path / "store.sqlite")) as store:
        assert len(store.results()) == 6


def test_the_key_file_is_the_users_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VEIL_KEY")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    key = referee_key()
    path = tmp_path / "data" / "veil" / "referee.key"
    assert is_key(key)
    assert path.read_text() == f"{key}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(("text", "mode"), [("0" * 32, 0o644), ("tiny", 0o600), ("", 0o600)])
def test_a_key_that_others_can_read_or_that_is_none_is_refused(
    text: str, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bad.key"
    path.write_text(text)
    path.chmod(mode)
    monkeypatch.setenv("VEIL_KEY", str(path))
    with pytest.raises(VeilError, match=re.escape("bad.key")):
        referee_key()


def test_without_a_place_for_the_key_it_lasts_as_long_as_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VEIL_KEY", str(tmp_path / "nowhere" / "below" / "key"))
    assert referee_key() == referee_key()
    assert os.listdir(tmp_path) == []


def test_a_served_player_has_a_seed_that_its_manager_cannot_compute() -> None:
    assert served_seed(0, 1) == served_seed(0, 1) != served_seed(0, 2)
    assert served_seed(0, 1) != streams.derive_seed(0, 1)


def test_keyed_numbers_are_uniform() -> None:
    """6 cells, 6,000 draws: chi-squared with 5 degrees of freedom is above 30 with probability 1.5e-5."""
    stream = KeyedStream("5" * 32, "chance")
    counts = np.bincount([stream.integers(6) for _ in range(6000)], minlength=6)
    assert ((counts - 1000) ** 2 / 1000).sum() < 30


def test_parts_of_a_hash_are_not_run_together() -> None:
    assert hash_with_key("0" * 32, "ab", "c") != hash_with_key("0" * 32, "a", "bc")
