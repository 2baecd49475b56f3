"""A lexer of Pygments for rules, by entry point: pages, papers and terminals show them in colour.

Words are those of `EditorText`, so colours are the same here as in editors. The notation is found in the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Keyword, Name, Number, Punctuation, Text

from veil.editor.editor_text import EditorText
from veil.vocabulary import WHOLE_NUMBER

TYPES = {"comment": Comment.Single, "keyword": Keyword, "variable": Name.Variable, "sign": Punctuation, "name": Name}


class RulesLexer(Lexer):  # type: ignore[misc]
    """Words of GDL-II, prefix and infix, and of POGDDL."""

    name = "GDL"
    url = "https://en.wikipedia.org/wiki/Game_Description_Language"
    aliases: ClassVar[list[str]] = ["gdl", "gdl-ii", "kif", "pogddl"]
    filenames: ClassVar[list[str]] = ["*.kif", "*.gdl", "*.pog"]
    mimetypes: ClassVar[list[str]] = []

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Yield offset, type and text of every piece, blanks included."""
        end = 0
        for token in EditorText(text).tokens:
            if token.begin > end:
                yield end, Text, text[end : token.begin]
            is_number = token.kind == "name" and WHOLE_NUMBER.fullmatch(token.text)
            yield token.begin, Number.Integer if is_number else TYPES[token.kind], token.text
            end = token.end
        if end < len(text):
            yield end, Text, text[end:]
