"""A rules text with its name: bytes in, characters and places out. A game may be written in several files."""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from veil.errors import Place, fail

WEB_PAGE = re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
LONG_LINE = 160  # of a longer line, a message shows only the part around the place


class Part(NamedTuple):
    """One file of several that were joined."""

    begin: int  # offset of its first character, which begins a line
    name: str


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a game and what it is called in messages."""

    name: str
    text: str
    parts: tuple[Part, ...] = ()  # the files of a joined text; empty if there is one file
    transfer: bool = False  # gains of a POGDDL text are payments between two roles
    end_on_gain: bool = False  # a POGDDL game ends as soon as a role has gained
    _line_starts: list[int] = field(default_factory=list, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Source, (self.name, self.text, self.parts, self.transfer, self.end_on_gain)

    def place(self, offset: int) -> Place:
        """Return file, line and column of a character offset."""
        line = self._line_of(offset)
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        shift = max(0, offset - start - LONG_LINE // 2) if end - start > LONG_LINE else 0
        text = self.text[start + shift : min(end, start + shift + LONG_LINE)]
        name = self.name
        if self.parts:
            part = self.parts[bisect_right([part.begin for part in self.parts], offset) - 1]
            name, line = part.name, line - self._line_of(part.begin) + 1
        return Place(name, line, offset - start + 1, text.rstrip("\r"), shift)

    def _line_of(self, offset: int) -> int:
        """Return the line of an offset in the text as a whole, counted from 1."""
        if not self._line_starts:
            self._line_starts.append(0)
            self._line_starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        return bisect_right(self._line_starts, offset)


def join_sources(sources: Sequence[Source]) -> Source:
    """Join several files in their order into one source. It has the name of the first; places name their own file."""
    parts, begin = [], 0
    for source in sources:
        parts.append(Part(begin, source.name))
        begin += len(source.text) + 1
    return Source(sources[0].name, "\n".join(source.text for source in sources), tuple(parts))


def decode(data: bytes, name: str) -> Source:
    """Decode bytes as UTF-8, or else as Latin-1, in which every byte is a character.

    A mark of byte order at the start may also say that it is UTF-16. Refuse a file that is no text, and a web page.
    """
    try:
        text = data.decode("utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\0" in text:
        raise fail("binary-file", name=name)
    if WEB_PAGE.match(text):
        raise fail("web-page", name=name)
    if "\n" not in text:
        text = text.replace("\r", "\n")  # line ends of old Macs
    return Source(name, text)
