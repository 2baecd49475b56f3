"""The catalogue: names and parameters are pinned, and every bad spec gets one clear message."""

import pickle
from importlib.resources import files

import pytest

from veil.errors import VeilError
from veil.games import FAMILIES, Family, Parameter, instantiate, parse_spec
from veil.games.spec import bind

USAGE = {
    "monty_hall": "monty_hall(doors=3), doors 3..50",
    "exploding_bomb": "exploding_bomb",
    "krieg_tictactoe": "krieg_tictactoe(size=3), size 3..10",
    "blind_breakthrough": "blind_breakthrough(width=8, height=8), width 2..20, height 4..20",
    "tic_tac_toe": "tic_tac_toe",
    "breakthrough": "breakthrough(width=8, height=8), width 2..20, height 4..20",
}
ROLES = {
    "monty_hall": ("random", "contestant"),
    "exploding_bomb": ("random", "agent"),
    "krieg_tictactoe": ("xplayer", "oplayer"),
    "blind_breakthrough": ("white", "black"),
    "tic_tac_toe": ("xplayer", "oplayer"),
    "breakthrough": ("white", "black"),
}
NO_NAME = "it is not a name with one pair of parentheses"
NO_VALUE = "stands where a value or parameter=value belongs"
NO_NUMBER = "monty_hall: doors must be a whole number from 3 to 50, not"
WRITE = "write name(parameter=value, ...), like blind_breakthrough(width=5, height=5)"
LISTS = "`veil games` lists the catalogue; a file needs its path"


def test_names_parameters_defaults_and_limits_are_pinned() -> None:
    assert {name: family.usage() for name, family in FAMILIES.items()} == USAGE
    assert {name: family.roles for name, family in FAMILIES.items()} == ROLES
    assert all(name == family.name for name, family in FAMILIES.items())


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_every_parameter_has_a_default_within_its_limits_and_a_meaning(family: Family) -> None:
    assert family.summary
    assert family.source
    for parameter in family.parameters:
        assert parameter.meaning
        assert parameter.read(str(parameter.default)) == parameter.default


@pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)
def test_the_header_of_a_rules_file_repeats_usage_and_limits(family: Family) -> None:
    header = family.text(family.defaults()).split(f";;; {instantiate(family.name).name}\n")[1].split("(role")[0]
    for parameter in family.parameters:
        assert f"{parameter.name} {parameter.limits()}" in header
    for entry in ("Rules", "Source", "Parameters", "Hidden", "Values"):
        assert f";;; {entry} " in header


def test_every_rules_file_belongs_to_a_family() -> None:
    bundled = {entry.name for entry in files("veil.games").joinpath("rules").iterdir()}
    assert bundled == {family.rules_file for family in FAMILIES.values()}


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("tic_tac_toe", "tic_tac_toe", {}),
        ("tic_tac_toe()", "tic_tac_toe", {}),
        ("monty_hall", "monty_hall", {"doors": 3}),
        ("krieg_tictactoe(4)", "krieg_tictactoe", {"size": 4}),
        ("blind_breakthrough(width=5, height=6)", "blind_breakthrough", {"width": 5, "height": 6}),
        ("blind_breakthrough(height=6,width=5)", "blind_breakthrough", {"width": 5, "height": 6}),
        ("blind_breakthrough(5)", "blind_breakthrough", {"width": 5, "height": 8}),
        ("blind_breakthrough(5, height=6)", "blind_breakthrough", {"width": 5, "height": 6}),
        ("  breakthrough ( 05 , height = +6 )\n", "breakthrough", {"width": 5, "height": 6}),
    ],
)
def test_a_spec_reads_as_name_and_every_parameter(text: str, name: str, values: dict[str, int]) -> None:
    assert parse_spec(text) == (name, values)
    assert list(parse_spec(text)[1]) == list(values)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("tic_tac_toe()", "tic_tac_toe"),
        ("monty_hall", "monty_hall(doors=3)"),
        ("blind_breakthrough(height=5, width=4)", "blind_breakthrough(width=4, height=5)"),
    ],
)
def test_an_instance_has_a_canonical_name_that_reads_back(text: str, name: str) -> None:
    instance = instantiate(text)
    assert instance.name == name
    assert instantiate(name) == instance


def test_an_instance_holds_the_facts_of_its_parameters_before_the_rules_file() -> None:
    text = instantiate("breakthrough(width=2, height=4)").text
    facts, rules = text.split("\n\n", 1)
    assert facts.splitlines() == [
        ";;; Facts for breakthrough(width=2, height=4); the rules follow.",
        *("(next_column 1 2)", "(next_row 1 2)", "(next_row 2 3)", "(next_row 3 4)"),
        *("(far_row white 4)", "(far_row black 1)"),
        *("(init (cell 1 1 white))", "(init (cell 2 1 white))", "(init (cell 1 4 black))", "(init (cell 2 4 black))"),
    ]
    assert rules == files("veil.games").joinpath("rules", "breakthrough.kif").read_text(encoding="utf-8")


@pytest.mark.parametrize(("height", "pieces"), [(4, 3), (5, 6), (8, 6)])
def test_each_side_has_two_rows_of_pieces_and_one_on_four_rows(height: int, pieces: int) -> None:
    text = instantiate(f"blind_breakthrough(3, {height})").text
    assert text.count(" white))\n(init") + text.count(" black))\n") == 2 * pieces


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("", "cannot read ``: it is empty", WRITE),
        ("(3)", f"cannot read `(3)`: {NO_NAME}", WRITE),
        ("monty_hall(3", f"cannot read `monty_hall(3`: {NO_NAME}", WRITE),
        ("monty_hall)", f"cannot read `monty_hall)`: {NO_NAME}", WRITE),
        ("monty_hall((3))", f"cannot read `monty_hall((3))`: {NO_NAME}", WRITE),
        ("monty_hall(3) 4", f"cannot read `monty_hall(3) 4`: {NO_NAME}", WRITE),
        ("breakthrough(5,)", f"cannot read `breakthrough(5,)`: an empty place {NO_VALUE}", WRITE),
        ("breakthrough(=5)", f"cannot read `breakthrough(=5)`: `=5` {NO_VALUE}", WRITE),
        ("breakthrough(a=b=5)", f"cannot read `breakthrough(a=b=5)`: `a=b=5` {NO_VALUE}", WRITE),
        (
            "breakthrough(width=5, 5)",
            "cannot read `breakthrough(width=5, 5)`: `5` comes after a named parameter and needs a name",
            WRITE,
        ),
        ("chess", "there is no game and no file called chess", LISTS),
        ("chess(8)", "there is no game and no file called chess", LISTS),
        ("Monty-Hall", "there is no game and no file called Monty-Hall", f"did you mean monty_hall? {LISTS}"),
        (
            "blind_breaktrough(5, 5)",
            "there is no game and no file called blind_breaktrough",
            f"did you mean blind_breakthrough or breakthrough? {LISTS}",
        ),
        ("a\nb", r"there is no game and no file called a\nb", LISTS),
        ("x" * 99, "there is no game and no file called " + "x" * 60 + "...", LISTS),
        ("tic_tac_toe(3)", "tic_tac_toe: it has no parameters", USAGE["tic_tac_toe"]),
        ("tic_tac_toe(size=3)", "tic_tac_toe: it has no parameters", USAGE["tic_tac_toe"]),
        ("monty_hall(3, 4)", "monty_hall: too many values", USAGE["monty_hall"]),
        ("monty_hall(cars=3)", "monty_hall: there is no parameter cars", USAGE["monty_hall"]),
        ("monty_hall(doors=3, doors=4)", "monty_hall: doors is given twice", USAGE["monty_hall"]),
        ("monty_hall(3, doors=4)", "monty_hall: doors is given twice", USAGE["monty_hall"]),
        *(
            (f"monty_hall({bad})", f"{NO_NUMBER} {bad}", USAGE["monty_hall"])
            for bad in ("2", "51", "-3", "3.0", "three", "1_0", "٣", "1e1", "9" * 30)
        ),
    ],
)
def test_bad_input_gets_one_message_and_the_way_out(text: str, message: str, hint: str) -> None:
    with pytest.raises(VeilError) as caught:
        instantiate(text)
    assert str(caught.value) == f"error: {message}\n  hint: {hint}"
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_a_parameter_may_be_a_choice_of_words() -> None:
    order = Parameter(name="order", default="up", choices=("up", "down"), meaning="how cards fall")
    family = Family(name="cards", summary="", source="", roles=(), moves="in turn", parameters=(order,), rules_file="")
    assert family.usage() == "cards(order=up), order up|down"
    assert bind(family, []) == {"order": "up"}
    assert bind(family, [(None, "down")]) == {"order": "down"}
    with pytest.raises(VeilError, match="cards: order must be one of up, down, not 3"):
        bind(family, [("order", "3")])
