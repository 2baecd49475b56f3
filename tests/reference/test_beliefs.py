"""The slow beliefs against values computed by hand, and against all histories of small games.

The tests of what a random procedure does on average are exact: `outcomes` runs it once for every way its rng can fall.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest

from tests.reference.beliefs import (
    History,
    HyperGame,
    Record,
    chi_squared,
    choices,
    first_unexplained_round,
    history_of,
    hyperplay,
    infoset,
    play_round,
    random_sample,
    record_of,
    uniform,
)
from tests.reference.naive import NaiveGame
from tests.support.games import naive
from tests.support.naive_play import play, record

FALSE_ALARM = 1e-3  # of each test of a distribution, were its seed not fixed

NOTHING: frozenset[str] = frozenset()

# random hides a, b or c; a round later ann is told whether it was a. Then nothing happens for two rounds.
PICK = NaiveGame("""
(role random) (role ann) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (box a) (box b) (box c)
(<= (legal random (hide ?b)) (box ?b) (true (round 1)))
(<= (legal random noop) (not (true (round 1))))
(legal ann noop)
(<= (sees ann found) (true (round 2)) (true (hidden a)))
(<= (next (hidden ?b)) (or (does random (hide ?b)) (true (hidden ?b))))
(<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
(<= terminal (true (round 5)))
(goal ann 100) (goal random 0)
""")
FOUND = (("noop", NOTHING), ("noop", frozenset({"found"})))

# random goes on or stops the game, and nobody is told by a percept. With three ways to go on and one to stop.
STOP = NaiveGame("""
(role random) (role ann) (init start) (go 1) (go 2) (go 3)
(<= (legal random (go ?n)) (go ?n) (not (true two)))
(<= (legal random stop) (not (true two)))
(<= (legal random noop) (true two))
(legal ann noop)
(<= (next one) (true start) (not (does random stop)))
(<= (next two) (true one) (not (does random stop)))
(<= (next over) (does random stop))
(<= (next over) (true two))
(<= terminal (true over))
(goal ann 100) (goal random 0)
""")


def monty(doors: int) -> tuple:
    """What the contestant was told who chose door 1 and has seen all others but door 2 open."""
    opened = tuple(("noop", frozenset({str(door)})) for door in range(3, doors + 1))
    return (("(choose 1)", NOTHING), *opened)


def shares(game: NaiveGame, members: dict, role: str, round_number: int) -> dict[str, Fraction]:
    """How likely each move of a role in a round is, by an infoset."""
    result: dict[str, Fraction] = defaultdict(Fraction)
    for history, share in members.items():
        result[history[round_number - 1][game.roles.index(role)]] += share
    return dict(result)


# Every way an rng can fall


class Script(random.Random):
    """Stands in for random.Random. Each call has equally likely outcomes and takes the one the script says."""

    def __init__(self, script: tuple[int, ...]) -> None:
        super().__init__()
        self.script = script
        self.sizes: list[int] = []  # how many outcomes each call had

    def _outcome(self, size: int) -> int:
        self.sizes.append(size)
        return self.script[len(self.sizes) - 1] if len(self.sizes) <= len(self.script) else 0

    def choice(self, items: Any) -> Any:
        return items[self._outcome(len(items))]

    def shuffle(self, items: Any) -> None:
        items[:] = list(permutations(items))[self._outcome(factorial(len(items)))]


def outcomes(run: Callable[[Script], Any]) -> dict[Any, Fraction]:
    """Return the exact probability of each result of a procedure that takes an rng."""
    result: dict[Any, Fraction] = defaultdict(Fraction)
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        script, share = waiting.pop()
        rng = Script(script)
        value = run(rng)
        if len(rng.sizes) == len(script):
            result[value] += share
        else:
            size = rng.sizes[len(script)]
            waiting += [((*script, outcome), share / size) for outcome in range(size)]
    return dict(result)


def mean(distribution: dict[int, Fraction]) -> Fraction:
    return sum((value * share for value, share in distribution.items()), Fraction(0))


def test_outcomes_are_those_of_two_coins() -> None:
    heads = outcomes(lambda rng: sum(rng.choice([0, 1]) for _ in range(2)))
    assert heads == {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}


# Records


def test_a_record_holds_own_moves_and_percepts_only() -> None:
    game = naive("monty_hall")
    rounds = play(
        game,
        {"random": "(hide_car 2)", "contestant": "(choose 1)"},
        {"random": "(open_door 3)"},
        {"contestant": "switch"},
    )
    history = [entry.joint for entry in rounds]
    told = (("(choose 1)", NOTHING), ("noop", frozenset({"3"})), ("switch", frozenset({"2"})))
    assert record_of(game, history, "contestant") == record(rounds, "contestant") == told
    assert record_of(game, history, "random") == (
        ("(hide_car 2)", NOTHING),
        ("(open_door 3)", NOTHING),
        ("noop", NOTHING),
    )
    assert record_of(game, history_of(game, history), "contestant") == told


# The whole infoset


@pytest.mark.parametrize("doors", [3, 4, 5])
def test_the_car_is_behind_the_other_door_with_all_the_probability_of_the_opened_ones(doors: int) -> None:
    game = naive(f"monty_hall(doors={doors})")
    members = infoset(game, "contestant", monty(doors))
    assert shares(game, members, "random", 1) == {
        "(hide_car 1)": Fraction(1, doors),
        "(hide_car 2)": Fraction(doors - 1, doors),
    }
    assert len(members) == 2


def test_before_a_door_opens_the_car_is_anywhere() -> None:
    game = naive("monty_hall")
    members = infoset(game, "contestant", monty(2))
    assert shares(game, members, "random", 1) == {f"(hide_car {door})": Fraction(1, 3) for door in (1, 2, 3)}


def test_the_policy_is_not_asked_about_random() -> None:
    def refuse(role: str, record: tuple, legal: list[str]) -> dict[str, Fraction]:
        raise AssertionError(role)

    game = naive("monty_hall")
    members = infoset(game, "contestant", monty(3), policy=refuse)
    assert sorted(members.values()) == [Fraction(1, 3), Fraction(2, 3)]


def test_who_waits_does_not_know_the_wire_and_who_asks_does() -> None:
    game = naive("exploding_bomb")
    start = (("noop", NOTHING),)
    half = {"(arm red)": Fraction(1, 2), "(arm blue)": Fraction(1, 2)}
    assert shares(game, infoset(game, "agent", start), "random", 1) == half
    assert shares(game, infoset(game, "agent", (*start, ("wait", NOTHING))), "random", 1) == half
    asked = infoset(game, "agent", (*start, ("ask", frozenset({"red"}))))
    assert asked == {(("(arm red)", "noop"), ("noop", "ask")): 1}


@pytest.mark.parametrize("own", ["jack", "queen", "king"])
def test_the_opponent_has_either_of_the_other_two_cards_in_kuhn_poker(own: str) -> None:
    game = naive("kuhn_poker")
    told = (("noop", frozenset({f"(card {own})"})), ("noop", NOTHING))
    members = infoset(game, "first", told)
    others = {"jack", "queen", "king"} - {own}
    assert shares(game, members, "random", 2) == {f"(deal {card})": Fraction(1, 2) for card in others}


def test_a_policy_of_the_opponent_turns_a_bet_into_news() -> None:
    # First always bets the king, the jack one time in three, the queen never: 1 : 1/3 against a queen.
    bets = {"(card king)": Fraction(1), "(card queen)": Fraction(0), "(card jack)": Fraction(1, 3)}

    def bluffs(role: str, record: tuple, legal: list[str]) -> dict[str, Fraction]:
        if legal == ["noop"]:
            return {"noop": Fraction(1)}
        assert (role, legal) == ("first", ["bet", "pass"])
        [card] = record[0][1]
        return {"bet": bets[card], "pass": 1 - bets[card]}

    game = naive("kuhn_poker")
    for own, expected in {
        "queen": {"(deal king)": Fraction(3, 4), "(deal jack)": Fraction(1, 4)},
        "jack": {"(deal king)": 1, "(deal queen)": 0},
    }.items():
        told = (("noop", NOTHING), ("noop", frozenset({f"(card {own})"})), ("noop", frozenset({"(played first bet)"})))
        assert shares(game, infoset(game, "second", told, policy=bluffs), "random", 1) == expected
        assert set(shares(game, infoset(game, "second", told), "random", 1).values()) == {Fraction(1, 2)}


def test_a_policy_that_explains_nothing_is_refused() -> None:
    game = naive("kuhn_poker")
    told = (("noop", NOTHING), ("noop", frozenset({"(card queen)"})), ("noop", frozenset({"(played first bet)"})))
    with pytest.raises(ValueError, match="policy"):
        infoset(game, "second", told, policy=lambda role, record, legal: {legal[-1]: Fraction(1)})


def test_everybody_knows_whether_the_game_is_over() -> None:
    quiet = ("noop", NOTHING)
    go = [("(go 1)", "noop"), ("(go 2)", "noop"), ("(go 3)", "noop")]
    stop = ("stop", "noop")
    assert infoset(STOP, "ann", (quiet,)) == {(joint,): Fraction(1, 3) for joint in go}
    assert infoset(STOP, "ann", (quiet,), over=True) == {(stop,): 1}
    # The first round did not end the game, or there were no second.
    assert set(infoset(STOP, "ann", (quiet, quiet))) == set(product(go, go))
    assert set(infoset(STOP, "ann", (quiet, quiet), over=True)) == set(product(go, [stop]))
    assert set(infoset(STOP, "ann", (quiet, quiet, quiet), over=True)) == set(product(go, go, [("noop", "noop")]))
    assert infoset(STOP, "ann", (quiet, quiet, quiet)) == {}
    assert infoset(STOP, "ann", ()) == {(): 1}
    assert infoset(STOP, "ann", (), over=True) == {}


def marks(cells: list[tuple[int, int]]) -> list[str]:
    return [f"(mark {x} {y})" for x, y in cells]


def test_after_a_mark_in_the_middle_the_opponent_of_krieg_tictactoe_holds_one_of_the_other_cells() -> None:
    # By hand: x has marked one of 9 cells. If o's try of the middle succeeds, it is one of the 8 others; if not, it is
    # the middle. If x then needs one more round, x has tried the middle, the only taken cell that x had not tried.
    game = naive("krieg_tictactoe")
    outside = [(x, y) for x, y in product((1, 2, 3), repeat=2) if (x, y) != (2, 2)]
    middle = "(mark 2 2)"
    yours = ("noop", frozenset({"your_turn"}))
    marked, taken = (middle, frozenset({"marked"})), (middle, frozenset({"taken"}))

    assert infoset(game, "oplayer", (yours,)) == uniform([((mark, "noop"),) for mark in marks([*outside, (2, 2)])])
    assert infoset(game, "oplayer", (yours, taken)) == {((middle, "noop"), ("noop", middle)): 1}
    assert infoset(game, "oplayer", (yours, marked)) == uniform(
        [((mark, "noop"), ("noop", middle)) for mark in marks(outside)]
    )
    pairs = list(permutations(marks(outside), 2))
    assert infoset(game, "oplayer", (yours, marked, yours)) == uniform(
        [((first, "noop"), ("noop", middle), (second, "noop")) for first, second in pairs]
    )
    assert infoset(game, "oplayer", (yours, marked, ("noop", NOTHING), yours)) == uniform(
        [((first, "noop"), ("noop", middle), (middle, "noop"), (second, "noop")) for first, second in pairs]
    )


def all_histories(game: NaiveGame, rounds: int) -> list[tuple[History, frozenset[str], Fraction]]:
    """All histories of up to so many rounds, each with its last state and its probability if all play uniformly."""
    found: list[tuple[History, frozenset[str], Fraction]] = []
    newest: list[tuple[History, frozenset[str], Fraction]] = [((), game.initial(), Fraction(1))]
    for _ in range(rounds + 1):
        found += newest
        grown = []
        for history, state, share in newest:
            if not game.terminal(state):
                joints = list(product(*(sorted(game.legal(state)[role]) for role in game.roles)))
                share /= len(joints)
                grown += [((*history, joint), play_round(game, state, joint)[1], share) for joint in joints]
        newest = grown
    return found


@pytest.mark.parametrize(
    ("spec", "rounds"),
    [
        ("monty_hall", 3),
        ("exploding_bomb", 3),
        ("cooperative_spies", 4),
        ("kuhn_poker", 5),
        ("matching_pennies", 2),
        ("mastermind(pegs=2, colours=2, guesses=2)", 2),
        ("krieg_tictactoe", 2),
    ],
)
def test_infosets_are_the_classes_of_histories_with_an_equal_record(spec: str, rounds: int) -> None:
    """The role's own choices are part of the probabilities here, as in (5).

    That makes no difference as long as the role knows its legal moves. `random` need not know them and is left out.
    """
    game = naive(spec)
    histories = all_histories(game, rounds)
    for role in set(game.roles) - {"random"}:
        classes: dict[tuple[Record, bool], dict[History, Fraction]] = defaultdict(dict)
        for history, state, share in histories:
            classes[record_of(game, history, role), game.terminal(state)][history] = share
        for number, ((told, over), weights) in enumerate(classes.items()):
            if number % max(1, len(classes) // 20) == 0:  # the naive evaluator is slow: at most some 20 of each role
                total = sum(weights.values())
                expected = {history: weight / total for history, weight in weights.items()}
                assert infoset(game, role, told, over) == expected


# Records that nothing explains


def test_a_corrupt_record_is_reported_with_the_right_round() -> None:
    game = naive("monty_hall")
    chosen = ("(choose 1)", NOTHING)
    assert first_unexplained_round(game, "contestant", monty(3)) is None
    assert first_unexplained_round(game, "contestant", ()) is None
    assert first_unexplained_round(game, "contestant", (("(choose 4)", NOTHING),)) == 1  # no such door
    assert first_unexplained_round(game, "contestant", (chosen, ("noop", frozenset({"1"})))) == 2  # the own door opens
    assert first_unexplained_round(game, "contestant", (chosen, ("noop", NOTHING))) == 2  # no door opens
    assert first_unexplained_round(game, "contestant", (*monty(3), ("noop", frozenset({"3"})))) == 3  # car in open door
    ended = (*monty(3), ("switch", frozenset({"2"})))
    assert first_unexplained_round(game, "contestant", ended, over=True) is None
    assert first_unexplained_round(game, "contestant", ended) == 3  # three rounds and no end
    assert first_unexplained_round(game, "contestant", monty(3), over=True) == 2  # an end after two


def test_a_record_may_become_impossible_although_each_round_alone_is_possible() -> None:
    game = naive("krieg_tictactoe")
    taken = frozenset({"taken"})
    told = (("noop", frozenset({"your_turn"})), ("(mark 1 1)", taken), ("(mark 2 2)", taken))
    assert first_unexplained_round(game, "oplayer", told) == 3  # x has only one mark
    assert infoset(game, "oplayer", told) == {}
    history, visited = hyperplay(game, "oplayer", told, random.Random(1))
    assert history is None
    # In the end every first mark was tested, each one congruent and followed by a failure in the second round or,
    # for (mark 1 1), in the third.
    assert sum(visited) == 9 + 9 + 1
    assert random_sample(game, "oplayer", told, random.Random(1), tries=3)[0] is None


# HyperPlay


def test_hyperplay_backtracks_until_the_hidden_box_is_found() -> None:
    """By hand: a is the first, second or third box tried. Each wrong one costs its second round and the next guess."""
    both = outcomes(lambda rng: tuple(hyperplay(PICK, "ann", FOUND, rng)[1]))
    assert both == {(1, 1): Fraction(1, 3), (1, 3): Fraction(1, 3), (1, 5): Fraction(1, 3)}
    assert outcomes(lambda rng: hyperplay(PICK, "ann", FOUND, rng)[0]) == {(("(hide a)", "noop"), ("noop", "noop")): 1}


def test_hyperplay_on_monty_hall_visits_as_many_states_as_counted_by_hand() -> None:
    """Car behind 1: door 3 is the first or second opened, 1.5 states. Behind 2: 1 state.

    Behind 3: one state fails, one hides the car anew, and then it is one of the cases above, 3.25 states. So 23/12.
    """
    game = naive("monty_hall")
    visited = outcomes(lambda rng: hyperplay(game, "contestant", monty(3), rng)[1][1])
    assert visited == {1: Fraction(1, 2), 2: Fraction(1, 6), 3: Fraction(1, 4), 4: Fraction(1, 12)}
    assert mean(visited) == Fraction(23, 12)


def test_hyperplay_never_tests_a_bad_move_twice() -> None:
    """By hand, four doors, 1 chosen, 3 opened, then (impossibly) 1: everything within the first two rounds is tested.

    4 places for the car; 3, 2, 2 and 2 doors to open first; after door 3 with the car behind 1, 2 and 4: 2, 1 and 1.
    """
    game = naive("monty_hall(doors=4)")
    told = (*monty(3), ("noop", frozenset({"1"})))
    for seed in range(10):
        history, visited = hyperplay(game, "contestant", told, random.Random(seed))
        assert history is None
        assert sum(visited) == 4 + 9 + 4


def test_hyperplay_does_not_sample_by_the_posterior() -> None:
    """Both doors are found equally often (section 5.2) while the posterior is 1/3 and 2/3: weights must repair it."""
    game = naive("monty_hall")
    found = outcomes(lambda rng: hyperplay(game, "contestant", monty(3), rng)[0])
    assert shares(game, found, "random", 1) == {"(hide_car 1)": Fraction(1, 2), "(hide_car 2)": Fraction(1, 2)}


KRIEG_RECORD = (
    ("noop", frozenset({"your_turn"})),
    ("(mark 2 2)", frozenset({"marked"})),
    ("noop", frozenset({"your_turn"})),
    ("(mark 1 1)", frozenset({"taken"})),
)


@pytest.mark.parametrize(
    ("spec", "role", "told", "size", "seeds"),
    [
        ("monty_hall(doors=4)", "contestant", monty(3), 3, 60),
        ("kuhn_poker", "first", (("noop", frozenset({"(card jack)"})), ("noop", NOTHING)), 2, 30),
        ("krieg_tictactoe", "oplayer", KRIEG_RECORD, 14, 120),
    ],
)
def test_hyperplay_finds_every_member_of_the_infoset_and_nothing_else(
    spec: str, role: str, told: tuple, size: int, seeds: int
) -> None:
    # Of krieg_tictactoe by hand: x holds (1 1) since the first or the second mark, and one of 7 cells besides.
    game = naive(spec)
    members = infoset(game, role, told)
    assert len(members) == size
    found = [hyperplay(game, role, told, random.Random(seed))[0] for seed in range(seeds)]
    assert set(found) == set(members)


def test_hyperplay_knows_whether_the_game_is_over() -> None:
    quiet = ("noop", NOTHING)
    for rounds, over in product(range(5), (False, True)):
        told = (quiet,) * rounds
        found = {hyperplay(STOP, "ann", told, random.Random(seed), over=over)[0] for seed in range(60)}
        members: set[History | None] = set(infoset(STOP, "ann", told, over))
        assert found == (members or {None})


def test_the_same_seed_gives_the_same_model() -> None:
    game = naive("krieg_tictactoe")
    first, second = (hyperplay(game, "oplayer", KRIEG_RECORD, random.Random(7)) for _ in range(2))
    assert first == second


def test_a_model_out_of_budget_goes_on_in_the_next_round() -> None:
    """By hand, if a is the last box tried: 1, 5 and 1 states; at most 2 a round leave the model behind for a while."""
    quiet = ("noop", NOTHING)
    told = (*FOUND, quiet)
    last = (permutations_with_a_last(),)
    assert hyperplay(PICK, "ann", told, Script(last))[1] == [1, 5, 1]
    model = HyperGame(PICK, "ann", Script(last))
    progress = [(model.update(move, percepts, budget=2), model.round) for move, percepts in told]
    assert progress == [(1, 1), (2, 1), (2, 1)]  # b and its failure, c; its failure, a; not yet the rest
    assert not model.lost
    assert (model.update("noop", NOTHING, is_last=True, budget=2), model.round) == (2, 3)
    assert hyperplay(PICK, "ann", told, Script(last), budget=2) == (None, [1, 2, 2])
    assert hyperplay(PICK, "ann", told, Script(last), budget=5)[0] is not None


def permutations_with_a_last() -> int:
    """The outcome of the first shuffle that puts the box a behind the others."""
    return next(number for number, order in enumerate(permutations("abc")) if order[-1] == "a")


# Random sampling


def test_random_sampling_restarts_from_the_root() -> None:
    """By hand: a try visits 2 states and succeeds with probability 1/3 * 1/2 + 1/3 = 1/2."""
    game = naive("monty_hall")
    for tries, success, cost in [(1, Fraction(1, 2), 2), (2, Fraction(3, 4), 3)]:
        results = outcomes(partial(random_sample, game, "contestant", monty(3), tries=tries))
        assert sum(share for (history, _), share in results.items() if history is not None) == success
        assert sum(share * visited for (_, visited), share in results.items()) == cost


def test_one_random_try_succeeds_in_proportion_to_the_posterior() -> None:
    game = naive("monty_hall(doors=4)")
    results = outcomes(lambda rng: random_sample(game, "contestant", monty(4), rng, tries=1)[0])
    failed = results.pop(None)
    assert {history: share / (1 - failed) for history, share in results.items()} == infoset(
        game, "contestant", monty(4)
    )


def test_random_sampling_knows_whether_the_game_is_over() -> None:
    quiet = ("noop", NOTHING)
    for rounds, over in product(range(5), (False, True)):
        told = (quiet,) * rounds
        found = outcomes(partial(random_sample, STOP, "ann", told, tries=1, over=over))
        assert {history for history, _ in found} - {None} == set(infoset(STOP, "ann", told, over))


def test_random_samples_are_distributed_as_the_posterior() -> None:
    """False alarm with probability FALSE_ALARM for another seed."""
    game, rng = naive("monty_hall(doors=4)"), random.Random(20190)
    members = infoset(game, "contestant", monty(4))
    counts = Counter(random_sample(game, "contestant", monty(4), rng, tries=1000)[0] for _ in range(400))
    assert chi_squared(counts, members)[1] > FALSE_ALARM
    assert chi_squared(counts, uniform(members))[1] < 1e-6  # so many samples can tell 1/4 and 3/4 from halves


# Pearson's test


def test_the_statistic_and_its_probability_are_those_of_the_tables() -> None:
    # A die thrown 60 times: the differences from 10 are -5, -2, -1, -2, 0, 10. Tables: 11.07 has 5 % with 5 degrees.
    counts = dict(zip("abcdef", (5, 8, 9, 8, 10, 20), strict=True))
    statistic, chance = chi_squared(counts, uniform("abcdef"))
    assert statistic == pytest.approx(13.4)
    assert chance == pytest.approx(0.0199, abs=1e-4)
    # Against 3 : 1, Mendel's round and wrinkled peas of 1865: 5474 and 1850, chi squared 0.263.
    peas = {"round": 5474, "wrinkled": 1850}
    statistic, chance = chi_squared(peas, {"round": Fraction(3, 4), "wrinkled": Fraction(1, 4)})
    assert statistic == pytest.approx(0.263, abs=1e-3)
    assert chance == pytest.approx(0.608, abs=1e-3)


def test_what_was_never_sampled_counts_and_what_cannot_be_sampled_is_refused() -> None:
    assert chi_squared({"a": 10}, uniform("ab")) == (10.0, pytest.approx(0.00157, abs=1e-5))
    assert chi_squared({"a": 9, "x": 1}, uniform("ab")) == (float("inf"), 0.0)
    assert chi_squared({"a": 9, "b": 1}, {"a": 1, "b": 0}) == (float("inf"), 0.0)
    assert chi_squared({"a": 10}, {"a": Fraction(1)}) == (0.0, 1.0)


def test_nobody_but_the_role_itself_is_held_to_the_record() -> None:
    game = naive("monty_hall")
    start = game.initial()
    doors = ["1", "2", "3"]
    assert choices(game, start, "contestant", "(choose 1)") == [[f"(hide_car {d})" for d in doors], ["(choose 1)"]]
    assert choices(game, start, "contestant", "switch") == [[f"(hide_car {d})" for d in doors], []]
