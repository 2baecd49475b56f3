"""Makes the pictures of the studio in README and docs: `make screenshots`. It needs chromium-headless-shell.

A studio of its own, in a temporary folder, and a browser without a screen; the games have fixed seeds.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

IMAGES = Path(__file__).parent / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
SIZE = {"width": 1280, "height": 860}
GAME, MOVES, SEED = "blind_breakthrough(width=6, height=6)", 3, 4
START = """async ([game, seed, players, seconds]) => {
  const headers = {"content-type": "application/json"};
  const body = JSON.stringify({game, seed, players, seconds});
  return (await (await fetch("/play/new", {method: "POST", headers, body})).json()).session;
}"""
ASKED = "() => /your move|is over/.test(document.querySelector('#status')?.textContent ?? '')"


def main() -> None:
    """Start a studio and a browser, and take the pictures."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        sys.exit("no browser here: apt-get install chromium-headless-shell")
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "veil", "studio", "--no-browser", "--json", "--port", "0"]
        environment = os.environ | {"VEIL_STUDIO": folder}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as studio:
            assert studio.stdout is not None
            address = json.loads(studio.stdout.readline())["address"]
            browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
            try:
                page = browser.new_context(viewport=SIZE, device_scale_factor=1.25).new_page()  # type: ignore[arg-type]
                page.set_default_timeout(600_000)
                page.goto(address)
                page.wait_for_selector("#getting-ready", state="detached")
                base = f"http://{urlsplit(address).netloc}"
                take_play(page, base)
                take_workbench(page, base)
            finally:
                browser.close()
                studio.terminate()


def take_play(page: Any, base: str) -> None:
    """A game in its middle, with a hint."""
    session = page.evaluate(START, [GAME, SEED, {"black": "hyperplay"}, 1])
    page.goto(f"{base}/play/{session}")
    page.wait_for_function(ASKED)
    for number in range(MOVES):
        piece = page.locator("#board .cell.target").nth(2 + number)
        piece.click()
        page.locator("#board .cell.target:not(.from)").last.click()
        page.wait_for_function(f"() => document.querySelectorAll('#record li:not(.none)').length >= {2 * number + 2}")
        page.wait_for_function(ASKED)
    page.click("#ask-hint")
    page.wait_for_selector("#hint .values")
    page.mouse.move(0, 0)
    page.screenshot(path=IMAGES / "studio-play.png")


def take_workbench(page: Any, base: str) -> None:
    """The first game of the tutorial, as the seeker sees it."""
    page.goto(f"{base}/workbench")
    page.wait_for_selector(".verdict.good")
    page.wait_for_function("() => Number(document.querySelector('#round').max) >= 2")
    page.wait_for_function("() => document.querySelector('#walk-state').textContent === ''")
    page.locator("#eyes button").nth(2).click()
    page.click("#later")
    page.screenshot(path=IMAGES / "studio-workbench.png")


if __name__ == "__main__":
    main()
