"""`veil docs` names pages of the handbook."""

from __future__ import annotations

from tests.support.command import inside


def test_a_page_is_found_by_its_name_or_by_a_word() -> None:
    (page,) = inside("docs", "gdl", "--json").json["pages"]
    assert page["name"] == "how-to/gdl"
    assert len(inside("docs", "example", "--json").json["pages"]) > 1
    assert inside("docs", "--json").json["pages"][0]["name"] == "index"


def test_a_page_that_is_not_there_is_answered_with_the_nearest() -> None:
    found = inside("docs", "glosary")
    assert (found.code, "did you mean glossary" in found.err) == (2, True)
