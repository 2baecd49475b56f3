"""Charts: well-formed, the same for the same data, with every line and its interval inside its panel."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from veil_lab.results.svg import HEIGHT, LEFT, PANEL, TOP, Axis, Chart, Point

LINES: dict[str, list[Point]] = {
    "OOS": [(100.0, 1.5, 0.2), (1000.0, 0.5, None)],
    "UCT & RM": [(100.0, 1.2, None), (1000.0, 0.9, None)],
}


def draw(log: bool) -> str:
    return Chart(name="c", title="a < b", x="steps", y="%", panels={"one": LINES, "two": LINES}, log_x=log).draw()


@pytest.mark.parametrize("log", [False, True])
def test_a_chart_is_xml_with_a_line_per_name_in_every_panel(log: bool) -> None:
    picture = ElementTree.fromstring(draw(log))
    assert len(picture.findall(".//{*}polyline")) == 4
    assert [text.text for text in picture.findall(".//{*}text") if text.text in LINES] == ["OOS", "UCT & RM"]
    assert draw(log) == draw(log)


def test_lines_stay_in_their_panel() -> None:
    for points in re.findall(r'polyline points="([^"]+)"', draw(True))[:2]:
        for x, y in (map(float, point.split(",")) for point in points.split()):
            assert LEFT <= x <= LEFT + PANEL
            assert TOP <= y <= TOP + HEIGHT


def test_ticks_are_round_and_within_the_axis() -> None:
    assert Axis.fit([0.0, 95.0], log=False).ticks() == [0, 20, 40, 60, 80]
    assert Axis.fit([1.0, 1000.0], log=True).ticks() == [1, 10, 100, 1000]
    assert Axis.fit([5.0, 5.0], log=False).place(5.0) == pytest.approx(0.5, abs=0.5)
