"""Colours: the lexer of Pygments and the TextMate grammars cut texts into the words that `EditorText` has."""

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from pygments.token import Comment, Keyword, Name, Number, Punctuation, Text

from veil.editor import EditorText, RulesLexer
from veil.games import instantiate, write_pogddl
from veil.vocabulary import KEYWORDS, WHOLE_NUMBER

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "editors" / "vscode"
PREFIX = (
    instantiate("kuhn_poker").text + "(role x) ; a (role) ?x\n" + " ".join(f"({word} ?a -12 b1)" for word in KEYWORDS)
)
INFIX = """\
% a comment with role(X)
; another one
role(ann). ROLE(bob). // and one more
legal(P, go) :- role(P) & true(step(N, 12)) & ~does(_other, x), not distinct(?n, 'a-b'), (p ; q | r).
terminal.
"""
KINDS = {
    "comment": "comment",
    "variable": "variable",
    "keyword": "keyword",
    "constant": "name",
    "entity": "name",
    "punctuation": "sign",
}


def cut_by_grammar(name: str, text: str) -> list[tuple[str, str]]:
    """Cut a text as editors do: in each line the pattern that matches first, of several the one named first."""
    grammar = json.loads((EXTENSION / "syntaxes" / f"{name}.tmLanguage.json").read_text())
    patterns = [(entry["name"], entry["match"]) for entry in grammar["patterns"] if "match" in entry]
    pieces = []
    for line in text.split("\n"):
        place = 0
        while True:
            found = [
                (match.start(), number)
                for number, (_, pattern) in enumerate(patterns)
                if (match := re.compile(pattern).search(line, place))
            ]
            if not found:
                break
            _, number = min(found)
            scope, pattern = patterns[number]
            match = re.compile(pattern).search(line, place)
            assert match is not None
            kind = KINDS[scope.split(".")[0]]
            if scope.startswith("keyword.operator"):
                kind = "sign"
            pieces.append((match.group().strip(), kind))
            place = match.end()
    return pieces


@pytest.mark.parametrize(
    ("grammar", "text"),
    [("gdl", PREFIX), ("gdl-infix", INFIX), ("pogddl", write_pogddl("gops(2, 0, early)"))],
)
def test_a_grammar_has_the_words_of_the_editor(grammar, text):
    expected = [(token.text.strip(), token.kind) for token in EditorText(text).tokens]
    if grammar == "gdl-infix":
        assert EditorText(text).is_infix
    assert cut_by_grammar(grammar, text) == expected


def test_the_lexer_keeps_every_character_and_knows_kinds():
    for text in (PREFIX, INFIX, "  \n(((\t", ""):
        assert "".join(value for _, _, value in RulesLexer().get_tokens_unprocessed(text)) == text
    pieces = list(RulesLexer().get_tokens_unprocessed("(role ?x) ; c\n(p 12)"))
    assert [kind for _, kind, _ in pieces] == [
        Punctuation, Keyword, Text, Name.Variable, Punctuation, Text, Comment.Single, Text, Punctuation, Name, Text,
        Number.Integer, Punctuation,
    ]  # fmt: skip
    assert [value for place, _, value in pieces if place == 1] == ["role"]


def test_pygments_finds_the_lexer_by_its_entry_point():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    module, _, name = project["project"]["entry-points"]["pygments.lexers"]["gdl"].partition(":")
    assert getattr(import_module(module), name) is RulesLexer
    assert WHOLE_NUMBER.fullmatch("12")


def test_the_extension_names_files_that_are_there():
    package = json.loads((EXTENSION / "package.json").read_text())
    contributes = package["contributes"]
    files = [entry["path"] for entry in contributes["grammars"]]
    files += [entry["configuration"] for entry in contributes["languages"]]
    for name in files:
        json.loads((EXTENSION / name).read_text())
    languages = {entry["id"] for entry in contributes["languages"]}
    assert languages == {entry["language"] for entry in contributes["grammars"]}
    script = (EXTENSION / "extension.js").read_text()
    assert all(f'"{language}"' in script for language in languages)
    assert contributes["configuration"]["properties"]["veil.command"]["default"] == ["veil", "lsp"]
