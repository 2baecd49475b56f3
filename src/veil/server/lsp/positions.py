"""Places of a text, counted in characters, and places of the protocol: a line, and 16-bit units from its begin."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

LINE_END = re.compile(r"\r\n|\n|\r")  # nothing else ends a line of the protocol


class LinePlace(NamedTuple):
    """A line, and the number of 16-bit units before the place in it; both count from 0."""

    line: int
    units: int


class TextLines:
    """The lines of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        ends = list(LINE_END.finditer(text))
        self.begins = [0, *(end.end() for end in ends)]
        self.ends = [*(end.start() for end in ends), len(text)]
        self._feeds = [0, *(end.end() for end in re.finditer("\n", text))]

    def find_place(self, offset: int) -> LinePlace:
        """Return the place of the character at an offset."""
        line = bisect_right(self.begins, offset) - 1
        before = self.text[self.begins[line] : offset]
        return LinePlace(line, len(before) + sum(ord(char) > 0xFFFF for char in before))

    def find_offset(self, line: int, units: int) -> int:
        """Return the offset of a place; of one beyond a line or the text, that of its end."""
        if line >= len(self.begins):
            return len(self.text)
        offset, end = self.begins[line], self.ends[line]
        while offset < end and units > 0:
            units -= 1 + (ord(self.text[offset]) > 0xFFFF)
            offset += 1
        return offset

    def find_line(self, number: int) -> int:
        """Return the offset at which a line begins that messages count: from 1, and ended by line feeds alone."""
        return self._feeds[number - 1]
