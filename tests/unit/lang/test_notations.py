"""The table of notations: which one a text is written in, and games written in several files."""

import pytest

from tests.support.rule_texts import COIN_INFIX, COIN_PREFIX, rules_of
from veil.errors import VeilError
from veil.lang import NOTATIONS, Source, join_sources, notations, prefix, read_rules
from veil.lang.notations import GLANCE, Notation, find_notation
from veil.lang.tree import Group, Parsed, Word


def test_the_names_of_notations_are_pinned() -> None:
    assert list(NOTATIONS) == ["infix", "pogddl", "prefix", "efg"]
    assert all(name == notation.name for name, notation in NOTATIONS.items())


@pytest.mark.parametrize("name", list(NOTATIONS))
def test_the_summary_of_a_notation_looks_like_it(name: str) -> None:
    assert find_notation(NOTATIONS[name].summary).name == name


@pytest.mark.parametrize("name", ["infix", "prefix"])
def test_the_summary_of_a_notation_of_rules_is_a_rule(name: str) -> None:
    text = NOTATIONS[name].summary
    (statement,) = NOTATIONS[name].parse(Source("text", text)).statements
    assert isinstance(statement, Group)
    assert [word.text for word in statement.items if isinstance(word, Word)] == ["<="]


def test_comments_do_not_count_however_long_they_are() -> None:
    remark = "; role(x). init(y). legal(x, y) :- true(y).\n"
    assert find_notation(remark * (2 * GLANCE // len(remark)) + "terminal (role x) (init y)").name == "prefix"


def test_a_notation_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """A notation that writes prefix text between braces is found by its first sign and read by its own parser."""

    def parse(source: Source) -> Parsed:
        return prefix.parse(Source(source.name, source.text.replace("{", "(").replace("}", ")")))

    braces = Notation("braces", "{role x}", lambda bare: float("inf") * bare.startswith("{role"), parse, True)
    monkeypatch.setitem(notations.NOTATIONS, "braces", braces)
    text = COIN_PREFIX[COIN_PREFIX.index("(role") :]
    written = text.replace("(", "{").replace(")", "}")
    assert rules_of(read_rules(written)) == rules_of(read_rules(COIN_PREFIX)) == rules_of(read_rules(COIN_INFIX))


def test_a_game_may_be_written_in_several_files() -> None:
    lines = COIN_PREFIX.splitlines(keepends=True)
    files = [Source("facts.kif", "".join(lines[:6])), Source("rules.kif", "".join(lines[6:]))]
    joined = read_rules(join_sources(files))
    assert rules_of(joined) == rules_of(read_rules(COIN_PREFIX))
    assert joined.source.name == "facts.kif"


def test_an_error_in_one_of_several_files_names_that_file_and_its_line() -> None:
    files = [Source("facts.kif", "(role x)\n(init y)"), Source("rules.kif", "(legal x go)\n  (next y))\n")]
    with pytest.raises(VeilError, match=r"rules\.kif:2:11: this `\)` closes nothing"):
        read_rules(join_sources(files))
