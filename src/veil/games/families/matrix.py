"""Small games of theory: one or two decisions, and what they teach."""

from __future__ import annotations

from collections.abc import Iterator

from veil.games.facts import number_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter, Utility
from veil.games.sources import ITS, OOS

NOTE = 10  # points that a note is worth


def banker_and_thief_facts(banks: int, notes: int) -> list[str]:
    """Return every distribution of the notes as a move, and the points that it puts into each bank."""
    lines = number_facts("bank", 1, banks)
    for split in distributions(banks, notes):
        move = f"(split {' '.join(map(str, split))})"
        lines.append(f"(distribution {move})")
        lines += [f"(puts {move} {bank} {NOTE * count})" for bank, count in enumerate(split, start=1)]
    return lines


def distributions(banks: int, notes: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to put notes into banks; the first bank's number grows slowest."""
    if banks == 1:
        yield (notes,)
        return
    for first in range(notes + 1):
        for rest in distributions(banks - 1, notes - first):
            yield (first, *rest)


def non_locality_facts(leaf: int) -> list[str]:
    """Return the goals of both players for the possible values of the game."""
    return [*(f"(pays {worth} {50 + 10 * worth} {50 - 10 * worth})" for worth in range(4)), f"(leaf {leaf})"]


def cutting_wire_facts(cost: int) -> list[str]:
    """Return the remaining points for disarming the bomb."""
    return [f"(telling_leaves {100 - cost})"]


MATRIX: dict[str, Family] = {
    "matching_pennies": Family(
        name="matching_pennies",
        summary="Heads or tails, both at once; one wins on equal sides, the other on different ones.",
        source="folklore",
        roles=("even", "odd"),
        moves="simultaneous",
        nodes=7,
        utility=WIN_OR_LOSE,
        rules_file="matching_pennies.kif",
    ),
    "biased_rock_paper_scissors": Family(
        name="biased_rock_paper_scissors",
        summary="Rock, paper, scissors where rock wins most and scissors least.",
        source="Shafiei, Sturtevant & Schaeffer, Comparing UCT versus CFR in Simultaneous Games, GIGA (2009)",
        roles=("first", "second"),
        moves="simultaneous",
        nodes=13,
        utility=Utility(zero=50),
        rules_file="biased_rock_paper_scissors.kif",
    ),
    "biased_penalty_kick": Family(
        name="biased_penalty_kick",
        summary="Shoot and jump left or right, both at once; shots to the right count more.",
        source=f"{ITS}, section 4.3",
        roles=("kicker", "keeper"),
        moves="simultaneous",
        nodes=7,
        rules_file="biased_penalty_kick.kif",
    ),
    "prisoners_dilemma": Family(
        name="prisoners_dilemma",
        summary="Cooperate or defect, both at once; each is better off defecting, both are worse off.",
        source="folklore",
        roles=("first", "second"),
        moves="simultaneous",
        nodes=7,
        rules_file="prisoners_dilemma.kif",
    ),
    "non_locality": Family(
        name="non_locality",
        summary="What is best for Min depends on the worth of a leaf that is out of reach when Min moves.",
        source=f"{OOS}, figure 1",
        roles=("random", "max", "min"),
        moves="in turn",
        nodes=11,
        parameters=(Parameter(name="leaf", default=1, low=0, high=3, meaning="worth of the leaf out of Min's reach"),),
        small={"leaf": 1},
        full={"leaf": 2},
        utility=Utility(zero=50, scale=10),
        facts=non_locality_facts,
        rules_file="non_locality.kif",
    ),
    "frank_basin": Family(
        name="frank_basin",
        summary="The opponent knows the world and leads to where it wins; where one is led tells the world.",
        source=f"{ITS}, figure 3",
        roles=("random", "first", "second"),
        moves="in turn",
        nodes=28,
        rules_file="frank_basin.kif",
    ),
    "cutting_wire": Family(
        name="cutting_wire",
        summary="Tell a partner which wire to cut, at a cost, or let it guess.",
        source=f"{ITS}, section 4.1",
        roles=("random", "teller", "cutter"),
        moves="in turn",
        nodes=15,
        parameters=(Parameter(name="cost", default=10, low=1, high=49, meaning="points that telling costs"),),
        small={"cost": 10},
        full={"cost": 40},
        facts=cutting_wire_facts,
        rules_file="cutting_wire.kif",
    ),
    "extended_cutting_wire": Family(
        name="extended_cutting_wire",
        summary="Tell a partner which wire to cut, now for 20 points or later for 10.",
        source=f"{ITS}, figure 1",
        roles=("random", "teller", "cutter"),
        moves="in turn",
        nodes=31,
        rules_file="extended_cutting_wire.kif",
    ),
    "banker_and_thief": Family(
        name="banker_and_thief",
        summary="Distribute money over banks, much into the one that counts, without telling the thief which it is.",
        source=f"{ITS}, section 4.4",
        roles=("random", "banker", "thief"),
        moves="in turn",
        nodes=5_725,
        parameters=(
            Parameter(name="banks", default=4, low=2, high=5, meaning="banks, one of them with a faulty alarm"),
            Parameter(name="notes", default=10, low=2, high=10, meaning="notes of 10 points to distribute"),
        ),
        small={"banks": 2, "notes": 10},
        full={"banks": 5, "notes": 10},
        facts=banker_and_thief_facts,
        rules_file="banker_and_thief.kif",
    ),
}
