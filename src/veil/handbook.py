"""The handbook: the pages of the documentation as a site that comes with the package.

`make docs` builds the site into this package, where wheels have it. In a copy of the repository in which nobody has
built it, the pages are the Markdown files that it is made from.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SITE = HERE / "site"
SOURCES = HERE.parents[1] / "docs"
TITLE = re.compile(r"<title>(.*?)(?: - Veil[^<]*)?</title>|^# (.+)$", re.MULTILINE)
HEAD = 20_000  # characters of a page in which its title is looked for
NO_PAGES = {"genindex", "search"}  # of the site, that are made by Sphinx


class HandbookPage(NamedTuple):
    """A page: its name (`how-to/gdl`), its title, its file."""

    name: str
    title: str
    path: Path


def find_site() -> Path | None:
    """Return the folder of the built site; None if it is not there."""
    return SITE if (SITE / "index.html").is_file() else None


def list_pages() -> list[HandbookPage]:
    """Return all pages, of the site or of the repository, sorted by name; none if this installation has neither."""
    folder, suffix = (SITE, ".html") if find_site() else (SOURCES, ".md")
    paths = sorted(folder.rglob(f"*{suffix}")) if (folder / f"index{suffix}").is_file() else []
    pages = [_read_page(path, path.relative_to(folder).with_suffix("").as_posix()) for path in paths]
    return [page for page in pages if page.name not in NO_PAGES and not page.name.startswith("_")]


def find_pages(word: str) -> list[HandbookPage]:
    """Return the pages with a word in their name or title; the one that is called so stands first.

    If a word of some page begins with it, pages that have it inside a word are left out: `ten` is not in `extending`.
    """
    wanted = word.lower().removesuffix(".md").removesuffix(".html")
    pages = [(page, f"{page.name} {page.title}".lower()) for page in list_pages()]
    begin = [page for page, text in pages if re.search(rf"(?<!\w){re.escape(wanted)}", text)]
    found = begin or [page for page, text in pages if wanted in text]
    return sorted(found, key=lambda page: page.name.rpartition("/")[2] != wanted)


def _read_page(path: Path, name: str) -> HandbookPage:
    with path.open(encoding="utf-8") as file:
        found = TITLE.search(file.read(HEAD))
    return HandbookPage(name, (found[1] or found[2]).strip() if found else name, path)
