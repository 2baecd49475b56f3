"""The layout of a rules text: one statement after the other, a long rule with a condition per line.

Only blanks and ends of lines change, never a word, a sign or a comment; a text that cannot be parsed stays as it is.

- A statement that fits a line stands on one line. Otherwise its head does, and every condition has a line of its own,
  every section of a POGDDL text, and every part of an action.
- A statement with a comment inside stays as it is.
- Comments and single empty lines between statements stay; facts that share a line go on sharing it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from veil.editor.editor_text import EditorText, EditorWord

WIDTH = 100
INDENT = "    "
NO_SPACE_AFTER, NO_SPACE_BEFORE = ("(", "~"), (")", ",", ".")


def format_rules(text: str) -> str:
    """Return the text in the usual layout."""
    editor = EditorText(text)
    if editor.notation == "efg" or not _is_balanced(editor.tokens):
        return text
    lines: list[str] = []
    end = 0
    for part in _split(editor.tokens):
        gap = text[end : part[0].begin]
        written = _write(editor, part)
        if lines and "\n" not in gap:
            joined = f"{lines[-1]} {written[0]}"
            if len(written) == 1 and len(joined) <= WIDTH and not lines[-1].lstrip().startswith((";", "%", "#")):
                lines[-1] = joined
                end = part[-1].end
                continue
        if lines and gap.count("\n") > 1:
            lines.append("")
        lines += written
        end = part[-1].end
    return "\n".join(lines) + "\n" if lines else text


def _is_balanced(tokens: Sequence[EditorWord]) -> bool:
    depth = 0
    for token in tokens:
        if token.kind == "sign":
            depth += (token.text == "(") - (token.text == ")")
        if depth < 0:
            return False
    return depth == 0


def _split(tokens: Iterable[EditorWord]) -> list[list[EditorWord]]:
    """Return the statements and the comments between them."""
    parts: list[list[EditorWord]] = []
    open_statement = -1
    for token in tokens:
        if token.kind == "comment" and token.statement != open_statement:
            parts.append([token])
        elif token.statement == open_statement:
            parts[-1].append(token)
        else:
            parts.append([token])
            open_statement = token.statement
    return parts


def _write(editor: EditorText, part: list[EditorWord]) -> list[str]:
    """Return the lines of a statement or a comment."""
    if part[0].kind == "comment":
        return [part[0].text.strip()]
    if any(token.kind == "comment" for token in part):
        return [line.rstrip() for line in editor.text[part[0].begin : part[-1].end].split("\n")]
    line = _join(part, editor.is_infix)
    if len(line) <= WIDTH:
        return [line]
    if editor.is_infix:
        return _break_infix(part)
    return _break_group(part, "", _find_gaps(editor, part) if editor.is_pogddl else frozenset())


def _find_gaps(editor: EditorText, part: list[EditorWord]) -> frozenset[int]:
    """Return where the sections of a POGDDL text begin that have an empty line before them."""
    pairs = (pair for pair in pairwise(part) if pair[1].depth == 1)
    return frozenset(token.begin for before, token in pairs if editor.text[before.end : token.begin].count("\n") > 1)


def _join(tokens: Sequence[EditorWord], is_infix: bool) -> str:
    """Return tokens on one line, with the usual blanks."""
    parts = [tokens[0].text]
    for before, token in pairwise(tokens):
        parts.append(token.text if _belong_together(before, token, is_infix) else f" {token.text}")
    return "".join(parts)


def _belong_together(before: EditorWord, token: EditorWord, is_infix: bool) -> bool:
    """Return whether no blank stands between two tokens."""
    if before.text in NO_SPACE_AFTER or token.text in NO_SPACE_BEFORE:
        return True
    is_call = token.text == "(" and before.kind != "sign" and before.name not in ("not", "or")
    if not is_infix:
        return False
    return is_call


def _break_group(tokens: list[EditorWord], indent: str, gaps: frozenset[int]) -> list[str]:
    """Return the lines of a group that is too long for one: its first words, then a line per part.

    `gaps`: where an empty line stands before a part.
    """
    whole = indent + _join(tokens, False)
    if len(whole) <= WIDTH or len(tokens) < 4 or tokens[0].text != "(":
        return [whole]
    items = _items_of(tokens[1:-1])
    first = 1 + (tokens[1].text in ("<=", "define"))
    while first < len(items) and len(items[first]) == 1 and not _is_label(items[first]):
        first += 1
    lines = [indent + "(" + " ".join(_join(item, False) for item in items[:first])]
    label = ""
    for item in items[first:]:
        if _is_label(item):
            label = f"{item[0].text} "
            lines.append(indent + INDENT + label.rstrip())
            continue
        broken = _break_group(item, indent + INDENT, gaps)
        if item[0].begin in gaps:
            lines.append("")
        if label:
            lines[-1] += f" {broken[0].lstrip()}"
            lines += broken[1:]
        else:
            lines += broken
        label = ""
    lines[-1] += ")"
    return lines


def _is_label(item: list[EditorWord]) -> bool:
    """Return whether an item is a word such as `:effect`, which stands before what it names."""
    return len(item) == 1 and item[0].text.startswith(":")


def _items_of(tokens: list[EditorWord]) -> list[list[EditorWord]]:
    """Return the words and groups inside a group."""
    items: list[list[EditorWord]] = []
    depth = 0
    for token in tokens:
        if depth == 0:
            items.append([])
        items[-1].append(token)
        depth += (token.text == "(") - (token.text == ")")
    return items


def _break_infix(tokens: list[EditorWord]) -> list[str]:
    """Return the head of a rule, and a line per condition, which ends with its sign."""
    lines: list[list[EditorWord]] = [[]]
    for token in tokens:
        lines[-1].append(token)
        inside = token.depth > 0
        if not inside and token.text in (":-", "<=", "<-", ",", "&", "|", ";"):
            lines.append([])
    return [(INDENT if number else "") + _join(line, True) for number, line in enumerate(lines) if line]
