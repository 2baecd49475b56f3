"""Files that people name: what is refused, when, and what is left behind."""

from __future__ import annotations

import io
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.support.command import PATIENCE
from tests.support.processes import WITH_CTRL_C
from veil import files
from veil.errors import VeilError, fail
from veil.files import (
    Output,
    check_folder,
    check_writable,
    decode_json,
    fingerprint,
    read_bytes,
    read_text,
    reason_of,
    result_folder,
    write_bytes,
    write_text,
)
from veil.sanitize import show_detail

FULL = Path("/dev/full")
NO_FULL = pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")


def message(call: Callable[[], object]) -> str:
    """The one message by which a call is refused."""
    with pytest.raises(VeilError) as caught:
        call()
    assert len(caught.value.problems) == 1
    return caught.value.problems[0].message


def listing(folder: Path) -> list[str]:
    """All that is in a folder, hidden files too."""
    return sorted(os.listdir(folder))


# Reading


def test_a_file_is_read_as_bytes_and_as_text_without_its_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xef\xbb\xbfgr\xc3\xbc\xc3\x9fe\r\n")
    assert read_bytes(path) == path.read_bytes()
    assert read_text(str(path)) == "gr\N{LATIN SMALL LETTER U WITH DIAERESIS}\N{LATIN SMALL LETTER SHARP S}e\r\n"


def test_a_file_may_be_as_large_as_the_limit_and_no_larger(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10)
    assert read_bytes(path, limit=10) == b"x" * 10
    assert message(lambda: read_bytes(path, limit=9)) == f"cannot read {path}: it has more than 9 bytes"
    path.write_bytes(b"x" * (2**20 + 1))
    assert message(lambda: read_bytes(path, limit=2**20)) == f"cannot read {path}: it is larger than 1 MB"


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path in (fifo, Path("/dev/null"), Path("/dev/zero")):
        assert message(partial(read_bytes, path)).endswith("it is a device or a pipe, not a regular file")
    assert message(lambda: read_bytes(tmp_path)) == f"cannot read {tmp_path}: Is a directory"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nowhere", "No such file or directory"),
        ("file/below", "Not a directory"),
        ("x" * 5000, "File name too long"),
        ("a\0b", "this is not the name of a file"),
        ("", "No such file or directory"),
    ],
)
def test_a_name_without_a_file_is_refused(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert message(lambda: read_bytes(name)) == f"cannot read {show_detail(name)}: {reason}"


def test_bytes_that_are_no_utf_8_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"\xff\xfe\x00")
    assert message(lambda: read_text(path)) == f"cannot read {path}: not a text file"


def test_the_caller_says_how_a_file_is_refused(tmp_path: Path) -> None:
    def refuse(name: str, what: str) -> VeilError:
        return fail("bad-record", name=name, what=what)

    nowhere = str(tmp_path / "nowhere")
    assert message(lambda: read_text(nowhere, refuse=refuse)) == f"{nowhere}: No such file or directory"


@pytest.mark.parametrize("stream", [io.TextIOWrapper(io.BytesIO(b"[1]\n")), io.StringIO("[1]\n")])
def test_a_dash_is_standard_input(stream: io.TextIOBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", stream)
    assert read_text("-") == "[1]\n"


def test_standard_input_has_a_limit_too_and_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * 100)))
    assert "it has more than 10 bytes" in message(lambda: read_bytes("-", limit=10))
    monkeypatch.setattr("sys.stdin", None)
    assert message(lambda: read_bytes("-")) == "cannot read -: standard input is closed"
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr("sys.stdin", closed)
    assert message(lambda: read_bytes("-")) == "cannot read -: standard input is closed"


# JSON


class Pair(msgspec.Struct):
    name: str
    numbers: list[int] = []


def refuse_json(name: str, what: str) -> VeilError:
    return fail("bad-record", name=name, what=what)


def test_json_becomes_a_typed_structure() -> None:
    assert decode_json('{"name": "a", "numbers": [1, 2]}', Pair, "x.json", refuse_json) == Pair("a", [1, 2])
    assert decode_json(b'{"name": "a"}', Pair, "x.json", refuse_json) == Pair("a")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "not JSON: Expecting value: line 1 column 1 (char 0)"),
        ('{"name": "a",\n "numbers": ', "not JSON: Expecting value: line 2 column 13 (char 26)"),
        ("[" * 100_000, "not JSON: nested too deep"),
        ('{"a": ' * 100_000, "not JSON: nested too deep"),
        ('{"name": NaN}', "not JSON: JSON is malformed: invalid character (byte 9)"),
        ('{"name": 1}', "Expected `str`, got `int` - at `$.name`"),
        ("{}", "Object missing required field `name`"),
        ("[]", "Expected `object`, got `array`"),
    ],
    ids=lambda value: value[:20],
)
def test_what_is_no_json_or_of_another_shape_is_refused_with_its_place(text: str, what: str) -> None:
    assert message(lambda: decode_json(text, Pair, "x.json", refuse_json)) == f"x.json: {what}"
    assert message(lambda: decode_json(text.encode(), Pair, "x.json", refuse_json)) == f"x.json: {what}"


def test_only_the_shape_is_put_into_other_words() -> None:
    def describe(what: str) -> str:
        return f"<{what}>"

    for text, shown in (("[]", "<Expected `object`, got `array`>"), ("[", "not JSON: Expecting")):
        assert message(partial(decode_json, text, Pair, "x", refuse_json, describe)).startswith(f"x: {shown}")


# Writing


def test_a_file_takes_its_place_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with Output(path) as output:
        output.write("new ")
        output.write(b"bytes")
        assert path.read_text() == "old"
        output.keep()
        output.write(", and more")
    assert path.read_text() == "new bytes, and more"
    assert listing(tmp_path) == ["file"]


def write_and_be_interrupted(path: Path, *, keep: bool) -> None:
    with Output(path) as output:
        output.write("new")
        if keep:
            output.keep()
        raise KeyboardInterrupt


@pytest.mark.parametrize("old", [None, "old"])
def test_without_a_word_to_keep_it_nothing_changes(old: str | None, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if old is not None:
        path.write_text(old)
    with Output(path) as output:
        output.write("new")
    with pytest.raises(KeyboardInterrupt):
        write_and_be_interrupted(path, keep=False)
    assert listing(tmp_path) == ([] if old is None else ["file"])
    assert old is None or path.read_text() == old


def test_what_was_kept_survives_whatever_comes_later(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_and_be_interrupted(tmp_path / "file", keep=True)
    assert (tmp_path / "file").read_text() == "new"
    assert listing(tmp_path) == ["file"]


def test_two_outputs_at_once_do_not_meet(tmp_path: Path) -> None:
    with Output(tmp_path / "a") as one, Output(tmp_path / "b") as two:
        for output, text in ((one, "1"), (two, "2")):
            output.write(text)
            output.keep()
    assert [(tmp_path / name).read_text() for name in "ab"] == ["1", "2"]


def test_a_link_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link, new = tmp_path / "folder" / "target", tmp_path / "link", tmp_path / "new link"
    target.write_text("old")
    link.symlink_to(target)
    new.symlink_to("folder/nothing yet")
    write_text(link, "one")
    write_text(new, "two")
    assert link.is_symlink()
    assert new.is_symlink()
    assert (target.read_text(), (tmp_path / "folder" / "nothing yet").read_text()) == ("one", "two")
    assert listing(tmp_path / "folder") == ["nothing yet", "target"]


def test_the_mode_of_a_file_is_kept_and_a_new_one_has_the_usual(tmp_path: Path) -> None:
    secret, usual = tmp_path / "secret", tmp_path / "usual"
    secret.touch(mode=0o600)
    secret.chmod(0o640)
    usual.touch()
    write_text(secret, "x")
    write_text(tmp_path / "new", "x")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o640
    assert (tmp_path / "new").stat().st_mode == usual.stat().st_mode


def test_a_device_is_written_through_and_stays(tmp_path: Path) -> None:
    write_text("/dev/null", "x")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    link = tmp_path / "null"
    link.symlink_to("/dev/null")
    write_text(link, "x")
    assert listing(tmp_path) == ["null"]


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    fifo, received = tmp_path / "fifo", list[bytes]()
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: received.append(fifo.read_bytes()))
    reader.start()
    write_text(fifo, "all of it")
    reader.join(10)
    assert received == [b"all of it"]
    assert listing(tmp_path) == ["fifo"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (".", "Is a directory"),
        ("folder", "Is a directory"),
        ("no/such/folder", "No such file or directory"),
        ("file/below", "Not a directory"),
        ("/proc/self/new", "No such file or directory"),
        ("x" * 5000, "File name too long"),
        ("loop", "Too many levels of symbolic links"),
        ("a\0b", "this is not the name of a file"),
        ("", "this is not the name of a file"),
        (" ", "this is not the name of a file"),
    ],
)
@pytest.mark.parametrize("opened", [Output, check_writable], ids=["opened", "checked"])
def test_what_cannot_be_written_is_refused_at_once(
    opened: Callable[[str], object], name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("file").write_text("old")
    Path("loop").symlink_to("loop")
    assert message(lambda: opened(name)) == f"cannot write {show_detail(name.strip()) or '(nothing)'}: {reason}"
    assert listing(tmp_path) == ["file", "folder", "loop"]
    assert listing(tmp_path / "folder") == []


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    os.mkfifo(tmp_path / "fifo")
    for name in ("old", "new", "fifo"):  # a pipe that nobody reads would make it wait
        check_writable(tmp_path / name)
    check_writable("/dev/null")
    assert listing(tmp_path) == ["fifo", "old"]
    assert (tmp_path / "old").read_text() == "old"


@NO_FULL
def test_a_full_device_is_one_message() -> None:
    assert message(lambda: write_text(FULL, "x")) == "cannot write /dev/full: No space left on device"


@NO_FULL
def test_a_disk_that_is_full_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file beside the target is on a full disk: every write to it fails."""
    path = tmp_path / "file"
    path.write_text("old")
    output = Output(path)
    monkeypatch.setattr(files, "open_part", lambda folder, private=False: (folder / "part", FULL.open("wb")))

    def write() -> None:
        with output:
            output.write("new")
            output.keep()

    assert message(write) == f"cannot write {path}: No space left on device"
    assert path.read_text() == "old"
    assert listing(tmp_path) == ["file"]


def test_a_folder_that_comes_in_between_is_one_message(tmp_path: Path) -> None:
    path = tmp_path / "file"

    def write() -> None:
        with Output(path) as output:
            output.write("new")
            output.keep()
            path.mkdir()

    assert message(write) == f"cannot write {path}: Is a directory"
    assert listing(tmp_path) == ["file"]


def test_text_that_utf_8_cannot_hold_is_escaped(tmp_path: Path) -> None:
    write_text(tmp_path / "file", "a\udcffb")
    assert (tmp_path / "file").read_text() == "a\\udcffb"
    write_bytes(tmp_path / "file", b"\xff")
    assert (tmp_path / "file").read_bytes() == b"\xff"


def test_nothing_is_beside_the_place_until_something_is_written(tmp_path: Path) -> None:
    """Wherever a process is killed before its first result, nothing is left."""
    with Output(tmp_path / "file") as output:
        assert listing(tmp_path) == []
        output.write("x")
        assert len(listing(tmp_path)) == 1
    assert listing(tmp_path) == []


@NO_FULL
def test_what_was_kept_before_the_disk_was_full_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"

    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            if len(data) > 3:  # half of it fits
                super().write(data[:2])
                raise OSError(28, "No space left on device")
            return super().write(data)

    monkeypatch.setattr(files, "open_part", lambda folder, private=False: (folder / "part", Full(folder / "part", "w")))

    def write() -> None:
        with Output(path) as output:
            output.write("one")
            output.keep()
            output.write("two and more")
            output.keep()

    assert message(write) == f"cannot write {path}: No space left on device"
    assert path.read_text() == "one"
    assert listing(tmp_path) == ["file"]


# Ended at some moment of writing: by itself, without another step, or as a command that hears a signal.
WRITES = """
import os, signal, sys, time
from pathlib import Path
from veil import files, signals

moment, how, name = sys.argv[1:]
signals.listen()

def then_end(call):
    def called(*values, **options):
        result = call(*values, **options)
        os.kill(os.getpid(), signal.SIGKILL if how == "SIGKILL" else signal.SIGTERM)
        time.sleep(60)
        return result
    return called

class Ended(Path(name).__class__):
    replace = then_end(Path.replace) if moment == "replace" else Path.replace

if moment == "open":
    files.open_part = then_end(files.open_part)
files.Path = Ended
with files.Output(name) as output:
    output.write("new, kept")
    output.keep()
    if moment == "kept":
        then_end(output.write)(", and not kept")
"""


@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("moment", ["open", "kept", "replace"])
def test_an_end_at_any_moment_leaves_the_old_file_or_the_new_one(moment: str, how: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    words = [sys.executable, "-c", WITH_CTRL_C, sys.executable, "-c", WRITES, moment, how, str(path)]
    done = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == (-signal.SIGKILL if how == "SIGKILL" else 128 + signal.SIGTERM), done.stderr
    kept = {"open": "old", "replace": "new, kept", "kept": "old" if how == "SIGKILL" else "new, kept"}
    assert path.read_text() == kept[moment]
    if how == "SIGTERM" and moment != "open":
        assert listing(tmp_path) == ["file"]
    check_writable(tmp_path / "another")  # whoever writes next removes what was left
    assert listing(tmp_path) == ["file"]


def test_the_file_beside_of_a_process_that_lives_is_left_alone(tmp_path: Path) -> None:
    with Output(tmp_path / "one") as output:
        output.write("half")
        (beside,) = tmp_path.iterdir()
        write_text(tmp_path / "two", "all")
        assert {beside.name, "two"} == set(listing(tmp_path))
        output.keep()
    assert listing(tmp_path) == ["one", "two"]


def test_a_file_beside_that_was_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process may look at it between the moments when it is made and locked."""
    lock = files._lock
    looks: list[int] = []

    def look_first(file: Any, **options: Any) -> bool:
        if not looks:
            looks.append(1)
            (beside,) = tmp_path.iterdir()
            beside.unlink()
        return lock(file, **options)

    monkeypatch.setattr(files, "_lock", look_first)
    path, file = files.open_part(tmp_path)
    with file:
        assert os.path.samestat(os.fstat(file.fileno()), path.stat())


def test_our_own_standard_output_is_written_through_and_not_replaced(tmp_path: Path) -> None:
    """`--policy-out /dev/stdout > file` must not take the file from under the other lines."""
    code = "from veil.files import write_text; print('a', flush=True); write_text('/dev/stdout', 'b'); print('c')"
    out = tmp_path / "out"
    with out.open("wb") as stream:
        subprocess.run([sys.executable, "-c", code], stdout=stream, check=True)
    assert out.read_text() == "a\nbc\n"


def test_a_pipe_that_nobody_reads_or_writes_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PARTNER_SECONDS", 0.1)
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert message(lambda: write_text(fifo, "x")) == f"cannot write {fifo}: no process reads from this pipe"
    assert message(lambda: read_bytes(fifo, regular=False)) == f"cannot read {fifo}: no process writes to this pipe"
    assert message(lambda: read_bytes(fifo)).endswith("it is a device or a pipe, not a regular file")


def test_a_pipe_is_read_to_its_end_where_that_is_wanted(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=lambda: fifo.write_bytes(b"all of it" * 100_000))
    writer.start()
    assert read_bytes(fifo, regular=False) == b"all of it" * 100_000
    writer.join(10)
    writer = threading.Thread(target=lambda: message(lambda: read_bytes(fifo, 10, regular=False)))
    writer.start()
    with suppress(BrokenPipeError):
        fifo.write_bytes(b"too much" * 10)
    writer.join(10)
    assert not writer.is_alive()


def test_a_file_that_is_too_large_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    monkeypatch.setattr(Path, "open", None)
    assert message(lambda: read_bytes(path)) == f"cannot read {path}: it is larger than 256 MB"


# Folders for results


@pytest.mark.parametrize("name", ["new", "new/deep/er", "folder", "."])
def test_a_folder_is_checked_without_making_it(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    check_folder(name)
    assert listing(tmp_path) == ["folder"]
    assert listing(tmp_path / "folder") == []


def test_a_folder_for_results_is_made(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    assert result_folder(str(folder)) == folder
    assert result_folder(str(folder)) == folder
    assert listing(folder) == []


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "this is not a folder"),
        ("file", "this is not a folder"),
        ("file/below", "Not a directory"),
        ("/proc/self/results", "No such file or directory"),
        ("a\0b", "embedded null byte"),
    ],
)
def test_a_folder_that_cannot_be_written_is_refused(
    name: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    assert message(lambda: check_folder(name)).startswith(f"cannot write {show_detail(name) or '(nothing)'}: ")
    assert message(lambda: result_folder(name)) == f"cannot write {show_detail(name) or '(nothing)'}: {reason}"
    assert listing(tmp_path) == ["file"]


# The rest


def test_the_reason_of_a_failure_is_what_the_system_says() -> None:
    assert reason_of(FileNotFoundError(2, "No such file or directory")) == "No such file or directory"
    assert reason_of(ValueError("embedded null byte")) == "this is not the name of a file"
    assert reason_of(ValueError(), "closed") == "closed"


def test_a_fingerprint_is_short_and_tells_contents_apart() -> None:
    assert fingerprint(b"") == "e3b0c44298fc1c14"  # the first 16 digits of SHA-256 of nothing
    assert fingerprint(b"a") != fingerprint(b"b")
