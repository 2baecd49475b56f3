"""The slow reader of POGDDL against values computed by hand: text, formulas, effects, observations and gains."""

from fractions import Fraction

import pytest

from tests.reference.pogddl import (
    Atom,
    Game,
    applicable,
    apply,
    chance,
    derive,
    holds,
    initial,
    is_over,
    objects_of,
    parse,
    payoffs,
    read,
    show,
    typed_list,
)
from tests.support.pogddl_cases import EFFECTS, FACTS, FORMULAS, GAIN_CASES, GAINS, NUMBERS, OBSERVATIONS, THREE
from tests.support.pogddl_play import GAMES, atoms, choices, play


def toy(*sections: str, init: str = "", objects: str = "") -> Game:
    """A game of ann and nature in which it is always ann's turn, with more sections of the domain."""
    domain = f"""(define (domain toy) (:types role thing) (:constants ann chance - role a b c - thing)
        (:predicates (whoseturn ?r - role) (p ?x - thing) (q ?x - thing) (r ?x ?y - thing))
        (:functions (n ?x - thing) (m)) {" ".join(sections)})"""
    problem = f"(define (problem toy) (:domain toy) (:objects {objects}) (:init (whoseturn ann) {init}))"
    return read(domain, problem)


def terms(text: str) -> tuple[Atom, ...]:
    """The terms of a text, in sorted order, as observations are."""
    return tuple(sorted(parse(text)))


# Text


def test_terms_are_read_in_small_letters_and_without_comments() -> None:
    assert parse("(A (b ?C) ; no (more\n () -1)") == [("a", ("b", "?c"), (), "-1")]


@pytest.mark.parametrize("text", ["(a", "a)", "(a))"])
def test_unbalanced_parentheses_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="parenthesis"):
        parse(text)


def test_a_type_holds_for_all_names_before_it() -> None:
    assert typed_list(("a", "b", "-", "t", "c", "-", ("either", "t", "u"), "d")) == (
        ("a", "t"),
        ("b", "t"),
        ("c", ("either", "t", "u")),
        ("d", "object"),
    )


def test_objects_belong_to_the_types_above_theirs() -> None:
    game = read(
        """(define (domain d) (:types role - object cat dog - animal animal - object)
           (:constants ann - role tom - cat rex - dog) (:predicates (whoseturn ?r - role)))
           (define (problem p) (:domain d) (:objects kit - cat thing) (:init))"""
    )
    assert game.objects["animal"] == ("tom", "rex", "kit")
    assert game.objects["cat"] == ("tom", "kit")
    assert game.objects["object"] == ("ann", "tom", "rex", "kit", "thing")
    assert objects_of(game.objects, ("either", "cat", "role")) == ("tom", "kit", "ann")
    assert objects_of(game.objects, "nothing") == ()
    assert game.warnings == ()


def test_domain_and_problem_are_read_from_one_text_or_two_in_any_order() -> None:
    text = (GAMES / "simple_poker.pog").read_text(encoding="utf-8")
    domain, problem = (show(form) for form in parse(text))
    one, two, turned = read(text), read(domain, problem), read(problem, domain)
    assert one.domain == two.domain == turned.domain
    assert one.problem == two.problem == turned.problem
    assert one.start == turned.start


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["(define (problem p) (:domain d) (:init))"], "domain d is missing, which the problem p needs"),
        (["(define (domain d))"], "a problem is missing"),
        ([], "one domain and one problem are needed, not 0 and 0"),
        (["(define (domain d))", "(define (problem p) (:domain e) (:init))"], "is for the domain e, not for d"),
        (["(define (domain d))", "(define (problem p) (:domain d) (:init))"], "no object of type role is a player"),
        (["(define (domain d) (:durative-action x))"], "not one of :requirements"),
        (["(domain d)"], "not a .define .domain"),
    ],
)
def test_what_is_no_game_says_what_is_missing(texts: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(*texts)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("(:action x :precondition (p nobody))", "nobody is neither an object nor a bound variable in .p nobody."),
        ("(:action x :effect (p ?x))", r"\?x is neither"),
        ("(:action x :effect (increase (n d) 1))", "d is neither"),
        ("(:action x) (:action x)", "same name"),
        ("(:action x :cost 1)", "unknown field"),
        ("(:derived (q ?x - thing) (p ?x)) (:action x :effect (when (p a) (not (q a))))", "q is derived"),
        ("(:derived (p ?x - thing) (not (q ?x))) (:derived (q ?x - thing) (p ?x))", "not stratified"),
        ("(:derived (p ?x - thing) (imply (p ?x) (q ?x)))", "not stratified"),
        ("(:gain ann 3)", "a gain needs roles, an amount and a condition"),
    ],
)
def test_bad_rules_are_refused(section: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        toy(section)


def test_what_is_used_without_being_declared_is_a_warning() -> None:
    game = toy(
        "(:action x :parameters (?x - colour) :precondition (exists (?y - shade) (s ?x ?y)) :effect (assign (k ?x) 1))",
        objects="red - colour",
    )
    assert game.warnings == (
        "type colour is not declared",
        "type shade is not declared",
        "predicate s is not declared",
        "function k is not declared",
    )
    assert toy("(:action x :effect (observe (all (anything at all))))").warnings == ()


# Formulas


@pytest.mark.parametrize(
    ("formula", "value"),
    FORMULAS,
)
def test_formulas_mean_what_pddl_says(formula: str, value: bool) -> None:
    game = toy(init=FACTS)
    [term] = parse(formula)
    assert holds(game, initial(game), term, {}) is value


@pytest.mark.parametrize("formula", ["(= (n a) (m))", "(> (/ 1 (n b)) 0)"])
def test_numbers_that_are_not_there_are_errors(formula: str) -> None:
    game = toy(init="(= (m) 1) (= (n b) 0)")
    with pytest.raises(ValueError, match=r"has no value|division by zero"):
        holds(game, initial(game), parse(formula)[0], {})


def test_a_variable_of_a_quantifier_hides_one_of_the_same_name_outside() -> None:
    game = toy(
        "(:action x :parameters (?x ?y - thing) :precondition (and (q ?x) (exists (?y - thing) (r ?y c)) (p ?y)))",
        init=FACTS,
    )
    assert choices(game, initial(game)) == {"ann": {"(x b a)", "(x b b)"}}


def test_derived_predicates_may_be_recursive() -> None:
    rules = "(:derived (reach ?x ?y - thing) (or (r ?x ?y) (exists (?z - thing) (and (r ?x ?z) (reach ?z ?y)))))"
    game = toy(rules, init="(r a b) (r b c) (r c b)")
    assert atoms(derive(game, initial(game)), "reach") == {
        "(reach a b)",
        "(reach a c)",
        "(reach b b)",
        "(reach b c)",
        "(reach c b)",
        "(reach c c)",
    }
    assert atoms(initial(game), "reach") == set()


def test_a_negated_derived_predicate_is_complete_before_it_is_asked_for() -> None:
    last = "(:derived (last ?x - thing) (and (node ?x) (not (inner ?x))))"
    inner = "(:derived (inner ?x - thing) (exists (?y - thing) (and (r ?x ?y) (node ?y))))"
    node = "(:derived (node ?x - thing) (or (p ?x) (exists (?y - thing) (and (r ?y ?x) (node ?y)))))"
    game = toy(last, inner, node, init="(p a) (r a b) (r b c)")
    assert atoms(derive(game, initial(game)), "last") == {"(last c)"}
    assert [[rule.name for rule in rules] for rules in game.strata] == [["inner", "node"], ["last"]]


# Actions and effects


def test_actions_are_all_bindings_of_the_right_types_that_satisfy_the_precondition() -> None:
    game = toy("(:action x :parameters (?x ?y - thing) :precondition (and (p ?x) (not (r ?x ?y))))", init=FACTS)
    assert choices(game, initial(game)) == {"ann": {"(x a a)", "(x a c)", "(x b a)", "(x b b)"}}
    for wrong in ["(x a b)", "(x c a)", "(x a ann)", "(x a)", "(y a a)"]:
        with pytest.raises(ValueError, match=r"not applicable|no action"):
            apply(game, initial(game), parse(wrong)[0])


@pytest.mark.parametrize(
    ("effect", "true"),
    EFFECTS,
)
def test_effects_look_at_the_state_before_and_happen_together(effect: str, true: str) -> None:
    game = toy(f"(:action x :effect {effect})", init="(p a) (q b) (= (m) 4)")
    state, _ = play(game, "(x)")
    assert state.atoms == set(parse(true)) | {("whoseturn", "ann")}


@pytest.mark.parametrize(
    ("effect", "values"),
    NUMBERS,
)
def test_numbers_change_together_too(effect: str, values: tuple) -> None:
    game = toy(f"(:action x :effect {effect})", init="(p a) (p b) (= (m) 4) (= (n a) 1) (= (n b) 2)")
    state, _ = play(game, "(x)")
    assert state.numbers == dict(zip([("m",), ("n", "a"), ("n", "b")], values, strict=True))


@pytest.mark.parametrize(
    "effect",
    ["(and (assign (m) 1) (assign (m) 2))", "(and (assign (m) 1) (increase (m) 1))", "(increase (n a) 1)"],
)
def test_a_fluent_cannot_change_in_two_ways_or_out_of_nothing(effect: str) -> None:
    game = toy(f"(:action x :effect {effect})", init="(= (m) 4)")
    with pytest.raises(ValueError, match=r"in two ways|has no value"):
        play(game, "(x)")


@pytest.mark.parametrize(
    ("effect", "ann", "bob", "cyd"),
    OBSERVATIONS,
)
def test_observations_reach_those_they_name(effect: str, ann: str, bob: str, cyd: str) -> None:
    game = read(THREE.format(effect=effect))
    _, told = apply(game, initial(game), ("x", "bob"))
    assert told == {"ann": terms(ann), "bob": terms(bob), "cyd": terms(cyd)}


@pytest.mark.parametrize("effect", ["(observe (a (o a)))", "(observe (nobody (o a)))", "(observe (all (o (o a))))"])
def test_only_roles_observe_and_they_observe_words(effect: str) -> None:
    game = read(THREE.format(effect=effect))
    with pytest.raises(ValueError, match=r"is no role|a name and words"):
        apply(game, initial(game), ("x", "bob"))


# Turns, the end, and gains


def test_nature_chooses_uniformly_among_its_ground_actions() -> None:
    game = read("""(define (domain d) (:types role thing) (:constants ann chance - role a b - thing)
        (:action x :parameters (?x - thing) :precondition (whoseturn chance)) (:action y :precondition (not (p a))))
        (define (problem p) (:domain d) (:init (whoseturn chance)))""")
    assert chance(game, initial(game)) == dict.fromkeys([("x", "a"), ("x", "b"), ("y",)], Fraction(1, 3))
    assert chance(toy("(:action x)"), initial(toy("(:action x)"))) == {}


@pytest.mark.parametrize(("turns", "message"), [("", "nobody's turn"), ("(whoseturn ann) (whoseturn bob)", "at once")])
def test_it_is_the_turn_of_one_role_wherever_an_action_is_applicable(turns: str, message: str) -> None:
    text = """(define (domain d) (:constants ann bob - role) (:action x :precondition {condition}))
        (define (problem p) (:domain d) (:init {turns}))"""
    game = read(text.format(condition="()", turns=turns))
    with pytest.raises(ValueError, match=message):
        applicable(game, initial(game))
    stuck = read(text.format(condition="(whoseturn nobody)", turns=turns).replace("ann bob", "ann bob nobody"))
    assert is_over(stuck, initial(stuck))


def test_roles_are_of_the_type_that_whoseturn_is_declared_with() -> None:
    game = read("""(define (domain d) (:types seat) (:constants north chance south - seat)
        (:predicates (whoseturn ?s - seat))) (define (problem p) (:domain d) (:init))""")
    assert game.roles == ("north", "chance", "south")
    assert game.players == ("north", "south")


@pytest.mark.parametrize(
    ("gains", "ann", "bob"),
    GAIN_CASES,
)
def test_gains_of_players_add_up(gains: str, ann: int, bob: int) -> None:
    game = read(GAINS.format(gains=gains, init=""))
    assert payoffs(game, initial(game)) == {"ann": ann, "bob": bob}
    assert payoffs(game, initial(game), transfer=True) == {"ann": ann - bob, "bob": bob - ann}


def test_gains_are_paid_only_at_the_end() -> None:
    game = read(GAINS.format(gains="(:gain ann 1 ())", init="(on) (whoseturn ann)"))
    with pytest.raises(ValueError, match="not over"):
        payoffs(game, initial(game))
    assert payoffs(game, play(game, "(x)")[0]) == {"ann": 1, "bob": 0}


def test_a_transfer_needs_two_players_and_no_negative_gain() -> None:
    negative = read(GAINS.format(gains="(:gain ann (- 1) ())", init=""))
    assert payoffs(negative, initial(negative)) == {"ann": -1, "bob": 0}
    three = read(GAINS.format(gains="(:gain ann 1 ())", init="").replace("ann bob", "ann bob cyd"))
    for game in (negative, three):
        with pytest.raises(ValueError, match="transfer"):
            payoffs(game, initial(game), transfer=True)
