"""Bytes become characters, and offsets become lines and columns."""

import pickle

import pytest
from hypothesis import given, strategies as st

from veil.errors import VeilError
from veil.lang.source import Source, decode, join_sources


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"(role x)", "(role x)"),
        ("(role jürgen)".encode(), "(role jürgen)"),
        ("(role jürgen)".encode("latin-1"), "(role jürgen)"),
        (b"; caf\xe9\n(role x)", "; café\n(role x)"),
        (b"\xef\xbb\xbf(role x)", "(role x)"),
        ("(role jürgen)".encode("utf-16"), "(role jürgen)"),
        (b"\xfe\xff" + "(role x)".encode("utf-16-be"), "(role x)"),
        (b"(role x)\r\n", "(role x)\r\n"),
        (b"", ""),
    ],
)
def test_bytes_are_read_as_their_mark_of_byte_order_says_else_as_utf_8_or_latin_1(data: bytes, text: str) -> None:
    assert decode(data, "game.kif") == Source("game.kif", text)


@pytest.mark.parametrize("data", [b"\0", b"(role x)\0", "(role x)".encode("utf-16-le"), b"\x7fELF\x02\x01\x01\0\0\0"])
def test_zero_bytes_are_no_text(data: bytes) -> None:
    with pytest.raises(VeilError, match=r"game\.kif is not a text file"):
        decode(data, "game.kif")


@pytest.mark.parametrize(
    ("at", "line", "column", "text"),
    [
        (0, 1, 1, "(role x)"),
        (6, 1, 7, "(role x)"),
        (8, 1, 9, "(role x)"),  # the end of the line belongs to it
        (9, 2, 1, ""),
        (10, 3, 1, "\t(role y)"),
        (11, 3, 2, "\t(role y)"),
        (19, 3, 10, "\t(role y)"),  # the end of the text
    ],
)
def test_an_offset_is_a_line_and_a_column_that_count_from_one(at: int, line: int, column: int, text: str) -> None:
    place = Source("game.kif", "(role x)\n\n\t(role y)").place(at)
    assert place == ("game.kif", line, column, text, 0)
    assert str(place) == f"game.kif:{line}:{column}"


def test_lines_that_end_as_on_windows_have_the_same_places_and_no_trailing_sign() -> None:
    unix, windows = "(role x)\n(role y)\n", "(role x)\r\n(role y)\r\n"
    assert Source("f", windows).place(windows.index("y")) == Source("f", unix).place(unix.index("y"))


@given(st.text(alphabet="ab(\t\n", min_size=1, max_size=40), st.data())
def test_a_place_always_points_at_its_character(text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(text) - 1))
    place = Source("f", text).place(at)
    assert (place.text + "\n")[place.column - 1] == text[at]
    assert text.split("\n")[place.line - 1] == place.text
    above, below = place.caret().split("\n")
    assert below.index("^") == 4 + place.column - 1
    assert above[4:] == place.text.replace("\t", " ")


def test_of_a_very_long_line_the_caret_shows_what_is_near() -> None:
    text = "".join(f"(p {i:04})" for i in range(1000))
    above, below = Source("f", text).place(text.index("0500")).caret().split("\n")
    assert above[below.index("^") :].startswith("0500")
    assert len(above) < 200


def test_in_joined_files_every_place_is_that_of_its_own_file() -> None:
    files = [Source("a", "(p)\n(q)"), Source("b", ""), Source("c", "\n\t(r)\n")]
    joined = join_sources(files)
    for number, source in enumerate(files):
        begin = joined.parts[number].begin
        for at in range(len(source.text) + 1):  # the end of a file included
            assert joined.place(begin + at) == source.place(at)


def test_a_source_survives_pickling() -> None:
    joined = join_sources([Source("a", "(p)\n(q)"), Source("b", "(r)")])
    joined.place(3)
    copy = pickle.loads(pickle.dumps(joined))
    assert copy == joined
    assert copy.place(9) == joined.place(9)
