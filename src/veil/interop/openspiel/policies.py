"""Policies both ways: a `veil.Policy` as OpenSpiel's `TabularPolicy`, and any policy of OpenSpiel as a `veil.Policy`.

Both work for registered games of Veil, and for loaded games of OpenSpiel.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from veil.engine import EMPTY_RECORD, Game
from veil.equilibrium import Policy, check_rules, expand, records_in_words
from veil.interop.openspiel.registration import import_pyspiel
from veil.interop.openspiel.tabulation import ForeignInfoset, ForeignTree, load, make_sequential, tabulate

Rows = Mapping[int, float]  # action -> probability


def to_openspiel(policy: Policy, game: Any) -> Any:
    """Return a policy as `open_spiel.python.policy.TabularPolicy` of a game of OpenSpiel.

    The game is a registered one, or any game that `load` takes; a policy for other rules is refused. Missing infosets
    are played uniformly. A game with simultaneous moves is made sequential first.
    """
    import_pyspiel()
    from open_spiel.python.policy import TabularPolicy  # an optional package

    game = make_sequential(game)
    table = TabularPolicy(game)
    for text, row in _rows_of(policy, game):
        place = table.state_lookup[text]
        table.action_probability_array[place] = 0.0
        for action, probability in row.items():
            table.action_probability_array[place, action] = max(0.0, probability)
        table.action_probability_array[place] /= table.action_probability_array[place].sum()
    return table


def from_openspiel(policy: Any, game: Any) -> Policy:
    """Return a policy of OpenSpiel, tabular or not, as a `veil.Policy`: `evaluate(game, from_openspiel(policy, game))`.

    It is asked at every infoset of the game, which is a registered one, or any game that `load` takes.
    """
    from veil.interop.openspiel.states import SpielGame  # imports an optional package

    made = {"method": f"OpenSpiel's {type(policy).__name__}"}
    game = make_sequential(game)
    if not isinstance(game, SpielGame):
        return _from_foreign(policy, tabulate(game), load(game), made)
    table: dict[str, dict[str, dict[str, float]]] = {game.game.roles[role]: {} for role in game.serial.players}
    names = game.game.names
    for state in _walk(game):
        node = state.node
        role = node.mover
        rows = table[game.game.roles[role]]
        record = game.serial.record_words(role, node.open_round.told[role])
        if record not in rows:
            chances = policy.action_probabilities(state)
            rows[record] = {names.moves[role][action]: float(chances.get(action, 0.0)) for action in node.actions}
    return Policy(game=game.game.name, rules=game.game.fingerprint, table=table, made=made)


def _walk(game: Any) -> Iterator[Any]:
    """Yield all states of a game in which a player chooses."""
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_terminal():
            if not state.is_chance_node():
                yield state
            waiting.extend(state.child(action) for action in state.legal_actions())


def _rows_of(policy: Policy, game: Any) -> Iterator[tuple[str, Rows]]:
    """Yield the rows of a policy: the information state of OpenSpiel, and the probabilities of its actions."""
    from veil.interop.openspiel.states import SpielGame  # imports an optional package

    if not isinstance(game, SpielGame):
        yield from _rows_of_foreign(policy, game)
        return
    check_rules(game.game, policy)
    names = game.game.names
    for role, rows in policy.table.items():
        number = names.role_id(role)
        for record, row in rows.items():
            found = [(names.move_id(number, move), chance) for move, chance in row.items()]
            yield f"{role}: {record}", {action: chance for action, chance in found if action is not None}


def _rows_of_foreign(policy: Policy, game: Any) -> Iterator[tuple[str, Rows]]:
    ours = load(game)
    check_rules(ours, policy)
    for role, record, infoset in _meet(tabulate(game), ours):
        row = {move.lower(): chance for move, chance in (policy.get(role, record) or {}).items()}
        if row:
            yield (
                infoset.text,
                {
                    action: row.get(label.lower(), 0.0)
                    for action, label in zip(infoset.actions, infoset.labels, strict=True)
                },
            )


def _from_foreign(policy: Any, foreign: ForeignTree, game: Game, made: Mapping[str, Any]) -> Policy:
    table: dict[str, dict[str, dict[str, float]]] = {}
    for role, record, infoset in _meet(foreign, game):
        chances = policy.action_probabilities(infoset.state)
        number = game.names.role_id(role)
        moves = [game.names.move_id(number, label) for label in infoset.labels]
        table.setdefault(role, {})[record] = {
            game.names.moves[number][move]: float(chances.get(action, 0.0))
            for move, action in zip(moves, infoset.actions, strict=True)
            if move is not None
        }
    return Policy(game=game.name, rules=game.fingerprint, table=table, made=dict(made))


def _meet(foreign: ForeignTree, game: Game) -> Iterator[tuple[str, str, ForeignInfoset]]:
    """Yield role, record and OpenSpiel's infoset for every infoset of a loaded game that has a choice.

    A player is told its infoset in the last round of its record; at the start it is told nothing.
    """
    foreign.text()  # names the infosets
    tree = expand(game)
    by_word = {
        (infoset.player, infoset.word.lower() or f"(infoset {infoset.number})"): infoset
        for infoset in foreign.infosets.values()
    }
    first = next((infoset for infoset in foreign.infosets.values()), None)
    records = records_in_words(tree)
    for player, role in enumerate(tree.roles):
        for place in tree.infosets_of(player):
            told = records[place].rpartition("; ")[2].partition(": ")[2]
            infoset = first if records[place] == EMPTY_RECORD else by_word[player, told.lower()]
            assert infoset is not None
            yield role, records[place], infoset
