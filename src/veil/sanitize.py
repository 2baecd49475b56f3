"""Text from outside, made safe to show.

Rules, file names, specs and texts of players may contain anything: escape sequences that control a terminal, marks that
change the direction of writing, words of a megabyte. All code that shows such text passes it through here. Each
invisible character is replaced by one visible character, so that columns stay where they are.
"""

from __future__ import annotations

import re

MAX_WORD = 1000  # characters of a word in a result; the line below the head of a wide table is one word
MAX_DETAIL_WORD = 300  # of a word in a message
MAX_DETAIL = 2000  # characters of one detail in a message
HEAD, TAIL = 0.6, 0.2  # shares of a cut word that are kept of its beginning and its end
PICTURES = 0x2400  # start of Unicode's pictures of the control characters, in their order
DELETE, DELETE_PICTURE = 0x7F, "\u2421"
OTHER = "\ufffd"
# Controls but for tab and line feed; invisible signs of width, direction, joining and lines; tags.
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def make_visible(text: str) -> str:
    """Return the text with a visible character for each invisible one; line feeds and tabs stay."""
    return UNSEEN.sub(lambda found: _draw(found.group()), text)


def show_text(text: str, longest: int = MAX_WORD) -> str:
    """Return a text of several lines to be shown: visible, and words longer than `longest` cut in their middle."""
    return re.sub(rf"\S{{{longest + 1},}}", lambda found: _cut(found.group(), longest), make_visible(text))


def show_detail(text: str) -> str:
    """Return a text for the inside of a message: visible, in one line, and cut."""
    shown = show_text(text, MAX_DETAIL_WORD).replace("\n", _draw("\n"))
    return shown if len(shown) <= MAX_DETAIL else f"{shown[:MAX_DETAIL]} ..."


def _draw(char: str) -> str:
    code = ord(char)
    if code < ord(" "):
        return chr(PICTURES + code)
    return DELETE_PICTURE if code == DELETE else OTHER


def _cut(word: str, longest: int) -> str:
    """Return a word of at most about `longest` characters; three dots stand for the omitted part."""
    return f"{word[: int(HEAD * longest)]}...{word[-int(TAIL * longest) :]}"
