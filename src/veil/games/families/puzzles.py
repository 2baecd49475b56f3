"""Puzzles: someone hides a thing, and others find out; little to play, much to know."""

from __future__ import annotations

from veil.games.facts import number_facts, successor_facts
from veil.games.family import WIN_OR_LOSE, Family, Parameter
from veil.games.sources import JAIR


def monty_hall_facts(doors: int) -> list[str]:
    """Return the doors, and a round for hiding, for each door that opens, for the decision, and the end."""
    return [
        *number_facts("door", 1, doors),
        *successor_facts("succ", doors + 1),
        *number_facts("opening_round", 2, doors - 1),
        f"(last_round {doors})",
        f"(end_round {doors + 1})",
    ]


def silo_facts(ways: int) -> list[str]:
    """Return the ways of a silo."""
    return number_facts("way", 1, ways)


def guess_who_facts(characters: int, attributes: int) -> list[str]:
    """Return the attributes of characters: the binary digits that tell them apart, then every a-th character."""
    digits = (characters - 1).bit_length()
    has = [
        f"(has {character} {attribute})"
        for attribute in range(1, attributes + 1)
        for character in range(1, characters + 1)
        if ((character - 1) >> (attribute - 1) & 1 if attribute <= digits else (character - 1) % attribute == 0)
    ]
    return [*number_facts("character", 1, characters), *number_facts("attribute", 1, attributes), *has]


def mastermind_facts(pegs: int, colours: int, guesses: int) -> list[str]:
    """Return numbers of pegs and their sums, and the points of each guess."""
    up_to = range(pegs + 1)
    return [
        *number_facts("colour", 1, colours),
        "(succ 0 1)",
        *successor_facts("succ", pegs),
        *(f"(less {i} {j})" for j in up_to for i in range(j)),
        *(f"(plus {black} {total - black} {total})" for total in up_to for black in range(total + 1)),
        f"(last_place {pegs})",
        *successor_facts("next_turn", guesses),
        *falling_rewards(guesses),
    ]


def number_guessing_facts(max: int, turns: int) -> list[str]:
    """Return the numbers that may be hidden, and the points of each turn."""
    return [
        *number_facts("number", 1, max),
        *successor_facts("next_number", max),
        *successor_facts("next_turn", turns),
        *falling_rewards(turns),
    ]


def falling_rewards(turns: int) -> list[str]:
    """Return 100 points for a success in the first turn, and evenly fewer in each later one."""
    rewards = [f"(reward {turn} {100 * (turns + 1 - turn) // turns})" for turn in range(1, turns + 1)]
    return [f"(last_turn {turns})", *rewards]


PUZZLES: dict[str, Family] = {
    "monty_hall": Family(
        name="monty_hall",
        summary="Choose a door; the host opens others that hide no car; stay or switch.",
        source=f"{JAIR}, figure 1",
        roles=("random", "contestant"),
        moves="in turn",
        nodes=43,
        parameters=(Parameter(name="doors", default=3, low=3, high=50, meaning="doors, one of them with the car"),),
        small={"doors": 3},
        full={"doors": 50},
        facts=monty_hall_facts,
        rules_file="monty_hall.kif",
    ),
    "exploding_bomb": Family(
        name="exploding_bomb",
        summary="Cut the wire a bomb was armed with; asking which one it was costs 10 of 100 points.",
        source=f"{JAIR}, section 6",
        roles=("random", "agent"),
        moves="in turn",
        nodes=15,
        rules_file="exploding_bomb.kif",
    ),
    "silos": Family(
        name="silos",
        summary="Guess in which of two silos a way that was open is; in one all ways are, in the other one is.",
        source=f"{JAIR}, figure 6",
        roles=("random", "guesser"),
        moves="in turn",
        parameters=(Parameter(name="ways", default=4, low=2, high=50, meaning="ways of each silo"),),
        small={"ways": 2},
        full={"ways": 50},
        facts=silo_facts,
        nodes=27,
        rules_file="silos.kif",
    ),
    "cooperative_spies": Family(
        name="cooperative_spies",
        summary="One spy sees which wire was armed and signals a colour, the other cuts a wire; both win or both lose.",
        source=f"{JAIR}, section 6.5",
        roles=("random", "spy1", "spy2"),
        moves="in turn",
        nodes=15,
        rules_file="cooperative_spies.kif",
    ),
    "guess_who": Family(
        name="guess_who",
        summary="Ask in turn about attributes of the opponent's secret character, or guess it and win or lose at once.",
        source=f"board game (1979); {JAIR}, table 1",
        roles=("random", "first", "second"),
        moves="in turn",
        nodes=998_601,
        parameters=(
            Parameter(name="characters", default=8, low=3, high=100, meaning="characters in the deck"),
            Parameter(name="attributes", default=4, low=1, high=30, meaning="attributes one can ask for, once each"),
        ),
        small={"characters": 4, "attributes": 2},
        full={"characters": 24, "attributes": 20},
        utility=WIN_OR_LOSE,
        facts=guess_who_facts,
        rules_file="guess_who.kif",
    ),
    "mastermind": Family(
        name="mastermind",
        summary="Break a hidden code of coloured pegs; each guess is answered by counts of black and white.",
        source=f"board game (1970); {JAIR}, table 1",
        roles=("random", "breaker"),
        moves="in turn",
        parameters=(
            Parameter(name="pegs", default=4, low=1, high=8, meaning="pegs of the code"),
            Parameter(name="colours", default=6, low=2, high=12, meaning="colours a peg may have"),
            Parameter(name="guesses", default=10, low=2, high=20, meaning="guesses before the game is lost"),
        ),
        small={"pegs": 2, "colours": 3, "guesses": 2},
        full={"pegs": 5, "colours": 8, "guesses": 12},
        facts=mastermind_facts,
        rules_file="mastermind.kif",
    ),
    "number_guessing": Family(
        name="number_guessing",
        summary="Ask whether a hidden number is less than another or announce it; the later, the less it pays.",
        source=f"{JAIR}, section 1.1",
        roles=("random", "guesser"),
        moves="in turn",
        parameters=(
            Parameter(name="max", default=16, low=2, high=1000, meaning="the largest number that may be hidden"),
            Parameter(name="turns", default=10, low=2, high=100, meaning="turns; the last one is for announcing"),
        ),
        small={"max": 4, "turns": 3},
        full={"max": 100, "turns": 20},
        facts=number_guessing_facts,
        rules_file="number_guessing.kif",
    ),
}
