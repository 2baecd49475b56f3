"""Small rule texts, and rules and errors of a text in a form that is easy to compare."""

import pytest

from veil.errors import Problem, VeilError
from veil.lang import Rule, Rules, infix as infix_notation, prefix as prefix_notation, read_rules
from veil.lang.build import Builder, build
from veil.lang.source import Source
from veil.lang.tree import Group, Node
from veil.vocabulary import Term, Var, show, substitute, variables

# A sound game of seven lines; what a test adds to it begins on line 8.
GAME = """\
(role white)
(init (step 1))
(succ 1 2)
(legal white noop)
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 2)))
(goal white 100)
"""

COIN_PREFIX = """
; random tosses a coin, Ann sees heads but not tails, then guesses
(role random) (role ann)
(side heads) (side tails) (succ 1 2) (succ 2 3)
(init (step 1))
(<= (legal random (toss ?s)) (side ?s) (true (step 1)))
(<= (legal random noop) (not (true (step 1))))
(<= (legal ann noop) (true (step 1)))
(<= (legal ann (guess ?s)) (side ?s) (true (step 2)))
(<= (sees ann (coin ?s)) (does random (toss ?s)) (distinct ?s tails))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (coin (of ?s))) (or (does random (toss ?s)) (true (coin (of ?s)))))
(<= (next right) (does ann (guess ?s)) (true (coin (of ?s))))
(<= terminal (true (step 3)))
(<= (goal ann 100) (true right))
(<= (goal ann 0) (not (true right)))
"""
COIN_INFIX = """
% random tosses a coin, Ann sees heads but not tails, then guesses
role(random). role(ann).
side(heads). side(tails). succ(1, 2). succ(2, 3).
init(step(1)).
legal(random, toss(S)) :- side(S), true(step(1)).
legal(random, noop) <= ~true(step(1)).
legal(ann, noop) <- true(step(1)).
legal(ann, guess(?s)) :- side(?s) & true(step(2)).
sees(ann, coin(S)) :- does(random, toss(S)), distinct(S, tails).
next(step(M)) :- true(step(N)), succ(N, M).
next(coin(of(S))) :- does(random, toss(S)) | true(coin(of(S))).
next(right) :- does(ann, guess(S)), true(coin(of(S))).
terminal :- true(step(3)).
goal(ann, 100) :- true(right).
goal(ann, 0) :- not true(right).
"""

# The game of the article (figure 1) and of the slides, with their slips repaired.
MONTY_HALL_PREFIX = """
(role candidate) (role random)
(init (closed 1)) (init (closed 2)) (init (closed 3)) (init (step 1))
(<= (legal random (hide_car ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal random (open_door ?d))
    (true (step 2)) (true (closed ?d)) (not (true (car ?d))) (not (true (chosen ?d))))
(<= (legal random noop) (true (step 3)))
(<= (legal candidate (choose ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal candidate noop) (true (step 2)))
(<= (legal candidate noop) (true (step 3)))
(<= (legal candidate switch) (true (step 3)))
(<= (sees candidate ?d) (does random (open_door ?d)))
(<= (sees candidate ?d) (true (step 3)) (true (car ?d)))
(<= (next (car ?d)) (or (does random (hide_car ?d)) (true (car ?d))))
(<= (next (closed ?d)) (true (closed ?d)) (not (does random (open_door ?d))))
(<= (next (chosen ?d)) (does candidate (choose ?d)))
(<= (next (chosen ?d)) (true (chosen ?d)) (not (does candidate switch)))
(<= (next (chosen ?d)) (does candidate switch) (true (closed ?d)) (not (true (chosen ?d))))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (step 4)) (true (step 3)))
(<= terminal (true (step 4)))
(<= (goal candidate 100) (true (chosen ?d)) (true (car ?d)))
(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))))
(goal random 0)
"""
MONTY_HALL_INFIX = """
role(candidate). role(random).
init(closed(1)). init(closed(2)). init(closed(3)). init(step(1)).
legal(random, hide_car(?d)) <= true(step(1)), true(closed(?d)).
legal(random, open_door(?d)) <=
    true(step(2)), true(closed(?d)), not true(car(?d)), not true(chosen(?d)).
legal(random, noop) <= true(step(3)).
legal(candidate, choose(?d)) <= true(step(1)), true(closed(?d)).
legal(candidate, noop) <= true(step(2)).
legal(candidate, noop) <= true(step(3)).
legal(candidate, switch) <= true(step(3)).
sees(candidate, ?d) <= does(random, open_door(?d)).
sees(candidate, ?d) <= true(step(3)), true(car(?d)).
next(car(?d)) <= does(random, hide_car(?d)) ; true(car(?d)).
next(closed(?d)) <= true(closed(?d)), not does(random, open_door(?d)).
next(chosen(?d)) <= does(candidate, choose(?d)).
next(chosen(?d)) <= true(chosen(?d)), not does(candidate, switch).
next(chosen(?d)) <= does(candidate, switch), true(closed(?d)), not true(chosen(?d)).
next(step(2)) <= true(step(1)).
next(step(3)) <= true(step(2)).
next(step(4)) <= true(step(3)).
terminal <= true(step(4)).
goal(candidate, 100) <= true(chosen(?d)), true(car(?d)).
goal(candidate, 0) <= true(chosen(?d)), not true(car(?d)).
goal(random, 0).
"""


def written(rule: Rule) -> str:
    """A rule on one line, variables named by their order: `(p ?0) <= (q ?0 ?1), not (r ?1)`."""
    atoms = [rule.head, *(literal.atom for literal in rule.body)]
    order = dict.fromkeys(var for atom in atoms for var in variables(atom))
    names: dict[Var, Term] = {var: Var(str(i)) for i, var in enumerate(order)}
    head, *body = (show(substitute(atom, names)) for atom in atoms)
    signs = ["" if literal.positive else "not " for literal in rule.body]
    return " <= ".join([head, *([", ".join(map("".join, zip(signs, body, strict=True)))] if body else [])])


def built(text: str, infix: bool = False) -> list[str]:
    """The rules of a text before anything is checked."""
    return [written(rule) for rule in builder_of(text, infix).rules]


def builder_of(text: str, infix: bool = False) -> Builder:
    source = Source("text", text)
    return build(source, (infix_notation if infix else prefix_notation).parse(source).statements)


def added(text: str) -> list[str]:
    """What the lines add to `GAME`, as rules that have been checked and repaired."""
    before = {written(rule) for rule in read_rules(GAME).rules}
    return [written(rule) for rule in read_rules(GAME + text).rules if written(rule) not in before]


def noticed(text: str) -> list[tuple[str, int, int]]:
    """Code, line and column of what is said about `GAME` with these lines added."""
    return spots(read_rules(GAME + text).problems)


def doubted(text: str) -> list[tuple[str, int, int]]:
    return spots(read_rules(GAME + text).doubts)


def errors_in(text: str | bytes) -> list[tuple[str, int, int]]:
    """Code, line and column of the errors that reading the text raises."""
    with pytest.raises(VeilError) as caught:
        read_rules(text)
    return spots(caught.value.problems)


def spots(problems: tuple[Problem, ...]) -> list[tuple[str, int, int]]:
    return [(p.code, p.place.line, p.place.column) if p.place else (p.code, 0, 0) for p in problems]


def rules_of(rules: Rules) -> list[str]:
    return [written(rule) for rule in rules.rules]


def shape(node: Node) -> object:
    """A syntax tree as nested lists of its words, without places."""
    return [shape(item) for item in node.items] if isinstance(node, Group) else node.text


# A game that can be played, with the slips that a review should find.
SLIPS = """(role a) (role b)
(init (control a)) (init (step 1))
(succ 1 2) (succ 2 3) (succ 3 4)
(other a b) (other b a)
(<= (legal ?r (take ?n)) (role ?r) (succ ?n ?m))
(<= (next (control ?q)) (true (control ?r)) (other ?r ?q))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (taken ?r ?n)) (does ?r (take ?n)))
(<= (next (jumped)) (does a (take 1)) (true (step 4)))
(<= terminal (true (step 4)))
(<= (sees a (took ?n)) (does b (take ?n)))
(<= (goal a 100) (true (step 4)))
(<= (goal a 40) (true (step 1)))
(<= (goal b 0) (true (step 4)))
"""
