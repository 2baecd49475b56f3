from pathlib import Path

import pytest

from veil.errors import VeilError
from veil.server.web.host.library import Library


def test_what_is_saved_is_there_under_its_name(tmp_path: Path) -> None:
    library = Library(tmp_path / "games", 10)
    assert library.names() == []
    library.save("b_game", "one")
    library.save("a.game-2", "two")
    library.save("b_game", "three")
    assert library.names() == ["a.game-2", "b_game"]
    assert library.read("b_game").text == "three"
    library.delete("b_game")
    library.delete("b_game")
    assert library.names() == ["a.game-2"]


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", ".hidden", "a\0b", "x" * 61, "-x", "a b", "é"])
def test_a_name_that_could_lead_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    library = Library(tmp_path / "games", 10)
    for work in (lambda: library.save(name, "text"), lambda: library.read(name), lambda: library.delete(name)):
        with pytest.raises(VeilError, match="cannot be the name"):
            work()


def test_a_full_library_takes_no_more_but_still_changes_what_it_has(tmp_path: Path) -> None:
    library = Library(tmp_path, 2)
    library.save("a", "")
    library.save("b", "")
    with pytest.raises(VeilError, match="2 saved rules already"):
        library.save("c", "")
    library.save("a", "new")
    assert library.read("a").text == "new"


def test_the_file_of_the_command_line_is_first_and_is_saved_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "mine.kif"
    file.write_text("old")
    library = Library(tmp_path / "games", 10, file)
    assert library.names() == ["mine.kif"]
    library.save("mine.kif", "new")
    assert file.read_text() == "new"
    with pytest.raises(VeilError, match="no saved rules"):
        library.delete("mine.kif")
    assert file.exists()


def test_rules_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VeilError, match="no saved rules called nothing"):
        Library(tmp_path, 10).read("nothing")


def test_rules_that_another_page_has_saved_since_are_not_replaced_unasked(tmp_path: Path) -> None:
    library = Library(tmp_path, 10)
    opened = library.save("a", "one")
    assert library.read("a") == opened
    mine = library.save("a", "two", overwrites=False, version=opened.version)
    with pytest.raises(VeilError, match="rules called a already"):
        library.save("a", "three", overwrites=False, version=opened.version)
    library.save("a", "two", overwrites=False)  # the same rules
    library.save("a", "three", overwrites=True, version=mine.version)
    assert library.read("a").text == "three"
