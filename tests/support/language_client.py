"""A client of the language server: a process, and the protocol on its standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.command import COMMAND, PATIENCE
from tests.support.processes import WITH_CTRL_C

URI = "file:///games/my%20rules.kif"


class LanguageClient:
    """An editor with one text open."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.count = 0
        self.version = 0
        self.told: list[dict[str, Any]] = []

    def notify(self, method: str, params: Any, **more: Any) -> None:
        """Send a message."""
        data = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        """Send a question, and return its answer with `result` or `error`."""
        self.count += 1
        self.notify(method, params, id=self.count)
        while True:
            message = self.read()
            if message.get("id") == self.count:
                return message
            self.told.append(message)

    def read(self) -> dict[str, Any]:
        """Return the next message; the process is killed if it says nothing for too long."""
        assert self.process.stdout is not None
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.start()
        try:
            size = 0
            while line := self.process.stdout.readline().strip():
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            assert size, "the server has ended"
            message = json.loads(self.process.stdout.read(size))
        finally:
            watch.cancel()
        assert isinstance(message, dict)
        return message

    def show(self, text: str) -> list[dict[str, Any]]:
        """Open the text, or change it; return its problems."""
        self.version += 1
        if self.version == 1:
            document = {"uri": URI, "languageId": "gdl", "version": 1, "text": text}
            self.notify("textDocument/didOpen", {"textDocument": document})
        else:
            document = {"uri": URI, "version": self.version}
            self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        message = self.read()
        assert message["method"] == "textDocument/publishDiagnostics"
        problems = message["params"]["diagnostics"]
        assert isinstance(problems, list)
        return problems

    def at(self, question: str, line: int, units: int, **more: Any) -> dict[str, Any]:
        """Ask about a place of the text."""
        place = {"textDocument": {"uri": URI}, "position": {"line": line, "character": units}}
        return self.ask(f"textDocument/{question}", place | more)

    def end(self) -> int:
        """End the session as the protocol asks for; return the exit code."""
        self.ask("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(PATIENCE)


@contextmanager
def run_language_server() -> Iterator[LanguageClient]:
    """Start `veil lsp` and greet it; it is killed at the end, if it is still there."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", WITH_CTRL_C, *COMMAND, "lsp"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            client = LanguageClient(process)
            client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
            client.notify("initialized", {})
            yield client
        finally:
            process.kill()
