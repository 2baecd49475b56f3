"""Many games at once, one after the other: what `veil.environments.vector` does in lanes, in words and Python lists.

1. Every game has a state, the records of its roles, and what they were told since their last choice.
2. A step plays the round of all games, then, as long as there are some, those in which no player has a choice.
3. A game that ends is reported once per step and begins again. One that ends a second time in a step waits: it shows
   its first move alone, and the next step reports its end before anything is played.

The random words are those of the machine: what `choose` draws for the states of a block, each time it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from veil.engine import Game, State
from veil.engine.lanes import LANES, MOVES, judge_block, new_values, open_block, pack, seed_block

WIDTH = LANES // 64
Told = tuple[str, frozenset[str]]  # own move, percepts


class Drawer:
    """Uniform moves of all roles of the games of one block, as the machine draws them."""

    def __init__(self, game: Game, seed: np.ndarray, block: int) -> None:
        self.game, self.rng = game, np.zeros((4, WIDTH), np.uint64)
        self.numbers = {word: number for number, word in enumerate(game.names.fluents)}
        seed_block(seed, block, self.rng)

    def draw(self, states: list[State]) -> list[dict[str, str]]:
        """The moves of one round, role -> move; roles without a legal move are left out."""
        code, bits = self.game.machine.code, np.zeros((len(states), len(self.numbers)), np.bool_)
        for row, state in zip(bits, states, strict=True):
            row[[self.numbers[word] for word in state.fluents]] = True
        values, start = new_values(code, WIDTH), np.zeros((1 + code.num_fluents, WIDTH), np.uint64)
        open_block(code, values, start, pack(bits), np.arange(len(states)))
        judge_block(code, values, self.rng, np.zeros(WIDTH, np.uint64))
        return [self._moves(values, lane) for lane in range(len(states))]

    def _moves(self, values: np.ndarray, lane: int) -> dict[str, str]:
        first, moves = int(self.game.machine.code.areas[MOVES]), {}
        for role, words in zip(self.game.roles, self.game.names.moves, strict=True):
            for number, word in enumerate(words):
                if int(values[first + number, lane // 64]) >> (lane % 64) & 1:
                    moves[role] = word
            first += len(words)
        return moves


@dataclass
class SlowGame:
    """One game under way."""

    state: State
    waits: bool = False  # it was over before anybody could choose
    records: dict[str, list[Told]] = field(default_factory=dict)
    told: dict[str, tuple[str | None, set[str]]] = field(default_factory=dict)


@dataclass
class SlowResult:
    """What a step gave for one game."""

    reward: dict[str, float]
    done: bool = False
    truncated: bool = False


class SlowEnv:
    """The games of one environment."""

    def __init__(
        self, game: Game, num_envs: int, seed: int, max_rounds: int = 10_000, skip_forced: bool = True
    ) -> None:
        self.game, self.max_rounds, self.skip_forced = game, max_rounds, skip_forced
        self.roles = [role for role in game.roles if role != "random"]
        words = np.random.SeedSequence(seed).generate_state(4, np.uint64)
        blocks = range(-(-num_envs // LANES))
        self.chance = [Drawer(game, words[:2], block) for block in blocks]
        self.samples = [Drawer(game, words[2:], block) for block in blocks]
        self.games = [self._new_game() for _ in range(num_envs)]

    def reset(self) -> None:
        for block, drawer in enumerate(self.chance):
            games = self._block(block)
            results = [SlowResult({}) for _ in games]
            self._settle(drawer, games, results, set(range(len(games))))

    def step(self, actions: Sequence[Mapping[str, str | None]]) -> list[SlowResult]:
        """Play the moves of all roles in every game; None is the only legal one."""
        results = [SlowResult(dict.fromkeys(self.roles, 0.0)) for _ in self.games]
        for block, drawer in enumerate(self.chance):
            games = self._block(block)
            given, own = actions[block * LANES :][: len(games)], results[block * LANES :][: len(games)]
            drawn = drawer.draw([game.state for game in games]) if "random" in self.game.roles else None
            ending = set()
            for number, game in enumerate(games):
                if game.waits:
                    game.waits = False
                    ending.add(number)
                    continue
                joint = {role: move for role, move in given[number].items() if move is not None}
                if drawn is not None:
                    joint["random"] = drawn[number]["random"]
                game.told = {role: (given[number][role] or game.state.legal(role)[0], set()) for role in self.roles}
                if self._play(game, joint):
                    ending.add(number)
            self._settle(drawer, games, own, ending)
        return results

    def sample(self) -> list[dict[str, str]]:
        drawn = []
        for block, drawer in enumerate(self.samples):
            games = self._block(block)
            for game, moves in zip(games, drawer.draw([game.state for game in games]), strict=True):
                drawn.append({role: self.legal(game, role)[0] if game.waits else moves[role] for role in self.roles})
        return drawn

    def legal(self, game: SlowGame, role: str) -> list[str]:
        """What a role may play in a game that is under way or waits."""
        if game.waits:
            return self.game.names.moves[self.game.roles.index(role)][:1]
        return game.state.legal(role)

    def bits(self, role: str, told: tuple[str | None, set[str] | frozenset[str]]) -> list[bool]:
        """A move and percepts as the bits of an observation."""
        number, (move, percepts) = self.game.roles.index(role), told
        names = self.game.names
        return [word == move for word in names.moves[number]] + [word in percepts for word in names.percepts[number]]

    def observation(self, game: SlowGame, role: str, kind: str, rounds: int) -> list[bool]:
        now = self.bits(role, game.told.get(role, (None, set())))
        if kind == "percepts":
            return now
        pieces = [self.bits(role, told) for told in game.records.get(role, [])]
        nothing = [False] * len(now)
        if kind == "seen":
            return now + [any(column) for column in zip(nothing, *pieces, strict=True)]
        return [bit for piece in [*pieces[::-1], *[nothing] * rounds][:rounds] for bit in piece]

    def _block(self, block: int) -> list[SlowGame]:
        return self.games[block * LANES : (block + 1) * LANES]

    def _new_game(self) -> SlowGame:
        return SlowGame(self.game.initial_state())

    def _play(self, game: SlowGame, joint: dict[str, str]) -> bool:
        """One round; whether the game is over after it."""
        moves = {role: joint.get(role) or game.state.legal(role)[0] for role in self.game.roles}
        game.state, percepts = game.state.play(moves)
        for role in self.roles:
            game.records.setdefault(role, []).append((moves[role], frozenset(percepts[role])))
            game.told[role][1].update(percepts[role])
        return self._is_over(game.state) or len(game.records[self.roles[0]]) == self.max_rounds

    def _is_over(self, state: State) -> bool:
        return state.is_terminal or not all(state.legal(role) for role in self.game.roles)

    def _settle(self, drawer: Drawer, games: list[SlowGame], results: list[SlowResult], ending: set[int]) -> None:
        """End games, begin new ones, and play rounds without a choice until there are none."""
        done: set[int] = set()
        while True:
            for number in ending:
                game = games[number]
                if number in done:
                    game.waits = True
                    continue
                done.add(number)
                goals = {role: self.game.utility.of(np.array(goal)) for role, goal in game.state.goals.items()}
                results[number].done, results[number].truncated = True, not game.state.is_terminal
                results[number].reward = {role: float(goals[role]) for role in self.roles}
                vars(game).update(vars(self._new_game()))
                game.told = {role: (None, set()) for role in self.roles}
                game.waits = self._is_over(game.state)
            forced = [
                number
                for number, game in enumerate(games)
                if not game.waits and all(len(game.state.legal(role)) == 1 for role in self.roles)
            ]
            if not self.skip_forced or not forced:
                return
            drawn = drawer.draw([game.state for game in games])
            ending = {number for number in forced if self._play(games[number], drawn[number])}
