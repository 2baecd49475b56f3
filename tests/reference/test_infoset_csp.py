"""The slow samplers against all histories of small games, the examples of the text, and exact expectations.

Nothing here depends on luck: where a sampler draws, either all its outcomes are listed or the claim holds for each.
"""

import random
from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from typing import Any

import pytest

from tests.reference import infoset_csp, pogddl
from tests.reference.infoset_csp import (
    GdlGame,
    History,
    PlainGame,
    PogddlGame,
    Puzzle,
    Record,
    Stage,
    StageGraph,
    State,
    Variable,
    all_histories,
    all_samples,
    check_weights,
    csp_infoset,
    csp_sample,
    csp_samples,
    dfs_infoset,
    expectation,
    explains,
    infoset,
    init_graph,
    most_constrained,
    probability,
    propagate,
    random_variable,
    record_of,
    replay,
)
from tests.reference.naive import NaiveGame

GAMES = Path(__file__).parent / "pogddl_games"
WAIT = PogddlGame.WAIT
NOTHING: frozenset[str] = frozenset()


# Games


def text_of(name: str) -> str:
    return (GAMES / f"{name}.pog").read_text(encoding="utf-8")


def small_racko() -> str:
    """Two slots per player and five cards: all but the open card are on the racks."""
    domain = pogddl.show(pogddl.parse(text_of("racko3"))[0])
    return f"""{domain} (define (problem racko2) (:domain racko) (:objects a1 a2 b1 b2 - slot c1 c2 c3 c4 c5 - card)
        (:init (whoseturn chance) (phase dealing) (opponent p1 p2) (opponent p2 p1)
            (owns p1 a1) (owns p1 a2) (owns p2 b1) (owns p2 b2) (above a2 a1) (above b2 b1)
            (deal-at a1) (deal-after a2 a1) (deal-after b1 a2) (deal-after b2 b1) (deal-after open b2)
            (in-deck c1) (in-deck c2) (in-deck c3) (in-deck c4) (in-deck c5)
            (= (face c1) 1) (= (face c2) 2) (= (face c3) 3) (= (face c4) 4) (= (face c5) 5) (= (turns) 2)))"""


def short_racko() -> str:
    """Two slots per player and six cards, of which p1 has the 4 and the 2 from the start."""
    domain = pogddl.show(pogddl.parse(text_of("racko3"))[0])
    return f"""{domain} (define (problem short) (:domain racko) (:objects a1 a2 b1 b2 - slot c1 c2 c3 c4 c5 c6 - card)
        (:init (whoseturn chance) (phase dealing) (opponent p1 p2) (opponent p2 p1)
            (owns p1 a1) (owns p1 a2) (owns p2 b1) (owns p2 b2) (above a2 a1) (above b2 b1) (lies c4 a1) (lies c2 a2)
            (deal-at b1) (deal-after b2 b1) (deal-after open b2) (in-deck c1) (in-deck c3) (in-deck c5) (in-deck c6)
            (= (face c1) 1) (= (face c2) 2) (= (face c3) 3) (= (face c4) 4) (= (face c5) 5) (= (face c6) 6)
            (= (turns) 4)))"""


# The example of the text: a house card is dealt face down, and turned up after some moves that p1 does not see.
HOUSE = """(define (domain house) (:types role card) (:constants p1 p2 chance - role)
    (:predicates (whoseturn ?r - role) (house ?c - card) (up) (down)) (:functions (left))
    (:action deal :parameters (?c - card) :precondition (and (whoseturn chance) (not (exists (?d - card) (house ?d))))
        :effect (and (house ?c) (not (whoseturn chance)) (whoseturn p2) (observe (all (dealt unknown)))))
    (:action lift :precondition (and (whoseturn p2) (> (left) 0))
        :effect (and (up) (not (down)) (decrease (left) 1)
            (when (= (left) 1) (and (not (whoseturn p2)) (whoseturn chance))) (observe (p2 (lifted)))))
    (:action drop :precondition (and (whoseturn p2) (> (left) 0))
        :effect (and (down) (not (up)) (decrease (left) 1)
            (when (= (left) 1) (and (not (whoseturn p2)) (whoseturn chance))) (observe (p2 (dropped)))))
    (:action reveal :parameters (?c - card) :precondition (and (whoseturn chance) (house ?c))
        :effect (and (not (whoseturn chance)) (whoseturn p1) (observe (all (house ?c)))))
    (:action guess :parameters (?c - card) :precondition (whoseturn p1) :effect (not (whoseturn p1))))
    (define (problem house) (:domain house) (:objects c0 c1 c2 - card) (:init (whoseturn chance) (= (left) {moves})))"""

# Nature paints three nodes unseen, then p1 hears of each pair whether its colours differ.
COLOURS = """(define (domain colours) (:types role node colour pair) (:constants p1 chance - role none - node)
    (:predicates (whoseturn ?r - role) (at ?n - node) (after ?m ?n - node) (may ?n - node ?c - colour)
        (is ?n - node ?c - colour) (todo ?x ?y - node) (then ?x ?y ?v ?w - node))
    (:action paint :parameters (?n ?m - node ?c - colour) :precondition (and (at ?n) (after ?m ?n) (may ?n ?c))
        :effect (and (is ?n ?c) (not (at ?n)) (at ?m) (when (= ?m none) (todo n1 n2))))
    (:action compare :parameters (?x ?y ?v ?w - node) :precondition (and (todo ?x ?y) (then ?x ?y ?v ?w))
        :effect (and (not (todo ?x ?y)) (when (not (= ?v none)) (todo ?v ?w))
            (when (= ?v none) (and (not (whoseturn chance)) (whoseturn p1)))
            (forall (?c - colour) (when (and (is ?x ?c) (is ?y ?c)) (observe (p1 (same ?x ?y)))))))
    (:action stop :precondition (whoseturn p1) :effect (not (whoseturn p1))))
    (define (problem colours) (:domain colours) (:objects n1 n2 n3 - node red green blue - colour)
        (:init (whoseturn chance) (at n1) (after n2 n1) (after n3 n2) (after none n3)
            (then n1 n2 n1 n3) (then n1 n3 n2 n3) (then n2 n3 none none)
            (may n1 red) (may n1 green) (may n2 red) (may n2 green) (may n3 red) (may n3 green) {blue}))"""

# Nature goes left or right unseen. On the left there is one way on, on the right there are three.
FORK = """(define (domain fork) (:types role side way) (:constants p1 chance - role left right - side)
    (:predicates (whoseturn ?r - role) (start) (side ?s - side) (way ?s - side ?w - way) (went ?w - way))
    (:action turn :parameters (?s - side) :precondition (start) :effect (and (not (start)) (side ?s)))
    (:action walk :parameters (?s - side ?w - way) :precondition (and (side ?s) (way ?s ?w) (whoseturn chance))
        :effect (and (went ?w) (not (whoseturn chance)) (whoseturn p1)))
    (:action guess :parameters (?w - way) :precondition (whoseturn p1) :effect (not (whoseturn p1))))
    (define (problem fork) (:domain fork) (:objects w1 w2 w3 w4 - way)
        (:init (whoseturn chance) (start) (way left w1) (way right w2) (way right w3) (way right w4)))"""

# All three choose a bit at once, twice. Then ann hears whether the others agreed in both rounds; the game may end early
# if all three have the same bit.
MATCHING = """(role ann) (role bob) (role random) (bit 0) (bit 1) (init (round 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal ?r (choose ?b)) (role ?r) (bit ?b) (not (true (round 3))))
    (<= (legal ?r noop) (role ?r) (true (round 3)))
    (<= agree (does bob (choose ?b)) (does random (choose ?b)))
    (<= (next (agreed ?n)) (true (round ?n)) agree)
    (<= (next (agreed ?n)) (true (agreed ?n)))
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= (next over) (does ann (choose ?b)) (does bob (choose ?b)) (does random (choose ?b)))
    (<= (sees ann (agreed ?n)) (true (round 3)) (true (agreed ?n)))
    (<= (sees bob mine) (does bob (choose 1)) (does random (choose 1)))
    (<= terminal (true over)) (<= terminal (true (round 4)))
    (goal ann 50) (goal bob 50) (goal random 0)"""

BLUE = "(may n3 blue)"
TEXTS = {
    "poker": text_of("simple_poker"),
    "gops": text_of("gops2"),
    "battleship": text_of("battleship2"),
    "three slots": text_of("racko3"),
    "racko": small_racko(),
    "short racko": short_racko(),
    "house": HOUSE.format(moves=2),
    "long house": HOUSE.format(moves=4),
    "colours": COLOURS.format(blue=BLUE),
    "two colours": COLOURS.format(blue=""),
    "fork": FORK,
}


@cache
def load(name: str) -> PlainGame:
    return GdlGame(NaiveGame(MATCHING)) if name == "matching" else PogddlGame(pogddl.read(TEXTS[name]))


def states_of(game: PlainGame, line: History) -> list[State]:
    """The states that a history of legal moves goes through."""
    states = replay(game, line)
    assert states is not None
    return states


def history(name: str, *actions: str) -> History:
    """The history of a POGDDL game in which these actions are played in turn."""
    game = load(name)
    result: History = ()
    for action in actions:
        [move] = pogddl.parse(action)
        moves = game.moves(states_of(game, result)[-1])
        [actor] = [role for role in game.roles if move in moves[role]]
        result = (*result, tuple(move if role == actor else WAIT for role in game.roles))
    return result


def record_waiting(*percepts: str) -> Record:
    """The record of a role that has only waited, and was told this, one observation or none per round."""
    return tuple((WAIT, frozenset(pogddl.parse(text))) for text in percepts)


@cache
def partition(name: str, role: str, rounds: int) -> dict[tuple[Record, bool], dict[History, Fraction]]:
    """All records of so many rounds, each with its information set and the probabilities of its histories."""
    game = load(name)
    result: dict[tuple[Record, bool], dict[History, Fraction]] = defaultdict(dict)
    for line in all_histories(game, rounds):
        over = game.is_over(states_of(game, line)[-1])
        result[record_of(game, line, role), over][line] = probability(game, role, line)
    return dict(result)


PUZZLES = [
    ("poker", "p1", 1),
    ("poker", "p1", 2),
    ("poker", "p1", 3),
    ("poker", "p2", 2),
    ("poker", "p2", 3),
    ("gops", "p1", 3),
    ("gops", "p1", 5),
    ("gops", "p2", 7),
    ("gops", "p1", 10),
    ("battleship", "p1", 2),
    ("battleship", "p1", 4),
    ("battleship", "p2", 3),
    ("racko", "p1", 5),
    ("racko", "p2", 6),
    ("short racko", "p1", 4),
    ("short racko", "p1", 5),
    ("house", "p1", 3),
    ("house", "p1", 4),
    ("house", "p2", 4),
    ("colours", "p1", 3),
    ("colours", "p1", 6),
    ("two colours", "p1", 6),
    ("fork", "p1", 2),
    ("fork", "p1", 3),
    ("matching", "ann", 1),
    ("matching", "ann", 2),
    ("matching", "ann", 3),
    ("matching", "bob", 2),
]
TINY = [puzzle for puzzle in PUZZLES if puzzle[0] not in ("battleship", "racko")]
some_puzzles = pytest.mark.parametrize(("name", "role", "rounds"), PUZZLES)
tiny_puzzles = pytest.mark.parametrize(("name", "role", "rounds"), TINY)


def puzzles(name: str, role: str, rounds: int, most: int = 12, frame: bool = True) -> list[Puzzle]:
    """A puzzle for each record, for at most so many of them, spread over all."""
    records = sorted(partition(name, role, rounds), key=repr)
    step = -(-len(records) // most)
    return [Puzzle(load(name), role, record, over, frame) for record, over in records[::step]]


def exact(name: str, puzzle: Puzzle) -> dict[History, Fraction]:
    return partition(name, puzzle.role, len(puzzle.record))[puzzle.record, puzzle.over]


# Information sets


def test_information_sets_of_simple_poker_are_those_of_the_text() -> None:
    game = load("poker")
    for strong in ("p1", "p2"):
        record = record_waiting(f"(stronger {strong})")
        assert set(infoset(game, "p1", record)) == {history("poker", f"(deal-stronger {strong})")}
    for choice in ("pass", "bet"):
        record = record_waiting("(stronger unknown)", f"(p1chose {choice})")
        assert infoset(game, "p2", record) == {
            history("poker", "(deal-stronger p1)", f"(p1-choose {choice})"): Fraction(1, 4),
            history("poker", "(deal-stronger p2)", f"(p1-choose {choice})"): Fraction(1, 4),
        }


def test_own_moves_are_part_of_the_record_and_have_probability_one() -> None:
    game = load("poker")
    record = (*record_waiting("(stronger p1)"), (("p1-choose", "bet"), frozenset({("p1chose", "bet")})))
    assert infoset(game, "p1", record) == {history("poker", "(deal-stronger p1)", "(p1-choose bet)"): Fraction(1, 2)}
    assert infoset(game, "p1", record_waiting("(stronger p1)", "(p1chose bet)")) == {}


@some_puzzles
def test_all_histories_together_have_probability_one(name: str, role: str, rounds: int) -> None:
    # The role itself choosing uniformly too, and with the histories that end before.
    game, total = load(name), Fraction(0)
    for length in range(rounds + 1):
        for line in all_histories(game, length):
            states = states_of(game, line)
            if length == rounds or game.is_over(states[-1]):
                own = prod([len(game.moves(state)[role]) for state in states[:length]])
                total += probability(game, role, line) / own
    assert total == 1


@some_puzzles
def test_every_way_to_list_an_information_set_finds_the_same_one(name: str, role: str, rounds: int) -> None:
    for puzzle in puzzles(name, role, rounds):
        members = exact(name, puzzle)
        search = dfs_infoset(puzzle.game, role, puzzle.record, puzzle.over)
        assert len(search.histories) == len(set(search.histories))
        assert set(search.histories) == csp_infoset(puzzle) == set(members)
        assert all(explains(puzzle.game, role, puzzle.record, line, puzzle.over) for line in members)


@pytest.mark.parametrize(("name", "role", "rounds"), [("poker", "p2", 3), ("gops", "p1", 5), ("matching", "ann", 2)])
def test_the_whole_information_set_comes_with_its_probabilities(name: str, role: str, rounds: int) -> None:
    for (record, over), members in partition(name, role, rounds).items():
        assert infoset(load(name), role, record, over) == members
        assert not members.keys() & infoset(load(name), role, record, not over).keys()


def test_an_empty_record_is_explained_by_the_empty_history() -> None:
    game = load("poker")
    assert infoset(game, "p1", ()) == {(): 1}
    assert infoset(game, "p1", (), over=True) == {}
    assert dfs_infoset(game, "p1", ()) == ([()], 0)
    assert csp_infoset(Puzzle(game, "p1", ())) == {()}
    assert csp_infoset(Puzzle(game, "p1", (), over=True)) == set()
    check_weights(Puzzle(game, "p1", ()))


# Depth-first search


@pytest.mark.parametrize(("card", "moves"), [("c0", 2), ("c1", 2), ("c2", 2), ("c0", 4), ("c2", 4)])
def test_depth_first_search_looks_under_every_house_card(card: str, moves: int) -> None:
    # Three deals, below each of them 2 + 4 + ... + 2^moves states of p2's moves and 2^moves that reveal a card.
    name = {2: "house", 4: "long house"}[moves]
    record = record_waiting("(dealt unknown)", *[""] * moves, f"(house {card})")
    search = dfs_infoset(load(name), "p1", record)
    assert len(search.histories) == 2**moves
    assert search.visited == 3 + 3 * (2 ** (moves + 1) - 2) + 3 * 2**moves


def test_depth_first_search_goes_in_the_order_of_the_rules_and_stops_at_its_limits() -> None:
    game, record = load("house"), record_waiting("(dealt unknown)", "", "", "(house c1)")
    everything = dfs_infoset(game, "p1", record)
    # Under c0 it visits 1 + 2 + 4 + 4 states in vain; then four more lead to the first history.
    assert everything.histories[0] == history("house", "(deal c1)", "(lift)", "(lift)", "(reveal c1)")
    assert dfs_infoset(game, "p1", record, limit=1) == (everything.histories[:1], 11 + 4)
    assert dfs_infoset(game, "p1", record, budget=11 + 3) == ([], 14)
    assert dfs_infoset(game, "p1", record, budget=11 + 4) == (everything.histories[:1], 15)
    assert dfs_infoset(game, "p1", record, limit=100, budget=100) == everything


def test_depth_first_search_visits_only_states_after_own_moves() -> None:
    game = load("poker")
    record = (*record_waiting("(stronger p1)"), (("p1-choose", "bet"), frozenset({("p1chose", "bet")})))
    assert dfs_infoset(game, "p1", record).visited == 2 + 1


def test_depth_first_search_deals_cards_of_racko_that_turn_up_later() -> None:
    # p1 sees its three cards and, last of all, the open one. Until then p2 may have any of the other five: 5, 20 and 60
    # states, and 2 cards to turn up in each. Four of the 24 racks that remain ascend, and end the game.
    deals = ["(deal c8 p1 a1 a2)", "(deal c1 p1 a2 a3)", "(deal c2 p1 a3 b1)", "(deal c7 p2 b1 b2)"]
    line = history("three slots", *deals, "(deal c6 p2 b2 b3)", "(deal c5 p2 b3 open)", "(turn-up c4)")
    game = load("three slots")
    search = dfs_infoset(game, "p1", record_of(game, line, "p1"))
    assert search.visited == 8 + 7 + 6 + 5 + 20 + 60 + 120
    assert len(search.histories) == 20
    assert line in search.histories
    assert len(dfs_infoset(game, "p1", record_of(game, line, "p1"), over=True).histories) == 4


# The stage graph


def plausible(puzzle: Puzzle, number: int, role: str) -> set[str]:
    return {pogddl.show(move) for move in init_graph(puzzle).plausible[number, role]}


@pytest.mark.parametrize("moves", [2, 4])
def test_a_card_that_is_revealed_late_is_the_only_one_plausible_at_the_start(moves: int) -> None:
    record = record_waiting("(dealt unknown)", *[""] * moves, "(house c1)")
    puzzle = Puzzle(load({2: "house", 4: "long house"}[moves]), "p1", record)
    assert plausible(puzzle, 1, "chance") == {"(deal c1)"}
    assert all(plausible(puzzle, number, "p2") == {"(lift)", "(drop)"} for number in range(2, 2 + moves))
    graph = init_graph(puzzle)
    for stage in graph.stages[1:]:
        assert ("house", "c1") in stage.true
        assert {("house", "c0"), ("house", "c2")} <= stage.false
    assert not {("up",), ("down",)} & (graph.stages[2].true | graph.stages[2].false)


def test_without_the_frame_rule_the_revealed_card_is_not_known_before() -> None:
    puzzle = Puzzle(load("house"), "p1", record_waiting("(dealt unknown)", "", "", "(house c1)"), frame=False)
    assert plausible(puzzle, 1, "chance") == {"(deal c0)", "(deal c1)", "(deal c2)"}
    graph = init_graph(puzzle)
    assert ("house", "c1") in graph.stages[3].true
    assert ("house", "c1") not in graph.stages[2].true
    # One deal in three turns out right, the others are found out only when the history is replayed.
    assert sum(share for sample, share in all_samples(puzzle) if sample.history) == Fraction(1, 3)


def test_a_fixed_move_tells_the_stages_on_both_sides() -> None:
    puzzle = Puzzle(load("fork"), "p1", record_waiting("", ""))
    graph = init_graph(puzzle)
    assert {len(graph.plausible[variable]) for variable in graph.unset} == {2, 4}
    assert graph.stages[1] == Stage(
        graph.stages[0].true - {("start",)},
        graph.stages[0].false - {("side", "left"), ("side", "right")} | {("start",)},
    )
    after = propagate(puzzle, graph, (2, "chance"), ("walk", "right", "w3"))
    assert after.plausible[1, "chance"] == {("turn", "right")}
    assert ("side", "right") in after.stages[1].true
    assert ("side", "left") in after.stages[1].false
    assert ("went", "w3") in after.stages[2].true
    assert after.unset == []
    assert graph == init_graph(puzzle)


def test_a_card_of_racko_that_is_swapped_out_is_known_to_have_been_dealt() -> None:
    # p1 holds 4 and 2 and sees a 5; p2 has two of 1, 3 and 6, and they do not ascend, or the game would be over.
    game = load("short racko")
    deals = ["(deal c3 p2 b1 b2)", "(deal c1 p2 b2 open)", "(turn-up c5)"]
    line = history("short racko", *deals, "(take p1 a1 c4 c5)", "(take p2 b1 c3 c4)")
    unsure = Puzzle(game, "p1", record_of(game, line[:4], "p1"))
    assert plausible(unsure, 1, "chance") == {"(deal c3 p2 b1 b2)", "(deal c6 p2 b1 b2)"}
    assert plausible(unsure, 2, "chance") == {"(deal c1 p2 b2 open)", "(deal c3 p2 b2 open)"}
    sure = Puzzle(game, "p1", record_of(game, line, "p1"))
    assert plausible(sure, 1, "chance") == {"(deal c3 p2 b1 b2)"}
    assert plausible(sure, 2, "chance") == {"(deal c1 p2 b2 open)"}


def test_a_ship_is_where_it_was_hit_and_not_where_it_was_missed() -> None:
    line = history(
        "battleship",
        *("(hide-across p1 p2 north west east)", "(hide-down p2 p1 north south east)"),
        *("(call p1 p2 north west)", "(call p2 p1 south west)", "(call p1 p2 north east)"),
    )
    game = load("battleship")
    places = [plausible(Puzzle(game, "p1", record_of(game, line[:rounds], "p1")), 2, "p2") for rounds in range(2, 6)]
    missed = {"(hide-across p2 p1 south west east)", "(hide-down p2 p1 north south east)"}
    assert [len(place) for place in places] == [4, 2, 2, 1]
    assert places[1:] == [missed, missed, {"(hide-down p2 p1 north south east)"}]


def test_that_the_game_goes_on_rules_moves_out() -> None:
    # Ann chose 0. If the game is over, so did both others; if it goes on, one of them did not.
    game, record = load("matching"), (("(choose 0)", NOTHING),)
    over = init_graph(Puzzle(game, "ann", record, over=True))
    assert over.plausible == {(1, role): {"(choose 0)"} for role in game.roles}
    assert {line[0] for line in csp_infoset(Puzzle(game, "ann", record, over=True))} == {("(choose 0)",) * 3}
    going_on = {line[0][1:] for line in csp_infoset(Puzzle(game, "ann", record))}
    assert going_on == {("(choose 0)", "(choose 1)"), ("(choose 1)", "(choose 0)"), ("(choose 1)", "(choose 1)")}


@some_puzzles
@pytest.mark.parametrize("frame", [True, False])
def test_no_history_is_lost_whatever_the_order_of_choices(name: str, role: str, rounds: int, frame: bool) -> None:
    rng = random.Random(7)
    for puzzle in puzzles(name, role, rounds, most=5, frame=frame):
        start = init_graph(puzzle)
        for line in islice(exact(name, puzzle), 6):
            graph = start
            assert_possible(puzzle, graph, line)
            while graph.unset:
                number, who = rng.choice(graph.unset)
                graph = propagate(puzzle, graph, (number, who), line[number - 1][puzzle.game.roles.index(who)])
                assert_possible(puzzle, graph, line)


def assert_possible(puzzle: Puzzle, graph: StageGraph, line: History) -> None:
    for number, joint in enumerate(line, start=1):
        for who, move in zip(puzzle.game.roles, joint, strict=True):
            assert move in graph.plausible[number, who]
    for stage, state in zip(graph.stages, states_of(puzzle.game, line), strict=True):
        assert stage.fits(state)
        assert not stage.true & stage.false


@some_puzzles
def test_the_frame_rule_only_ever_adds_knowledge(name: str, role: str, rounds: int) -> None:
    for with_rule, without in zip(
        puzzles(name, role, rounds, most=5), puzzles(name, role, rounds, most=5, frame=False), strict=True
    ):
        more, less = init_graph(with_rule), init_graph(without)
        for stage, weaker in zip(more.stages, less.stages, strict=True):
            assert stage.true >= weaker.true
            assert stage.false >= weaker.false
        assert all(more.plausible[variable] <= less.plausible[variable] for variable in more.plausible)


# Contradictory records


@pytest.mark.parametrize(
    ("name", "role", "record"),
    [
        ("poker", "p1", record_waiting("(stronger unknown)")),
        ("poker", "p1", record_waiting("(stronger p1)", "(p1chose bet)")),
        ("poker", "p2", (*record_waiting("(stronger unknown)", "(p1chose bet)"), (("p1-choose", "bet"), NOTHING))),
        ("house", "p1", record_waiting("(dealt unknown)", "", "", "(house c9)")),
        ("house", "p1", record_waiting("(dealt unknown)", "", "(house c1)")),
        ("fork", "p1", record_waiting("", "", "")),
        ("matching", "ann", (("(choose 0)", NOTHING), ("noop", NOTHING))),
    ],
)
def test_a_contradiction_is_proved_by_propagation_alone(name: str, role: str, record: Record) -> None:
    puzzle = Puzzle(load(name), role, record)
    assert infoset(load(name), role, record) == {}
    assert dfs_infoset(load(name), role, record).histories == []
    assert init_graph(puzzle).is_inconsistent
    assert csp_sample(puzzle, init_graph(puzzle), random.Random(1)) == (None, 0, 1)


def test_a_contradiction_between_several_rounds_is_found_only_by_choosing() -> None:
    # Three nodes in two colours cannot all differ, but any two of them can.
    puzzle = Puzzle(load("two colours"), "p1", record_waiting(*[""] * 6))
    assert infoset(puzzle.game, "p1", puzzle.record) == {}
    assert not init_graph(puzzle).is_inconsistent
    assert csp_infoset(puzzle) == set()
    assert {sample for sample, _ in all_samples(puzzle)} == {(None, 0, 2)}
    check_weights(puzzle)


# Samples and their weights


@some_puzzles
@pytest.mark.parametrize("order", [random_variable, most_constrained])
def test_every_sampled_history_explains_the_record(name: str, role: str, rounds: int, order) -> None:
    rng = random.Random(3)
    for puzzle in puzzles(name, role, rounds, most=4):
        samples = csp_samples(puzzle, rng, 5, order)
        assert len(samples) == 5
        for sample in samples:
            if sample.history is None:
                assert sample.weight == 0
            else:
                assert sample.weight == exact(name, puzzle)[sample.history] * sample.choices > 0


def first_variable(graph: StageGraph, rng: random.Random) -> Variable:
    return graph.unset[0]


def last_variable(graph: StageGraph, rng: random.Random) -> Variable:
    return graph.unset[-1]


def least_constrained(graph: StageGraph, rng: random.Random) -> Variable:
    return max(graph.unset, key=lambda variable: len(graph.plausible[variable]))


@tiny_puzzles
@pytest.mark.parametrize("order", [random_variable, most_constrained, first_variable, last_variable, least_constrained])
def test_weights_are_unbiased_whatever_the_order(name: str, role: str, rounds: int, order) -> None:
    for puzzle in puzzles(name, role, rounds, most=3):
        check_weights(puzzle, order)


@pytest.mark.parametrize(
    ("name", "role", "rounds"), [("house", "p1", 4), ("colours", "p1", 6), ("fork", "p1", 2), ("poker", "p2", 2)]
)
def test_weights_are_unbiased_without_the_frame_rule_too(name: str, role: str, rounds: int) -> None:
    for puzzle in puzzles(name, role, rounds, most=3, frame=False):
        check_weights(puzzle)


def test_the_sampler_without_weights_is_neither_uniform_nor_the_posterior() -> None:
    # The side first: left 1/2, each way on the right 1/6. The way first: 1/4 each. Half of the time it is this or that.
    puzzle = Puzzle(load("fork"), "p1", record_waiting("", ""))
    shares: dict[Any, Fraction] = defaultdict(Fraction)
    for sample, share in all_samples(puzzle):
        shares[sample.history] += share
    left = history("fork", "(turn left)", "(walk left w1)")
    right = [history("fork", "(turn right)", f"(walk right {way})") for way in ("w2", "w3", "w4")]
    assert shares == {left: Fraction(3, 8), **dict.fromkeys(right, Fraction(5, 24))}
    assert infoset(puzzle.game, "p1", puzzle.record) == {left: Fraction(1, 2), **dict.fromkeys(right, Fraction(1, 6))}
    assert expectation(puzzle).weights == {left: Fraction(1, 2), **dict.fromkeys(right, Fraction(1, 6))}
    assert {sample.weight for sample, _ in all_samples(puzzle)} == {1, 2, Fraction(2, 3)}


def test_failures_count_as_nothing_and_the_mean_weight_is_the_probability_of_the_record() -> None:
    # Two of twelve paintings make all three nodes differ. Painting the third node first fails in two cases of three.
    puzzle = Puzzle(load("colours"), "p1", record_waiting(*[""] * 6))
    assert plausible(puzzle, 3, "chance") == {f"(paint n3 none {colour})" for colour in ("red", "green", "blue")}
    samples = list(all_samples(puzzle))
    assert sum(share for sample, share in samples if sample.history is None) == Fraction(2, 3) * Fraction(1, 3)
    assert sum(share * sample.weight for sample, share in samples) == Fraction(1, 6)
    assert sum(share for _, share in samples) == 1
    lucky = {sample.weight for sample, _ in samples if sample.history is not None}
    assert lucky == {Fraction(2, 12), Fraction(6, 12)}


def test_the_check_of_weights_finds_a_biased_one(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle(load("fork"), "p1", record_waiting("", ""))
    check_weights(puzzle)
    sampler = csp_sample
    for spoil in (
        lambda sample: sample._replace(weight=sample.weight / sample.choices),
        lambda s: s._replace(choices=1),
    ):
        monkeypatch.setattr(infoset_csp, "csp_sample", lambda *args, spoil=spoil: spoil(sampler(*args)))
        with pytest.raises(AssertionError, match="expected"):
            check_weights(puzzle)


def test_the_check_of_weights_finds_a_lost_history() -> None:
    puzzle = Puzzle(load("fork"), "p1", record_waiting("", ""))
    puzzle.edges[2][:] = [edge for edge in puzzle.edges[2] if ("walk", "right", "w3") not in edge.joint]
    with pytest.raises(AssertionError, match="expected weights"):
        check_weights(puzzle)


def test_the_same_seed_gives_the_same_samples() -> None:
    [puzzle] = puzzles("racko", "p1", 5, most=1)
    first, second = (csp_samples(puzzle, random.Random(5), 4) for _ in range(2))
    assert first == second
