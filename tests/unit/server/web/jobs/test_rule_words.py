"""What the editor of the workbench asks about words: the answers are those of `veil.editor`."""

from typing import Any

import pytest

from tests.support.refusals import refused
from veil.server.web.jobs.rule_words import ANSWERS, answer_editor

RULES = (
    "(role ann) (succ 1 2) (init (step 1)) (legal ann wait) (<= terminal (true (step ?n)) (succ ?n 2)) (goal ann 50)"
)


def answer(what: str, word: str, new: str = "", text: str = RULES) -> dict[str, Any]:
    return answer_editor(lambda data: None, text, what, text.rindex(word) + 1, new)


def test_a_word_is_explained_defined_completed_and_renamed() -> None:
    assert answer("explain", "succ") == {
        "word": "succ",
        "text": "succ: a relation with 2 arguments, 1 rule\n- argument 1: 1\n- argument 2: 2",
    }
    assert answer("define", "succ") == {"begin": 12, "end": 16}
    assert answer("define", "terminal") == {"begin": None, "end": None}
    completed = answer("complete", "succ")  # after its first letter
    assert completed["begin"] == RULES.rindex("succ")
    assert [entry["word"] for entry in completed["words"]] == ["sees", "step", "succ"]
    changes = answer("rename", "succ", "after")["changes"]
    assert [(each["begin"], each["new"]) for each in changes] == [(12, "after"), (RULES.rindex("succ"), "after")]
    refused("cannot-rename", lambda: answer("rename", "succ", "legal"))
    assert answer("layout", "succ")["text"].startswith("(role ann) (succ 1 2)")


@pytest.mark.parametrize("text", ["", "(" * 5000, "(role", "\0", "\N{GAME DIE}" * 100])
@pytest.mark.parametrize("what", sorted(set(ANSWERS) - {"rename"}))
def test_anything_can_be_asked_about(text: str, what: str) -> None:
    assert answer_editor(lambda data: None, text, what, 10_000)
