"""Text from outside, made fit to be shown.

Rules, file names, specs and what players say may hold anything: escape sequences that steer a terminal, marks that turn
the direction of writing, words of a megabyte. Whatever shows such text passes it through here. Each character that is
not seen as itself stands as one that is, so that columns stay where they are.
"""

from __future__ import annotations

import re

MAX_WORD = 1000  # characters of a word in a result; the line below the head of a wide table is a word
MAX_DETAIL_WORD = 300  # of a word in a message
MAX_DETAIL = 2000  # of all that is filled into one place of a message
HEAD, TAIL = 0.6, 0.2  # of what a word may have is kept of its beginning and its end
PICTURES = 0x2400  # where Unicode has pictures of the control characters, in their order
DELETE, DELETE_PICTURE = 0x7F, "\u2421"
OTHER = "\ufffd"
# Controls but for tab and line feed; invisible signs of width, direction, joining and lines; tags.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def make_visible(text: str) -> str:
    """The same text with a visible character for each that is none; line feeds and tabs stay."""
    return UNSEEN.sub(lambda found: _draw(found.group()), text)


def show_text(text: str, longest: int = MAX_WORD) -> str:
    """A text of several lines to be shown: visible, and words longer than `longest` cut in their middle."""
    return re.sub(rf"\S{{{longest + 1},}}", lambda found: _cut(found.group(), longest), make_visible(text))


def show_detail(text: str) -> str:
    """A piece of text inside a message: visible, in one line, and cut."""
    shown = show_text(text, MAX_DETAIL_WORD).replace("\n", _draw("\n"))
    return shown if len(shown) <= MAX_DETAIL else f"{shown[:MAX_DETAIL]} ..."


def _draw(char: str) -> str:
    code = ord(char)
    if code < ord(" "):
        return chr(PICTURES + code)
    return DELETE_PICTURE if code == DELETE else OTHER


def _cut(word: str, longest: int) -> str:
    """A word of at most about `longest` characters; three dots stand for what is left out."""
    return f"{word[: int(HEAD * longest)]}...{word[-int(TAIL * longest) :]}"
