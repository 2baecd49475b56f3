"""A review: its figures against known values, its findings on games with known slips."""

from math import log2

import numpy as np
import pytest

import veil
from tests.support.refusals import refused
from tests.support.rule_texts import SLIPS
from veil.review import tally_random_games
from veil.review.findings import find_telling, find_unfair, find_unused
from veil.review.hidden import measure_hidden
from veil.review.seats import EQUAL, SeatContest, SeatReport, judge_contest, judge_random, name_seats

SMALL = veil.ReviewConfig(games=128, player="random", other="random", matches=6, seconds=600.0)


def equal_players(game: veil.Game, spec: str, matches: int) -> SeatReport:
    """Matches of a player against itself."""
    seats = name_seats(game, spec)
    contest = SeatContest(kind=EQUAL, specs=seats, play=spec, matches=matches, seed=0, max_rounds=10, seconds=600.0)
    return judge_contest(game, contest)


@pytest.mark.compiled("slow as Python")
def test_findings_name_the_slips_of_a_game_and_their_lines():
    review = veil.review_game(veil.load(SLIPS), SMALL)
    found = {(entry.code, entry.place.line if entry.place else None) for entry in review.findings}
    assert {
        ("review-idle-turn", 5),
        ("review-silent-rule", 9),
        ("review-goal-unreached", 13),
        ("review-told-nothing", 11),
    } <= found
    told = [entry for entry in review.findings if entry.code == "review-told-nothing"]
    assert [entry.message for entry in told] == ["b is never told anything"]


@pytest.mark.compiled("slow as Python")
def test_a_review_of_a_sound_game_has_its_figures():
    review = veil.review_game("kuhn_poker", SMALL)
    data = review.as_json()
    assert data["exact"]["value"]["first"] == pytest.approx(-1 / 18, abs=1e-4)
    assert data["state"] == "done"
    assert data["length"] == {"mean": pytest.approx(4.25, abs=0.1), "min": 4, "max": 5}
    assert data["branching"]["first"] == 2.0
    assert data["hidden"]["first"]["bits_by_round"] == [0.0, 1.0, 1.0, 1.0, 1.0]  # the other's card: one of two
    assert data["hidden"]["second"]["bits_by_round"][0] == pytest.approx(log2(3))
    assert [report["kind"] for report in data["seats"]] == ["random", "equal", "skill", "skill", "others"]
    assert not [entry for entry in review.findings if entry.severity != "note"]
    assert "hidden from first" in review.as_text()


@pytest.mark.compiled("slow as Python")
def test_a_percept_that_says_all_and_one_that_says_nothing():
    game = veil.load("exploding_bomb")
    tally = tally_random_games(game, 128, 0, 20)
    hidden = measure_hidden(game, 64, 0, max_rounds=20, max_worlds=1000, deadline=float("inf"))
    codes = {entry.code: entry.message for entry in find_telling(game, tally, hidden)}
    assert codes["review-percept-full"] == "agent knows the whole state whenever it sees: blue, red"
    text = SLIPS.replace("(sees a (took ?n)) (does b (take ?n))", "(sees a hello) (true (step ?n))")
    game = veil.load(text)
    tally = tally_random_games(game, 16, 0, 20)
    hidden = measure_hidden(game, 8, 0, max_rounds=20, max_worlds=1000, deadline=float("inf"))
    codes = {entry.code: entry.message for entry in find_telling(game, tally, hidden)}
    assert codes["review-percept-empty"] == "a learns nothing from: hello"


def test_bits_are_those_of_the_exact_belief():
    """Against `veil.believe` on the same random game."""
    game = veil.load("krieg_tictactoe")
    rng = np.random.default_rng(3)
    hidden = measure_hidden(game, 1, 3, max_rounds=3, max_worlds=10_000, deadline=float("inf"))
    machine, states = game.machine, game.machine.initial_states()
    records = {role: game.record(role) for role in game.roles}
    for number in range(1, 4):
        legal = [np.flatnonzero(bits[0]) for bits in machine.legal_bits(machine.judge(states))]
        joint = np.array([moves[rng.integers(len(moves))] for moves in legal])
        stepped = machine.step(states, joint[None, :])
        states = stepped.states
        for role_id, role in enumerate(game.roles):
            seen = game.names.percept_words(role_id, stepped.percepts[role_id][0])
            records[role] = records[role].then(game.names.moves[role_id][joint[role_id]], seen)
            bag = veil.believe(game, records[role], "exact")
            shares: dict[bytes, float] = {}
            for state, weight in zip(bag.states, bag.weights, strict=True):
                shares[state.tobytes()] = shares.get(state.tobytes(), 0.0) + weight
            expected = -sum(share * log2(share) for share in shares.values())
            assert hidden[role].bits[number] == [pytest.approx(expected, abs=1e-9)]


def test_seats_are_judged_by_play():
    report = equal_players(veil.load("matching_pennies"), "first", 3)
    assert report.games == 3
    assert report.lengths == {1: 1.0}
    assert all(len(moves) == 1 for moves in report.moves.values())


@pytest.mark.compiled("slow as Python")
def test_a_review_that_is_stopped_keeps_what_is_there():
    steps = []

    def listen(review, task, share):
        steps.append((task, share))
        if task == "solving":
            raise KeyboardInterrupt

    review = veil.review_game("matching_pennies", SMALL, listen=listen)
    assert review.state == "interrupted"
    assert review.solved is None
    assert review.hidden
    assert "It was stopped" in " ".join(review.page().notes)
    assert [task for task, _ in steps] == ["random games", "rules that never fire", "what is hidden", "solving"]
    assert all(0 <= share < 1 for _, share in steps)


def test_unequal_seats_are_said_and_equal_ones_are_not():
    game = veil.load("matching_pennies")
    goals = [np.array([100.0, 0.0])] * 30 + [np.array([0.0, 100.0])] * 3
    assert [entry.code for entry in find_unfair(judge_random(game, goals, [1] * 33))] == ["review-seats"]
    goals = [np.array([100.0, 0.0]), np.array([0.0, 100.0])] * 10
    report: SeatReport = judge_random(game, goals, [1] * 20)
    assert list(find_unfair(report)) == []
    assert report.draws == 0.0


def test_moves_that_a_player_never_chooses_are_named():
    game = veil.load("matching_pennies")
    tally = tally_random_games(game, 64, 0, 10)
    report = equal_players(game, "first", 6)
    messages = [entry.message for entry in find_unused(game, tally, report)]
    assert len(messages) == 2
    assert all("never chosen by first in 6 matches" in message for message in messages)


def test_amounts_beyond_their_limits_are_refused():
    refused("bad-limit", lambda: veil.ReviewConfig(games=0))
    refused("unknown-player", lambda: veil.ReviewConfig(player="nobody"))
