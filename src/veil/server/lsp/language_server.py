"""`serve_editor`: answers an editor with what `veil.editor` knows about a text, until the editor ends it.

An editor sends the whole text with every change, and is sent its problems. A text is cut and read once per version.
Errors that the editor can show (a name that cannot be given) are errors of the protocol; nothing is printed.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import BinaryIO, cast
from urllib.parse import unquote, urlsplit

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from veil._version import __version__
from veil.editor import (
    EditorText,
    EditorWord,
    complete,
    explain,
    find_definition,
    find_occurrences,
    find_renaming,
    format_rules,
    list_introductions,
)
from veil.errors import Problem, VeilError
from veil.server.lsp.positions import TextLines

SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "note": lsp.DiagnosticSeverity.Information,
}
HALVES = ("pogddl-no-domain", "pogddl-no-problem")  # the other half may well stand in another file


class OpenText:
    """One version of a text that an editor has open."""

    def __init__(self, uri: str, text: str) -> None:
        self.uri = uri
        self.editor = EditorText(text, unquote(urlsplit(uri).path).rpartition("/")[2] or "rules")

    @cached_property
    def lines(self) -> TextLines:
        return TextLines(self.editor.text)

    def find_offset(self, position: lsp.Position) -> int:
        return self.lines.find_offset(position.line, position.character)

    def make_range(self, begin: int, end: int) -> lsp.Range:
        places = (self.lines.find_place(offset) for offset in (begin, end))
        first, last = (lsp.Position(place.line, place.units) for place in places)
        return lsp.Range(first, last)

    def range_of(self, word: EditorWord) -> lsp.Range:
        return self.make_range(word.begin, word.end)

    def make_diagnostics(self) -> list[lsp.Diagnostic]:
        """Return the problems of the text."""
        return [self._make_diagnostic(entry) for entry in self.editor.reading.problems]

    def _make_diagnostic(self, entry: Problem) -> lsp.Diagnostic:
        begin = end = 0
        if entry.place is not None:
            begin = min(self.lines.find_line(entry.place.line) + entry.place.column - 1, len(self.editor.text))
            word = self.editor.word_at(begin)
            end = word.end if word is not None and word.begin <= begin < word.end else begin + 1
        message = f"{entry.message}\n{entry.hint}" if entry.hint else entry.message
        severity = lsp.DiagnosticSeverity.Information if entry.code in HALVES else SEVERITIES[entry.severity]
        return lsp.Diagnostic(self.make_range(begin, end), message, severity, code=entry.code, source="veil")


class RulesServer(LanguageServer):
    """The texts that an editor has open."""

    def __init__(self) -> None:
        super().__init__("veil", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self.texts: dict[str, OpenText] = {}

    def change(self, uri: str, text: str) -> None:
        """Take a new version of a text, and tell the editor its problems."""
        self.texts[uri] = OpenText(uri, text)
        self.tell_problems(uri, self.texts[uri].make_diagnostics())

    def close(self, uri: str) -> None:
        """Forget a text and its problems."""
        self.texts.pop(uri, None)
        self.tell_problems(uri, [])

    def tell_problems(self, uri: str, problems: list[lsp.Diagnostic]) -> None:
        """Send the problems of a text to the editor."""
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, problems))

    def find(self, document: lsp.TextDocumentIdentifier) -> OpenText:
        """Return an open text."""
        if document.uri not in self.texts:
            raise JsonRpcInvalidParams(f"{document.uri} is not open")
        return self.texts[document.uri]


def serve_editor() -> None:
    """Answer an editor on standard input and output until it ends the session."""
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # what goes wrong is told to the editor
    make_server().start_io(sys.stdin.buffer, cast(BinaryIO, AnswerStream(sys.stdout.buffer)))


class AnswerStream:
    """Standard output for pygls, which closes what it writes to: this stays open."""

    def __init__(self, stream: BinaryIO) -> None:
        self.write, self.flush = stream.write, stream.flush

    def close(self) -> None:
        """Write what is left."""
        self.flush()


def make_server() -> RulesServer:
    """Return a server with all that it can answer."""
    server = RulesServer()
    _add_documents(server)
    _add_navigation(server)
    _add_writing(server)
    return server


def _add_documents(server: RulesServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.change(params.text_document.uri, params.content_changes[-1].text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)


def _add_navigation(server: RulesServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        text = server.find(params.text_document)
        offset = text.find_offset(params.position)
        explanation, word = explain(text.editor, offset), text.editor.word_at(offset)
        if not explanation or word is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, explanation), text.range_of(word))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        text = server.find(params.text_document)
        word = find_definition(text.editor, text.find_offset(params.position))
        return None if word is None else lsp.Location(text.uri, text.range_of(word))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        text = server.find(params.text_document)
        words = find_occurrences(text.editor, text.find_offset(params.position))
        return [lsp.Location(text.uri, text.range_of(word)) for word in words]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        text = server.find(params.text_document)
        words = find_occurrences(text.editor, text.find_offset(params.position))
        return [lsp.DocumentHighlight(text.range_of(word)) for word in words]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        text = server.find(params.text_document)
        names = _first_of_each(list_introductions(text.editor))
        return [
            lsp.DocumentSymbol(word.text, lsp.SymbolKind.Function, text.range_of(word), text.range_of(word))
            for word in names
        ]


def _add_writing(server: RulesServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["(", "?", ":"]))
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        text = server.find(params.text_document)
        offset = text.find_offset(params.position)
        word = text.editor.word_at(offset)
        place = text.make_range(offset if word is None else word.begin, offset)
        return [
            lsp.CompletionItem(entry.word, detail=entry.detail, text_edit=lsp.TextEdit(place, entry.word))
            for entry in complete(text.editor, offset)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        text = server.find(params.text_document)
        try:
            changes = find_renaming(text.editor, text.find_offset(params.position), params.new_name)
        except VeilError as error:
            raise JsonRpcInvalidParams(error.problems[0].message) from None
        edits = [lsp.TextEdit(text.make_range(change.begin, change.end), change.new) for change in changes]
        return lsp.WorkspaceEdit(changes={text.uri: edits})

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        text = server.find(params.text_document)
        offset = text.find_offset(params.position)
        word = text.editor.word_at(offset)
        return text.range_of(word) if word is not None and find_occurrences(text.editor, offset) else None

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        text = server.find(params.text_document)
        written = format_rules(text.editor.text)
        whole = text.make_range(0, len(text.editor.text))
        return [] if written == text.editor.text else [lsp.TextEdit(whole, written)]


def _first_of_each(words: Iterable[EditorWord]) -> Iterable[EditorWord]:
    """Return the first word of every name."""
    found: dict[str, EditorWord] = {}
    for word in words:
        found.setdefault(word.name, word)
    return found.values()
