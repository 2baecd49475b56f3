"""All messages of Veil to the user, as data: code -> severity, what is wrong, how to repair it.

`veil.errors.problem` fills in the braces. A test holds one real text for every entry. `entry` (what a message is) <-
`rules`, `whole_games`, `matches`, `tools`, `findings` (the messages, by topic); `phrases` are words that are filled in.
"""

from __future__ import annotations

from veil._catalogue.entry import Entry, Severity
from veil._catalogue.findings import FINDINGS
from veil._catalogue.matches import MATCHES
from veil._catalogue.phrases import PHRASES
from veil._catalogue.rules import RULES
from veil._catalogue.tools import TOOLS
from veil._catalogue.whole_games import WHOLE_GAMES

CATALOGUE: dict[str, Entry] = RULES | WHOLE_GAMES | MATCHES | TOOLS | FINDINGS

__all__ = ["CATALOGUE", "PHRASES", "Entry", "Severity"]
