"""The page about speed: what benchmarks printed, and nothing for those that are not kept."""

from __future__ import annotations

import json
from pathlib import Path

from veil_lab.bench import BENCHMARKS
from veil_lab.results.speed import make_speed_page, read_benchmarks, spell_benchmark

ENGINE = {
    "games": [],
    "geomean_cpp": 12.3456789,
    "geomean_python": 100.0,
    "scaling": [],
    "machine": {"cores": 2},
    "commit": "abc",
}


def test_a_kept_benchmark_shows_its_tables_and_the_others_their_command(tmp_path: Path) -> None:
    (tmp_path / "bench-engine.json").write_text(spell_benchmark(ENGINE))
    kept = read_benchmarks(tmp_path)
    assert json.loads(spell_benchmark(ENGINE))["geomean_cpp"] == 12.346
    page = make_speed_page(kept, "generated")
    assert "geometric mean: 12.3x C++, 100.0x Python" in page
    assert "at commit abc; cores 2." in page
    for layer in set(BENCHMARKS) - {"engine"}:
        assert f"No measurement is kept: `veil bench {layer}`." in page
