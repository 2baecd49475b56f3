"""The pages that come with the package: of the built site where it is there, else of the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from veil import handbook
from veil.handbook import find_pages, find_site, list_pages


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "how-to").mkdir()
    for name, title in (("index", "Veil"), ("how-to/gdl", "GDL-II by example"), ("genindex", "Index")):
        (tmp_path / f"{name}.html").write_text(f"<html><head><title>{title} - Veil 1.0</title></head></html>")
    monkeypatch.setattr(handbook, "SITE", tmp_path)
    return tmp_path


def test_a_built_site_is_read(site: Path) -> None:
    assert find_site() == site
    assert [(page.name, page.title) for page in list_pages()] == [
        ("how-to/gdl", "GDL-II by example"),
        ("index", "Veil"),
    ]


def test_without_a_site_the_pages_of_the_repository_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(handbook, "SITE", tmp_path / "none")
    assert find_site() is None
    titles = {page.name: page.title for page in list_pages()}
    assert titles["how-to/gdl"] == "GDL-II by example"
    monkeypatch.setattr(handbook, "SOURCES", tmp_path)
    assert list_pages() == []


def test_pages_are_found_by_a_word_of_their_name_or_title(site: Path) -> None:
    assert [page.name for page in find_pages("example")] == ["how-to/gdl"]
    assert [page.name for page in find_pages("GDL.md")] == ["how-to/gdl"]
    assert find_pages("poker") == []


def test_a_word_inside_another_one_is_found_only_if_no_word_begins_with_it(site: Path) -> None:
    (site / "extending.html").write_text("<title>Extending - Veil 1.0</title>")
    assert [page.name for page in find_pages("ten")] == ["extending"]
    (site / "ten-minutes.html").write_text("<title>Ten minutes - Veil 1.0</title>")
    assert [page.name for page in find_pages("ten")] == ["ten-minutes"]
