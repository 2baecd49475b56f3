"""Nothing about results is typed by hand: pages, charts and blocks are what the kept runs make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veil_lab.papers import EXPERIMENTS
from veil_lab.results.claims import PAPERS, judge_paper
from veil_lab.results.generation import RESULTS, find_leftovers, generate
from veil_lab.results.run import read_runs

ROOT = Path(__file__).resolve().parents[1]
FILES = generate(ROOT)
RUNS = read_runs(ROOT / RESULTS)


@pytest.mark.parametrize("path", list(FILES), ids=str)
def test_a_generated_file_is_what_the_data_make(path: Path) -> None:
    assert (ROOT / path).is_file(), "make results writes it"
    assert (ROOT / path).read_text(encoding="utf-8") == FILES[path], "make results writes it anew"


def test_nothing_stays_among_the_pages_that_no_data_make() -> None:
    assert find_leftovers(ROOT, FILES) == []


def test_kept_runs_are_full_runs_of_experiments_under_their_names() -> None:
    assert set(RUNS) <= set(EXPERIMENTS)
    for path in (ROOT / RESULTS).glob("*.json"):
        assert path.stem in RUNS or path.stem.startswith("bench-"), path.name
    assert not [name for name, run in RUNS.items() if run.quick]


def test_every_claim_about_a_kept_run_finds_its_cells() -> None:
    rows = [row for paper in PAPERS for row in judge_paper(paper, RUNS) if set(row.claim.experiments) <= set(RUNS)]
    assert not [row for row in rows if "has no cell" in row.judgement.why]


def test_a_claim_that_a_test_decides_names_a_test_that_exists() -> None:
    for paper in PAPERS:
        for claim in paper.claims:
            if claim.test is not None:
                path, _, name = claim.test.partition("::")
                text = (ROOT / path).read_text(encoding="utf-8")
                assert re.search(rf"^def {name}\(", text, re.MULTILINE), claim.test


def test_links_from_the_pages_lead_to_files() -> None:
    for path, text in FILES.items():
        if path.suffix == ".md":
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                assert (ROOT / path.parent / target).exists(), f"{path}: {target}"
