"""Some bundled games in POGDDL: a domain in `domains/`, and the problem that the parameters of the family make.

Read as a transfer, each is equal to its family, with the same infosets and payoffs; tests compare the two.
`veil games "gops(bids=2)" --pogddl` prints one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from itertools import pairwise, product

from veil.errors import fail
from veil.games.catalogue import parse_spec
from veil.games.families.hunts import FLEET
from veil.games.family import canonical_name

Lines = list[str]
DUEL = ["(opponent first second) (opponent second first)"]


def write_pogddl(spec: str) -> str:
    """Return the game of a text like `gops(bids=2, extra=0, deal=early)` in POGDDL: its domain and its problem."""
    name, values = parse_spec(spec)
    if name not in PROBLEMS:
        raise fail("no-pogddl", name=name, names=", ".join(PROBLEMS))
    domain = files("veil.games").joinpath("domains", f"{name}.pog").read_text(encoding="utf-8")
    objects, start = PROBLEMS[name](**values)
    lines = [f"; {canonical_name(name, values)}", f"(define (problem {name})", f"  (:domain {name.replace('_', '-')})"]
    lines += ["  (:objects", *(f"    {line}" for line in objects), "  )"]
    lines += ["  (:init", *(f"    {line}" for line in start), "  ))", ""]
    return "\n".join([domain, *lines])


def simple_poker_problem() -> tuple[Lines, Lines]:
    """Return the problem in which nature deals first."""
    return [], ["(whoseturn chance)", *DUEL, "(= (potsize) 1)"]


def gops_problem(bids: int, extra: int, deal: str) -> tuple[Lines, Lines]:
    """Return the deck, and a slot for each card that is dealt or laid down."""
    if deal != "early":
        raise fail("bad-parameter", game="gops", what="in POGDDL prizes are laid at the start", usage="deal=early")
    cards = [f"c{number}" for number in range(1, 3 * bids + extra + 1)]
    hands = [f"{role}{i}" for role in ("first", "second") for i in range(1, bids + 1)]
    prizes = [f"prize{i}" for i in range(1, bids + 1)]
    objects = [f"{' '.join(cards)} - card", f"{' '.join(hands)} - slot", f"{' '.join(prizes)} - prize-place"]
    start = ["(whoseturn chance)", *DUEL, f"(filling {hands[0]})", f"(turn-next {prizes[0]})"]
    start += [f"(deck {card})" for card in cards]
    start += [f"(= (value {card}) {number})" for number, card in enumerate(cards, 1)]
    start += [f"(owner {slot} {slot.rstrip('0123456789')})" for slot in hands]
    start += [f"(fill-after {after} {place})" for place, after in pairwise([*hands, *prizes, "table"])]
    start += [f"(turn-after {after} {place})" for place, after in pairwise([*prizes, "none"])]
    return objects, [*start, "(= (score first) 0) (= (score second) 0)"]


def racko_problem(slots: int, cards: int) -> tuple[Lines, Lines]:
    """Return the deck, and the slots in the order in which they are dealt."""
    deck = [f"c{number}" for number in range(1, cards + 1)]
    racks = {role: [f"{role}{i}" for i in range(1, slots + 1)] for role in ("first", "second")}
    order = [slot for pair in zip(*racks.values(), strict=True) for slot in pair]
    objects = [f"{' '.join(deck)} - card", f"{' '.join(order)} - slot"]
    start = ["(whoseturn chance) (phase dealing)", *DUEL, f"(dealt-next {order[0]})"]
    start += [f"(deck {card})" for card in deck]
    start += [f"(next-card {card} {after})" for card, after in pairwise(deck)]
    start += [f"(owner {slot} {role})" for role, rack in racks.items() for slot in rack]
    start += [f"(above {after} {slot})" for rack in racks.values() for slot, after in pairwise(rack)]
    start += [f"(deal-after {after} {place})" for place, after in pairwise([*order, "pile"])]
    return objects, [*start, f"(= (turns) {cards - 2 * slots - 1})"]


def battleship_problem(size: int, ships: int) -> tuple[Lines, Lines]:
    """Return the ships that fit the board in the order of placing, longest first, and the cells they can lie on."""
    names = [name for name, length in FLEET.items() if length <= size][:ships][::-1]
    indices = range(1, size + 1)
    objects = [f"{' '.join(names)} - ship", f"{' '.join(f'i{i}' for i in indices)} - index"]
    start = ["(whoseturn red)", "(opponent red blue) (opponent blue red)", f"(phase {names[0]})"]
    start += [f"(next-phase {after} {phase})" for phase, after in pairwise([*names, "shooting"])]
    for name, (direction, right, down), x, y in product(names, (("across", 1, 0), ("down", 0, 1)), indices, indices):
        steps = range(FLEET[name])
        if max(x + right * steps[-1], y + down * steps[-1]) <= size:
            place = f"{name} {direction} i{x} i{y}"
            start.append(f"(spot {place})")
            start += [f"(covers {place} i{x + right * step} i{y + down * step})" for step in steps]
    return objects, start


PROBLEMS: dict[str, Callable[..., tuple[Lines, Lines]]] = {
    "simple_poker": simple_poker_problem,
    "gops": gops_problem,
    "racko": racko_problem,
    "battleship": battleship_problem,
}
