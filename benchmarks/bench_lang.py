"""Speed of the way from rules text to ground program, and what splitting rule bodies is worth.

    python benchmarks/bench_lang.py            Blind Breakthrough 8x8, step by step
    python benchmarks/bench_lang.py --corpus   every rules file of the corpus, before and after splitting bodies

Prints one JSON object with machine and commit; with `--table` the corpus as Markdown.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from veil.engine.grounding.grounder import GroundingError, GroundLimits, ground
from veil.errors import VeilError
from veil.games import instantiate
from veil.lang import read_rules
from veil_lab.bench.machine import about

CORPUS = Path(os.environ.get("VEIL_CORPUS", Path(__file__).resolve().parents[2] / "shared" / "corpus"))
GAME = "blind_breakthrough(width=8, height=8)"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = perf_counter()
    result = work()
    return result, perf_counter() - start


def bench_game(repeats: int) -> dict[str, Any]:
    """Read and ground one game several times; the median, because the machine is shared."""
    text = instantiate(GAME).text
    read, grounded, plain = [], [], []
    for _ in range(repeats):
        rules, seconds = timed(partial(read_rules, text))
        read.append(seconds)
        program, seconds = timed(partial(ground, rules))
        grounded.append(seconds)
        _, seconds = timed(partial(ground, rules, shrinking=False))
        plain.append(seconds)
    return {
        "game": GAME,
        "ground_rules": program.num_rules,
        "read_seconds": statistics.median(read),
        "ground_seconds": statistics.median(grounded),
        "total_seconds": statistics.median(read) + statistics.median(grounded),
        "ground_seconds_without_splitting": statistics.median(plain),
    }


def bench_corpus(seconds: float) -> list[dict[str, Any]]:
    rows = []
    for path in sorted(CORPUS.glob("gdl*/*.kif")) + sorted(CORPUS.glob("infix/*.gdl")):
        try:
            rules, read_seconds = timed(partial(read_rules, path.read_bytes(), path.name))
        except VeilError as error:
            rows.append({"file": path.stem, "refused": error.problems[0].code})
            continue
        row: dict[str, Any] = {"file": path.stem, "read_seconds": round(read_seconds, 3)}
        for name, shrinking in (("before", False), ("after", True)):
            row[name] = measure(rules, shrinking, GroundLimits(max_seconds=seconds))
        rows.append(row)
        print(json.dumps(row), file=sys.stderr)
    return rows


def measure(rules: Any, shrinking: bool, limits: GroundLimits) -> dict[str, Any]:
    start = perf_counter()
    try:
        program = ground(rules, limits, shrinking=shrinking)
    except GroundingError as error:
        return {"gave_up": error.problems[0].code, "seconds": round(perf_counter() - start, 2)}
    except VeilError as error:
        return {"refused": error.problems[0].code}
    return {"rules": program.num_rules, "seconds": round(perf_counter() - start, 2)}


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Over the files that ground both ways, and how many do."""
    read = [row for row in rows if "before" in row]
    both = [row for row in read if "rules" in row["before"] and "rules" in row["after"]]
    return {
        "files": len(rows),
        "ground_before": sum("rules" in row["before"] for row in read),
        "ground_after": sum("rules" in row["after"] for row in read),
        "rules_before": sum(row["before"]["rules"] for row in both),
        "rules_after": sum(row["after"]["rules"] for row in both),
        "seconds_before": round(sum(row["before"].get("seconds", 0) for row in read), 1),
        "seconds_after": round(sum(row["after"].get("seconds", 0) for row in read), 1),
    }


def table(rows: list[dict[str, Any]]) -> str:
    lines = ["| file | rules before | after | seconds before | after |", "|---|---:|---:|---:|---:|"]
    for row in rows:
        if "refused" in row:
            lines.append(f"| {row['file']} | refused: {row['refused']} | | | |")
            continue
        cells = [f"{row[k]['rules']:,}" if "rules" in row[k] else "gave up" for k in ("before", "after")]
        cells += [f"{row[k].get('seconds', 0):.1f}" for k in ("before", "after")]
        lines.append(f"| {row['file']} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", action="store_true", help="also ground the corpus, before and after")
    parser.add_argument("--seconds", type=float, default=30.0, help="give up grounding one file after so long")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--table", action="store_true", help="print the corpus as Markdown instead of JSON")
    options = parser.parse_args()
    result: dict[str, Any] = {**about(), "one_game": bench_game(options.repeats)}
    if options.corpus:
        if not CORPUS.is_dir():
            sys.exit(f"no corpus of rule files at {CORPUS}; set VEIL_CORPUS")
        rows = bench_corpus(options.seconds)
        result |= {"corpus": summary(rows), "files": rows}
    print(
        table(result["files"]) + f"\n\n{json.dumps(result['corpus'])}"
        if options.table
        else json.dumps(result, indent=1)
    )


if __name__ == "__main__":
    main()
