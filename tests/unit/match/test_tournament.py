"""Tournaments: who meets whom, the same results however they are computed, and nothing played twice."""

from __future__ import annotations

import os
import pickle
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice, permutations, product
from pathlib import Path
from typing import Any, Self

import pytest

from tests.support import rogues
from tests.support.equilibrium_games import THREE_VOTE
from tests.support.games import game
from tests.support.matches import DICE
from tests.support.refusals import refused
from veil import solve
from veil.engine.game import Game
from veil.match import tasks, tournament
from veil.match.config import MatchConfig
from veil.match.contents import SourceWatch, read_sources
from veil.match.series import BatchResult
from veil.match.standings import Standings
from veil.match.store import Result, Store
from veil.match.tasks import PlayedMatch, Task, play_task
from veil.match.tournament import (
    TournamentConfig,
    list_results,
    list_seatings,
    make_result,
    make_tables,
    make_tasks,
    open_games,
    play_matches,
    run_tournament,
)

THROW_TWO = """
class Player:
    def start(self, seat): pass
    def play(self, observation): return "(throw 2)"
    def stop(self, observation): pass
    def report(self): return {}
"""
LIGHT = "hyperplay:models=3,playouts=2"
CONFIG = TournamentConfig(games=("exploding_bomb", "kuhn_poker"), players=("random", "first", LIGHT), matches=3, seed=4)


def timeless(results: list[Result]) -> list[Result]:
    return [replace(entry, seconds=0.0) for entry in results]


def results_of(config: TournamentConfig, store: Store, **options: Any) -> list[Result]:
    play_matches(config, store, **options)
    return list_results(config, store)


def played(config: TournamentConfig = CONFIG, **options: Any) -> list[Result]:
    with Store() as store:
        return timeless(results_of(config, store, **options))


def iterate_tasks(config: TournamentConfig = CONFIG) -> Iterator[Task]:
    games, files = open_games(config), read_sources(config.players)
    return make_tasks(config, games, files, SourceWatch(games, files))


def all_tasks(config: TournamentConfig = CONFIG) -> list[Task]:
    return list(iterate_tasks(config))


@pytest.fixture
def played_tasks(monkeypatch: pytest.MonkeyPatch) -> list[Task]:
    """The matches that are played in this process."""
    tasks_played: list[Task] = []

    def counting(task: Task) -> PlayedMatch:
        tasks_played.append(task)
        return play_task(task)

    monkeypatch.setattr(tournament, "play_task", counting)
    return tasks_played


def test_everybody_sits_everywhere() -> None:
    kuhn = game("kuhn_poker")
    assert set(list_seatings(kuhn, "abc")) == set(permutations("abc", 2))
    assert len(list_seatings(kuhn, "abc")) == 6
    assert list_seatings(game("exploding_bomb"), "abc") == [("a",), ("b",), ("c",)]
    assert len(list_seatings(game(THREE_VOTE), "abcd")) == 24


def test_too_few_players_also_meet_themselves() -> None:
    assert list_seatings(game("kuhn_poker"), "a") == [("a", "a")]
    assert set(list_seatings(game(THREE_VOTE), "ab")) == set(product("ab", repeat=3))


def test_every_seating_is_played_as_often_as_wanted() -> None:
    results = played()
    counts = Counter((entry.game, entry.players) for entry in results)
    assert set(counts.values()) == {3}
    assert len(counts) == 3 + 6
    assert len({entry.key for entry in results}) == len(results) == 27


def test_every_pairing_has_some_matches_before_any_has_many() -> None:
    numbers = [task.number for task in all_tasks()]
    assert numbers == sorted(numbers)
    assert len({task.key for task in all_tasks()}) == len(numbers) == 27


def test_all_pairings_meet_the_same_chance() -> None:
    """The seed of a match comes from the number alone; so the cards are the same for all who meet in match 2."""
    numbers = [task.number for task in all_tasks()]
    seeds = [play_task(task).log.seed for task in all_tasks()]
    assert len(set(zip(numbers, seeds, strict=True))) == len(set(seeds)) == len(set(numbers)) == 3


@pytest.mark.compiled("slow as Python")
def test_the_same_seed_gives_the_same_results_and_another_seed_others() -> None:
    config = replace(CONFIG, matches=8)
    assert played(config) == played(config)
    assert [entry.goals for entry in played(config)] != [entry.goals for entry in played(replace(config, seed=5))]


def test_workers_need_no_files(tmp_path: Path) -> None:
    """They get rules, policy and Python code with their tasks, and everything is gone before the first begins."""
    rules, file, code = (tmp_path / name for name in ("dice.kif", "policy.json", "own.py"))
    rules.write_text(DICE)
    solve(game(DICE), method="cfr", iterations=2).policy.save(file)
    code.write_text(THROW_TWO)
    config = TournamentConfig(games=(str(rules),), players=(f"policy:file={file}", f"own:file={code}"), matches=1)
    alone = [make_result(task, play_task(task)) for task in all_tasks(config)]
    tasks_of_it = pickle.dumps(all_tasks(config))
    for path in (rules, file, code):
        path.unlink()
    there = pickle.loads(tasks_of_it)
    assert there[0].game.fingerprint == game(DICE).fingerprint
    assert timeless([make_result(task, play_task(task)) for task in there]) == timeless(alone)


@pytest.mark.slow
def test_processes_and_threads_play_what_one_process_plays() -> None:
    alone = played()
    assert played(jobs=2) == alone
    with ThreadPoolExecutor(3) as pool:
        assert played(executor=pool) == alone
        assert pool.submit(int, "7").result() == 7  # whoever brings an executor keeps it


def test_what_the_store_holds_is_not_played_again(played_tasks: list[Task]) -> None:
    whole = played()
    played_tasks.clear()
    with Store() as store:
        store.add(whole[::2])
        assert timeless(results_of(CONFIG, store)) == whole
        assert len(played_tasks) == len(whole) - len(whole[::2])
        played_tasks.clear()
        assert timeless(results_of(CONFIG, store)) == whole
        assert played_tasks == []


def test_tables_are_filled_from_the_store_without_a_list_of_all_matches(
    played_tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, standings = run_tournament(CONFIG.games, CONFIG.players, matches=CONFIG.matches, seed=CONFIG.seed)
    played_tasks.clear()
    monkeypatch.setattr(tournament, "PORTION", 2)
    with Store() as store:
        store.check_identity({"seed": 4, "match": CONFIG.match.identity()}, {})
        store.add(whole[::2])
        monkeypatch.setattr(store, "results", None)
        tables = play_matches(CONFIG, store)
        assert len(played_tasks) == len(whole) - len(whole[::2])
        assert play_matches(CONFIG, store) == tables
        assert make_tables(CONFIG, store) == tables
    assert tables.matches == len(whole)
    assert compare_standings(tables.standings) == compare_standings(standings)


def compare_standings(tables: list[Standings]) -> list[Standings]:
    return [replace(table, rounds_per_second=0.0) for table in tables]


def test_a_damaged_match_is_refused_before_anything_is_played(played_tasks: list[Task], tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store(str(path)) as store:
        play_matches(replace(CONFIG, matches=2), store)
    with closing(sqlite3.connect(path)) as base:
        base.execute("UPDATE match SET goals = '[1]' WHERE number = 1 AND game = 'kuhn_poker'")
        base.commit()
    played_tasks.clear()
    with Store(str(path)) as store:
        assert "match 1 of kuhn_poker is damaged" in refused("bad-store", lambda: play_matches(CONFIG, store))
    assert played_tasks == []


def test_a_tournament_may_grow(played_tasks: list[Task]) -> None:
    """More matches, players and games join; the others are left out of the results of a smaller one."""
    small = replace(CONFIG, games=("kuhn_poker",), players=("random", "first"), matches=2)
    with Store() as store:
        few = results_of(small, store)
        many = results_of(CONFIG, store)
        assert (len(few), len(many), len(played_tasks)) == (4, 27, 27)
        assert results_of(small, store) == few


def test_other_settings_are_refused(played_tasks: list[Task]) -> None:
    with Store() as store:
        play_matches(replace(CONFIG, matches=1), store)
        played_tasks.clear()
        for other in (replace(CONFIG, seed=5), replace(CONFIG, match=MatchConfig(play_seconds=1.0))):
            refused("bad-store", partial(play_matches, other, store))
    assert played_tasks == []


def test_an_interrupted_tournament_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played()

    def tired(task: Task) -> PlayedMatch:
        if task.number == 1:
            raise KeyboardInterrupt
        return play_task(task)

    with Store() as store:
        with monkeypatch.context() as broken:
            broken.setattr(tournament, "play_task", tired)
            with pytest.raises(KeyboardInterrupt):
                play_matches(CONFIG, store)
        assert len(store.results()) == 9
        assert timeless(results_of(CONFIG, store)) == whole


def test_progress_is_told_match_by_match() -> None:
    told: list[tuple[int, int]] = []
    played(progress=lambda done, total: told.append((done, total)))
    assert told == [(done, 27) for done in range(28)]


def test_errors_of_players_are_counted_by_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    from veil.players.simple import RandomPlayer

    monkeypatch.setattr(RandomPlayer, "play", lambda self, observation: "nonsense")
    config = replace(CONFIG, games=("kuhn_poker",), players=("random", LIGHT), matches=2)
    for entry in played(config):
        assert [count > 0 for count in entry.errors] == [spec == "random" for spec in entry.players]


BAD_CONFIGS: dict[str, tuple[dict[str, Any], str]] = {
    "no games": ({"games": ()}, "bad-option"),
    "no players": ({"players": ()}, "bad-option"),
    "no matches": ({"matches": 0}, "bad-limit"),
    "a player twice": ({"players": ("random", "first", "random")}, "bad-option"),
    "a player with a space": ({"players": ("random", " random")}, "bad-option"),
    "a player with a colon": ({"players": ("random:", "random")}, "bad-option"),
    "a player with its defaults": ({"players": ("hyperplay", "hyperplay:playouts=30, models=100")}, "bad-option"),
    "a human": ({"players": ("random", "human")}, "bad-option"),
    "an unknown player": ({"players": ("random", "nobody")}, "unknown-player"),
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
        ({"players": ("random", "policy:file=no/such/file.json")}, "unreadable-file"),
        ({"games": ("kuhn_poker", "no_such_game")}, "unknown-game"),
        ({"games": ("kuhn_poker", "kuhn_poker")}, "bad-option"),
        ({"games": ("krieg_tictactoe", "krieg_tictactoe(size=3)")}, "bad-option"),
    ],
)
def test_bad_players_and_games_are_refused_before_anything_is_played(
    options: dict[str, Any], code: str, played_tasks: list[Task]
) -> None:
    with Store() as store:
        refused(code, lambda: play_matches(replace(CONFIG, **options), store))
        assert store.results() == []
    assert played_tasks == []


def test_a_game_of_chance_alone_has_nobody_to_meet(tmp_path: Path) -> None:
    rules = tmp_path / "dice.kif"
    rules.write_text(
        "(role random) (init start) (legal random (throw 1)) (<= (next done) (true start)) (<= terminal (true done))"
    )
    message = refused("bad-option", lambda: played(TournamentConfig(games=(str(rules),), players=("random",))))
    assert "has no role for a player" in message


def test_a_player_has_one_name_however_it_is_spelled() -> None:
    config = TournamentConfig(games=("kuhn_poker",), players=(" random: ", "hyperplay :models=3 ", "policy:file=a:"))
    assert config.players == ("random", "hyperplay:models=3", "policy:file=a:")


def test_as_many_matches_as_nobody_can_play_are_counted_and_begun(played_tasks: list[Task]) -> None:
    """Tasks are made when they are needed."""
    wanted = 10**15
    told: list[tuple[int, int]] = []

    def tired(done: int, total: int) -> None:
        told.append((done, total))
        if done == 5:
            raise KeyboardInterrupt

    with Store() as store, pytest.raises(KeyboardInterrupt):
        play_matches(replace(CONFIG, matches=wanted), store, progress=tired)
    assert told == [(done, 9 * wanted) for done in range(6)]
    assert len(played_tasks) == 5


def test_compiling_the_game_takes_no_time_of_the_first_match(monkeypatch: pytest.MonkeyPatch) -> None:
    task = all_tasks()[0]
    compiled: list[bool] = []

    def clock() -> float:
        compiled.append("machine" in vars(task.game))
        return 0.0

    assert "machine" not in vars(task.game)
    monkeypatch.setattr(tasks, "perf_counter", clock)
    play_task(task)
    assert compiled == [True, True]


# What stands behind a name


def test_a_store_does_not_go_on_with_other_rules_of_the_same_name(tmp_path: Path, played_tasks: list[Task]) -> None:
    rules, path = tmp_path / "dice.kif", str(tmp_path / "store.db")
    config = TournamentConfig(games=(str(rules),), players=("random", "first"), matches=2)
    rules.write_text(DICE)
    with Store(path) as store:
        first = results_of(config, store)
    rules.write_text(f"; the same\n{DICE}")
    with Store(path) as store:
        assert results_of(config, store) == first
    rules.write_text(DICE.replace("20", "30"))
    played_tasks.clear()
    with Store(path) as store:
        assert "other rules" in refused("bad-store", lambda: play_matches(config, store))
    assert played_tasks == []
    with Store() as store:  # and this process has not kept the old ones in mind
        again = results_of(config, store)
    assert {goal for entry in again for goal in entry.goals} <= {30, 100}


def test_a_namesake_in_another_folder_is_another_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = TournamentConfig(games=("dice.kif",), players=("random",), matches=1)
    for folder, goal in (("a", "20"), ("b", "30")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "dice.kif").write_text(DICE.replace("20", goal))
    with Store() as store:
        monkeypatch.chdir(tmp_path / "a")
        play_matches(config, store)
        monkeypatch.chdir(tmp_path / "b")
        refused("bad-store", lambda: play_matches(config, store))


def test_a_store_does_not_go_on_with_another_policy_of_the_same_name(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    config = TournamentConfig(games=("kuhn_poker",), players=("random", f"policy:file={file}"), matches=1)
    solve(game("kuhn_poker"), method="cfr", iterations=2).policy.save(file)
    with Store() as store:
        first = results_of(config, store)
        assert results_of(config, store) == first
        solve(game("kuhn_poker"), method="cfr", iterations=20).policy.save(file)
        assert "contents of policy" in refused("bad-store", lambda: play_matches(config, store))


def test_rules_that_change_while_they_are_played_are_noticed(tmp_path: Path) -> None:
    rules = tmp_path / "dice.kif"
    rules.write_text(DICE)
    some = iterate_tasks(TournamentConfig(games=(str(rules),), players=("random",)))
    task = next(some)
    rules.write_text(f"; the same\n{DICE}")
    next(some)
    rules.write_text(DICE.replace("20", "30"))
    assert "changed while they were played" in refused("bad-option", lambda: next(some))
    play_task(task)  # with the rules of the beginning


def test_a_file_of_a_player_that_changes_while_it_is_played_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "policy.json"
    solve(game("kuhn_poker"), method="cfr", iterations=2).policy.save(file)
    some = iterate_tasks(TournamentConfig(games=("kuhn_poker",), players=("random", f"policy:file={file}")))
    task = next(some)
    file.unlink()
    list(islice(some, 1))  # of the same number
    assert "changed while they were played" in refused("bad-option", lambda: next(some))
    assert play_task(task).log.errors == {"first": 0, "second": 0}  # it needs no file


# From Python


def test_a_tournament_from_python_takes_names_paths_texts_and_games(tmp_path: Path) -> None:
    rules = tmp_path / "dice.kif"
    rules.write_text(DICE)
    other = DICE.replace("20", "30")
    games: list[str | Path | Game] = ["kuhn_poker", rules, other, game("exploding_bomb")]
    results, standings = run_tournament(games, ["random", "first"], matches=2, seed=3)
    names = ["kuhn_poker", str(rules), "rules", "exploding_bomb"]
    assert [table.game for table in standings] == names
    assert len(results) == 2 * (2 + 2 + 2 + 2)
    again = run_tournament("kuhn_poker", ["random", "first"], matches=2, seed=3).results
    assert timeless(again) == timeless([entry for entry in results if entry.game == "kuhn_poker"])
    assert all(0 <= entry.seconds <= 10 for entry in again)


def test_a_tournament_from_python_keeps_its_results_in_a_file_or_a_store(
    tmp_path: Path, played_tasks: list[Task]
) -> None:
    path = tmp_path / "store.db"
    first = run_tournament(["kuhn_poker"], ["random", "first"], matches=2, store=path)
    assert len(played_tasks) == 4
    assert run_tournament(["kuhn_poker"], ["random", "first"], matches=2, store=str(path)) == first
    with Store(str(path)) as store:
        assert run_tournament(["kuhn_poker"], ["random", "first"], matches=2, store=store) == first
        assert len(store.results()) == 4  # it is still open
    assert len(played_tasks) == 4


def test_two_games_of_one_name_are_refused() -> None:
    texts = [DICE, DICE.replace("20", "30")]
    assert "two games are called rules" in refused("bad-option", lambda: run_tournament(texts, ["random"]))


def test_a_result_is_what_the_log_says() -> None:
    task = all_tasks()[5]
    match = play_task(task)
    entry = make_result(task, match)
    assert entry.key == task.key
    assert (entry.goals, entry.rounds) == (tuple(match.log.goals.values()), len(match.log.rounds))


# Processes that play


class Dying:
    """A pool whose processes die as often as they are told to, each time after some matches."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, lives: list[int]) -> None:
        self.pools, self.lives = 0, lives
        outer = self

        class Pool:
            def __init__(self, jobs: int) -> None:
                self.left = outer.lives[outer.pools] if outer.pools < len(outer.lives) else 10**9
                outer.pools += 1

            def __enter__(self) -> Self:
                return self

            def __exit__(self, *reason: object) -> None:
                pass

            def submit(self, call: Callable[..., BatchResult], *values: object) -> Future[BatchResult]:
                future: Future[BatchResult] = Future()
                self.left -= 1
                if self.left >= 0:
                    future.set_result(call(*values))
                else:
                    future.set_exception(BrokenProcessPool())
                return future

        monkeypatch.setattr(tournament, "Pool", Pool)


@pytest.mark.compiled("slow as Python")
def test_when_processes_die_others_play_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played()
    dying = Dying(monkeypatch, [0, 0, 1, 0, 5, 0])
    assert played(jobs=2) == whole
    assert dying.pools == 7


def test_processes_that_always_die_end_the_tournament_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    dying = Dying(monkeypatch, [2, 0, 0])
    with Store() as store:
        message = refused("workers-lost", lambda: play_matches(CONFIG, store, jobs=2))
        assert len(store.results()) == 2
    assert dying.pools == 3
    assert "3 times in a row" in message


def hit_by_a_truck(flag: str, task: Task) -> PlayedMatch:
    """The first process that comes here dies."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return play_task(task)
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.mark.nightly
@pytest.mark.slow
def test_a_process_that_is_killed_costs_nothing_but_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played()
    monkeypatch.setattr(tournament, "play_task", partial(hit_by_a_truck, str(tmp_path / "flag")))
    assert played(jobs=2) == whole
    assert (tmp_path / "flag").exists()


@pytest.mark.slow
def test_a_refusal_in_a_process_is_the_message_of_the_tournament(tmp_path: Path) -> None:
    """A policy for another game is found out when the match begins."""
    file = tmp_path / "policy.json"
    solve(game("matching_pennies"), method="cfr", iterations=1).policy.save(file)
    config = replace(CONFIG, games=("kuhn_poker",), players=("random", f"policy:file={file}"))
    refused("bad-policy", lambda: played(config, jobs=2))


# Players that misbehave

# The file of a guest holds all that it needs: it cannot read the folder of the tests.
SOURCE = Path(rogues.__file__).read_text(encoding="utf-8")
CLASSES = SOURCE.partition("@dataclass")[0] + "ROGUES = {" + SOURCE.partition("ROGUES = {")[2].partition("}")[0] + "}"
ROGUE = (
    CLASSES.replace("{", "{{").replace("}", "}}")
    + """

class Raiser(Rogue):
    def play(self, observation):
        raise ValueError("not today")

class Other(Rogue):
    def play(self, told):
        return "noop"  # what only the role that is not asked can play

class Player:
    def start(self, seat):
        self.rogue = ({first} if seat.role == "first" else {second})(None)
        self.rogue.start(seat)

    def play(self, told):
        return self.rogue.play(told)

    def stop(self, told):
        pass

    def report(self):
        return {{}}
"""
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ROGUES['sleeper']", "Raiser"),
        ("Other", "ROGUES['hoarder']"),
        ("ROGUES['leaver']", "ROGUES['thrower']"),  # throws dice where there are none
        ("ROGUES['unspeakable']", "ROGUES['exiter']"),
    ],
)
def test_a_tournament_ends_right_whatever_a_player_does(first: str, second: str, tmp_path: Path) -> None:
    """It does one thing in the one seat and another in the other, to spare processes. `random` is not disturbed."""
    file = tmp_path / "rogue.py"
    file.write_text(ROGUE.format(first=first, second=second))
    rogue = f"own:file={file}"
    match = MatchConfig(isolated=True, play_seconds=2.0, max_errors=0, max_memory=2.0)
    results = played(TournamentConfig(games=("kuhn_poker",), players=("random", rogue), matches=1, match=match))
    assert [entry.players for entry in results] == [(rogue, "random"), ("random", rogue)]
    for entry in results:
        goals, errors = (dict(zip(entry.players, values, strict=True)) for values in (entry.goals, entry.errors))
        assert errors == {rogue: 1, "random": 0}
        assert goals[rogue] == 0 < goals["random"]
