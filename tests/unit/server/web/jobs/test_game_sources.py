from pathlib import Path
from typing import Any

import pytest

from veil.errors import VeilError
from veil.server.web.host.settings import StudioConfig
from veil.server.web.jobs.game_sources import GameSource, clean_name, open_game

CONFIG = StudioConfig(folder=Path("unused"))


def arguments(name: str, text: str | None = None) -> dict[str, Any]:
    return GameSource(name=name, text=text).as_arguments(CONFIG)


def test_a_game_of_the_catalogue_is_opened_by_its_name() -> None:
    assert open_game(arguments("krieg_tictactoe(size=4)")).name == "krieg_tictactoe(size=4)"


@pytest.mark.parametrize("name", ["/etc/passwd", "game.kif", "./game.kif", "-", "", "(role x)", "kuhn_poker/../../x"])
def test_a_name_is_never_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.kif").write_text("(role white)")
    with pytest.raises(VeilError, match="no game and no file called"):
        open_game(arguments(name))


def test_a_text_is_never_a_name_or_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("secret.kif").write_text("(role white)\n(legal white go)\n(goal white 100)\n(<= terminal (does white go))")
    with pytest.raises(VeilError):
        open_game(arguments("x", "secret.kif"))
    with pytest.raises(VeilError):
        open_game(arguments("kuhn_poker", "kuhn_poker"))


def test_a_title_is_fit_for_messages_and_files() -> None:
    assert clean_name(" my<script>game/../x ") == "my_script_game_.._x"
    assert clean_name("") == "game"
    assert len(clean_name("x" * 500)) <= 60
