"""Poker and bluffing: cards or dice in the hand, bets on the table."""

from __future__ import annotations

from itertools import pairwise

from veil.games.facts import number_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter, Utility
from veil.games.sources import OOS, SAMPLING

ROLES = ("random", "first", "second")
CHIPS = Utility(zero=50, unit="chips")
ANTE = 1
GENERIC_ZERO = 200  # more than anyone can lose at generic_poker, whatever the parameters


def generic_poker_facts(types: int, copies: int, raises: int, bets: int) -> list[str]:
    """Return the deck, the sizes of bets in both rounds, and every number of chips that a player can have paid."""
    sizes = {"one": [2 * i for i in range(1, bets + 1)], "two": [4 * i for i in range(1, bets + 1)]}
    most = ANTE + (raises + 1) * (sizes["one"][-1] + sizes["two"][-1])
    steps = sorted({*sizes["one"], *sizes["two"]})
    paid = range(ANTE, most + 1, 2)  # all sizes are even
    return [
        *number_facts("type", 1, types),
        *(f"(higher {t} {u})" for t in range(1, types + 1) for u in range(1, t)),
        *number_facts("copy", 1, copies),
        f"(last_copy {copies})",
        f"(last_but_one {copies - 1})",
        *(f"(size {name} {s})" for name, bets_of_round in sizes.items() for s in bets_of_round),
        *(f"(plus {m} {s} {m + s})" for m in paid for s in steps if m + s <= most),
        *(f"(worth {n} {GENERIC_ZERO + n} {GENERIC_ZERO - n})" for n in paid),
        f"(most_raises {raises})",
        *(f"(succ {k} {k + 1})" for k in range(raises + 1)),
    ]


def liars_dice_facts(dice1: int, dice2: int, faces: int) -> list[str]:
    """Return the dice in the order they are rolled, the bids in the order they are made, and sums of dice."""
    dice_of = {"first": dice1, "second": dice2}
    everyone, most = dice1 + dice2, max(dice1, dice2)
    rolls = [(role, i) for role, dice in dice_of.items() for i in range(1, dice + 1)]
    bids = [(quantity, face) for quantity in range(1, everyone + 1) for face in range(1, faces + 1)]
    counts = range(most + 1)
    return [
        *number_facts("face", 1, faces),
        f"(wild {faces})",
        *(f"(dice {role} {dice})" for role, dice in dice_of.items()),
        *(f"(roll_after {p} {i} {q} {j})" for (p, i), (q, j) in pairwise(rolls)),
        *(f"(more {role} {n} {n + 1})" for role, dice in dice_of.items() for n in range(dice)),
        *(f"(bid_number {b} {quantity} {face})" for b, (quantity, face) in enumerate(bids, 1)),
        *(f"(succ {b} {b + 1})" for b in range(len(bids))),
        f"(highest_bid {len(bids)})",
        *(f"(plus {n} {m} {n + m})" for n in counts for m in counts if n + m <= everyone),
        *(f"(reaches {n} {quantity})" for n in range(1, everyone + 1) for quantity in range(1, n + 1)),
    ]


POKER: dict[str, Family] = {
    "kuhn_poker": Family(
        name="kuhn_poker",
        summary="Three cards, one in each hand, and one chip to bet.",
        source="Kuhn, A Simplified Two-Person Poker (1950)",
        roles=ROLES,
        moves="in turn",
        nodes=58,
        utility=CHIPS,
        rules_file="kuhn_poker.kif",
    ),
    "leduc_poker": Family(
        name="leduc_poker",
        summary="Six cards, one in each hand and one on the table; two rounds of betting.",
        source="Southey et al., Bayes' Bluff: Opponent Modelling in Poker, UAI (2005)",
        roles=ROLES,
        moves="in turn",
        nodes=9_457,
        utility=CHIPS,
        rules_file="leduc_poker.kif",
    ),
    "simple_poker": Family(
        name="simple_poker",
        summary="A king and a jack, one bet each; only the first player knows who has the king.",
        source=f"{SAMPLING}, figure 1",
        roles=ROLES,
        moves="in turn",
        nodes=15,
        utility=Utility(zero=50, unit="dollars"),
        rules_file="simple_poker.kif",
    ),
    "generic_poker": Family(
        name="generic_poker",
        summary="Leduc poker with any number of card types, copies, raises and sizes of bets.",
        source=f"{OOS}, section 4.3",
        roles=ROLES,
        moves="in turn",
        nodes=425_956,
        parameters=(
            Parameter(name="types", default=3, low=2, high=13, meaning="types of cards, each higher than the last"),
            Parameter(name="copies", default=3, low=2, high=8, meaning="cards of each type"),
            Parameter(name="raises", default=2, low=0, high=5, meaning="raises that may follow a bet in each round"),
            Parameter(name="bets", default=2, low=1, high=5, meaning="different sizes of a bet or raise"),
        ),
        small={"types": 2, "copies": 2, "raises": 1, "bets": 1},
        full={"types": 4, "copies": 6, "raises": 4, "bets": 4},
        utility=Utility(zero=GENERIC_ZERO, unit="chips"),
        facts=generic_poker_facts,
        rules_file="generic_poker.kif",
    ),
    "hold_em_mini": Family(
        name="hold_em_mini",
        summary="Two cards in each hand and one on the table out of eight; flushes beat pairs; two rounds of betting.",
        source="made for Veil after Texas hold'em",
        roles=ROLES,
        moves="in turn",
        nodes=529_601,
        utility=CHIPS,
        rules_file="hold_em_mini.kif",
    ),
    "liars_dice": Family(
        name="liars_dice",
        summary="Bid on the dice of both players, seeing your own; call liar when you doubt the last bid.",
        source=f"{OOS}, section 4.3",
        roles=ROLES,
        moves="in turn",
        nodes=221_155,
        parameters=(
            Parameter(name="dice1", default=1, low=1, high=5, meaning="dice of the first player"),
            Parameter(name="dice2", default=1, low=1, high=5, meaning="dice of the second player"),
            Parameter(name="faces", default=6, low=2, high=6, meaning="faces of a die, the highest is wild"),
        ),
        small={"dice1": 2, "dice2": 1, "faces": 2},
        full={"dice1": 2, "dice2": 2, "faces": 6},
        utility=WIN_OR_LOSE,
        facts=liars_dice_facts,
        rules_file="liars_dice.kif",
    ),
}
