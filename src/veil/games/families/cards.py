"""Cards without bets: bidding for prizes, ordering a rack."""

from __future__ import annotations

from veil.errors import fail
from veil.games.facts import number_facts, successor_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter
from veil.games.sources import OOS, SAMPLING


def ii_goofspiel_facts(cards: int, order: str, lowest: int) -> list[str]:
    """Return the cards, a round for each prize, and the possible leads of the first player, counted from 0 up."""
    ascending = range(lowest, lowest + cards)
    prizes = ascending if order == "ascending" else ascending[::-1]
    total = sum(prizes)
    return [
        *number_facts("card", 0, cards - 1),
        *(f"(higher {c} {d})" for c in range(cards) for d in range(c)),
        "(succ 0 1)",
        *successor_facts("succ", cards),
        f"(last_round {cards})",
        *(f"(prize {r} {k})" for r, k in enumerate(prizes, start=1)),
        *(f"(plus {d} {k} {d + k})" for k in ascending for d in range(2 * total + 1 - k)),
        f"(lead 0 {total})",
        *number_facts("behind", 0, total - 1),
        f"(level {total})",
        *number_facts("ahead", total + 1, 2 * total),
    ]


def gops_facts(bids: int, extra: int, deal: str) -> list[str]:
    """Return the deck, a step for each card dealt, laid down, shown or bid, and the cards as binary numbers."""
    deck, dealt = 3 * bids + extra, 2 * bids
    first_show = dealt + 1 + (bids if deal == "early" else 0)
    last_show = first_show + 2 * bids - 2
    digits = sum(range(deck - bids + 1, deck + 1)).bit_length()  # no score is higher than the sum of the highest prizes
    return [
        *number_facts("card", 1, deck),
        *successor_facts("next_card", deck),
        f"(prizes_are {deal})",
        *(f"(deals {s} {'first' if s <= bids else 'second'})" for s in range(1, dealt + 1)),
        *(f"(lay_step {dealt + i} {i})" for i in range(1, bids + 1)),
        *(f"(show_step {first_show + 2 * i} {i + 1})" for i in range(bids)),
        *(f"(bids {s})" for s in range(first_show + 1, last_show, 2)),
        f"(last_show {last_show})",
        f"(end {last_show + 1})",
        *successor_facts("next_step", last_show + 1),
        *(f"(digit {c} {b})" for c in range(1, deck + 1) for b in range(1, digits + 1) if c >> (b - 1) & 1),
        *successor_facts("next_digit", digits),
    ]


def racko_facts(slots: int, cards: int) -> list[str]:
    """Return the deck, the order in which it is dealt, and the turns: as many as there are cards left."""
    least = 2 * slots + 3
    if cards < least:
        what = f"cards must be at least {least} for racks of {slots}, not {cards}"
        raise fail("bad-parameter", game="racko", what=what, usage=CARDS["racko"].usage())
    turns = cards - 2 * slots - 1
    return [
        *number_facts("card", 1, cards),
        *successor_facts("next_card", cards),
        *number_facts("slot", 1, slots),
        *successor_facts("next_slot", slots),
        *(f"(deals {2 * s - 1} first {s})" for s in range(1, slots + 1)),
        *(f"(deals {2 * s} second {s})" for s in range(1, slots + 1)),
        f"(turns_up {2 * slots + 1})",
        *successor_facts("next_deal", 2 * slots + 1),
        *(f"(moves {t} {'first' if t % 2 else 'second'})" for t in range(1, turns + 1)),
        *successor_facts("next_turn", turns + 1),
        f"(no_turn {turns + 1})",
    ]


CARDS: dict[str, Family] = {
    "ii_goofspiel": Family(
        name="ii_goofspiel",
        summary="Bid all cards of a hand for prizes, one against one; only who took the prize is told.",
        source=f"{OOS}, section 4.3",
        roles=("first", "second"),
        moves="simultaneous",
        nodes=1_077,
        parameters=(
            Parameter(name="cards", default=4, low=2, high=13, meaning="bid cards per player, and prizes"),
            Parameter(
                name="order",
                default="ascending",
                choices=("ascending", "descending"),
                meaning="whether the lowest prize comes first or last",
            ),
            Parameter(
                name="lowest", default=1, low=0, high=1, meaning="points of the lowest prize; the others follow by one"
            ),
        ),
        small={"cards": 3, "order": "ascending", "lowest": 1},
        full={"cards": 13, "order": "ascending", "lowest": 1},
        utility=WIN_OR_LOSE,
        facts=ii_goofspiel_facts,
        rules_file="ii_goofspiel.kif",
    ),
    "gops": Family(
        name="gops",
        summary="Bid for prizes with hands dealt from a larger deck, the Game of Pure Strategy; bids are shown.",
        source=SAMPLING,
        roles=("random", "first", "second"),
        moves="simultaneous",
        parameters=(
            Parameter(name="bids", default=4, low=2, high=10, meaning="cards per hand, and prizes"),
            Parameter(name="extra", default=10, low=0, high=40, meaning="cards of the deck that stay out of the game"),
            Parameter(
                name="deal",
                default="late",
                choices=("late", "early"),
                meaning="whether prizes are drawn when they are shown, or laid face down at the start",
            ),
        ),
        small={"bids": 2, "extra": 0, "deal": "late"},
        full={"bids": 10, "extra": 40, "deal": "late"},
        utility=WIN_OR_LOSE,
        facts=gops_facts,
        rules_file="gops.kif",
    ),
    "racko": Family(
        name="racko",
        summary="Take or draw cards one by one until the numbers in the own rack ascend; racks are hidden.",
        source=SAMPLING,
        roles=("random", "first", "second"),
        moves="in turn",
        parameters=(
            Parameter(name="slots", default=6, low=2, high=10, meaning="cards in each rack"),
            Parameter(name="cards", default=30, low=7, high=60, meaning="cards of the deck, at least 2 * slots + 3"),
        ),
        small={"slots": 2, "cards": 7},
        full={"slots": 10, "cards": 60},
        utility=WIN_OR_LOSE,
        facts=racko_facts,
        rules_file="racko.kif",
    ),
}
