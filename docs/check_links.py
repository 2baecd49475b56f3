"""Check that the built site is whole: every link and picture inside it exists, and nothing is loaded from elsewhere.

`python docs/check_links.py FOLDER` prints what is wrong and ends with 1. The network is not used.
"""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}  # tags that load something
HARMLESS = {"canonical", "next", "prev", "index", "search", "author", "help"}  # kinds of `link` that load nothing


class LinkReader(HTMLParser):
    """The names, the links and the loaded things of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if given.get("id"):
            self.names.add(given["id"] or "")
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in HARMLESS:
            self.loaded.append(given[LOADED[tag]] or "")


def read_page(path: Path) -> LinkReader:
    """Return what a page links to."""
    reader = LinkReader()
    reader.feed(path.read_text(encoding="utf-8"))
    return reader


def find_faults(folder: Path) -> list[str]:
    """Return a line for every dead link and for everything that would be loaded from the network."""
    pages = {path.resolve(): read_page(path) for path in sorted(folder.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        faults += [f"{name}: loads {target}" for target in page.loaded if urlsplit(target).netloc]
        for target in (*page.links, *page.loaded):
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not file.exists():
                faults.append(f"{name}: there is no {target}")
            elif parts.fragment and file in pages and unquote(parts.fragment) not in pages[file].names:
                faults.append(f"{name}: there is no place {target}")
    return sorted(set(faults))


if __name__ == "__main__":
    found = find_faults(Path(sys.argv[1]))
    print("\n".join(found) or "all links lead somewhere, and nothing is loaded from elsewhere")
    sys.exit(bool(found))
