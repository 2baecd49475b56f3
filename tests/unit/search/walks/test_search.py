"""Searchers over walkers: answers, tables that survive, clocks, and what is refused."""

from __future__ import annotations

from time import perf_counter

import numpy as np
import pytest

from tests.support.equilibrium_games import EDGE_AFTER_HEADS
from tests.support.fake_clock import FakeClock
from tests.support.games import NOTHING, game
from tests.support.seats import JACK, seat, told_all
from veil import clock
from veil.engine.record import Record
from veil.errors import VeilError
from veil.match.config import MatchConfig
from veil.match.referee import run_match
from veil.players.contract import Observation
from veil.players.roster import make_player
from veil.players.search_player import SearchPlayer
from veil.players.seat_belief import make_belief
from veil.search.contract import SearchBudget, SearchQuestion, SearchTask
from veil.search.walks.configs import IsmctsConfig, OosConfig, SmoothUctConfig
from veil.search.walks.contract import InfosetView, find_record_key
from veil.search.walks.lanes.walker import LaneWalker
from veil.search.walks.search import WalkSearch, choose_strategy, prune_moves

SPECS = ["oos", "oos:target=ist", "oos:play=current", "ismcts", "ismcts:select=rm", "ismcts:observer=single"]
SPECS += ["ismcts:starts=posterior", "ismcts:ties=first", "ismcts:select=rm,play=current", "smooth_uct"]


def jack_question() -> tuple[SearchTask, SearchQuestion]:
    """The first role of Kuhn poker, holding the jack."""
    of = game("kuhn_poker")
    belief = make_belief(seat("kuhn_poker", "first"), worlds=5)
    for observation in JACK:
        belief.observe(observation)
    return SearchTask(of, of.roles.index("first"), 0), SearchQuestion(belief.record, belief, (0, 0))


@pytest.mark.gate_cases(5)
@pytest.mark.parametrize("spec", SPECS)
def test_players_finish_a_match_without_an_error(spec: str) -> None:
    player = f"{spec}{',' if ':' in spec else ':'}iterations=2000"
    log = run_match("leduc_poker", {"first": player, "second": "random"}, 3, MatchConfig())
    assert log.errors == {"first": 0, "second": 0}


CONFIGS: list[OosConfig | IsmctsConfig | SmoothUctConfig] = [
    OosConfig(iterations=3000),
    IsmctsConfig(iterations=3000),
    IsmctsConfig(select="rm", iterations=3000),
    SmoothUctConfig(iterations=3000),
]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: type(config).__name__)
def test_an_answer_is_a_strategy_with_values_visits_and_cost(config: OosConfig) -> None:
    task, question = jack_question()
    searcher = config.searcher(task)
    answer = searcher.search(question, SearchBudget(), np.random.default_rng(1))
    words = [task.game.names.moves[task.role_id][move] for move in answer.moves.tolist()]
    assert sorted(words) == ["bet", "pass"]
    assert answer.strategy.sum() == pytest.approx(1)
    assert answer.details["visits"] == dict(zip(words, answer.visits.tolist(), strict=True))
    assert ((answer.values > 45) & (answer.values < 55)).all()  # goals: 50 plus chips
    assert answer.visits.sum() > 100
    walks = 3000 * (2 if isinstance(config, OosConfig) else 1)
    assert answer.playouts == walks
    assert answer.states_visited > 2 * walks


@pytest.mark.parametrize("states", [1, 1000, 50_000])
def test_without_clock_and_iterations_so_many_states_are_visited(states: int) -> None:
    task, question = jack_question()
    searcher = IsmctsConfig(states=states).searcher(task)
    visited = searcher.search(question, SearchBudget(), np.random.default_rng(1)).states_visited
    assert visited == pytest.approx(states, abs=max(0.02 * states, 64 * 4))  # a first piece of 64 walks in any case


@pytest.mark.compiled("slow as Python")
def test_the_jack_passes_and_bets_sometimes_as_in_equilibrium() -> None:
    """The first role bets a jack with probability 0 to 1/3 in every equilibrium (Kuhn 1950)."""
    task, question = jack_question()
    answer = OosConfig(iterations=500_000).searcher(task).search(question, SearchBudget(), np.random.default_rng(1))
    bet = {task.game.names.moves[task.role_id][m]: p for m, p in zip(answer.moves, answer.strategy, strict=True)}["bet"]
    assert -0.01 < bet < 1 / 3 + 0.05


def test_the_table_survives_between_moves() -> None:
    task, question = jack_question()
    searcher, rng = OosConfig(iterations=500).searcher(task), np.random.default_rng(1)
    first = searcher.search(question, SearchBudget(), rng)
    second = searcher.search(question, SearchBudget(), rng)
    assert (second.visits > first.visits).all()
    assert second.playouts == first.playouts == 1000


def test_all_that_is_known_can_be_listed() -> None:
    task, question = jack_question()
    searcher = OosConfig(iterations=2000).searcher(task)
    assert list(searcher.known()) == []
    searcher.search(question, SearchBudget(), np.random.default_rng(1))
    views = list(searcher.known())
    assert len(views) == 12  # the infosets of Kuhn poker
    assert all(view.mean.sum() == pytest.approx(1) and view.current.sum() == pytest.approx(1) for view in views)
    own = [view for view in views if view.key == find_record_key(task.game, question.record)]
    assert [view.role_id for view in own] == [task.role_id]


def test_what_no_walk_has_reached_gets_the_uniform_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    task, question = jack_question()
    searcher = OosConfig().searcher(task)
    monkeypatch.setattr(searcher.walker, "run", lambda iterations, rng: None)
    answer = searcher.search(question, SearchBudget(), np.random.default_rng(1))
    assert answer.strategy.tolist() == [0.5, 0.5]
    assert answer.visits.tolist() == [0, 0]
    assert np.isnan(answer.values).all()


def test_uct_plays_the_most_visited_move_and_others_a_mean() -> None:
    view = InfosetView(
        0, 0, np.arange(3), np.array([0.2, 0.5, 0.3]), np.array([1.0, 0, 0]), np.zeros(3), np.array([2, 5, 5])
    )
    assert choose_strategy(view, "mean").tolist() == [0.2, 0.5, 0.3]
    assert choose_strategy(view, "current").tolist() == [1, 0, 0]
    assert choose_strategy(view, "most").tolist() == [0, 0.5, 0.5]
    assert choose_strategy(view, "most", "first").tolist() == [0, 1, 0]
    assert (IsmctsConfig().played, IsmctsConfig(select="rm").played) == ("most", "mean")
    assert (IsmctsConfig(play="mean").played, SmoothUctConfig().played, OosConfig().played) == ("mean",) * 3


def test_the_same_seed_gives_the_same_answer() -> None:
    def answer(seed: int) -> list[float]:
        task, question = jack_question()
        searcher = IsmctsConfig(select="rm", iterations=50).searcher(task)
        return searcher.search(question, SearchBudget(), np.random.default_rng(seed)).strategy.tolist()

    assert answer(1) == answer(1)
    assert answer(1) != answer(2)


def test_walks_end_before_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock of our own: a walk takes a thousandth of a second."""
    fake = FakeClock()
    monkeypatch.setattr(clock, "perf_counter", fake)
    task, question = jack_question()
    searcher, ran = OosConfig().searcher(task), []

    def run(iterations: int, rng: np.random.Generator) -> None:
        ran.append(iterations)
        fake.now += 0.001 * iterations

    monkeypatch.setattr(searcher.walker, "run", run)
    start = fake.now
    searcher.search(question, SearchBudget(start + 1.0), np.random.default_rng(1))
    assert sum(ran) > 500
    assert fake.now <= start + 1.0


@pytest.mark.parametrize("spec", ["oos", "ismcts", "smooth_uct"])
def test_a_game_that_does_not_fit_is_searched_in_lanes(spec: str) -> None:
    player = make_player(f"{spec}:max_nodes=10,iterations=50")
    player.start(seat("kuhn_poker", "first"))
    assert isinstance(player, SearchPlayer)
    assert isinstance(player.searcher, WalkSearch)
    assert isinstance(player.searcher.walker, LaneWalker)
    player.play(None)
    player.play(Observation("noop", frozenset({"(card queen)"})))
    assert player.play(Observation("noop", NOTHING)) in ("bet", "pass")
    assert player.report()["playouts"] == (100 if spec == "oos" else 50)


def test_rules_that_have_no_tree_are_searched_in_lanes_and_refused_if_the_search_needs_the_tree() -> None:
    task = SearchTask(game(EDGE_AFTER_HEADS), 1, 0)
    assert isinstance(WalkSearch(task, OosConfig()).walker, LaneWalker)
    with pytest.raises(VeilError, match="legal"):
        WalkSearch(task, IsmctsConfig(grow="history"))


def test_the_key_of_a_record_is_the_one_of_its_infoset() -> None:
    task, _ = jack_question()
    empty = Record("first", ())
    assert find_record_key(task.game, empty) != find_record_key(task.game, empty.then("noop", NOTHING))


def test_a_player_keeps_a_short_clock() -> None:
    """Generous: what is tested is that the clock is looked at, not how fast the machine is."""
    player = make_player("oos")
    player.start(seat("kuhn_poker", "first", play_seconds=0.3))
    begin = perf_counter()
    told_all(player, JACK)
    assert perf_counter() - begin < 60
    assert player.report()["playouts"] > 10


def test_moves_far_below_the_likeliest_are_pruned() -> None:
    strategy = np.array([0.5, 0.125, 0.25, 0.125])
    assert prune_moves(strategy, 0.0).tolist() == strategy.tolist()
    assert prune_moves(strategy, 0.25).tolist() == strategy.tolist()
    assert prune_moves(strategy, 0.3).tolist() == [2 / 3, 0, 1 / 3, 0]
    assert prune_moves(strategy, 1.0).tolist() == [1, 0, 0, 0]


@pytest.mark.compiled("slow as Python")
def test_a_pruned_search_leaves_out_what_the_same_walks_play_seldom() -> None:
    task, question = jack_question()
    plain, pruned = (
        OosConfig(iterations=20_000, prune=share)
        .searcher(task)
        .search(question, SearchBudget(), np.random.default_rng(1))
        for share in (0.0, 1.0)
    )
    assert 0 < plain.strategy.min() < plain.strategy.max()
    assert pruned.strategy.tolist() == (plain.strategy == plain.strategy.max()).tolist()
    assert pruned.visits.tolist() == plain.visits.tolist()
