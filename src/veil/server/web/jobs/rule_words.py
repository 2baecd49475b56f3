"""What the editor of the workbench asks about a word of the rules: the same answers as `veil lsp` gives other editors.

Places are numbers of characters before a word. Nothing is ground or played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from veil.editor import EditorText, complete, explain, find_definition, find_renaming, format_rules
from veil.server.web.host.workers import Say

MAX_COMPLETIONS = 200
MAX_HINT = 200  # characters of what is said about a completion


def answer_editor(say: Say, text: str, what: str, offset: int, new: str = "") -> dict[str, Any]:
    """Return the answer to a question about the word at a place. Raises `VeilError` for a name that cannot be given."""
    return ANSWERS[what](EditorText(text), offset, new)


def _explain(text: EditorText, offset: int, new: str) -> dict[str, Any]:
    word = text.word_at(offset)
    return {"text": explain(text, offset).replace("`", ""), "word": "" if word is None else word.text}


def _complete(text: EditorText, offset: int, new: str) -> dict[str, Any]:
    word = text.word_at(offset)
    found = [{"word": entry.word, "detail": entry.detail[:MAX_HINT]} for entry in complete(text, offset)]
    return {"begin": offset if word is None else word.begin, "words": found[:MAX_COMPLETIONS]}


def _define(text: EditorText, offset: int, new: str) -> dict[str, Any]:
    word = find_definition(text, offset)
    return {"begin": None if word is None else word.begin, "end": None if word is None else word.end}


def _rename(text: EditorText, offset: int, new: str) -> dict[str, Any]:
    return {"changes": [change._asdict() for change in find_renaming(text, offset, new)]}


def _lay_out(text: EditorText, offset: int, new: str) -> dict[str, Any]:
    return {"text": format_rules(text.text)}


ANSWERS: dict[str, Callable[[EditorText, int, str], dict[str, Any]]] = {
    "explain": _explain,
    "complete": _complete,
    "define": _define,
    "rename": _rename,
    "layout": _lay_out,
}
