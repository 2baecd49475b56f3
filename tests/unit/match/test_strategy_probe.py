"""Asking players: what they are told on the way, which strategy counts, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.support.equilibrium_games import prepared
from tests.support.refusals import refused
from veil.equilibrium.histories import list_infoset_histories, records_in_words, slot_move_ids, slot_moves
from veil.equilibrium.online_players import SearchedInfosets, StrategyTable
from veil.match import strategy_probe
from veil.match.exploitability import ExploitConfig, make_question_tasks, make_row
from veil.match.search_store import SearchKey
from veil.match.strategy_probe import Finding, QuestionTask, Subject, ask_player
from veil.players.contract import Observation, Seat
from veil.search.walks.contract import InfosetView

KUHN = "kuhn_poker"


class Scripted:
    """Plays its first legal move, says what a test wants, and writes down what it is told."""

    report_: Any = None

    def __init__(self) -> None:
        self.told: list[tuple[str, Observation | None]] = []
        self.stopped = 0

    def start(self, seat: Seat) -> None:
        self.seat = seat

    def offer(self, legal: list[str]) -> None:
        self.legal = legal

    def play(self, observation: Observation | None) -> Any:
        self.told.append(("play", observation))
        return self.legal[0]

    def stop(self, observation: Observation | None) -> None:
        self.stopped += 1

    def report(self) -> Any:
        return self.report_


class Listener(Scripted):
    """The same, and it can be told without being asked."""

    def observe(self, observation: Observation | None) -> None:
        self.told.append(("observe", observation))


class Knowing(Listener):
    """Knows a strategy for every infoset of the game, after one, two, three, ... visits."""

    def known(self) -> Iterator[InfosetView]:
        tree = prepared(KUHN).tree
        moves = slot_move_ids(tree)
        for role, role_id in enumerate(tree.role_ids):
            for infoset in tree.infosets_of(role):
                own = moves[list(tree.slots_in(infoset))]
                mean, nothing = np.array([0.25, 0.75]), np.zeros(2)
                visits = np.array([infoset, 1])
                key = int(tree.flat.infoset_key[infoset])
                yield InfosetView(role_id, key, own, mean, nothing, nothing, visits)


def ask(player: Any, monkeypatch: pytest.MonkeyPatch, task: QuestionTask) -> Finding:
    monkeypatch.setattr(strategy_probe, "make_player", lambda spec, files: player)
    return ask_player(task)


def task_at(record: str, role: int = 0, strategy: Any = "played") -> QuestionTask:
    tree = prepared(KUHN).tree
    own = tree.infosets_of(role)
    infoset = own[records_in_words(tree)[own.start : own.stop].index(record)]
    return QuestionTask(
        game=tree.game,
        subject=Subject(spec="random", strategy=strategy),
        role=tree.roles[role],
        seed=5,
        key=SearchKey(0, infoset),
        history=list_infoset_histories(tree)[infoset],
    )


def late_record() -> str:
    """The longest record at which the first role of Kuhn poker decides."""
    tree = prepared(KUHN).tree
    return max(records_in_words(tree)[: tree.infosets_of(0).stop], key=len)


def test_a_player_is_told_the_record_and_asked_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    player, record = Listener(), late_record()
    ask(player, monkeypatch, task_at(record))
    assert [what for what, _ in player.told] == ["observe"] * (len(record.split("; "))) + ["play"]
    words = [told for _, told in player.told]
    assert words[0] is None
    shown = [f"{told.own_move}: {' '.join(told.percepts)}".rstrip(": ") for told in words[1:] if told is not None]
    assert "; ".join(shown) == record


def test_a_player_that_cannot_listen_is_asked_in_every_round(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = Listener(), Scripted()
    found = [ask(player, monkeypatch, task_at(late_record())) for player in (one, other)]
    assert [told for _, told in one.told] == [told for _, told in other.told]
    assert {what for what, _ in other.told} == {"play"}
    assert [len(finding.strategies) for finding in found] == [1, 1]  # only the last question counts


def test_the_strategy_that_is_reported_counts_and_not_the_move(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, player = prepared(KUHN).tree, Scripted()
    for name in ("strategy", "policy"):
        player.report_ = {name: {"bet": 3.0, "pass": 1}}
        task = task_at("noop: (card king); noop")
        row = make_row(SearchedInfosets(prepared(KUHN)), task, ask(player, monkeypatch, task))
        words = [slot_moves(tree)[slot] for slot in row.found.slots.tolist()]
        assert dict(zip(words, row.found.weights.tolist(), strict=True)) == {"bet": 0.75, "pass": 0.25}
        assert row.reported
        assert set(row.found.slots.tolist()) == set(tree.slots_in(task.key.place))


def test_the_move_stands_for_a_strategy_that_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Scripted()
    for report in (None, {}, {"values": {"bet": 1.0}}):
        player.report_ = report
        (found,) = ask(player, monkeypatch, task_at("noop: (card king); noop")).strategies
        assert (found.reported, found.table.weights.tolist()) == (False, [1.0])


def test_what_a_player_knows_of_its_own_role_counts_with_its_visits(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a match: at the infoset where it is asked and below. By brute force: at that infoset alone."""
    searched = SearchedInfosets(prepared(KUHN))
    tree = prepared(KUHN).tree
    task = task_at("noop: (card king); noop", strategy="mean")
    row = make_row(searched, task, ask(Knowing(), monkeypatch, task))
    visits = task.key.place + 1
    assert row.found.slots.tolist() == list(tree.slots_in(task.key.place))
    assert row.found.weights == pytest.approx([0.25 * visits, 0.75 * visits])
    match = QuestionTask(game=tree.game, subject=task.subject, role="first", seed=5, key=SearchKey(0, 0))
    player = Knowing()
    finding = ask(player, monkeypatch, match)
    row = make_row(searched, match, finding)
    reached = {infoset for infoset in tree.infosets_of(0) if set(tree.slots_in(infoset)) & set(row.found.slots)}
    assert len(reached) == 2  # of six: the first decision with one card, and the one that may follow
    assert player.stopped == 1
    first = min(reached)
    assert sum(row.found.weights[:2]) == pytest.approx((first + 1) * 1.0)


class Telling(Knowing):
    """Tells a table of which one infoset was visited ten times, and the sums of its search."""

    def strategies(self) -> StrategyTable:
        key = prepared(KUHN).tree.flat.infoset_key[task_at("noop: (card king); noop").key.place]
        return StrategyTable(
            np.array([key]), np.array([0, 2]), np.array([0, 1]), np.array([4.0, 6.0]), np.array([70.0, 30.0])
        )


@pytest.mark.parametrize(
    ("weights", "least", "wanted"), [("visits", 10, [4.0, 6.0]), ("sums", 0, [70.0, 30.0]), ("sums", 11, [])]
)
def test_strategies_count_by_visits_or_by_sums_if_they_were_visited_enough(
    weights: Any, least: int, wanted: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    task = task_at("noop: (card king); noop", strategy="mean")
    subject = replace(task.subject, weights=weights, least_visits=least)
    (found,) = ask(Telling(), monkeypatch, replace(task, subject=subject)).strategies
    assert found.table.weights.tolist() == wanted


def test_a_match_seats_the_player_in_its_role_and_draws_the_others_from_the_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = prepared(KUHN).tree.game
    told = []
    for seed in (5, 5, 6, 7, 8, 9):
        player = Scripted()
        subject = Subject(spec="random", strategy="played")
        ask(
            player, monkeypatch, QuestionTask(game=game, subject=subject, role="second", seed=seed, key=SearchKey(0, 1))
        )
        assert player.seat.role == "second"
        told.append(player.told)
    assert told[0] == told[1]
    assert len({str(entry) for entry in told}) > 2


class Failing(Scripted):
    """Fails when it is asked."""

    def play(self, observation: Observation | None) -> Any:
        raise ZeroDivisionError("oh")


class Lying(Scripted):
    """Answers with something that is no move."""

    answer: Any = "fly"

    def play(self, observation: Observation | None) -> Any:
        return super().play(observation) if self.legal == ["noop"] else self.answer


def test_a_player_that_fails_is_refused_with_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    task = task_at("noop: (card king); noop")
    message = refused("player-fails", lambda: ask(Failing(), monkeypatch, task))
    assert "ZeroDivisionError: oh" in message
    for answer in ("fly", "noop", None, 7):
        player = Lying()
        player.answer = answer
        message = refused("player-fails", lambda player=player: ask(player, monkeypatch, task))  # type: ignore[misc]
        assert "`noop: (card king); noop`" in message
        assert f"{answer} is not legal" in message


@pytest.mark.parametrize(
    "strategy",
    ["bet", [], {}, {"fly": 1.0}, {"noop": 1}, {"bet": "often"}, {"bet": -1}, {"bet": float("nan")}, {"bet": 0.0},
     {"bet": True}, {"bet": float("inf")}, {7: 1.0}],
    ids=str,
)  # fmt: skip
def test_a_strategy_that_is_none_is_refused(strategy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    player = Scripted()
    player.report_ = {"strategy": strategy}
    refused("player-fails", lambda: ask(player, monkeypatch, task_at("noop: (card king); noop")))


def test_players_of_one_number_share_a_seed_and_roles_do_not() -> None:
    tasks = list(make_question_tasks(prepared(KUHN), ExploitConfig(player="random", searches=2), {}))
    assert len(tasks) == 24
    seeds = {(task.key.number, task.role): task.seed for task in tasks}
    assert all(task.seed == seeds[task.key.number, task.role] for task in tasks)
    assert len(set(seeds.values())) == 4
