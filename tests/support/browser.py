"""A real browser and a real studio: Playwright's Python package drives Debian's `chromium-headless-shell`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SHELLS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
]
PATIENCE = 120_000  # milliseconds; far beyond what anything here needs


def find_browser() -> str:
    """The program of a browser; the test is skipped where there is none."""
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    for name in SHELLS:
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.skip(f"no browser here: none of {', '.join(SHELLS)} (apt-get install chromium-headless-shell)")


@contextmanager
def run_studio(folder: Path, *words: str) -> Iterator[str]:
    """`veil studio` as a process of its own; its address with the token."""
    command = [sys.executable, "-m", "veil", "studio", "--no-browser", "--json", *(words or ("--port", "0"))]
    environment = os.environ | {"VEIL_STUDIO": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            yield str(json.loads(line)["address"])
        finally:
            process.terminate()
            try:
                process.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()


def wait_for_text(page: Any, selector: str, text: str) -> None:
    """Wait until this text stands there: a page changes a moment after what changes it."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_contain_text(text, timeout=PATIENCE, use_inner_text=True)


def wait_for_number(page: Any, selector: str, number: int) -> None:
    """Wait until there are so many elements."""
    from playwright.sync_api import expect

    expect(page.locator(selector)).to_have_count(number, timeout=PATIENCE)


@contextmanager
def open_browser(**options: Any) -> Iterator[Any]:
    """A context of a browser with a fresh profile."""
    program = find_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE)
        try:
            yield context
        finally:
            browser.close()
