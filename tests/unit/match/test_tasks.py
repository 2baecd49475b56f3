"""Tasks: everything a match takes, in one piece that can be sent anywhere."""

from __future__ import annotations

import pickle
from dataclasses import replace

from tests.support.games import game
from tests.support.matches import DICE
from veil import load
from veil.match.config import MatchConfig
from veil.match.referee import run_match
from veil.match.tasks import Task, measure_effort, pack_game, play_task
from veil.players import Effort

HYPERPLAY = "hyperplay:models=5,playouts=3"
TASK = Task(
    game=game("kuhn_poker"),
    name="kuhn_poker",
    specs={"first": HYPERPLAY, "second": "random"},
    number=4,
    seed=11,
    config=MatchConfig(reports=True),
)


def test_a_task_that_was_sent_is_played_as_it_would_be_here() -> None:
    there = pickle.loads(pickle.dumps(TASK))
    assert there.game is not TASK.game
    assert (there.key, there.kind, str(there)) == (TASK.key, TASK.kind, str(TASK))
    assert replace(there, game=TASK.game) == TASK
    here, sent = play_task(TASK), play_task(there)
    assert sent.log == here.log == run_match(TASK.game, TASK.specs, 11, TASK.config)
    assert sent.efforts == here.efforts


def test_a_game_is_packed_once_and_opened_once() -> None:
    """Whoever plays many tasks of a game reads and compiles it once."""
    others = [replace(TASK, number=number) for number in range(50)]
    one, fifty = len(pickle.dumps([TASK])), len(pickle.dumps(others))
    assert fifty < 2 * one + 50 * 300
    first, second = (pickle.loads(pickle.dumps(task)).game for task in others[:2])
    assert first is second
    assert pack_game(TASK.game) is pack_game(TASK.game)


def test_games_of_one_name_are_not_mixed_up() -> None:
    games = [load(DICE), load(DICE.replace("20", "30"))]
    tasks = [Task(game=rules, name="dice", specs={}, number=0, seed=0) for rules in games]
    there = pickle.loads(pickle.dumps(tasks))
    assert [task.game.fingerprint for task in there] == [rules.fingerprint for rules in games]


def test_what_players_have_counted_comes_back() -> None:
    match = play_task(TASK)
    effort = match.efforts["first"]
    assert effort.decisions >= 1
    assert effort.moves_valued == 2 * effort.decisions  # bet or pass
    assert effort.states_visited > effort.decisions
    assert 0 < effort.belief_states < effort.states_visited
    assert effort.samplers == (("exact", effort.decisions),)
    assert match.efforts["second"] == measure_effort(None) == Effort(0, 0, 0)
