"""Try the wheel of a folder as a user would: an empty environment, no repository, and types checked from outside.

`python docs/try_wheel.py dist` does this with each supported Python on the path, and ends with an error if anything
fails. Pip needs the network for what Veil needs; where there is none, the wheel is not tried.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = ("python3.11", "python3.12", "python3.13", "python3.14")
PIP = ("-m", "pip", "--quiet", "--disable-pip-version-check")
ROOT = Path(__file__).resolve().parents[1]
USER = """\
import veil

solution: veil.Solution = veil.solve("kuhn_poker", "lp")
value: float = solution.value["first"]
assert abs(value + 1 / 18) < 1e-9
match = veil.Match("kuhn_poker", seed=1)
match.skip()
sees: dict[str, list[str]] = match.push("bet")
infosets: dict[str, dict[str, veil.Infoset]] = veil.tree("kuhn_poker").infosets()
print("a user's program runs")
"""
COMMANDS = (
    ["--version"],
    ["doctor"],
    ["docs", "gdl", "--no-browser"],
    ["infoset", "monty_hall", "--role", "contestant", "--record", "(choose 1); noop: 2"],
    ["reproduce"],
)


def run(*words: str | Path, folder: Path) -> None:
    """Run a program in a folder, show it, and end with its code if it fails."""
    print("$", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True, cwd=folder)


def find_pythons() -> list[str]:
    """Return the supported Pythons of the path that start, and this one if there is none."""
    found = [
        name for name in NAMES if shutil.which(name) and not subprocess.run([name, "-c", ""], check=False).returncode
    ]
    return found or [sys.executable]


def has_network(python: Path, folder: Path) -> bool:
    """Return whether pip can fetch a small package."""
    words = [str(python), *PIP, "download", "--no-deps", "--dest", str(folder / "fetched"), "typing-extensions"]
    return subprocess.run(words, check=False).returncode == 0


def try_wheel(wheel: Path, name: str) -> bool:
    """Install a wheel for a Python, run commands and programs, and check types; False if there is no network."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run(name, "-m", "venv", "env", folder=folder)
        python = folder / "env" / "bin" / "python"
        if not has_network(python, folder):
            return False
        run(python, *PIP, "install", wheel, "mypy", folder=folder)
        for words in COMMANDS:
            run(folder / "env" / "bin" / "veil", *words, folder=folder)
        (folder / "user.py").write_text(USER, encoding="utf-8")
        run(python, "user.py", folder=folder)
        run(python, "-m", "mypy", "--strict", "user.py", folder=folder)
        run(python, *PIP, "install", f"{wheel}[plots]", folder=folder)
        shutil.copy(ROOT / "demo.py", folder)
        run(python, "demo.py", folder=folder)
    return True


def main(dist: Path) -> None:
    """Try the only wheel of a folder with every Python."""
    (wheel,) = dist.resolve().glob("*.whl")
    for name in find_pythons():
        if not try_wheel(wheel, name):
            print("pip cannot fetch anything: the wheel was not tried")
            return
        print(f"the wheel works in an empty environment of {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
