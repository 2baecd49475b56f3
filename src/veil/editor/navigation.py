"""Where a word is defined, where else it stands, and the changes that give it another name.

A variable belongs to its statement. A name is one name in the whole text, as in the rules: a relation, a fluent, a
move, a percept or a constant. It is defined where the head of a statement introduces it: `(succ 1 2)`, the fluent in
`init` and `next`, the move in `legal`, the percept in `sees`, the role in `role`. In a POGDDL text it is defined where
a section declares it: a type, an object, a predicate, a function, an action.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from veil.editor.editor_text import EditorText, EditorWord
from veil.errors import fail

DECLARED = {  # section of a POGDDL text -> what it declares
    ":types": "a type",
    ":constants": "an object",
    ":objects": "an object",
    ":predicates": "a predicate",
    ":functions": "a number",
    ":action": "an action",
    ":derived": "a derived predicate",
    "domain": "the name of the domain",
    "problem": "the name of the problem",
}
MAKERS = {"init": 0, "next": 0, "role": 0, "base": 0, "legal": 1, "sees": 1, "input": 1}  # keyword -> which argument


class TextChange(NamedTuple):
    """A part of a text that is replaced."""

    begin: int
    end: int
    new: str


def find_definition(text: EditorText, offset: int) -> EditorWord | None:
    """Return the word that introduces the name or the variable at a place; None if there is none."""
    word = text.word_at(offset)
    if word is None or word.kind == "keyword":
        return None
    if word.kind == "variable":
        return find_occurrences(text, offset)[0]
    return next((entry for entry in list_introductions(text) if entry.name == word.name), None)


def find_occurrences(text: EditorText, offset: int) -> list[EditorWord]:
    """Return all places of the name or the variable at a place, in their order."""
    word = text.word_at(offset)
    if word is None or word.kind == "keyword":
        return []
    return [entry for entry in text.scope_of(word) if entry.kind == word.kind and entry.name == word.name]


def rename(text: EditorText, offset: int, new: str) -> str:
    """Return the text in which the name or the variable at a place has a new name; see `find_renaming`."""
    changed = text.text
    for change in reversed(find_renaming(text, offset, new)):
        changed = changed[: change.begin] + change.new + changed[change.end :]
    return changed


def find_renaming(text: EditorText, offset: int, new: str) -> list[TextChange]:
    """Return the changes that give the name or the variable at a place a new name, in their order.

    Raises `VeilError` if there is none, if the new name is no word, or if it stands there already: the text would mean
    something else.
    """
    places = find_occurrences(text, offset)
    if not places:
        raise fail("cannot-rename", what="there is no name here")
    word = places[0]
    mark = "?" if word.text.startswith("?") else ""
    name = new.strip().removeprefix("?")
    if not text.is_one_word(name) or name.lower() in text.keywords:
        raise fail("cannot-rename", what=f"{new.strip()!r} is no name")
    renamed = EditorText(f"{mark}{name}")
    if not mark and text.is_infix and (name[0].isupper() or name[0] == "_") != (word.kind == "variable"):
        raise fail("cannot-rename", what=f"{name} is a variable, or a name, and {word.text} is not")
    if any(entry.name == renamed.text.lower() and entry.name != word.name for entry in text.scope_of(word)):
        raise fail("cannot-rename", what=f"{name} stands here already, and would become the same")
    return [TextChange(entry.begin, entry.end, mark + name) for entry in places]


def list_introductions(text: EditorText) -> list[EditorWord]:
    """Return the words that the heads of statements introduce, or the sections of a POGDDL text."""
    if text.is_pogddl:
        return [word for word, _ in list_declared(text)]
    by_statement: dict[int, list[EditorWord]] = {}
    for token in text.tokens:
        if token.kind != "comment":
            by_statement.setdefault(token.statement, []).append(token)
    found = []
    for tokens in by_statement.values():
        word = _introduced_by(tokens, text.is_infix)
        if word is not None:
            found.append(word)
    return found


def _introduced_by(tokens: list[EditorWord], is_infix: bool) -> EditorWord | None:
    """Return the word that a statement introduces; None if there is none."""
    words = [token for token in tokens if token.kind in ("name", "keyword", "variable")]
    if words and words[0].text == "<=" and not is_infix:
        words = words[1:]
    if not words or words[0].kind == "variable":
        return None
    head = words[0]
    if head.kind == "name" or head.name not in MAKERS:
        return head if head.kind == "name" else None
    rest = words[1 + MAKERS[head.name] :]  # roles are single words
    return rest[0] if rest and rest[0].kind == "name" else None


def list_declared(text: EditorText) -> Iterator[tuple[EditorWord, str]]:
    """Yield the words that a POGDDL text declares, with what each of them is."""
    section = before = ""
    for token in text.tokens:
        if token.kind == "comment":
            continue
        if before == "(" and token.name in DECLARED:
            section = token.name
        elif before == "(" and token.text.startswith(":"):
            section = ""
        elif token.kind == "name" and section:
            if section in (":types", ":constants", ":objects"):
                is_declared = before != "-"
            elif section in (":predicates", ":functions", ":derived"):
                is_declared = before == "("
            else:
                is_declared = before == section
            if is_declared:
                yield token, DECLARED[section]
            if section in (":action", ":derived", "domain", "problem"):
                section = ""  # what follows is no declaration
        before = token.name
