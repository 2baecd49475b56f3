"""`veil docs`: the pages of the documentation that come with the package."""

from __future__ import annotations

import sys
import webbrowser
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from veil.cli.call import Call, command
from veil.errors import did_you_mean, fail
from veil.handbook import find_pages, find_site, list_pages

if TYPE_CHECKING:
    from veil.handbook import HandbookPage

Word = Annotated[str | None, typer.Argument(metavar="[PAGE]", help="A word of the page's name or title.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print where the pages are, and do not open them.")]


@command
def docs(call: Call, page: Word = None, no_browser: NoBrowser = False) -> None:
    """Open the documentation in the browser, or list its pages that have a word in their name or title.

    One page is opened on a terminal; without a browser, and for several pages, their files are printed.
    """
    pages = _choose(page)
    if len(pages) == 1 and find_site() is not None and not (no_browser or call.json) and sys.stdout.isatty():
        with suppress(webbrowser.Error, OSError):
            webbrowser.open(pages[0].path.as_uri())
    call.answer(
        lambda: {"pages": [{"name": one.name, "title": one.title, "path": str(one.path)} for one in pages]},
        lambda: "\n".join(f"{one.title}\n    {one.path}" for one in pages),
    )


def _choose(word: str | None) -> list[HandbookPage]:
    """Return the pages that a word names; without one, the first page of all."""
    known = list_pages()
    if not known:
        raise fail("no-handbook")
    if word is None:
        return [page for page in known if page.name == "index"]
    found = find_pages(word)
    if not found:
        near = did_you_mean(word, [page.name.rpartition("/")[2] for page in known])
        raise fail("unknown-page", name=word, near=near)
    is_named = found[0].name.rpartition("/")[2] == word.lower()
    return found[:1] if is_named else found
