"""`veil lsp` as an editor meets it: a process that is asked in the Language Server Protocol."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.command import PATIENCE, inside
from tests.support.language_client import URI, LanguageClient, run_language_server

pytestmark = pytest.mark.slow
RULES = """\
; \N{DIE FACE-1}\N{GAME DIE} a game
(role ann) (role bob)
(init (step 1)) (succ 1 2) (succ 2 3) (note \N{GAME DIE}) (unused 1)
(<= (legal ann (claim ?c)) (true (step ?n)) (succ ?n ?c))
(<= (legal bob wait) (true (step ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (sees bob (heard ?c)) (does ann (claim ?c)))
(<= terminal (true (step 3)))
(goal ann 50) (goal bob 50)
"""
POGDDL = """\
(define (domain cups) (:types role cup) (:predicates (whoseturn ?r - role) (under ?c - cup))
  (:action lift :parameters (?c - cup) :precondition (whoseturn seeker) :effect (undre ?c)))
(define (problem p) (:domain cups) (:objects seeker - role left - cup) (:init (whoseturn seeker)))
"""


@pytest.fixture(scope="module")
def client() -> Iterator[LanguageClient]:
    with run_language_server() as found:
        yield found


def span(line: int, begin: int, end: int) -> dict[str, Any]:
    """The range of a word."""
    return {"start": {"line": line, "character": begin}, "end": {"line": line, "character": end}}


def apply(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits, which the protocol counts in 16-bit units."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    for edit in reversed(edits):
        begin, end = edit["range"]["start"], edit["range"]["end"]
        assert begin["line"] == end["line"]
        line = lines[begin["line"]]
        new = edit["newText"].encode("utf-16-le")
        lines[begin["line"]] = line[: 2 * begin["character"]] + new + line[2 * end["character"] :]
    return "\n".join(line.decode("utf-16-le") for line in lines)


def test_problems_come_with_every_change_and_point_at_the_word(client: LanguageClient) -> None:
    assert client.show(RULES) == []
    (problem,) = client.show(RULES.replace("(legal bob", "(legal bop"))
    assert problem["range"] == span(4, 11, 14)
    assert (problem["severity"], problem["code"]) == (2, "undefined-role")
    assert problem["message"] == "bop is no role\ndid you mean bob?"
    (problem,) = client.show(RULES + "(<= (goal ann 3)")
    assert problem["severity"] == 1
    assert problem["range"]["start"]["line"] == 9
    assert client.show("") != []
    assert client.show(RULES) == []


def test_words_after_signs_of_two_units_are_found(client: LanguageClient) -> None:
    client.show(RULES)
    line = RULES.splitlines()[2]
    begin = len(line[: line.index("unused")].encode("utf-16-le")) // 2
    hover = client.at("hover", 2, begin + 2)["result"]
    assert hover["contents"]["value"] == "`unused`: nothing in the game depends on it"
    assert hover["range"] == span(2, begin, begin + 6)
    assert begin != line.index("unused")


def test_a_name_is_explained_found_and_completed(client: LanguageClient) -> None:
    client.show(RULES)
    assert client.at("hover", 6, 15)["result"]["contents"]["value"] == "`heard`: a percept of bob\n- argument 1: 2, 3"
    assert client.at("hover", 0, 0)["result"] is None
    assert client.at("definition", 5, 40)["result"] == {"uri": URI, "range": span(2, 17, 21)}
    places = client.at("references", 5, 40, context={"includeDeclaration": True})["result"]
    assert [place["range"]["start"]["line"] for place in places] == [2, 2, 3, 5]
    assert len(client.at("documentHighlight", 5, 16)["result"]) == 2  # ?m of this rule alone
    symbols = client.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})["result"]
    assert [symbol["name"] for symbol in symbols][:4] == ["ann", "bob", "step", "succ"]
    client.show(RULES + "(<= (next (st")
    (completion,) = client.at("completion", 9, 13)["result"]
    assert completion["textEdit"] == {"range": span(9, 11, 13), "newText": "step"}


def test_a_new_name_is_given_everywhere_or_refused(client: LanguageClient) -> None:
    client.show(RULES)
    assert client.at("prepareRename", 5, 40)["result"] == span(5, 39, 43)
    assert client.at("prepareRename", 5, 5)["result"] is None  # `next` is a keyword
    changes = client.at("rename", 5, 40, newName="after")["result"]["changes"]
    assert apply(RULES, changes[URI]) == RULES.replace("succ", "after")
    assert "stands here already" in client.at("rename", 5, 40, newName="step")["error"]["message"]


def test_layout_and_other_notations(client: LanguageClient) -> None:
    whole = {"textDocument": {"uri": URI}, "options": {"tabSize": 4, "insertSpaces": True}}
    client.show(RULES)
    assert client.ask("textDocument/formatting", whole)["result"] == []
    client.show("(role   ann)\n\n\n\n(role bob )")
    (edit,) = client.ask("textDocument/formatting", whole)["result"]
    assert edit == {"range": {"start": span(0, 0, 0)["start"], "end": span(4, 0, 11)["end"]},
                    "newText": "(role ann)\n\n(role bob)\n"}  # fmt: skip
    client.show("role(ann).\nlegal(ann, GO) :- role( ann ), true(go(GO)).\ninit(go(1)).\n")
    assert client.at("hover", 1, 12)["result"]["contents"]["value"].startswith("a variable; it stands 2 times")
    (problem, *_) = client.show(POGDDL)
    assert problem["code"] == "pogddl-undeclared"
    assert problem["range"]["start"]["line"] == 1
    assert client.at("definition", 1, 35)["result"]["range"]["start"]["line"] == 0
    assert client.at("hover", 0, 80)["result"]["contents"]["value"].startswith("`under`: a predicate")


def test_a_text_that_is_closed_has_no_problems_and_no_answers(client: LanguageClient) -> None:
    client.show(RULES.replace("(role bob)", ""))
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert client.read()["params"] == {"uri": URI, "diagnostics": []}
    client.version = 0
    assert "is not open" in client.at("hover", 0, 0)["error"]["message"]


def test_the_session_ends_in_order() -> None:
    with run_language_server() as client:
        client.show(RULES)
        assert client.end() == 0
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_it_ends_when_its_editor_is_gone_or_ctrl_c_is_pressed() -> None:
    assert inside("lsp").code == 0  # nothing to read
    with run_language_server() as client:
        client.process.send_signal(signal.SIGINT)
        assert client.process.wait(PATIENCE) == 130
