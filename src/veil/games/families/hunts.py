"""Hunts: ships, patrols and those who hide from them, on grids that are seen in part."""

from __future__ import annotations

from itertools import pairwise, product

from veil.games.facts import number_facts, successor_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter
from veil.games.sources import JAIR, SAMPLING

FLEET = {"destroyer": 2, "cruiser": 3, "submarine": 3, "battleship": 4, "carrier": 5}  # cells of each ship


def fog_facts(size: int) -> list[str]:
    """Return the indices of both boards, and the turns of each player."""
    return [
        *number_facts("index", 1, size),
        *successor_facts("succ", 2 * size + 1),
        f"(end_turn {2 * size + 1})",
    ]


def border_facts(size: int) -> list[str]:
    """Return the board, and rounds for the entry and for the steps: 1.5 times the way across."""
    end = 2 + crossing_time(size)
    return [
        *number_facts("index", 1, size),
        *successor_facts("succ", end),
        f"(border {size})",
        f"(end_round {end})",
    ]


def transit_facts(width: int, height: int) -> list[str]:
    """Return the cells without obstacle, the patrol's post, and turns for the entry and for the steps of both."""
    end = 2 + 2 * crossing_time(height)
    cells = product(range(1, width + 1), range(1, height + 1))
    return [
        *(f"(free {x} {y})" for x, y in cells if not is_obstacle(x, y, height)),
        *successor_facts("succ", max(end, width)),
        f"(post {(width + 1) // 2} {height})",
        f"(far_row {height})",
        f"(end_turn {end})",
    ]


def crossing_time(rows: int) -> int:
    """Return the steps from the first row to the last, and half as many as there are rows in addition."""
    return rows - 1 + rows // 2


def is_obstacle(x: int, y: int, height: int) -> bool:
    """Return whether a cell is an obstacle: every third cell of every second row, but not of the first or last."""
    return y % 2 == 0 and y < height and (x + y // 2) % 3 == 0


def battleship_facts(size: int, ships: int) -> list[str]:
    """Return the ships that fit the board in the order of placing, longest first, and the cells they can lie on."""
    names = [name for name, length in FLEET.items() if length <= size][:ships][::-1]
    places = [
        (length, direction, x, y)
        for length in sorted({FLEET[name] for name in names})
        for direction, x, y in product(("across", "down"), range(1, size + 1), range(1, size + 1))
        if (x if direction == "across" else y) + length - 1 <= size
    ]
    return [
        *number_facts("index", 1, size),
        *(f"(length {name} {FLEET[name]})" for name in names),
        f"(first_phase {names[0]})",
        *(f"(next_phase {phase} {after})" for phase, after in pairwise([*names, "shooting"])),
        *(f"(spot {length} {direction} {x} {y})" for length, direction, x, y in places),
        *(line for place in places for line in covered(*place)),
    ]


def covered(length: int, direction: str, x: int, y: int) -> list[str]:
    """Return the cells of a ship, one fact each."""
    right, down = (1, 0) if direction == "across" else (0, 1)
    return [f"(covers {length} {direction} {x} {y} {x + right * i} {y + down * i})" for i in range(length)]


HUNTS: dict[str, Family] = {
    "battleships_in_fog": Family(
        name="battleships_in_fog",
        summary="Fire at a hidden ship, move one's own, or scan, which shows the other ship until it moves.",
        source=f"{JAIR}, section 1 and Table 1",
        roles=("random", "red", "blue"),
        moves="in turn",
        parameters=(
            Parameter(name="size", default=5, low=2, high=10, meaning="cells per side of each board; turns of each"),
        ),
        small={"size": 2},
        full={"size": 10},
        utility=WIN_OR_LOSE,
        facts=fog_facts,
        rules_file="battleships_in_fog.kif",
    ),
    "border_protection": Family(
        name="border_protection",
        summary="An intruder crosses to the border that a defender patrols; they see each other on neighbouring cells.",
        source=f"{JAIR}, Table 1",
        roles=("intruder", "defender"),
        moves="simultaneous",
        parameters=(Parameter(name="size", default=5, low=3, high=10, meaning="cells per side"),),
        small={"size": 3},
        full={"size": 10},
        utility=WIN_OR_LOSE,
        facts=border_facts,
        rules_file="border_protection.kif",
    ),
    "transit": Family(
        name="transit",
        summary="An evader crosses between obstacles while a patrol hunts it; they see along rows and columns.",
        source=f"{JAIR}, Table 1 and section 5.6",
        roles=("evader", "patrol"),
        moves="in turn",
        nodes=7_562_880,
        parameters=(
            Parameter(name="width", default=5, low=3, high=12, meaning="columns"),
            Parameter(name="height", default=5, low=3, high=12, meaning="rows to cross"),
        ),
        small={"width": 3, "height": 3},
        full={"width": 8, "height": 8},
        utility=WIN_OR_LOSE,
        facts=transit_facts,
        rules_file="transit.kif",
    ),
    "battleship": Family(
        name="battleship",
        summary="Place ships in secret, then shoot at cells in turn; a shot is told as a miss or as the ship it hit.",
        source=SAMPLING,
        roles=("red", "blue"),
        moves="in turn",
        parameters=(
            Parameter(name="size", default=6, low=2, high=10, meaning="cells per side of each board"),
            Parameter(
                name="ships", default=3, low=1, high=5, meaning="ships of each player; too long ones are left out"
            ),
        ),
        small={"size": 2, "ships": 1},
        full={"size": 10, "ships": 5},
        utility=WIN_OR_LOSE,
        facts=battleship_facts,
        rules_file="battleship.kif",
    ),
}
