"""`load`: a game of OpenSpiel that fits, as a game of Veil.

1. Walk the whole tree of the game; simultaneous moves are made one after the other first.
2. Write it as an .efg text, with infosets by their strings, and probabilities and payoffs as nearby fractions.
3. Read that text as rules, like any other text: perfect recall is checked there.

The text is the whole game, so it can be pickled, saved and solved anywhere, without OpenSpiel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import Any

from veil.engine import Game, GroundLimits
from veil.errors import fail
from veil.games import POINTS, Utility
from veil.interop.efg_lines import chance_line, choice_line, end_line, header_line
from veil.interop.openspiel.registration import import_pyspiel
from veil.lang import NOOP, Source, name_apart, plain_word, read_rules

MAX_NODES = 150_000
FINEST = 1000  # largest denominator of the fractions that payoffs and probabilities may stand for
DECIMAL = 10**9  # denominator of other payoffs
TOLERANCE = 1e-12


@dataclass(slots=True)
class ForeignInfoset:
    """An infoset of a game of OpenSpiel."""

    player: int
    number: int  # from 1 on, per player
    text: str  # its information state
    actions: tuple[int, ...]
    labels: tuple[str, ...]  # words for the actions
    state: Any  # one of its states
    word: str = ""  # the percept of the player, if it is not the number


@dataclass(slots=True)
class ForeignTree:
    """The whole tree of a game of OpenSpiel."""

    name: str
    players: list[str]
    infosets: dict[tuple[int, str], ForeignInfoset] = field(default_factory=dict)
    counts: dict[int, int] = field(default_factory=dict)  # infosets per player
    lines: list[tuple[Any, ...]] = field(default_factory=list)  # of the nodes, depth first: see `tabulate`

    def text(self) -> str:
        """Return the tree as an .efg text."""
        self._name_infosets()
        return "\n".join([header_line(self.name, self.players), *self._write()]) + "\n"

    def _name_infosets(self) -> None:
        """Use the information states as words, for players whose states all have different words."""
        for player in range(len(self.players)):
            own = [infoset for infoset in self.infosets.values() if infoset.player == player]
            words = [plain_word(infoset.text) for infoset in own]
            if all(words) and len({word.lower() for word in words}) == len(own):
                for infoset, word in zip(own, words, strict=True):
                    infoset.word = word

    def _write(self) -> Iterator[str]:
        outcomes = {payoffs: number for number, payoffs in enumerate(dict.fromkeys(self._list_payoffs()), 1)}
        fractions = round_payoffs({value for payoffs in outcomes for value in payoffs})
        for number, (kind, *details) in enumerate(self.lines, 1):
            if kind == "t":
                (payoffs,) = details
                yield end_line(outcomes[payoffs], [fractions[value] for value in payoffs])
            elif kind == "c":
                yield chance_line(number, *details)
            else:
                (infoset,) = details
                yield choice_line(infoset.player + 1, infoset.number, infoset.word, infoset.labels)

    def _list_payoffs(self) -> Iterator[tuple[float, ...]]:
        return (details[0] for kind, *details in self.lines if kind == "t")


def load(game: Any, *, max_nodes: int = MAX_NODES, limits: GroundLimits | None = None) -> Game:
    """Return a game of OpenSpiel, or the game of that name, as a game of Veil: `veil.solve(load("kuhn_poker")).value`.

    Raises `VeilError` for a tree of more than `max_nodes` nodes, and for a game in which players forget, chance is not
    explicit, or nothing says what players know.
    """
    tree = tabulate(game, max_nodes)
    rules = read_rules(Source(f"{tree.name}.efg", tree.text()))
    utility = POINTS if rules.scale == 1 else Utility(scale=rules.scale)
    return Game(tree.name, rules, limits or GroundLimits(), utility)


def tabulate(game: Any, max_nodes: int = MAX_NODES) -> ForeignTree:
    """Return the whole tree of a game of OpenSpiel.

    Its lines are ("t", payoffs), ("c", actions, chances), ("p", infoset).
    """
    game = make_sequential(game)
    kind = game.get_type()
    names = [f"player_{player}" for player in range(game.num_players())]
    tree = ForeignTree(kind.short_name, names)
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        if len(tree.lines) == max_nodes:
            raise fail("openspiel-too-large", name=str(game)[:60], nodes=max_nodes)
        tree.lines.append(_read_node(tree, state))
        if not state.is_terminal():
            waiting.extend(state.child(action) for action in reversed(_list_actions(state)))
    return tree


def make_sequential(game: Any) -> Any:
    """Return the game with one mover at a time. Raises `VeilError` if it has no such form."""
    pyspiel = import_pyspiel()
    game = pyspiel.load_game(game) if isinstance(game, str) else game
    kind = game.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.convert_to_turn_based(game)
    if kind.dynamics == pyspiel.GameType.Dynamics.MEAN_FIELD:
        raise fail("openspiel-unfit", name=str(game)[:60], what="it is a mean-field game")
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise fail("openspiel-unfit", name=str(game)[:60], what="its chance is drawn inside, without probabilities")
    is_open = kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    if not kind.provides_information_state_string and not is_open:
        raise fail("openspiel-unfit", name=str(game)[:60], what="it has no information states")
    return game


def _read_node(tree: ForeignTree, state: Any) -> tuple[Any, ...]:
    if state.is_terminal():
        return "t", tuple(map(float, state.returns()))
    actions = _list_actions(state)
    if state.is_chance_node():
        chances = dict(state.chance_outcomes())
        labels = tuple(state.action_to_string(action) for action in actions)
        return "c", labels, _round_chances([chances[action] for action in actions])
    return "p", _find_infoset(tree, state, tuple(actions))


def _list_actions(state: Any) -> list[int]:
    """Return the actions at a node, without those that chance never takes."""
    if state.is_chance_node():
        return [action for action, chance in state.chance_outcomes() if chance > 0]
    return list(state.legal_actions())


def _find_infoset(tree: ForeignTree, state: Any, actions: tuple[int, ...]) -> ForeignInfoset:
    player = state.current_player()
    text = infoset_text(state)
    infoset = tree.infosets.get((player, text))
    if infoset is None:
        tree.counts[player] = number = tree.counts.get(player, 0) + 1
        labels = tuple(name_apart([state.action_to_string(action) for action in actions], "action", NOOP))
        infoset = tree.infosets[player, text] = ForeignInfoset(player, number, text, actions, labels, state)
    elif infoset.actions != actions:
        raise fail("openspiel-unfit", name=tree.name, what=f"actions differ at the information state {text[:80]!r}")
    return infoset


def infoset_text(state: Any) -> str:
    """Return what the player to move knows: its information state or, if nothing is hidden, the history."""
    if state.get_game().get_type().provides_information_state_string:
        return str(state.information_state_string())
    return state.history_str() or "start"


def round_payoffs(values: Iterable[float]) -> dict[float, Fraction]:
    """Return the fractions that payoffs stand for, if they have a small common denominator; decimal ones otherwise."""
    near = {value: Fraction(value).limit_denominator(FINEST) for value in values}
    is_near = all(abs(fraction - Fraction(value)) <= TOLERANCE for value, fraction in near.items())
    if is_near and lcm(*(fraction.denominator for fraction in near.values())) <= DECIMAL:
        return near
    return {value: Fraction(round(value * DECIMAL), DECIMAL) for value in near}


def _round_chances(chances: list[float]) -> list[Fraction]:
    """Return probabilities as fractions that add up to 1, with small denominators if possible."""
    near = [Fraction(chance).limit_denominator(FINEST) for chance in chances]
    if sum(near) == 1 and all(abs(one - two) <= TOLERANCE for one, two in zip(near, chances, strict=True)):
        return near
    parts = [Fraction(chance) for chance in chances]
    return [part / sum(parts) for part in parts]
