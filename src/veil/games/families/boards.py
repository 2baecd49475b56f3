"""Boards: marks and pieces on squares, seen by all or by their owner alone."""

from __future__ import annotations

from veil.games.facts import number_facts, successor_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter
from veil.games.sources import JAIR

BOARD = (
    Parameter(name="width", default=8, low=2, high=20, meaning="columns of the board"),
    Parameter(name="height", default=8, low=4, high=20, meaning="rows of the board; 4 has one row of pieces per side"),
)

TURNS = Parameter(
    name="turns",
    default="classical",
    choices=("classical", "abrupt"),
    meaning="whether one tries again after a try that failed, or it ends the turn",
)


def square_facts(size: int) -> list[str]:
    """Return the indices of a square board, and each index counted from the other end."""
    return [
        *number_facts("index", 1, size),
        *(f"(mirror {i} {size + 1 - i})" for i in range(1, size + 1)),
    ]


def breakthrough_facts(width: int, height: int) -> list[str]:
    """Return the board: white on the lowest rows, black on the highest; two rows each, or one if the height is 4."""
    depth = 2 if height >= 5 else 1
    return [
        *successor_facts("next_column", width),
        *successor_facts("next_row", height),
        f"(far_row white {height})",
        "(far_row black 1)",
        *pieces("white", width, range(1, depth + 1)),
        *pieces("black", width, range(height - depth + 1, height + 1)),
    ]


def pieces(role: str, width: int, rows: range) -> list[str]:
    """Return rows full of pieces at the start."""
    return [f"(init (cell {x} {y} {role}))" for y in rows for x in range(1, width + 1)]


def connect_four_facts(width: int, height: int) -> list[str]:
    """Return columns and rows; rows count from the bottom."""
    return [
        *number_facts("column", 1, width),
        *successor_facts("next_column", width),
        *successor_facts("next_row", height),
        f"(top_row {height})",
    ]


def ordered_square_facts(size: int) -> list[str]:
    """Return the indices of a square board, one after the other."""
    return [*number_facts("index", 1, size), *successor_facts("succ", size), f"(last {size})"]


def dark_hex_facts(size: int, turns: str) -> list[str]:
    """Return the indices of a square board, and whether a try that fails ends the turn."""
    return [*ordered_square_facts(size), f"(turns_are {turns})"]


def phantom_tictactoe_facts(turns: str) -> list[str]:
    """Return the turns, and how many rounds each takes: one for each try that it may have."""
    rounds = [1 + turn // 2 for turn in range(1, 10)] if turns == "classical" else [1] * 18
    return [
        f"(turns_are {turns})",
        *successor_facts("succ", len(rounds)),
        *(f"(rounds_of_turn {turn} {most})" for turn, most in enumerate(rounds, start=1)),
    ]


def hidden_connect_facts(size: int, line: int) -> list[str]:
    """Return a square board, and how runs of marks grow to a line."""
    return [*ordered_square_facts(size), *successor_facts("longer", line), f"(line_length {line})"]


def simultaneous_krieg_facts(size: int, line: int) -> list[str]:
    """Return a square board, how runs of marks grow to a line, and the rounds."""
    return [*hidden_connect_facts(size, line), *successor_facts("later", 30)]


BOARDS: dict[str, Family] = {
    "tic_tac_toe": Family(
        name="tic_tac_toe",
        summary="Three in a row on three by three cells; nothing is hidden.",
        source="folklore",
        roles=("xplayer", "oplayer"),
        moves="in turn",
        nodes=422_074,
        utility=WIN_OR_LOSE,
        rules_file="tic_tac_toe.kif",
    ),
    "krieg_tictactoe": Family(
        name="krieg_tictactoe",
        summary="Tic-Tac-Toe without seeing the opponent's marks; a try on a taken cell fails, and one tries again.",
        source="GGP competitions; OpenSpiel, phantom_ttt",
        roles=("xplayer", "oplayer"),
        moves="in turn",
        parameters=(Parameter(name="size", default=3, low=3, high=10, meaning="cells per side, and marks in a line"),),
        small={"size": 3},
        full={"size": 10},
        facts=square_facts,
        utility=WIN_OR_LOSE,
        rules_file="krieg_tictactoe.kif",
    ),
    "simultaneous_krieg_tictactoe": Family(
        name="simultaneous_krieg_tictactoe",
        summary="Both mark at once without seeing the other's marks; a cell that both try stays empty.",
        source=f"{JAIR}, section 4.2",
        roles=("xplayer", "oplayer"),
        moves="simultaneous",
        parameters=(
            Parameter(name="size", default=4, low=2, high=5, meaning="cells per side"),
            Parameter(name="line", default=3, low=2, high=5, meaning="marks in a row or column that make a line"),
        ),
        small={"size": 2, "line": 2},
        full={"size": 5, "line": 4},
        facts=simultaneous_krieg_facts,
        utility=WIN_OR_LOSE,
        rules_file="simultaneous_krieg_tictactoe.kif",
    ),
    "breakthrough": Family(
        name="breakthrough",
        summary="Step and capture forward; the first piece on the far row wins; nothing is hidden.",
        source="Dan Troyka, 2000",
        roles=("white", "black"),
        moves="in turn",
        parameters=BOARD,
        small={"width": 2, "height": 4},
        full={"width": 8, "height": 8},
        facts=breakthrough_facts,
        utility=WIN_OR_LOSE,
        rules_file="breakthrough.kif",
    ),
    "blind_breakthrough": Family(
        name="blind_breakthrough",
        summary="Breakthrough without seeing the enemy's pieces; a blocked step is told, and one tries again.",
        source=f"{JAIR}, sections 4 and 5.7",
        roles=("white", "black"),
        moves="in turn",
        parameters=BOARD,
        small={"width": 2, "height": 4},
        full={"width": 8, "height": 8},
        facts=breakthrough_facts,
        utility=WIN_OR_LOSE,
        rules_file="blind_breakthrough.kif",
    ),
    "phantom_tictactoe": Family(
        name="phantom_tictactoe",
        summary="Tic-Tac-Toe without seeing the opponent's marks, nor how many of the opponent's tries have failed.",
        source="OpenSpiel, phantom_ttt",
        roles=("xplayer", "oplayer"),
        moves="in turn",
        parameters=(TURNS,),
        small={"turns": "abrupt"},
        full={"turns": "classical"},
        utility=WIN_OR_LOSE,
        facts=phantom_tictactoe_facts,
        rules_file="phantom_tictactoe.kif",
    ),
    "connect_four": Family(
        name="connect_four",
        summary="Drop marks into columns; four in a line win; nothing is hidden.",
        source="board game (1974)",
        roles=("xplayer", "oplayer"),
        moves="in turn",
        parameters=(
            Parameter(name="width", default=7, low=2, high=20, meaning="columns of the board"),
            Parameter(name="height", default=6, low=2, high=20, meaning="rows of the board"),
        ),
        small={"width": 4, "height": 2},
        full={"width": 7, "height": 6},
        utility=WIN_OR_LOSE,
        facts=connect_four_facts,
        rules_file="connect_four.kif",
    ),
    "dark_hex": Family(
        name="dark_hex",
        summary="Hex without seeing the opponent's stones; a try on a taken cell fails, and one tries again.",
        source="OpenSpiel, dark_hex",
        roles=("black", "white"),
        moves="in turn",
        parameters=(Parameter(name="size", default=3, low=2, high=11, meaning="cells per side"), TURNS),
        small={"size": 2, "turns": "classical"},
        full={"size": 11, "turns": "classical"},
        utility=WIN_OR_LOSE,
        facts=dark_hex_facts,
        rules_file="dark_hex.kif",
    ),
    "hidden_connect": Family(
        name="hidden_connect",
        summary="Two connect games at once; each player has a secret goal in one of them, to win it or to lose it.",
        source=f"{JAIR}, table 1",
        roles=("random", "red", "blue"),
        moves="simultaneous",
        parameters=(
            Parameter(name="size", default=4, low=2, high=8, meaning="cells per side of each board"),
            Parameter(name="line", default=3, low=2, high=8, meaning="marks that make a line"),
        ),
        small={"size": 2, "line": 2},
        full={"size": 8, "line": 4},
        utility=WIN_OR_LOSE,
        facts=hidden_connect_facts,
        rules_file="hidden_connect.kif",
    ),
}
