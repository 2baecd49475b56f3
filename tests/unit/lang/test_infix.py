"""The infix reader: the same tree as prefix text would give, and a slip is shown where it is."""

import pytest

from tests.support.rule_texts import built, errors_in, shape
from veil.lang import prefix as prefix_notation
from veil.lang.infix import MAX_DEPTH, parse
from veil.lang.source import Source
from veil.lang.tree import Group, words


def read(text: str) -> list[object]:
    return [shape(node) for node in parse(Source("text", text)).statements]


def read_same(prefix: str) -> list[object]:
    return [shape(node) for node in prefix_notation.parse(Source("text", prefix)).statements]


@pytest.mark.parametrize(
    ("infix", "prefix"),
    [
        ("role(x).", "(role x)"),
        ("terminal.", "terminal"),
        ("init(cell(1, 2, b)).", "(init (cell 1 2 b))"),
        ("p(f(g(X), a), ?y).", "(p (f (g ?x) a) ?y)"),
        ("terminal :- true(over).", "(<= terminal (true over))"),
        ("terminal <= true(over).", "(<= terminal (true over))"),
        ("terminal <- true(over).", "(<= terminal (true over))"),
        ("terminal :- p, q & r.", "(<= terminal p q r)"),
        ("terminal :- not p, ~q.", "(<= terminal (not p) (not q))"),
        ("terminal :- not(p), ~(q), not (r).", "(<= terminal (not p) (not q) (not r))"),
        ("terminal :- not not p, ~~q.", "(<= terminal (not (not p)) (not (not q)))"),
        ("terminal :- p | q.", "(<= terminal (or p q))"),
        ("terminal :- p ; q.", "(<= terminal (or p q))"),
        ("terminal :- p, q | r, s.", "(<= terminal (or (and p q) (and r s)))"),
        ("terminal :- p, (q | r), s.", "(<= terminal p (or q r) s)"),
        ("terminal :- (p, q).", "(<= terminal (and p q))"),
        ("terminal :- ~(p & q | r).", "(<= terminal (not (or (and p q) r)))"),
        ("terminal :- not (p & q).", "(<= terminal (not (and p q)))"),
        ("terminal :- or(p, and(q, r)).", "(<= terminal (or p (and q r)))"),
        ("p(X) :- q(X, Y), distinct(X, Y).", "(<= (p ?x) (q ?x ?y) (distinct ?x ?y))"),
        ("terminal :- .", "(<= terminal)"),
        ("p(over()).", "(p over)"),
    ],
)
def test_infix_reads_as_the_prefix_text_that_says_the_same(infix: str, prefix: str) -> None:
    assert read(infix) == read_same(prefix)


@pytest.mark.parametrize(
    ("token", "word"),
    [
        *(("?x", "?x"), ("X", "?x"), ("Row", "?row"), ("_x", "?_x"), ("?N++", "?n++")),
        *(("x", "x"), ("xY", "xy"), ("+2", "+2"), ("00", "00"), ("a-b", "a-b"), ("9x", "9x")),
    ],
)
def test_variables_have_a_question_mark_a_capital_or_an_underscore(token: str, word: str) -> None:
    assert read(f"p({token}).") == [["p", word]]


def test_an_underscore_is_a_new_variable_each_time() -> None:
    assert built("p(_, _). q(X) :- r(X, _, _), s(_).", infix=True) == ["(p ?0 ?1)", "(q ?0) <= (r ?0 ?1 ?2), (s ?3)"]


def test_comments_and_empty_lines_are_skipped() -> None:
    text = """% one
    role(x). // two
    /* three, role(y).
       and more */ init(a).
; four
# five
    terminal :- true(b), % six
                true(a)."""
    assert read(text) == [["role", "x"], ["init", "a"], ["<=", "terminal", ["true", "b"], ["true", "a"]]]


def test_without_full_stops_a_rule_ends_where_the_next_begins() -> None:
    assert read("role(x) role(y)\nlegal(X, noop) <= role(X) & ~p\nterminal <= q\nr") == [
        ["role", "x"],
        ["role", "y"],
        ["<=", ["legal", "?x", "noop"], ["role", "?x"], ["not", "p"]],
        ["<=", "terminal", "q"],
        "r",
    ]


def test_lines_may_end_as_on_windows() -> None:
    assert read("role(x).\r\n% note\r\nterminal :-\r\n  p.\r\n") == read("role(x). terminal :- p.")


def test_the_first_spelling_is_kept() -> None:
    parsed = parse(Source("text", "role(xPlayer). init(xplayer, xPLAYER, Var)."))
    assert parsed.spelling == {"role": "role", "xplayer": "xPlayer", "init": "init"}


def test_places_are_kept_for_every_word_of_the_text() -> None:
    text = "role(x).\nlegal(X, mark(Y, ?z)) :-\n  ~true(cell(Y)), p(X), q(?z)."
    for node in parse(Source("text", text)).statements:
        assert isinstance(node, Group)
        for word in words(node):
            if word.text not in ("<=", "not"):
                assert text[word.offset :].lower().startswith(word.text.lstrip("?")) or text[word.offset] == "?"


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        ("role(x).\ninit(p q).", "unexpected-token", 2, 8),
        ("role(x).\ninit(p", "unexpected-token", 2, 7),
        ("role(x).\ninit(p))", "unexpected-token", 2, 8),
        ("role(x).\ninit(p)", "unexpected-token", 2, 8),
        ("role(x).\ninit(, p).", "unexpected-token", 2, 6),
        ("role(x).\n:- p.", "unexpected-token", 2, 1),
        ("role(x).\nterminal :- p q.", "unexpected-token", 2, 15),
        ("role(x).\nterminal :- (p, q.", "unexpected-token", 2, 18),
        ("role(x).\n\n  terminal :- p = q.", "strange-character", 3, 17),
        ("role(x).\ninit(p) }", "strange-character", 2, 9),
        ("role(x).\nterminal :- X(p).", "variable-functor", 2, 13),
        ("role(x).\nterminal :- ?x(p).", "variable-functor", 2, 13),
        ("role(x). X.", "stray-word", 1, 10),
        ("role(x). terminal :- p, X.", "variable-functor", 1, 25),
    ],
)
def test_a_slip_is_shown_where_it_is(text: str, code: str, line: int, column: int) -> None:
    assert errors_in(text) == [(code, line, column)]


@pytest.mark.parametrize(("left", "right"), [("f(", ")"), ("(", ")"), ("~", ""), ("not (", ")"), ("not ", "")])
def test_nesting_has_an_end_however_it_is_written(left: str, right: str) -> None:
    def nested(depth: int) -> str:
        return "role(x). terminal :- " + left * depth + "p" + right * depth + "."

    assert read(nested(MAX_DEPTH))
    assert [code for code, _, _ in errors_in(nested(MAX_DEPTH + 1))] == ["too-deep"]
