from tests.support.studio import RULES, StudioClient
from veil.games import FAMILIES
from veil.server.web.jobs.game_sources import GameSource
from veil.server.web.jobs.thumbnails import Pictures


def test_every_game_of_the_catalogue_has_a_card_with_size_and_origin(studio: StudioClient) -> None:
    text = studio.get("/").text
    for name, family in FAMILIES.items():
        assert f'data-game="{name}"' in text
        assert family.size() in text
    assert text.count('class="picture"') == len(FAMILIES)


def test_a_picture_is_drawn_once_and_shows_what_is_known(studio: StudioClient) -> None:
    picture = studio.ask("/games/picture?game=kuhn_poker")
    chances = [
        piece["chance"] for board in picture["scene"]["boards"] for cell in board["cells"] for piece in cell["pieces"]
    ]
    assert 0.5 in chances
    kept = Pictures(studio.folder / "pictures")
    assert kept.find(GameSource(name="kuhn_poker")) is not None
    assert kept.find(GameSource(name="leduc_poker")) is None
    assert studio.ask("/games/picture?game=kuhn_poker") == picture


def test_own_games_are_listed_and_can_be_deleted(studio: StudioClient) -> None:
    studio.ask("/workbench/save", {"name": "mine", "text": RULES.read_text()})
    assert 'data-game="own:mine"' in studio.get("/").text
    assert "hider" in studio.get("/workbench?game=own:mine").text
    assert studio.ask("/play/describe?game=own:mine")["roles"] == ["hider", "seeker"]
    studio.ask("/workbench/delete", {"name": "mine"})
    assert 'data-game="own:mine"' not in studio.get("/").text
    assert studio.get("/workbench?game=own:mine").status_code == 404


def test_no_text_of_a_user_stands_in_a_page_as_it_is(studio: StudioClient) -> None:
    hostile = "<script>alert(1)</script>"
    studio.ask("/workbench/save", {"name": "mine", "text": f"{hostile}</textarea>{hostile}"})
    pages = [studio.get(path).text for path in ("/", "/workbench?game=own:mine", f"/play?game={hostile}")]
    pages.append(studio.get(f"/workbench?game={hostile}").text)
    pages.append(studio.client.get(f"/{hostile}", headers={"accept": "text/html"}).text)
    assert all(hostile not in page for page in pages)
    assert "&lt;script&gt;" in pages[1]


def test_a_page_that_is_not_there_says_so(studio: StudioClient) -> None:
    for path in ("/nothing", "/play/nothing", "/play/AAAAAAAAAAAAAAAA", "/workbench?game=nothing"):
        assert studio.client.get(path, headers={"accept": "text/html"}).status_code == 404
