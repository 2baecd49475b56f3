"""A plan filled with a state or a belief: certain pieces have probability 1, possible ones their own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from veil.boards.looks import PLAIN, Look
from veil.boards.scene import HEX, TEXT, Badge, Board, Cell, Piece, RecordLine, Scene
from veil.boards.view_plan import BadgePlan, BoardPlan, ViewPlan
from veil.boards.wording import NOOP, WAIT, read_wording
from veil.engine import Game, Record, State
from veil.errors import bad_argument, check_kind, phrase


def fill_state(plan: ViewPlan, fluents: State | Iterable[str]) -> Scene:
    """Return the scene of a state: all that is true, and nothing else. Fluents are given as the rules spell them."""
    check_kind("plan", plan, ViewPlan)
    check_kind("fluents", fluents, State, Iterable)
    words = fluents.fluents if isinstance(fluents, State) else fluents
    return fill_belief(plan, dict.fromkeys(words, 1.0))


def fill_belief(plan: ViewPlan, chances: Mapping[str, float]) -> Scene:
    """Return the scene of a belief: the probability of every fluent that may hold (`Bag.marginals`)."""
    check_kind("plan", plan, ViewPlan)
    if not isinstance(chances, Mapping):
        raise bad_argument("chances", phrase("a-mapping-of-chances"), chances)
    numbers = _numbers(plan.game)
    found = {numbers[word]: chance for word, chance in chances.items() if word in numbers and chance > 0.0}
    on_cells: dict[tuple[int, int, int], list[Piece]] = defaultdict(list)
    names = plan.game.names.fluents
    for fluent, spot in plan.spots.items():
        if fluent in found and fluent not in plan.blanks:
            on_cells[spot[:3]].append(_make_piece(names[fluent], spot.look, found[fluent]))
    boards = tuple(_fill_board(number, board, on_cells) for number, board in enumerate(plan.boards))
    badges = (_fill_badge(badge, found, names) for badge in plan.badges)
    return Scene(boards, tuple(badge for badge in badges if badge.pieces))


def tell_record(game: Game, record: Record, forced: Collection[int] = ()) -> list[RecordLine]:
    """Return what a role did and saw, in words, in the order of time.

    `forced` are rounds, from 1, in which the role had one legal move: a move that does nothing is `wait` there,
    whatever the hints call it where it is a choice.
    """
    wording = read_wording(game.rules.source.text)
    return [
        RecordLine(
            number, WAIT if number in forced and move == NOOP else wording.move(move), tuple(wording.percepts(percepts))
        )
        for number, (move, percepts) in enumerate(record.rounds, 1)
    ]


def _numbers(game: Game) -> dict[str, int]:
    """Return the numbers of fluents by their words."""
    return {word: number for number, word in enumerate(game.names.fluents)}


def _make_piece(fluent: str, look: Look, chance: float) -> Piece:
    return Piece(fluent, look.label, look.glyph, look.tone, look.form, float(min(1.0, chance)))


def _fill_board(number: int, plan: BoardPlan, on_cells: Mapping[tuple[int, int, int], list[Piece]]) -> Board:
    cells = tuple(
        Cell(
            name=f"b{number}-{row}-{column}",
            label=plan.labels[row][column],
            row=row,
            column=column,
            pieces=tuple(sorted(on_cells.get((number, row, column), ()), key=_rank)),
            exists=bool(plan.exists[row, column]),
        )
        for row in range(len(plan.rows))
        for column in range(len(plan.columns))
    )
    shift: tuple[float, ...] = ()
    if plan.shape == HEX:
        steps = range(len(plan.rows))
        shift = tuple(0.5 * step for step in (reversed(steps) if plan.rows_up else steps))
    return Board(f"b{number}", plan.title, plan.kind, plan.rows, plan.columns, cells, plan.shape, shift)


def _fill_badge(plan: BadgePlan, found: Mapping[int, float], names: list[str]) -> Badge:
    if plan.digits:
        return Badge(plan.title, tuple(_add_digits(plan, found, names)))
    pieces = [
        _make_piece(names[fluent], look, found[fluent])
        for fluent, look in zip(plan.fluents, plan.looks, strict=True)
        if fluent in found
    ]
    return Badge(plan.title, tuple(sorted(pieces, key=_rank)), plan.is_flag)


def _add_digits(plan: BadgePlan, found: Mapping[int, float], names: list[str]) -> Iterator[Piece]:
    """Yield a piece with the number of each owner; where its digits are not certain, with its mean."""
    for owner in dict.fromkeys(owner for owner, _ in plan.digits):
        own = [
            (fluent, worth) for fluent, (name, worth) in zip(plan.fluents, plan.digits, strict=True) if name == owner
        ]
        chances = [found.get(fluent, 0.0) for fluent, _ in own]
        mean = sum(chance * worth for chance, (_, worth) in zip(chances, own, strict=True))
        number = f"{mean:.0f}" if all(chance in (0.0, 1.0) for chance in chances) else f"about {mean:.1f}"
        yield Piece(names[own[0][0]], f"{owner} {number}".strip(), number, PLAIN, TEXT, 1.0)


def _rank(piece: Piece) -> tuple[bool, float]:
    return piece.is_small, -piece.chance
