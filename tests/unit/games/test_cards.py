"""Cards: how bids, prizes and racks work, and what the players are told."""

from itertools import permutations, product

import pytest

from tests.reference.naive import NaiveGame
from tests.support.games import naive
from tests.support.naive_play import Joint, Round, State, play, play_at_random, record, told
from veil.errors import VeilError
from veil.games import instantiate

DRAW = {"first": {"50"}, "second": {"50"}}
FIRST_WINS = {"first": {"100"}, "second": {"0"}}
SECOND_WINS = {"first": {"0"}, "second": {"100"}}


def outcome(game: NaiveGame, state: State) -> dict[str, set[str]]:
    """The goals of the players in a state that ends the game."""
    assert game.terminal(state)
    return {role: values for role, values in game.goals(state).items() if role != "random"}


def result(difference: int) -> dict[str, set[str]]:
    """The goals of the players if the first one is ahead by so many points."""
    return FIRST_WINS if difference > 0 else SECOND_WINS if difference < 0 else DRAW


def fluents(state: State, name: str) -> set[str]:
    """The arguments of all fluents of this name."""
    return {fluent[len(name) + 2 : -1] for fluent in state if fluent.startswith(f"({name} ")}


# II-Goofspiel


def bids(*pairs: str) -> list[Joint]:
    """Joint moves from texts like `20`: the first player bids 2, the second 0."""
    return [{"first": f"(bid {c})", "second": f"(bid {d})"} for c, d in map(tuple, pairs)]


def test_ii_goofspiel_player_cannot_tell_which_higher_card_it_lost_to() -> None:
    game = naive("ii_goofspiel(4)")
    low, high = (play(game, *bids(pair)) for pair in ("12", "13"))
    assert record(low, "first") == record(high, "first")
    low, high = (play(game, *bids(pair)) for pair in ("21", "31"))
    assert record(low, "second") == record(high, "second")


def test_ii_goofspiel_both_are_told_who_took_the_prize_and_nothing_after_equal_bids() -> None:
    game = naive("ii_goofspiel(4)")
    for role in ("first", "second"):
        assert [told(play(game, *bids(pair)), role) for pair in ("21", "22", "12")] == [
            ["(won first)"],
            [""],
            ["(won second)"],
        ]


def test_ii_goofspiel_a_card_is_bid_once_and_one_card_is_left_when_the_game_ends() -> None:
    game = naive("ii_goofspiel(4)")
    rounds = play(game, *bids("31", "02", "10"))
    assert [entry.legal["first"] for entry in rounds] == [
        {"(bid 0)", "(bid 1)", "(bid 2)", "(bid 3)"},
        {"(bid 0)", "(bid 1)", "(bid 2)"},
        {"(bid 1)", "(bid 2)"},
    ]
    assert fluents(rounds[-1].after, "hand") == {"first 2", "second 3"}
    assert game.terminal(rounds[-1].after)


@pytest.mark.parametrize(
    ("order", "lowest", "prizes"),
    [
        ("ascending", 1, (1, 2, 3)),
        ("descending", 1, (3, 2, 1)),
        ("ascending", 0, (0, 1, 2)),
        ("descending", 0, (2, 1, 0)),
    ],
)
def test_ii_goofspiel_more_points_win_whatever_is_bid(order: str, lowest: int, prizes: tuple[int, ...]) -> None:
    game = naive(f"ii_goofspiel(3, {order}, {lowest})")
    for first, second in product(permutations(range(3)), repeat=2):
        joints = bids(*(f"{c}{d}" for c, d in zip(first[:2], second[:2], strict=True)))
        final = play(game, *joints)[-1].after
        signs = [(c > d) - (c < d) for c, d in zip(first, second, strict=True)]
        assert outcome(game, final) == result(sum(prize * sign for prize, sign in zip(prizes, signs, strict=True)))


def test_ii_goofspiel_order_of_prizes_decides_who_wins_with_the_same_bids() -> None:
    goals = []
    for order in ("ascending", "descending"):
        game = naive(f"ii_goofspiel(4, {order})")
        goals.append(outcome(game, play(game, *bids("10", "21", "02"))[-1].after))
    assert goals == [DRAW, FIRST_WINS]  # 1 + 2 against 3, and the last bids are equal; 4 + 3 against 2


def test_ii_goofspiel_has_as_many_infosets_as_in_open_spiel() -> None:
    """8 for each player with 3 cards, 36 ends: counted in OpenSpiel by information_state_string."""
    game = naive("ii_goofspiel(3)")
    records: dict[str, set[object]] = {"first": set(), "second": set()}
    histories: list[list[Joint]] = [[]]
    ends = 0
    while histories:
        joints = histories.pop()
        rounds = play(game, *joints)
        state = rounds[-1].after if rounds else game.initial()
        if game.terminal(state):
            ends += 1
            continue
        legal = game.legal(state)
        for role, own in records.items():
            own.add(record(rounds, role))
        histories += [[*joints, {"first": c, "second": d}] for c, d in product(legal["first"], legal["second"])]
    assert (ends, len(records["first"]), len(records["second"])) == (36, 8, 8)


# Game of Pure Strategy


def gops_joints(first: str, second: str, *tricks: str) -> list[Joint]:
    """Hands dealt card by card, then texts like `198`: prize 1, bids 9 and 8; the last one is a prize alone."""
    joints = [{"random": f"(deal {card})"} for card in first + second]
    for trick in tricks:
        joints.append({"random": f"(show {trick[0]})"})
        if len(trick) == 3:
            joints.append({"first": f"(bid {trick[1]})", "second": f"(bid {trick[2]})"})
    return joints


def test_gops_player_cannot_tell_which_cards_the_other_still_holds_and_which_stay_out() -> None:
    game = naive("gops(2, 1)")
    one, other = (play(game, *gops_joints("25", second, "157")) for second in ("73", "74"))
    assert record(one, "first") == record(other, "first")
    assert record(one, "second") != record(other, "second")


def test_gops_players_see_their_cards_the_prizes_and_the_bid_of_the_other() -> None:
    rounds = play(naive("gops(2, 1)"), *gops_joints("25", "73", "157", "4"))
    assert told(rounds, "first") == [
        "(dealt 2)",
        "(dealt 5)",
        "",
        "",
        "(shown 1)",
        "(played second (bid 7))",
        "(shown 4)",
    ]
    assert told(rounds, "second") == [
        "",
        "",
        "(dealt 7)",
        "(dealt 3)",
        "(shown 1)",
        "(played first (bid 5))",
        "(shown 4)",
    ]


def test_gops_players_bid_what_they_were_dealt_once() -> None:
    rounds = play(naive("gops(3, 0)"), *gops_joints("894", "567", "185", "296"))
    bidding = [entry.legal for entry in rounds if entry.legal["random"] == {"noop"}]
    assert [legal["first"] for legal in bidding] == [{"(bid 4)", "(bid 8)", "(bid 9)"}, {"(bid 4)", "(bid 9)"}]
    assert [legal["second"] for legal in bidding] == [{"(bid 5)", "(bid 6)", "(bid 7)"}, {"(bid 6)", "(bid 7)"}]
    assert rounds[-2].legal["random"] == {"(show 2)", "(show 3)"}


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [
        (("185", "296", "3"), DRAW),  # 1 + 2 against 3
        (("185", "396", "2"), FIRST_WINS),
        (("145", "286", "3"), FIRST_WINS),  # 2 + 3 against 1
        (("145", "296", "3"), FIRST_WINS),
        (("346", "285", "1"), DRAW),
    ],
)
def test_gops_last_cards_take_the_last_prize_and_more_points_win(tricks: tuple[str, ...], expected: object) -> None:
    game = naive("gops(3, 0)")
    assert outcome(game, play(game, *gops_joints("894", "567", *tricks))[-1].after) == expected


@pytest.mark.parametrize("spec", ["gops(3, 2)", "gops(4, 10)"])
def test_gops_scores_are_the_sums_of_the_prizes_taken(spec: str) -> None:
    game = naive(spec)
    for seed in range(6):
        rounds = play_at_random(spec, seed)
        lead, final = lead_of_the_first(rounds), rounds[-1].after
        assert score(final, "first") - score(final, "second") == lead
        assert outcome(game, final) == result(lead)


def lead_of_the_first(rounds: list[Round]) -> int:
    """Points of the first player less those of the second, counted from the moves."""
    lead, prize = 0, 0
    for entry in rounds:
        if entry.joint["random"].startswith("(show "):
            prize = number(entry.joint["random"])
        elif entry.joint["first"].startswith("(bid "):
            lead += prize if number(entry.joint["first"]) > number(entry.joint["second"]) else -prize
    last = dict(entry.split() for entry in fluents(rounds[-1].after, "hand"))
    return lead + (prize if int(last["first"]) > int(last["second"]) else -prize)


def number(move: str) -> int:
    return int(move.strip("()").split()[1])


def score(state: State, role: str) -> int:
    """The binary number that the state holds."""
    pairs = [entry.split() for entry in fluents(state, "score")]
    return sum(2 ** (int(digit) - 1) for owner, digit in pairs if owner == role)


# Racko


def racko_rounds(first: str, second: str, pile: str, *moves: str) -> list[Round]:
    """Racks and a discard, dealt card by card, then moves like `t1`, `d7p2`, `d7x`.

    That is: take into slot 1; draw 7 and put it into slot 2; draw 7 and discard it.
    """
    slots = len(first)
    cards = [card for pair in zip(first, second, strict=True) for card in pair]
    joints: list[Joint] = [{"random": f"(deal {card})"} for card in [*cards, *pile]]
    for turn, move in enumerate(moves):
        player = ("first", "second")[turn % 2]
        if move[0] == "t":
            joints.append({player: f"(take {move[1]})"})
        else:
            placed = "discard" if move[2] == "x" else f"(put {move[3]})"
            joints += [{player: "draw"}, {"random": f"(deal {move[1]})"}, {player: placed}]
    return play(naive(f"racko({slots}, {2 * slots + 3})"), *joints)


def test_racko_player_cannot_tell_what_the_other_was_dealt() -> None:
    one, other = (racko_rounds("31", second, "2") for second in ("54", "76"))
    assert record(one, "first") == record(other, "first")
    assert record(one, "second") != record(other, "second")
    assert told(one, "second") == ["", "(got 5)", "", "(got 4)", "(discarded 2)"]


def test_racko_player_cannot_tell_what_the_other_drew_and_kept() -> None:
    one, other = (racko_rounds("31", "54", "2", move) for move in ("d6p1", "d7p1"))
    assert record(one, "second") == record(other, "second")
    assert record(one, "first") != record(other, "first")


def test_racko_everyone_sees_discards_and_the_slots_that_the_other_fills() -> None:
    rounds = racko_rounds("531", "987", "2", "d4p1", "t2")
    assert told(rounds[7:], "first") == ["", "(got 4)", "(discarded 5)", "(discarded 8) (played second (take 2))"]
    assert told(rounds[7:], "second") == [
        "(played first draw)",
        "",
        "(discarded 5) (played first (put 1))",
        "(discarded 8)",
    ]
    discarded = racko_rounds("531", "987", "2", "d4x")
    assert told(discarded[-1:], "second") == ["(discarded 4) (played first discard)"]


def test_racko_a_card_that_comes_into_a_slot_sends_the_old_one_onto_the_pile() -> None:
    states = [racko_rounds("531", "987", "2", *moves)[-1].after for moves in (["t1"], ["d4p2"], ["d4x"])]
    assert [fluents(state, "pile") for state in states] == [{"5"}, {"3"}, {"4"}]
    assert [rack(state, "first") for state in states] == [[2, 3, 1], [5, 4, 1], [5, 3, 1]]
    assert [fluents(state, "deck") for state in states] == [{"4", "6"}, {"6"}, {"6"}]


def test_racko_moves_follow_from_taking_or_drawing() -> None:
    rounds = racko_rounds("531", "987", "2", "d4p1", "t2")[7:]
    assert [entry.legal for entry in rounds] == [
        {"random": {"noop"}, "first": {"(take 1)", "(take 2)", "(take 3)", "draw"}, "second": {"noop"}},
        {"random": {"(deal 4)", "(deal 6)"}, "first": {"noop"}, "second": {"noop"}},
        {"random": {"noop"}, "first": {"(put 1)", "(put 2)", "(put 3)", "discard"}, "second": {"noop"}},
        {"random": {"noop"}, "first": {"noop"}, "second": {"(take 1)", "(take 2)", "(take 3)", "draw"}},
    ]


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        (["t1", "t1"], SECOND_WINS),  # 3 4
        (["d6p2"], FIRST_WINS),  # 3 6
        (["d6x", "t1"], DRAW),  # 6 4, and the last turn is over
        (["d6x", "t2"], SECOND_WINS),  # 5 6
    ],
)
def test_racko_an_ascending_rack_wins_and_none_after_the_last_turn_is_a_draw(
    moves: list[str], expected: object
) -> None:
    assert outcome(naive("racko(2, 7)"), racko_rounds("31", "54", "2", *moves)[-1].after) == expected


def test_racko_goes_on_while_no_rack_ascends_and_turns_are_left() -> None:
    assert not naive("racko(2, 7)").terminal(racko_rounds("31", "54", "2", "t1")[-1].after)  # 2 1


@pytest.mark.parametrize(
    ("first", "second", "expected"), [("135", "246", DRAW), ("135", "264", FIRST_WINS), ("153", "246", SECOND_WINS)]
)
def test_racko_racks_that_ascend_from_the_deal_end_the_game_before_a_turn(
    first: str, second: str, expected: object
) -> None:
    assert outcome(naive("racko(3, 9)"), racko_rounds(first, second, "")[-1].after) == expected


def test_racko_an_ascending_rack_does_not_win_before_both_are_full() -> None:
    game = naive("racko(3, 9)")
    rounds = play(game, *({"random": f"(deal {card})"} for card in "162534"))
    assert rack(rounds[-1].state, "first") == [1, 2, 3]  # which play() has seen go on
    assert outcome(game, rounds[-1].after) == FIRST_WINS


def test_racko_ends_after_as_many_turns_as_cards_were_left_in_the_deck() -> None:
    longest = 0
    for seed in range(5):
        rounds = play_at_random("racko(4, 12)", seed, most_rounds=9 + 3 * 3)
        turns = [entry for entry in rounds if "draw" in entry.legal["first"] | entry.legal["second"]]
        longest = max(longest, len(turns))
    assert longest == 12 - 2 * 4 - 1


def test_racko_every_card_is_in_one_place() -> None:
    for seed in range(4):
        for entry in play_at_random("racko(3, 12)", seed)[7:]:
            racks = rack(entry.state, "first") + rack(entry.state, "second")
            loose = [fluents(entry.state, name) for name in ("deck", "pile", "drawn")]
            cards = racks + [int(card) for cards in loose for card in cards]
            assert len(racks) == 6
            assert len(cards) == len(set(cards))
            assert len(loose[1]) == 1


def rack(state: State, role: str) -> list[int]:
    """The cards in the slots of a rack, in order."""
    places = sorted(
        (int(slot), int(card)) for owner, slot, card in map(str.split, fluents(state, "rack")) if owner == role
    )
    return [card for _, card in places]


def test_racko_needs_a_turn_for_each_player() -> None:
    assert instantiate("racko(4, 11)").values == {"slots": 4, "cards": 11}
    with pytest.raises(
        VeilError, match=r"racko: cards must be at least 11 for racks of 4, not 10\n  hint: racko\(slots"
    ):
        instantiate("racko(4, 10)")
