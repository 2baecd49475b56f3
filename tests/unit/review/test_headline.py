"""The first sentence of a review: games whose most important fact is known."""

import pytest

import veil
from veil.match import Mean
from veil.report import page_as_html
from veil.review.seats import EQUAL, RANDOM_PLAY, SeatReport

QUICK = veil.ReviewConfig(games=64, other="random", matches=2, seconds=600.0)

ESCAPE = """
(role thief) (role cop) (init (step 1))
(<= (legal thief run) (true (step 1))) (<= (legal thief hide) (true (step 1)))
(<= (legal cop look) (true (step 1))) (<= (legal cop sleep) (true (step 1)))
(<= (next (step 2)) (true (step 1)))
(<= (next caught) (does thief hide) (does cop look))
(<= (sees cop ran) (does thief run))
(<= terminal (true (step 2)))
(<= (goal cop 100) (true caught)) (<= (goal cop 0) (not (true caught)))
(<= (goal thief 0) (true caught)) (<= (goal thief 100) (not (true caught)))
"""

COINS = """
(role random) (role a) (role b) (init (step 1))
(side heads) (side tails)
(<= (legal random (toss ?s)) (side ?s))
(<= (legal a wait) (true (step 1))) (<= (legal b wait) (true (step 1)))
(<= (next (step 2)) (true (step 1)))
(<= (next (lies ?s)) (does random (toss ?s)))
(<= terminal (true (step 2)))
(<= (goal a 100) (true (lies heads))) (<= (goal a 0) (true (lies tails)))
(<= (goal b 100) (true (lies tails))) (<= (goal b 0) (true (lies heads)))
"""


@pytest.mark.compiled("slow as Python")
@pytest.mark.parametrize(
    ("rules", "sentence"),
    [
        (ESCAPE, "Thief always wins when both play well: nothing that cop does can change it."),
        (COINS, "Chance decides 100 % of the result between equal strong players."),
        (ESCAPE.replace("(does thief hide)", "(does thief hid)"), "It can be played, but 1 name"),
    ],
)
def test_the_first_sentence_says_what_a_designer_must_know(rules, sentence):
    assert veil.review_game(veil.load(rules), QUICK).page().headline.startswith(sentence)


@pytest.mark.compiled("slow as Python")
def test_a_seat_that_is_favoured_is_named_with_its_share():
    rules = COINS.replace("(side heads) (side tails)", "(side heads) (side tails) (side edge)")
    rules = rules.replace("(goal a 100) (true (lies heads))", "(goal a 100) (not (true (lies tails)))")
    rules = rules.replace("(goal b 0) (true (lies heads))", "(goal b 0) (not (true (lies tails)))")
    page = veil.review_game(veil.load(rules), QUICK).page()
    assert page.headline == "A is favoured: between equal strong players it gets 66.7 of 100, b 33.3 of 100."


@pytest.mark.compiled("slow as Python")
def test_chance_comes_before_a_seat_that_is_only_slightly_favoured():
    """11 sides, of which a wins with 5: 45.5 : 54.5."""
    sides = " ".join(f"(side {number})" for number in range(11))
    wins = " ".join(f"(wins {number})" for number in range(5))
    rules = COINS.replace("(side heads) (side tails)", f"{sides} {wins} (<= a_wins (true (lies ?s)) (wins ?s))")
    for role, heads in (("a", "a_wins"), ("b", "(not a_wins)")):
        tails = "(not a_wins)" if heads == "a_wins" else "a_wins"
        lies = ("heads", "tails") if role == "a" else ("tails", "heads")
        rules = rules.replace(f"(goal {role} 100) (true (lies {lies[0]}))", f"(goal {role} 100) {heads}")
        rules = rules.replace(f"(goal {role} 0) (true (lies {lies[1]}))", f"(goal {role} 0) {tails}")
    page = veil.review_game(veil.load(rules), QUICK).page()
    assert page.headline == "Chance decides 100 % of the result between equal strong players."
    assert page.summary[0].startswith("B is slightly favoured: between equal strong players it gets 54.5 of 100")


@pytest.mark.compiled("slow as Python")
def test_a_game_that_always_ends_alike_depends_on_nothing():
    page = veil.review_game(veil.load(ESCAPE), QUICK).page()
    titles = [chart.title for part in page.sections for chart in part.charts]
    assert "Share of the goals" in titles
    assert not [title for title in titles if "depends on" in title or "decided" in title]
    assert "There are no comebacks, in which" in str(page.sections)


@pytest.mark.compiled("slow as Python")
def test_a_few_matches_are_too_few_to_tell_and_are_not_drawn():
    """A review of random play alone, and the result of two matches beside it."""
    game = veil.load("blind_breakthrough(width=4, height=4)")
    review = veil.review_game(game, veil.ReviewConfig(games=64, player="random", matches=1, seconds=0.01))
    review.solved, goals = None, {"white": Mean(50.0, 600.0, 2), "black": Mean(50.0, 600.0, 2)}
    report = SeatReport(
        kind=EQUAL, play="best", games=2, goals=goals, draws=0.0, rounds=Mean(7.0, None, 2), lengths={7: 1.0}
    )
    review.seats = [each for each in review.seats if each.kind == RANDOM_PLAY] + [report]
    page = review.page()
    assert (
        page.summary[0] == "2 matches between equal strong players are too few to tell more: give the review more time."
    )
    assert "under random play" in page.headline.lower()
    drawn = [label for part in page.sections[:1] for chart in part.charts for label in str(chart).split("'")]
    assert not [label for label in drawn if "strong" in label]
    assert "equal strong players" in str(page.sections[0].table)


@pytest.mark.compiled("slow as Python")
def test_the_page_asks_for_nothing_outside_itself():
    document = page_as_html(veil.review_game(veil.load(ESCAPE), QUICK).page())
    assert "default-src 'none'" in document
    assert not [word for word in ("http://", "https://", "<script", "url(", "@import") if word in document]
    assert document.count("<svg") == document.count("</svg>") > 0
