"""Tables of named things and the specs that name them, tried as somebody who adds a row would."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from tests.support.refusals import problem_of
from veil.limits import Limit
from veil.registry import Option, Registry, Row, check_options, find_table, option


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """Nothing to set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """One option of each kind."""

    count: int = option(100, "how many", limit=Limit(1, 1000))
    share: float = option(0.5, "which part", limit=Limit(0.0, 2.0))
    loud: bool = option(False, "say it")
    word: Literal["left", "right"] = option("left", "which side")
    limit: int | None = option(None, "where to stop", limit=Limit(1, 9))
    label: str = option("", "what to call it")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class FromFile:
    """Something that is read from a file."""

    count: int = option(1, "how often")
    file: str = option("", "where it is")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    """Something that names another thing."""

    count: int = option(7, "how many")
    inner: str = option("plain", "what it uses", table=f"{__name__}:INNER")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Twice:
    """Something that names two other things."""

    first: str = option("plain", "what it uses", table=f"{__name__}:INNER")
    second: str = option("values", "what else it uses", table=f"{__name__}:TABLE")

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Main:
    """Something with a main option, which names another thing."""

    thing: str = option("plain", "what it is about", table=f"{__name__}:INNER", is_main=True)
    often: int = option(1, "how often")

    def __post_init__(self) -> None:
        check_options(self)


class Made:
    """What all rows here make: it remembers what it was made of."""

    def __init__(self, config: Any, *args: Any, **more: Any) -> None:
        self.config, self.args, self.more = config, args, more


def row(config: str, summary: str = "", needs: frozenset[str] = frozenset()) -> Row:
    return Row(__name__, config, "Made", summary, needs)


INNER: Registry[Made] = Registry("player", {"plain": row("Plain"), "values": row("Values")})
TABLE: Registry[Made] = Registry(
    "player",
    {
        "plain": row("Plain", "nothing to set"),
        "values": row("Values", "one of each", frozenset({"person"})),
        "file": row("FromFile"),
        "outer": row("Outer"),
        "twice": row("Twice"),
        "main": row("Main"),
    },
)


# Names


def test_a_table_lists_its_names_in_order_without_importing_a_row() -> None:
    distant: Registry[Any] = Registry("player", {"b": Row("no.such.module", "X", "Y", "far"), "a": row("Plain")})
    assert list(distant) == ["b", "a"]
    assert distant.names() == "b, a"
    assert distant["b"].summary == "far"
    assert "b" in distant
    assert "c" not in distant


def test_a_row_is_imported_when_it_is_used() -> None:
    name = "this"  # of the standard library; it prints a poem when it is imported
    sys.modules.pop(name, None)
    table: Registry[Any] = Registry("player", {"poem": Row(name, "d", "s", "")})
    assert table["poem"].summary == ""
    assert name not in sys.modules
    assert table["poem"].maker() is sys.modules[name].s


def test_a_row_says_what_it_needs() -> None:
    assert TABLE["values"].needs == {"person"}
    assert TABLE["plain"].needs == frozenset()


@pytest.mark.parametrize(("spec", "name"), [("nobody", "nobody"), ("nobody:count=1", "nobody"), ("", "(nothing)")])
def test_an_unknown_name_is_refused_with_those_there_are(spec: str, name: str) -> None:
    problem = problem_of(lambda: TABLE.parse(spec))
    assert problem.code == "unknown-player"
    assert name in problem.message
    assert problem.hint is not None
    assert "plain, values, file, outer, twice, main" in problem.hint


def test_a_table_is_found_by_its_address() -> None:
    assert find_table(f"{__name__}:TABLE") is TABLE


# Specs


@pytest.mark.parametrize("spec", ["values", " values ", "values:", "values: "])
def test_a_name_alone_has_all_defaults(spec: str) -> None:
    assert TABLE.parse(spec) == ("values", Values())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("count=5", {"count": 5}),
        (" count = 5 , share = 2 ", {"count": 5, "share": 2.0}),
        ("share=1e-3", {"share": 0.001}),
        ("word=right", {"word": "right"}),
        ("limit=3", {"limit": 3}),
        ("label=a=b", {"label": "a=b"}),
        ("label=", {"label": ""}),
        ("label=a:b", {"label": "a:b"}),
        *((f"loud={word}", {"loud": True}) for word in ("true", "yes", "1", "TRUE", "Yes")),
        *((f"loud={word}", {"loud": False}) for word in ("false", "no", "0", "False")),
    ],
)
def test_options_have_the_types_of_their_fields(text: str, value: dict[str, Any]) -> None:
    name, config = TABLE.parse(f"values:{text}")
    assert name == "values"
    assert config == Values(**value)
    assert TABLE.split(f"values:{text}") == ("values", value)
    assert [type(given) for given in TABLE.split(f"values:{text}")[1].values()] == [type(v) for v in value.values()]


@pytest.mark.parametrize(
    ("spec", "what"),
    [
        ("values:colour=red", "`colour=red` is no option"),
        ("values:count", "`count` is no option"),
        ("values:=5", "`=5` is no option"),
        ("values:count=5,,share=1", "`` is no option"),
        ("values:count=5,count=6", "count is given twice"),
        ("values:count=many", "count cannot be many"),
        ("values:count=1.5", "count cannot be 1.5"),
        ("values:count=", "count cannot be "),
        ("values:share=half", "share cannot be half"),
        ("values:loud=perhaps", "loud cannot be perhaps"),
        ("values:limit=never", "limit cannot be never"),
        ("plain:count=5", "`count=5` is no option"),
    ],
)
def test_what_is_no_option_is_refused_with_those_there_are(spec: str, what: str) -> None:
    problem = problem_of(lambda: TABLE.parse(spec))
    assert problem.code == "bad-player"
    assert problem.message == f"cannot read the player {spec}: {what}"
    assert (problem.hint or "").endswith(TABLE.usage(spec.partition(":")[0]))


@pytest.mark.parametrize(
    ("spec", "code", "message"),
    [
        ("values:count=0", "bad-limit", "count must be a number from 1 to 1,000, not 0"),
        ("values:count=1001", "bad-limit", "count must be a number from 1 to 1,000, not 1,001"),
        ("values:share=-0.5", "bad-limit", "share must be a number from 0 to 2, not -0.5"),
        ("values:share=nan", "bad-limit", "share must be a number from 0 to 2, not nan"),
        ("values:limit=0", "bad-limit", "limit must be a number from 1 to 9, not 0"),
        ("values:word=up", "bad-option", "word must be left or right, not up"),
    ],
)
def test_values_beyond_their_limits_are_refused(spec: str, code: str, message: str) -> None:
    problem = problem_of(lambda: TABLE.parse(spec))
    assert (problem.code, problem.message) == (code, message)


def test_limits_hold_for_configs_that_are_made_in_python_too() -> None:
    assert problem_of(lambda: Values(count=0)).code == "bad-limit"
    assert problem_of(lambda: Values(word="up")).code == "bad-option"  # type: ignore[arg-type]
    assert Values(count=1, limit=None).count == 1
    assert Values(count=1000).count == 1000


@pytest.mark.parametrize("file", ["a.json", "a,b.json", "a,count=3,b=c.json", "C:\\a.json", " a b "])
def test_the_name_of_a_file_takes_the_rest(file: str) -> None:
    assert TABLE.split(f"file:file={file}") == ("file", {"file": file.strip()})
    assert TABLE.split(f"file:count=2,file={file}") == ("file", {"count": 2, "file": file.strip()})


# Specs within specs


@pytest.mark.parametrize(
    ("spec", "inner"),
    [
        ("outer", "plain"),
        ("outer:inner=values", "values"),
        ("outer:inner=values:count=5", "values:count=5"),
        ("outer:inner=values,share=0.25", "values:share=0.25"),
        ("outer:share=0.25,inner=values", "values:share=0.25"),
        ("outer:inner=values:share=0.25,loud=true", "values:share=0.25,loud=true"),
        ("outer:inner=values,share=0.25,loud=yes", "values:share=0.25,loud=yes"),
    ],
)
def test_options_that_the_outer_thing_does_not_know_are_handed_on(spec: str, inner: str) -> None:
    config = TABLE.parse(spec).config
    assert config == Outer(inner=inner)
    assert INNER.parse(config.inner).name == inner.partition(":")[0]


def test_an_option_that_both_know_belongs_to_the_outer_thing() -> None:
    config = TABLE.parse("outer:inner=values,count=5").config
    assert config == Outer(count=5, inner="values")
    assert INNER.parse(config.inner).config.count == 100


def test_an_option_that_neither_knows_is_refused_with_the_options_of_both() -> None:
    problem = problem_of(lambda: TABLE.parse("outer:inner=values,colour=red"))
    assert problem.code == "bad-player"
    assert "`colour=red` is no option, neither of outer nor of the player values" in problem.message
    assert problem.hint == f"{TABLE.usage('outer')}; {INNER.usage('values')}"
    assert "neither of outer nor of the player plain" in problem_of(lambda: TABLE.parse("outer:share=1")).message


@pytest.mark.parametrize(
    ("spec", "code"),
    [
        ("outer:inner=nobody", "unknown-player"),
        ("outer:inner=nobody,share=1", "unknown-player"),
        ("outer:inner=values,loud=perhaps", "bad-player"),
        ("outer:inner=values,loud=yes,loud=no", "bad-player"),
        ("outer:inner=values:count=0", "bad-limit"),
        ("outer:inner=values,limit=0", "bad-limit"),
    ],
)
def test_what_the_inner_thing_refuses_is_refused_at_once(spec: str, code: str) -> None:
    assert problem_of(lambda: TABLE.parse(spec)).code == code


@pytest.mark.parametrize(
    ("spec", "first", "second"),
    [
        ("twice:count=5", "plain", "values:count=5"),
        ("twice:first=values,count=5", "values:count=5", "values"),
        ("twice:first=values,second.count=5", "values", "values:count=5"),
        ("twice:first=values,second.count=5,count=6", "values:count=6", "values:count=5"),
        ("twice:second=outer,inner=values,second.share=1", "plain", "outer:inner=values,share=1"),
        ("twice:second=main:values,share=1,often=2", "plain", "main:values,share=1,often=2"),
    ],
)
def test_of_two_inner_things_the_first_that_knows_an_option_gets_it_or_the_one_that_is_named(
    spec: str, first: str, second: str
) -> None:
    assert TABLE.parse(spec).config == Twice(first=first, second=second)


def test_an_option_that_the_named_inner_thing_does_not_know_is_refused_with_its_own() -> None:
    problem = problem_of(lambda: TABLE.parse("twice:first.count=5"))
    assert "`first.count=5` is no option, neither of twice nor of the player plain" in problem.message
    problem = problem_of(lambda: TABLE.parse("twice:colour=red"))
    assert "neither of twice nor of the player plain nor of the player values" in problem.message


@pytest.mark.parametrize(
    ("spec", "options"),
    [
        ("main:values", {"thing": "values"}),
        ("main: values , often=3", {"thing": "values", "often": 3}),
        ("main:often=3", {"often": 3}),
        ("main:thing=values", {"thing": "values"}),
        ("main:values,share=1", {"thing": "values:share=1"}),
    ],
)
def test_the_main_option_may_stand_without_its_name(spec: str, options: dict[str, Any]) -> None:
    assert TABLE.split(spec) == ("main", options)


def test_the_main_option_comes_first_and_once() -> None:
    assert "`values` is no option" in problem_of(lambda: TABLE.parse("main:often=3,values")).message
    assert "thing is given twice" in problem_of(lambda: TABLE.parse("main:values,thing=plain")).message


# Making and describing


def test_a_thing_is_made_of_its_config_and_of_what_the_contract_adds() -> None:
    made = TABLE.make("values:count=5", "machine", seed=3)
    assert isinstance(made, Made)
    assert (made.config, made.args, made.more) == (Values(count=5), ("machine",), {"seed": 3})


def test_the_options_of_a_row_can_be_read() -> None:
    assert TABLE.options("plain") == []
    assert TABLE.options("values") == [
        Option("count", 100, "int", "how many"),
        Option("share", 0.5, "float", "which part"),
        Option("loud", False, "bool", "say it"),
        Option("word", "left", "left or right", "which side"),
        Option("limit", None, "int or none", "where to stop"),
        Option("label", "", "str", "what to call it"),
    ]


def test_the_usage_is_a_spec_with_all_defaults() -> None:
    assert TABLE.usage("plain") == "plain"
    assert TABLE.usage("values") == "values:count=100,share=0.5,loud=false,word=left,limit=...,label=..."
    given = re.sub(r",\w+=\.\.\.", "", TABLE.usage("values"))
    assert TABLE.parse(given).config == Values()
