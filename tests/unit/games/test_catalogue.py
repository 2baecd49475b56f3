"""The catalogue: names and parameters are pinned, and every bad spec gets one clear message."""

import pickle
from importlib.resources import files

import pytest

from veil.errors import VeilError
from veil.games import FAMILIES, Family, Parameter, instantiate, parse_spec
from veil.games.spec import bind

USAGE = {
    "matching_pennies": "matching_pennies",
    "biased_rock_paper_scissors": "biased_rock_paper_scissors",
    "biased_penalty_kick": "biased_penalty_kick",
    "prisoners_dilemma": "prisoners_dilemma",
    "non_locality": "non_locality(leaf=1), leaf 0..3",
    "frank_basin": "frank_basin",
    "cutting_wire": "cutting_wire(cost=10), cost 1..49",
    "extended_cutting_wire": "extended_cutting_wire",
    "banker_and_thief": "banker_and_thief(banks=4, notes=10), banks 2..5, notes 2..10",
    "monty_hall": "monty_hall(doors=3), doors 3..50",
    "exploding_bomb": "exploding_bomb",
    "silos": "silos(ways=4), ways 2..50",
    "cooperative_spies": "cooperative_spies",
    "guess_who": "guess_who(characters=8, attributes=4), characters 3..100, attributes 1..30",
    "mastermind": "mastermind(pegs=4, colours=6, guesses=10), pegs 1..8, colours 2..12, guesses 2..20",
    "number_guessing": "number_guessing(max=16, turns=10), max 2..1000, turns 2..100",
    "tic_tac_toe": "tic_tac_toe",
    "krieg_tictactoe": "krieg_tictactoe(size=3), size 3..10",
    "simultaneous_krieg_tictactoe": "simultaneous_krieg_tictactoe(size=4, line=3), size 2..5, line 2..5",
    "breakthrough": "breakthrough(width=8, height=8), width 2..20, height 4..20",
    "blind_breakthrough": "blind_breakthrough(width=8, height=8), width 2..20, height 4..20",
    "phantom_tictactoe": "phantom_tictactoe(turns=classical), turns classical|abrupt",
    "connect_four": "connect_four(width=7, height=6), width 2..20, height 2..20",
    "dark_hex": "dark_hex(size=3, turns=classical), size 2..11, turns classical|abrupt",
    "hidden_connect": "hidden_connect(size=4, line=3), size 2..8, line 2..8",
    "battleships_in_fog": "battleships_in_fog(size=5), size 2..10",
    "border_protection": "border_protection(size=5), size 3..10",
    "transit": "transit(width=5, height=5), width 3..12, height 3..12",
    "battleship": "battleship(size=6, ships=3), size 2..10, ships 1..5",
    "ii_goofspiel": "ii_goofspiel(cards=4, order=ascending, lowest=1), cards 2..13, order ascending|descending, "
    "lowest 0..1",
    "gops": "gops(bids=4, extra=10, deal=late), bids 2..10, extra 0..40, deal late|early",
    "racko": "racko(slots=6, cards=30), slots 2..10, cards 7..60",
    "kuhn_poker": "kuhn_poker",
    "leduc_poker": "leduc_poker",
    "simple_poker": "simple_poker",
    "generic_poker": (
        "generic_poker(types=3, copies=3, raises=2, bets=2), types 2..13, copies 2..8, raises 0..5, bets 1..5"
    ),
    "hold_em_mini": "hold_em_mini",
    "liars_dice": "liars_dice(dice1=1, dice2=1, faces=6), dice1 1..5, dice2 1..5, faces 2..6",
}
ROLES = {
    "matching_pennies": ("even", "odd"),
    "biased_rock_paper_scissors": ("first", "second"),
    "biased_penalty_kick": ("kicker", "keeper"),
    "prisoners_dilemma": ("first", "second"),
    "non_locality": ("random", "max", "min"),
    "frank_basin": ("random", "first", "second"),
    "cutting_wire": ("random", "teller", "cutter"),
    "extended_cutting_wire": ("random", "teller", "cutter"),
    "banker_and_thief": ("random", "banker", "thief"),
    "monty_hall": ("random", "contestant"),
    "exploding_bomb": ("random", "agent"),
    "silos": ("random", "guesser"),
    "cooperative_spies": ("random", "spy1", "spy2"),
    "guess_who": ("random", "first", "second"),
    "mastermind": ("random", "breaker"),
    "number_guessing": ("random", "guesser"),
    "tic_tac_toe": ("xplayer", "oplayer"),
    "krieg_tictactoe": ("xplayer", "oplayer"),
    "simultaneous_krieg_tictactoe": ("xplayer", "oplayer"),
    "breakthrough": ("white", "black"),
    "blind_breakthrough": ("white", "black"),
    "phantom_tictactoe": ("xplayer", "oplayer"),
    "connect_four": ("xplayer", "oplayer"),
    "dark_hex": ("black", "white"),
    "hidden_connect": ("random", "red", "blue"),
    "battleships_in_fog": ("random", "red", "blue"),
    "border_protection": ("intruder", "defender"),
    "transit": ("evader", "patrol"),
    "battleship": ("red", "blue"),
    "ii_goofspiel": ("first", "second"),
    "gops": ("random", "first", "second"),
    "racko": ("random", "first", "second"),
    "kuhn_poker": ("random", "first", "second"),
    "leduc_poker": ("random", "first", "second"),
    "simple_poker": ("random", "first", "second"),
    "generic_poker": ("random", "first", "second"),
    "hold_em_mini": ("random", "first", "second"),
    "liars_dice": ("random", "first", "second"),
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


def test_every_parameter_has_a_default_within_its_limits_and_a_meaning() -> None:
    for family in FAMILIES.values():
        assert family.summary, family.name
        assert family.source, family.name
        for parameter in family.parameters:
            assert parameter.meaning, family.name
            assert parameter.read(str(parameter.default)) == parameter.default, family.name


def test_the_header_of_a_rules_file_repeats_usage_and_limits() -> None:
    for family in FAMILIES.values():
        header = family.text(family.defaults()).split(f";;; {instantiate(family.name).name}\n")[1].split("(role")[0]
        for parameter in family.parameters:
            assert f"{parameter.name} {parameter.limits()}" in header, family.name
        for entry in ("Rules", "Source", "Parameters", "Hidden", "Values"):
            assert f";;; {entry} " in header, family.name


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
        ("kuhn", "there is no game and no file called kuhn", f"did you mean kuhn_poker? {LISTS}"),
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
