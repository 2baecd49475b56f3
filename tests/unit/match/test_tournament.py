"""Tournaments: who meets whom, the same results however they are computed, and nothing played twice."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import pytest

from tests.unit.match.tables import game, refused
from tests.unit.solve.games import THREE_VOTE
from veil.engine.game import Game
from veil.match import tournament
from veil.match.record import MatchRecord
from veil.match.referee import MatchConfig, run_match
from veil.match.store import Result, Store
from veil.match.tournament import TournamentConfig, play_task, run_tournament, seatings, tasks

LIGHT = "hyperplay:models=3,playouts=2"
CONFIG = TournamentConfig(games=("exploding_bomb", "kuhn_poker"), players=("random", "first", LIGHT), matches=3, seed=4)


def timeless(results: list[Result]) -> list[Result]:
    return [replace(entry, seconds=0.0) for entry in results]


def played(config: TournamentConfig = CONFIG, **options: object) -> list[Result]:
    with Store() as store:
        return timeless(run_tournament(config, store, **options))


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[tournament.Task]:
    """The matches that are played in this process."""
    tasks_played: list[tournament.Task] = []

    def counting(task: tournament.Task) -> Result:
        tasks_played.append(task)
        return play_task(task)

    monkeypatch.setattr(tournament, "play_task", counting)
    return tasks_played


def test_everybody_sits_everywhere() -> None:
    kuhn = game("kuhn_poker")
    assert set(seatings(kuhn, "abc")) == set(permutations("abc", 2))
    assert len(seatings(kuhn, "abc")) == 6
    assert seatings(game("exploding_bomb"), "abc") == [("a",), ("b",), ("c",)]
    assert len(seatings(game(THREE_VOTE), "abcd")) == 24


def test_too_few_players_also_meet_themselves() -> None:
    assert seatings(game("kuhn_poker"), "a") == [("a", "a")]
    assert set(seatings(game(THREE_VOTE), "ab")) == set(product("ab", repeat=3))


def test_every_seating_is_played_as_often_as_wanted() -> None:
    results = played()
    counts = Counter((entry.game, entry.players) for entry in results)
    assert set(counts.values()) == {3}
    assert len(counts) == 3 + 6
    assert len({entry.key for entry in results}) == len(results) == 27


def test_every_pairing_has_some_matches_before_any_has_many() -> None:
    numbers = [task.number for task in tasks(CONFIG)]
    assert numbers == sorted(numbers)
    assert len({task.key for task in tasks(CONFIG)}) == len(numbers) == 27


def test_all_pairings_meet_the_same_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed of a match comes from the number alone; so the cards are the same for all who meet in match 2."""
    seeds: list[int] = []

    def listening(of: Game, seats: dict[str, str], seed: int, config: MatchConfig) -> MatchRecord:
        seeds.append(seed)
        return run_match(of, seats, seed, config)

    monkeypatch.setattr(tournament, "run_match", listening)
    numbers = [play_task(task).number for task in tasks(CONFIG)]
    assert len(set(zip(numbers, seeds, strict=True))) == len(set(seeds)) == len(set(numbers)) == 3


def test_the_same_seed_gives_the_same_results_and_another_seed_others() -> None:
    config = replace(CONFIG, matches=8)
    assert played(config) == played(config)
    assert [entry.goals for entry in played(config)] != [entry.goals for entry in played(replace(config, seed=5))]


def test_processes_and_threads_play_what_one_process_plays() -> None:
    alone = played()
    assert played(jobs=2) == alone
    with ThreadPoolExecutor(3) as pool:
        assert played(executor=pool) == alone
        assert pool.submit(int, "7").result() == 7  # whoever brings an executor keeps it


def test_what_the_store_holds_is_not_played_again(counted: list[tournament.Task]) -> None:
    whole = played()
    counted.clear()
    with Store() as store:
        store.settle(tournament._settings(CONFIG))
        store.add(whole[::2])
        assert timeless(run_tournament(CONFIG, store)) == whole
        assert len(counted) == len(whole) - len(whole[::2])
        counted.clear()
        assert timeless(run_tournament(CONFIG, store)) == whole
        assert counted == []


def test_a_tournament_may_grow(counted: list[tournament.Task]) -> None:
    """More matches, players and games join; the others are left out of the results of a smaller one."""
    small = replace(CONFIG, games=("kuhn_poker",), players=("random", "first"), matches=2)
    with Store() as store:
        few = run_tournament(small, store)
        many = run_tournament(CONFIG, store)
        assert (len(few), len(many), len(counted)) == (4, 27, 27)
        assert run_tournament(small, store) == few


def test_other_settings_are_refused(counted: list[tournament.Task]) -> None:
    with Store() as store:
        run_tournament(replace(CONFIG, matches=1), store)
        counted.clear()
        for other in (replace(CONFIG, seed=5), replace(CONFIG, match=MatchConfig(play_seconds=1.0))):
            refused("bad-store", lambda other=other: run_tournament(other, store))
    assert counted == []


def test_an_interrupted_tournament_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played()

    def tired(task: tournament.Task) -> Result:
        if task.number == 1:
            raise KeyboardInterrupt
        return play_task(task)

    with Store() as store:
        with monkeypatch.context() as broken:
            broken.setattr(tournament, "play_task", tired)
            with pytest.raises(KeyboardInterrupt):
                run_tournament(CONFIG, store)
        assert len(store.results()) == 9
        assert timeless(run_tournament(CONFIG, store)) == whole


def test_progress_is_told_match_by_match() -> None:
    told: list[tuple[int, int]] = []
    played(progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 27) for done in range(28)]


def test_errors_of_players_are_counted_by_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    from veil.players.simple import RandomPlayer

    monkeypatch.setattr(RandomPlayer, "play", lambda self, told: "nonsense")
    config = replace(CONFIG, games=("kuhn_poker",), players=("random", LIGHT), matches=2)
    for entry in played(config):
        assert [count > 0 for count in entry.errors] == [spec == "random" for spec in entry.players]


BAD_CONFIGS = {
    "no games": ({"games": ()}, "bad-seat"),
    "no players": ({"players": ()}, "bad-seat"),
    "no matches": ({"matches": 0}, "bad-limit"),
    "a player twice": ({"players": ("random", "first", "random")}, "bad-seat"),
}


@pytest.mark.parametrize("case", BAD_CONFIGS)
def test_senseless_tournaments_are_refused(case: str) -> None:
    options, code = BAD_CONFIGS[case]
    refused(code, lambda: replace(CONFIG, **options))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"players": ("random", "cheat")}, "no-cheating"),
        ({"players": ("random", "hyperplay:models=0")}, "bad-limit"),
        ({"players": ("random", "nobody")}, "unknown-player"),
        ({"games": ("kuhn_poker", "no_such_game")}, "unknown-game"),
    ],
)
def test_bad_players_and_games_are_refused_before_anything_is_played(
    options: dict[str, object], code: str, counted: list[tournament.Task]
) -> None:
    with Store() as store:
        refused(code, lambda: run_tournament(replace(CONFIG, **options), store))
        assert store.results() == []
    assert counted == []


def test_a_game_of_chance_alone_has_nobody_to_meet(tmp_path: Path) -> None:
    rules = tmp_path / "dice.kif"
    rules.write_text(
        "(role random) (init start) (legal random (throw 1)) (<= (next done) (true start)) (<= terminal (true done))"
    )
    message = refused("bad-seat", lambda: played(TournamentConfig(games=(str(rules),), players=("random",))))
    assert "has no role for a player" in message
