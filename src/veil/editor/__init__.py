"""What an editor of rules asks: problems, definitions, occurrences, new names, completions, explanations, layout.

All functions take the text as it stands, also while it is no game. `EditorText` cuts it into words, whatever stands
there; what needs a game (arguments and their values, who is told what) is left out while the text is none. The language
server (`veil.server.lsp`) and the studio can use the same functions.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
