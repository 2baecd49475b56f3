"""POGDDL: ranges of numbers, turns that go wrong, tokens for the unknown, payoffs with fractions, and places."""

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import veil
from tests.support import pogddl_twins as twins
from veil.errors import VeilError
from veil.lang import Source, join_sources, read_rules, read_term
from veil.lang.pogddl import gains, numbers, ranges
from veil.lang.pogddl.ranges import find_ranges
from veil.lang.pogddl.reader import read_forms
from veil.lang.pogddl.sections import find_sections
from veil.lang.pogddl.world import read_world
from veil.lang.prefix import read_nodes
from veil.vocabulary import signature

TEXT = """(define (domain d) (:types role thing) (:constants ann bob chance - role a b - thing)
    (:predicates (whoseturn ?r - role) (p ?x - thing) (phase ?x - thing)) (:functions (n ?x - thing) (m))
    {sections}) (define (problem e) (:domain d) (:init {init}))"""


def text_of(*sections: str, init: str = "(whoseturn ann) (= (m) 0)") -> str:
    return TEXT.format(sections=" ".join(sections), init=init)


def ranges_of(text: str) -> dict[str, list[Fraction]]:
    source = Source("game.pog", text)
    sections = find_sections(source, read_nodes(source)[0])
    world = read_world(source, sections)
    _, found, _ = find_ranges(world, read_forms(world, sections))
    return {" ".join(fluent): sorted(values) for fluent, values in found.items()}


def action(effect: str, precondition: str = "(whoseturn ann)", name: str = "go") -> str:
    return f"(:action {name} :precondition {precondition} :effect {effect})"


# Numbers


@pytest.mark.parametrize(
    ("sections", "values"),
    [
        ((action("(increase (m) 1)", "(< (m) 3)"),), [0, 1, 2, 3]),
        ((action("(increase (m) 2)", "(not (>= (m) 3))"),), [0, 2, 4]),
        ((action("(assign (m) 7)"),), [0, 7]),
        ((action("(assign (m) (+ (m) 1))", "(<= (m) 1)"),), [0, 1, 2]),
        ((action("(and (p a) (increase (m) 1))", "(not (p a))"),), [0, 1]),
        ((action("(when (not (p a)) (and (p a) (decrease (m) 5)))"),), [-5, 0]),
        ((action("(increase (m) 1)", "(not (full))"), "(:derived (full) (= (m) 2))"), [0, 1, 2]),
        ((action("(forall (?x - thing) (increase (m) 1))", "(< (m) 1)"),), [0, 2]),
        ((action("(and (p b) (forall (?x - thing) (when (p ?x) (increase (m) 1))))", "(< (m) 1)"),), [0, 1, 2]),
        ((action("(increase (m) (/ 1 2))", "(< (m) 1)"),), [0, Fraction(1, 2), 1]),
        # Counted in two phases; only the order of phases ends it.
        (
            (
                action("(and (increase (m) 1) (not (phase a)) (phase b))", "(phase a)"),
                action("(and (increase (m) 10) (not (phase b)))", "(phase b)", name="on"),
            ),
            [0, 1, 11],
        ),
    ],
)
def test_the_values_of_a_fluent_are_those_it_can_reach(sections: tuple[str, ...], values: list[int]) -> None:
    text = text_of(*sections, init="(whoseturn ann) (phase a) (= (m) 0)")
    assert ranges_of(text)["m"] == values


@pytest.mark.slow
def test_values_of_the_games_written_for_tests_are_tight_or_end_with_what_is_used_up() -> None:
    assert ranges_of(twins.bundled("racko3"))["turns"] == [0, 1, 2, 3, 4]
    assert ranges_of(twins.bundled("battleship2"))["hits p1"] == [0, 1, 2, 3, 4]  # one shot for each of four cells
    assert ranges_of(twins.bundled("gops2"))["points p2"] == [0, 1, 2, 3, 4, 5, 6]
    assert ranges_of(twins.bundled("simple_poker"))["stake"] == [1, 2]


@pytest.mark.parametrize(
    "sections",
    [
        (action("(increase (m) 1)"),),
        (action("(assign (m) (+ (m) 1))"),),
        (action("(increase (m) 1)", "(> (m) -1)"),),
        (action("(and (increase (m) 1) (not (p a)))", "(p a)"), action("(p a)", "(not (p a))", name="again")),
    ],
)
def test_a_fluent_without_an_end_is_refused_where_it_changes(sections: tuple[str, ...]) -> None:
    with pytest.raises(VeilError, match=r"no end was found to the values that \(m\) can have") as caught:
        read_rules(text_of(*sections, "(:gain ann 1 (= (m) 7))"))
    assert caught.value.problems[0].place is not None


@pytest.mark.parametrize(
    ("sections", "names"),
    [
        ((action("(increase (m) 1)"),), set()),
        ((action("(and (increase (m) 1) (increase (n a) (m)))"),), {"n"}),  # read by what nothing reads
        ((action("(increase (m) 1)"), "(:gain ann (m) (p a))"), None),
        ((action("(increase (m) 1)"), "(:gain ann 1 (< (m) (n a)))"), None),
        ((action("(increase (m) 1)", "(not (p b))"), action("(p a)", "(= (m) 9)", name="on")), None),
        ((action("(and (increase (m) 1) (increase (n a) (m)))"), "(:gain ann 1 (= (n a) 4))"), None),
        ((action("(and (increase (m) 1) (p a))", "(not (p a))"),), {"m"}),  # its values end, so it stays
    ],
)
def test_a_fluent_without_an_end_that_nothing_reads_is_left_out(
    sections: tuple[str, ...], names: set[str] | None
) -> None:
    text = text_of(*sections, init="(whoseturn ann) (= (m) 0) (= (n a) 0)")
    if names is None:
        with pytest.raises(VeilError, match="no end was found"):
            read_rules(text)
        return
    rules = read_rules(text)
    starts = [rule.head[1] for rule in rules.rules if rule.signature == ("init", 1)]
    fluents = {signature(term[1])[0] for term in starts if term[0] == "="}
    assert fluents == names
    assert ("pogddl-unread" in [entry.code for entry in rules.problems]) == ("m" not in names)


@pytest.mark.parametrize(
    ("sections", "highest"),
    [
        # Every shot marks a cell for good, and a hit needs a shot that is not yet judged.
        (
            (
                "(:action shoot :parameters (?x - thing) :precondition (and (whoseturn ann) (not (p ?x)))"
                " :effect (and (p ?x) (phase ?x)))",
                "(:action hit :parameters (?x - thing) :precondition (and (whoseturn ann) (phase ?x))"
                " :effect (and (not (phase ?x)) (increase (m) 1)))",
            ),
            2,
        ),
        # Three points for each of two things.
        (
            (action("(and (p ?x) (increase (m) 3))", "(not (p ?x))").replace(":pre", ":parameters (?x - thing) :pre"),),
            6,
        ),
    ],
)
def test_a_counter_is_bounded_by_what_its_increases_use_up(
    sections: tuple[str, ...], highest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranges, "FEW_STATES", 1)  # no projection with atoms is small enough
    found = ranges_of(text_of(*sections, "(:gain ann 1 (= (m) 1))", init="(whoseturn ann) (= (m) 0)"))
    assert (found["m"][0], found["m"][-1]) == (0, highest)


@pytest.mark.parametrize(
    "effect",
    [
        "(and (p a) (increase (m) 1))",  # marked, but not asked to be unmarked
        "(and (when (phase a) (p a)) (increase (m) 1))",  # marked only sometimes
        "(and (not (phase b)) (phase b) (increase (m) 1))",  # deleted and added: it stays
    ],
)
def test_what_is_not_used_up_bounds_nothing(effect: str) -> None:
    needs = "(and (whoseturn ann) (phase b))" if "(not" in effect else "(whoseturn ann)"
    text = text_of(action(effect, needs), "(:gain ann 1 (= (m) 1))", init="(whoseturn ann) (phase b) (= (m) 0)")
    with pytest.raises(VeilError, match="no end was found"):
        read_rules(text)


def test_large_comparisons_go_along_the_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "MAX_TABLE", 0)
    twins.both.cache_clear()
    slow, game = twins.both(twins.bundled("gops2"))
    assert any("below" in str(rule.head) for rule in game.rules.rules)
    assert twins.assert_same_tree(slow, game) == 172
    twins.both.cache_clear()


def test_payoffs_with_fractions_are_scaled_and_utilities_are_the_payoffs() -> None:
    text = text_of("(:gain ann 0.5 (whoseturn ann))", "(:gain bob (/ 1 3) (whoseturn ann))")
    game = veil.load(text)
    assert game.initial_state().goals == {"ann": 3, "bob": 2, "random": 0}
    assert (game.rules.scale, game.utility.scale) == (6, 6)
    again = pickle.loads(pickle.dumps(game))
    assert (again.utility, again.initial_state().goals) == (game.utility, game.initial_state().goals)


# Turns


def test_an_action_may_be_called_noop() -> None:
    game = veil.load(text_of("(:action noop :precondition (not (p a)) :effect (p a))"))
    start = game.initial_state()
    assert {role: start.legal(role) for role in game.roles} == {
        "ann": ["noop"],
        "bob": ["noop-0"],
        "random": ["noop-0"],
    }
    assert start.play({})[0].is_terminal


@pytest.mark.parametrize("turns", ["", "(whoseturn ann) (whoseturn bob)"])
def test_where_it_is_not_the_turn_of_one_role_the_game_is_stuck(turns: str) -> None:
    game = veil.load(text_of("(:action x :effect (p a))", "(:action y :effect (not (whoseturn chance)))", init=turns))
    start = game.initial_state()
    assert not start.is_terminal
    assert [start.legal(role) for role in game.roles] == [[], [], []]


def test_a_game_without_actions_is_over() -> None:
    assert veil.load(text_of()).initial_state().is_terminal


# What is told


def test_a_lone_question_mark_is_a_constant() -> None:
    game = veil.load(text_of("(:action x :precondition (not (p a)) :effect (and (p a) (observe (all (o ?)))))"))
    _, percepts = game.initial_state().play({"ann": "x"})
    assert percepts == {"ann": ["(o ?)"], "bob": ["(o ?)"], "random": []}
    assert read_term("(o ?)") == ("o", "?")
    told = game.record("bob").then("noop", ["(o ?)"])
    assert len(veil.believe(game, veil.Record("bob", told.rounds, over=True))) == 1


# Files


def test_domain_and_problem_may_be_two_files_in_any_order(tmp_path: Path) -> None:
    text = twins.bundled("simple_poker")
    cut = text.index("(define (problem")
    domain, problem = tmp_path / "domain.pog", tmp_path / "problem.pog"
    domain.write_text(text[:cut], encoding="utf-8")
    problem.write_text(text[cut:], encoding="utf-8")
    one, two, turned = veil.load(text), veil.load([domain, problem]), veil.load([str(problem), str(domain)])
    assert one.fingerprint == two.fingerprint == turned.fingerprint
    assert two.name == "domain+problem"
    with pytest.raises(VeilError, match=r"problem\.pog:1:1: the domain simple-poker is missing"):
        veil.load(problem)


def test_an_error_names_the_file_and_the_line_it_stands_in() -> None:
    sources = [Source("domain.pog", "(define (domain d)\n (:constants ann - role))"), Source("problem.pog", "")]
    sources[1] = Source("problem.pog", "(define (problem p) (:domain d)\n  (:init (whoseturn bob)))")
    with pytest.raises(VeilError, match=r"problem\.pog:2:21: bob is neither an object"):
        read_rules(join_sources(sources))


def test_a_transfer_survives_a_journey() -> None:
    game = pickle.loads(pickle.dumps(veil.load(twins.bundled("simple_poker"), transfer=True)))
    assert [entry.code for entry in game.readings] == ["gains-transferred"]


@pytest.mark.parametrize(
    ("gain", "what"), [("(:gain ann (- 1) ())", "a gain may be negative"), ("(:gain ann 1 ())", "there are 3 roles")]
)
def test_a_transfer_needs_two_players_and_no_negative_gain(gain: str, what: str) -> None:
    text = text_of(gain)
    if "3" in what:
        text = text.replace("ann bob", "ann bob cyd")
    with pytest.raises(VeilError, match=what):
        veil.load(text, transfer=True)
    assert veil.load(text).readings == []


def test_too_many_payoffs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gains, "MAX_PAYOFFS", 3)
    with pytest.raises(VeilError, match="more than 3 sums"):
        read_rules(text_of("(:gain ann 1 (p a))", "(:gain ann 2 (p b))", action("(and (p a) (p b))")))
