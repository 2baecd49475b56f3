"""Pages of results: every experiment has one home, every claim a row, tables are narrow."""

from __future__ import annotations

from tests.support.runs import make_report, run_of
from veil_lab.papers import EXPERIMENTS
from veil_lab.results.claims import PAPERS
from veil_lab.results.narrow import MOST_COLUMNS
from veil_lab.results.pages import find_home, make_pages

RUN = run_of(
    make_report(
        [("keeper left", 0.4, 0.39)],
        ("after 10,000 iterations", "theirs", "ours"),
        series={"iteration": [1, 10], "left": [0.5, 0.4]},
    ),
    ran=[{"game": "g", "players": "its:", "matches": 1}],
)


def test_every_claim_has_a_row_and_every_experiment_a_place() -> None:
    pages = make_pages({})
    for paper in PAPERS:
        assert all(f"| {claim.text} *({claim.place})* |" in pages[f"{paper.key}.md"] for claim in paper.claims)
    for name in EXPERIMENTS:
        assert f'<a id="{name}"></a>' in pages[f"{find_home(name)}.md"]
        assert f"{find_home(name)}.md#{name}" in pages["index.md"]


def test_a_run_shows_its_table_chart_and_players_and_its_verdict() -> None:
    pages = make_pages({"its-fig5": RUN})
    page = pages["its.md"]
    assert "![the goalkeeper](its-fig5.svg)" in page
    assert pages["its-fig5.svg"].startswith("<svg")
    assert "| keeper left" in page
    assert (
        "| **reproduced** | at most 0.01 off the equilibrium after 10,000 iterations · [its-fig5](its.md#its-fig5) |"
        in page
    )
    assert "| g | `its:` | 1 |" in page


def test_no_table_has_more_columns_than_can_be_read() -> None:
    for name, text in make_pages({"its-fig5": RUN}).items():
        widths = [line.count("|") - 1 for line in text.splitlines() if line.startswith("|")]
        assert max(widths, default=0) <= MOST_COLUMNS, name
