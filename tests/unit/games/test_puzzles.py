"""Puzzles: what is hidden, what is told, and what it is worth."""

import random
from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

import pytest

import veil
from tests.reference.naive import NaiveGame
from tests.support.games import naive
from tests.support.naive_play import Round, State, play, record, told
from veil.games import instantiate


def best_value(game: NaiveGame, role: str, belief: dict[State, Fraction]) -> Fraction:
    """What the one player of a game can expect who only knows what it is told; `belief` are states it cannot tell."""
    ended = [state for state in belief if game.terminal(state)]
    total = sum((belief[state] * int(*game.goals(state)[role]) for state in ended), Fraction(0))
    going = {state: belief[state] for state in belief if state not in ended}
    if not going:
        return total
    (moves,) = {frozenset(game.legal(state)[role]) for state in going}
    return total + max(sum(best_value(game, role, part) for part in told_apart(game, role, going, m)) for m in moves)


def told_apart(game: NaiveGame, role: str, belief: dict[State, Fraction], move: str) -> list[dict[State, Fraction]]:
    """The states that can follow the role's move, each part with the same percepts."""
    parts: dict[frozenset[str], dict[State, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for state, weight in belief.items():
        chances = game.legal(state)["random"]
        for chance in chances:
            joint = {"random": chance, role: move}
            percepts = frozenset(game.sees(state, joint)[role])
            parts[percepts][game.next(state, joint)] += weight / len(chances)
    return list(parts.values())


# Monty Hall


def monty_hall_rounds(doors: int, car: int, opened: list[int], last: str = "noop") -> list[Round]:
    """The contestant takes door 1."""
    return play(
        naive(f"monty_hall({doors})"),
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
    game = naive(f"monty_hall({doors})")

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
    return play(naive("exploding_bomb"), {"random": f"(arm {wire})"}, {"agent": question}, {"agent": f"(cut {cut})"})


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
        assert naive("exploding_bomb").terminal(final)
        assert naive("exploding_bomb").goals(final) == {"random": {"0"}, "agent": {right if wire == cut else "0"}}


def test_exploding_bomb_agent_cannot_tell_the_wires_apart_unless_it_asks() -> None:
    red, blue = (bomb_rounds(wire, "wait", "red") for wire in ("red", "blue"))
    assert record(red, "agent") == record(blue, "agent")
    red, blue = (bomb_rounds(wire, "ask", "red") for wire in ("red", "blue"))
    assert record(red[:1], "agent") == record(blue[:1], "agent")
    assert [told(rounds, "agent") for rounds in (red, blue)] == [["", "red", ""], ["", "blue", ""]]


# Cooperative Spies


def spy_rounds(wire: str, signal: str, cut: str) -> list[Round]:
    moves = {"random": f"(arm {wire})"}, {"spy1": f"(signal {signal})"}, {"spy2": f"(cut {cut})"}
    return play(naive("cooperative_spies"), *moves)


def test_cooperative_spies_only_the_first_spy_sees_the_wire_and_only_the_second_is_told_the_signal() -> None:
    rounds = {(wire, signal): spy_rounds(wire, signal, "red") for wire, signal in product(("red", "blue"), repeat=2)}
    for one, other in product(rounds, repeat=2):
        assert (record(rounds[one], "spy2") == record(rounds[other], "spy2")) == (one[1] == other[1])
        assert (record(rounds[one][:1], "spy1") == record(rounds[other][:1], "spy1")) == (one[0] == other[0])


def test_cooperative_spies_may_signal_either_colour_whatever_the_wire() -> None:
    for wire in ("red", "blue"):
        assert [entry.legal for entry in spy_rounds(wire, "red", "red")] == [
            {"random": {"(arm red)", "(arm blue)"}, "spy1": {"noop"}, "spy2": {"noop"}},
            {"random": {"noop"}, "spy1": {"(signal red)", "(signal blue)"}, "spy2": {"noop"}},
            {"random": {"noop"}, "spy1": {"noop"}, "spy2": {"(cut red)", "(cut blue)"}},
        ]


def test_cooperative_spies_win_together_and_always_by_either_of_two_conventions() -> None:
    game, colours = naive("cooperative_spies"), ("red", "blue")
    worth: Counter[Any] = Counter()
    for signals, cuts in product(product(colours, repeat=2), repeat=2):
        for wire in colours:
            signal = signals[colours.index(wire)]
            goals = game.goals(spy_rounds(wire, signal, cuts[colours.index(signal)])[-1].after)
            assert goals["spy1"] == goals["spy2"]
            worth[signals, cuts] += int(*goals["spy1"])
    assert Counter(worth.values()) == {200: 2, 0: 2, 100: 12}
    assert worth[colours, colours] == worth[colours[::-1], colours[::-1]] == 200


# Guess Who


def guess_who_rounds(first: int, second: int, *moves: str) -> list[Round]:
    """Moves in turn, `a1` asks for attribute 1 and `g1` guesses character 1."""
    words, roles = {"a": "ask", "g": "guess"}, ("first", "second")
    played = ({roles[turn % 2]: f"({words[text[0]]} {text[1:]})"} for turn, text in enumerate(moves))
    deals = {"random": f"(deal first {first})"}, {"random": f"(deal second {second})"}
    return play(naive("guess_who(4, 2)"), *deals, *played)


def test_guess_who_a_player_cannot_tell_characters_that_gave_the_same_answers() -> None:
    """Attribute 1 is held by characters 2 and 4, attribute 2 by 3 and 4."""
    second = [guess_who_rounds(1, second, "a1", "a2") for second in (2, 3, 4)]
    assert [told(rounds, "first")[2] for rounds in second] == ["yes", "no", "yes"]
    assert record(second[0], "first") == record(second[2], "first") != record(second[1], "first")
    first = [guess_who_rounds(first, 1, "a1", "a2") for first in (2, 3, 4)]
    assert [told(rounds, "second")[3] for rounds in first] == ["no", "yes", "yes"]
    assert record(first[1], "second") == record(first[2], "second") != record(first[0], "second")


def test_guess_who_each_player_is_dealt_another_character_and_sees_the_own_one_and_the_questions() -> None:
    rounds = guess_who_rounds(3, 1, "a1", "a2")
    assert told(rounds, "first") == ["(character 3)", "", "no", "(played second (ask 2))"]
    assert told(rounds, "second") == ["", "(character 1)", "(played first (ask 1))", "yes"]
    assert rounds[1].legal["random"] == {"(deal second 1)", "(deal second 2)", "(deal second 4)"}
    assert rounds[2].legal["first"] == {"(ask 1)", "(ask 2)", "(guess 1)", "(guess 2)", "(guess 4)"}


def test_guess_who_asks_nothing_twice_and_has_to_guess_in_the_end() -> None:
    rounds = guess_who_rounds(3, 1, "a1", "a1", "a2", "a2", "g2")
    assert rounds[4].legal["first"] == {"(ask 2)", "(guess 1)", "(guess 2)", "(guess 4)"}
    assert rounds[6].legal["first"] == {"(guess 1)", "(guess 2)", "(guess 4)"}
    assert naive("guess_who(4, 2)").terminal(rounds[-1].after)


@pytest.mark.parametrize(("moves", "winner"), [(["g1"], 0), (["g2"], 1), (["a1", "g3"], 1), (["a1", "g4"], 0)])
def test_guess_who_a_right_guess_wins_and_a_wrong_one_loses(moves: list[str], winner: int) -> None:
    game = naive("guess_who(4, 2)")
    final = guess_who_rounds(3, 1, *moves)[-1].after
    assert game.terminal(final)
    assert game.goals(final) == {"random": {"0"}, "first": {["100", "0"][winner]}, "second": {["0", "100"][winner]}}


def test_guess_who_the_binary_digits_tell_all_characters_apart_and_more_attributes_are_rarer() -> None:
    text = instantiate("guess_who(12, 6)").text
    holders = [{c for c in range(1, 13) if f"(has {c} {attribute})\n" in text} for attribute in range(1, 7)]
    assert len({tuple(c in holder for holder in holders[:4]) for c in range(1, 13)}) == 12
    assert holders[4:] == [{1, 6, 11}, {1, 7}]


# Mastermind


def mastermind_rounds(spec: str, code: str, *guesses: str) -> list[Round]:
    hidden = ({"random": f"(hide {colour})"} for colour in code)
    put = ({"breaker": f"(put {colour})"} for guess in guesses for colour in guess)
    return play(naive(spec), *hidden, *put)


def black_and_white(code: str, guess: str) -> str:
    black = sum(map(str.__eq__, code, guess))
    return f"(black {black}) (white {(Counter(code) & Counter(guess)).total() - black})"


@pytest.mark.slow
def test_mastermind_counts_black_and_white_as_the_board_game_does() -> None:
    rng = random.Random(2)
    codes = ["".join(code) for code in product("123", repeat=3)]
    pairs = [("1123", "1131"), ("1111", "1112"), ("1122", "2211"), ("1122", "2312")]
    pairs += [(code, guess) for code, guess in (rng.sample(codes, 2) for _ in range(40))]
    for code, guess in pairs:
        pegs = len(code)
        rounds = mastermind_rounds(f"mastermind({pegs}, 3, 3)", code, guess, guess[::-1])  # counts start anew
        expected = [*[""] * (pegs - 1), black_and_white(code, guess), *[""] * (pegs - 1)]
        assert told(rounds, "breaker") == [*[""] * pegs, *expected, black_and_white(code, guess[::-1])]


def test_mastermind_breaker_cannot_tell_codes_with_the_same_answers() -> None:
    codes = ["".join(code) for code in product("123", repeat=2)]
    records = {code: record(mastermind_rounds("mastermind(2, 3, 2)", code, "12"), "breaker") for code in codes}
    for one, other in product(codes, repeat=2):
        assert (records[one] == records[other]) == (black_and_white(one, "12") == black_and_white(other, "12"))
    assert len({entry[:3] for entry in records.values()}) == 1


@pytest.mark.parametrize(("guesses", "goal"), [(["12"], 100), (["21", "12"], 75), (["21", "11", "22", "12"], 25)])
def test_mastermind_pays_less_for_each_guess_and_ends_when_the_code_is_found(guesses: list[str], goal: int) -> None:
    game = naive("mastermind(2, 3, 4)")
    rounds = mastermind_rounds("mastermind(2, 3, 4)", "12", *guesses)
    assert game.terminal(rounds[-1].after)
    assert not any(game.terminal(entry.state) for entry in rounds)
    assert game.goals(rounds[-1].after) == {"random": {"0"}, "breaker": {str(goal)}}


def test_mastermind_pays_nothing_when_the_guesses_are_used_up() -> None:
    game = naive("mastermind(2, 3, 2)")
    rounds = mastermind_rounds("mastermind(2, 3, 2)", "12", "21", "13")
    assert game.terminal(rounds[-1].after)
    assert game.goals(rounds[-1].after)["breaker"] == {"0"}


def test_mastermind_two_pegs_of_two_colours_are_worth_50_in_two_guesses() -> None:
    """Any first guess hits one code of four, and the answer splits the other three into a pair and a single one: 100
    points once, and 50 once for the pair and once for the single one, out of four."""
    game = naive("mastermind(2, 2, 2)")
    assert best_value(game, "breaker", {game.initial(): Fraction(1)}) == 50


# Number Guessing


def number_rounds(number: int, *moves: str) -> list[Round]:
    """`<3` asks whether the number is less than 3, `3` announces it."""
    words = (f"(ask {text[1:]})" if text[0] == "<" else f"(announce {text})" for text in moves)
    return play(naive("number_guessing(4, 3)"), {"random": f"(hide {number})"}, *({"guesser": move} for move in words))


def test_number_guessing_guesser_tells_numbers_apart_by_its_questions_only() -> None:
    for one, other in permutations(range(1, 5), 2):
        same = record(number_rounds(one, "<3"), "guesser") == record(number_rounds(other, "<3"), "guesser")
        assert same == ((one < 3) == (other < 3))
        assert record(number_rounds(one), "guesser") == record(number_rounds(other), "guesser")
    assert [told(number_rounds(n, "<3"), "guesser")[1] for n in range(1, 5)] == ["yes", "yes", "no", "no"]


def test_number_guessing_asks_for_every_number_but_the_first_and_not_in_the_last_turn() -> None:
    rounds = number_rounds(2, "<3", "<2", "2")
    announced = {f"(announce {n})" for n in range(1, 5)}
    asked = {"(ask 2)", "(ask 3)", "(ask 4)"}
    assert [entry.legal["guesser"] for entry in rounds] == [{"noop"}, announced | asked, announced | asked, announced]


@pytest.mark.parametrize(("moves", "goal"), [(["2"], "100"), (["<3", "2"], "66"), (["<3", "<2", "2"], "33")])
def test_number_guessing_pays_less_for_each_question_and_nothing_for_a_wrong_number(
    moves: list[str], goal: str
) -> None:
    game = naive("number_guessing(4, 3)")
    for number, pay in ((2, goal), (1, "0")):
        final = number_rounds(number, *moves)[-1].after
        assert game.terminal(final)
        assert game.goals(final) == {"random": {"0"}, "guesser": {pay}}


@cache
def halving(size: int, turn: int, rewards: tuple[int, ...]) -> int:
    """The sum over `size` neighbouring numbers of what the guesser gets, at best, from this turn on."""
    if turn == len(rewards) - 1 or size == 1:
        return rewards[turn]
    asking = (halving(k, turn + 1, rewards) + halving(size - k, turn + 1, rewards) for k in range(1, size))
    return max(rewards[turn], *asking)


@pytest.mark.slow
@pytest.mark.parametrize(("most", "turns", "value"), [(4, 3, 33), (4, 4, 50), (3, 4, 58)])
def test_number_guessing_is_worth_what_halving_gets(most: int, turns: int, value: int) -> None:
    game = naive(f"number_guessing({most}, {turns})")
    rewards = tuple(100 * (turns - turn) // turns for turn in range(turns))
    assert best_value(game, "guesser", {game.initial(): Fraction(1)}) == Fraction(halving(most, 0, rewards), most)
    assert halving(most, 0, rewards) // most == value


def test_number_guessing_default_game_is_worth_the_60_points_of_its_header() -> None:
    assert Fraction(halving(16, 0, tuple(range(100, 0, -10))), 16) == 60
    assert "60 points in the default game" in instantiate("number_guessing").text


def test_silos_models_that_search_back_put_half_of_their_weight_on_the_one_history_of_the_right_silo() -> None:
    """Five histories of probability 0.2 after `open`. By hand: models choose a silo at first, 1/2 each, and keep it;
    those of the left silo share four histories. 4,000 models, 5 deviations of a share of 1/2: 0.04.
    """
    silos = veil.load("silos")
    told_open = veil.Record("guesser").then("noop", []).then("noop", ["open"])
    right = silos.names.move_id(0, "(enter right)")
    for spec, expected in (
        ("exact", 0.2),
        ("hyperplay:models=4000,reseed=false,remedy=none", 0.5),
        ("hyperplay:models=4000,reseed=false,remedy=weight", 0.2),
        ("hyperplay:models=4000,reseed=false,remedy=balance", 0.2),
    ):
        bag = veil.believe(silos, told_open, spec)
        assert len(bag) == 5
        assert bag.weights[bag.histories[:, 0, 0] == right].sum() == pytest.approx(expected, abs=0.04), spec
