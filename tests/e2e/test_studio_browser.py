"""The studio in a real browser, by clicks and keys: write a game, play games to their end, reload in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import veil
from tests.support.browser import find_browser, open_browser, run_studio
from tests.support.studio import RULES
from veil.match import Store, TournamentConfig, play_matches

pytestmark = pytest.mark.slow
WAITS = "() => /your move|is over/.test(document.querySelector('#status')?.textContent ?? '')"
NAMELESS = """() => [...document.querySelectorAll("button, a, input, select, textarea")]
  .filter((each) => each.offsetParent && !each.textContent.trim() && !each.getAttribute("aria-label"))
  .filter((each) => !each.labels?.length).map((each) => each.outerHTML)"""  # what a screen reader could not name
HOSTILE = """
(role <script>window.hacked=1</script>) (role b)
(init (<img/src=x/onerror=window.hacked=2> 1))
(legal <script>window.hacked=1</script> <b>go</b>)
(legal <script>window.hacked=1</script> <i>stay</i>)
(legal b noop)
(<= (sees <script>window.hacked=1</script> <svg/onload=window.hacked=3>) (does b noop))
(<= (next done) (does b noop))
(<= terminal (true done))
(<= (goal <script>window.hacked=1</script> 100) (true done))
(goal b 0)
"""


class Studio:
    """A page of the studio, and all that it asked for."""

    def __init__(self, address: str, page: Any) -> None:
        self.page, self.base = page, f"http://{urlsplit(address).netloc}"
        self.asked: list[str] = []
        self.faults: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(address)

    def go(self, path: str) -> None:
        self.page.goto(self.base + path)

    def start(self, game: str, seconds: str = "0.5", **values: str) -> None:
        """Set a game up by hand: parameters, random opponents, a short clock."""
        self.go(f"/play?game={game}")
        self.page.wait_for_selector("#start:enabled")
        for name, value in values.items():
            self.page.fill(f"#parameter-{name}", value)
        for field in self.page.locator("#players input").all():
            field.fill("random")
        self.page.select_option("#seconds", seconds)
        self.page.click("#start")
        self.wait()

    def wait(self) -> None:
        """Until the person is asked, or the game is over."""
        self.page.wait_for_selector("#table")
        self.page.wait_for_function(WAITS)

    @property
    def is_over(self) -> bool:
        return bool(self.page.locator("#end:visible").count())

    @property
    def rounds(self) -> int:
        return int(self.page.locator("#record li:not(.none)").count())

    def move(self) -> None:
        """The first move that can be made by clicks: a cell, a piece and a cell, or a button."""
        before = self.rounds
        cells = self.page.locator("#board .cell.target")
        if cells.count():
            cells.first.click()
            if self.page.locator("#board .cell.from").count():
                self.page.locator("#board .cell.target:not(.from)").first.click()
            if self.page.locator(".which").count():
                self.page.locator(".which button").first.click()
        else:
            self.page.locator("#moves button").first.click()
        self.page.wait_for_function(f"() => document.querySelectorAll('#record li:not(.none)').length > {before}")
        self.page.wait_for_function(WAITS)

    def play_out(self, most: int = 60) -> None:
        for _ in range(most):
            if self.is_over:
                return
            self.move()
        assert self.is_over


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    find_browser()
    results = tmp_path_factory.mktemp("results")
    log = veil.run_match("kuhn_poker", {"first": "random", "second": "first"}, seed=1)
    (results / "kuhn.jsonl").write_text(log.as_lines())
    config = TournamentConfig(games=("kuhn_poker",), players=("first", "random"), matches=3)
    with Store(str(results / "small.sqlite")) as store:
        play_matches(config, store)
    with run_studio(tmp_path_factory.mktemp("studio"), "--port", "0", "--results", str(results)) as address:
        yield address


@pytest.fixture(scope="module")
def browser_context() -> Iterator[Any]:
    with open_browser(viewport={"width": 1200, "height": 900}) as context:
        yield context


@pytest.fixture
def in_browser(running: str, browser_context: Any) -> Iterator[Studio]:
    """A page that asks nobody but the studio, and has no faults."""
    studio = Studio(running, browser_context.new_page())
    yield studio
    strangers = [url for url in studio.asked if not url.startswith((studio.base, "blob:", "data:"))]
    assert strangers == []
    assert studio.faults == []
    studio.page.close()


@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("krieg_tictactoe", {}),
        ("kuhn_poker", {}),
        ("battleship", {"size": "3", "ships": "1"}),
        ("blind_breakthrough", {"width": "3", "height": "4"}),
    ],
)
def test_a_game_is_played_to_its_end_by_clicks(in_browser: Studio, game: str, values: dict[str, str]) -> None:
    in_browser.start(game, **values)
    in_browser.play_out()
    page = in_browser.page
    assert "of 100" in page.locator("#result").inner_text()
    page.wait_for_function(f"() => document.querySelector('#round').max === '{in_browser.rounds}'")
    page.wait_for_selector("#truth svg, #truth .badge")
    page.click("#earlier")
    assert f"after round {in_browser.rounds - 1}" in page.locator("#round-label").inner_text()


def test_a_belief_changes_with_what_is_seen_and_survives_a_reload(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    assert page.locator("#board .piece.possible").count() == 0
    page.locator('#board [data-label="2 2"]').click()
    page.wait_for_function("() => document.querySelectorAll('#record li').length > 1")
    page.wait_for_function(WAITS)
    page.wait_for_selector("#board .piece.possible")
    chances = page.locator("#board .piece.possible").evaluate_all("all => all.map((each) => each.dataset.chance)")
    assert all(0 < float(chance) < 1 for chance in chances)
    record = page.locator("#record").inner_text()
    page.locator('#board [data-label="1 1"]').hover()
    assert "%" in page.locator(".tip").inner_text()
    page.reload()
    in_browser.wait()
    page.wait_for_selector("#board .piece.possible")
    assert page.locator("#record").inner_text() == record
    again = page.locator("#board .piece.possible").evaluate_all("all => all.map((each) => each.dataset.chance)")
    assert again == chances


def test_one_of_the_worlds_is_certain_of_everything(in_browser: Studio) -> None:
    in_browser.start("kuhn_poker")
    page = in_browser.page
    page.wait_for_selector("#board .piece.possible")
    page.locator("#world").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelectorAll('#board .piece.possible').length === 0")
    assert "World 1 of 2" in page.locator("#world-label").inner_text()
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#board .piece.possible")


def test_a_hint_and_a_judgement_come_with_their_reasons(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    page.select_option("#think-seconds", "0.5")
    page.click("#ask-hint")
    page.wait_for_selector("#hint .values")
    assert page.locator("#hint .values tbody tr").count() == 9
    assert "world" in page.locator("#hint").inner_text()
    page.click("#resign")
    page.wait_for_selector("#end:visible")
    assert "gave up" in page.locator("#result").inner_text()


def test_a_game_is_written_from_scratch_with_a_mistake_that_is_repaired(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/workbench")
    page.wait_for_selector(".verdict.good")
    page.locator("#text").fill("")
    page.wait_for_selector(".verdict.bad")
    rules = RULES.read_text()
    page.locator("#text").fill(rules.replace("(cup ?c) (true (step 1))", "(cop ?c) (true (step 1)", 1))
    page.wait_for_selector(".line.error .note-in-line")
    line = rules[: rules.index("(cup ?c) (true (step 1))")].count("\n") + 1
    assert f"line {line}" in page.locator("#problems").inner_text()
    assert "^" in page.locator("#problems .excerpt").inner_text()
    page.locator("#text").fill(rules)
    page.wait_for_selector(".verdict.good")
    page.wait_for_selector("#walk:visible")
    page.wait_for_function("() => Number(document.querySelector('#round').max) >= 2")
    page.locator("#eyes button", has_text="seeker knows").click()
    page.click("#later")
    page.wait_for_selector("#board .piece.possible")
    page.fill("#name", "my_first_game")
    page.click("#save")
    page.wait_for_selector("#play:visible")
    page.click("#play")
    page.wait_for_selector("#start:enabled")
    page.locator("#players input").fill("random")
    page.click("#start")
    in_browser.wait()
    in_browser.play_out()


def test_rules_full_of_tags_stay_text(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/workbench")
    page.wait_for_selector(".verdict.good")
    page.locator("#text").fill(HOSTILE)
    page.wait_for_selector(".verdict.good")
    page.wait_for_selector("#walk:visible")
    page.wait_for_selector("#story table, #later")
    page.click("#later")
    page.fill("#name", "hostile")
    page.click("#save")
    page.wait_for_selector("#play:visible")
    page.click("#play")
    page.wait_for_selector("#start:enabled")
    page.click("#start")
    in_browser.wait()
    in_browser.play_out()
    in_browser.go("/")
    page.wait_for_selector('[data-game="own:hostile"] .picture .badge')
    assert page.evaluate("() => window.hacked") is None
    assert page.locator("main b, main i, main img").count() == 0


def test_the_board_is_played_with_the_keyboard_alone(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    page.locator("#board [role=button][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert label.startswith("2 2: empty; mark 2 2")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#record li:not(.none)').length > 1")
    assert "mark 2 2" in page.locator("#record").inner_text()


def test_a_solver_converges_before_ones_eyes_and_its_policy_is_browsed(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/analysis?game=kuhn_poker")
    page.wait_for_selector("#worth dt")
    assert "0.458333" in page.locator("#worth").inner_text()  # the uniform policy
    page.click("#solve")
    page.wait_for_selector("svg.plot")
    page.wait_for_selector("#solve:not([disabled])")
    worth = page.locator("#worth").inner_text()
    assert "-0.0555556 chips" in worth
    assert "as exact as it was asked for" in worth
    page.fill("#filter", "king")
    page.press("#filter", "Enter")
    page.wait_for_function("() => /^2 infosets/.test(document.querySelector('#browse-count').textContent)")
    page.locator(".infoset button").first.click()
    page.wait_for_selector(".more-about table")
    page.locator("#responders button").first.click()
    page.wait_for_selector("#response strong")
    assert "nothing to win" in page.locator("#response").inner_text()
    page.locator(".infoset button").nth(1).click()  # what is known here
    page.wait_for_selector("#explored .board-area *")
    assert "king" in page.locator("#record").input_value()


def test_a_solver_is_stopped_and_keeps_what_it_has(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/analysis?game=leduc_poker")
    page.wait_for_selector("#worth dt")
    page.select_option("#method", "cfr")
    page.select_option("#seconds", "300")
    page.click("#solve")
    page.wait_for_selector("svg.plot")
    page.click("#stop")
    page.wait_for_selector("#solve:not([disabled])")
    assert "stopped by you" in page.locator("#worth").inner_text()


def test_a_match_of_a_log_is_replayed_and_a_tournament_has_its_table(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/matches")
    page.click("text=kuhn.jsonl")
    page.wait_for_selector("#board svg, #board .badge")  # the only match is shown at once
    page.click("#later")
    page.wait_for_function("() => /^after round 1/.test(document.querySelector('#round-label').textContent)")
    page.select_option("#view", "second")
    page.wait_for_function("() => document.querySelector('#basis').textContent.includes('possible')")
    page.click("#later")
    page.click("#later")
    page.wait_for_selector(".possible")  # the other's card
    page.click("text=Explore what is known here")
    page.wait_for_selector("#explored .board-area *")
    in_browser.go("/matches/view?file=small.sqlite")
    page.wait_for_selector(".cross td.met")
    assert page.locator(".cross tbody tr").count() == 2


@pytest.mark.parametrize("path", ["/", "/workbench", "/play", "/play?game=battleship", "/analysis", "/matches"])
def test_pages_fit_a_phone(in_browser: Studio, path: str) -> None:
    page = in_browser.page
    page.set_viewport_size({"width": 360, "height": 740})
    in_browser.go(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert page.evaluate(NAMELESS) == []


def test_a_game_survives_a_restart_of_the_server(browser_context: Any, tmp_path: Path) -> None:
    with run_studio(tmp_path) as address:
        studio = Studio(address, browser_context.new_page())
        studio.start("krieg_tictactoe")
        studio.move()
        link, record = studio.page.url, studio.page.locator("#record").inner_text()
    with run_studio(tmp_path, "--port", str(urlsplit(link).port)):
        studio.page.goto(link)
        studio.wait()
        assert studio.page.locator("#record").inner_text() == record
        studio.move()
    studio.page.close()
