"""`plan_views`: from the rules of a game to a `ViewPlan`, which holds the place of every fluent.

1. Families of fluents with ordered places (`fluent_families`), and their keys (`keys`).
2. An arrangement for every family (`arrangement`).
3. Boards: every grid is one, or one for each value of its split; tokens and marks lie on a grid that has their axes, or
   make one if there is none (`grid_placement`). Racks and hands are boards of their own; all other families become
   badges (`row_placement`).

A cell that is always empty in the ground program does not exist; so boards need not be rectangles.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from veil.boards.arrangement import GRID, MARKS, MAX_AXIS, ON_CELLS, RACK, TOKEN, arrange
from veil.boards.fluent_families import FamilyPlace, FluentFamily, find_families
from veil.boards.grid_placement import GridPlacer
from veil.boards.hints import read_hints
from veil.boards.keys import StateSample, confirm_keys, guess_keys, sample_states
from veil.boards.orientation import moves_along
from veil.boards.row_placement import RowPlacer
from veil.boards.view_plan import PlannedFamily, ViewPlan
from veil.engine import Game, as_game
from veil.errors import check_kind
from veil.vocabulary import RANDOM, WHOLE_NUMBER

HIDDEN = "hidden"
MAX_PLACES = 3  # of a family that is placed on a grid although its keys do not say so


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewConfig:
    """Limits on the work of a plan."""

    games: int = 1_000_000  # random games that confirm keys
    seconds: float = 2.0  # approximate time for them
    seed: int = 0


def plan_views(game: Game | str | os.PathLike[str], config: ViewConfig | None = None) -> ViewPlan:
    """Return the plan of a game's views: `plan_views("kuhn_poker")`. The game must fit the limits of grounding."""
    game, config = as_game(game), config or ViewConfig()
    check_kind("config", config, ViewConfig)
    sample, every = sample_states(game, config.seed), find_families(game)
    hints = read_hints(game.rules.source.text)
    guesses = [guess_keys(family, sample) for family in every]
    deadline = perf_counter() + config.seconds
    confirmed = confirm_keys(game, every, guesses, sample, games=config.games, seed=config.seed, deadline=deadline)
    roles = [role for role in game.program.roles if role != RANDOM]
    families = []
    for family, keys in zip(every, confirmed, strict=True):
        trimmed = trim_family(family, sample)
        sizes = [len(place.values) for place in trimmed.places]
        arrangement = arrange(trimmed, keys, roles, sizes, hints.kinds.get(family.name, ""))
        families.append(PlannedFamily(trimmed, tuple(keys), arrangement))
    plan = ViewPlan(game, tuple(families), hints)
    _place_families(plan)
    _place_rest(plan, every)
    return plan


def trim_family(family: FluentFamily, sample: StateSample) -> FluentFamily:
    """Return the family without the ends of long ordered places that random play never reached.

    The ground program of a game with counters may hold coordinates far outside the board.
    """
    held = sample.held[family.fluents]
    keep = np.ones(len(family.fluents), np.bool_)
    for place, entry in enumerate(family.places):
        if entry.is_ordered and len(entry.values) > MAX_AXIS and held.any() and len(family.places) > 1:
            codes = family.codes[held, place]
            keep &= (family.codes[:, place] >= codes.min()) & (family.codes[:, place] <= codes.max())
    return family if keep.all() else select_fluents(family, keep)


def select_fluents(family: FluentFamily, keep: np.ndarray) -> FluentFamily:
    """Return the family with the fluents in keep [N] bool only, and with the values that occur in them."""
    places, columns = [], []
    for place, entry in enumerate(family.places):
        present = np.unique(family.codes[keep, place])
        places.append(FamilyPlace(entry.path, tuple(entry.values[code] for code in present), entry.is_ordered))
        columns.append(np.searchsorted(present, family.codes[keep, place]))
    codes = np.stack(columns, axis=1) if columns else family.codes[keep]
    return FluentFamily(family.name, family.arity, tuple(places), family.fluents[keep], codes)


def _place_families(plan: ViewPlan) -> None:
    """Place every family on its boards: first the grids, on which others lie."""
    shown = [entry for entry in plan.families if plan.hints.kinds.get(entry.family.name) != HIDDEN]
    sums = [entry for entry in shown if _has_digits(plan, entry.family)]
    shown = [entry for entry in shown if entry not in sums]
    on_cells = [entry for entry in shown if entry.arrangement.kind in ON_CELLS]
    grids, rows = GridPlacer(plan), RowPlacer(plan)
    for entry in sorted(on_cells, key=_rank_on_cells):
        grids.place(_demote(plan, entry))
    others = [entry for entry in shown if entry.arrangement.kind not in ON_CELLS]
    for index, entry in enumerate(others):
        others[index] = _promote(plan, _spread(plan, entry))
        if others[index].arrangement.kind in ON_CELLS:
            grids.place(others[index])
    in_rows = [entry for entry in others if entry.arrangement.rows or entry.arrangement.kind == RACK]
    for entry in sorted(in_rows, key=lambda entry: entry.arrangement.kind != RACK):
        rows.place(entry)
    for entry in others:
        if entry not in in_rows and entry.arrangement.kind not in ON_CELLS:
            rows.place_beside(entry)
    for entry in sums:
        rows.make_sums(entry.family)


def _has_digits(plan: ViewPlan, family: FluentFamily) -> bool:
    """Return whether a hint says that the last argument of a family is a binary digit, and it is a number."""
    last = family.places[-1].values if family.places else ()
    return family.name in plan.hints.binary and all(WHOLE_NUMBER.fullmatch(str(value)) for value in last)


def _place_rest(plan: ViewPlan, families: list[FluentFamily]) -> None:
    """Put the fluents that were trimmed away on badges, in case they ever hold."""
    trimmed = {entry.family.name: entry.family for entry in plan.families}
    for family in families:
        away = ~np.isin(family.fluents, trimmed[family.name].fluents)
        if away.any() and plan.hints.kinds.get(family.name) != HIDDEN:
            RowPlacer(plan).make_badge(select_fluents(family, away))


def _rank_on_cells(entry: PlannedFamily) -> tuple[int, bool, int]:
    """Return a rank: grids before tokens before marks; pieces with names before numbers; many fluents before few."""
    family, arrangement = entry.family, entry.arrangement
    has_numbers = any(family.places[place].is_ordered for place in arrangement.pieces)
    return ON_CELLS.index(arrangement.kind), has_numbers, -len(family.fluents)


def _demote(plan: ViewPlan, entry: PlannedFamily) -> PlannedFamily:
    """Turn a grid that only says whose a cell is into marks on another grid with the same axes, if there is one."""
    family, arrangement = entry.family, entry.arrangement
    if arrangement.kind != GRID or arrangement.split or len(arrangement.pieces) != 1:
        return entry
    axes = tuple(family.places[place].values for place in arrangement.axes)
    whose = set(family.places[arrangement.pieces[0]].values)
    if not whose <= set(plan.game.program.roles) or all(board.axes != axes or board.split for board in plan.boards):
        return entry
    return entry._replace(arrangement=arrangement._replace(kind=MARKS))


def _spread(plan: ViewPlan, entry: PlannedFamily) -> PlannedFamily:
    """Turn a rack along whose slots things move into a board: its slots are one axis, their contents the other."""
    family, arrangement = entry.family, entry.arrangement
    is_wished = family.name in plan.hints.kinds
    if arrangement.kind != RACK or arrangement.rows or len(arrangement.pieces) != 1 or is_wished:
        return entry
    slot, piece = arrangement.axes[0], arrangement.pieces[0]
    if not family.places[piece].is_ordered or not moves_along(plan.game.rules, family, slot):
        return entry
    axes = (min(slot, piece), max(slot, piece))
    return entry._replace(arrangement=arrangement._replace(kind=MARKS, axes=axes, pieces=()))


def _promote(plan: ViewPlan, entry: PlannedFamily) -> PlannedFamily:
    """Place a family on an existing grid if its places fit the axes, although its keys do not say so.

    Two places must have all values of the axes; a place with a single value must have some of them.
    """
    family = entry.family
    pairs = [place for place, value in enumerate(family.places) if value.is_ordered or len(value.values) == 1]
    if not 2 <= len(family.places) <= MAX_PLACES or len(pairs) != 2:
        return entry
    own = [family.places[place].values for place in pairs]
    for board in plan.boards:
        fits = board.kind == GRID and all(set(mine) <= set(axis) for mine, axis in zip(own, board.axes, strict=True))
        is_same = fits and board.axes == tuple(own)
        if is_same or (fits and min(map(len, own)) == 1):
            others = tuple(place for place in range(len(family.places)) if place not in pairs)
            kind = TOKEN if is_same else MARKS
            return entry._replace(
                arrangement=entry.arrangement._replace(kind=kind, axes=tuple(pairs), rows=(), split=(), pieces=others)
            )
    return entry
