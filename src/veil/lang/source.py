"""A rules text with its name: bytes in, characters and places out."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from veil.errors import Place, fail

LONG_LINE = 160  # of a longer line, a message shows the part around the place


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a rules file and what it is called in messages."""

    name: str
    text: str
    _line_starts: list[int] = field(default_factory=list, compare=False, repr=False)

    def place(self, at: int) -> Place:
        """Line and column of a character offset."""
        if not self._line_starts:
            self._line_starts.append(0)
            self._line_starts.extend(i + 1 for i, char in enumerate(self.text) if char == "\n")
        line = bisect_right(self._line_starts, at)
        start = self._line_starts[line - 1]
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        shift = max(0, at - start - LONG_LINE // 2) if end - start > LONG_LINE else 0
        text = self.text[start + shift : min(end, start + shift + LONG_LINE)]
        return Place(self.name, line, at - start + 1, text.rstrip("\r"), shift)


def decode(data: bytes, name: str) -> Source:
    """Read bytes as UTF-8, else as Latin-1, in which every byte is a character; refuse what is no text at all."""
    if b"\0" in data:
        raise fail("binary-file", name=name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\n" not in text:
        text = text.replace("\r", "\n")  # line ends of old Macs
    return Source(name, text)
