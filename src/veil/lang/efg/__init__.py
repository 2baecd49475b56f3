"""Gambit's .efg files: game trees, read as rules whose state is the node.

The steps: `tokens` -> `reader` (the tree with its infosets) -> `order` (perfect recall, and a round for every infoset)
-> `words` (names fit for rules) -> `translation` (statements).
"""

from veil.lang.efg.notation import detect as detect, parse as parse
from veil.lang.efg.words import NOOP as NOOP, name_apart as name_apart, plain_word as plain_word
