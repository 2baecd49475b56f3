"""Every page that shows Python is run: sessions as doctests, files it tells the reader to save as modules."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

from veil.belief import SAMPLERS
from veil.equilibrium import SOLVERS
from veil.games import FAMILIES
from veil.lang import NOTATIONS
from veil.players import PLAYERS
from veil.search import OPPONENTS

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(page for folder in ("extending", "how-to") for page in (ROOT / "docs" / folder).glob("*.md"))
PAGES.append(ROOT / "docs" / "explanation" / "boards.md")
NEEDS = {  # page -> what it can do nothing without
    "cluster": "distributed",
    "openspiel": "pyspiel",
    "gambit": "pyspiel",
}
FILE = re.compile(r"^```(?:python)?\n(?:#|;;;) (?P<name>\w+\.\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(autouse=True)
def _tables_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that a page adds are gone after it."""
    for table in (SAMPLERS, SOLVERS, PLAYERS, OPPONENTS):
        monkeypatch.setattr(table, "rows", dict(table.rows))


@pytest.mark.compiled("slow as Python", only=("cluster", "environments", "openspiel"))
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_is_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem in NEEDS:
        pytest.importorskip(NEEDS[page.stem], reason=f"{NEEDS[page.stem]} is not installed")
    text = page.read_text(encoding="utf-8")
    modules = []
    for match in FILE.finditer(text):
        (tmp_path / match["name"]).write_text(match["text"], encoding="utf-8")
        modules.append(Path(match["name"]).stem)
    monkeypatch.syspath_prepend(tmp_path)
    families, notations = set(FAMILIES), set(NOTATIONS)
    try:
        test = doctest.DocTestParser().get_doctest(text, {"folder": tmp_path}, page.name, str(page), 0)
        runner = doctest.DocTestRunner()
        output: list[str] = []
        runner.run(test, out=output.append)
    finally:
        for module in modules:
            sys.modules.pop(module, None)
        for name in set(FAMILIES) - families:
            del FAMILIES[name]
        for name in set(NOTATIONS) - notations:
            del NOTATIONS[name]
    assert runner.failures == 0, "".join(output)
    assert runner.tries > 0 or page.stem == "index", "a page without a session shows nothing"
