"""A class in a real browser: two people, each with a context of their own, play each other; a tournament fills."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.support.accessibility import find_barriers
from tests.support.browser import find_browser, open_browser, wait_for_number, wait_for_text
from tests.support.studio import FIRST_PLAYER

pytestmark = [pytest.mark.slow, pytest.mark.nightly]
SIZE = {"width": 1000, "height": 800}


@contextmanager
def run_class(folder: Path) -> Iterator[dict[str, str]]:
    """`veil studio --class` as a process of its own: the address of the host, and the one of the others."""
    command = [sys.executable, "-m", "veil", "studio", "--class", "--no-browser", "--json", "--port", "0"]
    environment = os.environ | {"VEIL_STUDIO": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()
            process.communicate()


@pytest.fixture
def class_pages(tmp_path: Path) -> Iterator[tuple[Any, Any, Any, str]]:
    """The pages of the host, Ann and Bob, in contexts of their own; and the address of the studio."""
    find_browser()
    with run_class(tmp_path) as addresses, open_browser(viewport=SIZE) as context:
        host = context.new_page()
        host.goto(addresses["address"])
        pages = [host]
        for name in ("Ann", "Bob"):
            others = context.browser.new_context(viewport=SIZE)
            others.set_default_timeout(120_000)
            page = others.new_page()
            page.goto(addresses["join"])
            page.fill("#name", name)
            page.click("#join button")
            page.wait_for_selector("#people li")
            pages.append(page)
        yield pages[0], pages[1], pages[2], f"http://{urlsplit(addresses['address']).netloc}"


def find_mover(*pages: Any) -> Any:
    """The page of the person who is asked to move; None when the game is over for everybody."""
    for _ in range(600):
        words = [str(page.inner_text("#status")).lower() for page in pages]
        asked = [page for page, told in zip(pages, words, strict=True) if "your move" in told]
        if asked:
            return asked[0]
        if all("is over" in told for told in words):
            return None
        pages[0].wait_for_timeout(200)
    raise AssertionError(words)


def move(page: Any) -> None:
    """Make the first move that can be made by a click, and wait until it is made."""
    before = page.locator("#record li:not(.none)").count()
    page.locator("#board .cell.target").first.click()
    page.wait_for_function(f"() => document.querySelectorAll('#record li:not(.none)').length > {before}")


def test_two_people_play_krieg_tictactoe_against_each_other_to_the_end(class_pages: Any) -> None:
    _, ann, bob, _ = class_pages
    ann.locator("#open button").click()
    ann.locator("[data-table] button", has_text="sit here").first.wait_for()
    bob.locator("[data-table] button", has_text="sit here").first.click()
    bob.wait_for_function("() => !/sit here/.test(document.querySelector('[data-table]').textContent)")
    ann.locator("[data-table] button", has_text="Start").click()
    ann.wait_for_selector("#table")
    bob.locator("[data-table] a", has_text="Play").click()
    bob.wait_for_selector("#table")
    while (mover := find_mover(ann, bob)) is not None:
        move(mover)
    for page in (ann, bob):
        wait_for_text(page, "#result", "of 100")
    results = {page.inner_text("#result") for page in (ann, bob)}
    assert len(results) == 2 or "50 of 100" in results.pop()


def test_everybody_enters_a_player_and_sees_the_table_fill(class_pages: Any, tmp_path: Path) -> None:
    host, ann, bob, base = class_pages
    host.goto(f"{base}/room")
    host.click("text=Announce a tournament")
    host.fill("#contest-title", "Cup")
    host.fill("#contest-matches", "1")
    host.fill("#contest-seconds", "60")
    host.click("#announce button")
    (tmp_path / "mine.py").write_text(FIRST_PLAYER.read_text())
    for page in (ann, bob):
        page.locator("[data-contest] button", has_text="Enter").click()
        if page is ann:
            page.set_input_files("#enter-file", str(tmp_path / "mine.py"))
        else:
            page.fill("#enter-spec", "first")
        page.click("#enter button")
    wait_for_text(host, "[data-contest]", "Ann")
    wait_for_text(host, "[data-contest]", "Bob: first")
    assert find_barriers(host) == []
    host.locator("[data-contest] a").click()
    ann.locator("[data-contest] a").click()
    host.click("#go")
    over = "() => document.querySelector('#state').textContent.includes('It is over.')"
    ann.wait_for_function(over, timeout=600_000)  # six matches in processes of their own
    wait_for_number(ann, "table.ranking tbody tr", 3)
    assert ann.locator("#halt").count() == 0
    assert str(tmp_path) not in ann.content()
    assert find_barriers(ann) == []
