"""Facts made from the parameters of a family: pure functions from parameters to lines of rules."""

from __future__ import annotations


def no_facts() -> list[str]:
    """A family without parameters has everything in its rules file."""
    return []


def monty_hall(doors: int) -> list[str]:
    """The doors, and a round for hiding, for each door that opens, for the decision, and the end."""
    return [
        *numbered("door", 1, doors),
        *successors("succ", doors + 1),
        *numbered("opening_round", 2, doors - 1),
        f"(last_round {doors})",
        f"(end_round {doors + 1})",
    ]


def krieg_tictactoe(size: int) -> list[str]:
    """The indices of a square board, and each index counted from the other end."""
    return [
        *numbered("index", 1, size),
        *(f"(mirror {i} {size + 1 - i})" for i in range(1, size + 1)),
    ]


def breakthrough(width: int, height: int) -> list[str]:
    """The board with white on the lowest rows and black on the highest: two rows each, one where height is 4."""
    depth = 2 if height >= 5 else 1
    return [
        *successors("next_column", width),
        *successors("next_row", height),
        f"(far_row white {height})",
        "(far_row black 1)",
        *pieces("white", width, range(1, depth + 1)),
        *pieces("black", width, range(height - depth + 1, height + 1)),
    ]


def numbered(name: str, low: int, high: int) -> list[str]:
    """`(name low)` to `(name high)`."""
    return [f"({name} {i})" for i in range(low, high + 1)]


def successors(name: str, last: int) -> list[str]:
    """`(name 1 2)`, `(name 2 3)` and so on up to `last`."""
    return [f"({name} {i} {i + 1})" for i in range(1, last)]


def pieces(role: str, width: int, rows: range) -> list[str]:
    """Rows full of pieces at the start."""
    return [f"(init (cell {x} {y} {role}))" for y in rows for x in range(1, width + 1)]
