"""A slow, obvious reader and evaluator of POGDDL, the oracle that a faster reader is tested against.

The language is that of Richards & Amir, Information Set Generation in Partially Observable Games (2012): PDDL 2.2 with
`observe` in effects and `:gain` for payoffs. Where text and files leave something open, this is the reading:

1. Capital letters are small letters. A term is a `str`, or a tuple of terms. Numbers are Fractions.
2. Roles are the objects of the type that `whoseturn` is declared with, `role` if it is not declared. `chance` is
   nature and no player: it is told nothing and gains nothing. Its actions are equally likely, one by one.
3. Who acts is who `whoseturn` holds for. All applicable actions are that role's, whatever their precondition says.
4. Effects look at the state before the action and happen together. An atom both deleted and added is true afterwards.
   Increases and decreases of a fluent add up. Two different values assigned, or one beside an increase, is an error.
5. `(observe (who what) ...)`: `all` is every player, `others` every player not named in the same `observe`. What a
   player is told by one action is a set, written as a sorted tuple. An action without `observe` tells nobody anything.
6. The game is over where no action is applicable. `(:gain ?p - type amount condition)` is paid there, once for each
   binding that makes the condition true, to each player in the list; payoffs are sums. With transfer, what one of two
   players gains the other loses.
7. A type, predicate or function that is used but not declared is a warning; an undeclared object is an error, except in
   what is observed, where any word will do. A fluent without a value has none: reading it is an error.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import prod
from typing import Any, cast

from tests.reference.pogddl_text import Derived, Domain, Problem, Typed, parse, read_part, show, typed_list

CHANCE = "chance"
EVERYONE, THE_OTHERS = "all", "others"
COMPARISONS = ("=", "<", ">", "<=", ">=")
ARITHMETIC = ("+", "-", "*", "/")

Atom = tuple[str, ...]
Binding = dict[str, str]


# Games


@dataclass(frozen=True)
class State:
    """The ground atoms that are true, derived ones not among them, and the value of each numeric fluent."""

    atoms: frozenset[Atom]
    numbers: Mapping[Atom, Fraction]

    def __hash__(self) -> int:
        return hash((self.atoms, frozenset(self.numbers.items())))


@dataclass(frozen=True, eq=False)
class Game:
    domain: Domain
    problem: Problem
    objects: dict[object, tuple[str, ...]]  # by type, in the order of their declaration; `object` holds all
    roles: tuple[str, ...]
    strata: tuple[tuple[Derived, ...], ...]  # those with a smaller index are complete before the next are looked at
    start: State
    warnings: tuple[str, ...]

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(role for role in self.roles if role != CHANCE)


def read(*texts: str) -> Game:
    """Return the game of one domain and one problem, in one text or in two. ValueError if one is missing."""
    parts = [read_part(form) for text in texts for form in parse(text)]
    domains = [part for part in parts if isinstance(part, Domain)]
    problems = [part for part in parts if isinstance(part, Problem)]
    if not domains and problems:
        raise ValueError(f"the domain {problems[0].domain} is missing, which the problem {problems[0].name} needs")
    if not problems and domains:
        raise ValueError(f"a problem is missing, which says how the domain {domains[0].name} starts")
    if len(domains) != 1 or len(problems) != 1:
        raise ValueError(f"one domain and one problem are needed, not {len(domains)} and {len(problems)}")
    return build(domains[0], problems[0])


def build(domain: Domain, problem: Problem) -> Game:
    if problem.domain != domain.name:
        raise ValueError(f"the problem {problem.name} is for the domain {problem.domain}, not for {domain.name}")
    objects = objects_by_type(domain, problem)
    role_type = dict(domain.predicates).get("whoseturn", (("?r", "role"),))[0][1]
    numbers = {form[1]: Fraction(form[2]) for form in problem.init if form[0] == "="}
    game = Game(
        domain=domain,
        problem=problem,
        objects=objects,
        roles=objects_of(objects, role_type),
        strata=stratify(domain.derived),
        start=State(frozenset(form for form in problem.init if form[0] != "="), numbers),
        warnings=tuple(find_undeclared(domain, problem)),
    )
    if not game.players:
        raise ValueError(f"no object of type {show(role_type)} is a player")
    check(game)
    return game


def objects_by_type(domain: Domain, problem: Problem) -> dict[object, tuple[str, ...]]:
    above: dict[Any, set[Any]] = {}
    for kind, parent in domain.types:
        above.setdefault(kind, set()).add(parent)
    declared = dict.fromkeys([*domain.constants, *problem.objects])
    result: dict[object, dict] = {"object": {}} | {kind: {} for kind in above}
    for name, declared_kind in declared:
        waiting: list[Any] = [declared_kind, "object"]
        seen = set()
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                result.setdefault(here, {})[name] = None
                waiting.extend(above.get(here, ()))
    return {kind: tuple(names) for kind, names in result.items()}


def find_undeclared(domain: Domain, problem: Problem) -> Iterator[str]:
    """Yield a warning for each type, predicate and function that is used without being declared."""
    types = {"object"} | {kind for pair in domain.types for kind in pair}
    used_types: dict[Any, None] = {}
    used_predicates: dict[str, None] = {}
    used_functions: dict[str, None] = {}
    for names in [domain.constants, problem.objects, *domain.predicates.values(), *domain.functions.values()]:
        used_types |= dict.fromkeys(kind for _, kind in names)
    for use, form, _ in list_mentions(domain, problem):
        if use == "type":
            used_types[form] = None
        else:
            (used_predicates if use == "predicate" else used_functions)[form[0]] = None
    for kind in used_types:
        for part in kind[1:] if isinstance(kind, tuple) else [kind]:
            if part not in types:
                yield f"type {part} is not declared"
    yield from (f"predicate {name} is not declared" for name in used_predicates if name not in domain.predicates)
    yield from (f"function {name} is not declared" for name in used_functions if name not in domain.functions)


def check(game: Game) -> None:
    """Refuse undeclared objects, unbound variables, effects on derived predicates, two actions of one name."""
    names = set(game.objects["object"])
    derived = {rule.name for rule in game.domain.derived}
    for use, form, bound in list_mentions(game.domain, game.problem):
        if use == "type":
            continue
        for word in form[1:]:
            if word not in bound | names:
                raise ValueError(f"{word} is neither an object nor a bound variable in {show(form)}")
    for form in game.problem.init:
        if form[0] in derived:
            raise ValueError(f"{form[0]} is derived and cannot be in :init")
    if len({action.name for action in game.domain.actions}) < len(game.domain.actions):
        raise ValueError("two actions have the same name")
    for action in game.domain.actions:
        for atom in list_changed_atoms(action.effect):
            if atom[0] in derived:
                raise ValueError(f"{atom[0]} is derived and cannot be an effect of {action.name}")


def list_changed_atoms(effect: tuple) -> Iterator[Atom]:
    """Yield the atoms, with their variables, that an effect can add or delete."""
    if not effect or effect[0] in ("observe", "assign", "increase", "decrease"):
        return
    if effect[0] in ("and", "not", "when", "forall"):
        for part in effect[1:] if effect[0] in ("and", "not") else effect[2:]:
            yield from list_changed_atoms(part)
    else:
        yield effect


def list_mentions(domain: Domain, problem: Problem) -> Iterator[tuple[str, Any, set[str]]]:
    """Yield (predicate, function or type; the form with its name; the variables bound there) for all that is used."""
    for form in problem.init:
        yield ("function", form[1], set()) if form[0] == "=" else ("predicate", form, set())
    for action in domain.actions:
        for part in (action.precondition, action.effect):
            yield from list_mentions_below(("forall", action.parameters, part), set())
    for rule in domain.derived:
        yield from list_mentions_below(("forall", rule.parameters, rule.body), set())
        yield "predicate", (rule.name,), set()
    for gain in [*domain.gains, *problem.gains]:
        yield from list_mentions_below(("forall", gain.who, ("=", gain.amount, gain.amount)), set())
        yield from list_mentions_below(("forall", gain.who, gain.condition), set())


def list_mentions_below(form: object, bound: set[str]) -> Iterator[tuple[str, Any, set[str]]]:
    """The same for one formula or effect."""
    if not isinstance(form, tuple) or not form or form[0] == "observe":
        return
    if form[0] in ("exists", "forall"):
        _, names, body = form
        names = names if names and isinstance(names[0], tuple) else typed_list(names)
        yield from (("type", kind, set()) for _, kind in names)
        yield from list_mentions_below(body, bound | {name for name, _ in names})
    elif form[0] in (*COMPARISONS, *ARITHMETIC, "assign", "increase", "decrease"):
        for part in form[1:]:
            if isinstance(part, tuple) and part[0] not in ARITHMETIC:
                yield "function", part, bound
            else:
                yield from list_mentions_below(part, bound)
    elif form[0] in ("and", "or", "not", "imply", "when"):
        for part in form[1:]:
            yield from list_mentions_below(part, bound)
    else:
        yield "predicate", form, bound


# Derived predicates


def stratify(rules: tuple[Derived, ...]) -> tuple[tuple[Derived, ...], ...]:
    """Order the rules so that a predicate is complete before its negation is asked for; ValueError if impossible."""
    level = {rule.name: 0 for rule in rules}
    grown = True
    while grown:
        grown = False
        for rule in rules:
            for name, is_negated in dependencies(rule.body, False):
                if name in level and level[rule.name] < level[name] + is_negated:
                    level[rule.name] = level[name] + is_negated
                    grown = True
        if any(value > len(level) for value in level.values()):
            raise ValueError("not stratified: a derived predicate depends on its own negation")
    return tuple(tuple(rule for rule in rules if level[rule.name] == here) for here in sorted(set(level.values())))


def dependencies(formula: object, is_negated: bool) -> Iterator[tuple[str, bool]]:
    """Yield (predicate, whether it stands under an odd number of negations) for all atoms of a formula."""
    if not isinstance(formula, tuple) or not formula:
        return
    name, *parts = formula
    if name in ("exists", "forall"):
        yield from dependencies(parts[1], is_negated)
    elif name == "not":
        yield from dependencies(parts[0], not is_negated)
    elif name == "imply":
        yield from dependencies(parts[0], not is_negated)
        yield from dependencies(parts[1], is_negated)
    elif name in ("and", "or"):
        for part in parts:
            yield from dependencies(part, is_negated)
    elif name not in COMPARISONS:
        yield name, is_negated


@lru_cache(maxsize=64)
def derive(game: Game, state: State) -> State:
    """Return the state with all derived atoms added: apply every rule to all objects until nothing new appears."""
    facts = set(state.atoms)
    growing = cast("frozenset[Atom]", facts)  # looked at and never hashed, so that it need not be copied
    for rules in game.strata:
        grown = True
        while grown:
            grown = False
            for rule in rules:
                for binding in bindings(game, rule.parameters):
                    head = (rule.name, *(binding[name] for name, _ in rule.parameters))
                    if head not in facts and holds(game, State(growing, state.numbers), rule.body, binding):
                        facts.add(head)
                        grown = True
    return State(frozenset(facts), state.numbers)


# Formulas


def bindings(game: Game, names: Typed, given: Binding | None = None) -> Iterator[Binding]:
    """Yield the given binding, extended in every way that gives each name an object of its type."""
    for values in product(*(objects_of(game.objects, kind) for _, kind in names)):
        yield {**(given or {}), **{name: value for (name, _), value in zip(names, values, strict=True)}}


def find_bindings(game: Game, facts: State, names: Typed, formula: tuple, given: Binding) -> Iterator[Binding]:
    """Yield the bindings that make the formula true, in the order of `bindings`.

    The names get their objects one after the other. As soon as all variables of a conjunct have one, it is tested.
    """
    if not names:
        if holds(game, facts, formula, given):
            yield given
        return
    conjuncts = formula[1:] if formula[:1] == ("and",) else (formula,)
    (name, kind), *others = names
    open_names = {other for other, _ in others}
    now = [part for part in conjuncts if not variables(part) & open_names]
    later = ("and", *(part for part in conjuncts if variables(part) & open_names))
    for value in objects_of(game.objects, kind):
        wider = {**given, name: value}
        if all(holds(game, facts, part, wider) for part in now):
            yield from find_bindings(game, facts, tuple(others), later, wider)


@cache
def variables(form: Any) -> frozenset[str]:
    """All variables that stand in a form, those of its quantifiers among them."""
    if isinstance(form, str):
        return frozenset({form} if form.startswith("?") else ())
    return frozenset[str]().union(*map(variables, form))


def objects_of(objects: dict[object, tuple[str, ...]], kind: object) -> tuple[str, ...]:
    if isinstance(kind, tuple):
        return tuple(dict.fromkeys(name for part in kind[1:] for name in objects_of(objects, part)))
    return objects.get(kind, ())


def holds(game: Game, facts: State, formula: tuple, binding: Binding) -> bool:
    """Return whether a formula is true. Facts are a state to which derived atoms have been added."""
    if formula == ():
        return True
    name, *parts = formula
    if name == "and":
        return all(holds(game, facts, part, binding) for part in parts)
    if name == "or":
        return any(holds(game, facts, part, binding) for part in parts)
    if name == "not":
        [part] = parts
        return not holds(game, facts, part, binding)
    if name == "imply":
        premise, conclusion = parts
        return not holds(game, facts, premise, binding) or holds(game, facts, conclusion, binding)
    if name in ("exists", "forall"):
        names, body = parts
        sought = body if name == "exists" else ("not", body)
        is_found = any(True for _ in find_bindings(game, facts, typed_list(names), sought, binding))
        return is_found == (name == "exists")
    if name in COMPARISONS:
        left, right = parts
        return compare(game, facts, name, left, right, binding)
    return ground(formula, binding) in facts.atoms


def compare(game: Game, facts: State, sign: str, left: Any, right: Any, binding: Binding) -> bool:
    names = [binding.get(side, side) for side in (left, right)]
    if sign == "=" and all(name in game.objects["object"] for name in names):
        return names[0] == names[1]
    a, b = (number(facts, side, binding) for side in (left, right))
    return {"=": a == b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[sign]


def number(facts: State, expression: Any, binding: Binding) -> Fraction:
    """Return the value of a number, a fluent, or a sum, difference, product or quotient."""
    if isinstance(expression, str):
        return Fraction(expression)
    if expression[0] not in ARITHMETIC:
        fluent = ground(expression, binding)
        if fluent not in facts.numbers:
            raise ValueError(f"{show(fluent)} has no value")
        return facts.numbers[fluent]
    sign, *parts = expression
    values = [number(facts, part, binding) for part in parts]
    if sign == "-":
        return values[0] - sum(values[1:]) if len(values) > 1 else -values[0]
    if sign == "/":
        dividend, divisor = values
        if not divisor:
            raise ValueError(f"division by zero in {show(expression)}")
        return dividend / divisor
    return Fraction(sum(values) if sign == "+" else prod(values))


def ground(form: tuple, binding: Binding) -> Atom:
    """Return an atom or fluent with its variables replaced."""
    return (form[0], *(binding.get(word, word) for word in form[1:]))


# Playing


def initial(game: Game) -> State:
    """Return the state in which the game starts."""
    return game.start


def actor(game: Game, state: State) -> str | None:
    """Return the role whose turn it is, None if it is nobody's."""
    facts = derive(game, state)
    names = [role for role in game.roles if ("whoseturn", role) in facts.atoms]
    if len(names) > 1:
        raise ValueError(f"it is the turn of {' and '.join(names)} at once")
    return names[0] if names else None


def applicable(game: Game, state: State) -> dict[str, list[Atom]]:
    """Return the actions of the role whose turn it is, in the order of the rules; {} where the game is over."""
    facts = derive(game, state)
    actions = [
        (action.name, *(binding[name] for name, _ in action.parameters))
        for action in game.domain.actions
        for binding in find_bindings(game, facts, action.parameters, action.precondition, {})
    ]
    if not actions:
        return {}
    who = actor(game, state)
    if who is None:
        raise ValueError(f"nobody's turn, but {show(actions[0])} is applicable")
    return {who: actions}


def chance(game: Game, state: State) -> dict[Atom, Fraction]:
    """Return how likely each action of nature is; {} if it is not its turn."""
    actions = applicable(game, state).get(CHANCE, [])
    return {action: Fraction(1, len(actions)) for action in actions}


def is_over(game: Game, state: State) -> bool:
    return not applicable(game, state)


class Changes:
    """What an action does: all of it is worked out in the state before, and carried out together."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.added: set[Atom] = set()
        self.deleted: set[Atom] = set()
        self.assigned: dict[Atom, set[Fraction]] = {}
        self.increased: dict[Atom, Fraction] = {}
        self.told: dict[str, set[Atom]] = {player: set() for player in game.players}

    def carry_out(self, state: State) -> State:
        numbers = dict(state.numbers)
        for fluent, values in self.assigned.items():
            if len(values) > 1 or fluent in self.increased:
                raise ValueError(f"{show(fluent)} is changed in two ways at once")
            [numbers[fluent]] = values
        for fluent, amount in self.increased.items():
            if fluent not in numbers:
                raise ValueError(f"{show(fluent)} has no value")
            numbers[fluent] += amount
        return State((state.atoms - self.deleted) | self.added, numbers)


def apply(game: Game, state: State, action: Atom) -> tuple[State, dict[str, tuple[Atom, ...]]]:
    """Return the state after an applicable action, and what each player is told."""
    facts = derive(game, state)
    schema = next((schema for schema in game.domain.actions if schema.name == action[0]), None)
    if schema is None or len(action) != 1 + len(schema.parameters):
        raise ValueError(f"there is no action {show(action)}")
    binding = {name: value for (name, _), value in zip(schema.parameters, action[1:], strict=True)}
    is_typed = all(binding[name] in objects_of(game.objects, kind) for name, kind in schema.parameters)
    if not is_typed or not holds(game, facts, schema.precondition, binding):
        raise ValueError(f"{show(action)} is not applicable")
    changes = Changes(game)
    collect_effect(facts, schema.effect, binding, changes)
    return changes.carry_out(state), {player: tuple(sorted(seen)) for player, seen in changes.told.items()}


def collect_effect(facts: State, effect: tuple, binding: Binding, changes: Changes) -> None:
    """Add to the changes what an effect does in these facts."""
    if not effect:
        return
    name, *parts = effect
    if name == "and":
        for part in parts:
            collect_effect(facts, part, binding, changes)
    elif name == "not":
        changes.deleted.add(ground(parts[0], binding))
    elif name == "when":
        condition, consequence = parts
        if holds(changes.game, facts, condition, binding):
            collect_effect(facts, consequence, binding, changes)
    elif name == "forall":
        names, body = parts
        for wider in bindings(changes.game, typed_list(names), binding):
            collect_effect(facts, body, wider, changes)
    elif name == "assign":
        fluent, expression = parts
        changes.assigned.setdefault(ground(fluent, binding), set()).add(number(facts, expression, binding))
    elif name in ("increase", "decrease"):
        fluent, amount = ground(parts[0], binding), number(facts, parts[1], binding)
        changes.increased[fluent] = changes.increased.get(fluent, Fraction(0)) + (
            amount if name == "increase" else -amount
        )
    elif name == "observe":
        collect_observations(parts, binding, changes)
    else:
        changes.added.add(ground(effect, binding))


def collect_observations(pairs: Iterable[tuple], binding: Binding, changes: Changes) -> None:
    named = {binding.get(who, who) for who, _ in pairs}
    for who, what in pairs:
        recipient = binding.get(who, who)
        if recipient not in (EVERYONE, THE_OTHERS, *changes.game.roles):
            raise ValueError(f"{recipient} is no role and cannot observe {show(what)}")
        observation = ground(what if isinstance(what, tuple) else (what,), binding)
        if not all(isinstance(word, str) for word in observation):
            raise ValueError(f"an observation is a name and words, not {show(what)}")
        for player in changes.game.players:
            if recipient in (EVERYONE, player) or (recipient == THE_OTHERS and player not in named):
                changes.told[player].add(observation)


def payoffs(game: Game, state: State, transfer: bool = False, anywhere: bool = False) -> dict[str, Fraction]:
    """Return what each player has gained where the game is over, or anywhere.

    With transfer, each gain is paid by the other player. ValueError unless there are two players and no gain is
    negative.
    """
    if not anywhere and not is_over(game, state):
        raise ValueError("the game is not over")
    facts = derive(game, state)
    total = dict.fromkeys(game.players, Fraction(0))
    for gain in [*game.domain.gains, *game.problem.gains]:
        variables = tuple(pair for pair in gain.who if pair[0].startswith("?"))
        for binding in bindings(game, variables):
            players = {binding.get(name, name) for name, _ in gain.who} & set(game.players)
            if players and holds(game, facts, gain.condition, binding):
                amount = number(facts, gain.amount, binding)
                if transfer and amount < 0:
                    raise ValueError("a negative gain cannot be read as a transfer")
                for player in players:
                    total[player] += amount
    if not transfer:
        return total
    if len(game.players) != 2:
        raise ValueError(f"a transfer is between two players, not {len(game.players)}")
    first, second = game.players
    return {first: total[first] - total[second], second: total[second] - total[first]}


def random_playout(game: Game, rng: random.Random) -> Iterator[tuple[State, str, Atom, dict[str, tuple[Atom, ...]]]]:
    """Yield (state, who acts, action, observations) for each action of random play, up to the end of the game."""
    state = initial(game)
    while actions := applicable(game, state):
        [(who, choices)] = actions.items()
        action = rng.choice(choices)
        after, told = apply(game, state, action)
        yield state, who, action, told
        state = after
