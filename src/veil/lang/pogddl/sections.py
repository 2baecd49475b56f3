"""A domain and a problem, in one text or in two: their sections by keyword, and typed lists."""

from __future__ import annotations

from collections.abc import Iterable

from veil.errors import VeilError, fail
from veil.lang.pogddl.syntax import Kind, TypedName
from veil.lang.source import Source
from veil.lang.tree import Group, Node, Word

KNOWN = {
    "domain": (":requirements", ":types", ":constants", ":predicates", ":functions", ":derived", ":action", ":gain"),
    "problem": (":domain", ":requirements", ":objects", ":init", ":gain"),
}
FORMS = {
    "define": "(define (domain name) ...) and (define (problem name) (:domain name) ...)",
    ":domain": "(:domain name)",
    ":derived": "(:derived (name ?x - type ...) condition)",
    ":action": "(:action name :parameters (?x - type ...) :precondition condition :effect effect)",
    ":gain": "(:gain ?r - role amount condition)",
    ":init": "(:init (name object ...) (= (name object ...) number) ...)",
    ":predicates": "(:predicates (name ?x - type ...) ...)",
    ":functions": "(:functions (name ?x - type ...) ...)",
    "typed list": "name ... - type",
    "observe": "(observe (role (name word ...)) ...), with all and others for roles",
    "when": "(when condition effect)",
    "quantifier": "(forall (?x - type ...) ...)",
    "number": "a number, (function object ...), or (+ number number)",
}

Sections = dict[str, list[Group]]  # keyword -> its sections, in the order of the text


def find_sections(source: Source, statements: list[Node]) -> Sections:
    """Return the sections of the domain and the problem of a text. Refuse a text with missing or repeated parts."""
    parts: dict[str, list[tuple[str, Group]]] = {"domain": [], "problem": []}
    for node in statements:
        kind, name = _read_title(source, node)
        assert isinstance(node, Group)
        parts[kind].append((name, node))
    _check_parts(source, parts)
    sections: Sections = {keyword: [] for known in KNOWN.values() for keyword in known}
    for kind, known in KNOWN.items():
        for section in parts[kind][0][1].items[2:]:
            keyword = head_of(section)
            if not isinstance(section, Group) or keyword not in known:
                place = source.place(section.offset)
                raise fail("pogddl-section", place, name=keyword, part=kind, sections=" ".join(known))
            sections[keyword].append(section)
    _check_match(source, parts, sections)
    return sections


def head_of(node: Node) -> str:
    """Return the first word of a node, "" if there is none; a group may be empty here."""
    if isinstance(node, Word):
        return node.text
    first = node.items[0] if node.items else None
    return first.text if isinstance(first, Word) else ""


def spell(node: Node) -> str:
    """Return a node as text, for messages."""
    return node.text if isinstance(node, Word) else f"({' '.join(map(spell, node.items))})"


def misshapen(source: Source, node: Node, form: str) -> VeilError:
    """Return the error for a node that does not have its form."""
    return fail("pogddl-shape", source.place(node.offset), what=spell(node)[:60], form=FORMS[form])


def _read_title(source: Source, node: Node) -> tuple[str, str]:
    """Return `domain` or `problem`, and its name."""
    title = node.items[1] if isinstance(node, Group) and len(node.items) > 1 else None
    if head_of(node) == "define" and isinstance(title, Group) and len(title.items) == 2:
        kind, name = title.items
        if isinstance(kind, Word) and isinstance(name, Word) and kind.text in KNOWN:
            return kind.text, name.text
    raise misshapen(source, node, "define")


def _check_parts(source: Source, parts: dict[str, list[tuple[str, Group]]]) -> None:
    """Refuse a text without a domain or without a problem, or with several."""
    domains, problems = parts["domain"], parts["problem"]
    for titled in (domains, problems):
        if len(titled) > 1:
            raise fail("pogddl-two-parts", source.place(titled[1][1].offset), part=head_of(titled[1][1].items[1]))
    if not domains:
        name, node = problems[0]
        named = (part for part in node.items[2:] if isinstance(part, Group) and _names_domain(part))
        wanted = next((spell(part.items[1]) for part in named), "?")
        raise fail("pogddl-no-domain", source.place(node.offset), domain=wanted, problem=name)
    if not problems:
        name, node = domains[0]
        raise fail("pogddl-no-problem", source.place(node.offset), domain=name)


def _names_domain(node: Node) -> bool:
    return isinstance(node, Group) and head_of(node) == ":domain" and len(node.items) == 2


def _check_match(source: Source, parts: dict[str, list[tuple[str, Group]]], sections: Sections) -> None:
    """Refuse a problem for another domain."""
    (domain, _), (_, node) = parts["domain"][0], parts["problem"][0]
    named = sections[":domain"]
    if len(named) != 1 or not _names_domain(named[0]):
        raise misshapen(source, named[0] if named else node, ":domain")
    wanted = spell(named[0].items[1])
    if wanted != domain:
        raise fail("pogddl-other-domain", source.place(named[0].offset), wanted=wanted, domain=domain)


def read_typed_list(source: Source, nodes: Iterable[Node]) -> list[TypedName]:
    """Return the names of `a b - t c`, with their types. A name without a type is an `object`."""
    names: list[TypedName] = []
    waiting: list[Word] = []
    rest = list(nodes)
    while rest:
        word = rest.pop(0)
        if not isinstance(word, Word):
            raise misshapen(source, word, "typed list")
        if word.text != "-":
            waiting.append(word)
            continue
        if not rest:
            raise misshapen(source, word, "typed list")
        kind = _read_kind(source, rest.pop(0))
        names += [TypedName(name.text, kind, name.offset) for name in waiting]
        waiting = []
    return names + [TypedName(name.text, ("object",), name.offset) for name in waiting]


def _read_kind(source: Source, node: Node) -> Kind:
    if isinstance(node, Word):
        return (node.text,)
    kinds = [item.text for item in node.items[1:] if isinstance(item, Word)]
    if head_of(node) != "either" or len(kinds) != len(node.items) - 1:
        raise misshapen(source, node, "typed list")
    return tuple(kinds)


def show_kind(kind: Kind) -> str:
    """Return a type as the text writes it."""
    return kind[0] if len(kind) == 1 else f"(either {' '.join(kind)})"
