"""`veil lsp`: a language server for editors: problems as one types, names explained, found and renamed."""

from __future__ import annotations

from importlib.util import find_spec

from veil.cli.call import Call, command
from veil.errors import fail


@command
def lsp(call: Call) -> None:
    """Answer an editor on standard input and output, in the Language Server Protocol.

    An editor starts this command by itself; docs/how-to/editors.md says how.
    """
    if find_spec("pygls") is None:
        raise fail("no-pygls")
    from veil.server.lsp import serve_editor  # imports an optional package

    serve_editor()
