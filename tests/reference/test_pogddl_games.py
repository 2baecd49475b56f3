"""The slow reader of POGDDL on whole games: those written for these tests, counted by hand, and real files."""

import random
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from tests.reference.pogddl import (
    Domain,
    Game,
    Problem,
    State,
    actor,
    applicable,
    apply,
    bindings,
    chance,
    derive,
    holds,
    initial,
    is_over,
    parse,
    payoffs,
    random_playout,
    read,
    read_part,
)
from tests.support.corpus import ROOT
from tests.support.pogddl_cases import BATTLESHIP_DOMAIN, ENDGAME_PROBLEM, GOPS_PROBLEM
from tests.support.pogddl_play import atoms, choices, load_bundled, play

BUNDLED = ["battleship2", "gops2", "racko3", "simple_poker"]


# The bundled games


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_games_are_read_without_a_warning_and_end(name: str) -> None:
    game = load_bundled(name)
    assert game.warnings == ()
    assert game.players == ("p1", "p2")
    for seed in range(3):
        rounds = list(random_playout(game, random.Random(seed)))
        for state, who, action, _ in rounds:
            assert actor(game, state) == who
            assert action in applicable(game, state)[who]
        last, _ = apply(game, rounds[-1][0], rounds[-1][2])
        assert is_over(game, last)
        assert sum(payoffs(game, last).values()) in (0, 1, 2)


@pytest.mark.parametrize("name", BUNDLED)
def test_actions_are_those_that_a_search_through_all_bindings_finds(name: str) -> None:
    game = load_bundled(name)
    for state, _, _, _ in list(random_playout(game, random.Random(1)))[::4]:
        facts = derive(game, state)
        everything = {
            (action.name, *(binding[variable] for variable, _ in action.parameters))
            for action in game.domain.actions
            for binding in bindings(game, action.parameters)
            if holds(game, facts, action.precondition, binding)
        }
        assert [everything] == [set(actions) for actions in applicable(game, state).values()]


def nodes_by_depth(game: Game, state: State, depth: int = 0) -> Counter:
    counts = Counter({depth: 1})
    for actions in applicable(game, state).values():
        for action in actions:
            counts += nodes_by_depth(game, apply(game, state, action)[0], depth + 1)
    return counts


def terminals(game: Game, state: State) -> list[State]:
    after = [apply(game, state, action)[0] for actions in applicable(game, state).values() for action in actions]
    return [end for next_state in after for end in terminals(game, next_state)] if after else [state]


def test_the_tree_of_simple_poker_is_that_of_figure_1() -> None:
    game = load_bundled("simple_poker")
    assert nodes_by_depth(game, initial(game)) == {0: 1, 1: 2, 2: 4, 3: 8}
    assert chance(game, initial(game)) == dict.fromkeys(
        [("deal-stronger", "p1"), ("deal-stronger", "p2")], Fraction(1, 2)
    )


def poker_payoff(game: Game, strong: str, first: str, second: str) -> dict[str, Fraction]:
    actions = (f"(deal-stronger {strong})", f"(p1-choose {first})", f"(p2-choose {second})")
    return payoffs(game, play(game, *actions)[0], transfer=True)


# The payoffs of p1 by the text: who bets alone wins 1, a showdown is for 2 if both bet and for 1 if none did.
POKER = {
    ("p1", "pass", "pass"): 1,
    ("p1", "pass", "bet"): -1,
    ("p1", "bet", "pass"): 1,
    ("p1", "bet", "bet"): 2,
    ("p2", "pass", "pass"): -1,
    ("p2", "pass", "bet"): -1,
    ("p2", "bet", "pass"): 1,
    ("p2", "bet", "bet"): -2,
}


def test_simple_poker_as_a_transfer_pays_what_the_text_says() -> None:
    game = load_bundled("simple_poker")
    for line, value in POKER.items():
        assert poker_payoff(game, *line) == {"p1": value, "p2": -value}


def test_players_of_simple_poker_are_told_what_the_text_says() -> None:
    game = load_bundled("simple_poker")
    state, told = play(game, "(deal-stronger p2)", "(p1-choose bet)")
    assert told == [
        {"p1": "(stronger p2)", "p2": "(stronger unknown)"},
        {"p1": "(p1chose bet)", "p2": "(p1chose bet)"},
    ]
    assert choices(game, state) == {"p2": {"(p2-choose bet)", "(p2-choose pass)"}}
    assert state.numbers == {("stake",): 1}
    state, _ = play(game, "(deal-stronger p2)", "(p1-choose bet)", "(p2-choose bet)")
    assert state.numbers == {("stake",): 2}


def poker_value(game: Game, transfer: bool, player: str, first: dict, second: dict) -> Fraction:
    """What a player expects: first says how often p1 bets with a strong and a weak hand, second how often p2 bets."""
    total = Fraction(0)
    for strong, a, b in product(["p1", "p2"], ["bet", "pass"], ["bet", "pass"]):
        line = (f"(deal-stronger {strong})", f"(p1-choose {a})", f"(p2-choose {b})")
        share = (first[strong] if a == "bet" else 1 - first[strong]) * (second[a] if b == "bet" else 1 - second[a])
        total += Fraction(share) / 2 * payoffs(game, play(game, *line)[0], transfer)[player]
    return total


PURE_FIRST = [{"p1": x, "p2": y} for x, y in product([0, 1], repeat=2)]
PURE_SECOND = [{"bet": x, "pass": y} for x, y in product([0, 1], repeat=2)]


def test_in_simple_poker_as_a_transfer_one_bluff_in_three_and_two_calls_in_three_are_an_equilibrium() -> None:
    # The text gives p1 at least 1/6; the value is 1/3: (5/3 - 1) / 2, with 5/3 for the strong hand and -1 for the weak.
    game = load_bundled("simple_poker")
    bluff = {"p1": 1, "p2": Fraction(1, 3)}
    call = {"bet": Fraction(2, 3), "pass": 1}
    assert max(poker_value(game, True, "p1", reply, call) for reply in PURE_FIRST) == Fraction(1, 3)
    assert min(poker_value(game, True, "p1", bluff, reply) for reply in PURE_SECOND) == Fraction(1, 3)


def test_in_simple_poker_without_transfer_calling_costs_nothing_and_a_bluff_gains_nothing() -> None:
    game = load_bundled("simple_poker")
    for first, other in product(PURE_FIRST, [0, 1]):
        calls, folds = ({"bet": bet, "pass": other} for bet in (1, 0))
        assert poker_value(game, False, "p2", first, calls) >= poker_value(game, False, "p2", first, folds)
    always = {"bet": 1, "pass": 1}
    bluffs, honest = ({"p1": 1, "p2": bluff} for bluff in (1, 0))
    assert poker_value(game, False, "p1", bluffs, always) == poker_value(game, False, "p1", honest, always)


def test_gops_lays_prizes_face_down_and_scores_the_higher_bid() -> None:
    game = load_bundled("gops2")
    state, told = play(
        game,
        "(lay v3 left right)",
        "(lay v1 right none)",
        "(turn v3 left)",
        "(bid p1 b2)",
        "(bid p2 b1)",
        "(settle b2 b1 v3 left right)",
    )
    assert told == [
        {"p1": "(laid unknown left)", "p2": "(laid unknown left)"},
        {"p1": "(laid unknown right)", "p2": "(laid unknown right)"},
        {"p1": "(turned v3 left)", "p2": "(turned v3 left)"},
        {"p1": "(bid p1 b2)", "p2": "(bid p1 unknown)"},
        {"p1": "(bid p2 unknown)", "p2": "(bid p2 b1)"},
        {"p1": "(bidden b2 b1)", "p2": "(bidden b2 b1)"},
    ]
    assert atoms(state, "holds") == {"(holds p1 b1)", "(holds p2 b2)"}
    assert atoms(state, "at") == {"(at right)"}
    assert atoms(state, "lies") == {"(lies v1 right)"}
    assert (state.numbers["points", "p1"], state.numbers["points", "p2"]) == (3, 0)
    assert choices(game, state) == {"chance": {"(turn v1 right)"}}


def test_the_tree_of_gops_is_counted_by_hand() -> None:
    # 3 * 2 ways to lay, 2 * 2 first bids, everything else is forced.
    game = load_bundled("gops2")
    counts = nodes_by_depth(game, initial(game))
    assert [counts[depth] for depth in sorted(counts)] == [1, 3, 6, 6, 12, 24, 24, 24, 24, 24, 24]
    # Equal first bids end 0 : 0. Else who bids higher first wins the first prize and the other the second one.
    ends = terminals(game, initial(game))
    assert Counter(tuple(payoffs(game, end).values()) for end in ends) == {(0, 0): 12, (1, 0): 6, (0, 1): 6}


def deal_racko(*cards: int) -> list[str]:
    """The actions that deal these cards to p1's slots, p2's slots, and the open place."""
    places = ["a1", "a2", "a3", "b1", "b2", "b3", "open"]
    deals = [
        f"(deal c{card} {'p1' if place[0] == 'a' else 'p2'} {place} {after})"
        for card, place, after in zip(cards[:6], places[:6], places[1:], strict=True)
    ]
    return [*deals, f"(turn-up c{cards[6]})"]


def test_racko_deals_cards_that_only_their_owner_sees() -> None:
    game = load_bundled("racko3")
    state, told = play(game, *deal_racko(2, 1, 3, 8, 7, 6, 5))
    assert told[0] == {"p1": "(dealt c2 a1)", "p2": "(dealt unknown a1)"}
    assert told[3] == {"p1": "(dealt unknown b1)", "p2": "(dealt c8 b1)"}
    assert told[6] == {"p1": "(turned-up c5)", "p2": "(turned-up c5)"}
    takes = {"(take p1 a1 c2 c5)", "(take p1 a2 c1 c5)", "(take p1 a3 c3 c5)"}
    assert choices(game, state) == {"p1": takes | {"(draw p1)"}}


def test_a_rack_of_racko_ascends_after_the_right_exchange() -> None:
    game = load_bundled("racko3")
    state, told = play(game, *deal_racko(4, 5, 3, 8, 7, 2, 6), "(take p1 a3 c3 c6)")
    assert told[-1] == {"p1": "(took p1 c6 a3 c3)", "p2": "(took p1 c6 a3 c3)"}
    assert atoms(derive(game, state), "ascends-from") == {f"(ascends-from {slot})" for slot in ("a1", "a2", "a3", "b3")}
    assert is_over(game, state)
    assert payoffs(game, state) == {"p1": 1, "p2": 0}


def test_a_drawn_card_of_racko_is_seen_by_the_drawer_and_the_card_it_replaces_by_all() -> None:
    game = load_bundled("racko3")
    state, told = play(game, *deal_racko(8, 7, 2, 6, 5, 4, 3), "(draw p1)", "(give p1 c1)", "(place p1 a1 c8 c1 c3)")
    assert told[-3:] == [
        {"p1": "(draws p1)", "p2": "(draws p1)"},
        {"p1": "(drew c1)", "p2": "(drew unknown)"},
        {"p1": "(placed c1 a1 c8)", "p2": "(placed unknown a1 c8)"},
    ]
    assert atoms(state, "lies") == {
        *("(lies c1 a1)", "(lies c7 a2)", "(lies c2 a3)", "(lies c6 b1)", "(lies c5 b2)", "(lies c4 b3)"),
        "(lies c8 open)",
    }
    assert choices(game, state) == {"p2": {"(take p2 b1 c6 c8)", "(take p2 b2 c5 c8)", "(take p2 b3 c4 c8)"}}


def test_racko_ends_after_four_turns_and_before_the_first_if_a_rack_is_dealt_in_order() -> None:
    game = load_bundled("racko3")
    turns = ["(take p1 a1 c8 c3)", "(take p2 b1 c6 c8)", "(take p1 a1 c3 c6)", "(take p2 b1 c8 c3)"]
    state, _ = play(game, *deal_racko(8, 7, 2, 6, 5, 4, 3), *turns)
    assert is_over(game, state)
    assert payoffs(game, state) == {"p1": 0, "p2": 0}
    assert not is_over(game, play(game, *deal_racko(8, 7, 2, 6, 5, 4, 3), *turns[:3])[0])
    dealt, _ = play(game, *deal_racko(1, 2, 3, 4, 5, 6, 7))
    assert is_over(game, dealt)
    assert payoffs(game, dealt) == {"p1": 1, "p2": 1}


def test_battleship_tells_all_whether_a_call_misses_hits_or_sinks() -> None:
    game = load_bundled("battleship2")
    places = ["(hide-across p1 p2 north west east)", "(hide-down p2 p1 north south east)"]
    calls = ["(call p1 p2 north west)", "(call p2 p1 north west)", "(call p1 p2 south east)", "(call p2 p1 north east)"]
    state, told = play(game, *places, *calls)
    assert told[:2] == [
        {"p1": "(hid across north west)", "p2": "(hid unknown unknown unknown)"},
        {"p1": "(hid unknown unknown unknown)", "p2": "(hid down north east)"},
    ]
    heard = ["(miss north west)", "(hit north west)", "(hit south east)", "(sank north east)"]
    assert [seen["p1"] for seen in told[2:]] == heard
    assert all(seen["p1"] == seen["p2"] for seen in told[2:])
    assert is_over(game, state)
    assert payoffs(game, state) == {"p1": -1, "p2": 1}
    with pytest.raises(ValueError, match="negative"):
        payoffs(game, state, transfer=True)


def test_battleship_has_four_places_for_a_ship_and_no_cell_is_called_twice() -> None:
    game = load_bundled("battleship2")
    assert len(applicable(game, initial(game))["p1"]) == 4
    state, _ = play(game, "(hide-across p1 p2 north west east)", "(hide-down p2 p1 north south east)")
    assert len(applicable(game, state)["p1"]) == 4
    later, _ = apply(game, state, ("call", "p1", "p2", "north", "east"))
    later, _ = apply(game, later, ("call", "p2", "p1", "south", "east"))
    assert choices(game, later) == {
        "p1": {f"(call p1 p2 {cell})" for cell in ("north west", "south west", "south east")}
    }


def test_the_tree_of_battleship_is_counted_by_hand() -> None:
    # Orders of calls that sink a ship with the k-th call: 2, 8, 12 for k = 2, 3, 4; that have not after k: 4, 10, 12.
    # p1 wins 2 * 4 + 8 * 10 + 12 * 12 games, p2 10 * 2 + 12 * 8. With random calls p1 wins 25 of 36.
    game = load_bundled("battleship2")
    state, _ = play(game, "(hide-across p1 p2 north west east)", "(hide-down p2 p1 north south east)")
    assert Counter(payoffs(game, end)["p1"] for end in terminals(game, state)) == {1: 232, -1: 116}

    def value(state: State) -> Fraction:
        after = [apply(game, state, action)[0] for actions in applicable(game, state).values() for action in actions]
        return sum(map(value, after)) / Fraction(len(after)) if after else payoffs(game, state)["p1"]

    assert value(state) == Fraction(25 - 11, 36)


# Real files


def corpus(name: str) -> str:
    path = ROOT / "pogddl" / name
    if not path.exists():
        pytest.skip(f"no {path.name} in the corpus at {ROOT}; set VEIL_CORPUS")
    return path.read_text(encoding="utf-8")


def test_the_corpus_holds_two_domains_and_a_problem() -> None:
    [endgame], [gops], [battleship] = (
        parse(corpus(name)) for name in ("EndGame.pog", "Gops.pog", "battleship-3.5.pog")
    )
    first, second = read_part(endgame), read_part(gops)
    assert isinstance(first, Domain)
    assert isinstance(second, Domain)
    assert [action.name for action in first.actions] == [
        *("deal", "choose-left", "peek-left", "choose-right", "peek-right", "choose-last", "score-card", "show-card")
    ]
    assert [action.name for action in second.actions] == ["deal", "announce", "bid1", "bid2", "determine"]
    assert isinstance(read_part(battleship), Problem)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("EndGame.pog", "a problem is missing, which says how the domain endgame starts"),
        ("Gops.pog", "a problem is missing, which says how the domain gops starts"),
        ("battleship-3.5.pog", "the domain battleship is missing, which the problem b1 needs"),
    ],
)
def test_files_of_the_corpus_say_what_they_lack(name: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(corpus(name))


def test_the_domain_of_gops_in_the_corpus_plays_two_rounds() -> None:
    game = read(corpus("Gops.pog"), GOPS_PROBLEM)
    assert game.warnings == ()
    deals = ["(deal c5 h1 h2 p1)", "(deal c1 h2 k1 p1)", "(deal c4 k1 k2 p2)", "(deal c2 k2 b01 p2)"]
    prizes = ["(deal c3 b01 b02 chance)", "(deal c6 b02 b01 chance)"]
    first = ["(announce c3 b01)", "(bid1 c5 h1)", "(bid2 c4 k1)", "(determine c5 c4 c3 b01 b02)"]
    second = ["(announce c6 b02)", "(bid1 c1 h2)", "(bid2 c2 k2)", "(determine c1 c2 c6 b02 b01)"]
    state, told = play(game, *deals, *prizes)
    assert told[0] == {"p1": "(deal c5 h1 h2 p1)", "p2": "(deal u h1 h2 p1)"}
    assert told[4] == {"p1": "(deal u b01 b02 chance)", "p2": "(deal u b01 b02 chance)"}
    assert choices(game, state) == {"chance": {"(announce c3 b01)"}}
    state, told = play(game, *deals, *prizes, *first)
    assert told[7] == {"p1": "(bid1 c5 h1)", "p2": "(bid1 u h1)"}
    assert told[9] == dict.fromkeys(["p1", "p2"], "(player1wins c5 c4 c3 b01 b02)")
    assert (state.numbers["score", "p1"], state.numbers["score", "p2"]) == (3, 0)
    assert not is_over(game, state)
    state, _ = play(game, *deals, *prizes, *first, *second)
    assert (state.numbers["score", "p1"], state.numbers["score", "p2"]) == (3, 6)
    assert is_over(game, state)
    assert payoffs(game, state) == {"p1": 0, "p2": 1}
    assert payoffs(game, state, transfer=True) == {"p1": -1, "p2": 1}


def test_the_domain_of_endgame_in_the_corpus_warns_of_a_type_and_plays_three_cards() -> None:
    game = read(corpus("EndGame.pog"), ENDGAME_PROBLEM)
    assert game.warnings == ("type other is not declared",)
    deals = ["(deal s1 s2 c3)", "(deal s2 s3 c1)", "(deal s3 end c2)"]
    state, told = play(game, *deals)
    assert told[0] == {"p1": "(dealt s1 u)", "p2": "(dealt s1 u)"}
    assert choices(game, state) == {
        "p1": {
            *("(choose-left p1 p2 s1 s2)", "(choose-right p1 p2 s2 s3)"),
            *("(peek-left p1 p2 s1 s2)", "(peek-right p1 p2 s2 s3)"),
        }
    }
    start = [*deals, "(choose-left p1 p2 s1 s2)", "(score-card p1 p2 s1 c3)", "(peek-right p2 p1 s2 s3)"]
    state, told = play(game, *start, "(show-card p2 p1 s2 c1)")
    assert told[-1] == {"p1": "(shown p2 u s2)", "p2": "(shown p2 c1 s2)"}
    assert (state.numbers["score", "p1"], state.numbers["score", "p2"]) == (3, -2)
    rest = ["(show-card p2 p1 s2 c1)", "(choose-right p1 p2 s2 s3)", "(score-card p1 p2 s3 c2)"]
    state, told = play(game, *start, *rest, "(choose-last p2 p1 s2)", "(score-card p2 p1 s2 c1)")
    assert told[-1] == {"p1": "(scored p2 c1)", "p2": "(scored p2 c1)"}
    assert (state.numbers["score", "p1"], state.numbers["score", "p2"]) == (5, -1)
    assert is_over(game, state)
    assert payoffs(game, state) == {"p1": 1, "p2": 0}


def test_the_problem_of_battleship_in_the_corpus_starts_with_the_first_ship_of_p1() -> None:
    problem = read_part(parse(corpus("battleship-3.5.pog"))[0])
    assert isinstance(problem, Problem)
    assert Counter(kind for _, kind in problem.objects) == {"col": 5, "row": 5, "ship": 5}
    game = read(corpus("battleship-3.5.pog"), BATTLESHIP_DOMAIN)
    state = initial(game)
    assert len(state.numbers) == 20
    assert len(state.atoms) == len(problem.init) - 20
    assert (state.numbers["needtosink",], state.numbers["maxhits", "carrier"]) == (3, 4)
    assert [len(actions) for actions in applicable(game, state).values()] == [5 * 4]
    after, _ = apply(game, state, ("hide", "p1", "destroyer", "row01", "col01", "col02"))
    assert after.numbers["nhits", "p1", "destroyer"] == 1
    assert is_over(game, after)
