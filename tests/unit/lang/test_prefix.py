"""The prefix reader: parentheses and words become nested groups, and a slip is shown where it is."""

import pytest

from tests.support.rule_texts import errors_in, shape
from veil.errors import VeilError
from veil.lang import read_rules
from veil.lang.prefix import parse
from veil.lang.source import Source
from veil.lang.tree import MAX_DEPTH, Group, words


def read(text: str) -> list[object]:
    return [shape(node) for node in parse(Source("text", text)).statements]


def spelled(text: str) -> dict[str, str]:
    return parse(Source("text", text)).spelling


def test_statements_are_nested_groups_of_words() -> None:
    assert read("(role x) terminal (<= (p (f ?x) a) q)") == [
        ["role", "x"],
        "terminal",
        ["<=", ["p", ["f", "?x"], "a"], "q"],
    ]


def test_a_comment_runs_to_the_end_of_its_line_and_may_hold_parentheses() -> None:
    assert read("; (role a)))\n(role ; the first\n x);(role b\n;") == [["role", "x"]]


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\r\n", "\f", " \r\n\t "])
def test_any_white_space_separates_words(space: str) -> None:
    assert read(f"({space}role{space}x{space}){space}(p)") == [["role", "x"], ["p"]]


def test_parentheses_need_no_space_around_them() -> None:
    assert read("(<=(p ?x)(q ?x))(role x)terminal(p)") == [
        ["<=", ["p", "?x"], ["q", "?x"]],
        ["role", "x"],
        "terminal",
        ["p"],
    ]


@pytest.mark.parametrize(
    "word", ["?n++", "+2", "00", "-1", "a-b", "x.y", "$", "@1", "'it's'", "été", "1/2", "a:b", "_"]
)
def test_odd_tokens_are_words(word: str) -> None:
    assert read(f"(p {word})") == [["p", word]]


def test_case_does_not_matter_and_the_first_spelling_is_kept() -> None:
    assert read("(Role WHITE) (rOLE White)") == [["role", "white"], ["role", "white"]]
    assert spelled("(Role WHITE) (rOLE White) (role black)") == {"role": "Role", "white": "WHITE", "black": "black"}


def test_a_word_first_written_in_parentheses_is_printed_so() -> None:
    rules = read_rules("(role White) (init (Over)) (legal White (Go 1)) (<= (next over) (true (over)))")
    assert rules.show(("true", "over")) == "(true (Over))"
    assert rules.show(("go", "1")) == "(Go 1)"
    assert rules.show(("over", "white")) == "(Over White)"


def test_a_word_first_written_bare_stays_bare() -> None:
    assert spelled("(init over) (p (over))")["over"] == "over"


def test_places_are_kept_for_every_word_and_group() -> None:
    text = "(role x)\n(<= (p ?x)\n    (q ?x))"
    source = Source("text", text)
    for node in parse(source).statements:
        assert isinstance(node, Group)
        assert text[node.offset] == "("
        for word in words(node):
            assert text[word.offset :].startswith(word.text)


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("(role x))", "closing-parenthesis", 1, 9),
        ("(role x)\n)", "closing-parenthesis", 2, 1),
        ("(role x)\n  (p (q)", "unclosed-parenthesis", 2, 3),
        ("(role ())", "empty-parentheses", 1, 7),
        ("(role x)\n( )", "empty-parentheses", 2, 1),
        ("((role x))", "no-functor", 1, 2),
        ("(role x)\r\n(init\r\n  ((p) q))", "no-functor", 3, 4),
    ],
)
def test_a_slip_is_shown_where_it_is(text: str, code: str, line: int, column: int) -> None:
    assert errors_in(text) == [(code, line, column)]


def test_a_rule_that_is_not_closed_is_found_although_more_rules_follow() -> None:
    text = "(role x)\n(<= (p ?x)\n    (q ?x)\n(init a)\n(<= (r ?x)\n    (s ?x))\n"
    assert errors_in(text) == [("unclosed-parenthesis", 2, 1)]


def test_of_two_rules_that_are_not_closed_the_first_is_shown() -> None:
    text = "(role x)\n(init a)\n(<= (p a) (q a)\n(<= (r a) (q a)\n(init b)\n"
    assert errors_in(text) == [("unclosed-parenthesis", 3, 1)]


def test_nesting_has_an_end() -> None:
    depth = MAX_DEPTH - 1  # one more is the parenthesis of the statement
    assert read("(p " + "(f " * depth + "x" + ")" * depth + ")")
    with pytest.raises(VeilError, match="more than 200 parentheses are open here"):
        read("(p " + "(f " * (depth + 1) + "x" + ")" * (depth + 1) + ")")


def test_a_million_open_parentheses_are_refused_at_the_first_that_is_too_many() -> None:
    assert errors_in("(" * 1_000_000) == [("too-deep", 1, MAX_DEPTH + 1)]
