"""Kernels that write the output of games: rows of lanes become arrays with a game to a row.

1. A chunk of 64 rows is transposed: a word per game.
2. The bits of a field in that word are written with one store: as they are, as bytes, or as floats.
3. Arrays have no gaps. What a store writes beyond the end of a field belongs to the next game, which is written later;
   after the last game there is room for it. A field of several chunks is written from its last chunk to its first,
   because all but the last are full and write nothing beyond themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir

from veil.compat.intrinsics import write_effect
from veil.engine.lanes import LANES, Int, array_at, intrinsic, kernel, unpack
from veil.environments.lane_kernels import WIDTH, block_at, row_at, turn_rows
from veil.environments.vector_layout import BYTES, CHUNK, FLOATS, PACKED

FLOAT_LANES = 16  # floats of one store


def make_store(bits: int, dtype: Any) -> Callable[[np.uint64, np.uint64], None]:
    """Return f(target, word): write the lowest bits of a word as entries at an address, which need not be aligned."""
    entry, cast = (ir.FloatType(), "uitofp") if dtype is np.float32 else (ir.IntType(8), "zext")

    def in_python(target: np.uint64, word: np.uint64) -> None:
        array_at(target, bits, dtype)[:] = unpack(np.array([[word]]), bits)[0]

    @intrinsic(in_python)
    def store(typing_context: Any, target: Any, word: Any) -> Any:
        def write(builder: Any, target: Any, word: Any) -> None:
            low = builder.trunc(word, ir.IntType(bits)) if bits < 64 else word
            kind = ir.VectorType(entry, bits)
            entries = getattr(builder, cast)(builder.bitcast(low, ir.VectorType(ir.IntType(1), bits)), kind)
            builder.store(entries, builder.inttoptr(target, kind.as_pointer()), align=1)

        return write_effect(2, write)

    return store


store_16_bytes = make_store(16, np.uint8)
store_32_bytes = make_store(32, np.uint8)
store_64_bytes = make_store(64, np.uint8)
store_16_floats = make_store(FLOAT_LANES, np.float32)


def _store_word(target: np.uint64, word: np.uint64) -> None:
    array_at(target, 1, np.uint64)[0] = word


@intrinsic(_store_word)
def store_word(typing_context: Any, target: Any, word: Any) -> Any:
    """Write 8 bytes to an address, aligned or not."""

    def write(builder: Any, target: Any, word: Any) -> None:
        builder.store(word, builder.inttoptr(target, ir.IntType(64).as_pointer()), align=1)

    return write_effect(2, write)


@kernel
def entry_size(form: Int, bits: Int) -> np.int64:
    """Return the number of bytes of `bits` bits in a form; packed, whole bytes."""
    if form == PACKED:
        return np.int64((bits + 7) // 8)
    return np.int64(4 * bits if form == FLOATS else bits)


@kernel
def write_fields(shown: np.ndarray, count: Int, fields: np.ndarray, targets: np.ndarray) -> None:
    """Write the output of `count` games [B, rows, W] to arrays.

    Fields [F, 4] as `ShownField`, targets [F] addresses.
    """
    square = np.empty((CHUNK, WIDTH), np.uint64)
    for block in range(len(shown)):
        first = block * LANES
        games = min(LANES, count - first)
        for chunk in range(shown.shape[1] // CHUNK - 1, -1, -1):
            turn_rows(row_at(block_at(shown, block), CHUNK * chunk), CHUNK, square)
            for field in range(len(targets)):
                row, bits, form = fields[field, 0], fields[field, 1], fields[field, 2]
                skipped = CHUNK * chunk - row  # bits of the field in earlier chunks; negative: rows before the field
                if -CHUNK < skipped < bits:
                    width = entry_size(form, bits)
                    target = targets[field] + np.uint64(first * width + entry_size(form, max(skipped, 0)))
                    shift, left = max(-skipped, 0), min(bits - max(skipped, 0), CHUNK)
                    write_words(square, games, target, width, shift, left, form)


@kernel
def write_words(
    square: np.ndarray, games: Int, target: np.uint64, width: Int, shift: Int, bits: Int, form: Int
) -> None:
    """Write bits [shift, shift + bits) of every game's word in square [64, W]; a game's row has `width` bytes."""
    move, step = np.uint64(shift), np.uint64(width)
    mask = ~np.uint64(0) if bits >= 64 else (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for w in range(WIDTH):
        lanes = min(64, games - 64 * w)
        if form == PACKED:
            for lane in range(lanes):
                store_word(target, (square[lane, w] >> move) & mask)
                target += step
        elif form == BYTES and bits <= 16:
            for lane in range(lanes):
                store_16_bytes(target, square[lane, w] >> move)
                target += step
        elif form == BYTES and bits <= 32:
            for lane in range(lanes):
                store_32_bytes(target, square[lane, w] >> move)
                target += step
        elif form == BYTES and bits <= 48:
            for lane in range(lanes):
                word = square[lane, w] >> move
                store_32_bytes(target, word)
                store_16_bytes(target + np.uint64(32), word >> np.uint64(32))
                target += step
        elif form == BYTES:
            for lane in range(lanes):
                store_64_bytes(target, square[lane, w] >> move)
                target += step
        else:
            for lane in range(lanes):
                write_floats(target, square[lane, w] >> move, bits)
                target += step


@kernel
def write_floats(target: np.uint64, word: np.uint64, bits: Int) -> None:
    """Write the lowest bits of a word as floats, 16 at a time."""
    for _ in range((bits + FLOAT_LANES - 1) // FLOAT_LANES):
        store_16_floats(target, word)
        target += np.uint64(4 * FLOAT_LANES)
        word >>= np.uint64(FLOAT_LANES)


@kernel
def write_records(record: np.ndarray, field: np.ndarray, target: np.uint64) -> None:
    """Write the last rounds of one role, record [N, words], to an array at an address; field [4] as `ShownField`."""
    first, bits, form, pieces = field[0], field[1], field[2], field[3]
    words = (bits + 63) // 64
    for game in range(len(record)):
        for piece in range(pieces):
            begin = first + piece * words
            for i in range(words):
                left = min(64, bits - 64 * i)
                word = record[game, begin + i]
                if form == PACKED:
                    store_word(target, word)
                elif form == BYTES:
                    store_64_bytes(target, word)
                else:
                    write_floats(target, word, left)
                target += np.uint64(entry_size(form, left))


@kernel
def read_lanes(values: np.ndarray, first: Int, count: Int, rows: np.ndarray) -> None:
    """Write rows [first, first + count) of values [B, slots, W] to packed rows [N, words], one per game (changed)."""
    square = np.empty((CHUNK, WIDTH), np.uint64)
    for block in range(len(values)):
        games = min(LANES, len(rows) - block * LANES)
        for chunk in range((count + CHUNK - 1) // CHUNK):
            turn_rows(row_at(block_at(values, block), first + CHUNK * chunk), count - CHUNK * chunk, square)
            for lane in range(games):
                rows[block * LANES + lane, chunk] = square[lane % 64, lane // 64]
