"""Problems of a text, what a name means, and how a word that was begun may end.

An explanation says, as far as the text is a game: of which kind a name is, its arguments with the values that each can
have, who is told a percept, who can choose a move. Domains are upper bounds: no other value can occur.
"""

from __future__ import annotations

from typing import NamedTuple

from veil.editor.editor_text import EditorText
from veil.editor.navigation import find_occurrences, list_declared, list_introductions
from veil.errors import Problem
from veil.lang import Rules
from veil.report import count_things
from veil.vocabulary import Signature, Term, Var, arguments, show, signature

MAX_VALUES = 12  # of an argument that are listed
MEANINGS = {
    "role": "(role r): r plays in this game; the role `random` is chance",
    "init": "(init f): the fluent f holds at the start",
    "true": "(true f): the fluent f holds now",
    "does": "(does r m): the role r plays the move m in this round",
    "next": "(next f): the fluent f holds after this round",
    "legal": "(legal r m): the role r may play the move m",
    "sees": "(sees r p): the role r is told the percept p after this round",
    "goal": "(goal r n): the role r gets n points, if the game ends here",
    "terminal": "terminal: the game is over",
    "distinct": "(distinct a b): a and b are not the same",
    "base": "(base f): f is a fluent",
    "input": "(input r m): m is a move of the role r",
}
PDDL_MEANINGS = {
    "define": "(define (domain d) ...) or (define (problem p) ...)",
    "domain": "(domain d): the name of the domain: what can happen",
    "problem": "(problem p): the name of the problem: which objects there are, and how the game starts",
    ":requirements": "(:requirements ...): read, and not needed",
    ":types": "(:types a b - c): kinds of objects",
    ":constants": "(:constants a b - type): objects of every problem",
    ":objects": "(:objects a b - type): objects of this problem",
    ":predicates": "(:predicates (p ?x - type)): what can be true of objects",
    ":functions": "(:functions (f ?x - type)): numbers that objects have",
    ":action": "(:action name :parameters (...) :precondition ... :effect ...): a move",
    ":parameters": ":parameters (?x - type): what the action is done with",
    ":precondition": ":precondition condition: when the action is possible",
    ":effect": ":effect effect: what the action changes; without it, an atom stays as it is",
    ":derived": "(:derived (p ?x - type) condition): p is true where the condition is",
    ":gain": "(:gain ?r - role n condition): the role gets n at the end, if the condition holds",
    ":domain": "(:domain d): the domain of this problem",
    ":init": "(:init ...): what is true at the start",
    "when": "(when condition effect): the effect happens if the condition held before",
    "forall": "(forall (?x - type) ...): for all objects of the type",
    "exists": "(exists (?x - type) condition): for some object of the type",
    "imply": "(imply a b): b holds, or a does not",
    "assign": "(assign (f ?x) n): the number becomes n",
    "increase": "(increase (f ?x) n): the number grows by n",
    "decrease": "(decrease (f ?x) n): the number falls by n",
    "observe": "(observe (who what)): the role is told it; who may be `all`, or `others`",
    "either": "(either a b): a kind of objects that are of one type or the other",
}


class Completion(NamedTuple):
    """A word that can be written here, and what it is."""

    word: str
    detail: str


def find_problems(text: str, name: str = "rules") -> list[Problem]:
    """Return the errors, warnings and notes of a text; nothing is ground or played."""
    return EditorText(text, name).reading.problems


def explain(text: EditorText, offset: int) -> str:
    """Return what the word at a place means, in Markdown; empty if nothing is known."""
    word = text.word_at(offset)
    if word is None:
        return ""
    if word.kind == "keyword":
        return _meanings_of(text).get(word.name, "")
    if word.kind == "variable":
        count = len(find_occurrences(text, offset))
        return f"a variable; it stands {count_things(count, 'time')} in this {'part' if text.is_pogddl else 'rule'}"
    rules = text.reading.rules
    declared = list_declared(text) if text.is_pogddl else ()
    lines = list(dict.fromkeys(f"`{entry.text}`: {what}" for entry, what in declared if entry.name == word.name))
    if rules is None:
        return "\n\n".join(lines)
    lines += _describe_relations(rules, word.name) + _describe_terms(rules, word.name)
    if not lines:
        is_defined = any(entry.name == word.name for entry in list_introductions(text))
        lines = [f"`{word.text}`: {'nothing in the game depends on it' if is_defined else 'a constant'}"]
    return "\n\n".join(lines)


def complete(text: EditorText, offset: int) -> list[Completion]:
    """Return the words that begin like what stands before a place: keywords, names, variables of the statement."""
    if any(entry.kind == "comment" and entry.begin < offset <= entry.end for entry in text.tokens):
        return []
    word = text.word_at(offset)
    begun = "" if word is None else text.text[word.begin : offset].lower()
    scope = text.scope_at(offset)
    found: dict[str, str] = {}
    for entry in text.words:
        if word is not None and entry.begin == word.begin:
            continue
        if entry.kind == "name" or (entry.kind == "variable" and entry.scope == scope):
            found.setdefault(
                entry.text, "a variable of this rule" if entry.kind == "variable" else "a name of these rules"
            )
    found |= _meanings_of(text)
    return [Completion(name, detail) for name, detail in sorted(found.items()) if name.lower().startswith(begun)]


def _meanings_of(text: EditorText) -> dict[str, str]:
    return PDDL_MEANINGS if text.is_pogddl else MEANINGS


def _describe_relations(rules: Rules, name: str) -> list[str]:
    """Return a paragraph per relation of this name."""
    found: dict[Signature, int] = {}
    for rule in rules.rules:
        if rule.signature[0] == name:
            found[rule.signature] = found.get(rule.signature, 0) + 1
    return [
        f"`{name}`: a relation with {count_things(arity, 'argument')}, {count_things(count, 'rule')}"
        + _describe_values(rules, "predicate", (name, arity))
        for (_, arity), count in found.items()
    ]


def _describe_terms(rules: Rules, name: str) -> list[str]:
    """Return a paragraph for a role, a fluent, a move and a percept of this name."""
    lines = [f"`{name}`: a role"] if name in rules.roles else []
    for keywords, what in ((("init", "next"), "a fluent"), (("legal",), "a move"), (("sees",), "a percept")):
        heads = [rule.head for rule in rules.rules if rule.signature[0] in keywords]
        terms = [arguments(head)[-1] for head in heads if arguments(head)]
        arities = {signature(term) for term in terms if not isinstance(term, Var) and signature(term)[0] == name}
        for own in sorted(arities):
            who = _describe_roles(rules, heads, own) if len(keywords) == 1 else ""
            lines.append(f"`{name}`: {what}{who}{_describe_values(rules, 'function', own)}")
    return lines


def _describe_roles(rules: Rules, heads: list[Term], own: Signature) -> str:
    """Return which roles a move or a percept belongs to."""
    roles: set[str] = set()
    for head in heads:
        who, term = arguments(head)
        if not isinstance(term, Var) and signature(term) == own:
            roles |= {rules.show(role) for role in rules.roles} if isinstance(who, Var) else {show(who)}
    return f" of {', '.join(sorted(roles))}"


def _describe_values(rules: Rules, kind: str, own: Signature) -> str:
    """Return the values of every argument, a line each."""
    name, arity = own
    lines = []
    for place in range(arity):
        values = rules.domains.values.get((kind, name, arity, place), {})
        shown = ", ".join(f"({value} ...)" if size else value for value, size in list(values)[:MAX_VALUES])
        more = f", ... ({len(values)} in all)" if len(values) > MAX_VALUES else ""
        lines.append(f"\n- argument {place + 1}: {shown or 'no value'}{more}")
    return "".join(lines)
