"""OpenSpiel's games beside ours: which settings make the same game, and how to go through both at once.

A *twin* is a game of ours, the same game of OpenSpiel, and what OpenSpiel calls our moves. Both sides are looked at
through points where something is to be chosen or all is over; forced moves, ours and theirs, lie between two points.

1. At each point: the same mover, moves that correspond one to one, equal probabilities of chance, equal payoffs.
2. Infosets of both sides are matched as they are met. Whoever meets another partner than before is an error, so in the
   end each side has told the same points apart as the other.

Nothing here imports pyspiel; games of OpenSpiel come in as objects.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from hashlib import md5
from typing import Any, NamedTuple

import numpy as np

from veil import Game, State
from veil.equilibrium.histories import slot_moves
from veil.equilibrium.tree import GameTree
from veil.vocabulary import RANDOM

CHANCE, END = -1, -4  # in place of a player's number, as in pyspiel.PlayerId


# What OpenSpiel calls our moves: (player, words of the move) -> action_to_string


def kuhn_action(player: int, word: str, card: str = "") -> str:
    return f"Deal:{('jack', 'queen', 'king').index(card)}" if word == "deal" else word.capitalize()


def leduc_action(player: int, word: str, rank: str = "", suit: str = "") -> str:
    """Cards are numbered rank by rank."""
    if word != "deal":
        return word.capitalize()
    return f"Chance outcome:{2 * ('jack', 'queen', 'king').index(rank) + ('hearts', 'spades').index(suit)}"


def dice_action(player: int, word: str, *numbers: str) -> str:
    return f"Roll {numbers[0]}" if word == "roll" else "-".join(numbers) or word.capitalize()


def goofspiel_action(player: int, word: str, card: str) -> str:
    """Our cards are numbered from 0, theirs from 1."""
    return f"[P{player}]Bid: {int(card) + 1}"


def mark_action(player: int, word: str, x: str, y: str) -> str:
    """(row, column) from 0."""
    return f"{'xo'[player]}({int(y) - 1},{int(x) - 1})"


def hex_action(player: int, word: str, x: str, y: str) -> str:
    return letter(x) + y


def battleship_action(player: int, word: str, *rest: str) -> str:
    """(row, column) from 0."""
    if word == "shoot":
        x, y = rest
        return f"Pl{player}: shoot at ({int(y) - 1}, {int(x) - 1})"
    _, x, y, direction = rest
    way = {"across": "horizontally", "down": "vertically"}[direction]
    return f"Pl{player}: place ship {way} with top-left corner in ({int(y) - 1}, {int(x) - 1})"


def drop_action(player: int, word: str, x: str) -> str:
    return f"{'xo'[player]}{int(x) - 1}"


def step_action(height: int) -> Callable[..., str]:
    """Their first player starts in the highest row, ours in the lowest."""

    def action(player: int, word: str, x1: str, y1: str, x2: str, y2: str) -> str:
        return f"{letter(x1)}{height + 1 - int(y1)}{letter(x2)}{height + 1 - int(y2)}"

    return action


def letter(number: str) -> str:
    """The name of a column."""
    return "abcdefghijk"[int(number) - 1]


# Twins


def text(point: TheirPoint) -> Hashable:
    """Its text for an infoset."""
    return point.texts[point.player][-1]


def all_texts(point: TheirPoint) -> Hashable:
    """The same, with everything this player was told before: where the text alone forgets something."""
    return point.texts[point.player]


def whole_history(point: TheirPoint) -> Hashable:
    """Where there is no text, and nothing is hidden."""
    return tuple(point.state.history())


def as_it_is(returns: list[float]) -> list[float]:
    return returns


def as_wins(returns: list[float]) -> list[float]:
    """Where OpenSpiel pays for more than the victory."""
    return [float(value > 0) - float(value < 0) for value in returns]


@dataclass(frozen=True, kw_only=True)
class Twin:
    """The same game in both."""

    ours: str
    theirs: str
    action: Callable[..., str]
    infoset: Callable[[TheirPoint], Hashable] = text
    payoff: Callable[[list[float]], list[float]] = as_it_is  # of OpenSpiel's returns
    in_turn: bool = True  # or all players at once

    def __str__(self) -> str:
        return self.ours.replace(" ", "")


def goofspiel(cards: int, order: str) -> Twin:
    settings = f"imp_info=true,num_cards={cards},points_order={order},returns_type=win_loss,players=2"
    ours, theirs = f"ii_goofspiel({cards}, {order})", f"goofspiel({settings})"
    return Twin(ours=ours, theirs=theirs, action=goofspiel_action, in_turn=False)


def liars_dice(dice: int, faces: int) -> Twin:
    """OpenSpiel gives all players equally many dice."""
    theirs = f"liars_dice(numdice={dice},dice_sides={faces},bidding_rule=reset-face)"
    return Twin(ours=f"liars_dice({dice}, {dice}, {faces})", theirs=theirs, action=dice_action)


def dark_hex(size: int, observed: str = "reveal-numturns", **changed: Any) -> Twin:
    """Whoever waits counts the tries. OpenSpiel's `reveal-nothing` tells their number, too, but not of which turn."""
    theirs = f"dark_hex(board_size={size},gameversion=cdh,obstype={observed})"
    return Twin(ours=f"dark_hex({size})", theirs=theirs, action=hex_action, **changed)


def battleship(size: int, lengths: tuple[int, ...], **changed: Any) -> Twin:
    """As in the header of our rules; ships in the order of placing."""
    sizes, values = ";".join(map(str, lengths)), ";".join("1" for _ in lengths)
    settings = f"board_width={size},board_height={size},ship_sizes=[{sizes}],ship_values=[{values}]"
    theirs = f"battleship({settings},num_shots={size * size},allow_repeated_shots=false,loss_multiplier=1.0)"
    return Twin(ours=f"battleship({size}, {len(lengths)})", theirs=theirs, action=battleship_action, **changed)


def breakthrough(width: int, height: int) -> Twin:
    """Not on 5 rows, where OpenSpiel gives each side one row of pieces, and our rules two."""
    theirs = f"breakthrough(rows={height},columns={width})"
    return Twin(
        ours=f"breakthrough({width}, {height})",
        theirs=theirs,
        action=step_action(height),
        infoset=whole_history,
    )


def connect_four(width: int, height: int) -> Twin:
    theirs = f"connect_four(rows={height},columns={width})"
    return Twin(ours=f"connect_four({width}, {height})", theirs=theirs, action=drop_action)


KUHN = Twin(ours="kuhn_poker", theirs="kuhn_poker", action=kuhn_action)
LEDUC = Twin(ours="leduc_poker", theirs="leduc_poker", action=leduc_action)
PHANTOM = Twin(
    ours="phantom_tictactoe", theirs="phantom_ttt(gameversion=classical,obstype=reveal-nothing)", action=mark_action
)
KRIEG = Twin(
    ours="krieg_tictactoe(3)",
    theirs="phantom_ttt(gameversion=classical,obstype=reveal-numturns)",
    action=mark_action,
)
TIC_TAC_TOE = Twin(ours="tic_tac_toe", theirs="tic_tac_toe", action=mark_action)


# Points of both sides


class TheirPoint:
    """A state of OpenSpiel after its forced moves."""

    def __init__(self, state: Any, texts: tuple[tuple[str, ...], ...] = ((), ()), told: bool = True) -> None:
        """Texts are what each player was told at its own moves, forced ones included; none unless it is `told`."""
        self.told = told
        while True:
            self.player = END if state.is_terminal() else state.current_player()
            self.actions = state.legal_actions()
            if self.player >= 0 and told:
                longer = (*texts[self.player], state.information_state_string(self.player))
                texts = (longer, texts[1]) if self.player == 0 else (texts[0], longer)
            if len(self.actions) != 1:
                break
            state = state.child(self.actions[0])
        self.state, self.texts = state, texts

    def child(self, action: int) -> TheirPoint:
        return TheirPoint(self.state.child(action), self.texts, self.told)


class Explicit:
    """Our tree, unpacked for walking in Python."""

    def __init__(self, named: GameTree) -> None:
        tree = named.flat
        self.named, self.children = named, tree.num_children.tolist()
        parents, first = np.unique(tree.parent[1:], return_index=True)
        self.first_child = dict(zip(parents.tolist(), (first + 1).tolist(), strict=True))
        self.slot, self.move, self.probability = tree.slot.tolist(), tree.move.tolist(), tree.chance_prob.tolist()
        self.utility = tree.utility.tolist()
        self.infoset_of = np.repeat(np.arange(len(tree.infoset_node)), np.diff(tree.slot_start)).tolist()
        self.player_of = np.repeat(np.arange(len(named.roles)), np.diff(tree.role_start)).tolist()
        self.slot_moves = slot_moves(named)
        game = named.game
        chance = game.program.moves[game.roles.index(RANDOM)] if RANDOM in game.roles else ()
        self.chance_moves = [game.rules.show(move) for move in chance]


class TreePoint:
    """A node of our tree."""

    def __init__(self, tree: Explicit, node: int = 0) -> None:
        self.tree, self.utility = tree, tree.utility[node]
        self.player, self.infoset = END, -1
        self.moves: dict[str, int] = {}  # the child of each
        if not tree.children[node]:
            return
        first = tree.first_child[node]
        below = range(first, first + tree.children[node])
        slot = tree.slot[first]
        if slot < 0:
            self.player = CHANCE
            self.moves = {tree.chance_moves[tree.move[child]]: child for child in below}
        else:
            self.infoset = tree.infoset_of[slot]
            self.player = tree.player_of[self.infoset]
            self.moves = {tree.slot_moves[tree.slot[child]]: child for child in below}

    def probability(self, move: str) -> float:
        return self.tree.probability[self.moves[move]]

    def child(self, move: str) -> TreePoint:
        return TreePoint(self.tree, self.moves[move])


class PlayPoint:
    """A state of ours after its forced moves, played by the readable `State`; the infoset is the whole record."""

    def __init__(self, state: State, records: dict[str, tuple], chosen: dict[str, str] | None = None) -> None:
        """In this round some have chosen already, `random` first, then the roles in their order."""
        game, self.player, self.role, self.moves = state.game, END, "", list[str]()
        chosen = dict(chosen or {})
        players = [role for role in game.roles if role != RANDOM]
        while not state.is_terminal and not self.moves:
            for role in sorted(game.roles, key=lambda role: role != RANDOM):
                legal = [chosen[role]] if role in chosen else state.legal(role)
                if len(legal) > 1:
                    self.player = CHANCE if role == RANDOM else players.index(role)
                    self.role, self.moves = role, legal
                    break
                chosen[role] = legal[0]
            else:
                state, seen = state.play(chosen)
                records = {role: (*records[role], (chosen[role], *seen[role])) for role in game.roles}
                chosen = {}
        self.state, self.records, self.chosen = state, records, chosen
        self.infoset = records.get(self.role)
        self.utility: Any = (
            game.utility.of(np.array([state.goals[role] for role in players])) if state.is_terminal else None
        )

    def probability(self, move: str) -> float:
        return 1 / len(self.moves)

    def child(self, move: str) -> PlayPoint:
        return PlayPoint(self.state, self.records, {**self.chosen, self.role: move})


OurPoint = TreePoint | PlayPoint


def start_of(game: Game) -> PlayPoint:
    return PlayPoint(game.initial_state(), dict.fromkeys(game.roles, ()))


def start_there(twin: Twin, game: Any) -> TheirPoint:
    return TheirPoint(game.new_initial_state(), told=twin.infoset is not whole_history)


# The comparison


class MismatchError(AssertionError):
    """The two games are not the same."""


@dataclass
class Match:
    """Which infoset is which, as far as both were met. Ours may be finer where that is said."""

    finer: bool = False
    theirs_of: dict[Any, Any] = field(default_factory=dict)
    ours_of: dict[Hashable, Hashable] = field(default_factory=dict)
    actions: dict[Hashable, dict[str, int]] = field(default_factory=dict)  # of our moves, by our infoset

    def add(self, ours: Hashable, theirs: Hashable, actions: dict[str, int]) -> None:
        self.actions[ours] = actions
        before = self.theirs_of.setdefault(ours, theirs)
        if before != theirs:
            raise MismatchError(f"one infoset here, two there: {ours} is {before} and {theirs}")
        before = self.ours_of.setdefault(theirs, ours)
        if before != ours and not self.finer:
            raise MismatchError(f"one infoset there, two here: {theirs} is {before} and {ours}")

    def sizes(self) -> list[int]:
        """Infosets per player."""
        return [sum(owner == player for owner, _ in self.theirs_of) for player in (0, 1)]


def compare(twin: Twin, ours: OurPoint, theirs: TheirPoint, match: Match) -> dict[str, int]:
    """Refuse what differs at a point of both; return the action of each of our moves."""
    where = f"{twin} after {theirs.state.history()}"
    if ours.player != theirs.player:
        raise MismatchError(f"{where}: player {ours.player} moves here, {theirs.player} there")
    if ours.player == END:
        payoff = twin.payoff(theirs.state.returns())
        if list(ours.utility) != payoff:
            raise MismatchError(f"{where}: worth {list(ours.utility)} here, {payoff} there")
        return {}
    called = {move: twin.action(ours.player, *move.strip("()").split()) for move in ours.moves}
    name = theirs.state.action_to_string
    number = {name(theirs.player, action).rstrip("*"): action for action in theirs.actions}  # a star is a capture
    if sorted(called.values()) != sorted(number):
        raise MismatchError(f"{where}: the moves are {sorted(called.values())} here, {sorted(number)} there")
    actions = {move: number[their_name] for move, their_name in called.items()}
    if ours.player == CHANCE:
        chances = dict(theirs.state.chance_outcomes())
        if any(abs(ours.probability(move) - chances[action]) > 1e-12 for move, action in actions.items()):
            raise MismatchError(f"{where}: chance is {chances} there")
    else:
        match.add((ours.player, ours.infoset), (theirs.player, twin.infoset(theirs)), actions)
    return actions


@dataclass
class Walk:
    """What both trees had in common."""

    match: Match = field(default_factory=Match)
    nodes: int = 0
    terminals: int = 0
    chance_nodes: int = 0


def walk(twin: Twin, ours: OurPoint, theirs: TheirPoint) -> Walk:
    """Go through both games as a whole."""
    seen, waiting = Walk(), [(ours, theirs)]
    while waiting:
        ours, theirs = waiting.pop()
        actions = compare(twin, ours, theirs, seen.match)
        seen.nodes += 1
        seen.terminals += ours.player == END
        seen.chance_nodes += ours.player == CHANCE
        waiting += [(ours.child(move), theirs.child(action)) for move, action in actions.items()]
    return seen


@dataclass
class Playouts:
    """What was met in games played at random."""

    match: Match
    histories: dict[Hashable, set] = field(default_factory=dict)  # of each of our infosets
    payoffs: set = field(default_factory=set)

    def play(self, twin: Twin, ours: OurPoint, theirs: TheirPoint, rng: random.Random, taste: Taste) -> None:
        """One game of both."""
        while True:
            actions = compare(twin, ours, theirs, self.match)
            if ours.player == END:
                self.payoffs.add(tuple(ours.utility))
                return
            moves = sorted(actions)
            if ours.player != CHANCE:
                moves = taste.favourites(ours.player, moves)
                own = self.histories.setdefault((ours.player, ours.infoset), set())
                own.add(tuple(theirs.state.history()))
            move = rng.choice(moves)
            ours, theirs = ours.child(move), theirs.child(actions[move])


class Taste(NamedTuple):
    """Which moves players have in mind. Where they are few, many histories end in the same infosets."""

    seed: int
    width: int | None  # None for all moves

    def favourites(self, player: int, moves: list[str]) -> list[str]:
        """The first of them in an order that this player keeps to the whole game."""
        return sorted(moves, key=lambda move: md5(f"{self.seed} {player} {move}".encode()).digest())[: self.width]


def playouts(twin: Twin, game: Game, peer: Any, tastes: list[Taste], count: int, finer: bool = False) -> Playouts:
    """So many games of both for each taste."""
    met, rng = Playouts(Match(finer)), random.Random(str(twin))
    start, their_start = start_of(game), start_there(twin, peer)
    for taste in tastes:
        for _ in range(count):
            met.play(twin, start, their_start, rng, taste)
    return met
