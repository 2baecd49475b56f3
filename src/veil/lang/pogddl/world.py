"""The declarations of a POGDDL text: types and their objects, roles, and the start.

Roles are the objects of the type that `whoseturn` is declared with, `role` if it is not declared. `chance` is nature.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import prod
from typing import NamedTuple

from veil.errors import Problem, fail, problem
from veil.lang.pogddl.sections import Sections, head_of, misshapen, read_typed_list, show_kind
from veil.lang.pogddl.syntax import AtomForm, GroundFluent, Kind, TypedName
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Word
from veil.vocabulary import RANDOM

CHANCE = "chance"
TURN = "whoseturn"
MAX_BINDINGS = 100_000  # ways to give objects to the variables of one form


class Declared(NamedTuple):
    """The declared names of a domain. Using another name gives a warning."""

    types: dict[str, None]
    predicates: dict[str, int]  # with their number of arguments
    functions: dict[str, int]


@dataclass(slots=True)
class World:
    """Objects, roles and the start of one game. Problems are added while the rest of the text is read."""

    source: Source
    objects: dict[str, dict[str, None]]  # by type, in the order of their declaration; `object` holds all
    declared: Declared
    roles: tuple[str, ...] = ()
    facts: dict[tuple[str, int], dict[tuple[str, ...], int]] = field(default_factory=dict)  # atoms with their offsets
    numbers: dict[GroundFluent, Fraction] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _warned: set[tuple[str, str]] = field(default_factory=set)

    @property
    def players(self) -> tuple[str, ...]:
        """The roles without nature."""
        return tuple(role for role in self.roles if role != CHANCE)

    def members(self, kind: Kind) -> tuple[str, ...]:
        """Return the objects of a type."""
        return tuple(dict.fromkeys(name for part in kind for name in self.objects.get(part, ())))

    def count_bindings(self, kinds: dict[str, Kind], variables: tuple[str, ...]) -> int:
        """Return in how many ways each variable can have an object of its type."""
        return prod(len(self.members(kinds[name])) for name in variables)

    def bindings(self, kinds: dict[str, Kind], variables: tuple[str, ...], at: int) -> list[dict[str, str]]:
        """Return every way to give each variable an object of its type.

        If there are too many, a message points at `at`.
        """
        count = self.count_bindings(kinds, variables)
        if count > MAX_BINDINGS:
            raise fail("pogddl-too-many-objects", self.source.place(at), count=count, limit=MAX_BINDINGS)
        choices = product(*(self.members(kinds[name]) for name in variables))
        return [dict(zip(variables, choice, strict=True)) for choice in choices]

    def warn_undeclared(self, what: str, name: str, offset: int) -> None:
        """Warn once if a type, predicate or function is not declared."""
        known: dict[str, dict[str, None] | dict[str, int]] = {
            "type": self.declared.types,
            "predicate": self.declared.predicates,
            "function": self.declared.functions,
        }
        if name not in known[what] and (what, name) not in self._warned:
            self._warned.add((what, name))
            self.problems.append(problem("pogddl-undeclared", self.source.place(offset), what=what, name=name))

    def check_use(self, what: str, atom: AtomForm) -> None:
        """Warn of a predicate or function that is not declared, or declared with another number of arguments."""
        self.warn_undeclared(what, atom.name, atom.offset)
        table = self.declared.predicates if what == "predicate" else self.declared.functions
        wanted, given = table.get(atom.name, len(atom.args)), len(atom.args)
        if given != wanted and ("arity", atom.name) not in self._warned:
            self._warned.add(("arity", atom.name))
            place = self.source.place(atom.offset)
            self.problems.append(problem("pogddl-arity", place, name=atom.name, wanted=wanted, given=given))

    def check_kind(self, kind: Kind, offset: int) -> None:
        """Warn of a type that is not declared."""
        for part in kind:
            self.warn_undeclared("type", part, offset)


def read_world(source: Source, sections: Sections) -> World:
    """Return the world of a text, before its formulas are read."""
    types = _items(source, sections, ":types")
    declared = Declared(
        types={"object": None} | {name: None for entry in types for name in (entry.name, *entry.kind)},
        predicates=_read_signatures(source, sections, ":predicates"),
        functions=_read_signatures(source, sections, ":functions"),
    )
    names = [*_items(source, sections, ":constants"), *_items(source, sections, ":objects")]
    world = World(source, _sort_by_type(types, names), declared)
    for entry in names:
        world.check_kind(entry.kind, entry.offset)
    role_kind = _check_signature_kinds(world, sections)
    world.roles = world.members(role_kind)
    if not world.players:
        raise fail("pogddl-no-player", source.place(0), kind=show_kind(role_kind))
    if RANDOM in world.roles:
        raise fail("pogddl-role-random", source.place(next(e.offset for e in names if e.name == RANDOM)))
    _read_start(world, sections)
    return world


def _items(source: Source, sections: Sections, keyword: str) -> list[TypedName]:
    """Return the typed names in all sections of a keyword."""
    return [name for section in sections[keyword] for name in read_typed_list(source, section.items[1:])]


def _sort_by_type(types: list[TypedName], names: list[TypedName]) -> dict[str, dict[str, None]]:
    """Return the objects of every type; an object of a type also has all types above it."""
    above: dict[str, dict[str, None]] = {}
    for entry in types:
        above.setdefault(entry.name, {}).update(dict.fromkeys(entry.kind))
    objects: dict[str, dict[str, None]] = {kind: {} for kind in ("object", *above)}
    for entry in names:
        waiting, reached = [*entry.kind, "object"], set[str]()
        while waiting:
            kind = waiting.pop()
            if kind not in reached:
                reached.add(kind)
                objects.setdefault(kind, {})[entry.name] = None
                waiting.extend(above.get(kind, ()))
    return objects


def _read_signatures(source: Source, sections: Sections, keyword: str) -> dict[str, int]:
    """Return the declared names with their number of arguments. `- number` may stand behind functions."""
    found: dict[str, int] = {}
    for section in sections[keyword]:
        for node in section.items[1:]:
            if isinstance(node, Group) and head_of(node):
                found[head_of(node)] = len(read_typed_list(source, node.items[1:]))
            elif isinstance(node, Group) or keyword != ":functions":
                raise misshapen(source, node, keyword)
    return found


def _check_signature_kinds(world: World, sections: Sections) -> Kind:
    """Warn of undeclared types in declarations; return the type of the argument of `whoseturn`."""
    role_kind: Kind = ("role",)
    for keyword in (":predicates", ":functions"):
        for section in sections[keyword]:
            for node in section.items[1:]:
                names = read_typed_list(world.source, node.items[1:]) if isinstance(node, Group) else []
                for entry in names:
                    world.check_kind(entry.kind, entry.offset)
                if names and head_of(node) == TURN:
                    role_kind = names[0].kind
    return role_kind


def _read_start(world: World, sections: Sections) -> None:
    """Read what holds at the start: atoms, and values of fluents."""
    for section in sections[":init"]:
        for node in section.items[1:]:
            if head_of(node) == "=":
                fluent, value = _read_value(world, node)
                world.check_use("function", fluent)
                world.numbers[fluent.name, *fluent.args] = value
            else:
                atom = _read_ground(world, node)
                world.check_use("predicate", atom)
                world.facts.setdefault(atom.key, {})[atom.args] = atom.offset


def _read_value(world: World, node: Node) -> tuple[AtomForm, Fraction]:
    if isinstance(node, Group) and len(node.items) == 3:
        fluent, value = node.items[1:]
        number = read_number(value)
        if number is not None:
            return _read_ground(world, fluent), number
    raise misshapen(world.source, node, ":init")


def _read_ground(world: World, node: Node) -> AtomForm:
    """Read an atom of objects."""
    if not isinstance(node, Group) or not all(isinstance(item, Word) for item in node.items) or not node.items:
        raise misshapen(world.source, node, ":init")
    name, *args = (item for item in node.items if isinstance(item, Word))
    for word in args:
        if word.text not in world.objects["object"]:
            raise fail("pogddl-unknown-object", world.source.place(word.offset), word=word.text)
    return AtomForm(name.text, tuple(word.text for word in args), node.offset)


def read_number(node: Node) -> Fraction | None:
    """Return the number that a word spells, `3`, `-1` or `2.5`; None for other words."""
    if not isinstance(node, Word) or len(node.text) > 18 or not set(node.text) <= set("+-.0123456789"):
        return None
    try:
        return Fraction(node.text)
    except ValueError:
        return None


def show_number(number: Fraction) -> str:
    """Return a number as a word: `3`, `-1`, `5/2`."""
    return str(number)
