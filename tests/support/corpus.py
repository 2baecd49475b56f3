"""Real rule files that nobody wrote for us, with playthroughs by independent provers, where they are at hand.

They lie beside the repository, not in it: in `../shared/corpus`, or where `VEIL_CORPUS` says.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(os.environ.get("VEIL_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))
MISSING = pytest.mark.skipif(not ROOT.is_dir(), reason=f"no corpus of rule files at {ROOT}; set VEIL_CORPUS")


def rule_files(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in ROOT.glob(f"{folder}/*") if path.suffix in (".kif", ".gdl"))


def with_playthrough() -> list[Path]:
    return [path for path in rule_files("gdl1", "gdl2") if path.with_suffix(".json").exists()]


def without_playthrough() -> list[Path]:
    return [path for path in rule_files("gdl1", "gdl2", "infix") if not path.with_suffix(".json").exists()]


def playthrough(path: Path) -> dict[str, Any]:
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
