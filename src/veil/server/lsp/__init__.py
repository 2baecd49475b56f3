"""The language server for rules: `veil lsp` speaks the Language Server Protocol with an editor.

`language_server` answers its questions with the functions of `veil.editor`; `positions` turns places of a text into
those of the protocol, which counts in lines and 16-bit units, and back.
"""

from __future__ import annotations

from veil.faces import lazy_face

__getattr__, __dir__, __all__ = lazy_face(__name__, __file__)
