"""A slow, obvious evaluator for GDL-II, the oracle that faster machines are tested against.

1. Read the prefix text into terms: a constant or a variable is a `str`, `(f a b)` is the tuple `("f", "a", "b")`.
2. Multiply out `and` and `or`, so that a rule is a head and a list of literals.
3. Find the strata: predicates that depend on each other. Refuse recursion through negation.
4. Keep the rules that some answer depends on. Order their literals and refuse those with unbound variables.
5. Evaluate stratum by stratum, bottom up: apply every rule to all facts until nothing new appears.

A literal is an atom, `("distinct", a, b)`, or `("not", bodies)`, true if none of the bodies has a solution. A variable
that occurs in one `not` only is therefore read as "there is no x such that ...".
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, product

STATE_ANSWERS = {("legal", 2), ("terminal", 0), ("goal", 2)}  # may look at `true`
ROUND_ANSWERS = {("sees", 2), ("next", 1)}  # may look at `true` and `does`


class NaiveGame:
    """The rules of one game. Terms go in and come out as prefix strings such as `(cell 1 1 b)`."""

    def __init__(self, text: str) -> None:
        rules = [rule for form in parse(text) for rule in read_rule(form)]
        self._reach = reach(rules)
        used = self._needed({("role", 1), ("init", 1)} | STATE_ANSWERS | ROUND_ANSWERS)
        self._rules = [(head, ordered(body, set(), variables(head))) for head, body in rules if predicate(head) in used]
        self._static = {key for key, below in self._reach.items() if not below & {("true", 1), ("does", 2)}}
        self._static_facts = self._evaluate({}, self._static)
        listed = [show(head[1]) for head, _ in self._rules if predicate(head) == ("role", 1) and not variables(head)]
        derived = sorted(show(role) for _, role in self._static_facts[("role", 1)])
        self.roles = list(dict.fromkeys(role for role in listed + derived if role in derived))
        self._model = lru_cache(maxsize=4)(self._compute_model)

    def forget_nothing(self) -> None:
        """Remember all that is worked out from now on, and not only the last few states."""
        self._model = lru_cache(maxsize=None)(self._compute_model)

    def initial(self) -> frozenset[str]:
        """Return the fluents that hold at the start."""
        return frozenset(show(fluent) for _, fluent in self._static_facts[("init", 1)])

    def legal(self, state: Iterable[str]) -> dict[str, set[str]]:
        """Return the legal moves of each role."""
        return self._per_role("legal", self._model(frozenset(state), None))

    def terminal(self, state: Iterable[str]) -> bool:
        """Return whether the game is over."""
        return bool(self._model(frozenset(state), None)[("terminal", 0)])

    def goals(self, state: Iterable[str]) -> dict[str, set[str]]:
        """Return all goal values that can be derived for each role."""
        return self._per_role("goal", self._model(frozenset(state), None))

    def sees(self, state: Iterable[str], joint: dict[str, str]) -> dict[str, set[str]]:
        """Return the percepts of each role after the joint move."""
        return self._per_role("sees", self._model(frozenset(state), frozenset(joint.items())))

    def next(self, state: Iterable[str], joint: dict[str, str]) -> frozenset[str]:
        """Return the state after the joint move."""
        model = self._model(frozenset(state), frozenset(joint.items()))
        return frozenset(show(fluent) for _, fluent in model[("next", 1)])

    def _per_role(self, name: str, facts: dict) -> dict[str, set[str]]:
        return {role: {show(what) for _, who, what in facts[(name, 2)] if show(who) == role} for role in self.roles}

    def _compute_model(self, state: frozenset[str], joint: frozenset | None) -> dict:
        """All facts that the answers need: of the state alone if joint is None, else of the round."""
        given = {
            ("true", 1): {("true", read_term(fluent)) for fluent in state},
            ("does", 2): {("does", read_term(role), read_term(move)) for role, move in joint or ()},
        }
        answers = STATE_ANSWERS if joint is None else ROUND_ANSWERS
        return self._evaluate(self._static_facts | given, self._needed(answers) - self._static)

    def _needed(self, answers: set) -> set:
        """All predicates that the answers depend on."""
        return set().union(*(self._reach.get(key, set()) for key in answers))

    def _evaluate(self, known: dict, needed: set) -> dict:
        """Return the known facts and all facts of the needed predicates.

        Rules with the same `reach` are one stratum: their heads depend on each other. What reaches less comes first.
        """
        facts = defaultdict(set, {key: set(atoms) for key, atoms in known.items()})
        strata = defaultdict(list)
        for head, body in self._rules:
            if predicate(head) in needed:
                strata[frozenset(self._reach[predicate(head)])].append((head, body))
        for below in sorted(strata, key=len):
            grown = True
            while grown:
                new = [substitute(head, found) for head, body in strata[below] for found in solve(body, facts, {})]
                grown = any(atom not in facts[predicate(atom)] for atom in new)
                for atom in new:
                    facts[predicate(atom)].add(atom)
        return facts


def random_playout(game: NaiveGame, rng: random.Random, rounds: int) -> Iterator[tuple]:
    """Yield (state, legal, joint, sees) for at most so many rounds of random play, up to a terminal state."""
    state = game.initial()
    for _ in range(rounds):
        legal = game.legal(state)
        if game.terminal(state) or not all(legal.values()):
            return
        joint = {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
        yield state, legal, joint, game.sees(state, joint)
        state = game.next(state, joint)


# Text and terms


def parse(text: str) -> list:
    """Return the terms that the text consists of. `(foo)` is read as `foo`."""
    stack: list[list] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1 or not stack[-1]:
                raise ValueError("closing parenthesis without content")
            term = stack.pop()
            stack[-1].append(tuple(term) if len(term) > 1 else term[0])
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise ValueError("parenthesis never closed")
    return stack[0]


def read_term(text: str):
    """Return the one term that the text consists of."""
    [term] = parse(text)
    return term


def show(term) -> str:
    """Return the prefix text of a term."""
    return term if isinstance(term, str) else "(" + " ".join(map(show, term)) + ")"


def as_atom(term) -> tuple:
    return (term,) if isinstance(term, str) else term


def predicate(atom: tuple) -> tuple[str, int]:
    return atom[0], len(atom) - 1


def variables(term) -> set[str]:
    """All variables in a term, a literal, or a list of bodies."""
    if isinstance(term, str):
        return {term} if term.startswith("?") else set()
    return set().union(*map(variables, term))


# From a form of the text to rules


def read_rule(form) -> list[tuple]:
    """Return the rules (head, list of literals) of a form: one for each way through its `or`s."""
    _, head, *body = form if form[0] == "<=" else ("<=", form)
    return [(as_atom(head), conjunction) for conjunction in bodies(("and", *body))]


def bodies(formula) -> list[list]:
    """Multiply out: return conjunctions of literals, one of which must hold."""
    name, *parts = as_atom(formula)
    if name == "and":
        return [list(chain(*choice)) for choice in product(*map(bodies, parts))]
    if name == "or":
        return [body for part in parts for body in bodies(part)]
    if name == "not":
        [part] = parts
        return [[("not", bodies(part))]]
    return [[as_atom(formula)]]


def ordered(body: list, bound: set[str], wanted: set[str]) -> list:
    """Return the body with atoms in their order and each `not` and `distinct` as soon as its variables are bound.

    bound holds the variables that have a value before, wanted those that must have one in the end.
    """
    atoms = [literal for literal in body if literal[0] not in ("not", "distinct")]
    tests = [literal for literal in body if literal[0] in ("not", "distinct")]
    result, bound = [], set(bound)
    for atom in [None, *atoms]:
        if atom is not None:
            result.append(atom)
            bound |= variables(atom)
        for test in tests[:]:
            others = bound.union(wanted, *(variables(literal[1:]) for literal in body if literal is not test))
            needs = variables(test[1:]) & others if test[0] == "not" else variables(test[1:])
            if needs <= bound:
                tests.remove(test)
                if test[0] == "not":
                    test = ("not", [ordered(part, needs, set()) for part in test[1]])
                result.append(test)
    if tests or not wanted <= bound:
        raise ValueError(f"unsafe rule: some variable is not bound in {body}, wanted: {sorted(wanted)}")
    return result


# From rules to facts


def reach(rules: list[tuple]) -> dict:
    """Return for each head's predicate all predicates it depends on, itself included; ValueError if not stratified."""
    below, negated = defaultdict(set), defaultdict(set)
    for head, body in rules:
        for key, is_negated in dependencies(body, False):
            below[predicate(head)].add(key)
            if is_negated:
                negated[predicate(head)].add(key)
    reached = {}
    for key in {predicate(head) for head, _ in rules}:
        reached[key], waiting = {key}, [key]
        while waiting:
            new = below.get(waiting.pop(), set()) - reached[key]
            reached[key] |= new
            waiting.extend(new)
    for key, others in negated.items():
        if any(key in reached.get(other, ()) for other in others):
            raise ValueError(f"not stratified: {key} depends on its own negation")
    return reached


def dependencies(body: list, is_negated: bool) -> Iterator[tuple]:
    """Yield (predicate, whether it stands under a `not`) for all atoms of a body."""
    for literal in body:
        if literal[0] == "not":
            for part in literal[1]:
                yield from dependencies(part, True)
        elif literal[0] != "distinct":
            yield predicate(literal), is_negated


def solve(body: list, facts: dict, binding: dict) -> Iterator[dict]:
    """Yield each binding that extends the given one and makes all literals true."""
    if not body:
        yield binding
        return
    for extended in satisfy(body[0], facts, binding):
        yield from solve(body[1:], facts, extended)


def satisfy(literal: tuple, facts: dict, binding: dict) -> Iterator[dict]:
    """Yield each binding that extends the given one and makes this literal true."""
    if literal[0] == "not":
        if not any(True for body in literal[1] for _ in solve(body, facts, binding)):
            yield binding
    elif literal[0] == "distinct":
        if substitute(literal[1], binding) != substitute(literal[2], binding):
            yield binding
    else:
        atom = substitute(literal, binding)
        known = facts.get(predicate(atom), set())
        for fact in known if variables(atom) else known & {atom}:
            extended = match(atom, fact, binding)
            if extended is not None:
                yield extended


def match(pattern, term, binding: dict) -> dict | None:
    """Return the binding extended so that the pattern becomes the ground term, None if there is none."""
    if isinstance(pattern, str):
        if pattern.startswith("?") and pattern not in binding:
            return {**binding, pattern: term}
        return binding if binding.get(pattern, pattern) == term else None
    if isinstance(term, str) or len(pattern) != len(term):
        return None
    extended: dict | None = binding
    for part, value in zip(pattern, term, strict=True):
        extended = match(part, value, extended) if extended is not None else None
    return extended


def substitute(term, binding: dict):
    """Return the term with bound variables replaced."""
    if isinstance(term, str):
        return binding.get(term, term)
    return tuple(substitute(part, binding) for part in term)
