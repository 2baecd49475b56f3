"""The text of POGDDL as terms, and its domains and problems as records. What they mean is said in `pogddl.py`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

Typed = tuple[tuple[str, object], ...]  # pairs of a name and its type; a type is a str, or ("either", type, ...)


# Text


def parse(text: str) -> list:
    """Return the terms that the text consists of. `()` is the empty tuple."""
    stack: list[list] = [[]]
    for token in re.findall(r"[()]|[^\s()]+", re.sub(r";.*", "", text).lower()):
        if token == "(":
            stack.append([])
        elif token == ")":
            if len(stack) == 1:
                raise ValueError("closing parenthesis without an opening one")
            term = tuple(stack.pop())
            stack[-1].append(term)
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise ValueError("parenthesis never closed")
    return stack[0]


def show(term) -> str:
    """Return the text of a term."""
    return str(term) if not isinstance(term, tuple) else "(" + " ".join(map(show, term)) + ")"


@cache
def typed_list(form: tuple) -> Typed:
    """Return the (name, type) pairs of `a b - t c`. A name without a type is an `object`."""
    pairs: list[tuple[str, object]] = []
    waiting: list[str] = []
    rest = list(form)
    while rest:
        word = rest.pop(0)
        if word == "-":
            kind = rest.pop(0)
            pairs += [(name, kind) for name in waiting]
            waiting = []
        else:
            waiting.append(word)
    return tuple(pairs + [(name, "object") for name in waiting])


# Domains and problems


class Action(NamedTuple):
    name: str
    parameters: Typed
    precondition: tuple
    effect: tuple


class Derived(NamedTuple):
    """The head is true for all values of its variables that make the body true."""

    name: str
    parameters: Typed
    body: tuple


class Gain(NamedTuple):
    who: Typed  # variables, or names of roles
    amount: object
    condition: tuple


@dataclass(frozen=True)
class Domain:
    name: str
    requirements: tuple[str, ...]
    types: Typed  # a type and the type above it
    constants: Typed
    predicates: dict[str, Typed]
    functions: dict[str, Typed]
    derived: tuple[Derived, ...]
    actions: tuple[Action, ...]
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Problem:
    name: str
    domain: str
    objects: Typed
    init: tuple[tuple, ...]
    gains: tuple[Gain, ...]


def read_part(form: tuple) -> Domain | Problem:
    """Return the domain or the problem that a `define` form describes."""
    if len(form) < 2 or form[0] != "define" or len(form[1]) != 2 or form[1][0] not in ("domain", "problem"):
        raise ValueError(f"not a (define (domain ...) ...) or (define (problem ...) ...): {show(form)[:60]}")
    (_, (kind, name), *sections) = form
    return read_domain(name, sections) if kind == "domain" else read_problem(name, sections)


def read_domain(name: str, sections: list[tuple]) -> Domain:
    known = [":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action", ":gain"]
    check_sections(sections, known)
    return Domain(
        name=name,
        requirements=collect(sections, ":requirements"),
        types=typed_list(collect(sections, ":types")),
        constants=typed_list(collect(sections, ":constants")),
        predicates={form[0]: typed_list(form[1:]) for form in collect(sections, ":predicates")},
        # `- number` may stand behind functions, all of which are numbers.
        functions={
            form[0]: typed_list(form[1:]) for form in collect(sections, ":functions") if isinstance(form, tuple)
        },
        derived=tuple(Derived(head[0], typed_list(head[1:]), body) for _, head, body in each(sections, ":derived")),
        actions=tuple(read_action(section) for section in each(sections, ":action")),
        gains=tuple(read_gain(section) for section in each(sections, ":gain")),
    )


def read_problem(name: str, sections: list[tuple]) -> Problem:
    check_sections(sections, [":domain", ":requirements", ":objects", ":init", ":gain"])
    [domain] = collect(sections, ":domain")
    return Problem(
        name=name,
        domain=domain,
        objects=typed_list(collect(sections, ":objects")),
        init=collect(sections, ":init"),
        gains=tuple(read_gain(section) for section in each(sections, ":gain")),
    )


def check_sections(sections: list[tuple], known: list[str]) -> None:
    for section in sections:
        if not isinstance(section, tuple) or not section or section[0] not in known:
            raise ValueError(f"not one of {' '.join(known)}: {show(section)[:60]}")


def each(sections: list[tuple], keyword: str) -> list[tuple]:
    return [section for section in sections if section[0] == keyword]


def collect(sections: list[tuple], keyword: str) -> tuple:
    """Return what stands in all sections of this keyword."""
    return tuple(part for section in each(sections, keyword) for part in section[1:])


def read_action(section: tuple) -> Action:
    _, name, *rest = section
    fields = dict(zip(rest[::2], rest[1::2], strict=True))
    if not fields.keys() <= {":parameters", ":precondition", ":effect"}:
        raise ValueError(f"action {name}: unknown field in {' '.join(fields)}")
    parameters = typed_list(fields.get(":parameters", ()))
    return Action(name, parameters, fields.get(":precondition", ()), fields.get(":effect", ()))


def read_gain(section: tuple) -> Gain:
    """Read `(:gain ?p - role amount condition)`; the list of roles may stand in parentheses."""
    if len(section) < 4:
        raise ValueError(f"a gain needs roles, an amount and a condition: {show(section)}")
    _, *who, amount, condition = section
    if len(who) == 1 and isinstance(who[0], tuple):
        [who] = who
    return Gain(typed_list(tuple(who)), amount, condition)
