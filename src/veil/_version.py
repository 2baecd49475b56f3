"""The version of Veil; compiled code on disk depends on it."""

from pathlib import Path

__version__ = "0.3.0"
SHOWN = 10  # digits of a commit


def find_commit() -> str:
    """Return ` (commit ...)` for a copy of the repository, read from its files; nothing for an installed package."""
    git = Path(__file__).resolve().parents[2] / ".git"
    try:
        if git.is_file():  # a worktree: the file names its folder
            git = Path(git.read_text(encoding="utf-8").partition("gitdir: ")[2].strip())
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if head.startswith("ref: "):
            head = _read_reference(git, head.removeprefix("ref: "))
    except (OSError, ValueError):
        return ""
    return f" (commit {head[:SHOWN]})" if head else ""


def _read_reference(git: Path, name: str) -> str:
    """Return the commit of a branch, from its own file or from the packed ones."""
    common = git / "commondir"
    base = (git / common.read_text(encoding="utf-8").strip()) if common.is_file() else git
    own = base / name
    if own.is_file():
        return own.read_text(encoding="utf-8").strip()
    packed = (base / "packed-refs").read_text(encoding="utf-8").splitlines()
    return next((line.split()[0] for line in packed if line.endswith(f" {name}")), "")
