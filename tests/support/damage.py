"""Damaged files of arrays: bytes changed, cut or added, numbers in the header or in the arrays changed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np

from veil.equilibrium.array_file import ALIGNMENT, DIGITS, MAGIC

BEGIN = len(MAGIC) + DIGITS + 1  # of the header
ODD: list[Any] = [
    None, True, -1, 0, 1, 2**31, 2**62, 2**63, 10**30, 1.5, 1e308, "", "x", "\0", "first", [], [[]], {}, [0] * 40,
    [2**40, 2**40], [0, 2**62], [1e300], ["a"], {"a": 1}, "<f4", "<i8", "<i4", "O", ">i4", [3, -1], [-1, -3], "random",
]  # fmt: skip


def split_file(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header of a file of arrays, and the bytes of its arrays."""
    length = int(data[len(MAGIC) : BEGIN - 1])
    return json.loads(data[BEGIN : BEGIN + length]), data[-(-(BEGIN + length) // ALIGNMENT) * ALIGNMENT :]


def join_file(header: Any, body: bytes) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    first = MAGIC + b"%0*d\n" % (DIGITS, len(text)) + text
    return first + bytes(-len(first) % ALIGNMENT) + body


def damage(data: bytes, rng: Random) -> bytes:
    """The same file with damage of some kind."""
    header, body = split_file(data)
    kind = rng.randrange(4)
    if kind < 2:
        for _ in range(rng.choice([1, 1, 2])):
            _change_entry(header, rng)
        return join_file(header, body)
    if kind == 2:
        numbers = np.frombuffer(body, "<i4").copy()
        for _ in range(rng.choice([1, 2, 5])):
            numbers[rng.randrange(len(numbers))] = rng.choice([-1, 0, 1, 2, 3, 2**31 - 1, -(2**31), rng.randrange(100)])
        return join_file(header, numbers.tobytes())
    changed = bytearray(data)
    for _ in range(rng.choice([1, 5, 50])):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed[: rng.randrange(len(changed))] if rng.random() < 0.3 else changed)


def _list_places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Everything that stands in some JSON: what holds it, and its key."""
    entries = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in entries:
        yield node, key
        yield from _list_places(value)


def _change_entry(header: dict[str, Any], rng: Random) -> None:
    places = list(_list_places(header))
    if not places:
        return
    holder, key = rng.choice(places)
    value = holder[key]
    if rng.random() < 0.2:
        del holder[key]
    elif isinstance(value, int) and rng.random() < 0.4:
        holder[key] = value + rng.choice([-64, -1, 1, 64])
    elif isinstance(value, list) and value and rng.random() < 0.4:
        value.append(deepcopy(rng.choice(value)))
    else:
        holder[key] = deepcopy(rng.choice(ODD))
