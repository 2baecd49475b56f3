"""What the doctor says of this installation, and of one that is ill."""

from __future__ import annotations

import pytest

import veil
from tests.support.command import inside
from veil.cli.commands import doctor


@pytest.mark.compiled("solves a game")
def test_a_sound_installation_meets_known_values() -> None:
    found = inside("doctor", "--json")
    assert (found.code, found.json["sound"]) == (0, True)
    assert veil.__version__ in found.json["veil"]
    assert set(doctor.BASE) <= {part.split()[0] for part in found.json["libraries"].split(", ")}


def test_a_wrong_value_ends_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        doctor, "measure_known_values", lambda: {"Kuhn poker": (0.5, -1 / 18), "Monty Hall": (1.0, 1.0)}
    )
    found = inside("doctor")
    assert found.code == 2
    assert "known values are not met: Kuhn poker" in found.err
