"""Prints what `make coverage` measured: lines executed per core room, and kernels that no test executed as Python."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src" / "veil"
ROOMS = ("lang", "engine", "belief", "equilibrium", "search", "players", "match")


def main() -> None:
    from coverage import Coverage  # pytest imports this module when it looks for doctests

    measured = Coverage()
    measured.load()
    lines: dict[str, list[int]] = defaultdict(lambda: [0, 0])  # of a room: all, not executed
    poor: list[str] = []
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE)
        _, all_lines, _, missing, _ = measured.analysis2(str(path))
        rows = ["all of veil", *(["all kernels"] if path.stem.endswith("kernels") else [])]
        for row in [*rows, *([name.parts[0]] if name.parts[0] in ROOMS else [])]:
            lines[row][0] += len(all_lines)
            lines[row][1] += len(missing)
        if path.stem.endswith("kernels") and len(missing) > len(all_lines) / 2:
            poor.append(f"{name} ({len(all_lines) - len(missing)} of {len(all_lines)} lines)")
    print(f"{'room':12}  {'lines':>6}  {'not executed':>12}  {'covered':>7}")
    for row in (*ROOMS, "all kernels", "all of veil"):
        total, missed = lines[row]
        print(f"{row:12}  {total:6,}  {missed:12,}  {100 * (1 - missed / total):6.1f}%")
    print("kernels executed as Python for less than a half:", ", ".join(poor) or "none")


if __name__ == "__main__":
    main()
