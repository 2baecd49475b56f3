"""Puzzles: what is hidden, what is told, and what it is worth."""

from fractions import Fraction
from itertools import product

import pytest

from tests.unit.games.playing import Round, State, load, play, record, told

# Monty Hall


def monty_hall_rounds(doors: int, car: int, opened: list[int], last: str = "noop") -> list[Round]:
    """The contestant takes door 1."""
    return play(
        load(f"monty_hall({doors})"),
        {"random": f"(hide_car {car})", "contestant": "(choose 1)"},
        *({"random": f"(open_door {door})"} for door in opened),
        {"contestant": last},
    )


def test_monty_hall_has_the_moves_of_the_article() -> None:
    rounds = monty_hall_rounds(3, car=3, opened=[2])
    assert [entry.legal for entry in rounds] == [
        {
            "random": {"(hide_car 1)", "(hide_car 2)", "(hide_car 3)"},
            "contestant": {"(choose 1)", "(choose 2)", "(choose 3)"},
        },
        {"random": {"(open_door 2)"}, "contestant": {"noop"}},
        {"random": {"noop"}, "contestant": {"noop", "switch"}},
    ]


def test_monty_hall_contestant_cannot_tell_where_the_car_is_before_the_end() -> None:
    behind_other, behind_chosen = (monty_hall_rounds(3, car, opened=[2]) for car in (3, 1))
    assert record(behind_other[:2], "contestant") == record(behind_chosen[:2], "contestant")
    assert told(behind_other, "contestant") == ["", "2", "3"]
    assert told(behind_chosen, "contestant") == ["", "2", "1"]


def test_monty_hall_contestant_sees_which_door_opens() -> None:
    opened_2, opened_3 = (monty_hall_rounds(3, car=1, opened=[door]) for door in (2, 3))
    assert record(opened_2[:1], "contestant") == record(opened_3[:1], "contestant")
    assert record(opened_2[:2], "contestant") != record(opened_3[:2], "contestant")


def test_monty_hall_opened_doors_stay_open_and_switching_takes_the_one_other_door() -> None:
    rounds = monty_hall_rounds(4, car=1, opened=[2, 4], last="switch")
    assert [entry.legal["random"] for entry in rounds[1:3]] == [
        {"(open_door 2)", "(open_door 3)", "(open_door 4)"},
        {"(open_door 3)", "(open_door 4)"},
    ]
    assert rounds[-1].after == {"(car 1)", "(chosen 3)", "(closed 1)", "(closed 3)", "(round 5)"}


@pytest.mark.parametrize("last", ["noop", "switch"])
@pytest.mark.parametrize("doors", [3, 4, 5])
def test_monty_hall_switching_wins_unless_the_first_choice_was_right(doors: int, last: str) -> None:
    game = load(f"monty_hall({doors})")

    def value(state: State) -> Fraction:
        """The contestant's expected goal if door 1 is chosen first and `last` is played last."""
        if game.terminal(state):
            return Fraction(*map(int, game.goals(state)["contestant"]))
        legal = game.legal(state)
        own = next(move for move in (last, "(choose 1)", "noop") if move in legal["contestant"])
        nexts = [value(game.next(state, {"random": move, "contestant": own})) for move in legal["random"]]
        return sum(nexts, Fraction(0)) / len(nexts)

    assert value(game.initial()) == Fraction(100 * (doors - 1 if last == "switch" else 1), doors)


# Exploding Bomb


def bomb_rounds(wire: str, question: str, cut: str) -> list[Round]:
    return play(load("exploding_bomb"), {"random": f"(arm {wire})"}, {"agent": question}, {"agent": f"(cut {cut})"})


def test_exploding_bomb_is_armed_then_asked_about_then_cut() -> None:
    assert [entry.legal for entry in bomb_rounds("red", "ask", "red")] == [
        {"random": {"(arm red)", "(arm blue)"}, "agent": {"noop"}},
        {"random": {"noop"}, "agent": {"ask", "wait"}},
        {"random": {"noop"}, "agent": {"(cut red)", "(cut blue)"}},
    ]


@pytest.mark.parametrize(("question", "right"), [("ask", "90"), ("wait", "100")])
def test_exploding_bomb_pays_for_the_armed_wire_less_the_price_of_asking(question: str, right: str) -> None:
    for wire, cut in product(("red", "blue"), repeat=2):
        final = bomb_rounds(wire, question, cut)[-1].after
        assert load("exploding_bomb").terminal(final)
        assert load("exploding_bomb").goals(final) == {"random": {"0"}, "agent": {right if wire == cut else "0"}}


def test_exploding_bomb_agent_cannot_tell_the_wires_apart_unless_it_asks() -> None:
    red, blue = (bomb_rounds(wire, "wait", "red") for wire in ("red", "blue"))
    assert record(red, "agent") == record(blue, "agent")
    red, blue = (bomb_rounds(wire, "ask", "red") for wire in ("red", "blue"))
    assert record(red[:1], "agent") == record(blue[:1], "agent")
    assert [told(rounds, "agent") for rounds in (red, blue)] == [["", "red", ""], ["", "blue", ""]]
