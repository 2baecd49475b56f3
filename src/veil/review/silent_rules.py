"""Rules that never fire, and which end of the game comes how often, found by play.

The game is read again with a fluent per rule that is true after a round in which the rule's conditions held:

    (<= (next (fires 7)) <the conditions of rule 7>)

So the machine that plays games in lanes also says which rules fire. In the last state of a game, only rules that do not
ask for a move count.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from veil.engine import Game, GroundProgram
from veil.engine.lanes import unpack
from veil.errors import Place, VeilError
from veil.lang import Rule, Rules, RuleSet, read_term
from veil.review.random_games import play_random_games
from veil.vocabulary import Term, Var, arguments, signature

FIRES = "fires"
MAX_GROUND_RULES = 100_000  # of a game that is ground again
UNWATCHED = ("init", "role", "base", "input")  # predicates that hold before the first round


class WatchedRules(NamedTuple):
    """What random games show about rules."""

    silent: list[Place]  # rules that did not fire
    ends: dict[Place, float]  # rule for `terminal` -> share of the games at whose end it held
    games: int  # that ended


def find_silent_rules(game: Game, count: int, seed: int, max_rounds: int) -> list[Place] | None:
    """Return the places of rules that did not fire in `count` random games; None if that cannot be found out."""
    watched = watch_rules(game, count, seed, max_rounds)
    return None if watched is None else watched.silent


def watch_rules(game: Game, count: int, seed: int, max_rounds: int) -> WatchedRules | None:
    """Return what `count` random games show about the rules; None if that cannot be found out."""
    watched = [rule for rule in game.rules.rules if rule.body and rule.signature[0] not in UNWATCHED]
    if not watched or not game.program.is_ground or game.program.num_rules > MAX_GROUND_RULES:
        return None
    try:
        twin = _watch_rules(game, watched)
        fired = _play(twin, watched, game.rules, count, seed, max_rounds)
    except VeilError:  # rules that a fluent must not depend on, or a limit of grounding
        return None
    fired_at = {rule.node.offset for rule, has_fired in zip(watched, fired.in_some_game, strict=True) if has_fired}
    silent = {
        rule.node.offset for rule in watched
    } - fired_at  # a rule with `or` stands for several; one that fired is enough
    place = game.rules.source.place
    ends = {place(offset): share for offset, share in fired.ends.items() if share}
    return WatchedRules([place(offset) for offset in sorted(silent)], ends, fired.games)


def _watch_rules(game: Game, watched: list[Rule]) -> Game:
    """Return the game with a fluent per rule."""
    name = _free_name(game.rules)
    marks = (rule._replace(head=("next", (name, str(number)))) for number, rule in enumerate(watched))
    return Game(game.name, replace(game.rules, rule_set=RuleSet([*game.rules.rules, *marks])), game.limits)


def _free_name(rules: Rules) -> str:
    """Return a word that the rules do not use."""
    name = FIRES
    while name in rules.spelling:
        name += "_"
    return name


class _Fired(NamedTuple):
    """The rules that fired."""

    in_some_game: np.ndarray  # [rules] bool
    ends: dict[int, float]  # offset of a rule for `terminal` -> share of the games at whose end it held
    games: int


def _play(twin: Game, watched: list[Rule], rules: Rules, count: int, seed: int, max_rounds: int) -> _Fired:
    """Play random games and return the rules that fired in them."""
    program, machine = twin.program, twin.machine
    name, fired = _free_name(rules), np.zeros(len(watched), np.bool_)
    columns = [
        (column, int(str(arguments(term)[0])))
        for column, term in enumerate(program.fluents)
        if signature(term) == (name, 1)
    ]
    at = np.array([column for column, _ in columns], np.int64)
    number = np.array([n for _, n in columns], np.int64)
    asks_move = np.array([_asks_move(rule, rules) for rule in watched], np.bool_)
    held: dict[int, int] = {}
    games = 0
    for part in play_random_games(twin, count, seed, max_rounds):
        if part.next_states is not None:
            fired[number] |= _hold(part.next_states, program)[:, at].any(axis=0)
            continue
        any_move = np.zeros((len(part.states), len(program.roles)), np.int64)
        holds = _hold(machine.step(part.states, any_move).states, program)[:, at]
        fired[number] |= holds.any(axis=0) & ~asks_move[number]
        games += len(part.states)
        for offset, share in _count_ends(holds, [watched[place] for place in number.tolist()]).items():
            held[offset] = held.get(offset, 0) + share
    return _Fired(fired, {offset: times / games for offset, times in held.items()} if games else {}, games)


def _count_ends(holds: np.ndarray, rules: list[Rule]) -> dict[int, int]:
    """Return, from the rules that hold [B, rules] at the ends of games, the number of games per rule for `terminal`."""
    ends: dict[int, np.ndarray] = {}
    for column, rule in enumerate(rules):
        if rule.signature == ("terminal", 0):
            offset = rule.node.offset
            ends[offset] = ends.get(offset, np.zeros(len(holds), np.bool_)) | holds[:, column]
    return {offset: int(column.sum()) for offset, column in ends.items()}


def _hold(states: np.ndarray, program: GroundProgram) -> np.ndarray:
    """Return [B, F] bool: the fluents that hold in the states [B, words]."""
    return unpack(states, len(program.fluents))


def place_of_rule(game: Game, head: str, role: str | None = None, term: str | None = None) -> Place | None:
    """Return the place of the first rule for `head` that can be about this role and this term.

    The result is None if there is none.
    """
    wanted = [part and read_term(part) for part in (role, term)]
    for rule in game.rules.rules:
        parts = zip(arguments(rule.head), wanted, strict=False)
        if rule.signature[0] == head and all(_may_match(part, other) for part, other in parts):
            return game.rules.source.place(rule.node.offset)
    return None


def _may_match(part: Term, wanted: Term | None) -> bool:
    """Return whether a part of a head can stand for a term; variables inside it are not followed."""
    return wanted is None or isinstance(part, Var) or signature(part) == signature(wanted)


def _asks_move(rule: Rule, rules: Rules) -> bool:
    """Return whether the conditions of a rule depend on moves."""
    wanted = {signature(literal.atom) for literal in rule.body}
    return ("does", 2) in wanted | rules.dependencies.reachable(tuple(wanted))
