"""All that is generated from `results/`: the pages and charts in `docs/results`, and the blocks in other pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from veil.files import write_text
from veil_lab.results.blocks import BLOCK, fill_blocks
from veil_lab.results.pages import GENERATED, make_pages
from veil_lab.results.run import read_runs
from veil_lab.results.run_text import spell_run
from veil_lab.results.speed import PREFIX, make_speed_page, read_benchmarks, spell_benchmark

RESULTS, PAGES = "results", Path("docs") / "results"


def generate(root: Path) -> dict[Path, str]:
    """Return the text of every generated file of a repository by its path in it; nothing is written."""
    runs, benchmarks = read_runs(root / RESULTS), read_benchmarks(root / RESULTS)
    files = {PAGES / name: text for name, text in make_pages(runs).items()}
    files[PAGES / "speed.md"] = make_speed_page(benchmarks, GENERATED)
    files |= {Path(RESULTS) / f"{name}.json": spell_run(run) for name, run in runs.items()}
    files |= {Path(RESULTS) / f"{PREFIX}{layer}.json": spell_benchmark(one) for layer, one in benchmarks.items()}
    for path in _list_pages(root):
        text = path.read_text(encoding="utf-8")
        if BLOCK.search(text):
            files[path.relative_to(root)] = fill_blocks(text, runs, benchmarks)
    return files


def find_leftovers(root: Path, files: dict[Path, str]) -> list[Path]:
    """Return the files in `docs/results` that nothing generates any more."""
    folder = root / PAGES
    return sorted(path.relative_to(root) for path in folder.glob("*.*") if path.relative_to(root) not in files)


def write_all(root: Path) -> list[Path]:
    """Write every generated file that is not as the data make it, remove leftovers; return the changed paths."""
    files, changed = generate(root), []
    (root / PAGES).mkdir(parents=True, exist_ok=True)
    for path in find_leftovers(root, files):
        (root / path).unlink()
        changed.append(path)
    for path, text in files.items():
        place = root / path
        if not place.is_file() or place.read_text(encoding="utf-8") != text:
            write_text(place, text)
            changed.append(path)
    return changed


def _list_pages(root: Path) -> Iterator[Path]:
    yield root / "README.md"
    yield from sorted(path for path in (root / "docs").rglob("*.md") if path.parent != root / PAGES)
