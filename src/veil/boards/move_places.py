"""Moves on boards: which arguments of a move name a cell, and which cells the user clicks to make it.

An argument of a move means a place of a family if both are the same variable in a rule: in `(<= (next (cell ?x ?y ?p))
(does ?p (mark ?x ?y)))` the arguments of `mark` are the first two places of `cell`. If no rule says it so directly, two
neighbouring arguments that always fit the axes of a grid are taken for a cell.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veil.boards.arrangement import GRID, RACK
from veil.boards.effects import count_effects_of_moves, find_clear_winner
from veil.boards.fluent_families import LETTER, NUMBER, Path, find_paths, take_value
from veil.boards.scene import Choice
from veil.boards.view_plan import ViewPlan
from veil.errors import check_kind
from veil.lang import Rules, read_term
from veil.vocabulary import Signature, Term, Var, arguments, signature

FLUENT_ATOMS, MOVE_ATOMS = (("true", 1), ("next", 1), ("init", 1)), (("does", 2), ("legal", 2))
MAX_CELLS = 2  # of a move: from and to

Linked = dict[tuple[Signature, Path], set[tuple[str, Path]]]  # place of a move -> places of families


class MoveTarget(NamedTuple):
    """The way in which the moves of one name are made on boards."""

    boards: tuple[int, ...]  # the same grid for every value of a split, or one board
    cells: tuple[tuple[Path, Path], ...] = ()  # first and second coordinate, per cell
    line: tuple[Path, int] | None = None  # a coordinate alone, and of which axis
    split: Path | None = None  # the argument that says which of the boards
    slot: Path | None = None  # of a rack


def place_moves(plan: ViewPlan, role: str, legal: Sequence[str]) -> list[Choice]:
    """Return how each of these legal moves of a role can be made: by cells, or by a button with words."""
    check_kind("plan", plan, ViewPlan)
    check_kind("legal", legal, Sequence)
    role_id = plan.game.names.role_id(role)
    if role_id not in plan.targets:
        plan.targets[role_id] = _targets(plan, role_id)
    targets = plan.targets[role_id]
    return [_place(plan, role, move, targets) for move in legal]


def find_links(rules: Rules) -> Linked:
    """Return which places of moves and fluents are the same variable in some rule."""
    linked: Linked = defaultdict(set)
    for rule in rules.rules:
        moves: dict[Var, set[tuple[Signature, Path]]] = defaultdict(set)
        fluents: dict[Var, set[tuple[str, Path]]] = defaultdict(set)
        for atom in (rule.head, *(literal.atom for literal in rule.body)):
            term = arguments(atom)[-1] if signature(atom) in (*FLUENT_ATOMS, *MOVE_ATOMS) else None
            if term is None or isinstance(term, Var | str):
                continue
            for path, var in _list_variables(term):
                if signature(atom) in MOVE_ATOMS:
                    moves[var].add((signature(term), path))
                else:
                    fluents[var].add((signature(term)[0], path))
        for var, places in moves.items():
            for place in places:
                linked[place] |= fluents[var]
    return linked


def _list_variables(term: Term, path: Path = ()) -> Iterator[tuple[Path, Var]]:
    """Yield every variable of a term with its place."""
    for index, part in enumerate(arguments(term)):
        if isinstance(part, Var):
            yield (*path, index), part
        elif isinstance(part, tuple):
            yield from _list_variables(part, (*path, index))


def _targets(plan: ViewPlan, role_id: int) -> dict[Signature, MoveTarget]:
    """Return how the moves of a role are made on boards, by their name."""
    by_name: dict[Signature, list[Term]] = defaultdict(list)
    for move in plan.game.program.moves[role_id]:
        by_name[signature(move)].append(move)
    links = find_links(plan.game.rules)
    found = {}
    for name, moves in by_name.items():
        target = _find_target(plan, name, moves, links)
        if target is not None:
            found[name] = _choose_by_effect(plan, role_id, name, target)
    return found


def _choose_by_effect(plan: ViewPlan, role_id: int, name: Signature, target: MoveTarget) -> MoveTarget:
    """Return the target on the one board of several where moves of this name change their cell, if there is one."""
    if len(target.boards) == 1 or target.split is not None or len(target.cells) != 1:
        return target
    moves = plan.game.program.moves[role_id]

    def cells_of(move: int) -> dict[int, tuple[int, int]]:
        if signature(moves[move]) != name:
            return {}
        values = [take_value(moves[move], path) for path in target.cells[0]]
        cells = {number: plan.boards[number].cell_at(*values) for number in target.boards}
        return {number: cell for number, cell in cells.items() if cell is not None}

    winner = find_clear_winner(count_effects_of_moves(plan, role_id, cells_of))
    return target if winner is None else target._replace(boards=(winner,))


def _find_target(plan: ViewPlan, name: Signature, moves: Sequence[Term], links: Linked) -> MoveTarget | None:
    paths = [
        half
        for index in range(name[1])
        for path in find_paths(moves, (index,))
        for half in _split_square(plan, path, links.get((name, path), set()))
    ]
    groups = _group_boards(plan)
    tags = [_tag(plan, links.get((name, _plain(path)), set()), group) for group in groups for path in paths]
    rows = [tags[number * len(paths) : (number + 1) * len(paths)] for number in range(len(groups))]
    for group, row in zip(groups, rows, strict=True):
        target = _match(plan, group, paths, row)
        if target is not None:
            return target
    if not any(tags):
        for group in groups:
            target = _fit(plan, group, paths, moves)
            if target is not None:
                return target
    return None


def _split_square(plan: ViewPlan, path: Path, linked: set[tuple[str, Path]]) -> list[Path]:
    """Return a place with names such as a1 as two places, if it means such a place of a family."""
    halves = {(name, (*own, LETTER)) for name, own in linked}
    is_square = any(halves & set(board.meanings) for board in plan.boards)
    return [(*path, LETTER), (*path, NUMBER)] if is_square else [path]


def _plain(path: Path) -> Path:
    """Return the place without the half of a name such as a1."""
    return tuple(index for index in path if index >= 0)


def _group_boards(plan: ViewPlan) -> list[tuple[int, ...]]:
    """Return groups of boards that one family was split over; grids first."""
    groups: dict[tuple[int, object], list[int]] = {}
    for number, board in enumerate(plan.boards):
        if board.kind in (GRID, RACK):
            groups.setdefault((board.home, board.kind), []).append(number)
    return sorted((tuple(group) for group in groups.values()), key=lambda group: plan.boards[group[0]].kind != GRID)


def _tag(plan: ViewPlan, linked: set[tuple[str, Path]], group: tuple[int, ...]) -> set[str]:
    """Return what a place of a move means on a board: `first` or `second` coordinate, `split`, `slot`, `row`."""
    return {
        tag
        for name, path in linked
        for (family, own), tag in plan.boards[group[0]].meanings.items()
        if family == name and _plain(own) == path
    }


def _match(
    plan: ViewPlan, group: tuple[int, ...], paths: Sequence[Path], tags: Sequence[set[str]]
) -> MoveTarget | None:
    """Return the target on a group of boards if the rules say what the places of a move mean."""
    if plan.boards[group[0]].kind == RACK:
        slot = next((path for path, tag in zip(paths, tags, strict=True) if "slot" in tag), None)
        return MoveTarget(group, slot=slot) if slot is not None else None
    cells, index = [], 0
    while index + 1 < len(paths):
        both = tags[index], tags[index + 1]
        if "first" in both[0] and "second" in both[1]:
            cells.append((paths[index], paths[index + 1]))
            index += 2
        else:
            index += 1
    used = {path for cell in cells for path in cell}
    split = next((path for path, tag in zip(paths, tags, strict=True) if "split" in tag and path not in used), None)
    if cells:
        return MoveTarget(group, tuple(cells[:MAX_CELLS]), split=split)
    for path, tag in zip(paths, tags, strict=True):
        if path != split and tag & {"first", "second"}:
            return MoveTarget(group, line=(path, 0 if "first" in tag else 1), split=split)
    return None


def _fit(plan: ViewPlan, group: tuple[int, ...], paths: Sequence[Path], moves: Sequence[Term]) -> MoveTarget | None:
    """Return the target on a grid if neighbouring places of all moves are coordinates of it."""
    board = plan.boards[group[0]]
    if board.kind != GRID:
        return None
    cells, index = [], 0
    while index + 1 < len(paths):
        pair = paths[index], paths[index + 1]
        if all(board.cell_at(*(take_value(move, path) for path in pair)) is not None for move in moves):
            cells.append(pair)
            index += 2
        else:
            index += 1
    return MoveTarget(group, tuple(cells[:MAX_CELLS])) if cells else None


def _place(plan: ViewPlan, role: str, move: str, targets: dict[Signature, MoveTarget]) -> Choice:
    """Return the choice of one legal move."""
    term, words = read_term(move), plan.wording.move(move)
    target = targets.get(signature(term))
    if target is None:
        return Choice(move, words)
    boards = _choose_boards(plan, role, term, target)
    found = [_cells_on(plan, number, role, term, target) for number in boards]
    found = [cells for cells in found if cells]
    if not found:
        return Choice(move, words)
    if target.cells:
        same = [cell for other in found[1:] for cell in other] if len(target.cells) == 1 else []
        return Choice(move, words, tuple(found[0]), tuple(same))
    every = [cell for cells in found for cell in cells]
    return Choice(move, words, tuple(every[:1]), tuple(every[1:]))


def _choose_boards(plan: ViewPlan, role: str, term: Term, target: MoveTarget) -> list[int]:
    """Return the boards of a target for a move."""
    if target.split is not None:
        value = take_value(term, target.split)
        return [number for number in target.boards if value in plan.boards[number].split]
    return list(target.boards)


def _cells_on(plan: ViewPlan, number: int, role: str, term: Term, target: MoveTarget) -> list[str]:
    """Return the cells of a board that a move names, in order; for a line, all its cells."""
    board = plan.boards[number]
    if target.slot is not None:
        value = take_value(term, target.slot)
        row = board.rows.index(role) if role in board.rows else 0
        if value not in board.axes[0] or (len(board.rows) > 1 and role not in board.rows):
            return []
        return [f"b{number}-{row}-{board.axes[0].index(value)}"]
    if target.line is not None:
        path, axis = target.line
        value = take_value(term, path)
        others = board.axes[1 - axis]
        cells = [board.cell_at(value, other) if axis == 0 else board.cell_at(other, value) for other in others]
    else:
        cells = [board.cell_at(*(take_value(term, path) for path in pair)) for pair in target.cells]
        if None in cells:
            return []
    return [f"b{number}-{cell[0]}-{cell[1]}" for cell in cells if cell is not None and board.exists[cell]]
