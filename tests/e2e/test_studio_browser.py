"""The studio in a real browser, by clicks and keys: write a game, play games to their end, reload in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

import veil
from tests.support.accessibility import find_barriers
from tests.support.browser import find_browser, open_browser, run_studio, wait_for_number, wait_for_text
from tests.support.studio import RULES
from veil.match import Store, TournamentConfig, play_matches

pytestmark = pytest.mark.slow
WAITS = "() => /your move|is over/.test(document.querySelector('#status')?.textContent ?? '')"
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
        for menu in self.page.locator("#players select").all():
            menu.select_option("random")
        self.page.select_option("#seconds", seconds)
        self.page.click("#start")
        self.wait()

    def wait(self) -> None:
        """Until the person is asked, or the game is over."""
        self.page.wait_for_selector("#table")
        self.page.wait_for_function(WAITS)

    def shows(self, selector: str, text: str) -> None:
        wait_for_text(self.page, selector, text)

    def has(self, selector: str, number: int) -> None:
        wait_for_number(self.page, selector, number)

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
    in_browser.shows("#result", "chip" if game == "kuhn_poker" else "of 100")
    page.wait_for_function(f"() => document.querySelector('#round').max === '{in_browser.rounds}'")
    page.wait_for_selector("#truth svg, #truth .badge")
    page.click("#earlier")
    in_browser.shows("#round-label", f"after round {in_browser.rounds - 1}")


def test_a_belief_changes_with_what_is_seen_and_survives_a_reload(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    in_browser.has("#board .piece.possible", 0)
    page.locator('#board [data-label="2 2"]').click()
    page.wait_for_function("() => document.querySelectorAll('#record li').length > 1")
    page.wait_for_function(WAITS)
    page.wait_for_selector("#board .piece.possible")
    chances = page.locator("#board .piece.possible").evaluate_all("all => all.map((each) => each.dataset.chance)")
    assert all(0 < float(chance) < 1 for chance in chances)
    record = page.locator("#record").inner_text()
    page.locator('#board [data-label="1 1"]').hover()
    in_browser.shows(".tip", "%")
    page.reload()
    in_browser.wait()
    page.wait_for_selector("#board .piece.possible")
    in_browser.shows("#record", record)
    again = page.locator("#board .piece.possible").evaluate_all("all => all.map((each) => each.dataset.chance)")
    assert again == chances


def test_one_of_the_worlds_is_certain_of_everything(in_browser: Studio) -> None:
    in_browser.start("kuhn_poker")
    page = in_browser.page
    page.wait_for_selector("#board .piece.possible")
    page.locator("#world").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelectorAll('#board .piece.possible').length === 0")
    in_browser.shows("#world-label", "World 1 of 2")
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector("#board .piece.possible")


def test_a_hint_and_a_judgement_come_with_their_reasons(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    page.select_option("#think-seconds", "0.5")
    page.click("#ask-hint")
    page.wait_for_selector("#hint .values")
    in_browser.has("#hint .values tbody tr", 9)
    in_browser.shows("#hint", "world")
    page.click("#resign")
    page.wait_for_selector("#end:visible")
    in_browser.shows("#result", "gave up")


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
    in_browser.shows("#problems", f"line {line}")
    in_browser.shows("#problems .excerpt", "^")
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
    page.locator("#players select").select_option("random")
    page.click("#start")
    in_browser.wait()
    in_browser.play_out()


def test_words_of_rules_are_explained_found_renamed_and_completed(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/workbench")
    page.wait_for_selector(".verdict.good")
    rules = "; \N{GAME DIE}\n(role ann)\n(succ 1 2)\n(init (step 1))\n(legal ann wait)\n(goal ann 50)\n"
    rules += "(<= (next (step ?n))\n\t(true (step ?m)) (succ ?m ?n))\n(<= terminal (true (step 2)))\n"
    page.locator("#text").fill(rules)

    def put_cursor(word: str) -> None:
        page.locator("#text").evaluate("(text, word) => { text.focus();"
                                       " const place = text.value.lastIndexOf(word) + 1;"
                                       " text.setSelectionRange(place, place); }", word)  # fmt: skip

    put_cursor("succ")
    page.click("#word-explain")
    in_browser.shows("#about-word", "succ: a relation with 2 arguments")
    page.keyboard.press("Escape")
    page.wait_for_selector("#about-word", state="hidden")
    place = page.evaluate("""() => {
        const lines = [...document.querySelectorAll("#ink .line")];
        const word = [...lines[7].querySelectorAll(".variable")][0].getBoundingClientRect();
        return [word.x + word.width / 2, word.y + word.height / 2];
    }""")  # where ?m stands, behind a tab
    page.mouse.move(*place)
    in_browser.shows("#about-word", "a variable; it stands 2 times in this rule")
    put_cursor("succ")
    page.keyboard.press("F2")
    page.keyboard.type("step")
    page.keyboard.press("Enter")
    in_browser.shows("#about-word", "stands here already")
    page.locator("#about-word input").fill("after")
    page.keyboard.press("Enter")
    page.wait_for_selector("#about-word", state="hidden")
    assert page.locator("#text").input_value() == rules.replace("succ", "after")
    page.keyboard.press("Control+z")
    assert page.locator("#text").input_value() == rules
    put_cursor("succ")
    page.keyboard.press("F12")
    page.wait_for_function("() => document.querySelector('#text').selectionStart === 17")  # (succ of the third line
    page.locator("#text").press("Control+End")
    page.keyboard.type("(<= (goal ann 0) (te")
    page.keyboard.press("Control+Space")
    page.wait_for_selector("#about-word .option")
    in_browser.shows("#about-word .option[aria-selected=true]", "terminal")
    page.keyboard.press("Enter")
    assert page.locator("#text").input_value().endswith("(<= (goal ann 0) (terminal")
    page.keyboard.type("))")
    page.click("#word-layout")
    page.wait_for_function("() => document.querySelector('#text').value.includes('(<= (next (step ?n)) (true (step')")


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
    in_browser.has("main b, main i, main img", 0)


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
    in_browser.shows("#record", "mark 2 2")


def test_a_solver_converges_before_ones_eyes_and_its_policy_is_browsed(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/analysis?game=kuhn_poker")
    page.wait_for_selector("#worth dt")
    page.click("#solve")  # the game is small, so that it is solved already; once more, by hand
    page.wait_for_selector("svg.plot")
    page.wait_for_selector("#solve:not([disabled])")
    in_browser.shows("#worth", "-0.0555556 chips")
    in_browser.shows("#worth", "as exact as it was asked for")
    page.fill("#filter", "king")
    page.press("#filter", "Enter")
    page.wait_for_function("() => /^2 infosets/.test(document.querySelector('#browse-count').textContent)")
    page.locator(".infoset button").first.click()
    page.wait_for_selector(".more-about table")
    page.locator("#responders button").first.click()
    page.wait_for_selector("#response strong")
    in_browser.shows("#response", "nothing to win")
    page.locator(".infoset button").nth(1).click()  # what is known here
    page.wait_for_selector("#explored .board-area *")
    page.wait_for_function("() => document.querySelector('#record').value.includes('king')")


def test_the_tree_is_drawn_folded_and_saved(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/analysis?game=kuhn_poker")
    page.wait_for_selector("#tree svg")
    ends = 30
    in_browser.has("#tree .end", ends)
    page.locator("#tree [data-node='1']").click()
    page.wait_for_function(f"() => document.querySelectorAll('#tree .end').length < {ends}")
    with page.expect_download() as saved:
        page.click("#tree-tex")
    assert saved.value.suggested_filename == "kuhn_poker.tex"


def test_rules_keys_and_taking_back(in_browser: Studio) -> None:
    in_browser.start("krieg_tictactoe")
    page = in_browser.page
    page.keyboard.press("r")
    page.wait_for_selector("#rules:visible")
    in_browser.shows("#rules", "You are xplayer")
    page.wait_for_function("() => document.querySelectorAll('#legend li').length >= 2")
    page.keyboard.press("%")
    in_browser.move()
    page.wait_for_selector("#board .percent")
    page.keyboard.press("u")
    page.wait_for_function("() => document.querySelectorAll('#record li:not(.none)').length === 0")
    page.locator("[data-term=world]").first.click()
    page.wait_for_selector(".word-box[open]")


def test_a_tournament_is_started_stopped_and_a_match_of_its_table_is_replayed(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/matches?game=kuhn_poker")
    page.wait_for_selector("#entrants li >> nth=1")
    page.locator("#entrants select").first.select_option("first")
    page.locator("#entrants select").nth(1).select_option("hyperplay2")  # it takes longer than the test
    page.fill("#number", "1000")
    page.click("#start")
    page.wait_for_selector("table.ranking")
    in_browser.has("table.ranking tbody tr", 2)
    page.click("#halt")
    in_browser.shows("#state", "It was stopped")
    page.locator(".cell-button").first.click()
    page.locator("#cell-matches button").first.click()
    page.wait_for_selector("#board svg, #board .badge")
    page.wait_for_function("() => document.querySelectorAll('#view option').length === 3")
    assert find_barriers(page) == []


def test_a_review_shows_its_steps_and_stop_keeps_them(in_browser: Studio) -> None:
    page = in_browser.page
    in_browser.go("/review?game=monty_hall")
    page.select_option("#seconds", "180")
    page.click("#review")
    page.wait_for_selector(".veil-page h1")
    page.click("text=Stop")
    in_browser.shows("#review-result", "This is what was found before")
    in_browser.shows(".veil-page h1", "Contestant")
    page.locator("#game-links a", has_text="Analysis").click()
    page.wait_for_url("**/analysis?game=monty_hall")


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
    in_browser.shows("#worth", "stopped by you")


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
    in_browser.has(".cross tbody tr", 2)


@pytest.mark.parametrize(
    "path",
    ["/", "/workbench", "/play", "/play?game=battleship", "/analysis", "/matches?game=gops", "/review", "/help"],
)
def test_pages_fit_a_phone_and_have_no_barriers(in_browser: Studio, path: str) -> None:
    page = in_browser.page
    page.set_viewport_size({"width": 360, "height": 740})
    in_browser.go(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
    assert find_barriers(page) == []


@pytest.mark.nightly
def test_a_game_survives_a_restart_of_the_server(browser_context: Any, tmp_path: Path) -> None:
    with run_studio(tmp_path) as address:
        studio = Studio(address, browser_context.new_page())
        studio.start("krieg_tictactoe")
        studio.move()
        link, record = studio.page.url, studio.page.locator("#record").inner_text()
    with run_studio(tmp_path, "--port", str(urlsplit(link).port)):
        studio.page.goto(link)
        studio.wait()
        studio.shows("#record", record)
        studio.move()
    studio.page.close()


@pytest.mark.nightly
def test_betting_the_queen_is_named_as_the_mistake_and_the_game_is_replayed_from_its_file(
    in_browser: Studio, tmp_path: Path
) -> None:
    page = in_browser.page
    in_browser.go("/play?game=kuhn_poker")
    page.wait_for_selector("#start:enabled")
    page.select_option("#player-second", "random")
    page.click("text=More")
    page.fill("#seed", "7")  # deals the queen
    page.click("#start")
    in_browser.wait()
    in_browser.shows("#record", "you hold the queen")
    page.locator("#moves button", has_text="bet").click()
    page.wait_for_selector("#end:visible")
    in_browser.shows("#result", "chip")
    page.click("#judge")
    in_browser.shows(
        "#judgement", "Your mistake was in round 3: bet. By its reckoning pass would have been worth 0.17 chips more"
    )
    with page.expect_download() as saved:
        page.click("#download")
    file = tmp_path / "kuhn.jsonl"
    saved.value.save_as(file)
    in_browser.go("/play")
    page.set_input_files("#replay-file", str(file))
    page.wait_for_url("**/replay")
    page.wait_for_selector("#board svg")
    page.select_option("#view", "first")
    page.wait_for_function("() => Number(document.querySelector('#round').max) >= 4")
    page.click("#later")
    in_browser.shows("#story", "you hold the queen")


@pytest.mark.nightly
def test_a_second_page_does_not_overwrite_what_the_first_has_saved(in_browser: Studio) -> None:
    page = in_browser.page
    rules = RULES.read_text()

    def save(tab: Any, more: str) -> None:
        tab.locator("#text").fill(f"{rules}\n;;; {more}\n")
        tab.click("#save")

    in_browser.go("/workbench")
    page.wait_for_selector(".verdict.good")
    page.fill("#name", "shared_game")
    save(page, "first")
    in_browser.shows("#saved", "saved as shared_game")
    other = page.context.new_page()
    other.goto(f"{in_browser.base}/workbench?game=own:shared_game")
    other.wait_for_selector(".verdict.good")
    save(page, "second")  # nobody else has changed it, so nothing is asked
    in_browser.shows("#saved", "saved as shared_game")
    asked: list[str] = []

    def refuse(dialog: Any) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    other.on("dialog", refuse)
    save(other, "third")
    other.wait_for_timeout(1000)
    assert len(asked) == 1
    assert "shared_game" in asked[0]
    other.close(run_before_unload=False)
    page.reload()
    assert page.locator("#text").input_value().rstrip().endswith("second")
