"""`veil studio` as a process: it says where it is, lets in who has the token, and ends with Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.support.command import COMMAND, PATIENCE, inside, refusal_of
from tests.support.processes import WITH_CTRL_C


def open_url(opener: urllib.request.OpenerDirector, url: str, question: object = None) -> str:
    body = None if question is None else json.dumps(question).encode()
    parts = urlsplit(url)
    headers = {"origin": f"{parts.scheme}://{parts.netloc}", "content-type": "application/json"}
    with opener.open(urllib.request.Request(url, body, headers), timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_it_serves_a_file_that_can_be_saved_and_ends_with_ctrl_c(race: Path, tmp_path: Path) -> None:
    words = [*COMMAND, "studio", str(race), "--json", "--no-browser", "--port", "0"]
    command = [COMMAND[0], "-c", WITH_CTRL_C, *words]
    environment = os.environ | {"VEIL_STUDIO": str(tmp_path / "studio")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, **pipes) as process:  # type: ignore[call-overload]
        try:
            address = json.loads(process.stdout.readline())["address"]
            base = f"http://{urlsplit(address).netloc}"
            assert base.startswith("http://127.0.0.1:")
            with pytest.raises(urllib.error.HTTPError, match="403"):
                open_url(urllib.request.build_opener(), base)
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
            assert "(role red) (role blue)" in open_url(opener, address)
            open_url(opener, f"{base}/workbench/save", {"name": race.name, "text": "(role green)"})
            assert race.read_text() == "(role green)"
        finally:
            process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nothing"], "there is no game and no file called nothing"),
        (["krieg_tictactoe(size=99)"], "size must be a whole number"),
        (["--host", "no.such.host.example"], "cannot listen on no.such.host.example"),
        (["--port", "99999"], "65,535"),
    ],
)
def test_what_cannot_be_opened_is_refused(words: list[str], message: str) -> None:
    assert message in refusal_of(inside("studio", "--no-browser", *words))
